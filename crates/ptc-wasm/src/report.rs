//! What JavaScript reads of a run, as data. `types.d.ts` says the same in TypeScript.

use ptc_lisp::syntax::{Position, position};
use ptc_lisp::text::{FormatOptions, escaped, format};
use ptc_lisp::{
    Ending, Error, Frame, Memory, MemoryEntry, Outcome, Problem, Session, ToolRecord, Usage, Value, Warning,
};
use serde::Serialize;
use serde_json::Value as Json;

/// Everything that a run produced, with the definitions after it.
#[derive(Debug, Serialize)]
pub struct Report {
    ok: bool,
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ProblemReport>,
    prints: Vec<String>,
    warnings: Vec<WarningReport>,
    calls: Vec<CallReport>,
    definitions: Vec<Definition>,
    usage: UsageReport,
}

/// What is wrong with a program, and where.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ProblemReport {
    reason: &'static str,
    is_limit: bool,
    message: String,
    text: String,
    #[serde(flatten)]
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// The message with the lines of all that was running.
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    frames: Vec<FrameReport>,
}

#[derive(Debug, Serialize)]
struct Place {
    line: Option<u32>,
    column: Option<u32>,
}

/// A place that was running when an error occurred.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FrameReport {
    function: Option<String>,
    #[serde(flatten)]
    place: Place,
    line_text: String,
    is_earlier: bool,
}

#[derive(Debug, Serialize)]
struct WarningReport {
    code: &'static str,
    message: String,
    #[serde(flatten)]
    place: Place,
}

#[derive(Debug, Serialize)]
struct CallReport {
    tool: String,
    args: Option<Json>,
    result: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    cached: bool,
    milliseconds: f64,
}

/// One definition of a session.
#[derive(Debug, Serialize)]
pub struct Definition {
    name: String,
    #[serde(rename = "type")]
    label: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
}

#[derive(Debug, Serialize)]
struct UsageReport {
    fuel: u64,
    memory: u64,
    milliseconds: f64,
}

/// What the check of a program found; nothing ran.
#[derive(Debug, Serialize)]
pub struct CheckReport {
    ok: bool,
    problems: Vec<ProblemReport>,
    warnings: Vec<WarningReport>,
}

/// Elements and characters shown of the value of a definition.
const SHOWN: FormatOptions = FormatOptions { limit: Some(20), printable_limit: Some(200), hide: false, round: true };

impl Report {
    /// The report of something that could not start.
    pub(crate) fn refused(error: &Error, session: &Session) -> Report {
        Report {
            ok: false,
            ending: "error",
            value: None,
            text: None,
            problems: vec![unplaced(error)],
            prints: Vec::new(),
            warnings: Vec::new(),
            calls: Vec::new(),
            definitions: definitions(&session.memory()),
            usage: usage(Usage::default()),
        }
    }

    pub(crate) fn new(outcome: &Outcome, source: &str, session: &Session) -> Report {
        let empty = Report {
            ok: false,
            ending: "error",
            value: None,
            text: None,
            problems: outcome.problems().iter().map(problem).collect(),
            prints: outcome.prints.clone(),
            warnings: warnings(&outcome.warnings, source),
            calls: outcome.tool_calls.iter().map(|record| call(record, session)).collect(),
            definitions: definitions(&session.memory()),
            usage: usage(outcome.usage),
        };
        let (ending, value) = match &outcome.ending {
            Ending::Value(value) => ("value", value),
            Ending::Return(value) => ("return", value),
            Ending::Fail(value) => ("fail", value),
            _ => return empty,
        };
        match session.to_json(value) {
            Ok(json) => Report {
                ok: ending != "fail",
                ending,
                value: Some(json),
                text: Some(text_of(value, &FormatOptions { hide: false, ..FormatOptions::full() })),
                ..empty
            },
            Err(error) => Report { problems: vec![unplaced(&error)], ..empty },
        }
    }
}

impl CheckReport {
    pub(crate) fn new(checked: Result<Vec<Warning>, Vec<Problem>>, source: &str) -> CheckReport {
        match checked {
            Ok(found) => CheckReport { ok: true, problems: Vec::new(), warnings: warnings(&found, source) },
            Err(problems) => {
                CheckReport { ok: false, problems: problems.iter().map(problem).collect(), warnings: Vec::new() }
            }
        }
    }
}

/// The definitions of a session, in order.
pub(crate) fn definitions(memory: &Memory) -> Vec<Definition> {
    let report = |entry: &MemoryEntry| Definition {
        name: entry.name.clone(),
        label: entry.label.clone(),
        text: text_of(&entry.value, &SHOWN),
        params: entry.params.clone(),
        doc: entry.doc.clone(),
    };
    memory.entries().iter().map(report).collect()
}

fn text_of(value: &Value, options: &FormatOptions) -> String {
    format(value, options).text
}

fn problem(problem: &Problem) -> ProblemReport {
    ProblemReport {
        reason: problem.reason.as_str(),
        is_limit: problem.reason.is_limit(),
        message: escaped(&problem.message).into_owned(),
        text: problem.text(),
        place: place(problem.position),
        tool: problem.tool.clone(),
        snippet: problem.position.map(|_| problem.snippet(false)),
        frames: problem.frames.iter().map(frame).collect(),
    }
}

/// A value that cannot be written as JSON.
fn unplaced(error: &Error) -> ProblemReport {
    let message = escaped(&error.message).into_owned();
    ProblemReport {
        reason: error.reason.as_str(),
        is_limit: error.reason.is_limit(),
        text: message.clone(),
        message,
        place: place(None),
        tool: None,
        snippet: None,
        frames: Vec::new(),
    }
}

fn frame(frame: &Frame) -> FrameReport {
    FrameReport {
        function: frame.function.clone(),
        place: place(Some(frame.position)),
        line_text: frame.line_text.clone(),
        is_earlier: frame.is_earlier,
    }
}

fn place(position: Option<Position>) -> Place {
    Place { line: position.map(|at| at.line), column: position.map(|at| at.column) }
}

fn warnings(warnings: &[Warning], source: &str) -> Vec<WarningReport> {
    let report = |warning: &Warning| WarningReport {
        code: warning.code.as_str(),
        message: warning.message.clone(),
        place: place(Some(position(source, warning.span.start))),
    };
    warnings.iter().map(report).collect()
}

/// A call; what has no JSON, such as a function among the arguments, is left out.
fn call(record: &ToolRecord, session: &Session) -> CallReport {
    CallReport {
        tool: record.name.to_string(),
        args: session.to_json(&record.args).ok(),
        result: record.error.is_none().then(|| session.to_json(&record.result).ok()).flatten(),
        error: record.error.clone(),
        cached: record.cached,
        milliseconds: record.duration.as_secs_f64() * 1_000.0,
    }
}

fn usage(Usage { fuel, memory, time }: Usage) -> UsageReport {
    UsageReport { fuel, memory, milliseconds: time.as_secs_f64() * 1_000.0 }
}
