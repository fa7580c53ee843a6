//! Writing a trace while a run is running.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_lisp::{Clock, SystemClock};
use ptc_transcript::{Event, JournalError, Observer, fingerprint, journal_events, private_file};
use serde::Serialize;
use serde_json::{Map as Object, Value as Json};

use crate::limits::TraceLimits;
use crate::record::{Recorder, new_trace_id, timestamp};

/// The id of a trace and its limits.
#[derive(Clone)]
pub struct TraceOptions {
    /// 32 hex digits; `None` generates new ones.
    pub trace_id: Option<String>,
    /// Anything to record in the first line.
    pub meta: Object<String, Json>,
    /// Bounds of the output of one event.
    pub limits: TraceLimits,
    /// Returns the time of each line.
    pub clock: Arc<dyn Clock>,
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions {
            trace_id: None,
            meta: Object::new(),
            limits: TraceLimits::default(),
            clock: Arc::new(SystemClock),
        }
    }
}

/// An observer that writes one line of JSON per event, between `trace.start` and `trace.stop`.
///
/// Each line is written at once and flushed, so that the log of a killed process can be read to its last event. Writing
/// never fails a run: lines that could not be written are counted, see [`Written`].
///
/// Give each of several concurrent runs its own log: ids of spans are unique within a run and the agents that it calls.
pub struct TraceLog<W: Write + Send> {
    recorder: Recorder,
    state: Mutex<State<W>>,
}

struct State<W> {
    out: W,
    written: Written,
    is_stopped: bool,
    /// Whether the last line was not written whole.
    is_torn: bool,
}

impl<W: Write> State<W> {
    /// Write a line; a torn one is ended before it.
    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let before = if self.is_torn { "\n" } else { "" };
        let written = write_line(&mut self.out, before, line);
        self.is_torn = written.is_err();
        written
    }
}

/// The outcome of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Events that were written.
    pub events: u64,
    /// Events that could not be written.
    pub lost: u64,
    /// The error of the first lost one.
    pub error: Option<String>,
}

impl<W: Write + Send> TraceLog<W> {
    /// A log into `out`, whose first line is written now.
    pub fn new(mut out: W, options: TraceOptions) -> io::Result<TraceLog<W>> {
        let (recorder, start) = Recorder::start(options);
        write_line(&mut out, "", &start)?;
        let state = State { out, written: Written::default(), is_stopped: false, is_torn: false };
        Ok(TraceLog { recorder, state: Mutex::new(state) })
    }

    /// Write the last line, once; later events are not written. Returns the outcome of the trace.
    pub fn stop(&self) -> Written {
        let mut state = self.state();
        if !state.is_stopped {
            state.is_stopped = true;
            let last = self.recorder.stop(state.written.lost);
            let done = state.write(&last);
            state.written.error = state.written.error.take().or(done.err().map(|error| error.to_string()));
        }
        state.written.clone()
    }

    /// The writer, with everything written so far.
    pub fn into_writer(self) -> W {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).out
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TraceLog<File> {
    /// A log into a new file; missing folders are created, and a file of this name is replaced.
    pub fn create(path: &Path, options: TraceOptions) -> io::Result<TraceLog<File>> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        TraceLog::new(private_file().write(true).create(true).truncate(true).open(path)?, options)
    }

    /// A log into a new file of this folder, and its path: `trace_20260102T030405Z_1a2b3c4d.jsonl`.
    pub fn create_in(folder: &Path, options: TraceOptions) -> io::Result<(TraceLog<File>, PathBuf)> {
        let options = TraceOptions { trace_id: Some(options.trace_id.clone().unwrap_or_else(new_trace_id)), ..options };
        let path = folder.join(file_name(&options));
        Ok((TraceLog::create(&path, options)?, path))
    }
}

impl<W: Write + Send> Observer for TraceLog<W> {
    fn on_event(&self, event: &Event) {
        // The lock first: lines are in order of their times.
        let mut state = self.state();
        if state.is_stopped {
            return;
        }
        let Some(entry) = self.recorder.entry(event) else { return };
        match state.write(&entry) {
            Ok(()) => state.written.events += 1,
            Err(error) => {
                state.written.lost += 1;
                state.written.error.get_or_insert_with(|| error.to_string());
            }
        }
    }
}

/// The log that the run of this journal would have written.
///
/// ```
/// # use std::sync::Arc;
/// # use ptc_transcript::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject};
/// # let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
/// # let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
/// # let journal = JournalLines::default().line(None, &JournalRecord::Header(Box::new(header)))?;
/// let log = ptc_trace::journal_log(journal.as_bytes())?;
/// assert_eq!(ptc_trace::Trace::parse(&log)?.entries[0].event, "run.start");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn journal_log(journal: &[u8]) -> Result<Vec<u8>, JournalError> {
    let mut log: Option<(TraceLog<Vec<u8>>, Arc<TimeOfRecord>)> = None;
    let mut problem = None;
    journal_events(journal, &mut |micros, event| {
        let started = || {
            let clock = Arc::new(TimeOfRecord(AtomicI64::new(micros)));
            let id = format!("{:0>32}", fingerprint(&*event.run).unwrap_or_default());
            let options =
                TraceOptions { trace_id: Some(id), clock: Arc::clone(&clock) as _, ..TraceOptions::default() };
            TraceLog::new(Vec::new(), options).map(|log| (log, clock))
        };
        let begun = match &log {
            Some(_) => Ok(()),
            None => started().map(|begun| log = Some(begun)),
        };
        problem = problem.take().or(begun.err());
        if let Some((log, clock)) = &log {
            clock.0.fetch_max(micros, Ordering::Relaxed);
            log.on_event(event);
        }
    })?;
    if let Some(problem) = problem {
        return Err(JournalError::Unwritable(problem.to_string()));
    }
    Ok(log.map(|(log, _)| (log.stop(), log.into_writer()).1).unwrap_or_default())
}

/// The time that a record says.
struct TimeOfRecord(AtomicI64);

impl Clock for TimeOfRecord {
    fn now_micros(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn write_line<W: Write>(out: &mut W, before: &str, line: &impl Serialize) -> io::Result<()> {
    let text = format!("{before}{}\n", serde_json::to_string(line)?);
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The default name of a log: its start to the second, and the beginning of its id.
fn file_name(options: &TraceOptions) -> String {
    let began: String = timestamp(options.clock.now_micros()).chars().filter(|c| !matches!(c, '-' | ':')).collect();
    let seconds = began.split(['.', 'Z']).next().unwrap_or_default();
    let id: String = options.trace_id.iter().flat_map(|id| id.chars().take(8)).collect();
    format!("trace_{seconds}Z_{id}.jsonl")
}

#[cfg(test)]
mod tests;
