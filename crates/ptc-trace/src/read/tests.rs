//! Texts that are not logs get a reason; filters and timelines.

use super::{EntryFilter, Trace};
use crate::sample::{events, log_of, options, traced};

fn problem(text: &str) -> String {
    Trace::parse(text.as_bytes()).unwrap_err().to_string()
}

fn log() -> String {
    String::from_utf8(log_of(&events(), options())).unwrap()
}

#[test]
fn what_is_no_log_says_why() {
    insta::assert_snapshot!(problem(""), @"this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it (it is empty)");
    insta::assert_snapshot!(problem("{\"ending\": \"return\"}\n"), @"this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it (missing field `event` at line 1 column 20)");
    insta::assert_snapshot!(problem("{\"event\": \"llm.stop\"}\n"), @"this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it (found the event `llm.stop`)");
    insta::assert_snapshot!(problem(&log().replacen("\"version\":1", "\"version\":9", 1)), @"this trace log has version 9, this release reads up to 1: use a newer release");
    insta::assert_snapshot!(problem(&log().replacen("{\"event\":\"turn.start\"", "{\"event\" \"turn.start\"", 1)), @"line 3 of the trace log is not an event: expected `:` at line 1 column 10; remove the line to read the rest");
    let missing = Trace::read(std::path::Path::new("nowhere.jsonl")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read nowhere.jsonl: "), "{missing}");
    assert!(!Trace::is_log(b"{\"ending\": \"return\"}"));
    assert!(Trace::is_log(log().as_bytes()));
}

#[test]
fn blank_lines_and_events_of_later_releases_are_no_problem() {
    let later = "{\"event\":\"plan.start\",\"trace_id\":\"x\",\"timestamp\":\"2026-01-02T03:04:05Z\",\"at_ms\":1,\"weather\":\"fine\"}";
    let text = log().replacen('\n', &format!("\n\n{later}\n"), 1);
    let trace = Trace::parse(text.as_bytes()).unwrap();
    assert_eq!((trace.entries.len(), trace.entries[0].topic()), (11, "plan"));
}

#[test]
fn filters_and_the_timeline() {
    let trace = traced(&events());
    let count = |filter| trace.filter(filter).count();
    assert_eq!(count(EntryFilter { prefix: Some("tool."), ..EntryFilter::default() }), 4);
    assert_eq!(count(EntryFilter { span: Some("00000005"), ..EntryFilter::default() }), 2);
    assert_eq!(count(EntryFilter { min_ms: Some(3.0), ..EntryFilter::default() }), 3);
    insta::assert_snapshot!(trace.timeline(), @r"
    [1ms] run.start
    [2ms] turn.start
    [3ms] llm.start
    [4ms] llm.stop (1ms)
    [5ms] tool.start quote-room
    [6ms] tool.start quote-room
    [7ms] tool.exception quote-room (1ms)
    [8ms] tool.stop quote-room (3ms)
    [9ms] turn.stop (7ms)
    [10ms] run.stop (9ms)
    ");
}
