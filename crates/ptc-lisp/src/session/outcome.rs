//! The outcome of one run of a program.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::error::warning::Warning;
use crate::error::{Error, Exception, Reason, in_turn};
use crate::named::named;
use crate::parse::span::{Position, position};
use crate::session::frames::{Frame, whereabouts};
use crate::session::host::{ToolRecord, without_inside};
use crate::value::{Value, escaped, from_value, shortened_counted, shown};

/// How a program ended.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub enum Ending {
    /// It ran to its end: the value of its last form.
    Value(Value),
    /// `(return v)`
    Return(Value),
    /// `(fail v)`
    Fail(Value),
    /// It was stopped by these problems: one at run time, up to five found before anything ran.
    Error(Vec<Problem>),
}

impl Ending {
    /// What programs read as `*e` after a program that failed: its reason and message. Nil after success.
    pub(crate) fn exception(&self) -> Value {
        let error = match self {
            Ending::Value(_) | Ending::Return(_) => None,
            Ending::Fail(value) => Some(Error::new(Reason::Exception, shown(value))),
            Ending::Error(problems) => problems.first().map(|problem| Error::new(problem.reason, &problem.message)),
        };
        error.map_or(Value::Nil, |error| Value::Exception(Exception::new(error).into()))
    }
}

/// Characters of a message that are shown.
const MAX_MESSAGE: usize = 500;

/// The first 500 characters of the text, and how many are missing.
fn cut(message: &str) -> String {
    shortened_counted(message, MAX_MESSAGE).into_owned()
}

/// An error with its place in the source resolved.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The stable reason.
    pub reason: Reason,
    /// The text without position.
    pub message: String,
    /// Line and column.
    pub position: Option<Position>,
    /// The name of the program in which these are, when it has one: see
    /// [`Program::compile_named`](crate::Program::compile_named).
    pub program: Option<String>,
    /// Where the program asked for the element that a lazy sequence failed to compute, when that is another line.
    pub needed_at: Option<Position>,
    /// Its source line.
    pub line_text: Option<String>,
    /// Whether the message itself names its positions.
    pub names_position: bool,
    /// The tool that failed.
    pub tool: Option<String>,
    /// The places in user code that were running, innermost first: also in earlier programs, and anonymous functions. At
    /// most a few; empty when nothing ran.
    pub frames: Vec<Frame>,
}

impl Problem {
    pub(crate) fn new(error: &Error, source: &str) -> Problem {
        let place = error.span.map(|span| position(source, span.start));
        Problem {
            reason: error.reason,
            message: cut(&error.message),
            position: place,
            program: None,
            needed_at: error
                .needed_at
                .map(|span| position(source, span.start))
                .filter(|needed| place.is_some_and(|place| place.line != needed.line)),
            line_text: place.map(|place| crate::parse::span::line_text(source, place.line).to_owned()),
            names_position: error.names_position,
            tool: error.tool.as_ref().map(ToString::to_string),
            frames: error.running.iter().map(|called| Frame::new(called, source)).collect(),
        }
    }

    /// The same, in a program of this name.
    pub(crate) fn of_program(self, name: Option<&str>) -> Problem {
        Problem { program: name.map(str::to_owned), ..self }
    }

    /// The message in one line, escaped since it may quote a tool or a program. ` at line L, column C` follows when the
    /// place is known and not named yet, ` at NAME:L:C` in a program with a name, for a lazy sequence also `, needed at line L, column C`. Then come the
    /// functions that were running: `… at line 2, column 5 (in area, called by total)`. The place in the program of a
    /// failed tool comes last.
    #[must_use]
    pub fn text(&self) -> String {
        let (message, inside) =
            if self.tool.is_some() { without_inside(&self.message) } else { (self.message.as_str(), "") };
        let mut text = escaped(message).into_owned();
        if let Some(program) = self.program.as_deref().filter(|_| self.position.is_none() || self.names_position) {
            text.insert_str(0, &format!("{}: ", escaped(program)));
        }
        if let Some(place) = self.position.filter(|_| !self.names_position) {
            text.push_str(&format!(" at {}", whereabouts(self.program.as_deref(), place)));
            if let Some(needed) = self.needed_at {
                text.push_str(&format!(", needed at line {}, column {}", needed.line, needed.column));
            }
        }
        if let Some(running) = self.running() {
            text.push_str(&format!(" ({running})"));
        }
        text.push_str(&escaped(inside));
        text
    }

    /// The functions of the program that were running: `in area, called by total`; at most the five innermost.
    #[must_use]
    pub fn running(&self) -> Option<String> {
        let names = self.functions();
        (!names.is_empty()).then(|| format!("in {}", names.join(", called by ")))
    }

