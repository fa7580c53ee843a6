//! How a data file was read, for people and for programs.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use crate::place::named;

/// How one file was read: what was found out or said, and what is in it.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Reading {
    /// The file, as it was named.
    pub file: PathBuf,
    /// What was read of it, where it holds more: a file of an archive, a sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Its format: `CSV`, `JSON`, `text`.
    pub format: &'static str,
    /// The encoding of text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// How cells are written.
    #[serde(flatten)]
    pub cells: Option<CellReading>,
    /// Rows, elements or values; characters of a text.
    pub count: usize,
}

/// How a file with columns was read.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct CellReading {
    /// What is between cells; nothing in workbooks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separator: Option<String>,
    /// What is around cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Whether the spaces after separators were left out.
    pub has_spaces: bool,
    /// Whether rows end with a separator that separates nothing.
    pub is_trailing: bool,
    /// The line that names the columns.
    pub header: Option<usize>,
    /// Lines that were left out: titles, comments, and rows that could not be read.
    pub left_out: Vec<usize>,
    /// The decimal sign of the file's numbers, where they have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// The columns in order.
    pub columns: Vec<ColumnReading>,
}

/// A column, and what its cells became.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ColumnReading {
    /// Its name.
    pub name: String,
    /// `integers`, `numbers`, `booleans`, `dates`, `times`, `text`, or `dates as text`.
    pub kind: &'static str,
    /// Cells that are nil.
    pub missing: usize,
}

/// Columns that are listed by name in a line.
const LISTED: usize = 12;
/// Lines that are listed by number.
const LINES: usize = 8;

impl Reading {
    /// Whether a reader would expect nothing else of a file with this name.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        let usual = |cells: &CellReading| {
            cells.separator.as_deref().is_none_or(|separator| separator == "," || self.is_by_name(separator))
                && cells.quote.as_deref().is_none_or(|quote| quote == "\"")
                && !cells.has_spaces
                && !cells.is_trailing
                && cells.header.is_none_or(|line| line == 1)
                && cells.left_out.is_empty()
                && cells.decimal != Some(',')
        };
        self.part.is_none() && self.encoding.is_none_or(|name| name == "UTF-8") && self.cells.as_ref().is_none_or(usual)
    }

    /// Whether the extension already says that this separates cells.
    fn is_by_name(&self, separator: &str) -> bool {
        let extension = super::format::extension(&self.file);
        separator == "tab" && matches!(extension.as_str(), "tsv" | "tab") || separator == "|" && extension == "psv"
    }

    /// How it was read, without what is in it.
    fn manner(&self) -> Vec<String> {
        let mut told = vec![self.format.to_owned()];
        told.extend(self.encoding.filter(|name| *name != "UTF-8").map(str::to_owned));
        let Some(cells) = &self.cells else { return told };
        told.extend(cells.separator.as_ref().map(|separator| match separator.as_str() {
            "tab" => "cells separated by tabs".to_owned(),
            other => format!("cells separated by `{other}`"),
        }));
        told.extend(cells.quote.as_ref().filter(|quote| *quote != "\"").map(|quote| match quote.as_str() {
            "" => "no quotes".to_owned(),
            quote => format!("quotes are `{quote}`"),
        }));
        told.extend(cells.has_spaces.then(|| "without the spaces after them".to_owned()));
        told.extend(cells.is_trailing.then(|| "one at the end of each row".to_owned()));
        match cells.header {
            Some(1) => {}
            Some(line) => told.push(format!("the header is line {line}")),
            None => told.push("no header".to_owned()),
        }
        if !cells.left_out.is_empty() {
            told.push(format!("left out: {}", lines(&cells.left_out)));
        }
        told.extend(cells.decimal.filter(|sign| *sign != '.').map(|sign| format!("decimal `{sign}`")));
        told
    }

    /// `orders.csv: read as CSV, cells separated by ;, the header is line 3`.
    #[must_use]
    pub fn note(&self) -> String {
        format!("{}: read as {}", self.name(), self.manner().join(", "))
    }

    fn name(&self) -> String {
        match &self.part {
            Some(part) => format!("{} ({part})", named(&self.file)),
            None => named(&self.file),
        }
    }
}

/// `line 3`, `lines 1-2, 7`.
pub(super) fn lines(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    let listed = runs.iter().take(LINES).map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    let word = if numbers.len() == 1 { "line" } else { "lines" };
    let more: usize = runs.iter().skip(LINES).map(|(first, last)| last - first + 1).sum();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{word} {}{rest}", listed.collect::<Vec<_>>().join(", "))
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.manner().join(", "))?;
        let Some(cells) = &self.cells else {
            let (one, many) = if self.format == "text" { ("character", "characters") } else { ("element", "elements") };
            return write!(f, "; {} {}", self.count, if self.count == 1 { one } else { many });
        };
        let columns = cells.columns.iter().take(LISTED).map(|column| match column.missing {
            0 => format!("{} {}", column.name, column.kind),
            missing => format!("{} {} ({missing} nil)", column.name, column.kind),
        });
        let more = cells.columns.len().saturating_sub(LISTED);
        let rest = if more > 0 { format!(" and {more} more columns") } else { String::new() };
        let rows = if self.count == 1 { "row" } else { "rows" };
        write!(f, "; {} {rows}: {}{rest}", self.count, columns.collect::<Vec<_>>().join(", "))
    }
}
