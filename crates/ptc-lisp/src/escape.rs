//! Foreign text inside our own text. Characters that a terminal, a page or a reader of lines would obey are written as
//! escapes that the reader of programs understands: `\n`, `\u001b`.
//!
//! Values in text are data: nothing from a tool, data, a program or a model may add a line to our output. Only this
//! module knows which characters could.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether `c` is written as an escape: control characters, line separators of any system, marks that change the
/// direction of writing, zero-width marks that nothing needs, and characters that pages may not contain. Tags and the
/// variation selectors beyond the sixteen of emoji are included, since they can hide whole sentences.
pub(crate) fn needs_escape(c: char) -> bool {
    match c {
        ' '..='~' => false,
        '\u{61C}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' => true,
        '\u{FEFF}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}' => true,
        TAGS_FROM..=TAGS_TO => true,
        c => c.is_control(),
    }
}

/// Zero-width tags and variation selectors.
pub(crate) const TAGS_FROM: char = '\u{E0000}';
pub(crate) const TAGS_TO: char = '\u{E0FFF}';

/// Append the escape of such a character.
pub(crate) fn write_escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

/// The text in one line, without active characters: line breaks, control characters and marks that change the direction
/// of writing are written as escapes. Other characters stay, including backslashes. Cost: linear.
///
/// ```
/// assert_eq!(ptc_lisp::text::escaped("no such room"), "no such room");
/// assert_eq!(ptc_lisp::text::escaped("full\n;; Output:\n\u{1b}[2J"), r"full\n;; Output:\n\u001b[2J");
/// ```
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    replaced(text, needs_escape, write_escape)
}

/// Like [`escaped()`], for a text whose line breaks and tabs are ours.
///
/// ```
/// assert_eq!(ptc_lisp::text::escaped_lines("Problems:\n- [a\rb]: nil"), "Problems:\n- [a\\rb]: nil");
/// ```
#[must_use]
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| needs_escape(c) && !matches!(c, '\n' | '\t'), write_escape)
}

/// The text in one line, each run of white space as one blank; other active characters are escaped.
///
/// ```
/// assert_eq!(ptc_lisp::text::one_line("  Price of\na stay\u{7} "), r"Price of a stay\u0007");
/// ```
#[must_use]
pub fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match escaped(&line) {
        Cow::Owned(escaped) => escaped,
        Cow::Borrowed(_) => line,
    }
}

/// Printed text as it is shown: without control characters other than line break and tab, and without the line
/// separators of other systems (U+2028, U+2029).
///
/// ```
/// assert_eq!(ptc_lisp::text::printed("a\tb\r\n\u{1b}[2Jc"), "a\tb\n[2Jc");
/// ```
#[must_use]
pub fn printed(text: &str) -> Cow<'_, str> {
    let goes = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{2028}' | '\u{2029}');
    replaced(text, goes, |_, _| {})
}

/// The text with each character that `hits` replaced by what `write` writes; borrowed when there is none.
fn replaced(text: &str, hits: impl Fn(char) -> bool, write: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.bytes().any(may_begin_one) {
        return Cow::Borrowed(text);
    }
    let Some((plain, rest)) = text.find(&hits).and_then(|first| text.split_at_checked(first)) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(plain);
    for c in rest.chars() {
        if hits(c) { write(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Whether a character that needs an escape can begin with this byte. Most texts have none.
fn may_begin_one(byte: u8) -> bool {
    byte < b' ' || matches!(byte, 0x7F | 0xC2 | 0xD8 | 0xE1 | 0xE2 | 0xEF | 0xF3)
}

#[cfg(test)]
mod tests;

/// The text; when it is longer, its first `chars` characters and `...`.
///
/// ```
/// assert_eq!(ptc_lisp::text::shortened("Füße", 4), "Füße");
/// assert_eq!(ptc_lisp::text::shortened("Füße", 2), "Fü...");
/// ```
#[must_use]
pub fn shortened(text: &str, chars: usize) -> Cow<'_, str> {
    cut_at(text, chars).map_or(Cow::Borrowed(text), |(shown, _)| format!("{shown}...").into())
}

/// Like [`shortened`], with the number of missing characters after the mark.
///
/// ```
/// assert_eq!(ptc_lisp::text::shortened_counted("Füße", 1), "F... (3 more characters)");
/// ```
#[must_use]
pub fn shortened_counted(text: &str, chars: usize) -> Cow<'_, str> {
    cut_at(text, chars).map_or(Cow::Borrowed(text), |(shown, rest)| {
        format!("{shown}... ({} more characters)", rest.chars().count()).into()
    })
}

/// The first `chars` characters of a text and the rest; `None` when there is no rest.
fn cut_at(text: &str, chars: usize) -> Option<(&str, &str)> {
    let (end, _) = text.char_indices().nth(chars)?;
    text.split_at_checked(end)
}
