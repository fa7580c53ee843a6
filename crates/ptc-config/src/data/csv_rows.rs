//! CSV with a header row as a list of maps.

use std::collections::HashSet;
use std::path::Path;

use ptc_lisp::Import;

use super::columns::{Column, ColumnType, is_missing};
use super::separator::{self, Separator};
use super::{DataError, DataFile};
use crate::place::{named, place_in};

/// Bytes of the line with the names of the columns.
const MAX_HEAD: usize = 1 << 20;

/// The rows of `text`, every cell under its header; an empty cell is nil, quoted or not. The columns `texts` are text
/// whatever they contain.
pub(super) fn read(path: &Path, text: &str, texts: &[&str]) -> Result<DataFile, DataError> {
    let refused = |at: usize, problem: String| DataError::Invalid { place: place_in(path, text, at), problem };
    if let Some(at) = text.find('\0') {
        return Err(refused(at, "this is not text, it contains a byte 0; save the file as UTF-8".to_owned()));
    }
    let head = text.find('\n').unwrap_or(text.len());
    if head > MAX_HEAD {
        let problem = format!("the first line, which names the columns, has {head} bytes; is this a CSV file?");
        return Err(refused(0, problem));
    }
    let delimiter = separator::of(text);
    if let Some(opened) = separator::unclosed_quote(text, delimiter) {
        let problem =
            "the quote that opens here is never closed: close it, or write \"\" for a quote inside of a quoted cell";
        return Err(refused(opened, problem.to_owned()));
    }
    let mut reader = reader(text, delimiter);
    let header = reader.headers().map_err(|error| invalid(path, text, delimiter, &error))?.clone();
    let mut names = HashSet::with_capacity(header.len());
    if let Some(name) = header.iter().find(|name| !names.insert(*name)) {
        return Err(refused(0, format!("the header has `{name}` twice; rename one")));
    }
    let mut columns: Vec<Column> = header.iter().map(|name| Column::new(texts.contains(&name))).collect();
    for record in reader.records() {
        let record = record.map_err(|error| invalid(path, text, delimiter, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        columns.iter_mut().zip(&record).for_each(|(column, cell)| column.add(cell, line));
    }
    let value = Import::uncounted().text(&written(text, delimiter, &header, &columns));
    let value = value.map_err(|error| refused(0, error.to_string()))?;
    Ok(DataFile { value, notes: notes(path, delimiter, &header, &columns) })
}

fn reader(text: &str, delimiter: Separator) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(delimiter.byte).trim(csv::Trim::Headers).from_reader(text.as_bytes())
}

/// The rows as one JSON text: the import creates each key once. The text is read a second time instead of being kept in
/// cells.
fn written(text: &str, delimiter: Separator, header: &csv::StringRecord, columns: &[Column]) -> String {
    let columns: Vec<(String, ColumnType)> =
        header.iter().zip(columns).map(|(name, column)| (quoted(name), column.ty())).collect();
    let mut list = String::with_capacity(text.len() * 2);
    list.push('[');
    for record in reader(text, delimiter).records().flatten() {
        list.push_str(if list.len() > 1 { ",\n" } else { "" });
        push_row(&mut list, &columns, &record);
    }
    list.push(']');
    list
}

/// Remarks for the user who gave the file.
fn notes(path: &Path, delimiter: Separator, header: &csv::StringRecord, columns: &[Column]) -> Vec<String> {
    let file = named(path);
    let texts = header.iter().zip(columns).filter_map(|(name, column)| column.note(name));
    delimiter.note().into_iter().chain(texts).map(|note| format!("{file}: {note}")).collect()
}

fn invalid(path: &Path, text: &str, delimiter: Separator, error: &csv::Error) -> DataError {
    let offset = error.position().map_or(0, |position| position.byte());
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let separator = delimiter.name();
            format!("this row has {len} cells, the header has {expected_len}; quote cells that hold {separator}")
        }
        _ => error.to_string(),
    };
    DataError::Invalid { place: place_in(path, text, usize::try_from(offset).unwrap_or(0)), problem }
}

fn push_row(list: &mut String, columns: &[(String, ColumnType)], record: &csv::StringRecord) {
    list.push('{');
    for (index, ((name, ty), cell)) in columns.iter().zip(record).enumerate() {
        list.push_str(if index > 0 { "," } else { "" });
        list.push_str(name);
        list.push(':');
        push_cell(list, *ty, cell);
    }
    list.push('}');
}

/// The cell as JSON: what [`Column`] takes for a number is one there, except for `-0`, which is a float.
fn push_cell(list: &mut String, ty: ColumnType, cell: &str) {
    match ty {
        _ if cell.is_empty() => list.push_str("null"),
        ColumnType::Int | ColumnType::Float if is_missing(cell) => list.push_str("null"),
        ColumnType::Int if cell == "-0" => list.push('0'),
        ColumnType::Float if !cell.contains(['.', 'e', 'E']) => list.extend([cell, ".0"]),
        ColumnType::Int | ColumnType::Float | ColumnType::Bool => list.push_str(cell),
        ColumnType::Text => list.push_str(&quoted(cell)),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
