//! The journal of a run as the driver sees it: what was done before a crash, and what is written before the run
//! continues.

mod decisions;
mod engine;
mod repeat;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind, Reply, Request};
use ptc_lisp::{CallTime, Clock, ToolError, ToolNotice, ToolResult, ToolSpec, Value};
use ptc_transcript::{
    Answer, CallEnd, CallStart, ChangedSetting, CompressionUse, FailReason, JOURNAL_VERSION, Journal, JournalError,
    JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject, NoticeKind, NoticeRecord, Recorded,
    ReplyRecord, Spent, Step, TurnKind, ValueForm, fingerprint, json_of,
};
use tokio::time::Instant;

pub(crate) use decisions::KnownDecisions;
use engine::EngineHandle;
pub(super) use engine::EngineReply;

use super::guard::{lock, unwound};
use super::options::RunOptions;
use super::settings::{changed_settings, settings_of};
use crate::approval::PendingCall;
use crate::machine::setup::Identity;
use crate::machine::{Input, Run};

/// What the model reads of a call whose end was lost.
const UNKNOWN: &str =
    "outcome unknown after a crash: the call may have been made or not; find out before you repeat it";

/// Why undecided items are denied.
pub(super) const UNDECIDED: &str = "nothing was decided";

/// The record of a run, read and written. Without a journal it only keeps the time.
pub(crate) struct Log<'a> {
    run: Arc<str>,
    identity: Identity,
    /// The log of the run that was started, where this one answers a call of it; that one has the journal.
    top: Option<&'a Log<'a>>,
    sink: Option<Arc<dyn Journal>>,
    recorded: Option<Arc<Recorded>>,
    /// The durable engine, which then keeps what was done.
    engine: Option<EngineHandle>,
    /// The clock of programs, when it follows the journal.
    clock: Option<Arc<SteppedClock>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Recorded replies that were given.
    replies: usize,
    /// Recorded calls of the run that were repeated, its children's not counted.
    calls: usize,
    /// Recorded decisions that were repeated, likewise.
    decisions: usize,
    /// Whether decisions about single calls of a batch were repeated.
    has_single_decisions: bool,
    /// Number of turns compared or written.
    turns: usize,
    /// The budget that pays for the coming turn.
    kind: TurnKind,
    /// When the approver was asked.
    asked: Option<u64>,
    /// Number of turns on record.
    written: usize,
    /// Time of the run before `live`.
    before: Duration,
    /// Since when things happen instead of being repeated.
    live: Option<Instant>,
    /// Settings that are not those of the recorded run; most may change.
    changed: Vec<ChangedSetting>,
    /// Another way of showing history, written when the first request is sent that shows it so.
    compression: Option<CompressionUse>,
    /// How often the run computed with something from outside.
    starts: usize,
    /// The first difference between the record of an engine and this run.
    differs: Option<JournalError>,
    /// Why nothing more is written: a line after a torn one would spoil the journal.
    broken: Option<JournalError>,
    lines: JournalLines,
    /// Nothing was written since the run was resumed.
    is_resumed: bool,
}

