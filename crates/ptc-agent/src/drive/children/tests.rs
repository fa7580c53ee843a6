//! Agents called by agents: which model, how deep, how many turns, how long, and what is recorded.

mod laws;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, ReplayLlm, Reply, Request, ScriptedLlm};
use ptc_transcript::{Event, Step, StepJson, ValueForm};
use serde_json::json;

use crate::testing::ended;
use crate::{
    Agent, AgentBuilder, Callable, Context, Effect, FnTool, LlmRegistry, RunOptions, SubagentOptions, ToolError,
};

/// A child that prices a room.
fn pricer() -> AgentBuilder {
    Agent::builder("Price {{room}}")
        .signature("(room :int) -> {total :float}")
        .description("Prices one room")
        .max_turns(2)
}

fn tool(child: AgentBuilder, name: &str) -> Callable {
    child.build().expect("an agent").as_tool(SubagentOptions::named(name)).expect("a tool")
}

/// The parent of most tests.
fn parent(tool: Callable) -> AgentBuilder {
    Agent::builder("What do the rooms cost?").tool(tool)
}

/// Answers by agent; `""` is the agent that was started from outside.
fn replay(lines: &[(&str, &str)]) -> Arc<ReplayLlm> {
    let line = |(agent, program): &(&str, &str)| {
        let agent = (!agent.is_empty()).then_some(agent);
        json!({"agent": agent, "content": format!("```clojure\n{program}\n```")}).to_string()
    };
    Arc::new(ReplayLlm::from_text("answers", &lines.iter().map(line).collect::<Vec<_>>().join("\n")).expect("answers"))
}

async fn check(agent: AgentBuilder, llm: Arc<dyn Llm>) -> Step {
    let options = RunOptions::new().llm(llm);
    agent.build().expect("an agent").run_with(Context::default(), options).await.expect("a run")
}

