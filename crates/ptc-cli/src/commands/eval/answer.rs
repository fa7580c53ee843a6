//! What machines read about a run: one JSON object.

use ptc_runner::lisp::syntax::{Position, position};
use ptc_runner::lisp::{Ending, Omitted, Outcome, Problem, Reason, Session, StoredMemory, Usage, Warning, WarningCode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use crate::output::clojure;

/// The answer to one program.
#[derive(Serialize, Default)]
pub(super) struct Answer<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Json>,
    stdout: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<Json>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<StoredMemory>,
    usage: Json,
}

impl<'a> Answer<'a> {
    /// The answer for `outcome`; a value that cannot be serialized is an error.
    pub(super) fn new(
        id: Option<&'a RawValue>,
        source: &str,
        outcome: &'a Outcome,
        session: &mut Session,
        left_out: Vec<Omitted>,
    ) -> Answer<'a> {
        let warnings = outcome.warnings.iter().map(|warning| placed(warning, source));
        let warnings: Vec<Json> = warnings.chain(left_out.iter().map(unplaced)).collect();
        let answer = Answer { id, stdout: &outcome.prints, usage: usage(outcome.usage), ..Answer::default() };
        let answer = Answer { warnings: Some(warnings), ..answer };
        let (ending, value) = match &outcome.ending {
            Ending::Value(value) => ("value", value),
            Ending::Return(value) => ("return", value),
            Ending::Fail(value) => ("fail", value),
            _ => return Answer { error: Some(errors(outcome.problems())), ..answer },
        };
        let tagged = match session.to_tagged(value) {
            Ok(tagged) => tagged,
            Err(error) => return Answer { error: Some(only(error.reason.as_str(), &error.message)), ..answer },
        };
        let (memory, more_left_out) = session.store_memory();
        let mut warnings = answer.warnings.unwrap_or_default();
        warnings.extend(more_left_out.iter().map(unplaced));
        Answer {
            ok: true,
            ending: Some(ending),
            value: Some(tagged),
            text: Some(clojure(value)),
            warnings: Some(warnings),
            memory: Some(memory),
            ..answer
        }
    }

    /// The answer to a line that is not a request.
    pub(super) fn bad_input(id: Option<&'a RawValue>, message: &str) -> Answer<'a> {
        Answer::error(id, "bad_input", message)
    }

    /// The answer to a request whose program did not run to its end.
    pub(super) fn error(id: Option<&'a RawValue>, reason: &str, message: &str) -> Answer<'a> {
        Answer { id, error: Some(only(reason, message)), usage: usage(Usage::default()), ..Answer::default() }
    }
}

/// The problems of a program; the first stands for all.
pub(crate) fn errors(problems: &[Problem]) -> Json {
    let told = |problem: &Problem| error(problem.reason.as_str(), &problem.text(), problem.position);
    let all: Vec<Json> = problems.iter().map(told).collect();
    let unexplained = || error(Reason::InternalError.as_str(), "the program ended in an unknown way", None);
    let mut first = all.first().cloned().unwrap_or_else(unexplained);
    if let Json::Object(fields) = &mut first {
        fields.insert("all".to_owned(), all.into());
    }
    first
}

/// One problem without a place.
fn only(reason: &str, message: &str) -> Json {
    let problem = error(reason, message, None);
    json!({"reason": reason, "message": message, "line": null, "column": null, "all": [problem]})
}

fn error(reason: &str, message: &str, place: Option<Position>) -> Json {
    let (line, column) = (place.map(|place| place.line), place.map(|place| place.column));
    json!({"reason": reason, "message": message, "line": line, "column": column})
}

/// A warning with its place.
pub(crate) fn placed(warning: &Warning, source: &str) -> Json {
    let Position { line, column } = position(source, warning.span.start);
    json!({"code": warning.code.as_str(), "message": warning.message, "line": line, "column": column})
}

/// A warning about an entry of a memory.
pub(crate) fn unplaced(entry: &Omitted) -> Json {
    json!({"code": WarningCode::MemoryEntry.as_str(), "message": entry.to_string(), "line": null, "column": null})
}

fn usage(usage: Usage) -> Json {
    let time_us = u64::try_from(usage.time.as_micros()).unwrap_or(u64::MAX);
    json!({"fuel": usage.fuel, "memory": usage.memory, "time_us": time_us})
}
