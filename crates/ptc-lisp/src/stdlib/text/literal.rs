//! Searching a text for a text, in windows, with a look at the clock between two windows.

use super::byte;
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::pace::{STRETCH, next_piece};

/// The first place of `part` in `text`.
pub(in crate::stdlib) fn find(text: &str, part: &str, meter: &mut Meter) -> Res<Option<usize>> {
    if text.len() <= STRETCH {
        return Ok(short_find(text, part));
    }
    let mut first = None;
    each_match(text, part, 1, meter, |at, _| {
        first = Some(at);
        Ok(())
    })?;
    Ok(first)
}

/// [`find`] in a short text.
pub(super) fn short_find(text: &str, part: &str) -> Option<usize> {
    if part.len() > text.len() { None } else { Places::of(part, text).next() }
}

/// The longest part that is compared wherever its first byte is.
const SHORT: usize = 8;

/// The places of a part in a text, from left to right without overlaps.
enum Places<'t> {
    Short {
        text: &'t [u8],
        part: &'t [u8],
        from: usize,
    },
    /// By the standard search, which prepares for a part of any length first.
    Long(std::str::MatchIndices<'t, &'t str>),
}

impl<'t> Places<'t> {
    fn of(part: &'t str, text: &'t str) -> Places<'t> {
        if (1..=SHORT).contains(&part.len()) {
            Places::Short { text: text.as_bytes(), part: part.as_bytes(), from: 0 }
        } else {
            Places::Long(text.match_indices(part))
        }
    }
}

impl Iterator for Places<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let (text, part, from) = match self {
            Places::Short { text, part, from } => (*text, *part, from),
            Places::Long(places) => return places.next().map(|(at, _)| at),
        };
        let (first, others) = part.split_first()?;
        loop {
            let at = *from + byte::find(text.get(*from..)?, *first)?;
            *from = at + 1;
            if text.get(*from..)?.starts_with(others) {
                *from += others.len();
                return Some(at);
            }
        }
    }
}

/// The last place of `part` in `text`.
pub(in crate::stdlib) fn rfind(text: &str, part: &str, meter: &mut Meter) -> Res<Option<usize>> {
    if part.len() > text.len() {
        return Ok(None);
    }
    if text.len() <= STRETCH {
        return Ok(text.rfind(part));
    }
    if part.len() > STRETCH {
        return long_rfind(text, part, meter);
    }
    let mut end = text.len();
    loop {
        let start = text.floor_char_boundary(end.saturating_sub(STRETCH + part.len()));
        if let Some(at) = text.get(start..end).unwrap_or_default().rfind(part) {
            return Ok(Some(start + at));
        }
        if start == 0 {
            return Ok(None);
        }
        // Matches that start in this window and also end there were seen.
        end = text.ceil_char_boundary(start + part.len().saturating_sub(1));
        meter.look_at_clock()?;
    }
}

/// Calls `found` with each place of `part`, from left to right without overlaps, at most `most` times; returns their
/// number.
pub(in crate::stdlib) fn each_match(
    text: &str,
    part: &str,
    most: usize,
    meter: &mut Meter,
    mut found: impl FnMut(usize, &mut Meter) -> Res<()>,
) -> Res<usize> {
    let mut count = 0;
    if part.len() > STRETCH {
        let mut from = 0;
        while count < most
            && let Some(at) = long_find(text.get(from..).unwrap_or_default(), part, meter)?
        {
            found(from + at, meter)?;
            (from, count) = (from + at + part.len(), count + 1);
        }
        return Ok(count);
    }
    let (mut from, mut free) = (0, 0);
    loop {
        let (window, last) = window(text, from, part.len());
        for at in Places::of(part, window).take(most - count) {
            // The end of a window is the start of the next one: there "" is found twice.
            if part.is_empty() && at == window.len() && !last {
                break;
            }
            found(from + at, meter)?;
            (free, count) = (from + at + part.len(), count + 1);
        }
        if last || count == most {
            return Ok(count);
        }
        from = behind(text, from + window.len(), part.len()).max(free);
        meter.look_at_clock()?;
    }
}

/// The text from `from` on that contains every occurrence that starts in the next [`STRETCH`] bytes; and whether it is
/// the rest.
fn window(text: &str, from: usize, part: usize) -> (&str, bool) {
    let end = text.ceil_char_boundary(from.saturating_add(STRETCH + part));
    (text.get(from..end).unwrap_or_default(), end == text.len())
}

/// The first place where an occurrence may start that a window up to `end` does not fully contain.
fn behind(text: &str, end: usize, part: usize) -> usize {
    text.floor_char_boundary(end - part.saturating_sub(1))
}

