//! The parts of a JSON text, one after another, without building a tree.

use std::borrow::Cow;

/// The elements of an array or the fields of an object, as text.
pub(super) struct Pieces<'t> {
    rest: &'t str,
}

/// The elements of a text that is an array.
pub(super) fn items(text: &str) -> Option<Pieces<'_>> {
    Some(Pieces { rest: text.strip_prefix('[')?.strip_suffix(']')? })
}

/// The fields of a text that is an object, each with its name.
pub(super) fn fields(text: &str) -> Option<impl Iterator<Item = (Cow<'_, str>, &str)>> {
    let pieces = Pieces { rest: text.strip_prefix('{')?.strip_suffix('}')? };
    Some(pieces.filter_map(|piece| {
        let (name, value) = piece.split_at_checked(end_of_string(piece)?)?;
        Some((string(name)?, value.trim_start().strip_prefix(':')?.trim()))
    }))
}

/// The content of a text that is a string.
pub(super) fn string(text: &str) -> Option<Cow<'_, str>> {
    match text.strip_prefix('"')?.strip_suffix('"') {
        Some(plain) if !plain.contains('\\') => Some(Cow::Borrowed(plain)),
        _ => serde_json::from_str(text).ok().map(Cow::Owned),
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
        let ends = |byte: u8| {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = quoted,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' => return depth == 0,
                _ => {}
            }
            false
        };
        let end = rest.bytes().position(ends).unwrap_or(rest.len());
        let (piece, after) = rest.split_at_checked(end)?;
        self.rest = after.strip_prefix(',').unwrap_or_default();
        Some(piece.trim_end())
    }
}

/// The whole numbers after each key of this name, at any level. Cost: linear, however the text is nested.
pub(crate) fn numbers_after<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = u64> + 't {
    let mut rest = text;
    let next_string = move || {
        let (_, begun) = rest.split_at_checked(rest.find('"')?)?;
        let (found, after) = begun.split_at_checked(end_of_string(begun)?)?;
        rest = after;
        Some((found, after))
    };
    std::iter::from_fn(next_string).filter_map(move |(found, after)| {
        let number = after.trim_start().strip_prefix(':')?.trim_start();
        let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let number = number.get(..digits)?.parse().ok()?;
        (string(found)? == name).then_some(number)
    })
}

/// The end of the string with which a text starts.
fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    let ends = |byte: u8| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    };
    text.strip_prefix('"')?.bytes().position(ends).map(|last| last + 2)
}
