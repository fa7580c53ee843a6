//! Places in a program text: byte spans, and the lines and columns that people use.

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

#[cfg(test)]
mod tests {
    use super::{Span, line_text, position};

    fn check(source: &str, offset: u32) -> String {
        let here = position(source, offset);
        format!("{}:{} {}", here.line, here.column, line_text(source, here.line))
    }

    #[test]
    fn each_kind_of_line_ending_ends_one_line() {
        let source = "a\nb\r\nc\rd";
        assert_eq!(check(source, 0), "1:1 a");
        assert_eq!(check(source, 2), "2:1 b");
        assert_eq!(check(source, 4), "2:3 b", "between carriage return and line feed the line continues");
        assert_eq!(check(source, 5), "3:1 c");
        assert_eq!(check(source, 7), "4:1 d");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(check("žluť x", 7), "1:6 žluť x");
        assert_eq!(check("žluť x", 1), "1:1 žluť x", "an offset inside a character");
    }

    #[test]
    fn offsets_behind_the_end_stay_behind_the_last_character() {
        assert_eq!(check("ab", 2), "1:3 ab");
        assert_eq!(check("ab", 99), "1:3 ab");
        assert_eq!(check("ab\n", 99), "2:1 ");
        assert_eq!(check("", 0), "1:1 ");
        assert_eq!(line_text("ab", 2), "");
    }

    #[test]
    fn spans_join() {
        let joined = Span { start: 1, end: 3 }.to(Span { start: 5, end: 9 });
        assert_eq!(joined, Span { start: 1, end: 9 });
    }
}
