//! The language without agents: untrusted programs with data, a tool, limits, and definitions that stay.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example is a host")]

use std::time::Duration;

use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Import, Limits, Session, SessionOptions, Value, problems_text};
use ptc_lisp::{ToolCall, ToolError, ToolResult, ToolSpec};
use serde_json::json;

/// Answers calls of `tool/rate`; programs see nothing else of the host.
fn rate(call: &ToolCall) -> ToolResult {
    match call.args.as_map().and_then(|args| args.get_named("room")).and_then(Value::as_str) {
        Some("attic") => Ok(Value::Int(60)),
        Some("sea-view") => Ok(Value::Int(120)),
        other => Err(ToolError::new(format!("there is no room {}", other.unwrap_or("of no name")))),
    }
}

fn main() {
    let stays = json!({"stays": [{"room": "attic", "nights": 3}, {"room": "sea-view", "nights": 2}]});
    let Value::Map(data) = Import::uncounted().value(stays) else { return };
    let mut session = Session::new(SessionOptions {
        data,
        tools: vec![ToolSpec::new("rate").description("Euros for a night")],
        limits: Limits { fuel: 1_000_000, time: Duration::from_secs(1), ..Limits::default() },
        ..SessionOptions::default()
    });
    let programs = [
        "(defn price [{:keys [room nights]}] (* nights (tool/rate {:room room})))",
        "(map price data/stays)",
        "(println \"all:\" (apply + (map price data/stays)))",
        "(price {:room \"cellar\" :nights 1})",
        "(pirce (first data/stays))",
        "(loop [] (recur))",
    ];
    for program in programs {
        let outcome = session.run(program, &mut rate);
        println!("> {program}");
        outcome.prints.iter().for_each(|line| println!("{line}"));
        match outcome.value() {
            Some(value) => println!("{}", format(value, &FormatOptions::full()).text),
            None => println!("{}", problems_text(outcome.problems())),
        }
    }
}
