//! Data files: JSON, JSON Lines and CSV.

mod csv_rows;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use ptc_lisp::{Import, Value};
use serde::de::IgnoredAny;

use crate::error::Place;

/// A data file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// It could not be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Its ending says nothing.
    #[error("cannot tell what {} is; name it .json, .jsonl or .csv", .path.display())]
    UnknownKind {
        /// The file asked for.
        path: PathBuf,
    },
    /// Its content is broken.
    #[error("{place}: {problem}")]
    Invalid {
        /// Where in the data file.
        place: Box<Place>,
        /// What is wrong.
        problem: String,
    },
}

/// The value in a `.json`, `.jsonl` (or `.ndjson`) or `.csv` file, as host data that costs programs no memory.
///
/// JSON Lines become a list, blank lines are skipped. CSV becomes a list of maps by its header row; cells are numbers
/// where printing the number gives the cell back (`007` and numbers beyond 64 bits stay text), `true` and `false` are booleans.
pub fn load_data(path: impl AsRef<Path>) -> Result<Value, DataError> {
    let path = path.as_ref();
    let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default().to_ascii_lowercase();
    let read: fn(&Path, &str) -> Result<Value, DataError> = match kind.as_str() {
        "json" => json,
        "jsonl" | "ndjson" => json_lines,
        "csv" => csv_rows::read,
        _ => return Err(DataError::UnknownKind { path: path.to_owned() }),
    };
    let text = std::fs::read_to_string(path).map_err(|source| DataError::Unreadable { path: path.to_owned(), source })?;
    read(path, text.strip_prefix('\u{feff}').unwrap_or(&text))
}

fn json(path: &Path, text: &str) -> Result<Value, DataError> {
    Import::external().text(text).map_err(|error| invalid(path, text, 0, &error))
}

/// Each line is checked to be one document by itself; then all are read as one list.
fn json_lines(path: &Path, text: &str) -> Result<Value, DataError> {
    let mut list = String::with_capacity(text.len() + 2);
    list.push('[');
    for (index, line) in text.split('\n').enumerate() {
        if !line.trim().is_empty() {
            serde_json::from_str::<IgnoredAny>(line).map_err(|error| invalid(path, line, index, &error))?;
            list.push_str(if list.len() > 1 { ",\n" } else { "" });
            list.push_str(line);
        }
    }
    list.push(']');
    Import::external().text(&list).map_err(|error| invalid(path, &list, 0, &error))
}

/// An error of the JSON reader in `text`, which has `above` lines above it in the file.
fn invalid(path: &Path, text: &str, above: usize, error: &serde_json::Error) -> DataError {
    let line_text = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let column = line_text.get(..error.column().saturating_sub(1)).map_or(1, |before| before.chars().count() + 1);
    let told = error.to_string();
    let problem = told.split(" at line ").next().unwrap_or_default();
    DataError::Invalid {
        place: Box::new(Place {
            file: path.to_owned(),
            line: u32::try_from(above + error.line().max(1)).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            line_text: line_text.chars().take(2_000).collect(),
        }),
        problem: format!("this is not JSON: {problem}"),
    }
}
