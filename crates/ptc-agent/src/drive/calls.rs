//! Making the calls of a batch.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::{FutureExt, StreamExt, stream};
use indexmap::IndexMap;
use ptc_lisp::{BoxFuture, Tool, ToolCall, ToolFailure, ToolResult};

use super::children::Children;
use super::panic_text;
use super::report::{Reporter, Span};
use crate::agent::SubAgent;
use crate::run::PendingCall;
use crate::tool::{Callable, Callee, Target, asked_by};

/// How long a call may take when its tool does not say.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// What is said of a call that the deadline of the run ended.
pub(super) const DEADLINE: &str = "the mission deadline has passed";

/// The tools of a run and how to call them.
pub(super) struct Calls<'a> {
    pub tools: &'a IndexMap<String, Callable>,
    /// The agent that calls.
    pub agent: &'a SubAgent,
    pub children: &'a Children<'a>,
    /// Calls in flight at once.
    pub parallel: usize,
    pub reporter: &'a Reporter<'a>,
}

impl Calls<'_> {
    /// The results of these calls, in their order.
    pub async fn make(&self, pending: &[PendingCall], time_left: Option<Duration>) -> Vec<ToolResult> {
        if let [only] = pending {
            return vec![self.one(&only.call, time_left).await];
        }
        let calls: Vec<BoxFuture<'_, ToolResult>> = pending.iter().map(|pending| self.one(&pending.call, time_left).boxed()).collect();
        stream::iter(calls).buffered(self.parallel).collect().await
    }

    async fn one(&self, call: &ToolCall, time_left: Option<Duration>) -> ToolResult {
        let Some(tool) = self.tools.get(&*call.name) else {
            return Err(ToolFailure::new(format!("there is no tool '{}'", call.name)));
        };
        let span = self.reporter.call(call);
        let result = self.made(tool, call, time_left, span).await;
        self.reporter.called(span, call, &result);
        result
    }

    async fn made(&self, tool: &Callable, call: &ToolCall, time_left: Option<Duration>, span: Span) -> ToolResult {
        let callee = match tool.target() {
            Target::Host(tool) => return bounded(tool.as_ref(), call, time_left).await,
            Target::Agent(callee) => callee.as_ref().clone(),
            Target::Itself => Callee::of(self.agent.clone(), None),
            Target::Query => {
                let (callee, asked) = asked_by(call)?;
                return self.children.call(callee, &asked, time_left, self.reporter.parent(span)).await;
            }
        };
        self.children.call(callee, call, time_left, self.reporter.parent(span)).await
    }
}

async fn bounded(tool: &dyn Tool, call: &ToolCall, time_left: Option<Duration>) -> ToolResult {
    let own = tool.spec().timeout.unwrap_or(DEFAULT_TIMEOUT);
    let limit = time_left.map_or(own, |left| left.min(own));
    let guarded = AssertUnwindSafe(async { tool.call(call).await }).catch_unwind();
    match tokio::time::timeout(limit, guarded).await {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(ToolFailure::new(format!("it panicked: {}", panic_text(panic.as_ref())))),
        Err(_) if limit < own => Err(ToolFailure::new(DEADLINE)),
        Err(_) => Err(ToolFailure::new(format!("no answer within {} ms", own.as_millis()))),
    }
}
