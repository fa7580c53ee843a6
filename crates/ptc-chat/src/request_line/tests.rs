use insta::assert_snapshot;
use serde_json::json;

use crate::{Message, OutputMode, Part, Request, Role, ToolDefinition, ToolUse, request_line};

/// The lines of these requests.
fn check(requests: &[Request]) -> String {
    requests.iter().map(|request| request_line(request).unwrap() + "\n").collect()
}

#[test]
fn one_line_per_attempt() {
    let parts = vec![Part::stable("Größe "), Part::stable("x"), Part::changing(" now"), Part::stable("!")];
    let first = Request {
        system: "You write \"programs\".\n".into(),
        messages: vec![Message::new(Role::User, parts), Message::assistant("(def x 1)")],
        tool_names: ["quote-room".into()].into(),
        cache: true,
        ..Request::default()
    };
    let again = Request {
        attempt: 2,
        agent: Some("pricer".into()),
        schema: Some(json!({"type": "object"}).into()),
        ..Request::default()
    };
    assert_snapshot!(check(&[first, again]), @r#"
    {"turn":1,"attempt":1,"system":"You write \"programs\".\n","messages":[{"role":"user","content":"Größe x now!","stable_bytes":9},{"role":"assistant","content":"(def x 1)","stable_bytes":0}],"tool_names":["quote-room"],"cache":true}
    {"turn":1,"attempt":2,"agent":"pricer","system":"","messages":[],"tool_names":[],"schema":{"type":"object"},"cache":false}
    "#);
}

#[test]
fn requests_survive_serde() {
    let request = Request { messages: vec![Message::user("hi")], turn: 3, ..Request::default() };
    let text = serde_json::to_string(&request).unwrap();
    assert_snapshot!(text, @r#"{"system":"","messages":[{"role":"user","parts":[{"text":"hi","stable":false}]}],"turn":3,"attempt":1,"output":"ptc_lisp","tool_names":[],"cache":false,"options":{"max_output_tokens":4096}}"#);
    assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request);
}

fn with_tools() -> Request {
    let rate =
        ToolDefinition { name: "rate".into(), description: "Price.".into(), parameters: json!({"type": "object"}) };
    let call = ToolUse { echo: Some(json!(["sig"])), ..ToolUse::new("c1", "rate", json!({"nights": 2})) };
    let messages =
        vec![Message::user("Price?"), Message::assistant("").with_tool_calls([call]), Message::tool("c1", "180.0")];
    Request { messages, tools: [rate].into(), output: OutputMode::Text, ..Request::default() }
}

#[test]
fn calls_of_text_mode_are_logged() {
    assert_snapshot!(check(&[with_tools()]), @r#"{"turn":1,"attempt":1,"system":"","messages":[{"role":"user","content":"Price?","stable_bytes":0},{"role":"assistant","content":"","stable_bytes":0,"tool_calls":[{"id":"c1","name":"rate","args":{"nights":2},"echo":["sig"]}]},{"role":"tool","content":"180.0","stable_bytes":0,"call_id":"c1"}],"tool_names":[],"tools":[{"name":"rate","description":"Price.","parameters":{"type":"object"}}],"cache":false}"#);
}

#[test]
fn calls_of_text_mode_survive_serde() {
    let text = serde_json::to_string(&with_tools()).unwrap();
    assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), with_tools());
}
