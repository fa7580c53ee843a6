//! What happened in a run, from its record; or from a log that an older release wrote.

use ptc_lisp::text::shortened;
use ptc_transcript::{Excess, JournalError, check_bounds, fingerprint, journal_events};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::entry::{Entry, START, STOP, TRACE_VERSION, TraceStart, TraceStop};
use crate::limits::TraceLimits;
use crate::record::Recorder;

/// What happened in a run, as far as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The first line.
    pub start: TraceStart,
    /// The events in order.
    pub entries: Vec<Entry>,
    /// The last line; `None` when the writer was killed or is still running.
    pub stop: Option<TraceStop>,
    /// Whether an incomplete line was left out: the last one of a killed writer, or any line of a writer whose disk was
    /// full for a while.
    pub torn: bool,
}

/// Why a text is not a trace log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The log exceeds the limits of reading.
    #[error("this trace log cannot be read: {0}")]
    TooLarge(Excess),
    /// The first line is something else.
    #[error(
        "this is not a trace log: its first line must be a `trace.start` event, as `ptc show --events` prints it ({problem})"
    )]
    NoStart {
        /// What was found.
        problem: String,
    },
    /// A line in the middle is not an event.
    #[error("line {line} of the trace log is not an event: {problem}; remove the line to read the rest")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Written by a newer release.
    #[error("this trace log has version {found}, this release reads up to {TRACE_VERSION}: use a newer release")]
    Version {
        /// The version of the log.
        found: u32,
    },
}

impl Trace {
    /// The trace of the run of a record, and of the agents that it called.
    ///
    /// Errors like [`journal_events`].
    ///
    /// ```
    /// # use ptc_transcript::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject};
    /// # let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
    /// # let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
    /// # let record = JournalLines::default().line(None, &JournalRecord::Header(Box::new(header)))?;
    /// let trace = ptc_trace::Trace::of_record(record.as_bytes(), ptc_trace::TraceLimits::default())?;
    /// assert_eq!(trace.entries[0].event, "run.start");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_record(record: &[u8], limits: TraceLimits) -> Result<Trace, JournalError> {
        let mut read: Option<(Recorder, Trace)> = None;
        let mut latest = i64::MIN;
        journal_events(record, &mut |then, event| {
            // Parallel calls may be on record a little later than they ended.
            latest = latest.max(then);
            let (recorder, trace) = read.get_or_insert_with(|| {
                let trace_id = format!("{:0>32}", fingerprint(&*event.run).unwrap_or_default());
                let recorder = Recorder { trace_id, limits, since: then };
                let trace = Trace { start: recorder.start(), entries: Vec::new(), stop: None, torn: false };
                (recorder, trace)
            });
            trace.entries.extend(recorder.entry(latest, event));
        })?;
        let (recorder, trace) = read.ok_or(JournalError::NotAJournal { found: "empty".to_owned() })?;
        Ok(Trace { stop: Some(recorder.stop(latest)), ..trace })
    }

    /// As lines of JSON, which [`Trace::parse`] reads.
    pub fn to_lines(&self) -> serde_json::Result<String> {
        let mut lines = serde_json::to_string(&self.start)? + "\n";
        for entry in &self.entries {
            lines += &(serde_json::to_string(entry)? + "\n");
        }
        if let Some(stop) = &self.stop {
            lines += &(serde_json::to_string(stop)? + "\n");
        }
        Ok(lines)
    }

    /// Whether this is the beginning of a trace log, whatever follows it.
    pub fn is_log(bytes: &[u8]) -> bool {
        first_line(bytes).is_ok()
    }

    /// Reads the lines of [`Trace::to_lines`], or of a log that an older release wrote while a run was running: it may end in
    /// the middle of a line. Cost: linear.
    pub fn parse(bytes: &[u8]) -> Result<Trace, TraceError> {
        check_bounds(bytes).map_err(TraceError::TooLarge)?;
        let start = first_line(bytes).map_err(|problem| TraceError::NoStart { problem })?;
        if start.version > TRACE_VERSION {
            return Err(TraceError::Version { found: start.version });
        }
        let mut trace = Trace { start, entries: Vec::new(), stop: None, torn: false };
        for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate().skip(1) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match line_of(line) {
                Ok(Line::Entry(entry)) => trace.entries.push(*entry),
                Ok(Line::Stop(stop)) => trace.stop = Some(stop),
                Err(_) if is_half(line) => trace.torn = true,
                Err(problem) => return Err(TraceError::Line { line: index + 1, problem }),
            }
        }
        Ok(trace)
    }

    /// From the first line to the last, or to the last known event.
    pub fn duration_ms(&self) -> f64 {
        match &self.stop {
            Some(stop) => stop.duration_ms,
            None => self.entries.iter().map(|entry| entry.at_ms).fold(0.0, f64::max),
        }
    }
}

enum Line {
    Entry(Box<Entry>),
    Stop(TraceStop),
}

fn first_line(bytes: &[u8]) -> Result<TraceStart, String> {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if line.trim_ascii().is_empty() {
        return Err("it is empty".to_owned());
    }
    match named(line)? {
        name if name == START => parsed(line),
        name => Err(format!("found the event `{}`", shortened(&name, 40))),
    }
}

/// Whether this is the beginning of a line of JSON. Only the last line of a text may lack its line break.
fn is_half(line: &[u8]) -> bool {
    let text = line.trim_ascii_end();
    // A cut number is wrong at its last byte, anything else ends too early.
    let is_short = |error: serde_json::Error| error.is_eof() || error.column() >= text.len();
    !line.ends_with(b"\n") || serde_json::from_slice::<IgnoredAny>(text).is_err_and(is_short)
}

fn line_of(line: &[u8]) -> Result<Line, String> {
    match named(line)?.as_str() {
        STOP => parsed(line).map(Line::Stop),
        _ => parsed(line).map(|entry| Line::Entry(Box::new(entry))),
    }
}

/// The name of a line, which says its kind.
fn named(line: &[u8]) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Named {
        event: String,
    }
    parsed(line).map(|Named { event }| event)
}

fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
