//! Finding text in text; positions count characters.

#[cfg(test)]
mod tests;

use super::byte;
use super::literal;
use crate::error::{Res, Signal, type_error};
use crate::meter::Meter;
use crate::pace::STRETCH;
use crate::stdlib::Call;
use crate::value::{Text, Value};

pub(super) fn starts_with(call: &mut Call<'_>) -> Res {
    let (text, part) = both(call)?;
    Ok(Value::Bool(text.starts_with(part.as_str())))
}

pub(super) fn ends_with(call: &mut Call<'_>) -> Res {
    let (text, part) = both(call)?;
    Ok(Value::Bool(text.ends_with(part.as_str())))
}

pub(super) fn includes(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = &mut *call;
    if let [Value::Str(text), Value::Str(part)] = &**args {
        cx.meter.charge(text.len() / 16)?;
        return Ok(Value::Bool(contains(text, part, &mut cx.meter)?));
    }
    let (text, part) = both(call)?;
    Ok(Value::Bool(contains(&text, &part, call.meter())?))
}

/// Whether `part` occurs in `text`. The standard search pays off from some dozens of bytes on.
#[inline]
fn contains(text: &str, part: &str, meter: &mut Meter) -> Res<bool> {
    const SHORT: usize = 64;
    match part.as_bytes() {
        [first, tail @ ..] if text.len() < SHORT => {
            let mut rest = text.as_bytes();
            while let Some(after) = byte::find(rest, *first).and_then(|at| rest.get(at + 1..)) {
                // Most places are ruled out by the second byte.
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

pub(super) fn index_of(call: &mut Call<'_>) -> Res {
    let (text, part) = both(call)?;
    let from = if call.len() == 3 { call.int(2)? } else { 0 };
    Ok(find_from(&text, &part, from, call.meter())?.map_or(Value::Nil, Value::from))
}

pub(super) fn last_index_of(call: &mut Call<'_>) -> Res {
    let (text, part) = both(call)?;
    let from = if call.len() == 3 { call.int(2)? } else { i64::MAX };
    Ok(find_last(&text, &part, from, call.meter())?.map_or(Value::Nil, Value::from))
}

/// The two strings of a search, paid by length.
fn both(call: &mut Call<'_>) -> Res<(Text, Text)> {
    let text = match call.arg(0) {
        Value::Str(text) => text.clone(),
        other => return Err(no_string(call, other)),
    };
    let part = call.text(1)?;
    call.charge(text.len() / 16)?;
    Ok((text, part))
}

fn no_string(call: &Call<'_>, got: &Value) -> Box<Signal> {
    match got {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Generator(_) if call.name == "includes?" => {
            type_error(format!("includes?: expected a string, got {}; use contains? for collections", got.kind()))
        }
        _ => call.wrong("a string", got),
    }
}

/// The first position of `part` at or after `from`; a negative `from` is 0.
pub(in crate::stdlib) fn find_from(text: &Text, part: &Text, from: i64, meter: &mut Meter) -> Res<Option<usize>> {
    let from = usize::try_from(from).unwrap_or(0);
    if part.is_empty() {
        return Ok(Some(from.min(text.chars())));
    }
    if from >= text.chars() {
        return Ok(None);
    }
    let start = text.offset(from);
    let found = literal::find(text.get(start..).unwrap_or_default(), part, meter)?;
    Ok(found.map(|found| position(text, start + found)))
}

/// The last position of `part` that is at or before `from`.
pub(in crate::stdlib) fn find_last(text: &Text, part: &Text, from: i64, meter: &mut Meter) -> Res<Option<usize>> {
    let Ok(from) = usize::try_from(from) else { return Ok(None) };
    if part.is_empty() {
        return Ok(Some(from.min(text.chars())));
    }
    // A match that starts in time ends here at the latest, and at the border of a character.
    let end = text.offset(from).saturating_add(part.len()).min(text.len());
    let found = literal::rfind(text.get(..text.floor_char_boundary(end)).unwrap_or_default(), part, meter)?;
    Ok(found.map(|found| position(text, found)))
}

/// The character at a byte.
pub(super) fn position(text: &Text, byte: usize) -> usize {
    text.index_at(byte)
}
