//! The results of a batch in a file, one a line, and the records of its runs in a folder next to it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use ptc_chat::Tokens;
use ptc_config::named;
use ptc_lisp::{Import, Value};
use ptc_transcript::{private_file, private_folder};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::local::PricesOf;
use super::row::BatchRow;
use crate::lines::{LineFile, LinesError, Opened, below};

/// What each line begins with.
const HEAD: &str = "{\"row\":";

/// How the run of a row has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RowState {
    /// With an answer.
    Ok,
    /// Without one: the mission failed, or the row is not one that it takes.
    Failed,
    /// Stopped by a limit of the mission, such as its turns or tokens.
    Limit,
    /// The model could not be asked to the end, after all attempts.
    Unreachable,
    /// Cut off by what stopped the batch: it is continued the next time.
    Stopped,
}

impl RowState {
    /// The states that a run can have for good.
    pub const FINAL: [RowState; 4] = [RowState::Ok, RowState::Failed, RowState::Limit, RowState::Unreachable];

    /// The name in results.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            RowState::Ok => "ok",
            RowState::Failed => "failed",
            RowState::Limit => "limit",
            RowState::Unreachable => "unreachable",
            RowState::Stopped => "stopped",
        }
    }
}

/// A line of the results: a row, and what its run has found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RowResult {
    /// The number of the row, from 1.
    pub row: usize,
    /// Its columns.
    pub inputs: Json,
    /// How its run has ended.
    pub state: RowState,
    /// The answer.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub answer: Json,
    /// Why there is none, by a stable name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The model that was asked first.
    pub model: String,
    /// Turns.
    pub turns: usize,
    /// Requests to models of all agents, failed ones included.
    pub requests: u64,
    /// Tokens of all agents and of all attempts at the row.
    pub tokens: Tokens,
    /// What they cost in USD, where all prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Wall time in milliseconds.
    pub duration_ms: u64,
    /// Runs of the row that began from the start.
    pub attempt: u32,
    /// The record of the run, relative to the folder of this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// See [`BatchRow::key`].
    pub key: String,
    /// The version of the mission and of the options that decide what it is asked.
    pub version: String,
}

impl RowResult {
    /// The record of the run, where the results are in this folder; none outside of it, since a file may come from another
    /// author.
    #[must_use]
    pub fn record(&self, folder: &Path) -> Option<PathBuf> {
        below(folder, self.run.as_deref()?)
    }

    /// What its tokens cost, where that was not known when it was found. Called agents count as the model.
    fn price(&mut self, prices: &PricesOf) {
        if self.usd.is_none() && self.tokens.total() > 0 {
            self.usd = prices(&self.model).map(|prices| prices.cost(&self.tokens));
        }
    }
}

/// A file of results that does not belong to this batch.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchResultsError {
    /// It cannot be read or written.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// The records or the sorted results cannot be written.
    #[error("{}: {source}", named(.path))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// Results of another model.
    #[error("{}, line {line}: this is an answer of {found}, and {wanted} is asked now; name another file with `--out other.jsonl`", named(.path))]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The model of the line.
        found: String,
        /// The model of this batch.
        wanted: String,
    },
    /// Results of another version of the mission.
    #[error("{}, line {line}: this is a result of another mission, or of other options; name another file with `--out other.jsonl`", named(.path))]
    OtherMission {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// The results of a batch so far, and the file to which further ones are appended.
#[derive(Debug)]
pub struct BatchResults {
    file: LineFile,
    /// The newest result of each row and attempt, by the key of the row.
    known: IndexMap<String, Vec<RowResult>>,
    note: Option<String>,
    /// The folder of the records, where they are kept.
    runs: Option<PathBuf>,
}

impl BatchResults {
    /// Open the results of a batch of this model and version of a mission, or begin them. A last line that was not
    /// written to its end is removed, see [`BatchResults::note`].
    pub fn open(path: impl AsRef<Path>, model: &str, version: &str) -> Result<BatchResults, BatchResultsError> {
        let Opened { file, lines, note } = LineFile::open::<RowResult>(path.as_ref(), HEAD)?;
        for (place, line) in lines.iter().enumerate() {
            let (path, number) = (file.path().to_owned(), place + 1);
            if line.model != model {
                let (found, wanted) = (line.model.clone(), model.to_owned());
                return Err(BatchResultsError::OtherModel { path, line: number, found, wanted });
            }
            if line.version != version {
                return Err(BatchResultsError::OtherMission { path, line: number });
            }
        }
        Ok(BatchResults { file, known: newest(lines), note, runs: None })
    }

    /// The same, where the run of each row is recorded: in `results.runs` for `results.jsonl`. A run that is cut off then
    /// continues where it was.
    pub fn keeping_runs(mut self) -> Result<BatchResults, BatchResultsError> {
        let runs = self.file.path().with_extension("runs");
        let unusable = |source| BatchResultsError::File { path: runs.clone(), source };
        private_folder().recursive(true).create(&runs).map_err(unusable)?;
        self.runs = Some(runs);
        Ok(self)
    }

    /// The results in a file, as far as they are written: the last one of each row, in the order of the rows.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<RowResult>, LinesError> {
        Ok(last(newest(LineFile::read(path.as_ref(), HEAD)?)))
    }

    /// Whether a file that begins with these bytes could be one of results.
    #[must_use]
    pub fn is_head(bytes: &[u8]) -> bool {
        bytes.starts_with(HEAD.as_bytes())
    }

    /// What was removed when the file was opened.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The last result of a row.
    #[must_use]
    pub fn last(&self, row: &BatchRow) -> Option<&RowResult> {
        self.known.get(&row.key)?.last()
    }

    /// The same with the cost of results that were found when no price was known.
    pub(super) fn priced(mut self, prices: &PricesOf) -> BatchResults {
        self.known.values_mut().flatten().for_each(|result| result.price(prices));
        self
    }

    /// The last result of each row.
    pub(super) fn all(&self) -> Vec<RowResult> {
        last(self.known.clone())
    }

    /// What the attempts before this one at the row with this key have used, and what that cost where it is known.
    pub(super) fn before(&self, key: &str, attempt: u32) -> (Tokens, Option<f64>) {
        let mut earlier = self.known.get(key).into_iter().flatten().filter(|result| result.attempt < attempt);
        earlier.next_back().map_or_else(Default::default, |result| (result.tokens, result.usd))
    }

    /// Where the run of an attempt at a row is recorded, from the folder of the results, and the path.
    pub(super) fn record(&self, row: &BatchRow, attempt: u32) -> Option<(String, PathBuf)> {
        let runs = self.runs.as_ref()?;
        let ending = if attempt == 1 { String::new() } else { format!(".{attempt}") };
        // Not packed: a packer takes half a megabyte, and a thousand runs are in progress at once.
        let name = format!("{}{ending}.jsonl", row.key);
        let folder = runs.file_name().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        Some((format!("{folder}/{name}"), runs.join(name)))
    }

    /// Write down a result.
    pub(super) fn append(&self, result: &RowResult) -> Result<(), LinesError> {
        self.file.append(result)
    }

    /// Replace the file by one with a line for each row, in their order: the batch is over, and nothing more is appended.
    /// Returns the results of the rows whose numbers these are, by their keys; results of other rows stay in the file.
    pub(super) fn finish(
        self,
        numbers: &HashMap<String, usize>,
        prices: Option<&PricesOf>,
    ) -> Result<Vec<RowResult>, BatchResultsError> {
        let path = self.file.path().to_owned();
        // Windows keeps readers out of a locked file, and replaces none that is open.
        let _locked = (!cfg!(windows)).then_some(self.file);
        let mut results = BatchResults::read(&path)?;
        for result in &mut results {
            result.row = numbers.get(&result.key).copied().unwrap_or(result.row);
            if let Some(prices) = prices {
                result.price(prices);
            }
        }
        results.sort_by_key(|result| (!numbers.contains_key(&result.key), result.row));
        let unwritable = |source| BatchResultsError::File { path: path.clone(), source };
        let sorted = path.with_extension("jsonl.new");
        let mut text = String::new();
        for result in &results {
            text.push_str(&serde_json::to_string(result).map_err(io::Error::from).map_err(unwritable)?);
            text.push('\n');
        }
        // A reader sees the one or the other.
        let file = private_file().write(true).create(true).truncate(true).open(&sorted);
        // On the disk before it replaces what is there: a power failure must not leave an empty file.
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
        written.and_then(|()| fs::rename(&sorted, &path)).map_err(unwritable)?;
        results.retain(|result| numbers.contains_key(&result.key));
        Ok(results)
    }
}

