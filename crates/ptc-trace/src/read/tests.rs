//! Lines are read as they were written, whatever happened to them; texts that are not logs get a reason.

use proptest::prelude::*;

use super::Trace;
use crate::sample::{any_events, events, lines_of, traced};

fn problem(text: &str) -> String {
    Trace::parse(text.as_bytes()).unwrap_err().to_string()
}

proptest! {
    #[test]
    fn lines_are_read_as_they_were_written(events in any_events()) {
        let read = Trace::parse(lines_of(&events).as_bytes()).unwrap();
        prop_assert_eq!(&read.entries, &traced(&events).entries);
        prop_assert!(read.stop.is_some() && !read.torn);
        for (entry, event) in read.entries.iter().zip(&events) {
            prop_assert_eq!(&entry.event, event.kind.name());
            prop_assert_eq!(&entry.span_id, &event.span.to_string());
            prop_assert_eq!(&entry.parent_span_id, &event.parent.map(|parent| parent.to_string()));
        }
    }

    /// What a writer left behind that was killed, or whose disk was full for a while: then other lines follow.
    #[test]
    fn a_line_that_is_torn_costs_no_other(events in any_events(), cut in 0.0..1.0_f64, is_killed in any::<bool>()) {
        let log = lines_of(&events).into_bytes();
        let whole = Trace::parse(&log).unwrap();
        let start = log.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let length = start + ((log.len() - start) as f64 * cut) as usize;
        let line_end = length + log[length..].iter().position(|byte| *byte == b'\n').unwrap_or(0);
        let before = log[start..length].iter().filter(|byte| **byte == b'\n').count();
        // The line break may be all that is missing: then the line is read, too.
        let is_between = log[..length].ends_with(b"\n");
        let is_whole = !is_between && log[length..].starts_with(b"\n");
        let rest = if is_killed { &[] } else { &log[line_end..] };
        let read = Trace::parse(&[&log[..length], rest].concat()).unwrap();
        prop_assert_eq!(read.torn, !is_whole && !is_between);
        let kept = (before + usize::from(is_whole)).min(events.len());
        prop_assert_eq!(&read.entries[..kept], &whole.entries[..kept]);
        let after = if is_killed { 0 } else { events.len().saturating_sub(before + 1) };
        prop_assert_eq!(&read.entries[kept..], &whole.entries[events.len() - after..]);
    }
}

#[test]
fn what_is_no_log_says_why() {
    let log = lines_of(&events());
    insta::assert_snapshot!(problem(""), @"this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it (it is empty)");
    insta::assert_snapshot!(problem("{\"ending\": \"return\"}\n"), @"this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it (missing field `event` at line 1 column 20)");
    insta::assert_snapshot!(problem("{\"event\": \"llm.stop\"}\n"), @"this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it (found the event `llm.stop`)");
    insta::assert_snapshot!(problem(&log.replacen("\"version\":1", "\"version\":9", 1)), @"this trace log has version 9, this release reads up to 1: use a newer release");
    insta::assert_snapshot!(problem(&log.replacen("{\"event\":\"turn.start\"", "{\"event\" \"turn.start\"", 1)), @"line 3 of the trace log is not an event: expected `:` at line 1 column 10; remove the line to read the rest");
    assert!(!Trace::is_log(b"{\"ending\": \"return\"}"));
    assert!(Trace::is_log(log.as_bytes()));
}

#[test]
fn blank_lines_and_events_of_later_releases_are_no_problem() {
    let later = "{\"event\":\"plan.start\",\"trace_id\":\"x\",\"timestamp\":\"2026-01-02T03:04:05Z\",\"at_ms\":1,\"weather\":\"fine\"}";
    let text = lines_of(&events()).replacen('\n', &format!("\n\n{later}\n"), 1);
    let trace = Trace::parse(text.as_bytes()).unwrap();
    assert_eq!((trace.entries.len(), trace.entries[0].topic()), (11, "plan"));
}
