//! Inspecting agent runs: while they run, and afterwards.
//!
//! - [`debug`] shows a finished [`Step`](ptc_transcript::Step) as text: its turns, or the view of a model.
//! - [`Trace`] is what happened, event by event, from the record of a run; [`SpanTree`] and [`Analysis`] evaluate it,
//!   [`chrome_trace`] converts it for the viewers of browsers.
//! - [`viewer`] turns a step into a page for browsers: one file, or served.
//! - [`replay`] shows what a recorded run would have sent and cost under another strategy.
//!
//! ```
//! # use ptc_transcript::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject};
//! # let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
//! # let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
//! # let record = JournalLines::default().line(None, &JournalRecord::Header(Box::new(header)))?;
//! use ptc_trace::{Analysis, SpanStatus, Trace, TraceLimits};
//!
//! let trace = Trace::of_record(record.as_bytes(), TraceLimits::default())?; // of a run that has just started
//! let names: Vec<&str> = trace.entries.iter().map(|entry| entry.event.as_str()).collect();
//! assert_eq!(names, ["run.start"]);
//! assert_eq!(Analysis::of(&trace).status, SpanStatus::Open);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod analysis;
mod chrome;
pub mod debug;
mod entry;
#[cfg(doctest)]
mod forbidden;
mod limits;
mod markup;
mod picture;
mod read;
mod record;
pub mod replay;
#[cfg(test)]
mod sample;
#[cfg(any(feature = "tracing", feature = "opentelemetry"))]
pub mod telemetry;
mod tree;
pub mod viewer;

pub use analysis::{Analysis, CallStats, SpanError, TokenSums};
pub use chrome::chrome_trace;
pub use entry::{Entry, TRACE_VERSION, TraceStart, TraceStop};
pub use limits::TraceLimits;
pub use markup::markup_text;
pub use picture::{Anchor, Picture};
pub use read::{Trace, TraceError};
pub use record::LiveTrace;
#[cfg(feature = "opentelemetry")]
pub use telemetry::MetricsObserver;
#[cfg(feature = "tracing")]
pub use telemetry::TracingObserver;
pub use tree::{SpanKind, SpanNode, SpanStatus, SpanTree};
