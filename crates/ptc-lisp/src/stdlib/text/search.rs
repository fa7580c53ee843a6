//! Finding text in text; positions count characters.

use super::byte;
use super::literal;
use crate::error::Res;
use crate::index::addressable;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;
use crate::stdlib::Call;
use crate::value::{Text, Value};

pub(super) fn asked(call: &mut Call<'_>, question: fn(&str, &str) -> bool) -> Res {
    let (text, part) = both(call)?;
    call.charge(part.len() / 16)?;
    Ok(Value::Bool(question(&text, &part)))
}

pub(super) fn includes(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = &mut *call;
    if let [Value::Str(text), Value::Str(part)] = &**args {
        return Ok(Value::Bool(contains(text, part, &mut cx.meter)?));
    }
    let (text, part) = both(call)?;
    Ok(Value::Bool(contains(&text, &part, call.meter())?))
}

/// Whether `part` occurs in `text`. The standard search is faster from some dozens of bytes on.
#[inline]
pub(in crate::stdlib) fn contains(text: &str, part: &str, meter: &mut Meter) -> Res<bool> {
    const SHORT: usize = 64;
    meter.charge(text.len() / 16)?;
    match part.as_bytes() {
        [first, tail @ ..] if text.len() < SHORT => {
            let mut rest = text.as_bytes();
            while let Some(after) = byte::find(rest, *first).and_then(|at| rest.get(at + 1..)) {
                // The second byte rules out most places.
                if tail.first().is_none_or(|second| after.first() == Some(second)) && after.starts_with(tail) {
                    return Ok(true);
                }
                rest = after;
            }
            Ok(false)
        }
        _ if text.len() <= STRETCH => Ok(text.contains(part)),
        _ => Ok(literal::find(text, part, meter)?.is_some()),
    }
}

/// The result of `find`, from argument 2 or `from` on.
pub(super) fn index_of(
    call: &mut Call<'_>,
    from: i64,
    find: fn(&Text, &Text, i64, &mut Meter) -> Res<Option<usize>>,
) -> Res {
    let (text, part) = both(call)?;
    let from = if call.len() == 3 { call.int(2)? } else { from };
    Ok(find(&text, &part, from, call.meter())?.map_or(Value::Nil, Value::from))
}

/// The two strings of a search.
pub(in crate::stdlib) fn both(call: &mut Call<'_>) -> Res<(Text, Text)> {
    let got = call.arg(0);
    if call.name == "includes?" && matches!(got.kind(), "vector" | "map" | "set") {
        let text = format_args!("expected a string, got {}; use contains? for collections", got.kind());
        return Err(call.mismatch(text).about_value(got));
    }
    Ok((call.text(0)?, call.text(1)?))
}

/// The first position of `part` at or after `from`; a negative `from` is 0. The cost is that of the text searched, so a
/// program that goes from one match to the next pays for each place once.
pub(in crate::stdlib) fn find_from(text: &Text, part: &Text, from: i64, meter: &mut Meter) -> Res<Option<usize>> {
    let from = addressable(from);
    if part.is_empty() {
        return Ok(Some(from.min(text.chars())));
    }
    let start = text.offset(from);
    let found = literal::find(text.get(start..).unwrap_or_default(), part, meter)?;
    meter.charge(found.map_or(text.len() - start, |found| found + part.len()) / 16)?;
    Ok(found.map(|found| text.index_at(start + found)))
}

/// The last position of `part` that is at or before `from`; charged like [`find_from`].
pub(in crate::stdlib) fn find_last(text: &Text, part: &Text, from: i64, meter: &mut Meter) -> Res<Option<usize>> {
    if from < 0 {
        return Ok(None);
    }
    let from = addressable(from);
    if part.is_empty() {
        return Ok(Some(from.min(text.chars())));
    }
    // A match that starts at or before `from` ends here at the latest, at a character boundary.
    let end = text.offset(from).saturating_add(part.len()).min(text.len());
    let found = literal::rfind(text.get(..text.floor_char_boundary(end)).unwrap_or_default(), part, meter)?;
    meter.charge((end - found.unwrap_or_default()) / 16)?;
    Ok(found.map(|found| text.index_at(found)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::session::{Session, SessionOptions};

    proptest! {
        #[test]
        fn short_texts_are_searched_as_long_ones(text in "[abé]{0,70}", part in "[abé]{0,10}") {
            prop_assert_eq!(super::contains(&text, &part, &mut crate::limits::meter::Meter::host()).unwrap(), text.contains(&part));
        }
    }

    /// Iterating over the matches reads each place once.
    #[test]
    fn all_matches_of_a_long_text_cost_what_the_text_costs() {
        let fuel = |count: usize, search: &str| {
            let program = format!("(let [s (apply str (repeat {count} \"añb\"))] {search})");
            Session::new(SessionOptions::default()).run(&program, &mut |_| unreachable!()).usage.fuel
        };
        for search in [
            "(loop [from 0 c 0] (if-let [i (index-of s \"b\" from)] (recur (inc i) (inc c)) c))",
            "(loop [from 900000 c 0] (if-let [i (last-index-of s \"b\" from)] (recur (dec i) (inc c)) c))",
        ] {
            let (few, many) = (fuel(1_000, search), fuel(10_000, search));
            assert!(many < 11 * few, "{search}: {few} and {many}");
        }
    }
}
