//! `format`: directives after Java's formatter, with hard limits on width and precision.

mod decimal;
mod directive;

use std::borrow::Cow;

use num_bigint::BigInt;

use crate::error::{Res, Signal};
use crate::stdlib::{Call, show};
use crate::value::{Value, number, push_char, push_text, text_for};

use decimal::Decimal;
use directive::{ArgumentCursor, Directive};

/// The widest field and the largest precision.
const WIDEST: usize = 256;

/// `(format fmt & args)`
pub(crate) fn run(call: &mut Call<'_>) -> Res {
    Ok(Value::string(formatted(call)?))
}

/// Argument 0 with its directives replaced by the others; fuel and memory are charged while the text grows.
pub(crate) fn formatted(call: &mut Call<'_>) -> Res<String> {
    let template = call.text(0)?;
    call.charge(template.len() / 8)?;
    call.allocate(64)?;
    let mut out = String::new();
    let mut rest = template.as_str();
    let mut shown = ArgumentCursor::default();
    while let Some(at) = rest.find('%') {
        let (plain, marked) = rest.split_at(at);
        push_text(&mut out, plain, call.meter())?;
        let (directive, after) = Directive::read(call, &mut shown, marked)?;
        rest = after;
        call.charge(1)?;
        if directive.is_plain_text() {
            match argument(call, &directive)? {
                Value::Nil => push_text(&mut out, NULL, call.meter())?,
                value => show::display(call.cx, &mut out, &value)?,
            }
        } else {
            let text = filled(call, &directive)?;
            push_text(&mut out, &text, call.meter())?;
        }
    }
    push_text(&mut out, rest, call.meter())?;
    Ok(out)
}

/// What Java writes for nil.
const NULL: &str = "null";

/// The argument of a directive; nil for one without an argument.
fn argument(call: &Call<'_>, directive: &Directive<'_>) -> Res {
    let Some(index) = directive.argument else { return Ok(Value::Nil) };
    if index >= call.len() || index == 0 {
        let (text, given) = (directive.text, call.len() - 1);
        return Err(call.invalid(format_args!("{text} needs argument {index}, got {given}")));
    }
    Ok(call.arg(index).clone())
}

/// The text of one directive, padded to its width.
fn filled(call: &mut Call<'_>, directive: &Directive<'_>) -> Res<String> {
    let value = argument(call, directive)?;
    if let Value::Big(n) = &value {
        // Its digits exist up to eight times for a moment: grouped, signed, padded.
        call.meter().allocate_briefly(8 * 20 * number::limbs(n))?;
    }
    let kind = directive.conversion.to_ascii_lowercase();
    let text = match (kind, &value) {
        ('n', _) => "\n".to_owned(),
        ('%', _) => padded(directive, "%".to_owned()),
        ('b', _) => padded(directive, shortened(directive, value.is_truthy().to_string())),
        (_, Value::Nil) => padded(directive, NULL.to_owned()),
        ('s', _) => {
            let mut text = String::new();
            show::display(call.cx, &mut text, &value)?;
            call.meter().allocate_briefly(text.len())?;
            padded(directive, shortened(directive, text))
        }
        ('c', _) => padded(directive, character(call, directive, &value)?),
        ('d', _) => decimal_integer(call, directive, &value)?,
        ('x' | 'o', _) => bits(call, directive, &value)?,
        _ => float(call, directive, &value)?,
    };
    if !directive.conversion.is_ascii_uppercase() {
        return Ok(text);
    }
    let mut upper = String::new();
    super::push_upper(&mut upper, &text, call.meter())?;
    Ok(upper)
}

fn wrong(call: &Call<'_>, directive: &Directive<'_>, what: &str, got: &Value) -> Box<Signal> {
    call.mismatch(format_args!("{} expects {what}, got {}", directive.text, got.kind()))
}

/// Cut to the precision.
fn shortened(directive: &Directive<'_>, mut text: String) -> String {
    if let Some((end, _)) = directive.precision.and_then(|most| text.char_indices().nth(most)) {
        text.truncate(end);
    }
    text
}

/// The text padded with blanks to the width.
fn padded(directive: &Directive<'_>, text: String) -> String {
    let width = directive.width.unwrap_or(0);
    if directive.has('-') { format!("{text:<width$}") } else { format!("{text:>width$}") }
}

fn character(call: &Call<'_>, directive: &Directive<'_>, value: &Value) -> Res<String> {
    match value {
        Value::Str(text) if text.chars() == 1 => Ok(text.as_str().to_owned()),
        Value::Int(n) => match u32::try_from(*n).ok().and_then(char::from_u32) {
            Some(c) => Ok(c.to_string()),
            None => Err(call.invalid(format_args!("{n} is not the code point of a character"))),
        },
        other => Err(wrong(call, directive, "one character", other)),
    }
}

