use std::sync::Mutex;
use std::time::Duration;

use ptc_lisp::text::{FormatOptions, format};
use ptc_transcript::{Event, EventKind};
use serde_json::json;

use super::*;
use crate::Context;
use crate::agent::SubagentOptions;
use crate::testing::{Item, scripted};
use crate::{FnTool, ToolError};

fn agent() -> Agent {
    let double = FnTool::new("double", "Twice the id", |item: Item| match item.id {
        0 => Err(ToolError::new("nothing to double")),
        id => Ok(id * 2),
    });
    let hang = FnTool::new("hang", "Never answers", |_: Item| async {
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        Ok::<_, ToolError>(1)
    });
    let pay = FnTool::new("pay", "Pays", |item: Item| Ok::<_, ToolError>(item.id)).approve();
    Agent::builder("Look around.").tool(double).tool(hang).tool(pay).build().unwrap()
}

/// The values or errors of programs of one session, with what they printed.
async fn all(options: RunOptions, programs: &[&str]) -> Vec<String> {
    let context = Context::new(json!({"n": 21})).unwrap();
    let mut session = ProgramSession::new(&agent(), context, options).unwrap();
    let mut shown = Vec::new();
    for program in programs {
        let cancel = CancellationToken::new();
        let mut text = String::new();
        let outcome = session.run(program, &cancel, &mut |line| text.push_str(&format!("{line}|"))).await;
        assert_eq!(text.matches('|').count(), outcome.prints.len());
        match &outcome.ending {
            Ending::Value(value) | Ending::Return(value) => text.push_str(&format(value, &FormatOptions::full()).text),
            Ending::Fail(value) => text.push_str(&format!("fail {}", format(value, &FormatOptions::full()).text)),
            _ => text.push_str(&problems_text(outcome.problems())),
        }
        shown.push(text);
    }
    shown
}

fn asks(decision: fn(usize) -> Decision) -> RunOptions {
    RunOptions::new()
        .approval(Arc::new(move |waiting: &Approval| (0..waiting.ids().len()).map(decision).collect::<Vec<_>>()))
}

#[tokio::test(start_paused = true)]
async fn definitions_stay_and_failures_undo_theirs() {
    let shown = all(
        asks(|_| Decision::Approve),
        &[
            "(def d (tool/double {:id data/n}))",
            "(println \"a\") (def d 0) (tool/double {:id 0})",
            "(:reason data/fail)",
            "[d *2 data/fail]",
            "(pmap (fn [id] (println id) (tool/double {:id id})) [1 2])",
            "(fail :no)",
        ],
    )
    .await;
    insta::assert_snapshot!(shown.join("\n"), @r"
    #'d
    a|tool 'double' failed: nothing to double at line 1, column 25
    :tool_error
    [42 #'d nil]
    1|2|[2 4]
    fail :no
    ");
}

#[tokio::test(start_paused = true)]
async fn calls_that_are_marked_are_asked_about() {
    let decision = |at: usize| match at {
        0 => Decision::Approve,
        1 => Decision::deny("not today"),
        2 => Decision::Edit(Value::map_from([(Value::string("id"), Value::Int(7))])),
        _ => Decision::Edit(Value::Nil),
    };
    let program = "(pmap (fn [id] (try (tool/pay {:id id}) (catch Exception e (ex-message e)))) [1 2 3 4])";
    let shown = all(asks(decision), &[program]).await;
    insta::assert_snapshot!(shown.join("\n"), @r#"[1 "tool 'pay' failed: it was not allowed: not today" 7 "tool 'pay' failed: it was not allowed: as edited, arguments must be a map of names, got nil"]"#);
}

#[tokio::test(start_paused = true)]
async fn a_program_is_interrupted_wherever_it_is() {
    let started = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&started);
    let observer = move |event: &Event| {
        if let EventKind::ToolStart { tool_name, .. } = &event.kind {
            lock(&seen).push(tool_name.to_string());
        }
    };
    let options = asks(|_| Decision::Approve).slice(Some(1_000));
    let options = RunOptions { observers: vec![Arc::new(observer)], ..options };
    let mut session = ProgramSession::new(&agent(), Context::default(), options).unwrap();
    session.run("(def kept 1)", &CancellationToken::new(), &mut |_| {}).await;
    for program in ["(def kept 2) (loop [] (recur))", "(def kept 3) (tool/hang {:id 1})"] {
        let cancel = CancellationToken::new();
        let stop = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stop.cancel();
        });
        let unbounded = Limits { fuel: u64::MAX >> 2, time: Duration::from_secs(3_600), ..session.limits().clone() };
        session.set_limits(unbounded);
        if program.contains("loop") {
            // The clock of the test stands still while the program works.
            cancel.cancel();
        }
        let outcome = session.run(program, &cancel, &mut |_| {}).await;
        assert_eq!(problems_text(outcome.problems()), "the run was cancelled");
        assert!(outcome.tool_calls.iter().all(|call| call.may_have_run));
    }
    let outcome = session.run("kept", &CancellationToken::new(), &mut |_| {}).await;
    assert!(matches!(outcome.value(), Some(Value::Int(1))));
    assert_eq!(*lock(&started), ["hang"]);
}

