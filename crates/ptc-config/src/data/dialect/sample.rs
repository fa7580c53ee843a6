//! The first rows of a text, as one separator shows them.

use super::super::numbers::number;
use super::super::split::{Row, Splitter, Syntax};
use crate::place::line_end;

/// Rows that are looked at.
const ROWS: usize = 40;
/// Bytes that are looked at, if the first line is not longer.
const BYTES: usize = 1 << 18;

/// The first rows of a text.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) syntax: Syntax,
    pub(super) rows: Vec<SampleRow>,
    /// Whether the quotes of all of them are in order.
    pub(super) is_sound: bool,
}

#[derive(Debug, Clone)]
pub(super) struct SampleRow {
    pub(super) start: usize,
    pub(super) cells: Vec<String>,
    /// Which cells are in quotes.
    pub(super) quoted: Vec<bool>,
}

impl SampleRow {
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn filled(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.trim().is_empty()).count()
    }

    pub(super) fn ends_empty(&self) -> bool {
        self.len() > 1 && self.cells.last().is_some_and(|cell| cell.trim().is_empty())
    }
}

/// The part of a text that is looked at: whole lines.
pub(super) fn looked_at(text: &str, start: usize) -> &str {
    let most = line_end(text, start).max(start + BYTES);
    let end = if most >= text.len() {
        text.len()
    } else {
        let bytes = text.as_bytes().get(..most).unwrap_or_default();
        bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(text.len(), |at| at + 1)
    };
    text.get(..end).unwrap_or(text)
}

/// Whether the byte before this place is a quote.
fn is_after(text: &str, place: usize, quote: u8) -> bool {
    quote != 0 && place.checked_sub(1).and_then(|at| text.as_bytes().get(at)) == Some(&quote)
}

impl Sample {
    /// The first rows of a text from this byte.
    pub(super) fn of(text: &str, start: usize, syntax: Syntax) -> Sample {
        let mut splitter = Splitter::new(text, start, syntax);
        let (mut rows, mut row, mut is_sound) = (Vec::new(), Row::default(), true);
        while rows.len() < ROWS {
            match splitter.next(&mut row) {
                // A line of spaces, or an empty row of a workbook.
                Ok(true) if row.len() == 1 && row.cells(text, syntax).all(|cell| cell.trim().is_empty()) => {}
                Ok(true) => rows.push(SampleRow {
                    start: row.start,
                    cells: row.cells(text, syntax).map(|cell| cell.into_owned()).collect(),
                    quoted: row.places().map(|place| is_after(text, place, syntax.quote)).collect(),
                }),
                Ok(false) => break,
                Err(_) => {
                    is_sound = false;
                    break;
                }
            }
        }
        Sample { syntax, rows, is_sound }
    }

    /// Nothing at all.
    pub(super) fn empty() -> Sample {
        Sample { syntax: Syntax::USUAL, rows: Vec::new(), is_sound: true }
    }

    /// The rows from this one on.
    pub(super) fn from(&self, header: usize) -> &[SampleRow] {
        self.rows.get(header..).unwrap_or_default()
    }

    pub(super) fn header(&self, at: usize) -> Option<&SampleRow> {
        self.rows.get(at)
    }

    /// How many cells the rows from this one on have, when all have the same number, more than one; a separator at the
    /// end of all of them, or of all except the header, separates nothing.
    pub(super) fn width(&self, header: usize) -> Option<usize> {
        let (head, rest) = self.from(header).split_first()?;
        let is_even = rest.iter().all(|row| row.len() == head.len());
        let is_trailing = !rest.is_empty() && rest.iter().all(|row| row.len() == head.len() + 1 && row.ends_empty());
        (head.len() > 1 && (is_even || is_trailing)).then_some(head.len())
    }

    /// Whether every row below the header ends with a separator that separates nothing.
    pub(super) fn is_trailing(&self, header: usize) -> bool {
        let Some((head, rest)) = self.from(header).split_first() else { return false };
        let is_empty = |row: &SampleRow, extra: usize| row.ends_empty() && row.len() == head.len() + extra;
        let all = |extra: usize| !rest.is_empty() && rest.iter().all(|row| is_empty(row, extra));
        all(1) || (head.ends_empty() && all(0))
    }

    /// Whether a row names columns: one of its cells is not a number, and all filled ones below it are.
    pub(super) fn names_numbers(&self, header: usize) -> bool {
        let Some((head, rest)) = self.from(header).split_first() else { return false };
        head.cells.iter().enumerate().any(|(at, name)| {
            let below: Vec<&str> = rest.iter().filter_map(|row| Some(row.cells.get(at)?.trim())).collect();
            let mut filled = below.iter().filter(|cell| !cell.is_empty()).peekable();
            let name = name.trim();
            !name.is_empty()
                && number(name).is_err()
                && filled.peek().is_some()
                && filled.all(|cell| number(cell).is_ok())
        })
    }

    /// Whether another separator is before a quote inside of a cell: then that one separates.
    pub(super) fn cuts_quotes(&self, separators: &[u8]) -> bool {
        let quote = char::from(self.syntax.quote);
        let is_cut = |cell: &String| {
            cell.match_indices(quote).any(|(at, _)| {
                let before = cell.get(..at).unwrap_or_default().trim_end_matches(' ').as_bytes().last();
                before.is_some_and(|byte| separators.contains(byte))
            })
        };
        let plain = |row: &SampleRow| row.cells.iter().zip(&row.quoted).any(|(cell, quoted)| !quoted && is_cut(cell));
        self.rows.iter().any(plain)
    }

    /// The most frequent number of cells above one, if half of the rows have it.
    pub(super) fn usual_width(&self) -> Option<usize> {
        let widths = self.rows.iter().map(SampleRow::len);
        let times = |width: usize| self.rows.iter().filter(|row| row.len() == width).count();
        let most = widths.filter(|width| *width > 1).max_by_key(|width| (times(*width), *width))?;
        (times(most) * 2 >= self.rows.len()).then_some(most)
    }
}
