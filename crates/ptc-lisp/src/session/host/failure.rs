//! Failures of tools, and which of them leave it open whether the call took effect.

#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::ops::RangeInclusive;

use crate::limits::meter::Meter;
use crate::value::Value;

/// Why a tool gave no result: any standard error by `?`, or a text by [`ToolError::new`].
///
/// It is not a standard error itself, so that all of them convert to it.
#[derive(Clone, Debug)]
pub struct ToolError {
    /// One line for the model.
    pub message: String,
    /// Whether the call may still have taken effect: its answer was lost, or was not awaited.
    pub may_have_run: bool,
    /// What else the tool says about it: a program finds it as `:data` of `(ex-data e)`.
    pub data: Option<Value>,
}

impl ToolError {
    /// An error with this text for the model: say what was wrong and what to send instead.
    ///
    /// The call may have taken effect when the text says so: a timeout, a lost connection, or a status from 500 to 599 such
    /// as `503 busy` or `HTTP error 502`. [`ToolError::may_have_run`] is for hosts that know better.
    ///
    /// ```
    /// use ptc_lisp::ToolError;
    ///
    /// assert!(ToolError::new("504 gateway timeout").may_have_run);
    /// assert!(!ToolError::new("404 no such account").may_have_run);
    /// assert!(!ToolError::new("503 nothing was booked").may_have_run(false).may_have_run);
    /// ```
    pub fn new(message: impl Into<String>) -> ToolError {
        let message = message.into();
        ToolError { may_have_run: leaves_open(&message), message, data: None }
    }

    /// The error itself, if it is one of these, else one with its text.
    pub fn of<E: fmt::Display + 'static>(error: &E) -> ToolError {
        let error_as: &dyn Any = error;
        error_as.downcast_ref::<ToolError>().cloned().unwrap_or_else(|| ToolError::new(error.to_string()))
    }

    /// The failure of a tool that is itself a program: `503 busy (in the program of the tool: line 1, column 18)`.
    ///
    /// Errors of the caller show their own place first and this one after it.
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, ToolError, ToolSpec, problems_text};
    ///
    /// let mut session = Session::new(SessionOptions { tools: vec![ToolSpec::new("pay")], ..SessionOptions::default() });
    /// let outcome = session.run("(tool/pay {})", &mut |_| Err(ToolError::inside("503 busy", "line 1, column 18")));
    /// assert_eq!(
    ///     problems_text(outcome.problems()),
    ///     "tool 'pay' failed: 503 busy at line 1, column 1 (in the program of the tool: line 1, column 18)",
    /// );
    /// ```
    pub fn inside(message: impl fmt::Display, place: impl fmt::Display) -> ToolError {
        ToolError::new(format!("{message}{INSIDE}{place})"))
    }

    /// The same failure, of a call that may have taken effect, or certainly has not.
    #[must_use]
    pub fn may_have_run(mut self, perhaps: bool) -> ToolError {
        self.may_have_run = perhaps;
        self
    }

    /// The same failure with what else the tool says about it.
    #[must_use]
    pub fn data(mut self, data: Option<Value>) -> ToolError {
        self.data = data;
        self
    }
}

/// The text before a place in the program of a tool. It is part of the message, so records and journals contain it.
const INSIDE: &str = " (in the program of the tool: ";

/// The message and the place in the program of the tool after it, as [`ToolError::inside`] wrote them, parentheses
/// included.
pub(crate) fn without_inside(message: &str) -> (&str, &str) {
    match message.find(INSIDE).filter(|_| message.ends_with(')')) {
        Some(at) => message.split_at(at),
        None => (message, ""),
    }
}

impl PartialEq for ToolError {
    fn eq(&self, other: &ToolError) -> bool {
        let has_same_data = || match (&self.data, &other.data) {
            (Some(data), Some(others)) => data.equals(others, &mut Meter::host()).unwrap_or(false),
            (data, others) => data.is_none() && others.is_none(),
        };
        self.message == other.message && self.may_have_run == other.may_have_run && has_same_data()
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    fn from(error: E) -> ToolError {
        ToolError::new(error.to_string())
    }
}

/// What services, clients and libraries say when an answer was lost.
const LOST: [&str; 16] = [
    "timeout",
    "timed out",
    "time-out",
    "no answer within",
    "deadline exceeded",
    "connection reset",
    "connection lost",
    "connection closed",
    "connection was closed",
    "connection aborted",
    "broken pipe",
    "unexpected eof",
    "unexpected end of file",
    "internal server error",
    "bad gateway",
    "service unavailable",
];

/// Words before a number that make it a status.
const BEFORE_STATUS: [&str; 8] = ["http", "https", "status", "code", "error", "failed", "returned", "response"];

/// Exit code of `timeout` for a command that took too long.
const TIMED_OUT: u8 = 124;

/// Exit codes of shells for commands that a signal ended.
const KILLED: RangeInclusive<u8> = 129..=159;

fn leaves_open(message: &str) -> bool {
    let message = message.to_lowercase();
    let (exit, message) = without_exit_code(&message);
    let is_stopped = exit.is_some_and(|code| code == TIMED_OUT || KILLED.contains(&code));
    is_stopped || LOST.iter().any(|words| message.contains(words)) || names_server_error(message)
}

/// `exit code 1: 503 busy` in its two parts.
fn without_exit_code(message: &str) -> (Option<u8>, &str) {
    let Some(rest) = message.strip_prefix("exit code ") else { return (None, message) };
    let (code, words) = rest.split_once(':').unwrap_or((rest, ""));
    (code.trim().parse().ok(), words.trim_start())
}

/// Whether a number from 500 to 599 is a status: it begins the message, or a word before it says so (`HTTP/1.1 503`).
fn names_server_error(message: &str) -> bool {
    let words: Vec<&str> = message.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().any(|(index, word)| {
        let is_error = word.len() == 3 && word.starts_with('5') && word.bytes().all(|byte| byte.is_ascii_digit());
        // A version may be between: the digits of `HTTP/1.1` and `HTTP/2`.
        let before = words.iter().take(index).rev().find(|word| word.len() > 1);
        is_error && before.is_none_or(|before| BEFORE_STATUS.contains(before))
    })
}
