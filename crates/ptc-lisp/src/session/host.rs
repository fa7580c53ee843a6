//! What the host provides to a run: tools and their answers.

mod failure;
mod functions;
mod kept;
mod notice;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::signature::{MAX_DESCRIPTION, Signature};
use serde::{Deserialize, Serialize};

use crate::escape::shortened_counted;
use crate::named::named;
use crate::session::fields::HiddenFields;
use crate::value::Value;
pub use failure::ToolError;
pub(crate) use failure::without_inside;
pub use functions::FnTools;
pub use kept::KeptAnswers;
pub use notice::{OnNotice, ToolNotice};

named! {
    /// Whether calls of a tool change anything outside the run.
    #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Effect {
        /// They only read: a call that is not made, or made twice, does no harm.
        Read = "read",
        /// They may change something. A tool that does not declare its effect counts as one that writes.
        #[default]
        Write = "write",
    }

    /// The name used in mission files and records: `read`, `write`.
    fn as_str
}

/// What the interpreter must know about a tool: its name and how it is called. How it runs is up to the host.
#[derive(Clone, Debug, Default)]
pub struct ToolSpec {
    /// The name after `tool/`.
    pub name: String,
    /// Declared parameters and result; without one, any map is accepted.
    pub signature: Option<Signature>,
    /// What it does, for the model: lists show its beginning, in one line.
    pub description: Option<String>,
    /// Whether equal calls may be answered from the run's cache.
    pub cache: bool,
    /// Whether a call with an unknown outcome may be repeated.
    pub idempotent: bool,
    /// Whether each call needs approval.
    pub approve: bool,
    /// Whether a call may change something outside the run.
    pub effect: Effect,
    /// Whether the tool says so itself: one that does not counts as one that writes.
    pub declares_effect: bool,
    /// How long one call may take; `None` leaves it to the caller.
    pub timeout: Option<Duration>,
    /// Whether lists of tools leave it out: it is named where it is of use.
    pub unlisted: bool,
    /// The fields of its results that models do not see.
    pub hidden_fields: HiddenFields,
    /// Results that it gave before, or values with the same fields: a program that looks up another field is warned where
    /// no signature says what the tool gives.
    pub observed: Vec<Value>,
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

    /// Everything that is known of the tool, beside its signature: its whole description, then a line for each parameter
    /// and field that its source describes. Empty when nothing is.
    #[must_use]
    pub fn details(&self) -> String {
        let about = self
            .description
            .as_deref()
            .map(|text| shortened_counted(text.trim(), MAX_DESCRIPTION).into_owned())
            .filter(|text| !text.is_empty());
        let lines = self.signature.as_ref().map(Signature::lines).unwrap_or_default();
        about.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
    }

    /// Whether a call may be made again when its outcome is unknown: it is idempotent, or it changes nothing.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.idempotent || self.effect == Effect::Read
    }

    /// Whether the tool says itself that it writes.
    #[must_use]
    #[inline]
    pub fn declares_write(&self) -> bool {
        self.declares_effect && self.effect == Effect::Write
    }

    /// The same tool, which declares this effect.
    #[must_use]
    pub fn effect(self, effect: Effect) -> ToolSpec {
        self.declared(Some(effect))
    }

    /// The same tool, which declares this effect, or none.
    #[must_use]
    pub fn declared(self, effect: Option<Effect>) -> ToolSpec {
        ToolSpec { effect: effect.unwrap_or(self.effect), declares_effect: effect.is_some(), ..self }
    }
}

/// One call that waits for the host.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// Number of the call within the program, from 1.
    pub seq: u64,
    /// The tool; all calls of a session share the text.
    pub name: Arc<str>,
    /// The arguments as sent: a map with its declared keys folded to `snake_case` strings. They are checked against the
    /// signature of the tool, and their values converted to its types; keywords are strings where it wants strings.
    pub args: Value,
    /// The arguments as the program wrote them, named: a map with keyword keys.
    pub surface: Value,
}

/// What a tool answered.
pub type ToolResult = Result<Value, ToolError>;

/// Answers no call: for [`crate::Session::run`] in sessions without tools.
///
/// Errors for every call, with a text for the model.
pub fn no_tools(call: &ToolCall) -> ToolResult {
    Err(ToolError::new(format!(
        "tool/{} cannot be called here: this session has no tools; compute the result without it",
        call.name
    )))
}

/// The answer to a waiting call, and where the host got it.
#[derive(Clone, Debug)]
pub struct ToolAnswer {
    /// What the tool answered.
    pub result: ToolResult,
    /// Whether the answer is from an earlier program, which failed: nothing was called now.
    pub from_failed_turn: bool,
    /// When the call was made, if the host knows. Otherwise the call counts from when the program started to wait until
    /// all calls of that wait were answered.
    pub time: Option<CallTime>,
}

