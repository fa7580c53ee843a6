//! Making the calls of a batch.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt, StreamExt, stream};
use indexmap::IndexMap;
use ptc_lisp::{BoxFuture, Tool, ToolCall, ToolFailure, ToolResult};
use ptc_transcript::JournalError;

use super::log::Log;
use super::panic_text;
use super::report::Reporter;
use crate::run::PendingCall;

/// How long a call may take when its tool does not say.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The tools of a run and how to call them.
pub(super) struct Calls<'a> {
    pub tools: &'a IndexMap<String, Arc<dyn Tool>>,
    /// Calls in flight at once.
    pub parallel: usize,
    pub reporter: &'a Reporter<'a>,
    pub log: &'a Log,
}

/// What a call came to, or why it could not be recorded.
type Recorded = Result<ToolResult, JournalError>;

impl Calls<'_> {
    /// The results of these calls, in their order.
    pub async fn make(&self, pending: &[PendingCall], time_left: Option<Duration>) -> Result<Vec<ToolResult>, JournalError> {
        if let [only] = pending {
            return Ok(vec![self.one(only, time_left).await?]);
        }
        let calls: Vec<BoxFuture<'_, Recorded>> = pending.iter().map(|pending| self.one(pending, time_left).boxed()).collect();
        let results: Vec<Recorded> = stream::iter(calls).buffered(self.parallel).collect().await;
        results.into_iter().collect()
    }

    async fn one(&self, pending: &PendingCall, time_left: Option<Duration>) -> Recorded {
        let call = &pending.call;
        let Some(tool) = self.tools.get(&*call.name) else {
            return Ok(Err(ToolFailure::new(format!("there is no tool '{}'", call.name))));
        };
        let known = self.log.result(pending, tool.spec())?;
        let span = self.reporter.call(call);
        let result = match known {
            Some(result) => result,
            None => {
                self.log.calling(pending)?;
                let result = bounded(tool.as_ref(), call, time_left).await;
                self.log.called(pending, result)?
            }
        };
        self.reporter.called(span, call, &result);
        Ok(result)
    }
}

async fn bounded(tool: &dyn Tool, call: &ToolCall, time_left: Option<Duration>) -> ToolResult {
    let own = tool.spec().timeout.unwrap_or(DEFAULT_TIMEOUT);
    let limit = time_left.map_or(own, |left| left.min(own));
    let guarded = AssertUnwindSafe(async { tool.call(call).await }).catch_unwind();
    match tokio::time::timeout(limit, guarded).await {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(ToolFailure::new(format!("it panicked: {}", panic_text(panic.as_ref())))),
        Err(_) if limit < own => Err(ToolFailure::new("the mission deadline has passed")),
        Err(_) => Err(ToolFailure::new(format!("no answer within {} ms", own.as_millis()))),
    }
}
