//! Boxes of text: a frame to the left, 60 columns wide at top and bottom.

use std::borrow::Cow;

use ptc_lisp::text::{escaped, escaped_lines};

/// Columns of a frame.
const WIDTH: usize = 60;
/// Columns of a line, frame included, above which it is wrapped.
const MAX_LINE: usize = 160;

/// The kind of a piece of text, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Frame,
    Label,
    Prose,
    Arrow,
    Output,
}

impl Ink {
    /// The escape sequence of a terminal.
    fn code(self) -> Option<&'static str> {
        match self {
            Ink::Plain => None,
            Ink::Frame => Some("\x1b[36m"),
            Ink::Label => Some("\x1b[1m"),
            Ink::Prose => Some("\x1b[2m"),
            Ink::Arrow => Some("\x1b[32m"),
            Ink::Output => Some("\x1b[33m"),
        }
    }
}

/// The output of boxes.
pub(super) struct BoxWriter {
    colors: bool,
    wraps: bool,
    text: String,
}

impl BoxWriter {
    pub fn new(colors: bool, wraps: bool) -> BoxWriter {
        BoxWriter { colors, wraps, text: String::new() }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    /// A line outside boxes.
    pub fn remark(&mut self, text: &str) {
        self.gap();
        self.text.push_str(&clean(text));
        self.text.push('\n');
    }

    /// The top of a box; a blank line separates it from the text above.
    pub fn begin(&mut self, title: &str) {
        self.gap();
        let title = format!("+- {} ", clean(title));
        let dashes = "-".repeat((WIDTH - 1).saturating_sub(title.chars().count()));
        self.ink(Ink::Frame, &format!("{title}{dashes}+"));
        self.text.push('\n');
    }

    /// The bottom of a box.
    pub fn end(&mut self) {
        self.ink(Ink::Frame, &format!("+{}+", "-".repeat(WIDTH - 2)));
        self.text.push('\n');
    }

    /// `| Program:`
    pub fn label(&mut self, name: &str) {
        self.line(&[(Ink::Label, name)]);
    }

    /// `|   Turns:    4` with the value in a separate column.
    pub fn field(&mut self, name: &str, column: usize, value: &str) {
        let name = format!("  {:<column$} ", format!("{name}:"));
        self.line(&[(Ink::Label, &name), (Ink::Plain, value)]);
    }

    /// Text of any length after an indent.
    pub fn block(&mut self, ink: Ink, indent: usize, text: &str) {
        self.arrow(indent, "", ink, text);
    }

    /// Text after an arrow; its other lines have the same indent.
    pub fn arrow(&mut self, indent: usize, arrow: &str, ink: Ink, text: &str) {
        let room = MAX_LINE.saturating_sub(indent + arrow.chars().count() + 2).max(1);
        let mut first = true;
        for line in text.split('\n') {
            // Escaped characters are wrapped as shown.
            let line = clean(line);
            for piece in self.pieces(&line, room) {
                let margin = " ".repeat(if first { indent } else { indent + arrow.chars().count() });
                let mark = if first { arrow } else { "" };
                self.line(&[(Ink::Plain, &margin), (Ink::Arrow, mark), (ink, piece)]);
                first = false;
            }
        }
    }

    /// The line in pieces of fitting length.
    fn pieces<'t>(&self, line: &'t str, room: usize) -> Vec<&'t str> {
        let mut pieces = Vec::new();
        let mut rest = line;
        while let Some((end, _)) = rest.char_indices().nth(room).filter(|_| self.wraps) {
            let (piece, behind) = rest.split_at(end);
            pieces.push(piece);
            rest = behind;
        }
        pieces.push(rest);
        pieces
    }

    /// A line of the box without trailing spaces.
    fn line(&mut self, pieces: &[(Ink, &str)]) {
        self.ink(Ink::Frame, "|");
        let blank = pieces.iter().all(|(_, text)| text.trim().is_empty());
        if !blank {
            self.text.push(' ');
            for (place, (ink, text)) in pieces.iter().enumerate() {
                let is_last = pieces.get(place + 1..).is_none_or(|rest| rest.iter().all(|(_, text)| text.is_empty()));
                let text = clean(text);
                self.ink(*ink, if is_last { text.trim_end() } else { &text });
            }
        }
        self.text.push('\n');
    }

    fn ink(&mut self, ink: Ink, text: &str) {
        match ink.code().filter(|_| self.colors && !text.trim().is_empty()) {
            Some(code) => {
                self.text.push_str(code);
                self.text.push_str(text);
                self.text.push_str("\x1b[0m");
            }
            None => self.text.push_str(text),
        }
    }

    fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// The text in one line with control characters escaped, so that the text of a model cannot control a terminal or be
/// shown in another order. Tabs stay.
fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\n') { escaped(text) } else { escaped_lines(text) }
}
