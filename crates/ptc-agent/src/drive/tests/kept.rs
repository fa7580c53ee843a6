//! What failed programs have read: the next one gets it without a call.

mod laws;

use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use ptc_chat::{OutputMode, ReplayLlm, Reply, ScriptedLlm, ToolUse};
use ptc_lisp::{ToolError, ToolRecord};
use ptc_transcript::{Event, EventKind, JournalWriter, Recorded, Step, Turn};
use serde_json::json;

use crate::testing::{Item, ended};
use crate::{Agent, AgentBuilder, Approval, Context, Decision, Effect, FnTool, RunOptions, SubagentOptions};

/// Payments so far, and the calls that were really made.
#[derive(Default)]
struct World {
    paid: i64,
    called: Vec<String>,
}

type Shared = Arc<Mutex<World>>;

impl World {
    fn look(&mut self, id: i64) -> Result<i64, ToolError> {
        self.called.push(format!("look {id}"));
        if id == 13 { Err(ToolError::new("429 slow down")) } else { Ok(self.paid) }
    }

    /// 4 has no money; the answer for 6 is lost.
    fn pay(&mut self, id: i64) -> Result<i64, ToolError> {
        self.called.push(format!("pay {id}"));
        if id == 4 {
            return Err(ToolError::new("no money"));
        }
        self.paid += 1;
        if id == 6 { Err(ToolError::new("504 gateway timeout")) } else { Ok(self.paid) }
    }
}

/// `look` returns the number of payments, `pay` makes one.
fn agent(world: &Shared, look_has: Effect) -> AgentBuilder {
    let look = |world: Shared, item: Item| async move { world.lock().expect("a world").look(item.id) };
    let pay = |world: Shared, item: Item| async move { world.lock().expect("a world").pay(item.id) };
    Agent::builder("Settle")
        .tool(FnTool::with_state("look", "Looks", Arc::clone(world), look).effect(look_has))
        .tool(FnTool::with_state("pay", "Pays", Arc::clone(world), pay))
        .max_turns(9)
}

/// What one process did, with its journal.
struct Seen {
    step: Step,
    called: Vec<String>,
    journal: Vec<u8>,
}

fn run(change: impl Fn(AgentBuilder) -> AgentBuilder, programs: &[&str], options: RunOptions) -> Seen {
    resumed(change, programs, options, &[])
}

/// Run these programs with what is left of a journal.
fn resumed(change: impl Fn(AgentBuilder) -> AgentBuilder, programs: &[&str], options: RunOptions, left: &[u8]) -> Seen {
    resumed_as(Effect::Read, change, programs, options, left)
}

/// The same where `look` has this effect.
fn resumed_as(
    look_has: Effect,
    change: impl Fn(AgentBuilder) -> AgentBuilder,
    programs: &[&str],
    options: RunOptions,
    left: &[u8],
) -> Seen {
    let recorded = Recorded::read(left).expect("a journal");
    let answered = recorded.as_ref().map_or(0, |recorded| recorded.replies().len());
    let whole = recorded.as_ref().map_or(0, Recorded::whole_bytes);
    let journal = Arc::new(JournalWriter::new(left[..whole].to_vec()));
    let world = Shared::default();
    let mut options =
        options.run_id("r").journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal)).resume(recorded.map(Arc::new));
    let scripted = || Arc::new(ScriptedLlm::replies(programs.iter().skip(answered).copied()));
    options.llm = options.llm.or_else(|| Some(scripted()));
    let agent = change(agent(&world, look_has)).build().expect("an agent");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let step = runtime.block_on(agent.run_with(Context::default(), options)).expect("a run");
    let journal = Arc::into_inner(journal).expect("nobody else writes").into_writer();
    let called = std::mem::take(&mut world.lock().expect("a world").called);
    Seen { step, called, journal }
}

fn check(programs: &[&str]) -> Seen {
    run(|agent| agent, programs, RunOptions::default())
}

