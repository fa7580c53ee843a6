//! Driving a run: starts it, asks the model, makes the calls, and keeps the time, which the run itself does not know.

mod approvals;
mod ask;
mod calls;
mod children;
mod chunks;
mod guard;
mod log;
mod options;
mod preview;
mod programs;
mod report;
mod settings;
mod start;
mod stream;

use std::ops::ControlFlow;
use std::sync::Arc;

use ptc_chat::{Llm, Message};
use ptc_lisp::BoxFuture;
use ptc_transcript::{JournalError, Step};

use crate::agent::Agent;
use crate::approval::ApprovalScope;
use crate::context::Context;
use crate::engine::{Held, Start};
use crate::error::AgentError;
use crate::machine::lineage::Lineage;
use crate::machine::{Action, Input, Run, TimedInput};
use ask::Asking;
use calls::Calls;
use guard::{lock, unwound};
use report::{Parent, Reporter};

pub(crate) use log::{KnownDecisions, Log};
pub use options::RunOptions;
pub use programs::ProgramSession;
pub(crate) use settings::{HISTORY, Settings};
pub use stream::Streamed;

/// What a run starts with.
pub(crate) enum Opening {
    /// The mission of the agent.
    Mission,
    /// The next text of a conversation, after what was said before.
    Text(Vec<Message>, String),
    /// A program that runs instead of asking a model.
    Program(Arc<str>),
}

/// A run to start.
pub(crate) struct Beginning<'a> {
    pub agent: &'a Agent,
    pub context: Context,
    pub llm: &'a dyn Llm,
    pub options: RunOptions,
    pub opening: Opening,
}

/// The run that calls the one to start.
struct ParentRun<'a> {
    pub log: &'a Log<'a>,
    pub lineage: Lineage,
    pub parent: Parent,
}

impl<'a> Beginning<'a> {
    /// Run from the beginning to the end.
    ///
    /// Errors only before anything is done.
    pub fn run(self) -> BoxFuture<'a, Result<Step, AgentError>> {
        self.below(None)
    }

    /// The same for a run that may answer a call of another one. What was approved for the run above covers its calls.
    ///
    /// Boxed, since a run inside a run has no largest size, and each future around it would contain its size once more.
    fn below(self, above: Option<ParentRun<'a>>) -> BoxFuture<'a, Result<Step, AgentError>> {
        Box::pin(async move {
            let Beginning { agent, context, llm, options, opening } = self;
            let (log, lineage, parent) = match above {
                Some(ParentRun { log, lineage, parent }) => (log.below(&options), lineage, Some(parent)),
                None => {
                    check_approver(agent, &options)?;
                    agent.check_models(&options.llm_registry)?;
                    (Log::open(&options), Lineage::default(), None)
                }
            };
            let start = || agent.start_as(context, &options, log.identity(), lineage);
            let mut run = Box::new(unwound(start).map_err(AgentError::Panicked)??);
            match opening {
                Opening::Mission => {}
                Opening::Text(before, text) => run.converse(before, &text),
                Opening::Program(program) => run.facts.program = Some(program),
            }
            drive(run, llm, &options, log, parent).await
        })
    }
}

/// Refuse a run that needs approval but has no approver.
fn check_approver(agent: &Agent, options: &RunOptions) -> Result<(), AgentError> {
    if options.approval.is_some() || options.engine.is_some() {
        return Ok(());
    }
    if options.approval_scope == ApprovalScope::Programs {
        return Err(AgentError::ProgramApproverRequired);
    }
    let marked = agent.marked_tools();
    if marked.is_empty() { Ok(()) } else { Err(AgentError::ApproverRequired(marked)) }
}

