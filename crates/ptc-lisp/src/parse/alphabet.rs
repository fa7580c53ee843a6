//! Which characters separate, build names, vanish or mislead.

use std::borrow::Cow;

use crate::escape::{TAGS_FROM, TAGS_TO, shortened};

/// The text after any blanks, commas, invisible characters and `;` comments.
pub(super) fn skip_blanks(input: &str) -> &str {
    let mut rest = input;
    loop {
        rest =
            rest.trim_start_matches(|c: char| !(c.is_ascii_graphic() && c != ',') && (is_blank(c) || is_invisible(c)));
        let Some(comment) = rest.strip_prefix(';') else { return rest };
        rest = comment.find(['\n', '\r']).and_then(|end| comment.get(end..)).unwrap_or_default();
    }
}

/// The longest run of characters that `belongs` accepts, and what follows.
pub(super) fn run_of(input: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    let end = input.find(|c| !belongs(c)).unwrap_or(input.len());
    input.split_at_checked(end).unwrap_or((input, ""))
}

/// `run` without its invisible characters.
pub(super) fn visible(run: &str) -> Cow<'_, str> {
    if !run.is_ascii() && run.contains(is_invisible) {
        Cow::Owned(run.chars().filter(|c| !is_invisible(*c)).collect())
    } else {
        Cow::Borrowed(run)
    }
}

/// At most 40 characters of `text`, for messages.
pub(super) fn excerpt(text: &str) -> Cow<'_, str> {
    shortened(text, 40)
}

/// White space as Unicode knows it, and the comma.
pub(super) fn is_blank(c: char) -> bool {
    c == ',' || c.is_whitespace()
}

/// Zero-width characters that slip in by copying: skipped outside strings, also inside names.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFB}' | TAGS_FROM..=TAGS_TO)
}

/// The ASCII characters of names, a bit for each.
const IN_NAMES: u128 = bits(b"+-*/<>=?!_%.&$|'#:") | bits(b"0123456789") | LETTERS | LETTERS << (b'a' - b'A');
const LETTERS: u128 = bits(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ");

const fn bits(mut characters: &[u8]) -> u128 {
    let mut bits = 0;
    while let [first, rest @ ..] = characters {
        bits |= 1 << *first;
        characters = rest;
    }
    bits
}

/// May be inside a name (digits too); `#` and `'` are not allowed at its start, `:` also not at its end.
pub(super) fn is_name_char(c: char) -> bool {
    if c.is_ascii() {
        IN_NAMES >> u32::from(c) & 1 == 1
    } else {
        c.is_alphanumeric() || !(is_foreign_mark(c) || is_blank(c) || is_invisible(c) || c.is_control())
    }
}

/// Belongs to the text of a name, even if [`visible`] removes it.
pub(super) fn in_name(c: char) -> bool {
    is_name_char(c) || (!c.is_ascii() && is_invisible(c))
}

/// May start a symbol.
pub(super) fn is_name_start(c: char) -> bool {
    is_name_char(c) && !c.is_ascii_digit() && !matches!(c, '#' | '\'' | ':')
}

/// Ends a number: everything else directly after one makes it invalid.
pub(super) fn ends_number(c: char) -> bool {
    is_blank(c) || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ';' | '"') || is_curly_double(c)
}

/// One of the six brackets.
/// A typographic quotation mark, single or double.
pub(super) fn is_curly(c: char) -> bool {
    is_curly_single(c) || is_curly_double(c)
}

/// ‘ ’ ‚ ‛
pub(super) fn is_curly_single(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201B}')
}

/// “ ” „ ‟
pub(super) fn is_curly_double(c: char) -> bool {
    matches!(c, '\u{201C}'..='\u{201F}')
}

/// Punctuation that looks like ours but is not; no name may contain it.
fn is_foreign_mark(c: char) -> bool {
    matches!(c,
        '«' | '»' | '¿' | '¡' | '\u{2000}'..='\u{206F}' | '\u{2212}' | '\u{3000}'..='\u{303F}'
        | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}'
        | '\u{FF5B}'..='\u{FF65}' | '\u{FFF0}'..='\u{FFFF}')
}

/// What to write instead of a character that has no meaning outside strings.
pub(super) fn instead_of(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2018}'..='\u{201B}' => "write the straight quote '",
        '\u{201C}'..='\u{201F}' | '«' | '»' | '\u{FF02}' => "write strings in straight quotes \"...\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FF0D}' => "write the ASCII minus -",
        '\u{2026}' => "write the whole program, nothing may be left out",
        '\u{FF01}'..='\u{FF5E}' | '\u{3000}'..='\u{303F}' => "write the ASCII character",
        _ => return None,
    })
}
