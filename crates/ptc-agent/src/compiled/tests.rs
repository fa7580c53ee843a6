//! Programs that are written once.

use std::sync::Arc;

use insta::assert_snapshot;
use ptc_chat::ScriptedLlm;
use ptc_transcript::{JournalWriter, Recorded};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{
    Agent, AgentBuilder, CompileError, CompiledAgent, Context, FnTool, RunOptions, SubagentOptions, ToolError,
};

#[derive(Deserialize, JsonSchema)]
struct Word {
    text: String,
}

fn shout(word: Word) -> Result<String, ToolError> {
    if word.text.is_empty() { Err(ToolError::new("nothing to shout")) } else { Ok(word.text.to_uppercase()) }
}

fn agent() -> AgentBuilder {
    Agent::builder("Greet {{name}}").signature("(name :string, times :int) -> :string").max_turns(1)
}

async fn compile(agent: AgentBuilder, sample: Json, programs: &[&str]) -> Result<CompiledAgent, CompileError> {
    let llm = Arc::new(ScriptedLlm::replies(programs.iter().copied()).named("writer"));
    let options = RunOptions::new().llm(llm);
    agent.build().expect("an agent").compile(Context::new(sample).expect("a sample"), options).await
}

async fn execute(compiled: &CompiledAgent, data: Json) -> String {
    match compiled.execute(Context::new(data).expect("data"), RunOptions::default()).await {
        Ok(step) => match &step.result {
            Ok(value) => format!("{} requests: {value:?}", step.usage.llm_requests.unwrap_or(0)),
            Err(fail) => format!("{} {fail}", step.ending.as_str()),
        },
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_program_runs_again_on_other_input() {
    let program = r#"(return (str/join " " (repeat data/times (str "Hi " data/name))))"#;
    let compiled = compile(agent().field_descriptions([("greeting", "for the door")]), json!({"times": 1}), &[program])
        .await
        .expect("a program");
    assert_eq!(compiled.source(), program);
    assert_eq!((compiled.metadata().turns, compiled.metadata().llm_model.as_str()), (1, "writer"));
    assert!(compiled.metadata().compiled_at > 0 && !compiled.llm_required());
    assert_eq!(compiled.spec().field_descriptions["greeting"], "for the door");
    assert_snapshot!(execute(&compiled, json!({"name": "Ada", "times": 2})).await, @r#"0 requests: "Hi Ada Hi Ada""#);
    assert_snapshot!(execute(&compiled, json!({"name": "Ada"})).await, @"the context does not fit the signature: [times]: required input is missing");
}

#[tokio::test]
async fn inputs_are_made_up_where_the_sample_lacks_them() {
    let all = "(s :string, i :int, f :float, b :bool, k :keyword, a :any, m :map, l [:int], r {x :string, y [:bool]}) -> :any";
    let agent = Agent::builder("Go").signature(all).max_turns(1);
    let llm = Arc::new(ScriptedLlm::replies([
        "(def seen [data/s data/i data/f data/b data/k data/a data/m data/l data/r]) (return seen)",
    ]));
    let options = RunOptions::new().llm(llm.clone());
    let compiled =
        agent.build().expect("an agent").compile(Context::new(json!({"i": 7})).expect("data"), options).await;
    assert!(compiled.is_ok(), "{compiled:?}");
    assert!(llm.requests()[0].messages[0].content().contains("result"));
}

#[tokio::test]
async fn tools_are_called_and_failures_told() {
    let agent = agent().tool(FnTool::new("shout", "Shouts", shout));
    let compiled = compile(agent, json!({}), &["(tool/shout {:text \"\"})", "(return (tool/shout {:text data/name}))"])
        .await
        .expect("a program");
    assert_eq!(compiled.metadata().turns, 2);
    assert_snapshot!(execute(&compiled, json!({"name": "Ada", "times": 1})).await, @r#"0 requests: "ADA""#);
    assert_snapshot!(execute(&compiled, json!({"name": "", "times": 1})).await, @"error tool_error: tool 'shout' failed: nothing to shout at line 1, column 9");
    let quick = compiled.adjusted(|agent| agent.max_heap(1)).expect("a compiled agent");
    assert_snapshot!(execute(&quick, json!({"name": "Ada", "times": 1})).await, @"limit memory_exceeded: memory limit of 1 bytes exceeded: keep counts and samples instead of whole collections at line 1, column 21");
}

#[tokio::test]
async fn what_cannot_be_compiled_is_told() {
    let error = |agent: AgentBuilder, programs: &'static [&'static str]| async move {
        compile(agent, json!({}), programs).await.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_snapshot!(error(agent().max_turns(2), &[]).await, @"only agents with max_turns 1 can be compiled");
    assert_snapshot!(error(Agent::builder("x").max_turns(1).output(ptc_chat::OutputMode::Text), &[]).await, @"only agents that write programs can be compiled");
    let child = Agent::builder("x")
        .description("Waits")
        .mission_timeout(std::time::Duration::from_secs(1))
        .build()
        .expect("an agent");
    let waits = child.as_tool(SubagentOptions::named("wait")).expect("a tool");
    assert_snapshot!(error(agent().tool(waits), &[]).await, @"cannot compile: tool agent wait has a mission_timeout");
    assert_snapshot!(error(agent(), &["(fail \"no\")"]).await, @r#"cannot compile: failed: "no""#);
    let split = &["(def x \"a\") (return 1)", "(return x)"];
    assert_snapshot!(error(agent().tool(FnTool::new("shout", "Shouts", shout)), split).await, @"cannot compile: the program is not self-contained: undefined symbol 'x' at line 1, column 9");
    assert_snapshot!(error(Agent::builder("x").max_turns(1), &[]).await, @"cannot compile: llm_error: the LLM call failed: out_of_answers: the script has no answer left for turn 1, 0 were used");
}

#[tokio::test]
async fn compiled_agents_are_tools_when_they_need_no_model() {
    let upper = compile(
        agent().tool(FnTool::new("shout", "Shouts", shout)),
        json!({}),
        &["(return (tool/shout {:text data/name}))"],
    )
    .await
    .expect("a program");
    let tool = upper
        .as_tool(SubagentOptions { description: Some("Greets".into()), ..SubagentOptions::named("greet") })
        .expect("a tool");
    let llm = ScriptedLlm::replies([r#"(return (tool/greet {:name "Oto" :times 1}))"#]);
    let step = Agent::builder("Go").tool(tool).build().expect("an agent").run(&llm, ()).await.expect("a run");
    assert_eq!((step.value::<String>().expect("text").as_str(), llm.requests().len()), ("OTO", 1));

    let child = Agent::builder("x")
        .description("Asks")
        .build()
        .expect("an agent")
        .as_tool(SubagentOptions::named("ask"))
        .expect("a tool");
    let asks =
        compile(agent().tool(child), json!({}), &["(return (str (tool/ask)))", "(return 1)"]).await.expect("a program");
    assert!(asks.llm_required());
    assert_snapshot!(execute(&asks, json!({"name": "Ada", "times": 1})).await, @"an LLM client is required");
    assert_snapshot!(asks.as_tool(SubagentOptions::named("a")).err().map(|error| error.to_string()).unwrap_or_default(), @"a compiled agent that needs an LLM cannot serve as a tool");
    let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(["(return 5)"])));
    let step =
        asks.execute(Context::new(json!({"name": "Ada", "times": 1})).expect("data"), options).await.expect("a run");
    assert_eq!(step.value::<String>().expect("text"), "5");
}

#[tokio::test]
async fn a_resumed_program_needs_only_the_tools_that_it_reaches() {
    let tool = |name: &str, about: &str| FnTool::new(name, about, shout);
    let run = async |tools: Vec<FnTool>, journal: &[u8]| {
        let agent = tools.into_iter().fold(Agent::builder("Shout").max_turns(1), AgentBuilder::tool);
        let program = "(tool/shout {:text \"now\"})";
        let compiled = CompiledAgent::from_source(&agent.build().expect("an agent"), program).expect("a program");
        let recorded = Recorded::read(journal).expect("a journal").map(Arc::new);
        let sink = Arc::new(JournalWriter::new(journal.to_vec()));
        let options = RunOptions::new().journal(Arc::<JournalWriter<Vec<u8>>>::clone(&sink)).resume(recorded);
        let ended = compiled.execute((), options).await.map(|step| step.value::<String>().expect("a text"));
        (ended.map_err(|error| error.to_string()), Arc::into_inner(sink).expect("nobody else writes").into_writer())
    };
    let (ended, journal) = run(vec![tool("shout", "Shouts"), tool("other", "Another one")], b"").await;
    assert_eq!(ended.as_deref(), Ok("NOW"));
    let (ended, _) = run(vec![tool("late", "One that came later"), tool("shout", "Shouts")], &journal).await;
    assert_eq!(ended.as_deref(), Ok("NOW"));
    let (ended, _) = run(vec![tool("shout", "Whispers")], &journal).await;
    assert!(ended.as_ref().is_err_and(|error| error.contains("its list of tools differs")), "{ended:?}");
}
