//! Static functions of Java classes.

use crate::error::{Res, argument_error};
use crate::stdlib::convert::{double_of, long_of};
use crate::stdlib::{Call, show};
use crate::value::Value;

pub(super) fn parse_integer(call: &mut Call<'_>) -> Res {
    parsed(call, "an integer", |text| long_of(text).map(Value::Int))
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

fn parsed(call: &mut Call<'_>, what: &str, read: fn(&str) -> Option<Value>) -> Res {
    let text = call.text(0)?;
    call.charge(text.len() / 8)?;
    read(&text).ok_or_else(|| argument_error(format!("{}: not {what}: {}", call.name, show::quoted(&text))))
}

pub(super) fn is_digit(call: &mut Call<'_>) -> Res {
    asked(call, |c| c.is_numeric() && c.is_ascii_digit())
}

pub(super) fn is_letter(call: &mut Call<'_>) -> Res {
    asked(call, char::is_alphabetic)
}

pub(super) fn is_letter_or_digit(call: &mut Call<'_>) -> Res {
    asked(call, |c| c.is_alphabetic() || c.is_ascii_digit())
}

pub(super) fn is_upper_case(call: &mut Call<'_>) -> Res {
    asked(call, char::is_uppercase)
}

pub(super) fn is_lower_case(call: &mut Call<'_>) -> Res {
    asked(call, char::is_lowercase)
}

pub(super) fn is_whitespace(call: &mut Call<'_>) -> Res {
    asked(call, char::is_whitespace)
}

fn asked(call: &Call<'_>, question: fn(char) -> bool) -> Res {
    match call.arg(0) {
        Value::Str(text) if text.chars() == 1 => Ok(Value::Bool(text.char_at(0).is_some_and(question))),
        // A code point, as in Java.
        Value::Int(code) => Ok(Value::Bool(u32::try_from(*code).ok().and_then(char::from_u32).is_some_and(question))),
        other => Err(call.wrong("one character", other)),
    }
}