fn decimal_integer(call: &mut Call<'_>, directive: &Directive<'_>, value: &Value) -> Res<String> {
    let n = match value {
        Value::Float(x) if x.fract() == 0.0 => number::whole(*x, call.name)?,
        Value::Int(_) | Value::Big(_) => value.clone(),
        Value::Float(x) => {
            let text = directive.text;
            return Err(call.mismatch(format_args!("{text} expects an integer, got {x}; write %.1f, or (round x)")));
        }
        other => return Err(wrong(call, directive, "an integer", other)),
    };
    let digits = integer_digits(call, &n)?;
    let negative = number::sign(&n) == Some(-1);
    let digits = if directive.has(',') { grouped(call, &digits)? } else { digits };
    Ok(signed(directive, negative, &digits))
}

/// The decimal digits of an integer without its sign.
fn integer_digits(call: &mut Call<'_>, n: &Value) -> Res<String> {
    match n {
        Value::Big(n) => Ok(number::digits(n, call.meter())?.trim_start_matches('-').to_owned()),
        Value::Int(n) => Ok(n.unsigned_abs().to_string()),
        _ => Ok(String::new()),
    }
}

/// Hexadecimal or octal: negative 64-bit integers by their bits, larger ones with a sign.
fn bits(call: &mut Call<'_>, directive: &Directive<'_>, value: &Value) -> Res<String> {
    let Some(n) = number::wide(value) else { return Err(wrong(call, directive, "an integer", value)) };
    call.charge(usize::try_from(n.bits() / 64).unwrap_or(usize::MAX))?;
    let n = match value {
        Value::Int(small) => Cow::Owned(BigInt::from(*small as u64)),
        _ => n,
    };
    let hexadecimal = directive.conversion != 'o';
    let digits = if hexadecimal { format!("{:x}", n.magnitude()) } else { format!("{:o}", n.magnitude()) };
    let prefix = match (directive.has('#'), hexadecimal) {
        (true, true) => "0x",
        (true, false) => "0",
        _ => "",
    };
    let sign = if n.sign() == num_bigint::Sign::Minus { "-" } else { "" };
    Ok(assembled(directive, &format!("{sign}{prefix}"), &digits, ""))
}

/// `%f` and `%e`: rounded half up on the shortest decimal text of a float, exact for integers.
fn float(call: &mut Call<'_>, directive: &Directive<'_>, value: &Value) -> Res<String> {
    let decimal = match value {
        Value::Float(x) if !x.is_finite() => return Ok(special(directive, *x)),
        Value::Float(x) => Decimal::from_float(*x),
        Value::Int(_) | Value::Big(_) => {
            Decimal::from_digits(number::sign(value) == Some(-1), integer_digits(call, value)?)
        }
        other => return Err(wrong(call, directive, "a number", other)),
    };
    let precision = directive.precision.unwrap_or(6);
    if directive.conversion.eq_ignore_ascii_case(&'e') {
        return Ok(signed(directive, decimal.negative, &decimal.scientific(precision, directive.has('#'))));
    }
    let (whole, fraction) = decimal.fixed(precision);
    let mut text = if directive.has(',') { grouped(call, &whole)? } else { whole };
    if !fraction.is_empty() || directive.has('#') {
        push_char(&mut text, '.', call.meter())?;
    }
    push_text(&mut text, &fraction, call.meter())?;
    Ok(signed(directive, decimal.negative, &text))
}

/// Infinities and NaN are never filled with zeros.
fn special(directive: &Directive<'_>, x: f64) -> String {
    let text = match (x.is_nan(), x > 0.0, directive.has('+'), directive.has('(')) {
        (true, ..) => "NaN",
        (_, true, true, _) => "+Infinity",
        (_, true, ..) => "Infinity",
        (_, _, _, true) => "(Infinity)",
        _ => "-Infinity",
    };
    padded(directive, text.to_owned())
}

fn signed(directive: &Directive<'_>, negative: bool, digits: &str) -> String {
    let (prefix, suffix) = match negative {
        true if directive.has('(') => ("(", ")"),
        true => ("-", ""),
        false if directive.has('+') => ("+", ""),
        false if directive.has(' ') => (" ", ""),
        false => ("", ""),
    };
    assembled(directive, prefix, digits, suffix)
}

/// Zeros go between the sign and the digits, blanks around everything.
fn assembled(directive: &Directive<'_>, prefix: &str, digits: &str, suffix: &str) -> String {
    let taken = prefix.len() + digits.len() + suffix.len();
    let zeros = if directive.has('0') { directive.width.unwrap_or(0).saturating_sub(taken) } else { 0 };
    // Bounded: by the widest field.
    padded(directive, format!("{prefix}{}{digits}{suffix}", "0".repeat(zeros)))
}

/// A comma between groups of three digits.
fn grouped(call: &mut Call<'_>, digits: &str) -> Res<String> {
    let mut text = text_for(digits.len() / 3 * 4 + 4, call.meter())?;
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            push_char(&mut text, ',', call.meter())?;
        }
        push_char(&mut text, digit, call.meter())?;
    }
    Ok(text)
}
