//! A trace in memory.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ptc_transcript::{Event, Observer};

use crate::entry::{Entry, TraceStart};
use crate::log::TraceOptions;
use crate::read::Trace;
use crate::record::Recorder;

/// An observer that keeps what a [`TraceLog`](crate::TraceLog) would write, the newest entries if there is a bound.
///
/// ```
/// use ptc_trace::{TraceBuffer, TraceOptions};
///
/// let buffer = TraceBuffer::new(TraceOptions::default(), Some(1_000));
/// assert!(buffer.trace().entries.is_empty());
/// ```
pub struct TraceBuffer {
    recorder: Recorder,
    start: TraceStart,
    max_entries: usize,
    entries: Mutex<VecDeque<Entry>>,
}

impl TraceBuffer {
    /// A trace that starts now and keeps this many entries, or all.
    pub fn new(options: TraceOptions, max_entries: Option<usize>) -> TraceBuffer {
        let (recorder, start) = Recorder::start(options);
        TraceBuffer { recorder, start, max_entries: max_entries.unwrap_or(usize::MAX), entries: Mutex::default() }
    }

    /// The trace so far; recording continues. Cost: a copy of all entries.
    pub fn trace(&self) -> Trace {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        Trace { start: self.start.clone(), entries, stop: None, torn: false }
    }
}

impl Observer for TraceBuffer {
    fn on_event(&self, event: &Event) {
        let Some(entry) = self.recorder.entry(event) else { return };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= self.max_entries {
            entries.pop_front();
        }
        if self.max_entries > 0 {
            entries.push_back(entry);
        }
    }
}
