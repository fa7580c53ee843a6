//! What a tool may know about the call that it answers.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

tokio::task_local! {
    /// The call that the running future answers.
    static CALL: ToolContext;
}

/// The call that a tool answers: a function takes it after its arguments, any other implementation of
/// [`ptc_lisp::Tool`] asks for [`ToolContext::current`].
///
/// ```
/// use ptc_agent::{FnTool, ToolContext, ToolError};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Page { url: String }
///
/// async fn fetch(page: Page, context: ToolContext) -> Result<String, ToolError> {
///     tokio::select! {
///         () = context.cancelled() => Err(ToolError::new("given up")),
///         text = async { format!("call {} read {}", context.call_id(), page.url) } => Ok(text),
///     }
/// }
///
/// let tool = FnTool::new("fetch", "Reads a page", fetch);
/// assert_eq!(tool.spec().signature.as_ref().unwrap().to_string(), "(url :string) -> :string");
/// ```
#[derive(Debug, Clone)]
pub struct ToolContext {
    call_id: Arc<str>,
    deadline: Option<Instant>,
    cancel: CancellationToken,
}

impl ToolContext {
    /// The context of a call of this id, which must end by `deadline` or when `cancel` says so.
    pub(crate) fn new(call_id: &str, deadline: Option<Instant>, cancel: CancellationToken) -> ToolContext {
        ToolContext { call_id: call_id.into(), deadline, cancel }
    }

    /// The context of the call that the running future answers. `None` outside runs, and in tasks and threads that a
    /// tool started itself: pass them a clone.
    #[must_use]
    pub fn current() -> Option<ToolContext> {
        CALL.try_with(Clone::clone).ok()
    }

    /// Run, turn and number of the call within the turn, `RUN/2/1`: the same when a run resumes after a crash, so that
    /// a service can tell a repeated call from a second one. Empty outside runs.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The time until which the answer is awaited.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// How long the answer is still awaited; `None`: forever.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether the answer is no longer awaited: the run was cancelled or the time is up. Functions that are not async
    /// run until they return, so long ones should check from time to time.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Ends when the answer is no longer awaited.
    pub async fn cancelled(&self) {
        self.cancel.cancelled().await;
    }

    /// The token behind [`ToolContext::cancelled`], for work that takes one.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Let `call` find this as its context.
    pub(crate) async fn around<T>(self, call: impl Future<Output = T>) -> T {
        CALL.scope(self, call).await
    }

    /// The current context with its own token, cancelled when the guard is dropped, along with the future of the call.
    pub(super) fn guarded() -> (ToolContext, DropGuard) {
        let mut context =
            ToolContext::current().unwrap_or_else(|| ToolContext::new("", None, CancellationToken::new()));
        context.cancel = context.cancel.child_token();
        let guard = context.cancel.clone().drop_guard();
        (context, guard)
    }
}
