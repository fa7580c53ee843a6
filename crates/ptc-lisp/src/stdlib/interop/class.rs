//! Static functions of Java classes.

use num_bigint::BigInt;

use crate::error::Res;
use crate::stdlib::Call;
use crate::stdlib::bits::bits;
use crate::stdlib::convert::{double_of, long_of};
use crate::value::Value;

pub(super) fn parse_integer(call: &mut Call<'_>) -> Res {
    match radix(call)? {
        10 => parsed(call, "an integer", |text| long_of(text).map(Value::Int)),
        radix => parsed(call, &format!("an integer in base {radix}"), |text| {
            i64::from_str_radix(text, radix).ok().map(Value::Int)
        }),
    }
}

/// Argument 1 as the base of numbers; 10 when it is missing.
fn radix(call: &Call<'_>) -> Res<u32> {
    if call.len() < 2 {
        return Ok(10);
    }
    let given = call.int(1)?;
    let radix = u32::try_from(given).ok().filter(|radix| (2..=36).contains(radix));
    radix.ok_or_else(|| call.invalid(format_args!("expected a base from 2 to 36, got {given}")))
}

pub(super) fn digits(call: &mut Call<'_>) -> Res {
    call.string(BigInt::from(call.int(0)?).to_str_radix(radix(call)?))
}

pub(super) fn bit_digits(call: &mut Call<'_>, written: fn(u64) -> String) -> Res {
    call.string(written(bits(call)?))
}

pub(super) fn parse_double(call: &mut Call<'_>) -> Res {
    parsed(call, "a number", |text| double_of(text).map(Value::Float))
}

pub(super) fn parse_boolean(call: &mut Call<'_>) -> Res {
    parsed(call, "true or false", |text| match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => None,
    })
}

fn parsed(call: &mut Call<'_>, what: &str, read: impl Fn(&str) -> Option<Value>) -> Res {
    call.charge(call.text(0)?.len() / 8)?;
    call.parsed(what, read)
}

pub(super) fn asked(call: &Call<'_>, question: fn(char) -> bool) -> Res {
    match call.arg(0) {
        Value::Str(text) if text.chars() == 1 => Ok(Value::Bool(text.char_at(0).is_some_and(question))),
        // A code point, as in Java.
        Value::Int(code) => Ok(Value::Bool(u32::try_from(*code).ok().and_then(char::from_u32).is_some_and(question))),
        other => Err(call.wrong("one character", other)),
    }
}
