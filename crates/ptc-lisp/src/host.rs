//! What the host gives to a run: tools and their answers.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ptc_signature::Signature;

use crate::value::Value;

/// What the interpreter must know of a tool: its name and how it is called. How it runs is the host's business.
#[derive(Clone, Debug, Default)]
pub struct ToolSpec {
    /// The name behind `tool/`.
    pub name: String,
    /// Declared parameters and result; without one any map is taken.
    pub signature: Option<Signature>,
    /// One line for the model.
    pub description: Option<String>,
    /// Whether equal calls may be answered from the run's cache.
    pub cache: bool,
    /// Whether a call whose end is unknown may be repeated.
    pub idempotent: bool,
    /// Whether somebody must allow each call.
    pub approve: bool,
    /// How long one call may take; `None` leaves it to the caller.
    pub timeout: Option<Duration>,
}

impl ToolSpec {
    /// A tool of this name without signature.
    #[must_use]
    pub fn new(name: impl Into<String>) -> ToolSpec {
        ToolSpec { name: name.into(), ..ToolSpec::default() }
    }

    /// The same tool with a signature.
    #[must_use]
    pub fn signature(mut self, signature: Signature) -> ToolSpec {
        self.signature = Some(signature);
        self
    }

    /// The same tool with a description.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> ToolSpec {
        self.description = Some(text.into());
        self
    }
}

/// One call that waits for the host.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// Number of the call within the program, from 1.
    pub seq: u64,
    /// The tool; all calls of a session share the text.
    pub name: Arc<str>,
    /// The arguments as sent: a map whose declared keys are folded to `snake_case` strings.
    pub args: Value,
    /// The arguments as the program wrote them, named: a map with keyword keys.
    pub surface: Value,
}

/// Why a tool gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFailure {
    /// One line for the model.
    pub message: String,
}

impl ToolFailure {
    /// A failure with this text.
    pub fn new(message: impl Into<String>) -> ToolFailure {
        ToolFailure { message: message.into() }
    }

    /// The failure of a tool that is a program itself: `503 busy (in the program of the tool: line 1, column 18)`.
    ///
    /// Errors of the caller show their own place first and this one behind it.
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, ToolFailure, ToolSpec, problems_text};
    ///
    /// let mut session = Session::new(SessionOptions { tools: vec![ToolSpec::new("pay")], ..SessionOptions::default() });
    /// let outcome = session.run("(tool/pay {})", &mut |_| Err(ToolFailure::inside("503 busy", "line 1, column 18")));
    /// assert_eq!(
    ///     problems_text(outcome.problems()),
    ///     "tool 'pay' failed: 503 busy at line 1, column 1 (in the program of the tool: line 1, column 18)",
    /// );
    /// ```
    pub fn inside(message: impl fmt::Display, place: impl fmt::Display) -> ToolFailure {
        ToolFailure::new(format!("{message}{INSIDE}{place})"))
    }
}

/// What stands before a place in the program of a tool. It is part of the message, so that records and journals have it.
const INSIDE: &str = " (in the program of the tool: ";

/// The message and the place in the program of the tool behind it, as [`ToolFailure::inside`] made them, ` (…)` and all.
pub(crate) fn without_inside(message: &str) -> (&str, &str) {
    match message.find(INSIDE).filter(|_| message.ends_with(')')) {
        Some(at) => message.split_at(at),
        None => (message, ""),
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolFailure {}

/// What a tool answered.
pub type ToolResult = Result<Value, ToolFailure>;

/// A future without a runtime.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A host function that programs may call.
pub trait Tool: Send + Sync {
    /// Name, signature and the rest of what models and the interpreter see.
    fn spec(&self) -> &ToolSpec;

    /// Run one call.
    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult>;
}

impl ToolRecord {
    /// The values that the record holds.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.args);
        visit(&self.surface);
        visit(&self.result);
    }
}

/// What became of one call; calls that never ended are recorded with an error.
#[derive(Clone, Debug)]
pub struct ToolRecord {
    /// The tool.
    pub name: Arc<str>,
    /// The arguments as sent.
    pub args: Value,
    /// The arguments as the program wrote them, named.
    pub surface: Value,
    /// The result; nil when it failed.
    pub result: Value,
    /// Why it failed.
    pub error: Option<String>,
    /// Wall time of the call.
    pub duration: Duration,
    /// Microseconds since 1970 when it started.
    pub started_micros: i64,
    /// Whether the answer came from the cache.
    pub cached: bool,
    /// Whether the host changed the arguments that the program wrote; these are the changed ones.
    pub edited: bool,
}

/// The result of a cacheable tool, for equal calls to come: in later programs, or in another session.
#[derive(Clone, Debug)]
pub struct CachedCall {
    /// The tool.
    pub name: Arc<str>,
    /// The arguments as sent.
    pub args: Value,
    /// What it answered.
    pub result: Value,
}
