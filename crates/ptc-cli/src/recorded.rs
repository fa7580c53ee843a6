//! Recorded runs: a step in JSON, or the journal of a run.

use std::path::{Path, PathBuf};

use ptc_runner::agent::{AgentError, recorded_step};
use ptc_runner::transcript::{JournalError, Recorded, Step, StepJson, ValueForm};

use crate::report;

/// A run that was recorded.
pub(crate) struct RecordedRun {
    /// What it came to.
    pub(crate) step: Step,
    /// Whether its values are only those that JSON has, and its input data is not there.
    pub(crate) has_plain_values: bool,
}

/// A file that is no recorded run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecordedFailure {
    #[error("{} is neither a step, as `ptc run --json --typed` prints it, nor a journal, as `ptc run --journal FILE` writes it, nor a log, as `ptc run --trace FILE` writes it: {problem}", .path.display())]
    Unknown { path: PathBuf, problem: String },
    #[error("{}: {source}", .path.display())]
    Journal { path: PathBuf, source: Box<AgentError> },
}

/// The run in this file. One with plain values is read as far as they say what they are.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<RecordedRun, RecordedFailure> {
    match Recorded::read(bytes) {
        Ok(Some(recorded)) => of_journal(path, recorded),
        Err(error) if !matches!(error, JournalError::NotAJournal { .. }) => Err(journal_failure(path, error.into())),
        // One line without an end may be a step.
        Ok(None) | Err(_) => of_json(path, bytes),
    }
}

fn of_journal(path: &Path, recorded: Recorded) -> Result<RecordedRun, RecordedFailure> {
    let step = recorded_step(recorded).map_err(|error| journal_failure(path, error))?;
    if let Some(fail) = step.fail() {
        report::note(&format!("note: {}: {fail}", path.display()));
    }
    Ok(RecordedRun { step, has_plain_values: false })
}

fn of_json(path: &Path, bytes: &[u8]) -> Result<RecordedRun, RecordedFailure> {
    let unknown = |problem: String| RecordedFailure::Unknown { path: path.to_owned(), problem };
    let text = std::str::from_utf8(bytes).map_err(|error| unknown(error.to_string()))?;
    let json = StepJson::parse(text).map_err(|error| unknown(error.to_string()))?;
    let has_plain_values = json.values == ValueForm::Plain;
    let step = json.into_typed().to_step().map_err(|error| unknown(error.to_string()))?;
    Ok(RecordedRun { step, has_plain_values })
}

fn journal_failure(path: &Path, source: AgentError) -> RecordedFailure {
    RecordedFailure::Journal { path: path.to_owned(), source: Box::new(source) }
}
