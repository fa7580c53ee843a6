//! A trace in memory.

use std::sync::{Mutex, PoisonError};

use ptc_lisp::{Clock, SystemClock};
use ptc_transcript::{Event, Observer, fingerprint};

use crate::entry::Entry;
use crate::limits::TraceLimits;
use crate::read::Trace;
use crate::record::Recorder;

/// An observer that keeps the trace of a run that writes no record.
pub struct TraceBuffer {
    recorder: Recorder,
    entries: Mutex<Vec<Entry>>,
}

impl TraceBuffer {
    /// A trace of the run with this id, which starts now.
    pub fn new(run: &str, limits: TraceLimits) -> TraceBuffer {
        let trace_id = format!("{:0>32}", fingerprint(run).unwrap_or_default());
        TraceBuffer {
            recorder: Recorder { trace_id, limits, since: SystemClock.now_micros() },
            entries: Mutex::default(),
        }
    }

    /// The trace so far; recording continues. Cost: a copy of all entries.
    pub fn trace(&self) -> Trace {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let stop = Some(self.recorder.stop(SystemClock.now_micros()));
        Trace { start: self.recorder.start(), entries, stop, torn: false }
    }
}

impl Observer for TraceBuffer {
    fn on_event(&self, event: &Event) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.extend(self.recorder.entry(SystemClock.now_micros(), event));
    }
}
