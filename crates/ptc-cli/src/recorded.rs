//! Recorded runs: the record of `ptc run`, or a step of an older release in JSON.

use std::path::Path;

use ptc_runner::agent::{AgentError, recorded_step};
use ptc_runner::chat::request_line;
use ptc_runner::config::named;
#[cfg(feature = "view")]
use ptc_runner::eval::{BatchResults, Results};
#[cfg(feature = "view")]
use ptc_runner::transcript::read_record_head;
use ptc_runner::transcript::{
    Damage, JournalError, Recorded, Step, StepJson, ValueForm, journal_requests, read_undamaged,
};
use serde_json::Value as Json;

use crate::failure::{Failure, FileFailure};
#[cfg(feature = "view")]
use crate::kept::HEAD_BYTES;
use crate::output;

/// A file that may be a recorded run.
pub(crate) struct Found {
    /// What it holds, up to where it is damaged.
    pub(crate) bytes: Vec<u8>,
    damage: Option<Damage>,
}

impl Found {
    pub(crate) fn in_file(path: &Path) -> Result<Found, FileFailure> {
        let (bytes, damage) = read_undamaged(path).map_err(FileFailure::unreadable(path))?;
        Ok(Found { bytes, damage })
    }
}

/// The same, with a note of its damage.
pub(crate) fn found(path: &Path) -> Result<Found, FileFailure> {
    let found = Found::in_file(path)?;
    found.damage.iter().for_each(|damage| output::notes(&[format!("{}: {damage}", named(path))]));
    Ok(found)
}

/// A run that was recorded.
pub(crate) struct RecordedRun {
    /// Its outcome.
    pub(crate) step: Step,
    /// Whether its values are only those of JSON, and its input data is missing.
    pub(crate) has_plain_values: bool,
    /// Its record, unless it is a step.
    pub(crate) record: Option<Recorded>,
    /// Where that is damaged.
    pub(crate) damage: Option<Damage>,
}

/// The run in this file, with a note for one without an answer.
pub(crate) fn read(path: &Path, found: &Found) -> Result<RecordedRun, Failure> {
    let run = load(path, found)?;
    if let Some(fail) = run.step.fail().filter(|_| run.record.is_some() && run.damage.is_none()) {
        output::notes(&[format!("{}: {fail}", named(path))]);
    }
    Ok(run)
}

/// The run in this file. One with plain values is read as far as their types are known.
pub(crate) fn load(path: &Path, found: &Found) -> Result<RecordedRun, Failure> {
    let (file, bytes) = (named(path), found.bytes.as_slice());
    let broken = |error: AgentError| format!("{file}: {error}");
    if bytes.trim_ascii().is_empty() {
        return Err(format!("{file} is empty, not a recorded run").into());
    }
    #[cfg(feature = "view")]
    if is_head_of_results(bytes) {
        return Err(format!(
            "{file} holds results, not a run: `ptc view {file}` shows its rows, and `ptc show` takes the run that a row names"
        )
        .into());
    }
    match Recorded::read(bytes) {
        Ok(Some(recorded)) => {
            let mut step = recorded_step(recorded.clone()).map_err(broken)?;
            if let (Err(fail), Some(damage), None) = (&mut step.result, &found.damage, recorded.end()) {
                fail.message = damage.to_string();
            }
            Ok(RecordedRun { step, has_plain_values: false, record: Some(recorded), damage: found.damage.clone() })
        }
        Err(error) if !matches!(error, JournalError::NotAJournal { .. }) => Err(broken(error.into()).into()),
        // A single unterminated line may be a step.
        Ok(None) | Err(_) if are_answers(bytes) => Err(format!(
            "{file} holds recorded answers of a model, not a run: `ptc run MISSION --llm replay:{file}` runs them, and `ptc show` shows that run"
        )
        .into()),
        Ok(None) | Err(_) => of_json(bytes).map_err(|problem| {
            format!("{file} is neither the record of a run, as `ptc run` writes it, nor a step, as `ptc run --json` prints it: {problem}").into()
        }),
    }
}

/// The requests of a record, in lines, as they were sent.
pub(crate) fn requests(record: &[u8]) -> Result<String, Failure> {
    let mut lines = Ok(String::new());
    journal_requests(record, &mut |request| match (&mut lines, request_line(request)) {
        (Ok(lines), Ok(line)) => *lines += &(line + "\n"),
        (Ok(_), Err(error)) => lines = Err(error),
        (Err(_), _) => {}
    })?;
    Ok(lines?)
}

/// Whether a file is one of the results of an evaluation or of a batch.
#[cfg(feature = "view")]
pub(crate) fn has_results(path: &Path) -> bool {
    read_record_head(path, HEAD_BYTES).is_ok_and(|head| is_head_of_results(&head))
}

/// Whether a file that begins so has the results of an evaluation or of a batch.
#[cfg(feature = "view")]
pub(crate) fn is_head_of_results(head: &[u8]) -> bool {
    Results::is_head(head) || BatchResults::is_head(head)
}

/// Whether the first line is one of a replay file.
fn are_answers(bytes: &[u8]) -> bool {
    let line = bytes.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Json>(line).is_ok_and(|line| line.get("content").is_some() && line.get("turns").is_none())
}

fn of_json(bytes: &[u8]) -> Result<RecordedRun, Failure> {
    let json = StepJson::parse(std::str::from_utf8(bytes)?)?;
    let has_plain_values = json.values == ValueForm::Plain;
    Ok(RecordedRun { step: json.into_typed().to_step()?, has_plain_values, record: None, damage: None })
}
