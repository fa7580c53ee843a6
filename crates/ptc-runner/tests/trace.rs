//! What the traces of real runs say.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails where it stands")]

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use ptc_runner::agent::{Backoff, LlmRetry, blocking};
use ptc_runner::chat::{LlmError, Reply, ScriptedLlm};
use ptc_runner::debug::{self, DebugOptions, View};
use ptc_runner::prelude::*;
use ptc_runner::trace::{Analysis, Entry, SpanStatus, SpanTree, Trace, TraceLimits};
use ptc_runner::transcript::JournalWriter;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Item {
    id: i64,
}

fn look_up(item: Item) -> Result<i64, ToolError> {
    match item.id {
        7 => Err(ToolError::new("there is no 7")),
        8 => panic!("eight"),
        id => Ok(id * 2),
    }
}

fn run(answers: Vec<Result<Reply, LlmError>>) -> (Step, Trace) {
    let record = Arc::new(JournalWriter::new(Vec::new()));
    let retry =
        LlmRetry { max_attempts: 2, backoff: Backoff::Constant, base_delay: Duration::ZERO, ..LlmRetry::default() };
    let agent = Agent::builder("Look {{what}} up")
        .tool(FnTool::new("look-up", "Doubles", look_up))
        .max_turns(4)
        .llm_retry(retry);
    let agent = agent.compression(true).build().unwrap();
    let options = RunOptions::new()
        .llm(Arc::new(ScriptedLlm::new(answers)))
        .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&record));
    let context = Context::new(json!({"what": "all", "_token": "very secret"})).unwrap();
    let step = blocking::run_with(&agent, context, options).unwrap();
    let record = Arc::into_inner(record).unwrap().into_writer();
    (step, Trace::of_record(&record, TraceLimits::default()).unwrap())
}

fn any_answer() -> impl Strategy<Value = Result<Reply, LlmError>> {
    prop_oneof![
        Just("(def a 1)".to_owned()),
        Just("no program".to_owned()),
        Just("(undefined 1)".to_owned()),
        Just("(return 4)".to_owned()),
        (1..9_u8).prop_map(|ids| format!("(def b (map (fn [id] (tool/look-up {{:id id}})) (range {ids})))")),
        (1..9_u8).prop_map(|ids| format!("(def c (pmap (fn [id] (tool/look-up {{:id id}})) (range {ids})))")),
        Just("error".to_owned()),
    ]
    .prop_map(|text| match text.as_str() {
        "error" => Err(LlmError::from_status(500, "down")),
        text => Ok(Reply::from(text)),
    })
}

fn id(entry: &Entry) -> &str {
    &entry.span_id
}

fn parent(entry: &Entry) -> Option<&str> {
    entry.parent_span_id.as_deref()
}

/// Takes a run apart: anything left over is in the wrong place.
fn check_order(entries: &[Entry]) {
    let [start, inner @ .., stop] = entries else { panic!("a run has a start and a stop") };
    assert_eq!((&*start.event, parent(start), &*stop.event, id(stop)), ("run.start", None, "run.stop", id(start)));
    let mut rest = inner;
    while let [turn, behind @ ..] = rest {
        assert_eq!((&*turn.event, parent(turn)), ("turn.start", Some(id(start))));
        let end = behind.iter().position(|entry| entry.topic() == "turn").unwrap();
        assert_eq!((&*behind[end].event, id(&behind[end])), ("turn.stop", id(turn)));
        check_turn(turn, &behind[..end]);
        rest = &behind[end + 1..];
    }
}

fn check_turn(turn: &Entry, inner: &[Entry]) {
    assert!(inner.iter().all(|entry| parent(entry) == Some(id(turn))));
    let asked = inner.iter().take_while(|entry| entry.topic() == "llm").count();
    let (requests, calls) = inner.split_at(asked);
    assert!(!requests.is_empty());
    for pair in requests.chunks(2) {
        assert_eq!((&*pair[0].event, &*pair[1].event, id(&pair[0])), ("llm.start", "llm.stop", id(&pair[1])));
    }
    for (place, call) in calls.iter().enumerate() {
        let same: Vec<&str> = calls.iter().filter(|other| id(other) == id(call)).map(|entry| &*entry.event).collect();
        assert!(same == ["tool.start", "tool.stop"] || same == ["tool.start", "tool.exception"], "{same:?}");
        assert!(place > 0 || call.event == "tool.start");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn spans_of_a_run_are_in_order(answers in prop::collection::vec(any_answer(), 0..8)) {
        let (step, trace) = run(answers);
        check_order(&trace.entries);
        let analysis = Analysis::of(&trace);
        prop_assert_eq!(analysis.status == SpanStatus::Ok, step.is_ok());
        prop_assert_eq!(analysis.llm.calls as u64, step.usage.llm_requests.unwrap_or(0));
        let calls: usize = step.turns().iter().map(|turn| turn.tool_calls().len()).sum();
        prop_assert_eq!(analysis.tools.iter().map(|tool| tool.calls).sum::<usize>(), calls);
        prop_assert!(SpanTree::of(&trace).spans.iter().all(|span| span.status != SpanStatus::Open));
        for view in [View::Turns, View::Compressed] {
            let text = debug::format_trace(&step, DebugOptions { view, raw: true, usage: true });
            prop_assert!(!text.contains("very secret"));
        }
    }
}

#[test]
fn a_tool_that_panics_is_in_the_trace() {
    let (step, trace) = run(vec![Ok("(tool/look-up {:id 8})".into()), Ok("(return 1)".into())]);
    assert!(step.is_ok());
    let failed = trace.entries.iter().find(|entry| entry.event == "tool.exception").unwrap();
    assert!(failed.text("reason").unwrap().contains("eight"), "{failed:?}");
    assert!(!trace.to_lines().unwrap().contains("very secret"));
}