/// Do what the run says until it is over.
///
/// Errors when the run diverges from its journal, before anything new is done.
async fn drive(
    mut run: Box<Run>,
    llm: &dyn Llm,
    options: &RunOptions,
    log: Log<'_>,
    parent: Option<Parent>,
) -> Result<Step, AgentError> {
    let for_engine = log.begin(&run, options)?;
    let begun = Box::pin(log.begin_engine(for_engine)).await;
    let agent = run.agent().clone();
    let reporter = Reporter::start(&options.observers, log.run_id(), &run, parent);
    let calls = Calls::new(&agent, llm, options, &reporter, &log);
    let mut input = match begun {
        Err(error) => log.diverged(error),
        Ok(()) if options.cancel.is_cancelled() => Input::Cancel,
        Ok(()) => Input::Begin,
    };
    let mut held = None;
    loop {
        run.call_times = std::mem::take(&mut *lock(&calls.times));
        let action = decide(&mut run, TimedInput { at: log.at(), input }, &mut held);
        reporter.turns(&run);
        let logged = log.turns(&run);
        // Calls end on their own when the run is cancelled, so that finished ones keep their results.
        let is_calling = matches!(action, Action::CallTools { .. });
        if is_calling {
            lock(&calls.children).begin_batch(run.lineage());
        }
        let done = async {
            // Whatever happened to the last line: nothing after it could be lost in a crash.
            match logged {
                Err(JournalError::Unwritable(_)) if matches!(action, Action::Finish(_)) => {}
                logged => logged?,
            }
            Ok(ControlFlow::Continue(match action {
                Action::Finish(step) => {
                    log.may_end(&step)?;
                    return Ok(ControlFlow::Break(log.judged(step)));
                }
                Action::Slice => {
                    log.rest().await;
                    Input::Continue
                }
                Action::AskLlm { request, delay, time_left } => {
                    let asking = Asking { llm, options, reporter: &reporter, log: &log };
                    asking.ask(&request, delay, time_left).await?
                }
                Action::CallTools { calls: pending, time_left } => calls.make(&pending, time_left).await?,
                Action::Approve { waiting, time_left } => {
                    Input::Decisions(approvals::decisions(&waiting, time_left, options, &reporter, &log).await?)
                }
            }))
        };
        let done = tokio::select! {
            biased;
            done = done => done,
            () = options.cancel.cancelled(), if !is_calling => Ok(ControlFlow::Continue(Input::Cancel)),
        };
        match done {
            Ok(ControlFlow::Continue(next)) => input = next,
            Ok(ControlFlow::Break(mut step)) => {
                step.child_steps = lock(&calls.children).take_steps();
                log.ended(&step);
                return Ok(reporter.stop(*step));
            }
            Err(error) if log.has_engine() => input = log.diverged(error),
            Err(JournalError::Unwritable(problem)) => input = Input::JournalFailed(problem),
            Err(error) => {
                reporter.broken(&error.to_string());
                return Err(error.into());
            }
        }
        input = allowed(input, &log, run.turns().len() + 1, &mut held).await;
        input = if options.cancel.is_cancelled() { cancelled(input, is_calling) } else { input };
    }
}

/// What the run may do with this; what it holds while it computes goes to `held`.
async fn allowed(input: Input, log: &Log<'_>, turn: usize, held: &mut Option<Held>) -> Input {
    if !matches!(input, Input::Reply(Ok(_)) | Input::Results(_) | Input::Interrupted(_) | Input::Decisions(_)) {
        return input;
    }
    match log.starting(turn).await {
        Ok(Start::Go(given)) => *held = given,
        Ok(Start::Lost(times)) => return Input::Poisoned(Box::new(input), times),
        Err(error) => return log.diverged(error),
    }
    input
}

/// The input of the run when it is cancelled while this happens.
fn cancelled(happened: Input, is_calling: bool) -> Input {
    match happened {
        Input::Reply(reply) => Input::CancelAfter(reply),
        Input::Results(results) => Input::Interrupted(results),
        Input::Diverged(_) | Input::Unrecorded(..) | Input::Poisoned(..) => happened,
        _ if is_calling => happened,
        _ => Input::Cancel,
    }
}

/// A defect in the loop ends the run instead of the caller's task. What is `held` is dropped once the run has computed.
fn decide(run: &mut Run, event: TimedInput, held: &mut Option<Held>) -> Action {
    let action = match unwound(|| run.next(event)) {
        Ok(action) => action,
        Err(panic) => run.broken(&panic),
    };
    if !matches!(action, Action::Slice) {
        *held = None;
    }
    action
}

#[cfg(test)]
mod tests;
