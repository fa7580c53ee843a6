//! A tool that answers with recorded calls.

use ptc_lisp::{ToolCall, ToolError, ToolResult};
use serde_json::{Map, Value as Json};

use super::answers::{CannedAnswer, given, has};
use crate::document::Item;
use crate::error::ConfigError;
use crate::place::named;

const CALL: &str = r#"a recorded call is an object such as {"name": "rate", "args": {"code": "EUR"}, "result": 1.1}, with a text under "error" instead of "result" when it failed"#;

/// The calls of the tool `name` in a file of calls, in its order; a tool that was never called has none.
pub(super) fn read(name: &str, file: Item<'_>) -> Result<Vec<CannedAnswer>, ConfigError> {
    let (path, text) = file.file()?;
    let mut calls = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let (tool, answer) = recorded_call(line)
            .map_err(|problem| file.refused(format!("{} line {number}: {problem}", named(&path))))?;
        if tool == name {
            calls.push(answer);
        }
    }
    Ok(calls)
}

/// The tool and the answer of one line.
fn recorded_call(line: &str) -> Result<(String, CannedAnswer), String> {
    let json = serde_json::from_str(line).map_err(|error| {
        let told = error.to_string();
        format!("this is not JSON at column {}: {}", error.column(), told.split(" at line ").next().unwrap_or_default())
    })?;
    let Json::Object(mut call) = json else { return Err(CALL.to_owned()) };
    let mut take = |key: &str| call.remove(key);
    let (name, args, result, error) = (take("name"), take("args"), take("result"), take("error"));
    if let Some(key) = call.keys().next() {
        return Err(format!("unknown key `{key}`; {CALL}"));
    }
    let args = args.or_else(|| Some(Map::new().into()));
    match (name, CannedAnswer::of(args, result, error)) {
        (Some(Json::String(name)), Some(answer)) => Ok((name, answer)),
        _ => Err(CALL.to_owned()),
    }
}

/// Returns each recorded call once, in order among those with equal arguments; the last of these stays.
pub(super) fn call(call: &ToolCall, left: &mut Vec<CannedAnswer>) -> ToolResult {
    let args = call.args.to_json().map_err(|error| ToolError::new(error.message))?;
    let Some(at) = left.iter().position(|answer| equals(&args, answer)) else {
        return Err(ToolError::new(format!("no call of {} with {args} was recorded", call.name)));
    };
    let is_last = !left.iter().skip(at + 1).any(|answer| equals(&args, answer));
    let answer = left.remove(at);
    if is_last {
        left.insert(at, answer.clone());
    }
    given(answer.result)
}

/// Whether a call has the recorded arguments and no others.
fn equals(args: &Json, answer: &CannedAnswer) -> bool {
    match (args, &answer.args) {
        (Json::Object(given), Some(recorded)) => given.len() == recorded.len() && has(args, recorded),
        _ => false,
    }
}
