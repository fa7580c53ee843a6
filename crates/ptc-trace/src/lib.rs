//! Inspecting agent runs: while they run, and afterwards.
//!
//! - [`debug`] shows a finished [`Step`](ptc_transcript::Step) as text: its turns, or the view of a model.
//! - [`TraceLog`] is an [`Observer`](ptc_transcript::Observer) that writes every event as a line of JSON;
//!   [`TraceBuffer`] keeps them in memory.
//! - [`Trace`] reads a log, also one that ends in the middle; [`SpanTree`] and [`Analysis`] evaluate it, and
//!   [`chrome_trace`] converts it for the viewers of browsers.
//! - [`viewer`] turns a step into a page for browsers: one file, or served.
//! - [`replay`] shows what a recorded run would have sent and cost under another strategy.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//! use ptc_lisp::Value;
//! use ptc_trace::{Analysis, Trace, TraceLog, TraceOptions};
//! use ptc_transcript::{EndingKind, Event, EventKind, Observer, SpanId, Step};
//!
//! let log = TraceLog::new(Vec::new(), TraceOptions::default())?;
//! let (span, step) = (SpanId(1), Arc::new(Step::returned(EndingKind::Return, Value::Int(42))));
//! log.on_event(&Event { run: "r1".into(), agent: None, span, parent: None, kind: EventKind::RunStart { agent: Arc::default(), context: Value::Nil } });
//! log.on_event(&Event { run: "r1".into(), agent: None, span, parent: None, kind: EventKind::RunStop { duration: Duration::from_millis(20), step } });
//! log.stop();
//!
//! let trace = Trace::parse(&log.into_writer())?;
//! let names: Vec<&str> = trace.entries.iter().map(|entry| entry.event.as_str()).collect();
//! assert_eq!(names, ["run.start", "run.stop"]);
//! assert_eq!(Analysis::of(&trace).runs, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod analysis;
mod buffer;
mod chrome;
pub mod debug;
mod entry;
#[cfg(doctest)]
mod forbidden;
mod limits;
mod log;
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
pub use buffer::TraceBuffer;
pub use chrome::chrome_trace;
pub use entry::{Entry, TRACE_VERSION, TraceStart, TraceStop};
pub use limits::TraceLimits;
pub use log::{TraceLog, TraceOptions, Written, journal_log};
pub use markup::markup_text;
pub use picture::{Anchor, Picture};
pub use read::{EntryFilter, Trace, TraceError};
#[cfg(feature = "opentelemetry")]
pub use telemetry::MetricsObserver;
#[cfg(feature = "tracing")]
pub use telemetry::TracingObserver;
pub use tree::{SpanKind, SpanNode, SpanStatus, SpanTree};
