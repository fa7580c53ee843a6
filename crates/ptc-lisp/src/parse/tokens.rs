//! The tokens of a text that may be unfinished or wrong, for editors and highlighters.

#[cfg(test)]
mod tests;

use super::alphabet::{in_name, is_blank, is_invisible, is_name_start, run_of};
use super::number::starts_number;
use super::reader::{Quotes, Reader};
use super::{Lost, ReadLimits, alphabet};
use crate::parse::span::Span;

/// What a token is, by its text alone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`, `[`, `{`, `#{` or `#(`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// A string, a regular expression or a character, perhaps without its end.
    Text,
    /// A number, perhaps a wrong one.
    Number,
    /// `:name`
    Keyword,
    /// A name, bare or with a namespace; `##Inf`, `#'name` and the tags of times, too.
    Name,
    /// From `;` to the end of the line.
    Comment,
    /// A mark before a form: `'`, `@`, `^`, `#_`.
    Mark,
    /// A character that starts nothing.
    Unknown,
}

/// One token with its place in the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is, in bytes.
    pub span: Span,
}

/// The tokens of a text in order, without separators. Any text has tokens, even if it is unfinished or wrong.
///
/// Cost: linear in the length of the text, of which only the first 4 GiB are read.
///
/// ```
/// use ptc_lisp::syntax::{TokenKind, tokens};
///
/// let kinds: Vec<TokenKind> = tokens("(str :a \"b").iter().map(|token| token.kind).collect();
/// assert_eq!(kinds, [TokenKind::Open, TokenKind::Name, TokenKind::Keyword, TokenKind::Text]);
/// ```
#[must_use]
pub fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    loop {
        rest = rest.trim_start_matches(|c: char| is_blank(c) || is_invisible(c));
        let Some(first) = rest.chars().next() else { return tokens };
        let (kind, bytes) = token(rest, first);
        let (text, tail) = rest.split_at_checked(bytes).unwrap_or((rest, ""));
        let start = source.len() - rest.len();
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(start + text.len())) else { return tokens };
        tokens.push(Token { kind, span: Span { start, end } });
        rest = tail;
    }
}

/// The token at the beginning of `input` and its length; at least one character.
fn token(input: &str, first: char) -> (TokenKind, usize) {
    let name = |from: usize| from + run_of(input.get(from..).unwrap_or_default(), in_name).0.len();
    match first {
        '(' | '[' | '{' => (TokenKind::Open, 1),
        ')' | ']' | '}' => (TokenKind::Close, 1),
        ';' => (TokenKind::Comment, input.find(['\n', '\r']).unwrap_or(input.len())),
        '"' => (TokenKind::Text, quoted(input, 1)),
        '\\' => (TokenKind::Text, character(input)),
        ':' => (TokenKind::Keyword, name(1)),
        '\'' | '@' | '^' => (TokenKind::Mark, 1),
        '#' => match input.chars().nth(1) {
            Some('{' | '(') => (TokenKind::Open, 2),
            Some('"') => (TokenKind::Text, quoted(input, 2)),
            Some('_' | '^') => (TokenKind::Mark, 2),
            Some('#' | '\'') => (TokenKind::Name, name(2)),
            Some(c) if c.is_alphabetic() => (TokenKind::Name, name(1)),
            _ => (TokenKind::Unknown, 1),
        },
        _ if starts_number(input) => (TokenKind::Number, run_of(input, |c| !alphabet::ends_number(c)).0.len()),
        _ if is_name_start(first) => (TokenKind::Name, name(0)),
        _ => (TokenKind::Unknown, first.len_utf8()),
    }
}

/// Bytes of a text whose content starts at `from`, up to its closing quote or the end of the input.
fn quoted(input: &str, from: usize) -> usize {
    let mut escaped = false;
    let content = input.get(from..).unwrap_or_default();
    let end = content.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(input.len(), |(at, _)| from + at + 1)
}

/// Bytes of a character literal: `\a`, `\newline`, `\(`.
fn character(input: &str) -> usize {
    let behind = input.get(1..).unwrap_or_default();
    let Some(first) = behind.chars().next() else { return 1 };
    let name = if first.is_alphanumeric() { run_of(behind, char::is_alphanumeric).0.len() } else { 0 };
    1 + name.max(first.len_utf8())
}

/// Whether a text is the beginning of a program: something is still open at its end, and more text may close it. That
/// is a bracket, a string, a regular expression, a quote, or a `#_` that waits for its form.
///
/// A text with another problem is not unfinished, since no further text repairs it. Cost: linear in its length.
///
/// ```
/// use ptc_lisp::syntax::is_unfinished;
///
/// assert!(is_unfinished("(defn area [w h]"));
/// assert!(is_unfinished("\"a text ( over"));
/// assert!(!is_unfinished("(+ 1 2)) ; (more"));
/// ```
#[must_use]
pub fn is_unfinished(source: &str) -> bool {
    let max_nesting = ReadLimits::default().max_nesting;
    let quotes: &[Quotes] = match source.contains(alphabet::is_curly) {
        true => &[Quotes::Straight, Quotes::Paired, Quotes::Mixed],
        false => &[Quotes::Straight],
    };
    let mut waits = false;
    for quotes in quotes {
        match Reader::new(source, max_nesting, *quotes).read() {
            Ok(_) => return false,
            Err(error) => waits |= matches!(error.lost, Lost::Quote | Lost::Closer(_) | Lost::Form),
        }
    }
    waits
}
