//! What people read about a table: problems with their places, how each file was read, and remarks on columns.

use ptc_lisp::Value;
use ptc_lisp::text::{escaped, shortened};

use super::super::columns::{At, ColumnType};
use super::super::dialect::{Dialect, Problem, name_of};
use super::super::reading::{CellReading, ColumnReading, Reading, lines};
use super::super::split::{Row, Splitter, Syntax};
use super::{DataError, DataFile, Part, Source, Table};
use crate::place::{Lines, named, place_in};

/// Columns that a file has notes about.
const NOTED: usize = 20;
/// Files that notes list.
const LISTED: usize = 5;
/// Characters of a cell that an error quotes.
const QUOTED_CHARS: usize = 60;

impl Source {
    /// As a column of file names has it.
    pub(super) fn name(&self) -> String {
        self.path.to_string_lossy().trim_start_matches("./").to_owned()
    }

    /// A problem with its place in these lines.
    pub(super) fn problem(&self, text: &str, problem: Problem) -> DataError {
        let mut place = place_in(&self.path, text, problem.at);
        if self.has_rows {
            let number = self.numbers(text, &[problem.at]).first().copied().unwrap_or(1);
            place.line = u32::try_from(number).unwrap_or(u32::MAX);
            place.column = 1;
        }
        DataError::Invalid { place, problem: problem.told }
    }

    /// The numbers of the lines with these bytes, or of the rows of a workbook; the places are in order.
    pub(super) fn numbers(&self, text: &str, places: &[usize]) -> Vec<usize> {
        if places.is_empty() {
            return Vec::new();
        }
        if !self.has_rows {
            return Lines::of(text).numbers(places);
        }
        let mut splitter = Splitter::new(text, 0, Syntax::USUAL);
        let (mut row, mut number, mut found) = (Row::default(), 0, Vec::new());
        for place in places {
            while splitter.at() <= *place && splitter.next(&mut row).unwrap_or(false) {
                number += 1;
            }
            found.push(number);
        }
        found
    }

    /// How many lines these are, or rows of a workbook.
    pub(super) fn count(&self, text: &str) -> usize {
        let numbers = self.numbers(text, &[text.len()]);
        numbers.first().map_or(0, |number| number - usize::from(!self.has_rows))
    }
}

impl DataError {
    /// The same below so many lines.
    pub(super) fn below(mut self, lines: usize) -> DataError {
        if let DataError::Invalid { place, .. } = &mut self {
            place.line = place.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        }
        self
    }
}

/// The message for a cell that a given type does not read.
pub(super) fn bad_cell(column: &str, cell: &str, what: &str) -> String {
    let quoted = shortened(&escaped(cell), QUOTED_CHARS).into_owned();
    format!("`{quoted}` in the column `{column}` is not {what}")
}

/// Rows of several files must have the same columns.
pub(super) fn same_columns(parts: &[Part]) -> Result<(), DataError> {
    let Some((first, others)) = parts.split_first() else { return Ok(()) };
    let names = &first.dialect.names;
    let Some(part) = others.iter().find(|part| part.dialect.names != *names) else { return Ok(()) };
    let listed = |names: &[String]| {
        let shown = names.iter().take(20).map(|name| format!("`{}`", escaped(name)));
        shown.collect::<Vec<_>>().join(", ")
    };
    let told = format!(
        "the columns are {}, those of {} are {}; files that are read as one need the same columns in the same order",
        listed(&part.dialect.names),
        named(&first.source.path),
        listed(names)
    );
    Err(part
        .source
        .problem(part.source.text.head(), Problem::new(part.dialect.header.unwrap_or(part.dialect.body), told)))
}

impl Dialect {
    /// Whether a row with another number of cells than the header is left out without an error: it is blank, begins with
    /// `#`, or ends with a separator like all others.
    pub(super) fn is_left_out(&self, row: &Row, text: &str) -> bool {
        self.is_comment(row, text) || self.names.len() > 1 && row.len() == 1 && self.first(row, text).trim().is_empty()
    }

    /// A line that begins with `#` and cannot be a row.
    pub(super) fn is_comment(&self, row: &Row, text: &str) -> bool {
        self.names.len() > 1 && row.len() == 1 && self.first(row, text).starts_with('#')
    }

    fn first(&self, row: &Row, text: &str) -> String {
        row.cells(text, self.syntax).next().map(|cell| cell.into_owned()).unwrap_or_default()
    }

    /// What is wrong with a row that has another number of cells than the header; nothing if only a separator at its end
    /// is too much.
    pub(super) fn bad_row(&self, row: &Row, text: &str, is_first: bool) -> Option<Problem> {
        let (count, names) = (row.len(), self.names.len());
        let is_empty = |cell: Option<String>| cell.is_none_or(|cell| cell.trim().is_empty());
        let last = row.cells(text, self.syntax).last().map(|cell| cell.into_owned());
        if self.is_trailing && count == names + 1 && is_empty(last.clone()) {
            return None;
        }
        let separator = name_of(self.syntax.separator);
        let advice = if self.first(row, text).starts_with('#') {
            "`comment = \"#\"` leaves such lines out".to_owned()
        } else if count == names + 1 && is_empty(last) {
            format!("it ends with {separator}, which the other rows do not")
        } else if names == 1 && is_first {
            format!("quote cells that hold {separator}; if another line names the columns, say `header = NUMBER`")
        } else if count > names {
            format!("quote cells that hold {separator}, or leave such rows out with `on_error = \"skip\"`")
        } else {
            "complete it, or leave such rows out with `on_error = \"skip\"`".to_owned()
        };
        let cells = if count == 1 { "cell" } else { "cells" };
        Some(Problem::new(row.start, format!("this row has {count} {cells}, the header has {names}; {advice}")))
    }
}

