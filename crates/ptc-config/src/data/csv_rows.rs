//! CSV with a header row as a list of maps.

use std::path::Path;

use ptc_lisp::Import;

use super::{DataError, DataFile, separator};
use crate::document::place_in;

/// The rows of `text`, every cell under its header; an empty cell is nil, quoted or not.
pub(super) fn read(path: &Path, text: &str) -> Result<DataFile, DataError> {
    let delimiter = separator::of(text);
    if let Some(opened) = separator::unclosed_quote(text, delimiter) {
        let problem = "the quote that opens here is never closed: close it, or write \"\" for a quote inside of a quoted cell";
        return Err(DataError::Invalid { place: place_in(path, text, opened), problem: problem.to_owned() });
    }
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::Headers).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| invalid(path, text, delimiter, &error))?.clone();
    if let Some(name) = header.iter().enumerate().find_map(|(at, name)| header.iter().take(at).find(|it| *it == name)) {
        let place = place_in(path, text, 0);
        return Err(DataError::Invalid { place, problem: format!("the header has `{name}` twice; rename one") });
    }
    // As one JSON text: the import makes each key once.
    let mut list = String::with_capacity(text.len() * 2);
    list.push('[');
    for record in reader.records() {
        let record = record.map_err(|error| invalid(path, text, delimiter, &error))?;
        list.push_str(if list.len() > 1 { ",\n" } else { "" });
        push_row(&mut list, &header, &record);
    }
    list.push(']');
    let value = Import::external().text(&list);
    let value = value.map_err(|error| DataError::Invalid { place: place_in(path, text, 0), problem: error.to_string() })?;
    let note = || format!("{}: the cells are separated by {}, since its header has no comma", path.display(), separator::name(delimiter));
    Ok(DataFile { value, notes: (delimiter != b',').then(note).into_iter().collect() })
}

fn invalid(path: &Path, text: &str, delimiter: u8, error: &csv::Error) -> DataError {
    let offset = error.position().map_or(0, |position| position.byte());
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let separator = separator::name(delimiter);
            format!("this row has {len} cells, the header has {expected_len}; quote cells that hold {separator}")
        }
        _ => error.to_string(),
    };
    DataError::Invalid { place: place_in(path, text, usize::try_from(offset).unwrap_or(0)), problem }
}

fn push_row(list: &mut String, header: &csv::StringRecord, record: &csv::StringRecord) {
    list.push('{');
    for (index, (name, cell)) in header.iter().zip(record).enumerate() {
        list.push_str(if index > 0 { "," } else { "" });
        list.push_str(&quoted(name));
        list.push(':');
        match cell {
            "" => list.push_str("null"),
            cell if is_literal(cell) => list.push_str(cell),
            cell => list.push_str(&quoted(cell)),
        }
    }
    list.push('}');
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether the cell is a boolean, or a number of at most 64 bits that is printed just as it stands there.
fn is_literal(cell: &str) -> bool {
    if matches!(cell, "true" | "false") {
        return true;
    }
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole {
        let plain = cell == "0" || !digits.starts_with('0');
        return plain && (cell.parse::<i64>().is_ok() || cell.parse::<u64>().is_ok());
    }
    let decimal = digits.contains('.') && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    decimal && cell.parse::<f64>().is_ok_and(|number| format!("{number:?}") == cell)
}