/// Agents are asked with the model of the options, each program has the whole budget, and there are no turns to recall.
#[tokio::test(start_paused = true)]
async fn agents_are_called_within_the_budget_of_a_program() {
    let clerk = Agent::builder("Double {{n}}").signature("(n :int) -> :int").max_turns(1).build().unwrap();
    let clerk = clerk
        .as_tool(SubagentOptions { description: Some("Doubles".to_owned()), ..SubagentOptions::named("clerk") })
        .unwrap();
    let boss = Agent::builder("Look around.")
        .tool(clerk)
        .builtin_tools(["history"])
        .turn_budget(2)
        .shared_turn_budget(true)
        .build()
        .unwrap();
    let (options, llm) = scripted(&["(return (* 2 data/n))"; 9]);
    let mut session = ProgramSession::new(&boss, Context::default(), options).unwrap();
    let mut values = Vec::new();
    for program in [
        "(map (fn [n] (tool/clerk {:n n})) [1 2])",
        "[(tool/clerk {:n 3}) (tool/history {})]",
        "(mapv (fn [n] (tool/clerk {:n n})) (range 9))",
    ] {
        let outcome = session.run(program, &CancellationToken::new(), &mut |_| {}).await;
        values.push(
            outcome
                .value()
                .map_or_else(|| problems_text(outcome.problems()), |value| format(value, &FormatOptions::full()).text),
        );
    }
    insta::assert_snapshot!(values.join("\n"), @"
    [2 4]
    [6 []]
    tool 'clerk' failed: turn_budget_exhausted: the turn budget is used up at line 1, column 15
    ");
    assert_eq!(llm.requests().len(), 2 + 1 + 2);
}

#[test]
fn nobody_begins_where_nobody_can_be_asked() {
    let refused = ProgramSession::new(&agent(), Context::default(), RunOptions::new());
    assert!(matches!(refused, Err(AgentError::ApproverRequired(_))));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_holds_an_atom_is_not_what_data_fail_returns() {
    let shown = all(
        asks(|_| Decision::Approve),
        &[
            "(fail (fn [] 1))",
            "((:value {:value data/fail}))",
            "(fail (let [a (atom 1)] (fn [] @a)))",
            "(def other (atom :wrong)) data/fail",
        ],
    )
    .await;
    insta::assert_snapshot!(shown.join("\n"), @r#"
    fail #fn[]
    1
    fail #fn[]
    {:reason :foreign_value :message "data/fail holds an atom, a delay or a lazy sequence, whose content is in its session: bring what is in it, or define it in a program"}
    "#);
}
