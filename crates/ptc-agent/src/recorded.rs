//! A journal read back as the step of its run. Programs of journals of version 1 run again on recorded answers; no model is
//! asked and no tool is called.

mod written;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ptc_chat::PastRequest;
use ptc_lisp::{BoxFuture, CallTime, Map, Reason, ToolCall, ToolError, ToolResult, ToolSpec, Value};
use ptc_transcript::{
    CachedCallJson, EndingKind, Fail, FailKind, FailReason, JournalError, JournalHeader, ReadError, Recorded, Step,
    value_of,
};
use serde_json::Value as Json;

use crate::agent::{Agent, AgentBuilder, Callable, signature};
use crate::approval::{Approval, ApprovalScope, PendingCall};
use crate::context::Context;
use crate::drive::{HISTORY, KnownDecisions, Log, RunOptions, Settings};
use crate::error::AgentError;
use crate::machine::lineage::Lineage;
use crate::machine::{Action, Input, Run, TimedInput};

/// The text for the missing rest of a run whose journal ends early.
const INTERRUPTED: &str = "the journal ends before the run did: it was stopped, its model failed, a bound was reached, or it is still running; a resumed run continues from here";

/// What a program of a journal may take, whatever limits the journal names.
const PROGRAM_TIME: Duration = Duration::from_secs(60);
/// Bytes that it may hold, the data of the run included.
const PROGRAM_HEAP: u64 = 1 << 30;
/// Its units of work.
const PROGRAM_FUEL: u64 = 1_000_000_000;
/// Nested calls in it.
const PROGRAM_DEPTH: usize = 100_000;
/// Bytes of its text.
const PROGRAM_SOURCE: usize = 1 << 20;
/// Printed lines that are kept of it.
const PROGRAM_PRINTS: usize = 10_000;
/// The time that all of them may take together.
const ALL_PROGRAMS: Duration = Duration::from_secs(600);

/// The step of a journaled run, as far as its journal goes.
///
/// It is that of the run, turn by turn, with the steps of the agents that were called, which have all of theirs. A run
/// that was interrupted, whose model failed at last, or that reached a bound of tokens or time ends with `cancelled`
/// and says so: it can be resumed.
///
/// Nothing runs, except for journals of version 1: they have only answers and results, so that their programs run again,
/// each a minute and 1 GB at most, whatever limits the journal names, and all ten minutes. Errors when the journal
/// cannot be read, and when such a program diverges from its record, exceeds these limits, or is of a run with a custom
/// strategy.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, RunOptions, blocking, recorded_step};
/// use ptc_chat::ScriptedLlm;
/// use ptc_transcript::{JournalWriter, Recorded};
///
/// let journal = Arc::new(JournalWriter::new(Vec::new()));
/// let agent = Agent::builder("Add one and two.").build()?;
/// let options = RunOptions::new()
///     .llm(Arc::new(ScriptedLlm::replies(["(def sum (+ 1 2))", "(return sum)"])))
///     .journal(Arc::<JournalWriter<Vec<u8>>>::clone(&journal));
/// blocking::run_with(&agent, (), options)?;
///
/// let lines = Arc::into_inner(journal).unwrap().into_writer();
/// let step = recorded_step(Recorded::read(&lines)?.unwrap())?;
/// assert_eq!(step.turns().len(), 2);
/// assert_eq!(step.value::<u32>().unwrap(), 3);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub fn recorded_step(recorded: Recorded) -> Result<Step, AgentError> {
    match recorded.to_turns()? {
        Some(turns) => written::step(&recorded, &recorded, turns),
        None => repeated_step(recorded),
    }
}

