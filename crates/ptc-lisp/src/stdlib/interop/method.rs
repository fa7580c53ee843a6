//! Methods of strings, some also of collections.

use crate::error::{Res, argument_error};
use crate::stdlib::text::{cut, find_from, find_last, piece_of, replace_literal, trim_both};
use crate::stdlib::{Call, show};
use crate::value::{Text, Value};

pub(super) fn index_of(call: &mut Call<'_>) -> Res {
    let from = if call.len() == 3 { call.int(2)? } else { 0 };
    let found = match call.arg(0) {
        Value::Str(_) => both(call).and_then(|(text, part)| find_from(&text, &part, from, call.meter()))?,
        Value::Vector(_) => element(call, usize::try_from(from).unwrap_or(0), false)?,
        other => return Err(call.wrong("a string", other)),
    };
    Ok(position(found))
}

pub(super) fn last_index_of(call: &mut Call<'_>) -> Res {
    let from = if call.len() == 3 { call.int(2)? } else { i64::MAX };
    let found = match call.arg(0) {
        Value::Str(_) => both(call).and_then(|(text, part)| find_last(&text, &part, from, call.meter()))?,
        Value::Vector(_) if from < 0 => None,
        Value::Vector(_) => element(call, usize::try_from(from).unwrap_or(usize::MAX), true)?,
        other => return Err(call.wrong("a string", other)),
    };
    Ok(position(found))
}

fn position(found: Option<usize>) -> Value {
    found.map_or(Value::Int(-1), Value::from)
}

/// The string and the part to look for, paid by length.
fn both(call: &mut Call<'_>) -> Res<(Text, Text)> {
    let (text, part) = (call.text(0)?, call.text(1)?);
    call.charge(text.len() / 16)?;
    Ok((text, part))
}

/// Where an element equal to argument 1 stands, from `from` on, forward or backward.
fn element(call: &mut Call<'_>, from: usize, backward: bool) -> Res<Option<usize>> {
    let Call { args, cx, .. } = call;
    let [Value::Vector(items), wanted, ..] = &**args else { return Ok(None) };
    let (first, end) = if backward { (0, items.len().min(from.saturating_add(1))) } else { (from, items.len()) };
    for step in 0..end.saturating_sub(first) {
        let index = if backward { end - 1 - step } else { first + step };
        cx.meter.charge(1)?;
        let Some(item) = items.get(index) else { break };
        if item.equals(wanted, &mut cx.meter)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

pub(super) fn contains(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Str(_) => both(call).map(|(text, part)| Value::Bool(text.contains(part.as_str()))),
        Value::Vector(_) => Ok(Value::Bool(element(call, 0, false)?.is_some())),
        Value::Set(set) => {
            let (set, member) = (set.clone(), call.arg(1).clone());
            Ok(Value::Bool(set.contains(&member, call.meter())?))
        }
        other => Err(call.wrong("a string", other)),
    }
}

pub(super) fn is_empty(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Str(text) => Ok(Value::Bool(text.is_empty())),
        Value::Vector(items) => Ok(Value::Bool(items.is_empty())),
        Value::Map(map) => Ok(Value::Bool(map.is_empty())),
        Value::Set(set) => Ok(Value::Bool(set.is_empty())),
        other => Err(call.wrong("a string or collection", other)),
    }
}

pub(super) fn char_at(call: &mut Call<'_>) -> Res {
    let (text, index) = (call.text(0)?, call.int(1)?);
    match usize::try_from(index).ok().and_then(|index| text.char_at(index)) {
        Some(c) => call.string(c.to_string()),
        None => {
            Err(argument_error(format!(".charAt: position {index} is outside a string of {} characters", text.chars())))
        }
    }
}

/// Unlike `subs` it does not clamp.
pub(super) fn substring(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let start = call.int(1)?;
    let end = if call.len() == 3 { call.int(2)? } else { text.chars() as i64 };
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(from), Ok(to)) if from <= to && to <= text.chars() => cut(call, &text, from, to),
        _ => Err(argument_error(format!(
            ".substring: {start} to {end} is outside a string of {} characters; subs clamps",
            text.chars()
        ))),
    }
}

pub(super) fn replace(call: &mut Call<'_>) -> Res {
    let (text, old, new) = (call.text(0)?, call.text(1)?, call.text(2)?);
    replace_literal(call, &text, &old, &new, usize::MAX)
}

pub(super) fn trim(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let piece = trim_both(&text, call.meter())?;
    piece_of(call, piece)
}

pub(super) fn to_string(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let [value] = &**args else { return Ok(Value::Nil) };
    if let Value::Exception(exception) = value {
        return Ok(Value::string(exception.message.as_str()));
    }
    let mut text = String::new();
    show::display(cx, &mut text, value)?;
    Ok(Value::string(text))
}

pub(super) fn equals(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let [a, b] = &**args else { return Ok(Value::Nil) };
    Ok(Value::Bool(a.equals(b, &mut cx.meter)?))
}

pub(super) fn equals_ignore_case(call: &mut Call<'_>) -> Res {
    let a = call.text(0)?;
    if call.arg(1).is_nil() {
        return Ok(false.into());
    }
    let b = call.text(1)?;
    call.charge((a.len() + b.len()) / 4)?;
    call.allocate(a.len().saturating_add(b.len()).saturating_mul(3))?;
    Ok(Value::Bool(a.to_lowercase() == b.to_lowercase()))
}
