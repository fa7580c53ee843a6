//! Missing and surplus brackets and quotes, located by the indentation of the lines.
//!
//! The reader notices a lost bracket only where it cannot continue, often at the end of the text. The indentation shows
//! what the author meant: a line that is not to the right of an open bracket is outside it, and a line that is further
//! in than the form above, with nothing open, was meant to be inside.

use super::{Lost, ParseError};
use crate::parse::span::{Position, position};

/// What the indentation says about a text.
#[derive(Default)]
pub(super) struct Layout {
    /// The first open bracket with a line that is outside it.
    missing: Option<Missing>,
    /// The end of the first form to which the next line was meant to belong.
    early: Option<usize>,
    /// The first string that continues past the end of its line; one whose closing quote looks like an opening one is
    /// preferred.
    text: Option<RunningText>,
    /// The first `((` whose inner list spans several lines: rarely intended.
    doubled: Option<usize>,
    /// The first keyword that starts a line, in the list that a `}` was meant to close: a `{` was lost before it.
    entry: Option<usize>,
    /// Where the last text that is not a comment is.
    last: usize,
}

struct Missing {
    closer: char,
    /// The opening bracket.
    opener: usize,
    /// Where the text ends before the outside line.
    end: usize,
}

struct RunningText {
    opener: usize,
    /// A name follows its closing quote without a blank.
    odd: bool,
}

impl Layout {
    /// Analyze a text. Cost: linear in its length.
    pub fn of(source: &str) -> Layout {
        Scan { source, fresh: true, ..Scan::default() }.run()
    }

    /// What to add to the message of an error.
    pub fn hint(&self, source: &str, error: &ParseError) -> Option<String> {
        let start = error.span.start as usize;
        let text = self.text.as_ref().filter(|text| text.opener < start);
        match (text, error.lost) {
            (Some(text), Lost::Quote) => Some(text.hint(source)),
            (Some(text), _) if text.odd => Some(text.hint(source)),
            (_, Lost::Closer(closer)) => self.unclosed(source, start, closer),
            (_, Lost::Pair { opened }) => self.unpaired(source, opened as usize, start),
            _ => None,
        }
    }

    fn unclosed(&self, source: &str, opened: usize, closer: char) -> Option<String> {
        let (opened, last) = (place(source, opened), place(source, self.last));
        let missing = match &self.missing {
            Some(missing) => missing.hint(source, &[opened]),
            None if last.line == opened.line => None,
            None => {
                Some(format!("the lines are indented as if '{closer}' were missing at the end, on line {}", last.line))
            }
        };
        let doubled = self.doubled.map(|offset| format!("or is a '(' too many at {}?", place(source, offset)));
        let hints: Vec<String> = missing.into_iter().chain(doubled).collect();
        (!hints.is_empty()).then(|| hints.join("; "))
    }

    /// A bracket was closed by one of another kind at `found`: something before it is missing or surplus.
    fn unpaired(&self, source: &str, opened: usize, found: usize) -> Option<String> {
        let named = [opened, found].map(|offset| place(source, offset));
        let missing = self.missing.as_ref().filter(|missing| missing.end < found);
        let early = self.early.filter(|early| *early < found && missing.is_none_or(|missing| *early < missing.end));
        if let Some(entry) = self.entry.filter(|entry| *entry < found) {
            return Some(format!("is '{{' missing before the keyword at {}?", place(source, entry)));
        }
        match early.map(|early| place(source, early)) {
            Some(early) if named.iter().all(|place| place.line != early.line) => {
                Some(format!("by the indentation, the form that ends at {early} is closed too early"))
            }
            Some(_) => None,
            None => missing?.hint(source, &named),
        }
    }

    /// Where a form was closed before indented lines that were meant to be in it.
    pub fn early(&self, source: &str) -> Option<Position> {
        self.early.map(|offset| place(source, offset))
    }
}

fn place(source: &str, offset: usize) -> Position {
    position(source, u32::try_from(offset).unwrap_or(u32::MAX))
}

impl Missing {
    /// `None` when the line is already among the `named` ones.
    fn hint(&self, source: &str, named: &[Position]) -> Option<String> {
        let (opener, end) = (place(source, self.opener), place(source, self.end));
        let (closer, line) = (self.closer, end.line);
        let text = || {
            format!("by the indentation, '{closer}' is missing at the end of line {line} (bracket opened at {opener})")
        };
        named.iter().all(|place| place.line != line).then(text)
    }
}

