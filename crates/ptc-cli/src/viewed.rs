//! Recorded runs as documents of the viewer.

use std::path::Path;

use ptc_runner::trace::viewer::{About, Document};

use crate::kept;
use crate::recorded::RecordedRun;

/// The document of the run in this file; `is_live` when the run still writes it.
pub(crate) fn document(path: &Path, run: &RecordedRun, is_live: bool) -> Document {
    let about = About {
        model: kept::model_of(path),
        began_ms: run.began.map(|micros| micros / 1000),
        source: Some(path.display().to_string()),
        // A run that has an answer is over, even if its journal is still held.
        is_live: is_live && !run.step.is_ok(),
        has_plain_values: run.has_plain_values,
    };
    Document::of(&run.step, &about)
}
