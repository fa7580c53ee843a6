//! Driving a run: asks the model, makes the calls, and keeps the time that the run itself does not know.

mod approvals;
mod calls;
mod chunks;
mod report;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use indexmap::IndexMap;
use ptc_chat::{ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};
use ptc_lisp::{CachedCall, Clock, SystemClock, Tool};
use ptc_transcript::{Observer, Step};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::approval::{ApprovalScope, Approver};
use crate::run::{Action, Event, Input, Run};
use calls::Calls;
use chunks::Chunks;
pub use chunks::OnChunk;
use report::Reporter;

/// What one run may have beside its agent and its context.
#[derive(Clone)]
pub struct RunOptions {
    /// The model to ask; else the agent's.
    pub llm: Option<Arc<dyn Llm>>,
    /// Whether the step holds the messages, and each turn what was sent for it.
    pub collect_messages: bool,
    /// Whether the step holds the turns.
    pub keep_turns: KeepTurns,
    /// Whether providers are asked to cache the stable part of requests.
    pub cache: bool,
    /// Input and output tokens of the whole run.
    pub token_limit: Option<u64>,
    /// What happens above that.
    pub on_budget_exceeded: OnBudgetExceeded,
    /// Tool calls in flight at once.
    pub max_parallel_calls: usize,
    /// Asked before what needs approval; without one a run with such tools does not start.
    pub approval: Option<Arc<dyn Approver>>,
    /// What is asked about.
    pub approval_scope: ApprovalScope,
    /// Answers of cacheable tools from earlier runs: their [`Step::tool_cache`].
    pub tool_cache: Vec<CachedCall>,
    /// Ends the run when it is cancelled, wherever it is: the step has what was done until then.
    pub cancel: CancellationToken,
    /// Told what happens, in order.
    pub observers: Vec<Arc<dyn Observer>>,
    /// Fuel after which others may work; `None` never stops before the program does.
    pub slice: Option<u64>,
    /// Seed of `rand` and its kin.
    pub seed: u64,
    /// The clock that programs read.
    pub clock: Arc<dyn Clock>,
    /// Told the text of the final answer as it is written, in text mode.
    pub on_chunk: Option<OnChunk>,
    /// Finished tasks by id, which `(task id …)` answers without working again; `None` keeps none.
    pub tasks: Option<Vec<(String, ptc_lisp::Value)>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            llm: None,
            collect_messages: false,
            keep_turns: KeepTurns::Always,
            cache: false,
            token_limit: None,
            on_budget_exceeded: OnBudgetExceeded::Fail,
            max_parallel_calls: 64,
            approval: None,
            approval_scope: ApprovalScope::Calls,
            tool_cache: Vec::new(),
            cancel: CancellationToken::new(),
            observers: Vec::new(),
            slice: Some(100_000),
            seed: 0,
            clock: Arc::new(SystemClock),
            on_chunk: None,
            tasks: None,
        }
    }
}

/// When the step keeps its turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeepTurns {
    /// Always.
    #[default]
    Always,
    /// When the run has no answer.
    OnError,
    /// Never.
    Never,
}

/// What a run does when its token limit is used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnBudgetExceeded {
    /// It ends with `budget_callback_exceeded`.
    #[default]
    Fail,
    /// The value of the last good turn is the answer, if it fits.
    ReturnPartial,
}

/// Do what the run says until it is over.
pub(crate) async fn drive(mut run: Run, llm: &dyn Llm, tools: &IndexMap<String, Arc<dyn Tool>>, options: RunOptions) -> Step {
    let began = Instant::now();
    let reporter = Reporter::start(&options.observers, &run);
    let parallel = options.max_parallel_calls.max(1);
    let calls = Calls { tools, parallel, cancel: &options.cancel, reporter: &reporter };
    let mut input = if options.cancel.is_cancelled() { Input::Cancel } else { Input::Begin };
    loop {
        let action = decide(&mut run, Event { at: began.elapsed(), input });
        reporter.turns(&run);
        // Calls end by themselves when the run is cancelled, so that finished ones keep their results.
        let is_calling = matches!(action, Action::CallTools { .. });
        let done = async {
            match action {
                Action::Finish(step) => return Err(step),
                Action::Slice => tokio::task::yield_now().await,
                Action::AskLlm { request, delay } => {
                    return Ok(Input::Reply(ask(llm, &request, delay, options.on_chunk.as_ref(), &reporter).await));
                }
                Action::CallTools { calls: pending, time_left } => return Ok(calls.make(&pending, time_left).await),
                Action::Approve { waiting, time_left } => {
                    let approver = options.approval.as_deref();
                    return Ok(Input::Decisions(approvals::decide(approver, &waiting, time_left, &reporter).await));
                }
            }
            Ok(Input::Continue)
        };
        let done = tokio::select! {
            biased;
            done = done => done,
            () = options.cancel.cancelled(), if !is_calling => Ok(Input::Cancel),
        };
        match done {
            Ok(next) => input = next,
            Err(step) => return reporter.stop(*step),
        }
        if options.cancel.is_cancelled() && !is_calling {
            input = Input::Cancel;
        }
    }
}

/// A defect in the loop ends the run instead of the caller's task.
fn decide(run: &mut Run, event: Event) -> Action {
    match std::panic::catch_unwind(AssertUnwindSafe(|| run.next(event))) {
        Ok(action) => action,
        Err(panic) => run.broken(&panic_text(panic.as_ref())),
    }
}

async fn ask(
    llm: &dyn Llm,
    request: &Request,
    delay: Duration,
    on_chunk: Option<&OnChunk>,
    reporter: &Reporter<'_>,
) -> Result<Reply, LlmError> {
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    let asked = reporter.ask(request, llm.name());
    let mut chunks = on_chunk.and_then(|on_chunk| Chunks::of(on_chunk, request));
    let sink = chunks.as_mut().map(|chunks| chunks as &mut dyn ChunkSink);
    let answer = AssertUnwindSafe(async { llm.reply(request, sink).await }).catch_unwind().await;
    let reply = answer.unwrap_or_else(|panic| {
        let message = format!("the client panicked: {}", panic_text(panic.as_ref()));
        Err(LlmError::new(LlmErrorKind::Unknown, message))
    });
    if let (Some(chunks), Ok(reply)) = (chunks, &reply) {
        chunks.finish(reply);
    }
    reporter.replied(asked, request, &reply);
    reply
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a text".to_owned())
}

#[cfg(test)]
mod tests;