/// By the key of their rows, the newest of each attempt, in the order of attempts.
fn newest(lines: Vec<RowResult>) -> IndexMap<String, Vec<RowResult>> {
    let mut known: IndexMap<String, Vec<RowResult>> = IndexMap::new();
    for line in lines {
        let attempts = known.entry(line.key.clone()).or_default();
        match attempts.iter_mut().find(|known| known.attempt == line.attempt) {
            Some(known) => *known = line,
            None => attempts.push(line),
        }
    }
    known
}

fn last(known: IndexMap<String, Vec<RowResult>>) -> Vec<RowResult> {
    let mut results: Vec<RowResult> = known.into_values().filter_map(|mut attempts| attempts.pop()).collect();
    results.sort_by_key(|result| result.row);
    results
}

/// The results as a table: the columns of the rows, `answer` or its fields, and what is known of the runs.
#[must_use]
pub fn table(results: &[RowResult]) -> Value {
    let inputs = names(results.iter().map(|result| &result.inputs));
    let fields = names(results.iter().map(|result| &result.answer));
    let has_plain = results.iter().any(|result| !result.answer.is_null() && !result.answer.is_object());
    let rows = results.iter().map(|result| {
        let cell = |of: &Json, name: &String| of.get(name).cloned().unwrap_or_default();
        let mut cells: Vec<(String, Json)> =
            inputs.iter().map(|name| (name.clone(), cell(&result.inputs, name))).collect();
        if has_plain {
            let plain = if result.answer.is_object() { Json::Null } else { result.answer.clone() };
            cells.push(("answer".to_owned(), plain));
        }
        cells.extend(fields.iter().map(|name| (format!("answer.{name}"), cell(&result.answer, name))));
        let facts = [
            ("run_row", Json::from(result.row)),
            ("run_state", result.state.as_str().into()),
            ("run_reason", result.reason.clone().into()),
            ("run_message", result.message.clone().into()),
            ("run_model", result.model.clone().into()),
            ("run_turns", result.turns.into()),
            ("run_tokens_in", result.tokens.input.into()),
            ("run_tokens_out", result.tokens.output.into()),
            ("run_usd", result.usd.map(|usd| (usd * 1e9).round() / 1e9).into()),
            ("run_record", result.run.clone().into()),
        ];
        cells.extend(facts.map(|(name, value)| (name.to_owned(), value)));
        let mut import = Import::uncounted();
        Value::map_from(cells.into_iter().map(|(name, cell)| (Value::keyword(&name), import.value(cell))))
    });
    Value::vector(rows.collect())
}

/// The keys of all objects among these, in the order in which they first come.
fn names<'a>(objects: impl Iterator<Item = &'a Json>) -> Vec<String> {
    let keys = objects.filter_map(Json::as_object).flat_map(|object| object.keys());
    keys.cloned().collect::<IndexSet<String>>().into_iter().collect()
}
