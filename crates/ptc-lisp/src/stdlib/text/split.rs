//! Splitting strings.

use std::borrow::Cow;

use super::literal::{find as literal_find, short_find};
use super::{byte, paid_piece};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;
use crate::stdlib::Call;
use crate::stdlib::regex::{Matches, is_pattern, pattern};
use crate::value::{Pattern, Text, Value, push};

pub(super) fn split(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let limit = if call.len() == 3 { call.int(2)? } else { 0 };
    call.charge(text.len() / 8)?;
    if is_pattern(call.arg(1)) {
        return by_pattern(call, &text, limit);
    }
    let separator = call.text_of(1, "a string or regex to split by")?;
    if !separator.is_empty() {
        let pieces = cut(call, &text, &separator, limit, 0)?;
        return call.paid_vector(pieces);
    }
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next().filter(|_| pieces.len() + 1 < most(limit)) {
        let (piece, after) = rest.split_at(first.len_utf8());
        push_piece(call, &mut pieces, piece)?;
        rest = after;
    }
    if !rest.is_empty() || text.is_empty() {
        push_piece(call, &mut pieces, rest)?;
    }
    call.paid_vector(pieces)
}

/// Splits at the matches of the pattern in argument 1; one that matches a single text needs no engine.
fn by_pattern(call: &mut Call<'_>, text: &Text, limit: i64) -> Res {
    let regex = pattern(call, 1)?;
    let Some(separator) = literal(regex.as_str()) else {
        let mut matches = Matches::new(&regex, text);
        return between(call, text, limit, |call| matches.next(call));
    };
    // A unit for the search before each piece, as with the engine.
    let mut pieces = cut(call, text, &separator, limit, 1)?;
    if limit == 0 && pieces.len() > 1 {
        pieces = without_empty_end(pieces);
    }
    call.paid_vector(pieces)
}

/// Like [`find`], in steps when the piece up to the separator is long.
fn paced_find(text: &str, part: &str, meter: &mut Meter) -> Res<Option<usize>> {
    if text.len() <= STRETCH {
        return Ok(find(text, part));
    }
    // Separators usually come soon.
    let near = text.get(..text.floor_char_boundary(STRETCH)).unwrap_or_default();
    match find(near, part) {
        None => literal_find(text, part, meter),
        found => Ok(found),
    }
}

/// The first place of `part` in `text`.
fn find(text: &str, part: &str) -> Option<usize> {
    match part.as_bytes() {
        [byte] => byte::find(text.as_bytes(), *byte),
        _ => short_find(text, part),
    }
}

/// The one text that `pattern` matches, when it has no operators: `,`, `::`, `\|`, `\t`.
// Bounded: by the length of a pattern.
fn literal(pattern: &str) -> Option<Cow<'_, str>> {
    const OPERATORS: &str = r"\.+*?()|[]{}^$";
    let is_operator = |c| OPERATORS.contains(c);
    if pattern.is_empty() {
        return None;
    }
    if !pattern.contains(is_operator) {
        return Some(Cow::Borrowed(pattern));
    }
    let mut text = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next()? {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                // These two mean word boundaries.
                '<' | '>' => return None,
                c if c.is_ascii_punctuation() => c,
                _ => return None,
            },
            c if is_operator(c) => return None,
            c => c,
        });
    }
    Some(Cow::Owned(text))
}

/// Split like Java: no empty piece before an empty match at the start; with `limit` 0, none at the end.
fn between(
    call: &mut Call<'_>,
    text: &Text,
    limit: i64,
    mut next: impl FnMut(&mut Call<'_>) -> Res<Option<(usize, usize)>>,
) -> Res {
    let (mut pieces, mut start) = (Vec::new(), 0);
    while pieces.len() + 1 < most(limit) {
        let Some((from, to)) = next(call)? else { break };
        if to == 0 {
            continue;
        }
        push_piece(call, &mut pieces, text.get(start..from).unwrap_or_default())?;
        start = to;
    }
    let none = pieces.is_empty() && start == 0;
    push_piece(call, &mut pieces, text.get(start..).unwrap_or_default())?;
    if limit == 0 && !none {
        pieces = without_empty_end(pieces);
    }
    call.paid_vector(pieces)
}

/// `re-split`: every piece, including empty ones.
pub(in crate::stdlib) fn every_piece(call: &mut Call<'_>, regex: &Pattern, text: &Text) -> Res {
    let mut matches = Matches::new(regex, text);
    // An empty match at the end separates nothing.
    between(call, text, -1, |call| Ok(matches.next(call)?.filter(|(from, to)| from < to || *to < text.len())))
}

pub(super) fn lines(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    call.charge(text.len() / 8)?;
    let mut pieces = Vec::new();
    let mut rest = Some(text.as_str());
    while let Some(line) = next_line(&mut rest, call.meter())? {
        push_piece(call, &mut pieces, line)?;
    }
    if !text.is_empty() {
        pieces = without_empty_end(pieces);
    }
    call.paid_vector(pieces)
}

/// Cuts the next line from the front of `rest`, without its line end; the text after the last line end is a line, too.
pub(in crate::stdlib) fn next_line<'t>(rest: &mut Option<&'t str>, meter: &mut Meter) -> Res<Option<&'t str>> {
    let Some(text) = *rest else { return Ok(None) };
    let end = paced_find(text, "\n", meter)?;
    let (line, after) = text.split_at(end.unwrap_or(text.len()));
    *rest = end.and(after.get(1..));
    Ok(Some(line.strip_suffix('\r').unwrap_or(line)))
}

fn push_piece(call: &mut Call<'_>, pieces: &mut Vec<Value>, piece: &str) -> Res<()> {
    pay_and_push(call, pieces, piece, 1)
}

/// Add a piece for `units` of fuel plus those of its length.
#[inline]
fn pay_and_push(call: &mut Call<'_>, pieces: &mut Vec<Value>, piece: &str, units: usize) -> Res<()> {
    let piece = paid_piece(call, piece, units)?;
    Ok(push(pieces, piece, call.meter())?)
}

/// The pieces of `text` between the places of `separator`, which is not empty: at most `limit`, when that is above
/// zero. Each costs `search` units of fuel in addition to those of a piece; the last one only if it was searched, too.
fn cut(call: &mut Call<'_>, text: &str, separator: &str, limit: i64, search: usize) -> Res<Vec<Value>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while pieces.len() + 1 < most(limit) {
        let Some(at) = paced_find(rest, separator, call.meter())? else {
            call.charge(search)?;
            break;
        };
        let (piece, after) = rest.split_at(at);
        pay_and_push(call, &mut pieces, piece, 1 + search)?;
        rest = after.get(separator.len()..).unwrap_or_default();
    }
    push_piece(call, &mut pieces, rest)?;
    Ok(pieces)
}

/// The most pieces that a limit allows; it applies only when it is above zero.
fn most(limit: i64) -> usize {
    usize::try_from(limit).ok().filter(|most| *most > 0).unwrap_or(usize::MAX)
}

fn without_empty_end(mut pieces: Vec<Value>) -> Vec<Value> {
    let kept = pieces.iter().rposition(|piece| piece.as_str() != Some("")).map_or(0, |at| at + 1);
    pieces.truncate(kept);
    pieces
}

#[cfg(test)]
mod tests;
