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
