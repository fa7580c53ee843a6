//! The lines of a trace log.

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value as Json};

/// Version of the lines that this crate writes; readers accept this and older ones.
pub const TRACE_VERSION: u32 = 1;

/// The name of the first line.
pub(crate) const START: &str = "trace.start";
/// The name of the last line.
pub(crate) const STOP: &str = "trace.stop";

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceStart {
    /// `trace.start`
    pub event: String,
    /// Version of the lines.
    pub version: u32,
    /// 32 hex digits.
    pub trace_id: String,
    /// ISO 8601, UTC.
    pub timestamp: String,
    /// Notes of the writer.
    #[serde(default)]
    pub meta: Object<String, Json>,
}

/// One event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The name of the event, such as `llm.stop`.
    pub event: String,
    /// The id of the first line.
    pub trace_id: String,
    /// ISO 8601, UTC.
    pub timestamp: String,
    /// Milliseconds since the first line.
    pub at_ms: f64,
    /// Wall time of the span that ends here, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// The span that starts or ends.
    #[serde(default)]
    pub span_id: String,
    /// The span it is part of.
    #[serde(default)]
    pub parent_span_id: Option<String>,
    /// Counts, such as tokens.
    #[serde(default)]
    pub measurements: Object<String, Json>,
    /// Everything else.
    #[serde(default)]
    pub metadata: Object<String, Json>,
}

impl Entry {
    /// The topic of the event: `llm` of `llm.stop`.
    pub fn topic(&self) -> &str {
        self.event.rsplit_once('.').map_or(self.event.as_str(), |(topic, _)| topic)
    }

    /// The phase of the event: `stop` of `llm.stop`.
    pub fn phase(&self) -> &str {
        self.event.rsplit_once('.').map_or("", |(_, phase)| phase)
    }

    /// A text of the metadata.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.metadata.get(key)?.as_str()
    }

    /// A count of the measurements.
    pub fn count(&self, key: &str) -> Option<u64> {
        self.measurements.get(key)?.as_u64()
    }
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceStop {
    /// `trace.stop`
    pub event: String,
    /// The id of the first line.
    pub trace_id: String,
    /// ISO 8601, UTC.
    pub timestamp: String,
    /// Milliseconds since the first line.
    pub duration_ms: f64,
    /// Events that could not be written.
    #[serde(default)]
    pub lost: u64,
}

/// Milliseconds for people: one decimal where it matters.
pub(crate) fn shown_ms(milliseconds: f64) -> String {
    let digits = usize::from(milliseconds < 10.0);
    let text = format!("{milliseconds:.digits$}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}
