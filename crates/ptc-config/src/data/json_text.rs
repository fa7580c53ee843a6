//! JSON and JSON Lines.

use std::path::Path;

use ptc_lisp::Import;

use super::{DataError, DataFile, twice};
use crate::place::Place;

pub(super) fn json(path: &Path, text: &str) -> Result<DataFile, DataError> {
    let value = Import::uncounted().text(text).map_err(|error| invalid(path, text, 0, &error))?;
    twice::check(text).map_err(|error| invalid(path, text, 0, &error))?;
    Ok(value.into())
}

/// Each line is checked to be one document on its own; then all are read as one list.
pub(super) fn json_lines(path: &Path, text: &str) -> Result<DataFile, DataError> {
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
    Import::uncounted().text(&list).map(DataFile::from).map_err(|error| invalid(path, &list, 0, &error))
}

/// An error of the JSON reader in `text`, with `above` lines before it in the file.
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
