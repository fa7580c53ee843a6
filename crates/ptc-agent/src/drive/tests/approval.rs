//! Who is asked, about what, and what follows.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::{OutputMode, Reply, ScriptedLlm, ToolUse};
use ptc_lisp::{BoxFuture, Value};
use ptc_transcript::{Event, EventKind, FailReason, Step};
use serde_json::json;

use crate::testing::{Item, scripted};
use crate::{
    Agent, AgentBuilder, AgentError, Approval, ApprovalScope, Approver, Context, Decision, FnTool, RunOptions,
    ToolError,
};

/// `pay` needs approval and returns ten times the id; `look` needs none.
fn agent() -> AgentBuilder {
    let pay = |item: Item| Ok::<_, ToolError>(item.id * 10);
    let look = |item: Item| Ok::<_, ToolError>(item.id);
    Agent::builder("Pay").tool(FnTool::new("pay", "Pays", pay).approve()).tool(FnTool::new("look", "Looks", look))
}

/// What was waiting, as text.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    fn note(&self, waiting: &Approval) {
        let text = match waiting {
            Approval::Calls(calls) => {
                let shown = calls
                    .iter()
                    .map(|call| format!("{} {} {}", call.id, call.call.name, call.call.args.to_json().expect("JSON")));
                shown.collect::<Vec<_>>().join(", ")
            }
            Approval::Program(program) => format!("{}: {}", program.id, program.source),
        };
        self.0.lock().expect("a list").push(text);
    }

    fn text(&self) -> String {
        self.0.lock().expect("a list").join("\n")
    }
}

/// Run programs with an approver that decides by id; returns the step and what was asked.
fn check(
    scope: ApprovalScope,
    programs: &[&str],
    decide: impl Fn(&str) -> Decision + Send + Sync + 'static,
) -> (Step, String) {
    let asked = Asked::default();
    let notes = asked.clone();
    let approver = move |waiting: &Approval| {
        notes.note(waiting);
        waiting.ids().iter().map(|id| decide(id)).collect()
    };
    let options = RunOptions::new().run_id("r").approval(Arc::new(approver)).approval_scope(scope);
    (run(agent(), programs, options).expect("a run"), asked.text())
}

fn run(agent: AgentBuilder, programs: &[&str], options: RunOptions) -> Result<Step, AgentError> {
    let options = options.llm(scripted(programs).1);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(agent.build()?.run_with(Context::default(), options))
}

