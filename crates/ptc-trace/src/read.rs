//! Reading a trace log.

use std::io;
use std::path::{Path, PathBuf};

use ptc_lisp::shortened;
use ptc_transcript::{Excess, check_bounds, read_record};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::entry::{Entry, START, STOP, TRACE_VERSION, TraceStart, TraceStop, shown_ms};

/// A trace log, as far as it was written.
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
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        r#source: io::Error,
    },
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

/// A selection of entries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntryFilter<'a> {
    /// Their event begins with this, such as `llm`.
    pub prefix: Option<&'a str>,
    /// They are of this span.
    pub span: Option<&'a str>,
    /// Their span took at least this many milliseconds.
    pub min_ms: Option<f64>,
}

impl Trace {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Trace, TraceError> {
        let bytes = read_record(path).map_err(|source| TraceError::Unreadable { path: path.to_owned(), source })?;
        Trace::parse(&bytes)
    }

    /// Whether this is the beginning of a trace log, whatever follows it.
    pub fn is_log(bytes: &[u8]) -> bool {
        first_line(bytes).is_ok()
    }

    /// Reads the output of a [`TraceLog`](crate::TraceLog), also if it ends in the middle of a line. Cost: linear.
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

    /// The selected entries, in order.
    pub fn filter<'t>(&'t self, wanted: EntryFilter<'t>) -> impl Iterator<Item = &'t Entry> {
        self.entries.iter().filter(move |entry| {
            wanted.prefix.is_none_or(|prefix| entry.event.starts_with(prefix))
                && wanted.span.is_none_or(|span| entry.span_id == span)
                && wanted.min_ms.is_none_or(|least| entry.duration_ms.is_some_and(|duration| duration >= least))
        })
    }

    /// One line per event: `[12ms] tool.stop quote-room (3ms)`.
    pub fn timeline(&self) -> String {
        let line = |entry: &Entry| {
            let tool = entry.text("tool_name").map(|name| format!(" {name}")).unwrap_or_default();
            let took = entry.duration_ms.map(|duration| format!(" ({}ms)", shown_ms(duration))).unwrap_or_default();
            format!("[{}ms] {}{tool}{took}\n", shown_ms(entry.at_ms), entry.event)
        };
        self.entries.iter().map(line).collect()
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