/// The step of a journal of version 1.
fn repeated_step(recorded: Recorded) -> Result<Step, AgentError> {
    let recorded = Arc::new(recorded);
    let header = recorded.header();
    let settings = Settings::read(header)?;
    let options = options(&recorded, &settings)?.resume(Arc::clone(&recorded));
    let log = Log::open(&options);
    let mut run = agent(&recorded, &settings)?.start_as(
        Context::from_map(data(header)?),
        &options,
        log.identity(),
        Lineage::default(),
    )?;
    let (mut step, is_whole) = Reader { recorded: &recorded, log, began: Instant::now() }.read(&mut run)?;
    if !is_whole {
        step.ending = EndingKind::Error;
        step.result = Err(Fail::new(FailKind::Limit, FailReason::Cancelled, interrupted(&recorded)));
    }
    settings.describe(&mut step);
    step.compression = recorded.compression().to_vec();
    if step.compression.is_empty() {
        // How large requests were is only known where they can be written again.
        step.usage.estimates.clear();
    }
    step.usage.llm_requests = Some(recorded.replies().len() as u64);
    Ok(step)
}

/// What the run started with.
fn options(recorded: &Recorded, settings: &Settings) -> Result<RunOptions, AgentError> {
    let header = recorded.header();
    let calls = header.tool_cache.iter().map(CachedCallJson::to_call).collect::<Result<_, _>>();
    Ok(RunOptions { follow_up: settings.follow_up.clone(), ..RunOptions::new() }
        .tasks(tasks(header)?)
        .definitions(header.to_definitions().map_err(unreadable)?)
        .tool_cache(calls.map_err(unreadable)?)
        .approval_scope(approval_scope(recorded)))
}

/// Why a journal ends before its run did, as far as the journal says.
fn interrupted(recorded: &Recorded) -> String {
    match recorded.asked().last() {
        Some(PastRequest::Answer(Err(error))) => {
            format!("the journal ends after a failed call of the model: {error}; a resumed run asks it again")
        }
        _ => INTERRUPTED.to_owned(),
    }
}

/// Feeds a run what its journal holds.
struct Reader<'r> {
    recorded: &'r Recorded,
    log: Log<'r>,
    began: Instant,
}

impl Reader<'_> {
    /// The step, and whether the journal knows all of it.
    fn read(self, run: &mut Run) -> Result<(Step, bool), AgentError> {
        let mut input = Input::Begin;
        let mut is_whole = true;
        loop {
            let action = run.next(TimedInput { at: self.log.at(), input });
            self.log.turns(run)?;
            if self.began.elapsed() > ALL_PROGRAMS {
                return Err(JournalError::TooSlow { seconds: ALL_PROGRAMS.as_secs() }.into());
            }
            let (answer, is_known) = match action {
                Action::Finish(step) => {
                    if is_whole {
                        self.log.may_end(&step)?;
                    }
                    return Ok((*step, is_whole));
                }
                Action::Slice => (Input::Continue, true),
                Action::AskLlm { .. } => self.reply(),
                Action::CallTools { calls, .. } => {
                    run.call_times = self.times(&calls);
                    self.results(&calls)?
                }
                Action::Approve { waiting, .. } => self.decisions(&waiting)?,
            };
            is_whole &= is_known;
            input = answer;
        }
    }

    /// The next answer that a run could continue with: attempts that failed are not repeated.
    fn reply(&self) -> (Input, bool) {
        while let Some(record) = self.log.next_reply() {
            if record.answer.is_useful() {
                self.log.go_on(record.at(), record.clock);
                return (Input::Reply(record.answer.to_result()), true);
            }
        }
        (Input::Cancel, false)
    }

    /// The results of all calls; if the end of one is unknown, the program stops there.
    fn results(&self, calls: &[PendingCall]) -> Result<(Input, bool), AgentError> {
        self.log.repeating(calls)?;
        let mut results = Vec::with_capacity(calls.len());
        let mut is_known = true;
        for pending in calls {
            let end = self.recorded.call(&pending.id).and_then(|call| call.end.as_ref());
            is_known &= end.is_some();
            results.push(match end {
                Some(end) => {
                    self.log.go_on(end.at(), end.clock);
                    end.to_result()?
                }
                None => Err(ToolError::new("the journal does not say how this call ended").may_have_run(true)),
            });
        }
        Ok((if is_known { Input::Results(results) } else { Input::Interrupted(results) }, is_known))
    }

    /// When the calls were made, as far as the journal says.
    fn times(&self, calls: &[PendingCall]) -> Vec<(u64, CallTime)> {
        let since = self.log.at();
        let time = |pending: &PendingCall| {
            self.recorded.call(&pending.id)?.end.as_ref()?;
            Some((pending.call.seq, self.log.time_of(pending, since)?))
        };
        calls.iter().filter_map(time).collect()
    }

    fn decisions(&self, waiting: &Approval) -> Result<(Input, bool), AgentError> {
        Ok(match self.log.decided(waiting)? {
            KnownDecisions::All(decisions) => (Input::Decisions(decisions), true),
            KnownDecisions::Some(_) => (Input::Cancel, false),
        })
    }
}