/// `pay {args} -> result` per call of the last program.
fn calls(step: &Step) -> String {
    let shown = step.tool_calls.iter().map(|call| {
        let json = |value: &Value| value.to_json().expect("JSON").to_string();
        let result = call.error.clone().unwrap_or_else(|| json(&call.result));
        format!("{} {} -> {result}{}", call.name, json(&call.args), if call.edited { " edited" } else { "" })
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn message(step: &Step, turn: usize) -> String {
    step.turns()[turn - 1].error_message().expect("an error")
}

#[test]
fn marked_calls_of_a_batch_are_asked_about_together() {
    let program = "(return (pmap (fn [n] (+ (tool/look {:id n}) (tool/pay {:id n}))) [1 2 3]))";
    let (step, asked) = check(ApprovalScope::Calls, &[program], |_| Decision::Approve);
    assert_eq!(step.value::<Vec<i64>>().expect("numbers"), [11, 22, 33]);
    assert_snapshot!(asked, @r#"r/1/4 pay {"id":1}, r/1/5 pay {"id":2}, r/1/6 pay {"id":3}"#);
}

#[test]
fn denied_calls_fail_and_the_others_are_made() {
    let program = "(return (pmap (fn [n] (try (tool/pay {:id n}) (catch Exception e (ex-message e)))) [1 2 3]))";
    let decide = |id: &str| match id {
        "r/1/1" => Decision::deny("too much"),
        "r/1/2" => Decision::deny(" "),
        _ => Decision::Approve,
    };
    let (step, _) = check(ApprovalScope::Calls, &[program], decide);
    assert_snapshot!(calls(&step), @r#"
    pay {"id":1} -> it was not allowed: too much
    pay {"id":2} -> it was not allowed
    pay {"id":3} -> 30
    "#);
    let (step, asked) = check(ApprovalScope::Calls, &["(tool/pay {:id 1})", "(return 1)"], |_| Decision::deny("no"));
    assert_eq!(
        (step.turns()[0].error_reason(), asked.as_str()),
        (Some(FailReason::ToolError), r#"r/1/1 pay {"id":1}"#)
    );
    assert_snapshot!(message(&step, 1), @"tool 'pay' failed: it was not allowed: no at line 1, column 1");
}

#[test]
fn edited_arguments_are_checked_and_marked() {
    let edit = |args: serde_json::Value| {
        let decide = move |_: &str| Decision::Edit(Value::from_json(args.clone()));
        check(ApprovalScope::Calls, &["(return (tool/pay {:id 900}))", "(return 0)"], decide).0
    };
    let step = edit(json!({"id": "7"}));
    assert_eq!(step.value::<i64>().expect("a number"), 70);
    assert_snapshot!(calls(&step), @r#"pay {"id":7} -> 70 edited"#);
    assert!(step.turns()[0].tool_calls()[0].edited);
    assert_snapshot!(message(&edit(json!({"id": "x"})), 1), @r#"tool 'pay' failed: it was not allowed: as edited, tool/pay [id]: cannot coerce string "x" to integer; it takes (id :int), e.g. (tool/pay {:id ...}) at line 1, column 9"#);
    assert_snapshot!(message(&edit(json!({"di": 1})), 1), @r#"tool 'pay' failed: it was not allowed: as edited, tool/pay missing required field "id"; it takes (id :int), e.g. (tool/pay {:id ...}) at line 1, column 9"#);
    assert_snapshot!(message(&edit(json!([1])), 1), @"tool 'pay' failed: it was not allowed: as edited, arguments must be a map of names, got vector at line 1, column 9");
}

#[test]
fn programs_are_asked_about_as_a_whole() {
    let decide = |id: &str| match id {
        "1" => Decision::deny("only read"),
        "2" => Decision::Edit(Value::string("(def n (tool/pay {:id 2}))")),
        "3" => Decision::Edit(Value::Int(3)),
        _ => Decision::Approve,
    };
    let programs =
        ["(tool/pay {:id 1})", "(def n (tool/pay {:id 9}))", "(return 1)", "(return [n (:reason data/fail)])"];
    let (step, asked) = check(ApprovalScope::Programs, &programs, decide);
    assert_snapshot!(asked, @r"
    1: (tool/pay {:id 1})
    2: (def n (tool/pay {:id 9}))
    3: (return 1)
    4: (return [n (:reason data/fail)])
    ");
    assert_snapshot!(ptc_transcript::json_of(step.return_value().expect("a value"), ptc_transcript::ValueForm::Plain), @r#"[20,"program_denied"]"#);
    assert_snapshot!(message(&step, 1), @"the program was not allowed to run: only read");
    assert_snapshot!(message(&step, 3), @"the program was not allowed to run: its replacement must be text, got a number");
    assert_eq!(step.turns()[1].program(), Some("(def n (tool/pay {:id 2}))"));
    assert_eq!(step.turns()[1].raw_response(), programs[1]);
    assert!(step.turns()[0].tool_calls().is_empty());
}

#[test]
fn nothing_starts_when_nobody_can_be_asked() {
    let error = |options| run(agent(), &["(return 1)"], options).expect_err("nobody").to_string();
    assert_snapshot!(error(RunOptions::default()), @"calls of 'pay' need approval, but there is no approver: set `RunOptions::approval`");
    assert_snapshot!(error(RunOptions::new().approval_scope(ApprovalScope::Programs)), @"programs need approval, but there is no approver: set `RunOptions::approval`");
    assert!(agent().build().expect("an agent").preview_prompt(()).is_ok());
}

/// Run an agent that answers with text, whose model asks for `pay` with these ids at once; returns the step and what
/// was asked.
fn check_text(ids: &[i64], options: RunOptions) -> Step {
    let uses = ids.iter().map(|id| ToolUse::new(format!("c{id}"), "pay", json!({"id": id})));
    let replies = [Reply { tool_calls: uses.collect(), ..Reply::default() }, "Done.".into()];
    let llm = Arc::new(ScriptedLlm::new(replies.map(Ok)));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let agent = agent().output(OutputMode::Text).build().expect("an agent");
    runtime.block_on(agent.run_with(Context::default(), options.llm(llm))).expect("a run")
}

#[test]
fn calls_without_a_program_are_asked_about_too() {
    let asked = Asked::default();
    let notes = asked.clone();
    let approver = move |waiting: &Approval| {
        notes.note(waiting);
        let edit = |id| Decision::Edit(Value::from_json(json!({"id": id})));
        vec![Decision::Approve, Decision::deny("no"), edit(json!("30")), edit(json!("x"))]
    };
    let step = check_text(&[1, 2, 3, 4], RunOptions::new().run_id("r").approval(Arc::new(approver)));
    assert_eq!(step.value::<String>().expect("a text"), "Done.");
    assert_snapshot!(asked.text(), @r#"r/1/1 pay {"id":1}, r/1/2 pay {"id":2}, r/1/3 pay {"id":3}, r/1/4 pay {"id":4}"#);
    let records = step.turns()[0].tool_calls().iter().map(|call| {
        let result = call.error.clone().unwrap_or_else(|| call.result.to_json().expect("JSON").to_string());
        format!("{} -> {result}{}", call.args.to_json().expect("JSON"), if call.edited { " edited" } else { "" })
    });
    assert_snapshot!(records.collect::<Vec<_>>().join("\n"), @r#"
    {"id":1} -> 10
    {"id":2} -> it was not allowed: no
    {"id":30} -> 300 edited
    {"id":4} -> it was not allowed: as edited, the arguments do not fit: [id]: cannot coerce string "x" to integer
    "#);
}

#[test]
fn calls_without_a_program_are_recorded_when_the_run_is_stopped() {
    let stop = |cancel: &crate::CancellationToken, now: bool| {
        let token = cancel.clone();
        let approver = move |waiting: &Approval| {
            if now {
                token.cancel();
            }
            vec![Decision::Approve; waiting.ids().len()]
        };
        RunOptions::new().approval(Arc::new(approver)).cancel(cancel.clone())
    };
    let step = check_text(&[1], stop(&crate::CancellationToken::new(), true));
    assert_snapshot!(step.fail().expect("a failure"), @"cancelled: the run was cancelled");
    assert_eq!(step.turns()[0].error_reason(), Some(FailReason::Cancelled));
    assert_snapshot!(step.tool_calls[0].error.as_deref().unwrap_or_default(), @"the run was cancelled before it answered");
    let step = check_text(&[1], stop(&crate::CancellationToken::new(), false));
    assert!(step.is_ok());
}

/// Answers after an hour, or breaks.
struct Slow(bool);

impl Approver for Slow {
    fn decide<'a>(&'a self, _: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async {
            assert!(self.0, "no idea");
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            vec![Decision::Approve]
        })
    }
}

#[test]
fn waiting_is_free_within_the_deadline() {
    let with = |slow: bool| RunOptions::new().approval(Arc::new(Slow(slow)));
    let step = run(agent(), &["(return (tool/pay {:id 1}))"], with(true)).expect("a run");
    assert_eq!((step.value::<i64>().expect("a number"), step.usage.duration_ms), (10, 3_600_000));
    let hurried = agent().mission_timeout(Duration::from_secs(60));
    let step = run(hurried, &["(return (tool/pay {:id 1}))"], with(true)).expect("a run");
    assert_eq!(step.usage.duration_ms, 60_000);
    assert_snapshot!(step.fail().expect("a failure"), @"mission_timeout: the mission deadline has passed");
    assert_snapshot!(message(&step, 1), @"tool 'pay' failed: it was not allowed: the mission deadline has passed at line 1, column 9");
    let step = run(agent(), &["(return (tool/pay {:id 1}))", "(return 2)"], with(false)).expect("a run");
    assert_snapshot!(message(&step, 1), @"tool 'pay' failed: it was not allowed: the approver panicked: no idea at line 1, column 9");
}

#[test]
fn observers_hear_the_decisions() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = Arc::clone(&heard);
    let observer = move |event: &Event| {
        let text = match &event.kind {
            EventKind::ApprovalStart { ids, tools } => format!("{} of {}", ids.join(" "), tools.join(" ")),
            EventKind::ApprovalStop { decisions, .. } => decisions
                .iter()
                .map(|(id, decision)| format!("{id} {}", decision.as_str()))
                .collect::<Vec<_>>()
                .join(", "),
            EventKind::ToolStart { tool_name, .. } => tool_name.to_string(),
            _ => return,
        };
        ears.lock().expect("a list").push(format!("{}: {text}", event.kind.name()));
    };
    let approver = |waiting: &Approval| waiting.ids().iter().skip(1).map(|_| Decision::Approve).collect::<Vec<_>>();
    let options = RunOptions::new().run_id("r").observers(vec![Arc::new(observer)]).approval(Arc::new(approver));
    run(agent(), &["(pmap (fn [n] (tool/pay {:id n})) [1 2])", "(return 1)"], options).expect("a run");
    assert_snapshot!(heard.lock().expect("a list").join("\n"), @r"
    approval.start: r/1/1 r/1/2 of pay pay
    approval.stop: r/1/1 approve, r/1/2 deny
    tool.start: pay
    ");
}

proptest! {
    /// Exactly the allowed calls reach the tool, with the arguments that were allowed, and answers stay in their
    /// places.
    #[test]
    fn only_what_is_allowed_is_called(plan in prop::collection::vec(0_u8..4, 1..12)) {
        let decisions: Vec<Decision> = plan.iter().enumerate().map(|(index, kind)| match kind {
            0 => Decision::Approve,
            1 => Decision::deny("no"),
            2 => Decision::Edit(Value::from_json(json!({"id": 100 + index}))),
            _ => Decision::Edit(Value::Nil),
        }).collect();
        let wanted: Vec<i64> = plan.iter().zip(0..).map(|(kind, index)| match kind {
            0 => index * 10,
            2 => (100 + index) * 10,
            _ => -1,
        }).collect();
        let reached: Arc<Mutex<Vec<i64>>> = Arc::default();
        let pay = |reached: Arc<Mutex<Vec<i64>>>, item: Item| {
            reached.lock().expect("a list").push(item.id * 10);
            Ok::<_, ToolError>(item.id * 10)
        };
        let agent = Agent::builder("Pay").tool(FnTool::with_state("pay", "Pays", reached.clone(), pay).approve());
        let program = format!("(return (pmap (fn [n] (try (tool/pay {{:id n}}) (catch Exception e -1))) (range {})))", plan.len());
        let options = RunOptions::new().run_id("r").approval(Arc::new(move |_: &Approval| decisions.clone()));
        let step = run(agent, &[&program], options).expect("a run");
        prop_assert_eq!(step.value::<Vec<i64>>().expect("numbers"), wanted.clone());
        let mut reached = reached.lock().expect("a list").clone();
        reached.sort_unstable();
        let mut allowed: Vec<i64> = wanted.into_iter().filter(|n| *n >= 0).collect();
        allowed.sort_unstable();
        prop_assert_eq!(reached, allowed);
    }
}
