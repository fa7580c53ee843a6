//! A tool that is a program itself.

use std::collections::BTreeSet;

use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::values::{NoCells, NoRestore, from_tagged, key_name, to_tagged};
use ptc_lisp::{
    Ending, Error, Limits, Outcome, Problem, Progress, Session, SessionOptions, ToolCall, ToolError, ToolResult,
    ToolSpec, Value, Warning, problems_text,
};
use serde_json::value::RawValue;

/// Fuel between two yields to other tasks.
const SLICE: u64 = 20_000;

/// The value of the program for a call of the tool.
pub(super) async fn call(call: &ToolCall, source: &str, spec: &ToolSpec, limits: &Limits) -> ToolResult {
    let mut session = session(spec, limits.clone(), Some(call))?;
    session.start(source);
    loop {
        match session.advance(Some(SLICE)) {
            Progress::Slice => tokio::task::yield_now().await,
            Progress::Calls(calls) => {
                let refused = calls.iter().map(|_| Err(ToolError::new("a program tool calls no tools")));
                session.answer(refused.collect());
            }
            Progress::Done(outcome) => return result(outcome, &session),
        }
    }
}

/// Why `source` cannot run as the body of this tool, or what is likely to be wrong: found before anything runs.
pub(super) fn check(source: &str, spec: &ToolSpec) -> Result<Vec<Warning>, Vec<Problem>> {
    // Only arguments of a call can be refused.
    session(spec, Limits::default(), None).map_or(Ok(Vec::new()), |session| session.check(source))
}

/// A fresh session with the parameters bound: declared ones by their declared names, nil when absent.
fn session(spec: &ToolSpec, limits: Limits, call: Option<&ToolCall>) -> Result<Session, ToolError> {
    let mut session = Session::new(SessionOptions { limits, ..SessionOptions::default() });
    let args = call.map(|call| copied(to_tagged(&call.args, &NoCells))).transpose()?;
    let args = args.as_ref().and_then(Value::as_map);
    let mut bound = BTreeSet::new();
    for field in spec.signature.iter().flat_map(|signature| signature.params()) {
        let folded = field.name.replace('-', "_");
        let value = args.and_then(|args| args.get_named(&field.name).or_else(|| args.get_named(&folded)));
        let value = value.cloned().unwrap_or_default();
        session.define(&field.name, value, None).map_err(|error| ToolError::new(error.message))?;
        bound.extend([field.name.clone(), folded]);
    }
    for (key, value) in args.into_iter().flat_map(|args| args.iter()) {
        if let Some(name) = key_name(key).filter(|name| !bound.contains(*name)) {
            session.define(name, value.clone(), None).map_err(|error| ToolError::new(error.message))?;
        }
    }
    Ok(session)
}

fn result(outcome: Outcome, session: &Session) -> ToolResult {
    match outcome.ending {
        Ending::Value(value) | Ending::Return(value) => copied(session.to_tagged(&value)),
        Ending::Fail(Value::Str(text)) => Err(ToolError::new(text.as_str())),
        Ending::Fail(value) => Err(ToolError::new(format(&value, &FormatOptions::error_quote()).text)),
        Ending::Error(problems) => Err(failure(&problems)),
        _ => Err(ToolError::new("the program ended in an unknown way")),
    }
}

/// What stopped the program, located in the tool: the error of the caller has its own place.
fn failure(problems: &[Problem]) -> ToolError {
    let [problem @ Problem { position: Some(place), names_position: false, .. }] = problems else {
        return ToolError::new(problems_text(problems));
    };
    let running = problem.running().map(|running| format!(", {running}")).unwrap_or_default();
    ToolError::inside(&problem.message, format!("line {}, column {}{running}", place.line, place.column))
}

/// The value of this tagged JSON, without ties to the session it comes from; functions and atoms belong to their
/// session and are refused.
fn copied(tagged: Result<Box<RawValue>, Error>) -> ToolResult {
    let tagged = tagged.map_err(|error| ToolError::new(error.message))?;
    from_tagged(&tagged, &mut NoRestore).map_err(|error| ToolError::new(error.to_string()))
}
