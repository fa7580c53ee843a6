//! Records as files: an answer that is a list of maps, written as CSV, JSON, JSON Lines, Markdown or Parquet.

#[cfg(feature = "parquet")]
mod columnar;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use indexmap::IndexSet;
use ptc_lisp::text::display_text;
use ptc_lisp::values::{key_text, type_of};
use ptc_lisp::{Map, Value};
use serde_json::Value as Json;

/// What a text begins with that a spreadsheet runs as a formula.
const FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// How records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordFormat {
    /// A header and a line for each record, with commas.
    Csv,
    /// One JSON document: any value, not only records.
    Json,
    /// A JSON object on each line.
    JsonLines,
    /// A table in Markdown.
    Markdown,
    /// Parquet; needs the feature `parquet`.
    Parquet,
}

/// Why an answer is not written as records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It has another shape.
    #[error("this needs a list of maps, and the answer is {found}; JSON takes any answer")]
    NotRecords {
        /// What it is: `map[2]`.
        found: String,
    },
    /// It cannot be expressed.
    #[error("{0}")]
    Refused(String),
    /// The program was built without the format.
    #[error(
        "Parquet needs a build with the feature `parquet`: in a clone, cargo install --locked --path crates/ptc-cli --features parquet"
    )]
    NoParquet,
    /// The file took no more.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl RecordFormat {
    /// The formats by the endings of their files.
    pub const ENDINGS: [(&'static str, RecordFormat); 6] = [
        ("csv", RecordFormat::Csv),
        ("json", RecordFormat::Json),
        ("jsonl", RecordFormat::JsonLines),
        ("ndjson", RecordFormat::JsonLines),
        ("md", RecordFormat::Markdown),
        ("parquet", RecordFormat::Parquet),
    ];

    /// The format that the name of a file asks for.
    #[must_use]
    pub fn of_file(path: &Path) -> Option<RecordFormat> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
    }

    /// Errors when the program was built without the format.
    pub fn check_build(self) -> Result<(), RecordError> {
        match self {
            RecordFormat::Parquet if cfg!(not(feature = "parquet")) => Err(RecordError::NoParquet),
            _ => Ok(()),
        }
    }

    /// Write a value. Returns remarks for its user.
    ///
    /// - records are a list of maps; their columns are all keys, in the order in which they first appear
    /// - a nested value is JSON in its cell; nil and a missing key are an empty cell, in JSON null and no key
    /// - in CSV and Markdown a text that begins with `=`, `+`, `-`, `@`, a tab or a line end gets a `'` before it:
    ///   spreadsheets run such texts
    /// - cost: linear in the value; Parquet holds all of it in memory
    pub fn write(self, value: &Value, out: &mut dyn Write) -> Result<Vec<String>, RecordError> {
        if self == RecordFormat::Json {
            serde_json::to_writer_pretty(&mut *out, &json(value)?).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
            return Ok(Vec::new());
        }
        let records = Records::of(value)?;
        match self {
            RecordFormat::Csv => records.csv(out),
            RecordFormat::Markdown => records.markdown(out),
            RecordFormat::JsonLines => records.json_lines(out).map(|()| Vec::new()),
            RecordFormat::Json | RecordFormat::Parquet => records.parquet(out).map(|()| Vec::new()),
        }
    }
}

struct Records<'v> {
    columns: IndexSet<String>,
    rows: Vec<&'v Map>,
}

impl<'v> Records<'v> {
    fn of(value: &'v Value) -> Result<Records<'v>, RecordError> {
        let found = || RecordError::NotRecords { found: type_of(value) };
        let items = value.as_vector().ok_or_else(found)?;
        let rows: Vec<&Map> = items.iter().map(Value::as_map).collect::<Option<_>>().ok_or_else(found)?;
        let mut columns = IndexSet::new();
        for row in &rows {
            // Records of one source have the same keys in the same order.
            let is_known = row.len() <= columns.len()
                && row.iter().zip(&columns).all(|((key, _), known): (_, &String)| key_text(key) == *known);
            if !is_known {
                columns.extend(row.iter().map(|(key, _)| key_text(key)));
            }
        }
        Ok(Records { columns, rows })
    }

    /// The texts of a row's cells, and how many of them were disarmed.
    fn cells(&self, row: &Map) -> Result<(Vec<String>, usize), RecordError> {
        let mut cells = vec![String::new(); self.columns.len()];
        let mut disarmed = 0;
        for (key, value) in row {
            let Some(cell) = self.columns.get_index_of(&key_text(key)).and_then(|place| cells.get_mut(place)) else {
                continue;
            };
            let text = cell_text(value)?;
            let is_formula = matches!(value, Value::Str(_) | Value::Keyword(_)) && text.starts_with(FORMULAS);
            disarmed += usize::from(is_formula);
            *cell = if is_formula { format!("'{text}") } else { text };
        }
        Ok((cells, disarmed))
    }

    fn csv(&self, out: &mut dyn Write) -> Result<Vec<String>, RecordError> {
        let mut writer = csv::Writer::from_writer(out);
        let failed = |error: csv::Error| RecordError::Io(error.into());
        let mut disarmed = 0;
        if !self.columns.is_empty() {
            writer.write_record(self.columns.iter().map(|name| armless(name).into_owned())).map_err(failed)?;
        }
        for row in &self.rows {
            let (cells, more) = self.cells(row)?;
            disarmed += more;
            writer.write_record(&cells).map_err(failed)?;
        }
        writer.flush()?;
        Ok(remarks(disarmed))
    }

    fn markdown(&self, out: &mut dyn Write) -> Result<Vec<String>, RecordError> {
        let mut disarmed = 0;
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.map(|cell| marked_down(&cell)).collect();
            writeln!(out, "| {} |", cells.join(" | "))
        };
        line(&mut self.columns.iter().map(|name| armless(name).into_owned()))?;
        line(&mut self.columns.iter().map(|_| "---".to_owned()))?;
        for row in &self.rows {
            let (cells, more) = self.cells(row)?;
            disarmed += more;
            line(&mut cells.into_iter())?;
        }
        Ok(remarks(disarmed))
    }

    fn json_lines(&self, out: &mut dyn Write) -> Result<(), RecordError> {
        for row in &self.rows {
            serde_json::to_writer(&mut *out, &json(&Value::Map((*row).clone()))?).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    #[cfg(feature = "parquet")]
    fn parquet(&self, out: &mut dyn Write) -> Result<(), RecordError> {
        columnar::write(self, out)
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(&self, _: &mut dyn Write) -> Result<(), RecordError> {
        Err(RecordError::NoParquet)
    }
}

fn json(value: &Value) -> Result<Json, RecordError> {
    value.to_json().map_err(|error| RecordError::Refused(error.message))
}

/// The text of a value in a cell.
fn cell_text(value: &Value) -> Result<String, RecordError> {
    Ok(match value {
        Value::Nil => String::new(),
        Value::Keyword(name) => name.as_str().to_owned(),
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => json(value)?.to_string(),
        other => display_text(other),
    })
}

/// A text that no spreadsheet runs.
fn armless(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULAS) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// A cell of a table in Markdown, which is one line.
fn marked_down(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace("\r\n", "<br>").replace(['\n', '\r'], "<br>")
}

fn remarks(disarmed: usize) -> Vec<String> {
    let cells = match disarmed {
        0 => return Vec::new(),
        1 => "1 cell begins".to_owned(),
        many => format!("{many} cells begin"),
    };
    vec![format!("{cells} with `=`, `+`, `-` or `@`: a `'` is written before it, so that no spreadsheet runs it")]
}
