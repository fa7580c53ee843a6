//! How a text with columns is written: what separates and quotes cells, and which line names the columns.

mod choice;
mod sample;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::options::{Header, ReadOptions};
use super::split::{Fault, Row, Splitter, Syntax};
use crate::place::{Lines, line_end};
use choice::Choice;
use sample::{Sample, looked_at};

/// Bytes of the line with the names of the columns.
const MAX_HEAD: usize = 1 << 20;

/// What is known of a text before its rows are read.
#[derive(Debug, Clone)]
pub(super) struct Dialect {
    pub(super) syntax: Syntax,
    /// The names of the columns.
    pub(super) names: Vec<String>,
    /// Where the row with the names begins, if there is one.
    pub(super) header: Option<usize>,
    /// Where the first row begins.
    pub(super) body: usize,
    /// Whether rows end with a separator that separates nothing.
    pub(super) is_trailing: bool,
    /// Lines above the header that were left out.
    pub(super) left_out: Vec<usize>,
    /// What is not certain.
    pub(super) notes: Vec<String>,
}

/// What is wrong with a text, and the byte where.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) at: usize,
    pub(super) told: String,
}

impl Problem {
    pub(super) fn new(at: usize, told: impl Into<String>) -> Problem {
        Problem { at, told: told.into() }
    }
}

/// What separates cells, as people call it.
pub(super) fn name_of(separator: u8) -> String {
    match separator {
        b',' => "commas".to_owned(),
        b'\t' => "tabs".to_owned(),
        b' ' => "spaces".to_owned(),
        other => format!("`{}`", char::from(other)),
    }
}

/// Find out how `text` is written, where the options do not say it; `usual` is the separator that its name says.
pub(super) fn detect(text: &str, options: &ReadOptions, usual: Option<u8>) -> Result<Dialect, Problem> {
    if let Some(at) = text.find('\0') {
        return Err(Problem::new(at, "this is not text, it contains a byte 0; save the file as UTF-8"));
    }
    let start = (0..options.skip).fold(0, |at, _| line_end(text, at));
    let (named, start) = separator_line(text, start);
    let start = match options.header {
        Some(Header::Line(line)) => start_of(text, line).filter(|at| *at >= start).ok_or_else(|| {
            Problem::new(0, format!("`header = {line}` names a line that the file does not have; count from 1"))
        })?,
        _ => start,
    };
    let head = line_end(text, start) - start;
    if head > MAX_HEAD {
        let told = format!("the first line, which names the columns, has {head} bytes; is this a CSV file?");
        return Err(Problem::new(start, told));
    }
    let separator = options.separator.or(named).or(usual);
    let choice = Choice::of(text, start, separator, options);
    let mut dialect = Dialect {
        syntax: choice.syntax,
        names: Vec::new(),
        header: None,
        body: choice.header,
        is_trailing: choice.is_trailing,
        left_out: lines_until(text, choice.header),
        notes: choice.notes,
    };
    dialect.name_columns(text, options)?;
    Ok(dialect)
}

/// Whether a text without a name is a table: several columns in several rows, all with the same number of cells.
pub(super) fn is_table(text: &str) -> bool {
    choice::SEPARATORS.iter().any(|separator| {
        let sample = Sample::of(looked_at(text, 0), 0, Syntax { separator: *separator, ..Syntax::USUAL });
        sample.is_sound && sample.rows.len() > 1 && sample.width(0).is_some()
    })
}

/// The line `sep=;` that spreadsheets write and read, and what comes after it.
fn separator_line(text: &str, start: usize) -> (Option<u8>, usize) {
    let end = line_end(text, start);
    let line = text.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n']);
    let line = line.trim_matches('"');
    let is_one = line.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("sep="));
    match line.as_bytes() {
        [_, _, _, _, separator] if is_one && separator.is_ascii() => (Some(*separator), end),
        _ => (None, start),
    }
}

/// Where the line with this number begins.
fn start_of(text: &str, line: usize) -> Option<usize> {
    let start = (1..line).fold(0, |at, _| line_end(text, at));
    (start < text.len()).then_some(start)
}

/// The numbers of the lines before this byte that are not empty.
fn lines_until(text: &str, end: usize) -> Vec<usize> {
    let (mut at, mut line, mut found) = (0, 1, Vec::new());
    while at < end {
        let next = line_end(text, at);
        if !text.get(at..next).unwrap_or_default().trim().is_empty() {
            found.push(line);
        }
        (at, line) = (next, line + 1);
    }
    found
}

impl Dialect {
    /// Read the names of the columns, and where the rows begin.
    fn name_columns(&mut self, text: &str, options: &ReadOptions) -> Result<(), Problem> {
        let mut rows = Splitter::new(text, self.body, self.syntax);
        let mut row = Row::default();
        let is_there = rows.next(&mut row).map_err(|fault| self.told(fault))?;
        let count = row.len() - usize::from(self.is_trailing && self.is_last_empty(&row, text));
        match &options.header {
            Some(Header::Names(names)) => self.names = names.clone(),
            Some(Header::None) => self.names = (1..=if is_there { count } else { 0 }).map(unnamed).collect(),
            _ if !is_there => return Ok(()),
            _ => {
                self.header = Some(row.start);
                self.body = rows.at();
                self.names = row.cells(text, self.syntax).map(|name| name.trim().to_owned()).take(count).collect();
                self.name_unnamed();
            }
        }
        let mut known = HashSet::with_capacity(self.names.len());
        match self.names.iter().find(|name| !known.insert(name.as_str())) {
            None => Ok(()),
            Some(twice) => {
                let lines = Lines::of(text).number(row.start);
                let told = format!(
                    "the header has `{twice}` twice; rename one, or name all columns: header = [\"…\"], skip = {lines}"
                );
                Err(Problem::new(row.start, told))
            }
        }
    }

    fn is_last_empty(&self, row: &Row, text: &str) -> bool {
        row.cells(text, self.syntax).last().is_some_and(|cell| cell.trim().is_empty())
    }

    /// Columns without a name get one, since data without a key could not be asked for.
    fn name_unnamed(&mut self) {
        let mut given = Vec::new();
        for (at, name) in self.names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
            *name = unnamed(at + 1);
            given.push(format!("`{name}`"));
        }
        if !given.is_empty() {
            let names = given.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            self.notes.push(format!("the header does not name every column; the others are {names}"));
        }
    }

    /// What is wrong with a quote.
    pub(super) fn told(&self, fault: Fault) -> Problem {
        let quote = char::from(self.syntax.quote);
        match fault {
            Fault::Unclosed(at) => Problem::new(
                at,
                format!(
                    "the quote that opens here is never closed: close it, or write {quote}{quote} for a quote inside of a quoted cell"
                ),
            ),
            Fault::Stray(at) => Problem::new(
                at,
                format!(
                    "there is text after the quote that closes a cell: write {quote}{quote} for a quote inside of a quoted cell, or say `escape = true` if it is written \\{quote}"
                ),
            ),
        }
    }
}

fn unnamed(number: usize) -> String {
    format!("column_{number}")
}