impl From<ToolResult> for ToolAnswer {
    fn from(result: ToolResult) -> ToolAnswer {
        ToolAnswer { result, from_failed_turn: false, time: None }
    }
}

/// When a call was made, for its record. Programs do not see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallTime {
    /// Time from when the program started to wait until the call was made.
    pub waited: Duration,
    /// How long the tool took.
    pub took: Duration,
}

/// A future that needs no particular runtime.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A host function that programs may call.
///
/// Agents call these. A [`Session`](crate::Session) does not: its tools are [`ToolSpec`]s, and the host answers the calls.
///
/// ```
/// use ptc_lisp::{BoxFuture, Tool, ToolCall, ToolError, ToolResult, ToolSpec, from_value, to_value};
/// use serde::Deserialize;
///
/// struct Price(ToolSpec);
///
/// #[derive(Deserialize)]
/// struct Stay {
///     nights: u32,
/// }
///
/// impl Tool for Price {
///     fn spec(&self) -> &ToolSpec {
///         &self.0
///     }
///
///     fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
///         Box::pin(async move {
///             let stay: Stay = from_value(&call.args).map_err(|error| ToolError::new(error.to_string()))?;
///             to_value(&(stay.nights * 90)).map_err(|error| ToolError::new(error.to_string()))
///         })
///     }
/// }
/// ```
pub trait Tool: Send + Sync {
    /// Name, signature and the rest of what models and the interpreter see.
    fn spec(&self) -> &ToolSpec;

    /// Run one call.
    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult>;

    /// Run one call, and report its progress. A tool that has nothing to report keeps the default.
    fn watched_call<'a>(&'a self, call: &'a ToolCall, _on_notice: &'a OnNotice<'a>) -> BoxFuture<'a, ToolResult> {
        self.call(call)
    }
}

impl<T: Tool + ?Sized> Tool for Arc<T> {
    fn spec(&self) -> &ToolSpec {
        (**self).spec()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        (**self).call(call)
    }

    fn watched_call<'a>(&'a self, call: &'a ToolCall, on_notice: &'a OnNotice<'a>) -> BoxFuture<'a, ToolResult> {
        (**self).watched_call(call, on_notice)
    }
}

impl ToolRecord {
    /// The record of a call that the tool has answered.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a record is written where it stays")]
    pub fn new(
        ToolCall { name, args, surface, .. }: ToolCall,
        result: &ToolResult,
        effect: Effect,
        duration: Duration,
        started_micros: i64,
    ) -> ToolRecord {
        let failure = result.as_ref().err();
        ToolRecord {
            name,
            args,
            surface,
            result: result.as_ref().map_or(Value::Nil, Clone::clone),
            error: failure.map(|failure| failure.message.clone()),
            duration,
            started_micros,
            cached: false,
            edited: false,
            effect,
            declares_write: false,
            may_have_run: effect == Effect::Write && failure.is_some_and(|failure| failure.may_have_run),
            from_failed_turn: false,
            hidden_fields: HiddenFields::default(),
        }
    }

    /// The values that the record holds.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.args);
        visit(&self.surface);
        visit(&self.result);
    }

    /// The same record of a call of this tool.
    #[must_use]
    #[inline]
    pub fn of(self, spec: &ToolSpec) -> ToolRecord {
        ToolRecord { declares_write: spec.declares_write(), hidden_fields: spec.hidden_fields.clone(), ..self }
    }

    /// Whether the call changed something outside the run, or may have: a call of a tool that writes, which was made
    /// and is not known to have failed before it did anything.
    #[must_use]
    pub fn took_effect(&self) -> bool {
        let was_made = !self.cached && !self.from_failed_turn;
        self.effect == Effect::Write && was_made && (self.error.is_none() || self.may_have_run)
    }
}

/// The record of one call; calls that never ended are recorded with an error.
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
    /// Whether the host changed the arguments that the program wrote; this record holds the changed ones.
    pub edited: bool,
    /// Whether the tool may change something outside the run.
    pub effect: Effect,
    /// Whether the tool declares that it writes: then views show the arguments whole.
    pub declares_write: bool,
    /// Whether a failed call may still have taken effect; only for tools that write.
    pub may_have_run: bool,
    /// Whether the answer is one that an earlier, failed program got: nothing was called.
    pub from_failed_turn: bool,
    /// The fields of the result that models do not see.
    pub hidden_fields: HiddenFields,
}

/// The result of a cacheable tool, for later equal calls: in later programs, or in another session.
#[derive(Clone, Debug)]
pub struct CachedCall {
    /// The tool.
    pub name: Arc<str>,
    /// The arguments as sent.
    pub args: Value,
    /// What it answered.
    pub result: Value,
}
