//! Making the calls of a batch.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::{FutureExt, StreamExt, stream};
use ptc_chat::Llm;
use ptc_lisp::{BoxFuture, CallTime, Tool, ToolError, ToolResult};
use ptc_transcript::{JournalError, Spent};
use tokio::time::Instant;

use super::children::Children;
use super::guard::{DEADLINE, caught, lock, until};
use super::log::Log;
use super::options::RunOptions;
use super::report::{Reporter, Span};
use crate::agent::{Agent, Callee, Target, asked_by};
use crate::approval::PendingCall;
use crate::machine::Input;
use crate::tool::ToolContext;

/// How long a call may take when its tool does not say.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Makes the calls of a run.
pub(super) struct Calls<'a> {
    /// The agent that calls.
    pub agent: &'a Agent,
    pub llm: &'a dyn Llm,
    pub options: &'a RunOptions,
    pub reporter: &'a Reporter<'a>,
    pub log: &'a Log<'a>,
    pub children: Mutex<Children>,
    /// When the calls of the last batch were made, by their numbers.
    pub times: Mutex<Vec<(u64, CallTime)>>,
}

/// When calls made now must end.
#[derive(Clone, Copy)]
pub(super) struct Deadline {
    /// By the clock of this process.
    instant: Option<Instant>,
    /// By the time of the run.
    time: Duration,
}

impl Deadline {
    fn after(left: Duration, log: &Log<'_>) -> Deadline {
        Deadline { instant: Instant::now().checked_add(left), time: log.at().saturating_add(left) }
    }

    /// Time left for an agent called now.
    pub fn time_left(self, log: &Log<'_>) -> Duration {
        self.time.saturating_sub(log.at())
    }

    /// By the clock of this process, where it counts.
    pub fn instant(self, log: &Log<'_>) -> Option<Instant> {
        self.instant.filter(|_| !log.has_engine())
    }
}

/// What is known about a call that the caller stopped waiting for.
fn stopped() -> ToolError {
    ToolError::new("the run was cancelled before it answered").may_have_run(true)
}

/// The result of a call, or why it could not be recorded.
type Recorded = Result<ToolResult, JournalError>;