    /// The names of the functions that were running, innermost first: at most five, of calls in a row one.
    #[must_use]
    pub fn functions(&self) -> Vec<&str> {
        in_turn(self.frames.iter().map(|frame| frame.function.as_deref())).collect()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Problem {}

/// Why a program gave no value.
#[non_exhaustive]
#[derive(Clone, Debug, thiserror::Error)]
pub enum ProgramError {
    /// It called `(fail v)`.
    #[error("the program failed with {0}")]
    Fail(Value),
    /// Its value is not of the type that the host asked for.
    #[error("the value is not of the expected type: {0}")]
    OtherType(Arc<serde_json::Error>),
    /// These problems stopped it: one at run time, up to five found before anything ran.
    #[error("{}", problems_text(.0))]
    Problems(Vec<Problem>),
}

/// The text of several problems as one message for a model: the first one, then each of the others with its number.
#[must_use]
pub fn problems_text(problems: &[Problem]) -> String {
    let Some((first, others)) = problems.split_first() else { return String::new() };
    let mut text = first.text();
    for (number, other) in others.iter().enumerate() {
        text.push_str(&format!("\n({}) {}", number + 2, other.text()));
    }
    text
}

/// What a run used.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Units of fuel.
    pub fuel: u64,
    /// The highest number of bytes of live values.
    pub memory: u64,
    /// Interpreter time, waiting for tools excluded.
    pub time: Duration,
}

named! {
    /// The forms that run branches concurrently.
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub enum ParallelForm {
        /// `pmap`
        Pmap = "pmap",
        /// `pcalls`
        Pcalls = "pcalls",
    }

    /// The name that programs use.
    fn name
}

impl ParallelForm {
    pub(crate) fn reason(self) -> Reason {
        match self {
            ParallelForm::Pmap => Reason::PmapError,
            ParallelForm::Pcalls => Reason::PcallsError,
        }
    }
}

/// The record of one `pmap` or `pcalls`.
#[derive(Clone, Debug)]
pub struct ParallelRecord {
    /// Which form.
    pub form: ParallelForm,
    /// Its branches.
    pub count: usize,
    /// Branches that gave a value.
    pub succeeded: usize,
    /// Branches that failed; those after the first failure are dropped and count as neither.
    pub failed: usize,
    /// Microseconds since 1970 when it started.
    pub started_micros: i64,
    /// Time from start to end, waiting for tools included.
    pub duration: Duration,
}

/// Everything a run produced, apart from the definitions in the session.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Printed lines, oldest first, below one that counts those that are not kept.
    pub prints: Vec<String>,
    /// The characters that each line lacks because it was longer than `Limits::print_chars`.
    pub missing: Vec<usize>,
    /// Tool calls in order.
    pub tool_calls: Vec<ToolRecord>,
    /// Each `pmap` and `pcalls` that ended, in order; inner ones before the one around them.
    pub parallel_calls: Vec<ParallelRecord>,
    /// At most five distinct warnings.
    pub warnings: Vec<Warning>,
    /// What it used.
    pub usage: Usage,
    /// Summaries recorded by `step-done` (id, text), in order; empty when the run failed.
    pub summaries: Vec<(String, String)>,
}

impl Outcome {
    /// The value of a run that succeeded.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match &self.ending {
            Ending::Value(value) | Ending::Return(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a run that ended well, or why there is none: for hosts that want nothing else of it.
    ///
    /// ```
    /// # let mut session = ptc_lisp::Session::new(ptc_lisp::SessionOptions::default());
    /// let failed = session.run("(+ 1 \"2\")", &mut ptc_lisp::no_tools).into_result().unwrap_err();
    /// assert!(failed.to_string().starts_with("+: expected numbers, got number and string"));
    /// ```
    pub fn into_result(self) -> Result<Value, ProgramError> {
        match self.ending {
            Ending::Value(value) | Ending::Return(value) => Ok(value),
            Ending::Fail(value) => Err(ProgramError::Fail(value)),
            Ending::Error(problems) => Err(ProgramError::Problems(problems)),
        }
    }

    /// The value of a run that ended well, as a Rust type: see [`from_value`](crate::from_value).
    ///
    /// ```
    /// use ptc_lisp::{ProgramError, Session, SessionOptions, no_tools};
    ///
    /// let mut session = Session::new(SessionOptions::default());
    /// assert_eq!(session.run("(* 6 7)", &mut no_tools).into_typed::<u8>()?, 42);
    /// let error = session.run("\"tea\"", &mut no_tools).into_typed::<u8>().unwrap_err();
    /// assert!(matches!(error, ProgramError::OtherType(_)));
    /// # Ok::<(), ProgramError>(())
    /// ```
    pub fn into_typed<T: DeserializeOwned>(self) -> Result<T, ProgramError> {
        from_value(&self.into_result()?).map_err(|error| ProgramError::OtherType(Arc::new(error)))
    }

    /// The problems that stopped the run; empty after success and after `(fail v)`.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        match &self.ending {
            Ending::Error(problems) => problems,
            _ => &[],
        }
    }
}