impl<'a> Log<'a> {
    /// The log of a run with these options. That of a run which is resumed says who the run is.
    pub fn open(options: &RunOptions) -> Log<'a> {
        let (sink, recorded) = (options.journal.clone(), options.resume.clone());
        let mut identity = options.identity();
        if let Some(recorded) = &recorded {
            identity.seed = recorded.header().seed;
            identity.id = Some(recorded.header().run.as_str().into());
        }
        let run = Arc::clone(identity.id.get_or_insert_with(|| new_run_id(options.clock.as_ref())));
        let began = options.engine.as_ref().map(|engine| engine.began());
        let engine = options.engine.clone().zip(began).map(|(engine, began)| EngineHandle { engine, began });
        let began = began.or_else(|| recorded.as_ref().map(|recorded| recorded.header().clock));
        let clock = (sink.is_some() || began.is_some()).then(|| {
            let micros = began.unwrap_or_else(|| options.clock.now_micros());
            Arc::new(SteppedClock { real: Arc::clone(&options.clock), micros: AtomicI64::new(micros) })
        });
        if let Some(clock) = &clock {
            identity.clock = Arc::<SteppedClock>::clone(clock);
        }
        let lines = recorded.as_ref().map(|recorded| JournalLines::after(recorded.sum()));
        let state = State { is_resumed: lines.is_some(), lines: lines.unwrap_or_default(), ..State::default() };
        Log { run, identity, top: None, sink, recorded, engine, clock, state: Mutex::new(state) }
    }

    /// The log of a run that answers a call of this one. It is on record, but only its decisions and its calls that cannot
    /// be repeated matter when the journal is resumed.
    pub fn below<'b>(&'b self, options: &RunOptions) -> Log<'b> {
        let mut log = Log { top: Some(self.top()), ..Log::open(options) };
        if let (Some(engined), Some(clock)) = (&mut log.engine, &self.clock) {
            // One time for the whole family.
            engined.began = clock.now_micros();
            log.clock = Some(Arc::clone(clock));
            log.identity.clock = Arc::<SteppedClock>::clone(clock);
        }
        log
    }

    /// The first part of the ids of the run's calls.
    pub fn run_id(&self) -> Arc<str> {
        Arc::clone(&self.run)
    }

    /// What the run takes from its journal.
    pub fn identity(&self) -> Identity {
        self.identity.clone()
    }

    /// The log that has the journal.
    fn top(&self) -> &Log<'a> {
        self.top.unwrap_or(self)
    }

    /// Start the journal, or check that the run may continue the existing one. For a run under an engine it returns the
    /// header, for [`Log::begin_engine`].
    pub fn begin(&self, run: &Run, options: &RunOptions) -> Result<Option<JournalHeader>, JournalError> {
        if self.clock.is_some() && self.top.is_none() || self.is_written() {
            let definition = &run.agent().definition;
            let about = JournalSubject {
                mission: &definition.spec.mission,
                signature: definition.spec.signature.as_ref(),
                max_turns: definition.spec.max_turns,
                retry_turns: definition.spec.retry_turns,
                tools: &run.decisive_tools(),
            };
            let start = JournalStart {
                tasks: options.tasks.as_deref(),
                tool_cache: &options.tool_cache,
                definitions: Some(&options.definitions),
                said: &run.facts.said,
                ..JournalStart::new(&run.facts.data)
            };
            let header = JournalHeader {
                run: self.run.to_string(),
                agent: definition.spec.name.clone(),
                seed: self.identity.seed,
                clock: self.clock.as_ref().map_or_else(|| options.clock.now_micros(), |clock| clock.now_micros()),
                settings: settings_of(run)?,
                compression: Some(run.course.at(1).to_record()),
                notes: options.journal_notes.clone(),
                ..JournalHeader::new(&about, &start)?
            };
            match &self.recorded {
                Some(recorded) if recorded.header().version < JOURNAL_VERSION && self.sink.is_some() => {
                    return Err(JournalError::Old { found: recorded.header().version });
                }
                Some(recorded) => {
                    recorded.header().allows(&header)?;
                    self.state().changed = changed_settings(recorded.header(), &header);
                    self.state().compression = run.course.change();
                }
                None => {
                    self.write(JournalRecord::Header(Box::new(header.clone())))?;
                    self.sync()?;
                    if self.has_engine() && self.top.is_none() {
                        return Ok(Some(header));
                    }
                }
            }
        }
        if self.recorded.is_none() {
            self.go_live();
        }
        Ok(None)
    }

    /// Time since the run started, without the time between a crash and its resume.
    pub fn at(&self) -> Duration {
        if let Some(time) = self.recorded_time() {
            return time;
        }
        let state = self.state();
        state.before + state.live.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The recorded answer to this request; `None` when the model must be asked.
    pub fn reply(&self, request: &Request) -> Result<Option<Result<Reply, LlmError>>, JournalError> {
        let next = self.state().replies;
        let Some(record) = self.recorded.as_ref().and_then(|recorded| recorded.replies().get(next)) else {
            self.all_repeated()?;
            self.go_live();
            let change = self.state().compression.take();
            change.map_or(Ok(()), |change| self.write(JournalRecord::Compression(change)))?;
            return Ok(None);
        };
        let found = fingerprint(request)?;
        if (record.turn, record.attempt, &record.request) != (request.turn, request.attempt, &found) {
            let changed = self.changed();
            return Err(JournalError::OtherRequest {
                turn: request.turn,
                recorded: record.request.clone(),
                found,
                changed,
            });
        }
        self.state().replies += 1;
        self.go_on(record.at(), record.clock);
        Ok(Some(record.answer.to_result()))
    }

    /// Write that a model is about to be asked.
    pub fn asking(&self, model: &str, request: &Request) -> Result<(), JournalError> {
        let (at_us, kind) = (self.at_us(), self.state().kind);
        self.write_with(|lines| lines.request(self.below_call(), model, kind, request, at_us))
    }

    /// Write what the model answered. A recording that has run out is not an answer: the same request may be asked
    /// again.
    pub fn replied(&self, request: &Request, answer: &Result<Reply, LlmError>) -> Result<(), JournalError> {
        if !self.is_written()
            || answer.as_ref().is_err_and(|error| matches!(error.kind, LlmErrorKind::OutOfAnswers { .. }))
        {
            return Ok(());
        }
        let (at_us, clock) = self.now();
        self.write_of_past(JournalRecord::Reply(ReplyRecord {
            turn: request.turn,
            attempt: request.attempt,
            request: fingerprint(request)?,
            answer: Answer::from(answer),
            at_us,
            clock,
        }))
    }

    /// What is known about a call, and what it asked of models; `None` when it must be made.
    ///
    /// Whether a call without a recorded end was done is unknown: it fails, unless it may be repeated. A call of an
    /// agent may be, as long as the agent had only asked models and the approver.
    pub fn result(&self, pending: &PendingCall, tool: &ToolSpec) -> Result<Option<(ToolResult, Spent)>, JournalError> {
        let Some(recorded) = &self.recorded else { return Ok(None) };
        let Some(call) = recorded.call(&pending.id) else { return Ok(None) };
        match &call.end {
            Some(end) => {
                let result = end.to_result()?;
                self.go_on(end.at(), end.clock);
                Ok(Some((result, end.spent)))
            }
            None if tool.is_repeatable() => Ok(None),
            None if call.start.agent && !recorded.has_calls_below(&pending.id) => Ok(None),
            None => {
                let unknown =
                    self.called(pending, Err(ToolError::new(UNKNOWN).may_have_run(true)), Spent::default())?;
                Ok(Some((unknown, Spent::default())))
            }
        }
    }

    /// When the call of a batch that started at `since` was made and how long it took, as far as the record says.
    pub fn time_of(&self, pending: &PendingCall, since: Duration) -> Option<CallTime> {
        let call = self.recorded.as_ref()?.call(&pending.id)?;
        let made = call.start.at_us.map_or(since, Duration::from_micros).max(since);
        let end = call.end.as_ref().map_or_else(|| self.at(), CallEnd::at);
        Some(CallTime { waited: made.saturating_sub(since), took: end.saturating_sub(made) })
    }

    /// Whether the end of this call is on record.
    pub fn is_over(&self, pending: &PendingCall) -> bool {
        let call = self.recorded.as_ref().and_then(|recorded| recorded.call(&pending.id));
        call.is_some_and(|call| call.end.is_some())
    }

    /// Whether an earlier process started this call, its end is not on record, and it may have done something: an agent
    /// only what it called.
    pub fn has_begun(&self, pending: &PendingCall) -> bool {
        let call = self.recorded.as_ref().and_then(|recorded| Some((recorded, recorded.call(&pending.id)?)));
        call.is_some_and(|(recorded, call)| {
            call.end.is_none() && (!call.start.agent || recorded.may_have_changed_below(&pending.id))
        })
    }

    /// Write that a call is about to be made, by an agent or by `tool` itself.
    pub fn calling(&self, pending: &PendingCall, tool: &ToolSpec, is_agent: bool) -> Result<(), JournalError> {
        if !self.is_written() {
            return Ok(());
        }
        self.write(JournalRecord::CallStart(CallStart {
            agent: is_agent,
            repeatable: tool.is_repeatable(),
            at_us: Some(self.at_us()),
            ..started(pending)
        }))
    }

    /// Write what a tool reports on a call. It changes nothing about the run, also where it cannot be written.
    pub fn noticed(&self, pending: &PendingCall, notice: &ToolNotice) {
        let Some(notice) = NoticeKind::new(notice).filter(|_| self.is_written()) else { return };
        let record = NoticeRecord { id: pending.id.clone(), notice, at_us: self.at_us() };
        let _unwritten = self.write(JournalRecord::CallNotice(record));
    }

    /// Write the result of a call; returns what the program gets, which is what it would get from the journal.
    pub fn called(&self, pending: &PendingCall, result: ToolResult, spent: Spent) -> Result<ToolResult, JournalError> {
        if !self.is_written() {
            return Ok(result);
        }
        let end = CallEnd::new(&pending.id, &result, spent, self.now());
        let given = end.to_result()?;
        self.write_of_past(JournalRecord::CallEnd(end))?;
        Ok(given)
    }

    /// Compare turns that ended since the last call with the journal, or write them.
    pub fn turns(&self, run: &Run) -> Result<(), JournalError> {
        let seen = std::mem::replace(&mut self.state().turns, run.turns().len());
        self.state().kind = run.kind();
        for turn in run.turns().iter().skip(seen) {
            let (number, success, reason) = (turn.number(), turn.is_success(), turn.error_reason());
            // A program that was stopped runs again when the run is resumed: its turn is not over.
            if matches!(reason, Some(FailReason::Cancelled | FailReason::JournalError)) {
                continue;
            }
            match self.recorded.as_ref().and_then(|recorded| recorded.turn(number)) {
                Some(known) if known.success == success => self.state().written = number,
                Some(_) => return Err(JournalError::OtherTurn { number, success, changed: self.changed() }),
                None => {
                    self.write_with(|lines| lines.turn(self.below_call(), turn))?;
                    self.state().written = number;
                    self.sync()?;
                }
            }
        }
        Ok(())
    }

    /// Write the end of the run. It changes nothing about the run, also where it cannot be written.
    pub fn ended(&self, step: &Step) {
        let is_known = self.recorded.as_ref().is_some_and(|recorded| recorded.end().is_some());
        if self.is_written() && !(is_known && self.state().is_resumed) {
            let (at_us, turns) = (self.at_us(), self.state().written);
            let ended = self.write_with(|lines| lines.end(self.below_call(), step, turns, at_us));
            let _unwritten = ended.and_then(|()| self.sync());
        }
    }

    fn changed(&self) -> Box<[ChangedSetting]> {
        self.state().changed.clone().into()
    }

    /// From here on things happen instead of being repeated.
    pub fn go_live(&self) {
        let mut state = self.state();
        if state.live.is_none() {
            state.live = Some(Instant::now());
            // Calls that did not end took time, too.
            state.before = self.recorded.as_ref().map_or(state.before, |recorded| recorded.at().max(state.before));
        }
    }

    /// How far the run was when the record was written.
    pub fn go_on(&self, at: Duration, clock: i64) {
        let mut state = self.state();
        if state.live.is_none() {
            state.before = state.before.max(at);
        }
        if let Some(own) = &self.clock {
            own.micros.fetch_max(clock, Ordering::Relaxed);
        }
    }

    /// The call that this run answers, which is its id.
    fn below_call(&self) -> Option<&str> {
        self.top.map(|_| &*self.run)
    }

    /// Whether there is a journal, which may be that of the run above.
    fn is_written(&self) -> bool {
        self.top().sink.is_some()
    }

    /// The time of the run that was started, in microseconds.
    fn at_us(&self) -> u64 {
        u64::try_from(self.top().at().as_micros()).unwrap_or(u64::MAX)
    }

    /// The time of the run, and what programs read on the clock from here on; under an engine its steps move that.
    fn now(&self) -> (u64, i64) {
        let read = |clock: &Arc<SteppedClock>| if self.has_engine() { clock.now_micros() } else { clock.step() };
        (self.at_us(), self.clock.as_ref().map_or(0, read))
    }

    fn write(&self, record: JournalRecord) -> Result<(), JournalError> {
        self.write_with(|_| record)
    }

    fn write_with(&self, record: impl FnOnce(&mut JournalLines) -> JournalRecord) -> Result<(), JournalError> {
        let below = self.below_call();
        self.top().effect(|sink, state| {
            if std::mem::take(&mut state.is_resumed) {
                sink.write(&state.lines.line(None, &JournalRecord::Resumed {})?)?;
            }
            let record = record(&mut state.lines);
            sink.write(&state.lines.line(below, &record)?)
        })
    }

    /// Write what has happened. A failure to write does not undo it: [`Log::input`] informs the run.
    fn write_of_past(&self, record: JournalRecord) -> Result<(), JournalError> {
        match self.write(record) {
            Err(JournalError::Unwritable(_)) => Ok(()),
            written => written,
        }
    }

    /// The input of the run for what happened, with whether it is on record.
    pub fn input(&self, happened: Input) -> Input {
        match &self.top().state().broken {
            Some(JournalError::Unwritable(problem)) => Input::Unrecorded(Box::new(happened), problem.clone()),
            _ => happened,
        }
    }

    fn sync(&self) -> Result<(), JournalError> {
        self.top().effect(|sink, _| sink.sync())
    }

    fn effect(&self, effect: impl FnOnce(&dyn Journal, &mut State) -> std::io::Result<()>) -> Result<(), JournalError> {
        let Some(sink) = &self.sink else { return Ok(()) };
        let mut state = self.state();
        // A run that diverges from its engine shows in its record what was done.
        if let Some(error) = state.broken.as_ref().filter(|_| !self.has_engine()) {
            return Err(error.clone());
        }
        let done = unwound(|| effect(sink.as_ref(), &mut state).map_err(|error| error.to_string()));
        done.unwrap_or_else(|panic| Err(format!("it panicked: {panic}")))
            .map_err(|problem| state.broken.insert(JournalError::Unwritable(problem)).clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn started(pending: &PendingCall) -> CallStart {
    let args: &Value = &pending.call.args;
    CallStart {
        id: pending.id.clone(),
        tool: pending.call.name.to_string(),
        args: json_of(args, ValueForm::Typed),
        agent: false,
        repeatable: false,
        at_us: None,
    }
}

/// Differs from that of every other run: time, process, and a separate count.
fn new_run_id(clock: &dyn Clock) -> Arc<str> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    format!("{:x}-{:x}-{:x}", clock.now_micros(), std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed)).into()
}

/// A clock that stands still while a program runs and moves when something comes back from outside. A journal that
/// records those times records every time that a program can have read.
struct SteppedClock {
    real: Arc<dyn Clock>,
    micros: AtomicI64,
}

impl SteppedClock {
    /// Catch up with the real clock, never backwards.
    fn step(&self) -> i64 {
        let now = self.real.now_micros();
        self.micros.fetch_max(now, Ordering::Relaxed).max(now)
    }

    /// The time after catching up.
    fn peek(&self) -> i64 {
        self.real.now_micros().max(self.micros.load(Ordering::Relaxed))
    }
}

impl Clock for SteppedClock {
    fn now_micros(&self) -> i64 {
        self.micros.load(Ordering::Relaxed)
    }
}
