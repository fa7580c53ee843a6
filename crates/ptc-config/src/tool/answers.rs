//! A tool that answers from a list.

use ptc_lisp::{Import, ToolCall, ToolError, ToolResult};
use serde_json::{Map, Value as Json};

/// One canned answer.
#[derive(Debug, Clone, PartialEq)]
pub struct CannedAnswer {
    /// Arguments that a call must have; others do not matter. `None` matches every call.
    pub args: Option<Map<String, Json>>,
    /// The result, or the text of a failure.
    pub result: Result<Json, String>,
}

impl CannedAnswer {
    /// The content of `args` and of exactly one of `result` and `error`, if they have the right shape.
    pub(super) fn of(args: Option<Json>, result: Option<Json>, error: Option<Json>) -> Option<CannedAnswer> {
        let args = match args {
            None => None,
            Some(Json::Object(args)) => Some(args),
            Some(_) => return None,
        };
        match (result, error) {
            (Some(result), None) => Some(CannedAnswer { args, result: Ok(result) }),
            (None, Some(Json::String(error))) => Some(CannedAnswer { args, result: Err(error) }),
            _ => None,
        }
    }
}

/// The first answer that matches a call.
pub(super) fn call(call: &ToolCall, answers: &[CannedAnswer]) -> ToolResult {
    let args = call.args.to_json().map_err(|error| ToolError::new(error.message))?;
    let fits = |answer: &&CannedAnswer| answer.args.as_ref().is_none_or(|wanted| has(&args, wanted));
    match answers.iter().find(fits) {
        Some(answer) => given(answer.result.clone()),
        None => Err(ToolError::new(format!("there is no canned answer for {args}"))),
    }
}

/// A canned result as programs receive it.
pub(super) fn given(result: Result<Json, String>) -> ToolResult {
    result.map(|result| Import::counted().value(result)).map_err(ToolError::new)
}

/// Whether `args` has all entries of `wanted`, numbers compared by value and `-` in names read as `_`.
pub(super) fn has(args: &Json, wanted: &Map<String, Json>) -> bool {
    wanted.iter().all(|(name, value)| {
        let found = args.get(name).or_else(|| args.get(name.replace('-', "_")));
        found.is_some_and(|found| same(found, value))
    })
}

fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}