impl RunningText {
    fn hint(&self, source: &str) -> String {
        let opener = place(source, self.opener);
        format!(
            "the string opened at {opener} continues past the end of its line; is its closing quote missing on line {}?",
            opener.line
        )
    }
}

struct Open {
    closer: char,
    at: usize,
    line: usize,
    column: usize,
    /// Directly after another `(`.
    doubled: bool,
    /// The first keyword in it that starts a line.
    entry: Option<usize>,
}

/// One pass over the text. Lines and columns are counted from 0, only to compare them.
#[derive(Default)]
struct Scan<'s> {
    source: &'s str,
    layout: Layout,
    open: Vec<Open>,
    at: usize,
    line: usize,
    column: usize,
    /// Only blanks were seen on this line.
    fresh: bool,
    /// The closing bracket just passed: its place, and the column of the bracket that it closed.
    closed: Option<(usize, usize)>,
}

impl<'s> Scan<'s> {
    fn run(mut self) -> Layout {
        while let Some(c) = self.rest().chars().next() {
            if c == ';' {
                let comment = self.rest().find('\n').unwrap_or(self.rest().len());
                self.advance(comment);
            } else if c.is_whitespace() || c == ',' {
                self.advance(c.len_utf8());
            } else {
                self.token(c);
            }
        }
        self.layout
    }

    fn token(&mut self, first: char) {
        if std::mem::take(&mut self.fresh) {
            self.begin_line(first);
        }
        let start = self.at;
        if !matches!(first, ')' | ']' | '}') {
            self.closed = None;
        }
        match first {
            '(' | '[' | '{' => self.open(first),
            ')' | ']' | '}' => self.close(first),
            '"' => self.text(),
            // A character after a backslash is not a bracket.
            '\\' => self.advance(first.len_utf8() + self.rest().chars().nth(1).map_or(0, char::len_utf8)),
            _ => self.advance(first.len_utf8()),
        }
        self.layout.last = start;
    }

    /// The first token of a line, compared with what is open.
    fn begin_line(&mut self, first: char) {
        if matches!(first, ')' | ']' | '}') {
            return;
        }
        match self.open.last_mut() {
            Some(open) if self.column <= open.column => {
                let missing = Missing { closer: open.closer, opener: open.at, end: self.layout.last };
                self.layout.missing.get_or_insert(missing);
            }
            Some(open) if first == ':' => {
                open.entry.get_or_insert(self.at);
            }
            _ => {
                let early = self.closed.filter(|(_, column)| self.column > *column).map(|(at, _)| at);
                self.layout.early = self.layout.early.or(early);
            }
        }
    }

    fn open(&mut self, opener: char) {
        let closer = match opener {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        let doubled =
            opener == '(' && self.open.last().is_some_and(|open| open.closer == ')' && open.at + 1 == self.at);
        self.open.push(Open { closer, at: self.at, line: self.line, column: self.column, doubled, entry: None });
        self.advance(opener.len_utf8());
    }

    fn close(&mut self, closer: char) {
        if let Some(open) = self.open.pop_if(|open| open.closer == closer) {
            self.closed = Some((self.at, open.column));
            let doubled = (open.doubled && open.line < self.line).then(|| open.at - 1);
            self.layout.doubled = self.layout.doubled.or(doubled);
        } else if closer == '}' {
            let entry = self.open.last().filter(|open| open.closer == ')').and_then(|open| open.entry);
            self.layout.entry = self.layout.entry.or(entry);
        }
        self.advance(closer.len_utf8());
    }

    /// A string or the pattern of a regex.
    fn text(&mut self) {
        let (opener, line) = (self.at, self.line);
        self.advance(1);
        let mut escaped = false;
        let end = self.rest().char_indices().find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        self.advance(end.map_or(self.rest().len(), |(at, _)| at + 1));
        self.fresh = false;
        let odd = self.rest().starts_with(|c: char| !c.is_whitespace() && !")]};,".contains(c));
        let known = self.layout.text.as_ref();
        if self.line > line && known.is_none_or(|known| odd && !known.odd) {
            self.layout.text = Some(RunningText { opener, odd });
        }
    }

    fn advance(&mut self, bytes: usize) {
        let passed = self.rest().get(..bytes).unwrap_or_default();
        for c in passed.chars() {
            if c == '\n' {
                (self.line, self.column, self.fresh) = (self.line + 1, 0, true);
            } else {
                self.column += 1;
            }
        }
        self.at += bytes;
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }
}
