//! A trace in numbers.

use ptc_transcript::{Event, EventKind};
use serde_json::json;

use super::Analysis;
use crate::SpanStatus;
use crate::sample::{event, events, failed_step, traced};

fn analysis(events: &[Event]) -> Analysis {
    Analysis::of(&traced(events))
}

#[test]
fn numbers_and_tree() {
    insta::assert_snapshot!(analysis(&events()).format(), @r"
    Trace 1a2b3c4d1a2b3c4d1a2b3c4d1a2b3c4d: ok, 10 ms, the log has no end
      Runs:      1
      Turns:     1 (1 failed)
      LLM calls: 1 (0 failed), 1 ms, at most 1 ms
      Tokens:    812 in, 20 out, 700 of the input cached
      Tool quote-room: 2 (1 failed), 4 ms, at most 3 ms

    Slowest:
      3 ms  quote-room (at 5 ms)
      1 ms  LLM call (at 3 ms)
      1 ms  quote-room (at 6 ms)

    └─ [9ms] [ok] run of booker
      └─ [7ms] [error] Turn 1: tool 'quote-room' failed: there is no room 99
        └─ [1ms] [ok] LLM call
        └─ [3ms] [ok] quote-room
        └─ [1ms] [error] quote-room: there is no room 99
    ");
}

#[test]
fn the_same_for_machines() {
    let json = serde_json::to_value(analysis(&events())).unwrap();
    assert_eq!(json["tokens"], json!({"replies": 1, "input": 812, "output": 20, "cached": 700}));
    assert_eq!(
        json["tools"],
        json!([{"name": "quote-room", "calls": 2, "errors": 1, "open": 0, "total_ms": 4.0, "max_ms": 3.0}])
    );
    assert_eq!(json["errors"][0]["label"], "Turn 1");
    assert_eq!(json["errors"][1]["message"], "there is no room 99");
    assert_eq!(json["slowest"][0]["span_id"], "00000004");
    assert_eq!(json["spans"][4]["parent"], 1);
    assert_eq!((&json["status"], &json["failed_turns"]), (&json!("ok"), &json!(1)));
}

#[test]
fn the_worst_run_decides() {
    let failed = [
        events().remove(0),
        event(1, 0, EventKind::RunStop { duration: Default::default(), step: failed_step().into() }),
    ];
    assert_eq!(analysis(&failed).status, SpanStatus::Error);
    assert_eq!(analysis(&failed).errors[0].message, "limit of 3 turns reached");
    assert_eq!(analysis(&failed[..1]).status, SpanStatus::Open);
    assert_eq!(analysis(&[]).status, SpanStatus::Open);
    let three: Vec<Event> = failed.into_iter().chain(events()).collect();
    assert_eq!((analysis(&three).status, analysis(&three).runs), (SpanStatus::Error, 2));
}

#[test]
fn events_that_were_not_written_are_counted() {
    let mut trace = traced(&events());
    trace.stop = Some(crate::TraceStop {
        event: "trace.stop".into(),
        trace_id: trace.start.trace_id.clone(),
        timestamp: trace.start.timestamp.clone(),
        duration_ms: 10.0,
        lost: 3,
    });
    let text = Analysis::of(&trace).format();
    assert_eq!(
        text.lines().next(),
        Some("Trace 1a2b3c4d1a2b3c4d1a2b3c4d1a2b3c4d: ok, 10 ms, 3 events could not be written")
    );
}
