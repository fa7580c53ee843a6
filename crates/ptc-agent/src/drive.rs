//! Driving a run: asks the model, makes the calls, and keeps the time that the run itself does not know.

mod approvals;
mod begin;
mod calls;
mod children;
mod chunks;
mod log;
mod options;
mod preview;
mod report;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use ptc_chat::{ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};
use ptc_transcript::{JournalError, Step};

use crate::error::AgentError;
use crate::machine::{Action, Event, Input, Run};
pub(crate) use begin::{Beginning, Opening};
use calls::Calls;
use children::Children;
use chunks::Chunks;
pub use chunks::OnChunk;
use log::Log;
pub(crate) use options::Identity;
pub use options::{OnBudget, RunOptions};
pub use preview::Preview;
use report::{Parent, Reporter};

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
async fn drive(
    mut run: Box<Run>,
    llm: &dyn Llm,
    options: &RunOptions,
    log: Log<'_>,
    parent: Option<Parent>,
) -> Result<Step, AgentError> {
    log.begin(&run, options)?;
    let agent = run.agent().clone();
    let reporter = Reporter::start(&options.observers, &run, parent);
    let children = Children::new(llm, options, &log);
    let calls = Calls {
        tools: &agent.definition.tools,
        agent: &agent,
        children: &children,
        parallel: options.spec.max_parallel_calls.max(1),
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
                    let decisions = match log.decided(&waiting)? {
                        Some(known) => known,
                        None => {
                            let approver = options.approval.as_deref();
                            log.deciding(&waiting, approvals::decide(approver, &waiting, time_left, &reporter).await)?
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
    log: &Log<'_>,
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
