//! Places in a program text: byte spans, and the lines and columns that people use.

#[cfg(test)]
mod tests;

/// A stretch of source text in bytes: `start` is its first byte, `end` the first byte after it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset just after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from the start of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A line and a column, both counted from 1; columns count characters, not bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line number from 1; `\n`, `\r\n` and a lone `\r` each end a line.
    pub line: u32,
    /// Column from 1, in Unicode scalar values.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The position of the byte at `offset`.
///
/// An offset beyond the end of `source` gives the position after its last character; an offset inside a character gives
/// that character's position. Cost: linear in `offset`.
#[must_use]
pub fn position(source: &str, offset: u32) -> Position {
    let mut here = Position { line: 1, column: 1 };
    let mut chars = source.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().copied();
        if next.map_or(source.len(), |(start, _)| start) > offset as usize {
            debug_assert!(at <= offset as usize);
            break;
        }
        let ends_line = c == '\n' || (c == '\r' && next.is_none_or(|(_, c)| c != '\n'));
        here = if ends_line {
            Position { line: here.line + 1, column: 1 }
        } else {
            Position { line: here.line, column: here.column + 1 }
        };
    }
    here
}

/// The text of line number `line` (from 1) without its line ending; empty when there is no such line.
///
/// Cost: linear in the text up to that line.
#[must_use]
pub fn line_text(source: &str, line: u32) -> &str {
    let mut rest = source;
    for _ in 1..line {
        let Some(end) = rest.find(['\n', '\r']) else { return "" };
        let ending = rest.get(end..).unwrap_or_default();
        rest = ending.strip_prefix("\r\n").or_else(|| ending.get(1..)).unwrap_or_default();
    }
    rest.split(['\n', '\r']).next().unwrap_or_default()
}
