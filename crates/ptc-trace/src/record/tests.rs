//! Events as lines.

use ptc_chat::Message;
use ptc_lisp::ToolNotice;
use ptc_transcript::EventKind;

use crate::SpanTree;
use crate::sample::{approval_events, event, events, lines_of, noticed, streamed, traced};

#[test]
fn a_streamed_run_has_the_lines_of_any_other() {
    let whole = |events| traced(events).entries.into_iter().map(|entry| (entry.event, entry.metadata));
    let streamed = streamed(&events());
    assert_eq!(streamed.len(), events().len() + 1);
    assert!(whole(&streamed).eq(whole(&events())));
}

#[test]
fn the_lines_of_a_run() {
    insta::assert_snapshot!(lines_of(&events()).replace(&"1a2b3c4d".repeat(4), "ID"));
}

#[test]
fn the_lines_of_what_tools_tell() {
    let facts = |notice| {
        let kind = EventKind::ToolNotice { tool_name: "n-scan".into(), notice };
        let entry = traced(&[event(4, 2, kind)]).entries.remove(0);
        format!("{} {}", entry.event, serde_json::Value::Object(entry.metadata))
    };
    let progress = ToolNotice::Progress { done: 1.5, total: Some(4.0), message: Some("b.txt".into()) };
    insta::assert_snapshot!(facts(progress), @r#"tool.progress {"tool_name":"n-scan","done":1.5,"total":4.0,"message":"b.txt"}"#);
    let little = ToolNotice::Progress { done: 2.0, total: None, message: None };
    insta::assert_snapshot!(facts(little), @r#"tool.progress {"tool_name":"n-scan","done":2.0}"#);
    let changed = ToolNotice::ToolsChanged { added: vec!["n-b".into()], gone: Vec::new() };
    insta::assert_snapshot!(facts(changed), @r#"tool.changed {"tool_name":"n-scan","added":["n-b"],"gone":[]}"#);
    // A trace with them has the same tree of spans as one without.
    let labels = |events| SpanTree::of(&traced(events)).spans.into_iter().map(|span| (span.label, span.depth));
    assert!(labels(&noticed(&events())).eq(labels(&events())));
}

#[test]
fn lines_name_the_role_of_each_message() {
    let messages = vec![Message::user("What is 2 + 3?"), Message::assistant(""), Message::tool("call-1", "5")];
    let kind = EventKind::LlmStart { turn: 2, attempt: 1, messages: messages.into(), system: None, model: "m".into() };
    let entries = traced(&[event(1, 0, kind)]).entries;
    let messages = entries[0].metadata["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool"]);
}

#[test]
fn decisions_are_written_whole() {
    let trace = traced(&approval_events());
    assert_eq!(
        trace.entries[2].metadata["ids"].as_array().map(Vec::len).zip(trace.entries[2].metadata["tools"].get(2)),
        Some((3, &"quote-room".into()))
    );
    insta::assert_snapshot!(trace.entries[3].metadata["decisions"], @r#"[{"id":"run/1/1","decision":"approve"},{"id":"run/1/2","decision":"deny","reason":"too expensive"},{"id":"run/1/3","decision":"edit","edited":{"room":2,"_pin":"[hidden]"}}]"#);
    assert_eq!(trace.entries[3].duration_ms, Some(40.0));
}
