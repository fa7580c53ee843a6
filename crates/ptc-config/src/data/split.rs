//! The rows and cells of a text with separators.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

use crate::place::line_end;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Between cells.
    pub(super) separator: u8,
    /// Around cells that hold separators or line ends; 0 when nothing is.
    pub(super) quote: u8,
    /// Whether `\"` is a quote inside a quoted cell, too.
    pub(super) has_escapes: bool,
    /// What begins a line that is left out.
    pub(super) comment: Option<u8>,
    /// Whether the spaces after a separator belong to it.
    pub(super) has_spaces: bool,
}

impl Syntax {
    /// That of most files, and of sheets for the reader of tables.
    pub(super) const USUAL: Syntax =
        Syntax { separator: b',', quote: b'"', has_escapes: false, comment: None, has_spaces: false };
}

/// What is wrong with the quotes of a row, and the byte where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A quote that is never closed.
    Unclosed(usize),
    /// Text after the quote that closes a cell.
    Stray(usize),
}

/// The places of one row; it is filled again for the next row.
#[derive(Debug, Default, Clone)]
pub(super) struct Row {
    /// Where the row begins.
    pub(super) start: usize,
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    from: usize,
    to: usize,
    /// Whether it holds quotes that are written in another way.
    is_escaped: bool,
}

impl Row {
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cells as they are meant, without their quotes.
    pub(super) fn cells<'s>(&'s self, text: &'s str, syntax: Syntax) -> impl ExactSizeIterator<Item = Cow<'s, str>> {
        self.cells.iter().map(move |cell| {
            let raw = text.get(cell.from..cell.to).unwrap_or_default();
            if cell.is_escaped { Cow::Owned(unescaped(raw, syntax)) } else { Cow::Borrowed(raw) }
        })
    }

    /// Where each cell begins.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().map(|cell| cell.from)
    }
}

fn unescaped(raw: &str, syntax: Syntax) -> String {
    let quote = char::from(syntax.quote);
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let is_mark = c == quote || (syntax.has_escapes && c == '\\');
        match chars.peek() {
            Some(next) if is_mark && (*next == quote || (c == '\\' && *next == '\\')) => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    text
}

/// Reads rows from the front of a text. Cost: linear, whatever the text is.
#[derive(Debug, Clone)]
pub(super) struct Splitter<'t> {
    text: &'t str,
    at: usize,
    syntax: Syntax,
    /// Where lines were left out as comments.
    comments: Vec<usize>,
}

impl<'t> Splitter<'t> {
    /// The rows of `text` from byte `at`, which begins a line.
    pub(super) fn new(text: &'t str, at: usize, syntax: Syntax) -> Splitter<'t> {
        Splitter { text, at, syntax, comments: Vec::new() }
    }

    /// Where the next row begins, or the blank lines before it.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Where lines were left out.
    pub(super) fn comments(&self) -> &[usize] {
        &self.comments
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The next row that is not an empty line; false at the end.
    pub(super) fn next(&mut self, row: &mut Row) -> Result<bool, Fault> {
        row.cells.clear();
        loop {
            match self.byte(self.at) {
                Some(b'\n' | b'\r') => self.at += 1,
                Some(byte) if Some(byte) == self.syntax.comment => {
                    self.comments.push(self.at);
                    self.skip_line();
                }
                Some(_) => break,
                None => return Ok(false),
            }
        }
        row.start = self.at;
        while self.cell(row)? {}
        Ok(true)
    }

    /// Continue after the end of this line.
    pub(super) fn skip_line(&mut self) {
        self.at = line_end(self.text, self.at);
    }

    /// Continue after the end of the line with this byte.
    pub(super) fn skip_line_at(&mut self, at: usize) {
        self.at = at.max(self.at);
        self.skip_line();
    }

    /// Add the next cell; whether there is another one after it in this row.
    fn cell(&mut self, row: &mut Row) -> Result<bool, Fault> {
        if self.syntax.has_spaces && !row.cells.is_empty() {
            self.skip_spaces();
        }
        let cell = match self.byte(self.at) {
            Some(byte) if byte == self.syntax.quote && byte != 0 => self.quoted()?,
            _ => self.plain(),
        };
        row.cells.push(cell);
        match self.byte(self.at) {
            Some(byte) if byte == self.syntax.separator => {
                self.at += 1;
                Ok(true)
            }
            Some(b'\r') => {
                self.at += if self.byte(self.at + 1) == Some(b'\n') { 2 } else { 1 };
                Ok(false)
            }
            Some(_) => {
                self.at += 1;
                Ok(false)
            }
            None => Ok(false),
        }
    }

    fn skip_spaces(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| **byte == b' ').count();
    }

    /// A cell without quotes around it.
    fn plain(&mut self) -> Cell {
        let (from, separator) = (self.at, self.syntax.separator);
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let length = memchr3(separator, b'\n', b'\r', rest);
        self.at = from + length.unwrap_or(rest.len());
        Cell { from, to: self.at, is_escaped: false }
    }

    /// A cell in quotes; spaces after the closing one are left out.
    fn quoted(&mut self) -> Result<Cell, Fault> {
        let Syntax { quote, has_escapes, separator, .. } = self.syntax;
        let opened = self.at;
        let (mut at, mut is_escaped) = (opened + 1, false);
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            let found = memchr2(quote, if has_escapes { b'\\' } else { quote }, rest);
            let Some(found) = found else { return Err(Fault::Unclosed(opened)) };
            at += found;
            if self.byte(at) == Some(b'\\') || self.byte(at + 1) == Some(quote) {
                is_escaped = true;
                at = (at + 2).min(self.text.len());
            } else {
                break;
            }
        }
        let cell = Cell { from: opened + 1, to: at, is_escaped };
        self.at = at + 1;
        self.skip_spaces_before_end(separator);
        match self.byte(self.at) {
            None | Some(b'\n' | b'\r') => Ok(cell),
            Some(byte) if byte == separator => Ok(cell),
            Some(_) => Err(Fault::Stray(self.at)),
        }
    }

    fn skip_spaces_before_end(&mut self, separator: u8) {
        if separator != b' ' {
            self.skip_spaces();
        }
    }
}
