//! What machines are told about a run: one JSON object.

use ptc_runner::lisp::{
    Ending, Error, LeftOut, Outcome, Problem, Reason, Session, StoredMemory, Usage, Value, Warning, WarningCode,
    position,
};
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::output::clojure;

/// The answer to one program.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    #[serde(flatten)]
    ending: Told,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorAnswer>,
    stdout: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<WarningAnswer<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<StoredMemory>,
    usage: UsageAnswer,
}

#[derive(Serialize, Default)]
struct Told {
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The problems of a program; the first stands for all.
#[derive(Serialize)]
pub(crate) struct ErrorAnswer {
    #[serde(flatten)]
    first: ProblemAnswer,
    all: Vec<ProblemAnswer>,
}

#[derive(Serialize, Clone)]
struct ProblemAnswer {
    reason: String,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
}

/// One warning with its place.
#[derive(Serialize)]
pub(crate) struct WarningAnswer<'a> {
    code: &'static str,
    message: std::borrow::Cow<'a, str>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize, Default)]
struct UsageAnswer {
    fuel: u64,
    memory: u64,
    time_us: u128,
}

impl<'a> Answer<'a> {
    /// The answer for `outcome`; a value that cannot be written down is an error.
    pub(super) fn new(
        id: Option<&'a RawValue>,
        source: &str,
        outcome: &'a Outcome,
        session: &mut Session,
        left_out: Vec<LeftOut>,
    ) -> Answer<'a> {
        let (ending, value) = match &outcome.ending {
            Ending::Value(value) => ("value", value),
            Ending::Return(value) => ("return", value),
            Ending::Fail(value) => ("fail", value),
            _ => return Answer::failed(id, outcome, outcome.problems().iter().map(ProblemAnswer::of).collect()),
        };
        match Told::of(ending, value, session) {
            Ok(told) => {
                let (memory, more_left_out) = session.store_memory();
                let warnings = outcome.warnings.iter().map(|warning| WarningAnswer::of(warning, source));
                let left_out = left_out.into_iter().chain(more_left_out).map(|entry| WarningAnswer::left_out(&entry));
                Answer {
                    id,
                    ok: true,
                    ending: told,
                    error: None,
                    stdout: &outcome.prints,
                    warnings: Some(warnings.chain(left_out).collect()),
                    memory: Some(memory),
                    usage: UsageAnswer::of(outcome.usage),
                }
            }
            Err(error) => Answer::failed(id, outcome, vec![ProblemAnswer::unplaced(error.reason, error.message)]),
        }
    }

    fn failed(id: Option<&'a RawValue>, outcome: &'a Outcome, all: Vec<ProblemAnswer>) -> Answer<'a> {
        Answer { stdout: &outcome.prints, usage: UsageAnswer::of(outcome.usage), ..Answer::error(id, all) }
    }

    /// The answer to a line that is no request.
    pub(super) fn bad_input(id: Option<&'a RawValue>, message: String) -> Answer<'a> {
        let problem = ProblemAnswer { reason: "bad_input".to_owned(), message, line: None, column: None };
        Answer::error(id, vec![problem])
    }

    fn error(id: Option<&'a RawValue>, all: Vec<ProblemAnswer>) -> Answer<'a> {
        Answer {
            id,
            ok: false,
            ending: Told::default(),
            error: Some(ErrorAnswer::new(all)),
            stdout: &[],
            warnings: None,
            memory: None,
            usage: UsageAnswer::default(),
        }
    }
}

impl Told {
    fn of(ending: &'static str, value: &Value, session: &Session) -> Result<Told, Error> {
        let tagged = session.to_tagged(value)?;
        Ok(Told { ending: Some(ending), value: Some(tagged), text: Some(clojure(value)) })
    }
}

impl ErrorAnswer {
    /// The answer for these problems, of which there is at least one.
    pub(crate) fn of(problems: &[Problem]) -> ErrorAnswer {
        ErrorAnswer::new(problems.iter().map(ProblemAnswer::of).collect())
    }

    fn new(all: Vec<ProblemAnswer>) -> ErrorAnswer {
        let unexplained =
            || ProblemAnswer::unplaced(Reason::InternalError, "the program ended in an unknown way".to_owned());
        ErrorAnswer { first: all.first().cloned().unwrap_or_else(unexplained), all }
    }
}

impl ProblemAnswer {
    fn of(problem: &Problem) -> ProblemAnswer {
        ProblemAnswer {
            reason: problem.reason.as_str().to_owned(),
            message: problem.text(),
            line: problem.position.map(|place| place.line),
            column: problem.position.map(|place| place.column),
        }
    }

    fn unplaced(reason: Reason, message: String) -> ProblemAnswer {
        ProblemAnswer { reason: reason.as_str().to_owned(), message, line: None, column: None }
    }
}

impl<'a> WarningAnswer<'a> {
    pub(crate) fn of(warning: &'a Warning, source: &str) -> WarningAnswer<'a> {
        let place = position(source, warning.span.start);
        WarningAnswer {
            code: warning.code.as_str(),
            message: warning.message.as_str().into(),
            line: Some(place.line),
            column: Some(place.column),
        }
    }

    pub(crate) fn left_out(entry: &LeftOut) -> WarningAnswer<'a> {
        WarningAnswer {
            code: WarningCode::MemoryEntry.as_str(),
            message: entry.to_string().into(),
            line: None,
            column: None,
        }
    }
}

impl UsageAnswer {
    fn of(usage: Usage) -> UsageAnswer {
        UsageAnswer { fuel: usage.fuel, memory: usage.memory, time_us: usage.time.as_micros() }
    }
}