impl<'a> Calls<'a> {
    pub fn new(
        agent: &'a Agent,
        llm: &'a dyn Llm,
        options: &'a RunOptions,
        reporter: &'a Reporter<'a>,
        log: &'a Log<'a>,
    ) -> Calls<'a> {
        Calls { agent, llm, options, reporter, log, children: Mutex::default(), times: Mutex::default() }
    }

    /// The results of these calls, in their order. When the run was cancelled, calls not done by then have failed.
    pub async fn make(&self, pending: &[PendingCall], time_left: Option<Duration>) -> Result<Input, JournalError> {
        self.log.repeating(pending)?;
        let since = self.log.at();
        if !pending.iter().all(|pending| self.log.is_over(pending)) {
            self.log.go_live();
        }
        // Calls that wait for their turn wait within the deadline. A run that is resumed here was stopped after `since`.
        let left = |left: Duration| left.saturating_sub(self.log.at().saturating_sub(since));
        let deadline = time_left.map(|time_left| Deadline::after(left(time_left), self.log));
        lock(&self.times).clear();
        let results = match pending {
            [only] => vec![self.timed(only, deadline, since).await?],
            _ => {
                let calls: Vec<BoxFuture<'_, Recorded>> =
                    pending.iter().map(|pending| self.timed(pending, deadline, since).boxed()).collect();
                let parallel = self.options.spec.max_parallel_calls.max(1);
                let results: Vec<Recorded> = stream::iter(calls).buffered(parallel).collect().await;
                results.into_iter().collect::<Result<_, _>>()?
            }
        };
        let is_cancelled = self.options.cancel.is_cancelled();
        Ok(self.log.input(if is_cancelled { Input::Interrupted(results) } else { Input::Results(results) }))
    }

    /// The call of a batch that started at `since`, with its time noted.
    async fn timed(&self, pending: &PendingCall, deadline: Option<Deadline>, since: Duration) -> Recorded {
        let made = self.log.at();
        let (result, is_known) = self.one(pending, deadline).await?;
        let now = || CallTime { waited: made.saturating_sub(since), took: self.log.at().saturating_sub(made) };
        let known = is_known.then(|| self.log.time_of(pending, since)).flatten();
        lock(&self.times).push((pending.call.seq, known.unwrap_or_else(now)));
        Ok(result)
    }

    /// The result, and whether it is that of an earlier process.
    async fn one(&self, pending: &PendingCall, deadline: Option<Deadline>) -> Result<(ToolResult, bool), JournalError> {
        let call = &pending.call;
        // The run answers calls of its history before they get here.
        let Some((tool, target)) =
            self.agent.definition.tools.get(&*call.name).and_then(|tool| Some((tool, tool.target()?)))
        else {
            return Ok((Err(ToolError::new(format!("there is no tool '{}'", call.name))), false));
        };
        let known = self.log.result(pending, tool.spec())?;
        let is_known = known.is_some();
        // A process before this one may have done what this one does not.
        let has_begun = self.log.has_begun(pending);
        let not_called = |why: String| Err(ToolError::new(why).may_have_run(has_begun));
        if known.is_none() && self.options.cancel.is_cancelled() {
            return Ok((not_called("the run was cancelled before it was called".to_owned()), false));
        }
        let span = self.reporter.call(call);
        // The journal of a resumed run, or a durable engine, may have the result of an earlier process.
        let is_new = AtomicBool::new(false);
        let made = async {
            is_new.store(true, Ordering::Relaxed);
            self.made(target, pending, deadline, span).await
        };
        let result = match known {
            Some((result, spent)) => {
                lock(&self.children).lineage.spending.add(&spent);
                result
            }
            None if self.log.has_engine() => {
                let done = Box::pin(self.log.call(pending, tool.spec(), target.is_agent(), made));
                tokio::select! {
                    biased;
                    result = done => result?,
                    () = self.options.cancel.cancelled() => Err(stopped()),
                }
            }
            None => match self.log.calling(pending, tool.spec(), target.is_agent()) {
                Err(error) => not_called(format!("it was not called: {error}")),
                Ok(()) => tokio::select! {
                    biased;
                    (result, spent) = made => {
                        let perhaps = |failure: ToolError| if has_begun { failure.may_have_run(true) } else { failure };
                        match result.map_err(perhaps) {
                            // It was stopped, too: whether it would have answered is unknown.
                            Err(failure) if target.is_agent() && self.options.cancel.is_cancelled() => Err(failure),
                            result => self.log.called(pending, result, spent)?,
                        }
                    }
                    // It is unknown whether it was done: the journal has no end of it.
                    () = self.options.cancel.cancelled() => Err(stopped()),
                },
            },
        };
        self.reporter.called(span, call, is_new.load(Ordering::Relaxed), &result);
        Ok((result, is_known))
    }

    /// The answer, and what an agent called here asked of models.
    async fn made(
        &self,
        target: &Target,
        pending: &PendingCall,
        deadline: Option<Deadline>,
        span: Span,
    ) -> (ToolResult, Spent) {
        let (callee, asked) = match target {
            Target::Host(tool) => {
                let end = deadline.and_then(|deadline| deadline.instant);
                return (self.bounded(tool.as_ref(), pending, end, span).await, Spent::default());
            }
            Target::Agent(callee) => (callee.as_ref().clone(), None),
            Target::Itself => (Callee::of(self.agent.clone(), None), None),
            Target::Query => match asked_by(&pending.call) {
                Ok((callee, call)) => (callee, Some(PendingCall { call, ..pending.clone() })),
                Err(failure) => return (Err(failure), Spent::default()),
            },
        };
        let spending = lock(&self.children).lineage.spending.below();
        let under = (self.reporter.parent(span), spending.clone());
        let result = Box::pin(self.ask_agent(callee, asked.as_ref().unwrap_or(pending), deadline, under)).await;
        (result, spending.spent())
    }

    /// The answer, unless the time of the tool or of the run is up before.
    async fn bounded(
        &self,
        tool: &dyn Tool,
        pending: &PendingCall,
        deadline: Option<Instant>,
        span: Span,
    ) -> ToolResult {
        let own = tool.spec().timeout.unwrap_or(DEFAULT_TIMEOUT);
        let own_end = Instant::now().checked_add(own);
        let end = [deadline, own_end].into_iter().flatten().min();
        let context = ToolContext::new(&pending.id, end, self.options.cancel.clone());
        let on_notice = |notice| {
            self.log.noticed(pending, &notice);
            self.reporter.notice(span, &pending.call, notice);
        };
        let call = context.around(async { tool.watched_call(&pending.call, &on_notice).await });
        match until(end, caught(call)).await {
            Some(Ok(result)) => result,
            Some(Err(panic)) => Err(ToolError::new(format!("it panicked: {panic}")).may_have_run(true)),
            None if end < own_end => Err(ToolError::new(DEADLINE).may_have_run(true)),
            None => Err(ToolError::new(format!("no answer within {} ms", own.as_millis())).may_have_run(true)),
        }
    }
}
