//! Recorded runs as documents of the viewer.

use std::path::Path;

use ptc_runner::chat::shown_addresses;
use ptc_runner::trace::replay::PriceBook;
use ptc_runner::trace::viewer::{About, Document, Sent};

use crate::recorded::{self, Found, RecordedRun};

/// The run in this file and its document, or why it cannot be read.
pub(crate) fn read(path: &Path, is_live: bool, prices: &PriceBook) -> Result<(RecordedRun, Document), String> {
    let found = Found::in_file(path).map_err(|error| error.to_string())?;
    let run = recorded::load(path, &found).map_err(|failure| failure.to_string())?;
    let document = document(path, &run, is_live, prices);
    Ok((run, document))
}

/// Addresses of models without their keys.
fn hide_addresses(sent: Sent) -> Sent {
    let model = sent.model.as_deref().map(shown_addresses);
    Sent { model, below: sent.below.into_iter().map(hide_addresses).collect(), ..sent }
}

/// The document of the run in this file; `is_live` when the run still writes it.
pub(crate) fn document(path: &Path, run: &RecordedRun, is_live: bool, prices: &PriceBook) -> Document {
    let record = run.record.as_ref();
    // One whose requests cannot be read is shown as its step is.
    let sent = record.filter(|record| record.model().is_some()).and_then(|record| Sent::of(record).ok());
    let about = About {
        model: None,
        sent: sent.map(hide_addresses),
        began_ms: record.map(|record| record.header().clock / 1000),
        source: Some(path.display().to_string()),
        // A run that has an answer is over, even if its record is still held.
        is_live: is_live && !run.step.is_ok(),
        has_plain_values: run.has_plain_values,
        damage: run.damage.as_ref().map(ToString::to_string),
        prices: prices.clone(),
    };
    Document::of(&run.step, &about)
}
