//! Driving a run: asks the model, makes the calls, and keeps the time that the run itself does not know.

mod approvals;
mod calls;
mod children;
mod chunks;
mod log;
mod report;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use ptc_chat::{ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};
use ptc_lisp::{CachedCall, Clock, SystemClock};
use ptc_transcript::{Journal, JournalError, Observer, Recorded, Step};
use tokio_util::sync::CancellationToken;

use crate::approval::{ApprovalScope, Approver};
use crate::error::AgentError;
use crate::models::LlmRegistry;
use crate::run::{Action, Event, Input, Run};
use calls::Calls;
use children::Children;
use chunks::Chunks;
pub use chunks::OnChunk;
pub(crate) use log::Log;
use report::{Parent, Reporter};

/// What one run may have beside its agent and its context.
#[derive(Clone)]
pub struct RunOptions {
    /// The model to ask; else the agent's.
    pub llm: Option<Arc<dyn Llm>>,
    /// Models by name, for agents that name theirs; agents called as tools see the same ones.
    pub llm_registry: LlmRegistry,
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
    /// The clock that programs read. With a journal it stands still while a program runs: it moves with each answer of the
    /// model and with each result of a call.
    pub clock: Arc<dyn Clock>,
    /// Told the text of the final answer as it is written, in text mode.
    pub on_chunk: Option<OnChunk>,
    /// Finished tasks by id, which `(task id …)` answers without working again; `None` keeps none.
    pub tasks: Option<Vec<(String, ptc_lisp::Value)>>,
    /// First part of the ids of calls; made up when nothing is said.
    pub run_id: Option<Arc<str>>,
    /// Where the run writes what a crash must not lose; for [`run_with`](crate::SubAgent::run_with), like `resume`.
    pub journal: Option<Arc<dyn Journal>>,
    /// The journal of the same run before a crash: what it holds is not asked and not called again. `journal` should then
    /// append to it. Its seed wins over `seed`.
    pub resume: Option<Arc<Recorded>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            llm: None,
            llm_registry: LlmRegistry::new(),
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
            run_id: None,
            journal: None,
            resume: None,
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

/// Why the driver stops.
enum Stop {
    /// The run is over.
    Finished(Box<Step>),
    /// The journal cannot be followed or written.
    Journal(JournalError),
}

impl From<JournalError> for Stop {
    fn from(error: JournalError) -> Self {
        Stop::Journal(error)
    }
}

/// Do what the run says until it is over.
///
/// Errors when the run takes another course than its journal, before anything new is done.
pub(crate) async fn drive(run: Run, llm: &dyn Llm, options: RunOptions, log: Log) -> Result<Step, AgentError> {
    drive_below(run, llm, options, log, None).await
}

/// The same for a run that answers a call of another one.
async fn drive_below(mut run: Run, llm: &dyn Llm, options: RunOptions, log: Log, parent: Option<Parent>) -> Result<Step, AgentError> {
    log.begin(&run, &options)?;
    let agent = run.agent().clone();
    let reporter = Reporter::start(&options.observers, &run, parent);
    let children = Children::new(llm, &options);
    let calls = Calls {
        tools: &agent.definition.tools,
        agent: &agent,
        children: &children,
        parallel: options.max_parallel_calls.max(1),
        cancel: &options.cancel,
        reporter: &reporter,
        log: &log,
    };
    let mut input = if options.cancel.is_cancelled() { Input::Cancel } else { Input::Begin };
    loop {
        let action = decide(&mut run, Event { at: log.at(), input });
        reporter.turns(&run);
        let logged = log.turns(&run);
        // Calls end by themselves when the run is cancelled, so that finished ones keep their results.
        let is_calling = matches!(action, Action::CallTools { .. });
        if is_calling {
            children.begin_batch(run.lineage());
        }
        let done = async {
            match action {
                // Whatever became of the last line: nothing comes after it that a crash could lose.
                Action::Finish(step) => return Err(Stop::Finished(step)),
                _ if logged.is_err() => logged?,
                Action::Slice => tokio::task::yield_now().await,
                Action::AskLlm { request, delay } => {
                    let reply = ask(llm, &request, delay, options.on_chunk.as_ref(), &reporter, &log).await?;
                    return Ok(Input::Reply(reply));
                }
                Action::CallTools { calls: pending, time_left } => return Ok(calls.make(&pending, time_left).await?),
                Action::Approve { waiting, time_left } => {
                    let ids = waiting.ids();
                    let decisions = match log.decided(&ids)? {
                        Some(known) => known,
                        None => {
                            let approver = options.approval.as_deref();
                            log.deciding(ids, approvals::decide(approver, &waiting, time_left, &reporter).await)?
                        }
                    };
                    return Ok(Input::Decisions(decisions));
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
            Err(Stop::Finished(mut step)) => {
                step.child_steps = children.take_steps();
                return Ok(reporter.stop(*step));
            }
            Err(Stop::Journal(JournalError::Unwritable(problem))) => input = Input::JournalFailed(problem),
            Err(Stop::Journal(error)) => {
                reporter.broken(&error.to_string());
                return Err(error.into());
            }
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

/// The answer of the journal, or of the model; observers hear of both.
async fn ask(
    llm: &dyn Llm,
    request: &Request,
    delay: Duration,
    on_chunk: Option<&OnChunk>,
    reporter: &Reporter<'_>,
    log: &Log,
) -> Result<Result<Reply, LlmError>, JournalError> {
    let known = log.reply(request)?;
    if known.is_none() && !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    let asked = reporter.ask(request, llm.name());
    let mut chunks = on_chunk.and_then(|on_chunk| Chunks::of(on_chunk, request));
    let reply = match known {
        Some(reply) => {
            if let (Some(chunks), Ok(reply)) = (&mut chunks, &reply) {
                chunks.chunk(&reply.content);
            }
            reply
        }
        None => {
            let reply = answer(llm, request, chunks.as_mut()).await;
            log.replied(request, &reply)?;
            reply
        }
    };
    if let (Some(chunks), Ok(reply)) = (chunks, &reply) {
        chunks.finish(reply);
    }
    reporter.replied(asked, request, &reply);
    Ok(reply)
}

async fn answer(llm: &dyn Llm, request: &Request, chunks: Option<&mut Chunks>) -> Result<Reply, LlmError> {
    let sink = chunks.map(|chunks| chunks as &mut dyn ChunkSink);
    let answer = AssertUnwindSafe(async { llm.reply(request, sink).await }).catch_unwind().await;
    answer.unwrap_or_else(|panic| {
        let message = format!("the client panicked: {}", panic_text(panic.as_ref()));
        Err(LlmError::new(LlmErrorKind::Unknown, message))
    })
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a text".to_owned())
}

#[cfg(test)]
mod tests;
