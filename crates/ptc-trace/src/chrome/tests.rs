//! The output for viewers of browsers.

use proptest::prelude::*;
use ptc_transcript::Event;
use serde_json::{Value as Json, json};

use super::chrome_trace;
use crate::sample::{any_events, events, traced};

fn exported(events: &[Event]) -> Json {
    chrome_trace(&traced(events))
}

#[test]
fn a_run_with_two_calls_at_once() {
    let json = exported(&events());
    assert_eq!(json["metadata"], json!({"source": "ptc-runner", "trace_id": "1a2b3c4d".repeat(4)}));
    let line = |event: &Json| {
        format!("{} {} at {}+{} row {}", event["cat"], event["name"], event["ts"], event["dur"], event["tid"])
    };
    let lines: Vec<String> = json["traceEvents"].as_array().unwrap().iter().map(line).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    "trace" "trace" at 0+10000 row 0
    "run" "run of booker" at 1000+9000 row 0
    "turn" "Turn 1" at 2000+7000 row 0
    "llm" "LLM call" at 3000+1000 row 0
    "tool" "quote-room" at 5000+3000 row 0
    "tool" "quote-room" at 6000+1000 row 1
    "#);
    insta::assert_snapshot!(json["traceEvents"][3]["args"], @r#"{"status":"ok","turn":1,"model":"ollama:qwen3","attempt":1,"prompt":"Which bookings fit?","response":"(pmap f [12 99])","tokens":832,"input_tokens":812,"output_tokens":20,"cache_read_tokens":700}"#);
    insta::assert_snapshot!(json["traceEvents"][5]["args"], @r#"{"status":"error","args":{"room":99},"reason":"there is no room 99"}"#);
}

#[test]
fn a_span_without_an_end_lasts_to_the_end() {
    let json = exported(&events()[..6]);
    let call = &json["traceEvents"][4];
    assert_eq!((&call["ts"], &call["dur"], &call["args"]["unfinished"]), (&json!(5_000), &json!(1_000), &json!(true)));
}

proptest! {
    #[test]
    fn one_complete_event_per_span(events in any_events()) {
        let json = exported(&events);
        let shown = json["traceEvents"].as_array().unwrap();
        let starts = events.iter().filter(|event| event.kind.name().ends_with(".start")).count();
        prop_assert_eq!(shown.len(), starts + 1);
        for event in shown {
            prop_assert_eq!(&event["ph"], "X");
            prop_assert!(event["ts"].is_u64() && event["dur"].is_u64() && event["tid"].is_u64());
        }
    }
}
