//! Methods of strings, some also of collections.

use crate::error::Res;
use crate::index::addressable;
use crate::stdlib::text::{self, both, cut, find_from, find_last, push_lower, replace_literal};
use crate::stdlib::{Call, show};
use crate::value::{Value, text_for};

pub(super) fn index_of(call: &mut Call<'_>, backward: bool) -> Res {
    let from = if call.len() == 3 {
        call.int(2)?
    } else if backward {
        i64::MAX
    } else {
        0
    };
    let find = if backward { find_last } else { find_from };
    let found = match call.arg(0) {
        Value::Str(_) => both(call).and_then(|(text, part)| find(&text, &part, from, call.meter()))?,
        Value::Vector(_) => element(call, from, backward)?,
        other => return Err(call.wrong("a string", other)),
    };
    Ok(found.map_or(Value::Int(-1), Value::from))
}

/// The index of an element equal to argument 1, from `from` on, forward or backward.
fn element(call: &mut Call<'_>, from: i64, backward: bool) -> Res<Option<usize>> {
    let Call { args, cx, .. } = call;
    let [Value::Vector(items), wanted, ..] = &**args else { return Ok(None) };
    let (first, end) = if backward {
        (0, items.len().min(addressable(from.saturating_add(1))))
    } else {
        (addressable(from), items.len())
    };
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
        Value::Str(_) => {
            both(call).and_then(|(whole, part)| text::contains(&whole, &part, call.meter()).map(Value::Bool))
        }
        Value::Vector(_) => Ok(Value::Bool(element(call, 0, false)?.is_some())),
        Value::Set(set) => {
            let (set, member) = (set.clone(), call.arg(1).clone());
            Ok(Value::Bool(set.contains(&member, call.meter())?))
        }
        other => Err(call.wrong("a string", other)),
    }
}

pub(super) fn is_empty(call: &mut Call<'_>) -> Res {
    let value = call.arg(0);
    let size = value.size().filter(|_| !value.is_nil());
    size.map(|size| Value::Bool(size == 0)).ok_or_else(|| call.wrong("a string or collection", value))
}

pub(super) fn char_at(call: &mut Call<'_>) -> Res {
    let (text, index) = (call.text(0)?, call.int(1)?);
    let found = usize::try_from(index).ok().and_then(|index| text.char_at(index));
    let c = found.ok_or_else(|| {
        call.invalid(format_args!("position {index} is outside a string of {} characters", text.chars()))
    })?;
    call.string(c.to_string())
}

/// Unlike `subs` it does not clamp.
pub(super) fn substring(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let start = call.int(1)?;
    let end = if call.len() == 3 { call.int(2)? } else { text.chars() as i64 };
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(from), Ok(to)) if from <= to && to <= text.chars() => cut(call, &text, from, to),
        _ => Err(call
            .invalid(format_args!("{start} to {end} is outside a string of {} characters; subs clamps", text.chars()))),
    }
}

pub(super) fn replace(call: &mut Call<'_>) -> Res {
    let (text, old, new) = (call.text(0)?, call.text(1)?, call.text(2)?);
    replace_literal(call, &text, &old, &new, usize::MAX)
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
    let mut lower = |text: &str| -> Res<String> {
        let mut lower = text_for(text.len(), call.meter())?;
        push_lower(&mut lower, text, call.meter())?;
        Ok(lower)
    };
    let (a, b) = (lower(&a)?, lower(&b)?);
    Ok(Value::Bool(a == b))
}