/// `ending value` or `ending reason: message`, then the errors of the turns.
fn told(step: &Step) -> String {
    let errors = step.turns().iter().filter_map(|turn| turn.error_message());
    std::iter::once(ended(step)).chain(errors).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_child_answers_the_call_and_its_step_is_kept() {
    let llm = replay(&[
        ("", "(def p (tool/pricer {:room 41})) (return (:total p))"),
        ("pricer", "(def n 2)"),
        ("pricer", "(return {:total (* n data/room)})"),
    ]);
    let step = check(parent(tool(pricer(), "pricer")), llm).await;
    assert_snapshot!(told(&step), @"return 82");
    let [child] = step.child_steps.as_slice() else { panic!("one child") };
    assert_eq!((child.usage.turns, step.usage.turns), (2, 1));
    let json = StepJson::new(child, ValueForm::Plain).to_json();
    assert_eq!(
        (&json["mission"], &json["mission_template"], json.get("tools"), json.get("messages")),
        (&json!(""), &json!(""), None, None)
    );
    assert_eq!(json["turns"].as_array().map(Vec::len), Some(2));
    assert!(step.memory.get("n").is_none(), "a child has a memory of its own");
}

#[tokio::test]
async fn a_child_asks_its_own_model_then_the_bound_one_then_the_callers() {
    let program = ["(return {:total 1})"];
    let scripted = |name: &str| Arc::new(ScriptedLlm::replies(program).named(name));
    for (own, bound, asked) in [(true, true, "own"), (false, true, "bound"), (false, false, "caller")] {
        let (of_child, of_tool) = (scripted("own"), scripted("bound"));
        let child = if own { pricer().llm(of_child.clone()) } else { pricer() }.build().expect("an agent");
        let llm = bound.then(|| "bound".into());
        let tool = child.as_tool(SubagentOptions { llm, ..SubagentOptions::named("pricer") }).expect("a tool");
        let caller =
            Arc::new(ScriptedLlm::replies(["(return (:total (tool/pricer {:room 1})))", "(return {:total 1})"]));
        let llm_registry = LlmRegistry::from([("bound".to_owned(), of_tool.clone() as Arc<dyn Llm>)]);
        let options = RunOptions::new().llm(caller.clone()).llm_registry(llm_registry);
        let step = parent(tool).build().expect("an agent").run_with(Context::default(), options).await.expect("a run");
        assert_eq!(told(&step), "return 1");
        let children = [
            ("own", of_child.requests().len()),
            ("bound", of_tool.requests().len()),
            ("caller", caller.requests().len() - 1),
        ];
        let asked_now: Vec<_> = children.into_iter().filter(|(_, requests)| *requests > 0).collect();
        assert_eq!(asked_now, [(asked, 1)]);
    }
}

#[tokio::test]
async fn models_by_name_must_be_known_before_the_first_request() {
    let llm: Arc<dyn Llm> = Arc::new(ScriptedLlm::replies(["(return 1)"]));
    let child = pricer().llm("cheap").build().expect("an agent");
    let agent = parent(child.as_tool(SubagentOptions::named("pricer")).expect("a tool")).build().expect("an agent");
    let options = |names: &[&str]| {
        RunOptions::new()
            .llm(llm.clone())
            .llm_registry(names.iter().map(|name| ((*name).to_owned(), llm.clone())).collect())
    };
    let error = |names: &[&str]| agent.start(Context::default(), &options(names)).err().expect("an error").to_string();
    assert_snapshot!(error(&[]), @"there is no LLM named 'cheap' in the registry: it is empty");
    assert_snapshot!(error(&["large", "small"]), @"there is no LLM named 'cheap' in the registry; it has large, small");
    assert!(agent.start(Context::default(), &options(&["cheap"])).is_ok());
}

/// Children ignore the way of showing history that is chosen for a run.
#[tokio::test]
async fn a_child_shows_its_history_as_its_agent_says() {
    let llm = replay(&[
        ("", "(def a (tool/pricer {:room 41}))"),
        ("pricer", "(def b 1)"),
        ("pricer", "(return {:total 1.0})"),
        ("", "(return a)"),
    ]);
    let rolling = ptc_compression::CompressionConfig::from(ptc_compression::RollingWindow::new());
    let options = RunOptions::new().llm(llm).compression(rolling);
    let agent = parent(tool(pricer().max_turns(3).compression(true), "pricer")).build().expect("an agent");
    let step = agent.run_with(Context::default(), options).await.expect("a run");
    let name = |step: &Step| step.compression[0].compression.strategy.clone();
    assert_eq!(name(&step).as_deref(), Some("rolling-window"));
    assert_eq!(name(&step.child_steps[0]).as_deref(), Some("single-user-coalesced"));
}

#[tokio::test]
async fn a_child_without_answer_is_a_tool_error() {
    let fails = |program: &'static str, turns: usize| async move {
        let llm =
            replay(&[("", "(tool/pricer {:room 41})"), ("pricer", program), ("pricer", program), ("", "(return :on)")]);
        told(&check(parent(tool(pricer().max_turns(turns).fallback(false), "pricer")), llm).await)
    };
    assert_snapshot!(fails(r#"(fail {:reason :no-room :message "room 41 burnt down"})"#, 2).await, @r#"
    return "on"
    tool 'pricer' failed: no-room: room 41 burnt down at line 1, column 1
    "#);
    assert_snapshot!(fails(r#"(fail "no idea")"#, 2).await, @r#"
    return "on"
    tool 'pricer' failed: "no idea" at line 1, column 1
    "#);
    assert_snapshot!(fails("(def x 1)", 2).await, @r#"
    return "on"
    tool 'pricer' failed: max_turns_exceeded: limit of 2 turns reached: turns 1-2 ran without calling return at line 1, column 1
    "#);
    assert_snapshot!(fails("{:total nil}", 1).await, @r#"
    return "on"
    tool 'pricer' failed: its result does not fit its signature: [total]: expected float, got nil at line 1, column 1
    "#);
}

#[tokio::test]
async fn recursion_ends_at_the_depth_limit_and_the_parent_goes_on() {
    let walk = Agent::builder("Walk {{n}}").signature("(n :int) -> :int").self_tool("walk").max_depth(2).max_turns(3);
    let deeper = "(return (+ 1 (tool/walk {:n (dec data/n)})))";
    let llm = replay(&[("", deeper), ("walk", deeper), ("walk", "(return 0)"), ("", "(return -1)")]);
    let options = RunOptions::new().llm(llm);
    let agent = walk.build().expect("an agent");
    let step = agent.run_with(Context::new(json!({"n": 9})).expect("data"), options).await.expect("a run");
    assert_snapshot!(told(&step), @"return 1");
    assert_snapshot!(told(&step.child_steps[0]), @r"
    return 0
    tool 'walk' failed: max_depth_exceeded: nesting depth 2 reaches the limit 2 at line 1, column 14
    ");
    assert_snapshot!(told(&step.child_steps[0].child_steps[0]), @"limit max_depth_exceeded: nesting depth 2 reaches the limit 2");
    assert_eq!(step.child_steps[0].child_steps[0].usage, ptc_transcript::RunUsage::default());
    let spec = &agent.tools()[0];
    let signature = spec.signature.as_ref().map(ToString::to_string);
    assert_eq!(
        (signature.as_deref(), spec.description.as_deref()),
        (Some("(n :int) -> :int"), Some("Invoke this agent recursively on a part of the input"),)
    );
}

#[tokio::test]
async fn programs_see_turns_and_depth() {
    let child = Agent::builder("Look").description("Looks").max_turns(9);
    let llm = replay(&[
        ("", "(return [(budget/remaining) (tool/look)])"),
        ("look", "(def x 1)"),
        ("look", "(return (budget/remaining))"),
    ]);
    let step = check(parent(tool(child, "look")).turn_budget(4).max_depth(5), llm).await;
    let seen = step.value::<serde_json::Value>().expect("a value");
    assert_eq!((&seen[0]["turns"], &seen[0]["depth"]), (&json!(4), &json!({"current": 0, "max": 5})));
    assert_eq!((&seen[1]["turns"], &seen[1]["depth"]), (&json!(3), &json!({"current": 1, "max": 3})));
}

#[tokio::test]
async fn siblings_share_turns_only_when_told_to() {
    let child =
        || Agent::builder("Look").signature("(n :int) -> :int").description("Looks").max_turns(3).fallback(false);
    let two = "(return (mapv (fn [n] (try (tool/look {:n n}) (catch Exception e (ex-message e)))) [1 2]))";
    let lines = [("", two), ("look", "1"), ("look", "(return 1)"), ("look", "2"), ("look", "(return 2)")];
    for (shared, expected) in [(false, json!([1, 2])), (true, json!([1, "the turn budget is used up"]))] {
        let agent = parent(tool(child(), "look")).turn_budget(3).shared_turn_budget(shared);
        let step = check(agent, replay(&lines)).await;
        let text = step.value::<serde_json::Value>().expect("a value").to_string();
        let expected = expected.to_string();
        let (before, after) = expected.split_once("the turn").unwrap_or((&expected, ""));
        assert!(text.starts_with(before.trim_end_matches('"')) && text.contains(after), "{text}");
    }
}

/// Answers after a while.
struct Slow;

impl Llm for Slow {
    fn reply<'a>(&'a self, _: &'a Request, _: Option<&'a mut dyn ChunkSink>) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(70)).await;
            Ok(Reply::from("(return {:total 1})"))
        })
    }

    fn name(&self) -> &str {
        "slow"
    }
}

#[tokio::test(start_paused = true)]
async fn a_child_has_no_time_of_its_own_but_the_deadline_of_its_caller() {
    let slow = || tool(pricer().llm(Arc::new(Slow)), "pricer");
    let lines = [("", "(return (:total (tool/pricer {:room 1})))")];
    assert_snapshot!(told(&check(parent(slow()), replay(&lines)).await), @"return 1");
    let limited = parent(slow()).mission_timeout(Duration::from_secs(30)).fallback(false);
    let step = check(limited, replay(&lines)).await;
    assert_snapshot!(told(&step), @r"
    limit mission_timeout: the mission deadline has passed
    tool 'pricer' failed: mission_timeout: the mission deadline has passed at line 1, column 17
    ");
    assert_eq!(step.usage.duration_ms, 30_000);
    // A child called late gets what is left.
    let patient = || {
        tool(
            Agent::builder("Wait").description("Waits").mission_timeout(Duration::from_secs(500)).llm(Arc::new(Slow)),
            "wait",
        )
    };
    let step = check(
        parent(patient()).mission_timeout(Duration::from_secs(100)),
        replay(&[("", "(tool/wait)"), ("", "(tool/wait)")]),
    )
    .await;
    assert_snapshot!(told(&step), @r"
    limit mission_timeout: the mission deadline has passed
    tool 'wait' failed: mission_timeout: the mission deadline has passed at line 1, column 1
    ");
}

#[tokio::test]
async fn hidden_fields_of_a_child_stay_hidden_and_reach_the_host() {
    let child = Agent::builder("Find").signature("() -> {n :int, _ids [:int]}").description("Finds");
    let llm = Arc::new(ScriptedLlm::replies([
        "(def found (tool/find))",
        "(return {:n 1 :_ids [4711]})",
        "(return (:_ids found))",
    ]));
    let step = check(parent(tool(child, "find")).compression(true), llm.clone()).await;
    assert_snapshot!(told(&step), @"return [4711]");
    let last = llm.requests()[2].messages[0].content().into_owned();
    assert!(last.contains("found") && !last.contains("4711"), "{last}");
    assert_eq!(step.child_steps[0].value::<serde_json::Value>().expect("a value")["_ids"], json!([4711]));
}

#[tokio::test]
async fn observers_see_children_below_their_calls() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let observer = move |event: &Event| {
        let parent = event.parent.map_or(0, |parent| parent.0);
        ears.lock().expect("a list").push(format!("{} {} in {parent}", event.kind.name(), event.span.0));
    };
    let llm = replay(&[("", "(return (:total (tool/pricer {:room 1})))"), ("pricer", "(return {:total 2})")]);
    let options = RunOptions::new().llm(llm).observers(vec![Arc::new(observer)]);
    parent(tool(pricer(), "pricer"))
        .build()
        .expect("an agent")
        .run_with(Context::default(), options)
        .await
        .expect("a run");
    assert_snapshot!(heard.lock().expect("a list").join("\n"), @r"
    run.start 1 in 0
    turn.start 2 in 1
    llm.start 3 in 2
    llm.stop 3 in 2
    tool.start 4 in 2
    run.start 5 in 4
    turn.start 6 in 5
    llm.start 7 in 6
    llm.stop 7 in 6
    turn.stop 6 in 5
    run.stop 5 in 4
    tool.stop 4 in 2
    turn.stop 2 in 1
    run.stop 1 in 0
    ");
}

#[test]
fn tools_need_a_name_and_a_description() {
    let error = |agent: AgentBuilder, options| {
        agent.build().expect("an agent").as_tool(options).err().map(|error| error.to_string())
    };
    assert_snapshot!(error(Agent::builder("x"), SubagentOptions::named("x")).unwrap_or_default(), @"an agent needs a description to serve as a tool");
    assert_snapshot!(error(pricer(), SubagentOptions::default()).unwrap_or_default(), @"an agent needs a name to serve as a tool");
    let described = SubagentOptions { description: Some("Prices".into()), cache: true, ..SubagentOptions::default() };
    let tool = pricer().name("rates").build().expect("an agent").as_tool(described).expect("a tool");
    assert_eq!(
        (tool.spec().name.as_str(), tool.spec().description.as_deref(), tool.spec().cache),
        ("rates", Some("Prices"), true)
    );
    assert_snapshot!(Agent::builder("x").self_tool("again").build().err().map(|error| error.to_string()).unwrap_or_default(), @"a self tool requires a signature");
    assert_snapshot!(Agent::builder("x").max_depth(0).build().err().map(|error| error.to_string()).unwrap_or_default(), @"max_depth must be an integer above 0");
}

#[tokio::test]
async fn functions_cross_in_neither_direction() {
    let rule = || Agent::builder("Write a rule").description("A rule").signature("(for :any) -> :any").max_turns(1);
    let llm = replay(&[
        ("", "(def allowed? (tool/rule {:for \"admin\"}))"),
        ("rule", "(defn allowed? [user] (= user \"admin\")) (return {:rule allowed?})"),
        ("", "(tool/rule {:for (fn [user] user)})"),
        ("", "(def allowed? (tool/rule {:for \"admin\"}))"),
        ("rule", "(def allowed? (fn [user] (= user \"admin\")))"),
        ("", "(return (tool/rule {:for \"admin\"}))"),
        ("rule", "(return {:users [\"admin\"]})"),
    ]);
    let step = check(parent(tool(rule(), "rule")).max_turns(4), llm).await;
    assert_snapshot!(told(&step), @r#"
    return {"users":["admin"]}
    tool 'rule' failed: validation_error: The returned value does not fit the signature.\nWanted: :any\nGot: {:rule #fn[user]}\nProblems:\n- #fn[user] is a function, which stays in its session: send data, such as what it returns\nCorrect the value and return it again. at line 1, column 15
    tool/rule: #fn[user] is a function, which stays in its session: send data, such as what it returns at line 1, column 1
    tool 'rule' failed: its answer cannot be sent: #'allowed? is the name of a definition, which stays in its session: send data, such as its value at line 1, column 15
    "#);
    assert_eq!(step.child_steps.len(), 3);
}

#[tokio::test]
async fn records_say_which_calls_are_of_tools_that_declare_to_write() {
    let program = "(tool/pricer {:room 41}) (tool/undeclared {}) (return (tool/declared {}))";
    let tool = |name: &str| FnTool::new(name, "Does it", |(): ()| Ok::<_, ToolError>(1));
    let mut seen = Vec::new();
    for effect in [None, Some(Effect::Write), Some(Effect::Read)] {
        let llm = replay(&[("", program), ("pricer", "(return {:total 2.0})")]);
        let pricer =
            pricer().build().unwrap().as_tool(SubagentOptions { effect, ..SubagentOptions::named("pricer") }).unwrap();
        let agent = parent(pricer).tool(tool("undeclared")).tool(tool("declared").effect(Effect::Write));
        let step = check(agent, llm).await;
        let calls = step.turns()[0].tool_calls().iter().filter(|call| call.declares_write);
        seen.push(calls.map(|call| call.name.to_string()).collect::<Vec<_>>().join(" "));
    }
    assert_eq!(seen, ["declared", "pricer declared", "declared"]);
}