/// `look 1 -> 0 (kept)`; failures with what is known about them.
fn shown(call: &ToolRecord) -> String {
    let id =
        call.args.as_map().and_then(|args| args.get_named("id")).map(ptc_lisp::text::display_text).unwrap_or_default();
    let result = call.error.clone().unwrap_or_else(|| ptc_lisp::text::display_text(&call.result));
    let marks =
        [(call.from_failed_turn, " (kept)"), (call.may_have_run, " (perhaps done)"), (call.edited, " (edited)")];
    let marks: String = marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)).collect();
    format!("{} {id} -> {result}{marks}", call.name)
}

impl Seen {
    /// The calls of each turn, one turn a line.
    fn turns(&self) -> String {
        let calls = |turn: &Turn| turn.tool_calls().iter().map(shown).collect::<Vec<_>>().join(", ");
        let outcome = |turn: &Turn| if turn.is_success() { "ok" } else { "failed" };
        let line = |turn: &Turn| format!("{} {}: {}", turn.number(), outcome(turn), calls(turn)).trim_end().to_owned();
        self.step.turns().iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn called(&self) -> String {
        self.called.join(", ")
    }
}

#[test]
fn what_a_failed_program_read_is_not_read_again() {
    let seen = check(&[
        "(def a (tool/look {:id 1})) (tool/look {:id 2}) (count 5)",
        "(return [(tool/look {:id 1}) (tool/look {:id 3})])",
    ]);
    assert_eq!(seen.called(), "look 1, look 2, look 3");
    assert_snapshot!(seen.turns(), @"
    1 failed: look 1 -> 0, look 2 -> 0
    2 ok: look 1 -> 0 (kept), look 3 -> 0
    ");
}

#[test]
fn a_branch_that_fails_costs_no_answers_of_the_others() {
    let program = |ids: &str| format!("(return (pmap (fn [n] (tool/look {{:id n}})) [{ids}]))");
    let seen = check(&[&program("1 2 13 4"), &program("1 2 3 4")]);
    assert_eq!(seen.called(), "look 1, look 2, look 13, look 4, look 3");
    assert_snapshot!(seen.turns(), @"
    1 failed: look 1 -> 0, look 2 -> 0, look 13 -> 429 slow down, look 4 -> 0
    2 ok: look 1 -> 0 (kept), look 2 -> 0 (kept), look 3 -> 0, look 4 -> 0 (kept)
    ");
}

#[test]
fn answers_stay_until_a_program_runs_well() {
    let programs = [
        "(tool/look {:id 1}) (count 5)",
        "(tool/nope {})",
        "no program",
        "(tool/look {:id 1}) (tool/look {:id 2}) (count 5)",
        "(tool/look {:id 2}) (tool/look {:id 1})",
        "(return (tool/look {:id 1}))",
    ];
    let seen = check(&programs);
    assert_eq!(seen.called(), "look 1, look 2, look 1", "after the fifth program nothing is kept");
    assert_snapshot!(seen.turns(), @"
    1 failed: look 1 -> 0
    2 failed:
    3 failed:
    4 failed: look 1 -> 0 (kept), look 2 -> 0
    5 ok: look 2 -> 0 (kept), look 1 -> 0 (kept)
    6 ok: look 1 -> 0
    ");
}

#[test]
fn a_refused_return_is_a_failed_turn() {
    let seen = run(
        |agent| agent.signature("() -> :string"),
        &["(return (tool/look {:id 1}))", "(return (str (tool/look {:id 1})))"],
        RunOptions::default(),
    );
    assert_eq!((ended(&seen.step).as_str(), seen.called().as_str()), (r#"return "0""#, "look 1"));
}

#[test]
fn writes_are_always_made() {
    let seen = check(&["(tool/pay {:id 1}) (count 5)", "(return (tool/pay {:id 1}))"]);
    assert_eq!(seen.called(), "pay 1, pay 1");
    assert_snapshot!(seen.turns(), @"
    1 failed: pay 1 -> 1
    2 ok: pay 1 -> 2
    ");
}

#[test]
fn after_a_write_the_world_is_looked_at_again() {
    let look = "(return (mapv (fn [n] (tool/look {:id n})) [1 2 3]))";
    let called = |first: &str| check(&[first, look]).called();
    assert_snapshot!(called("(tool/look {:id 1}) (tool/pay {:id 1}) (tool/look {:id 2}) (count 5)"), @"look 1, pay 1, look 2, look 1, look 3");
    assert_snapshot!(called("(tool/look {:id 1}) (tool/pay {:id 4})"), @"look 1, pay 4, look 2, look 3");
    assert_snapshot!(called("(tool/look {:id 1}) (tool/pay {:id 6})"), @"look 1, pay 6, look 1, look 2, look 3");
    // The order of concurrent calls is unknown.
    assert_snapshot!(called("(pmap (fn [n] (if (= n 2) (tool/pay {:id n}) (tool/look {:id n}))) [1 2 3]) (count 5)"), @"look 1, pay 2, look 3, look 1, look 2, look 3");
    // The next program is not better off.
    let seen = check(&["(tool/look {:id 1}) (count 5)", "(tool/pay {:id 1}) (return (tool/look {:id 1}))"]);
    assert_eq!((ended(&seen.step).as_str(), seen.called().as_str()), ("return 1", "look 1, pay 1, look 1"));
}

#[test]
fn a_loop_that_waits_gets_new_answers() {
    let wait = "(loop [n 0] (if (< (+ n (tool/look {:id n})) 2) (recur (inc n)) (return n)))";
    let again =
        "(loop [left 3 seen []] (if (pos? left) (recur (dec left) (conj seen (tool/look {:id 1}))) (return seen)))";
    assert_eq!(ended(&check(&["(tool/look {:id 0}) (count 5)", wait]).step), "return 2");
    let seen = check(&["(tool/look {:id 1}) (count 5)", again]);
    assert_snapshot!(seen.turns(), @"
    1 failed: look 1 -> 0
    2 ok: look 1 -> 0 (kept), look 1 -> 0, look 1 -> 0
    ");
}

#[test]
fn history_is_never_kept() {
    let turns = "(mapv :turn (tool/history {}))";
    let programs = [format!("{turns} (count 5)"), format!("(return {turns})")];
    let seen = run(|agent| agent.builtin_tools(["history"]), &[&programs[0], &programs[1]], RunOptions::default());
    assert_eq!(ended(&seen.step), "return [1]");
    let effects: Vec<_> =
        seen.step.turns().iter().flat_map(Turn::tool_calls).map(|call| (call.effect, call.from_failed_turn)).collect();
    assert_eq!(effects, [(Effect::Read, false); 2]);
}

/// Run with tools that need approval; also returns what was asked.
fn asked(programs: &[&str], decide: fn(&str) -> Decision) -> (Seen, String) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let notes = Arc::clone(&asked);
    let approver = move |waiting: &Approval| {
        let ids = waiting.ids();
        notes.lock().expect("a list").extend(ids.iter().cloned());
        ids.iter().map(|id| decide(id)).collect()
    };
    let change = |agent: AgentBuilder| {
        let secret = FnTool::new("secret", "Looks into a safe", |item: Item| Ok::<_, ToolError>(item.id * 10));
        agent.tool(secret.effect(Effect::Read).approve())
    };
    let seen = run(change, programs, RunOptions::new().approval(Arc::new(approver)));
    let asked = asked.lock().expect("a list").join(" ");
    (seen, asked)
}

#[test]
fn nobody_is_asked_about_a_kept_answer() {
    let program = |ids: &str, end: &str| format!("(def found (pmap (fn [n] (tool/secret {{:id n}})) [{ids}])) {end}");
    let programs = [program("1 2", "(count 5)"), program("2 1 3", "(return found)")];
    let programs = [programs[0].as_str(), programs[1].as_str()];
    let (seen, calls) = asked(&programs, |_| Decision::Approve);
    assert_eq!((ended(&seen.step).as_str(), calls.as_str()), ("return [20,10,30]", "r/1/1 r/1/2 r/2/3"));
    assert_snapshot!(seen.turns(), @"
    1 failed: secret 1 -> 10, secret 2 -> 20
    2 ok: secret 2 -> 20 (kept), secret 1 -> 10 (kept), secret 3 -> 30
    ");
    // A denial is not an answer, and an answer to other arguments is kept for those.
    let (seen, calls) = asked(&programs, |id| match id {
        "r/1/1" => Decision::deny("not now"),
        "r/1/2" => Decision::Edit(ptc_lisp::Value::from_json(json!({"id": 3}))),
        _ => Decision::Approve,
    });
    assert_eq!(calls, "r/1/1 r/1/2 r/2/1 r/2/2");
    assert_snapshot!(seen.turns(), @"
    1 failed: secret 1 -> it was not allowed: not now, secret 3 -> 30 (edited)
    2 ok: secret 2 -> 20, secret 1 -> 10, secret 3 -> 30 (kept)
    ");
}

#[test]
fn agents_that_only_look_are_not_run_again() {
    let clerk = |effect| {
        let world = Shared::default();
        let clerk =
            agent(&world, Effect::Read).signature("(id :int) -> :any").description("Asks").build().expect("an agent");
        let tool =
            clerk.as_tool(SubagentOptions { effect: Some(effect), ..SubagentOptions::named("clerk") }).expect("a tool");
        let lines = [
            ("", "(tool/clerk {:id 1}) (count 5)"),
            ("clerk", "(return (tool/pay {:id data/id}))"),
            ("", "(return (tool/clerk {:id 1}))"),
        ];
        let again = ("clerk", "(return (tool/pay {:id 7}))");
        let line = |(agent, program): &(&str, &str)| json!({"agent": Some(agent).filter(|agent| !agent.is_empty()), "content": program});
        let lines: Vec<String> = lines.iter().chain([&again]).map(|entry| line(entry).to_string()).collect();
        let llm = Arc::new(ReplayLlm::from_text("answers", &lines.join("\n")).expect("answers"));
        let seen = run(|agent| agent.tool(tool.clone()), &[], RunOptions::new().llm(llm));
        let called = world.lock().expect("a world").called.join(", ");
        (ended(&seen.step), called, seen.step.child_steps.len())
    };
    assert_eq!(clerk(Effect::Read), ("return 1".to_owned(), "pay 1".to_owned(), 1));
    assert_eq!(clerk(Effect::Write), ("return 2".to_owned(), "pay 1, pay 7".to_owned(), 2));
}

#[test]
fn an_agent_that_fails_after_a_write_may_have_taken_effect() {
    let perhaps = |program: &str| {
        let clerk = agent(&Shared::default(), Effect::Read)
            .max_turns(1)
            .signature("() -> :any")
            .description("Asks")
            .build()
            .expect("an agent");
        let tool = clerk.as_tool(SubagentOptions::named("clerk")).expect("a tool");
        let replies = ["(tool/clerk {})", program, "(return 1)"];
        let llm = Arc::new(ScriptedLlm::replies(replies));
        let seen = run(|agent| agent.tool(tool.clone()), &[], RunOptions::new().llm(llm));
        seen.step.turns()[0].tool_calls()[0].may_have_run
    };
    assert!(perhaps("(tool/pay {:id 1}) (count 5)"));
    assert!(perhaps("(tool/pay {:id 6})"));
    assert!(!perhaps("(tool/pay {:id 4})"));
    assert!(!perhaps("(tool/look {:id 1}) (count 5)"));
}

#[test]
fn observers_hear_of_calls_that_are_made() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let observer = move |event: &Event| {
        if let EventKind::ToolStart { tool_name, args } = &event.kind {
            ears.lock().expect("a list").push(format!("{tool_name} {}", args.to_json().expect("JSON")));
        }
    };
    let programs = ["(tool/look {:id 1}) (count 5)", "(return (+ (tool/look {:id 1}) (tool/look {:id 2})))"];
    let seen = run(|agent| agent, &programs, RunOptions::new().observers(vec![Arc::new(observer)]));
    assert_eq!(heard.lock().expect("a list").join(", "), r#"look {"id":1}, look {"id":2}"#);
    let journal = String::from_utf8(seen.journal).expect("text");
    assert_eq!((journal.matches("call.start").count(), journal.matches("call.end").count()), (2, 2));
}

#[test]
fn calls_in_text_mode_say_what_they_may_have_changed() {
    let uses = |name: &str, id: i64| ToolUse::new(format!("c{id}"), name, json!({"id": id}));
    let calls = Reply {
        tool_calls: vec![uses("look", 1), uses("pay", 6), uses("pay", 4), uses("nope", 1)],
        ..Reply::default()
    };
    let llm = Arc::new(ScriptedLlm::new(vec![Ok(calls), Ok("done".into())]));
    let seen = run(|agent| agent.output(OutputMode::Text), &[], RunOptions::new().llm(llm));
    assert_snapshot!(seen.turns(), @"
    1 ok: look 1 -> 0, pay 6 -> 504 gateway timeout (perhaps done), pay 4 -> no money, nope 1 -> there is no tool 'nope'; there are: look, pay
    2 ok:
    ");
    let effects: Vec<bool> = seen.step.turns()[0].tool_calls().iter().map(ToolRecord::took_effect).collect();
    assert_eq!(effects, [false, true, false, false]);
}

#[test]
fn calls_in_text_mode_say_that_their_tool_declares_to_write() {
    let calls = ["look", "pay"].map(|name| ToolUse::new(name, name, json!({"id": 1}))).to_vec();
    let llm = ScriptedLlm::new(vec![Ok(Reply { tool_calls: calls, ..Reply::default() }), Ok("done".into())]);
    let options = RunOptions::new().llm(Arc::new(llm));
    let seen = resumed_as(Effect::Write, |agent| agent.output(OutputMode::Text), &[], options, &[]);
    let declared: Vec<bool> = seen.step.turns()[0].tool_calls().iter().map(|call| call.declares_write).collect();
    assert_eq!(declared, [true, false]);
}

#[test]
fn a_look_whose_end_is_unknown_is_made_again() {
    let programs = ["(def a (tool/look {:id 1})) (tool/pay {:id 2})", "(return 1)"];
    let whole = check(&programs);
    let text = String::from_utf8_lossy(&whole.journal).into_owned();
    let until = |mark: &str| {
        let end = text.find(mark).and_then(|at| text[at..].find('\n').map(|line| at + line + 1)).expect("such a line");
        resumed(|agent| agent, &programs, RunOptions::default(), &text.as_bytes()[..end])
    };
    let again = until(r#""type":"call.start","id":"r/1/1""#);
    assert_eq!((again.called().as_str(), again.turns()), ("look 1, pay 2", whole.turns()));
    assert_snapshot!(until(r#""type":"call.start","id":"r/1/2""#).turns(), @"
    1 failed: look 1 -> 0, pay 2 -> outcome unknown after a crash: the call may have been made or not; find out before you repeat it (perhaps done)
    2 ok:
    ");
}

#[test]
fn a_journal_without_effects_keeps_nothing() {
    let programs = ["(tool/look {:id 1}) (count 5)", "(tool/look {:id 1})", "(return 1)"];
    let seen = resumed_as(Effect::Write, |agent| agent, &programs, RunOptions::default(), &[]);
    assert_eq!(seen.called(), "look 1, look 1");
    // As an older release would have written it: without effects.
    let older = String::from_utf8(seen.journal).expect("text").replace(r#","effect":"write""#, "");
    let third_turn = older.find(r#"{"type":"reply","turn":3"#).expect("a third turn");
    let again = resumed(|agent| agent, &programs, RunOptions::default(), &older.as_bytes()[..third_turn]);
    assert_eq!((ended(&again.step).as_str(), again.called().as_str()), ("return 1", ""));
    assert_snapshot!(again.turns(), @"
    1 failed: look 1 -> 0
    2 ok: look 1 -> 0
    3 ok:
    ");
}
