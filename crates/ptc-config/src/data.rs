//! Data files: JSON, JSON Lines, CSV and text.

mod columns;
mod csv_rows;
mod separator;
#[cfg(test)]
mod tests;
pub(crate) mod twice;

use std::io;
use std::path::{Path, PathBuf};

use ptc_lisp::{Import, Value};

use crate::error::Place;
use crate::text::{NotUtf8, decoded};

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
    #[error("cannot tell what {} is; name it .json, .jsonl, .csv, .txt or .md", .path.display())]
    UnknownKind {
        /// The file asked for.
        path: PathBuf,
    },
    /// It is not text.
    #[error("{place}: {source}")]
    NotText {
        /// Where in the data file.
        place: Box<Place>,
        /// What stands there.
        source: NotUtf8,
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

/// What a data file holds.
#[derive(Debug, Clone)]
pub struct DataFile {
    /// The value.
    pub value: Value,
    /// What somebody who gave the file should hear.
    pub notes: Vec<String>,
}

impl From<Value> for DataFile {
    fn from(value: Value) -> DataFile {
        DataFile { value, notes: Vec::new() }
    }
}

/// The value in a data file, as host data that costs programs no memory.
///
/// See [`read_data`], which also says what was noticed.
pub fn load_data(path: impl AsRef<Path>) -> Result<Value, DataError> {
    read_data(path).map(|file| file.value)
}

/// The value in a data file, as host data that costs programs no memory.
///
/// - `.json`: its value; a key that stands twice in one object is an error
/// - `.jsonl`, `.ndjson`: a list with an element per line, without blank lines
/// - `.csv`: a list of maps by the header row. A column is typed as a whole: integers when every filled cell is one, floats
///   when every filled cell is a number (`12.50`, `-3`, `1e-5`), booleans when every filled cell is `true` or `false`, else
///   text. A leading zero (`007`), a `+` (`+49`) or more than 15 digits without a decimal point make a column text; empty
///   cells are nil. Cells are separated by commas, or by `;` or tabs where the header has these and no comma
/// - `.txt`, `.md`: one string
pub fn read_data(path: impl AsRef<Path>) -> Result<DataFile, DataError> {
    let path = path.as_ref();
    let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default().to_ascii_lowercase();
    let read: fn(&Path, &str) -> Result<DataFile, DataError> = match kind.as_str() {
        "json" => json,
        "jsonl" | "ndjson" => json_lines,
        "csv" => csv_rows::read,
        "txt" | "md" => plain_text,
        _ => return Err(DataError::UnknownKind { path: path.to_owned() }),
    };
    let bytes = std::fs::read(path).map_err(|source| DataError::Unreadable { path: path.to_owned(), source })?;
    let text = decoded(path, bytes).map_err(|(place, source)| DataError::NotText { place, source })?;
    read(path, text.strip_prefix('\u{feff}').unwrap_or(&text))
}

fn json(path: &Path, text: &str) -> Result<DataFile, DataError> {
    let value = Import::external().text(text).map_err(|error| invalid(path, text, 0, &error))?;
    twice::check(text).map_err(|error| invalid(path, text, 0, &error))?;
    Ok(value.into())
}

fn plain_text(_: &Path, text: &str) -> Result<DataFile, DataError> {
    Ok(Import::external().value(text.into()).into())
}

/// Each line is checked to be one document by itself; then all are read as one list.
fn json_lines(path: &Path, text: &str) -> Result<DataFile, DataError> {
    let mut list = String::with_capacity(text.len() + 2);
    list.push('[');
    for (index, line) in text.split('\n').enumerate() {
        if !line.trim().is_empty() {
            twice::check(line).map_err(|error| invalid(path, line, index, &error))?;
            list.push_str(if list.len() > 1 { ",\n" } else { "" });
            list.push_str(line);
        }
    }
    list.push(']');
    Import::external().text(&list).map(DataFile::from).map_err(|error| invalid(path, &list, 0, &error))
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
        problem: if error.is_data() { problem.to_owned() } else { format!("this is not JSON: {problem}") },
    }
}
