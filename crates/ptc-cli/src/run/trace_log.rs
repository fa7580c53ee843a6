//! `--trace FILE`: what happens, as JSON Lines.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use ptc_runner::config::MissionFile;
use ptc_runner::trace::{TraceLog, TraceOptions};
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::report;

/// The log, whose first line says what is run with which model.
pub(super) fn open(path: &Path, mission: &MissionFile, model: &str) -> Result<Arc<TraceLog<File>>, Failure> {
    let facts = [
        ("mission", json!(mission.path.display().to_string())),
        ("model", json!(model)),
        ("ptc_version", json!(env!("CARGO_PKG_VERSION"))),
    ];
    let meta = facts.into_iter().map(|(key, value): (&str, Json)| (key.to_owned(), value)).collect();
    let log = TraceLog::create(path, TraceOptions { meta, ..TraceOptions::default() });
    log.map(Arc::new).map_err(|source| Failure::Unwritable { path: path.to_owned(), source })
}

/// Write the last line, and say so when something is missing.
pub(super) fn close(log: &TraceLog<File>) {
    let written = log.stop();
    if let Some(error) = written.error {
        report::note(&format!("note: the trace is not complete: {} events could not be written: {error}", written.lost));
    }
}