/// The agent of the run, with tools that cannot be called. Its checks were made when the run started.
fn agent(recorded: &Recorded, settings: &Settings) -> Result<Agent, AgentError> {
    let header = recorded.header();
    let tools = header.tools.iter().map(|tool| tool.to_spec().map(|spec| told_tool(spec, settings)));
    let tools: Vec<_> = tools.collect::<Result<_, _>>().map_err(unreadable)?;
    let mut spec = settings.spec();
    spec.mission.clone_from(&header.mission);
    spec.name.clone_from(&header.agent);
    (spec.max_turns, spec.retry_turns) = (header.max_turns, header.retry_turns);
    spec.signature = header.signature.as_deref().map(signature).transpose()?;
    // A journal may come from another author: its limits do not raise those of the reader.
    spec.timeout = spec.timeout.min(PROGRAM_TIME);
    spec.fuel = spec.fuel.map(|fuel| fuel.min(PROGRAM_FUEL));
    spec.call_depth = spec.call_depth.map(|depth| depth.min(PROGRAM_DEPTH));
    spec.source_bytes = spec.source_bytes.map(|bytes| bytes.min(PROGRAM_SOURCE));
    let prints = &mut spec.format_options.max_prints;
    *prints = prints.map(|prints| prints.min(PROGRAM_PRINTS));
    // Data read back counts as memory, unlike in the run: only limits that were met apply again.
    let met = |reason: FailReason| recorded.turns().iter().any(|turn| turn.reason.as_ref() == Some(&reason));
    if !met(FailReason::MemoryLimitExceeded) {
        spec.memory_limit = None;
    }
    let is_met = met(FailReason::Program(Reason::MemoryExceeded));
    spec.max_heap = Some(spec.max_heap.filter(|_| is_met).unwrap_or(PROGRAM_HEAP).min(PROGRAM_HEAP));
    AgentBuilder::from(spec).tools(tools).build()
}

fn data(header: &JournalHeader) -> Result<Map, AgentError> {
    match value_of(&header.data).map_err(unreadable)? {
        Value::Map(data) => Ok(data),
        _ => Err(JournalError::Value("the data of its header is not a map".to_owned()).into()),
    }
}

fn tasks(header: &JournalHeader) -> Result<Option<Vec<(String, Value)>>, AgentError> {
    let read = |(id, json): &(String, Json)| Ok((id.clone(), value_of(json).map_err(unreadable)?));
    header.tasks.as_ref().map(|tasks| tasks.iter().map(read).collect()).transpose()
}

/// The id of a program is the number of its turn; ids of calls are longer.
fn approval_scope(recorded: &Recorded) -> ApprovalScope {
    let is_program = (1..=recorded.replies().len()).any(|turn| recorded.decisions(&[turn.to_string()]).is_some());
    if is_program { ApprovalScope::Programs } else { ApprovalScope::Calls }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn unreadable(error: ReadError) -> AgentError {
    JournalError::Value(error.to_string()).into()
}

/// A tool of the run, which cannot be called: its results are in the journal, or the run itself answers.
fn told_tool(spec: ToolSpec, settings: &Settings) -> Callable {
    if settings.history && spec.name == HISTORY { Callable::new(spec, None) } else { RecordedTool { spec }.into() }
}

/// A tool of the run: its results are in the journal.
struct RecordedTool {
    spec: ToolSpec,
}

impl ptc_lisp::Tool for RecordedTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move { Err(ToolError::new(format!("'{}' of a recorded run cannot be called", call.name))) })
    }
}

#[cfg(test)]
mod tests;
