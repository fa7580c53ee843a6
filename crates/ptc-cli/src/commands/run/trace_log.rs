//! `--trace FILE`: what happens, as JSON Lines.

use std::sync::{Arc, OnceLock};

use ptc_runner::config::MissionFile;
use ptc_runner::trace::{TraceLog, TraceOptions};
use ptc_runner::transcript::{Event, Observer};
use serde_json::{Value as Json, json};

use crate::files::GrowingFile;
use crate::output;

/// A log that begins with the first event, so that a refused start leaves an older log alone.
pub(crate) struct TraceOutput {
    file: GrowingFile,
    options: TraceOptions,
    log: OnceLock<std::io::Result<TraceLog<GrowingFile>>>,
}

impl Observer for TraceOutput {
    fn on_event(&self, event: &Event) {
        let log = self.log.get_or_init(|| TraceLog::new(self.file.clone(), self.options.clone()));
        if let Ok(log) = log {
            log.on_event(event);
        }
    }
}

/// The log, whose first line says what is run with which model.
pub(super) fn open(file: GrowingFile, mission: &MissionFile, model: &str) -> Arc<TraceOutput> {
    let facts = [
        ("mission", json!(mission.path.display().to_string())),
        ("model", json!(model)),
        ("ptc_version", json!(env!("CARGO_PKG_VERSION"))),
    ];
    let meta = facts.into_iter().map(|(key, value): (&str, Json)| (key.to_owned(), value)).collect();
    Arc::new(TraceOutput { file, options: TraceOptions { meta, ..TraceOptions::default() }, log: OnceLock::new() })
}

/// Write the last line, and say so when something is missing.
pub(super) fn close(output: &TraceOutput) {
    let problem = match output.log.get() {
        None => None,
        Some(Err(error)) => Some(format!("the trace could not be written: {error}")),
        Some(Ok(log)) => {
            let written = log.stop();
            let lost = written.lost;
            written.error.map(|error| format!("the trace is not complete: {lost} events could not be written: {error}"))
        }
    };
    output::notes(problem.as_slice());
}