impl Table<'_> {
    /// The result, with what was found out about each file.
    pub(super) fn into_file(self, value: Value, types: &[ColumnType]) -> DataFile {
        let readings: Vec<Reading> = self.parts.iter().map(|part| self.reading(part, types)).collect();
        let unusual = || readings.iter().filter(|reading| !reading.is_usual());
        let mut notes: Vec<String> = unusual().take(LISTED).map(Reading::note).collect();
        let more = unusual().count().saturating_sub(LISTED);
        notes.extend(
            (more > 0).then(|| format!("{more} more files are not read in the usual way; `ptc check` lists them")),
        );
        notes.extend(self.files());
        for part in &self.parts {
            let about =
                part.source.notes.iter().cloned().chain(part.dialect.notes.iter().cloned()).chain(part.skipped());
            notes.extend(about.map(|note| format!("{}: {note}", named(&part.source.path))));
        }
        notes.extend(self.column_notes(types));
        DataFile { value, notes, readings }
    }

    /// Which files were read as one.
    fn files(&self) -> Option<String> {
        let (count, rows) = (self.parts.len(), self.parts.iter().map(|part| part.met.rows).sum::<usize>());
        let each =
            self.parts.iter().take(LISTED).map(|part| format!("{} of {}", part.met.rows, named(&part.source.path)));
        let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
        let each = each.collect::<Vec<_>>().join(", ");
        let column = if self.options.file_column.is_some() {
            ""
        } else {
            "; `file_column = \"…\"` adds a column with their names"
        };
        (count > 1).then(|| format!("{rows} rows are read of {count} files: {each}{more}{column}"))
    }

    fn column_notes(&self, types: &[ColumnType]) -> Vec<String> {
        let Some(first) = self.parts.first() else { return Vec::new() };
        let line = |at: At| {
            let part = self.parts.get(at.file).unwrap_or(first);
            let of = if at.file == 0 { String::new() } else { format!(" of {}", named(&part.source.path)) };
            let word = if part.source.has_rows { "row" } else { "line" };
            format!("{word} {}{of}", at.place)
        };
        let has_commas = self.has_commas(&self.columns);
        let mut notes = Vec::new();
        let mut further = 0;
        for (column, ty) in self.columns.iter().zip(types) {
            if notes.len() >= NOTED {
                further += 1;
                continue;
            }
            let told = column.notes(ty, has_commas, &line);
            notes.extend(told.into_iter().map(|note| format!("{}: {note}", named(&first.source.path))));
        }
        if further > 0 {
            notes.push(format!("{}: {further} more columns are not described", named(&first.source.path)));
        }
        notes
    }

    fn reading(&self, part: &Part, types: &[ColumnType]) -> Reading {
        let Part { source, dialect, .. } = part;
        let is_text = !source.has_rows;
        let mut left_out = dialect.left_out.clone();
        let mut below: Vec<usize> = part.met.comments.iter().chain(&part.met.skipped).copied().collect();
        below.sort_unstable();
        left_out.extend(below);
        let columns = self.columns.iter().zip(types).map(|(column, ty)| ColumnReading {
            name: column.name.clone(),
            kind: column.kind(ty),
            missing: column.nils(ty),
        });
        let has_commas = types.iter().any(|ty| ty.decimal() == Some(','));
        let decimal = types.iter().find_map(ColumnType::decimal);
        let cells = CellReading {
            separator: is_text.then(|| separator(dialect.syntax.separator)),
            quote: is_text.then(|| match dialect.syntax.quote {
                0 => String::new(),
                quote => char::from(quote).to_string(),
            }),
            has_spaces: dialect.syntax.has_spaces,
            is_trailing: dialect.is_trailing,
            header: dialect.header.and_then(|at| source.numbers(source.text.head(), &[at]).first().copied()),
            left_out,
            decimal: if has_commas { Some(',') } else { decimal },
            columns: columns.collect(),
        };
        Reading {
            file: source.path.clone(),
            part: source.part.clone(),
            format: source.format,
            encoding: source.encoding,
            cells: Some(cells),
            count: part.met.rows,
        }
    }
}

impl Part {
    /// How many lines are above its first row.
    pub(super) fn lines_above(&self) -> usize {
        self.source.count(self.source.text.head().get(..self.dialect.body).unwrap_or_default())
    }

    /// Which rows could not be read.
    fn skipped(&self) -> Option<String> {
        let why = self.met.why.as_ref()?;
        let numbers = &self.met.skipped;
        let (count, first) = (numbers.len(), numbers.first()?);
        let (rows, are) = if count == 1 { ("row", "is") } else { ("rows", "are") };
        let word = if self.source.has_rows { "row" } else { "line" };
        let why = why.split("; ").next().unwrap_or_default();
        Some(format!("{count} {rows} {are} left out: {}; of {word} {first}: {why}", lines(numbers)))
    }
}

fn separator(byte: u8) -> String {
    if byte == b'\t' { "tab".to_owned() } else { char::from(byte).to_string() }
}