/// A factor of the rolling hash: odd, without a pattern.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// [`find`] for a part that is longer than a window: by a rolling hash, in constant space. Where hashes are equal, the
/// texts are compared; false matches are so rare that the time stays linear.
fn long_find(text: &str, part: &str, meter: &mut Meter) -> Res<Option<usize>> {
    let mut hashes = Rolling::new(text, part, meter)?;
    while let Some(at) = hashes.next(meter)? {
        if is_at(text, part, at, meter)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Like [`long_find`], for the last place. Only the last equal hash is compared, because occurrences may overlap.
fn long_rfind(text: &str, part: &str, meter: &mut Meter) -> Res<Option<usize>> {
    let mut hashes = Rolling::new(text, part, meter)?;
    let mut candidate = None;
    while let Some(at) = hashes.next(meter)? {
        candidate = Some(at);
    }
    match candidate {
        Some(at) if !is_at(text, part, at, meter)? => Ok(text.rfind(part)),
        found => Ok(found),
    }
}

fn is_at(text: &str, part: &str, at: usize, meter: &mut Meter) -> Res<bool> {
    let (mut known, mut rest) = (text.as_bytes().get(at..).unwrap_or_default(), part);
    while let Some(piece) = next_piece(&mut rest, meter)? {
        match known.strip_prefix(piece.as_bytes()) {
            Some(after) => known = after,
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// The places whose bytes have the hash of the part.
struct Rolling<'t> {
    /// Bytes that leave the window, and those that enter it.
    leaving: &'t [u8],
    entering: std::slice::Iter<'t, u8>,
    place: usize,
    wanted: u64,
    hash: u64,
    /// FACTOR to the power of the part's length.
    top: u64,
    left: usize,
}

impl<'t> Rolling<'t> {
    /// `part` is shorter than `text` or no place is found.
    fn new(text: &'t str, part: &str, meter: &mut Meter) -> Res<Rolling<'t>> {
        let first = text.as_bytes().get(..part.len()).unwrap_or_default();
        let (wanted, top) = hash(part.as_bytes(), meter)?;
        let (hash, _) = hash(first, meter)?;
        let entering = text.as_bytes().get(part.len()..).unwrap_or_default().iter();
        let place = if first.is_empty() { usize::MAX } else { 0 };
        Ok(Rolling { leaving: text.as_bytes(), entering, place, wanted, hash, top, left: STRETCH })
    }

    fn next(&mut self, meter: &mut Meter) -> Res<Option<usize>> {
        while self.place < usize::MAX {
            let found = (self.hash == self.wanted).then_some(self.place);
            match (self.entering.next(), self.leaving.get(self.place)) {
                (Some(new), Some(old)) => {
                    let gone = self.top.wrapping_mul(u64::from(*old) + 1);
                    self.hash = self.hash.wrapping_mul(FACTOR).wrapping_add(u64::from(*new) + 1).wrapping_sub(gone);
                    self.place += 1;
                }
                _ => self.place = usize::MAX,
            }
            self.left -= 1;
            if self.left == 0 {
                self.left = STRETCH;
                meter.look_at_clock()?;
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// The hash of `bytes`, and FACTOR to the power of their number.
fn hash(bytes: &[u8], meter: &mut Meter) -> Res<(u64, u64)> {
    let (mut hash, mut top) = (0_u64, 1_u64);
    for piece in bytes.chunks(STRETCH) {
        meter.look_at_clock()?;
        for byte in piece {
            hash = hash.wrapping_mul(FACTOR).wrapping_add(u64::from(*byte) + 1);
            top = top.wrapping_mul(FACTOR);
        }
    }
    Ok((hash, top))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{STRETCH, each_match, find, rfind};
    use crate::limits::meter::Meter;

    fn check(text: &str, part: &str) -> Result<(), TestCaseError> {
        let mut meter = Meter::host();
        prop_assert_eq!(find(text, part, &mut meter).unwrap(), text.find(part));
        prop_assert_eq!(rfind(text, part, &mut meter).unwrap(), text.rfind(part));
        let mut places = Vec::new();
        let mut note = |at, _: &mut Meter| {
            places.push(at);
            Ok(())
        };
        let count = each_match(text, part, usize::MAX, &mut meter, &mut note).unwrap();
        let few = each_match(text, part, 3, &mut meter, &mut note).unwrap();
        let known: Vec<usize> = text.match_indices(part).map(|(at, _)| at).collect();
        prop_assert_eq!(count, known.len());
        prop_assert!(places.get(..count) == Some(known.as_slice()));
        prop_assert!(places.get(count..) == known.get(..few));
        prop_assert_eq!(few, known.len().min(3));
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn windows_find_what_one_search_finds(unit in "[abé]{1,5}", mark in "[abéc]{0,3}", at in 0..3 * STRETCH, part in "[abéc]{0,6}") {
            let mut text = unit.repeat(3 * STRETCH / unit.len());
            text.insert_str(text.floor_char_boundary(at), &mark);
            check(&text, &part)?;
        }

        #[test]
        fn long_parts_are_found(unit in "[abé]{1,5}", mark in "[bc]", at in 0..4 * STRETCH, start in 0..2 * STRETCH, extra in 1..STRETCH) {
            let mut text = unit.repeat(4 * STRETCH / unit.len());
            text.insert_str(text.floor_char_boundary(at), &mark);
            let start = text.floor_char_boundary(start);
            let end = text.floor_char_boundary(start + STRETCH + extra);
            let part = text[start..end].to_owned();
            check(&text, &part)?;
            check(&text, &(part + "d"))?;
        }
    }
}
