//! Conversions between numbers, characters, names and text.

use num_traits::ToPrimitive;

use crate::error::{Res, argument_error, arithmetic_error};
use crate::limits::meter::Meter;
use crate::stdlib::{Call, Family, rows, show};
use crate::value::{Name, Value, number, print_float, push_char, push_text, type_keyword};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Conversion and parsing";
    "int" "[x]" lazy uses(Uses::Computes) = int,
        "The number `x` cut toward zero to a 64-bit integer; the code point of a one-character string."
        "(int -3.9)" => "-3", r#"(int \a)"# => "97";
    "long" "[x]" lazy uses(Uses::Computes) = long,
        "The number `x` cut toward zero to a 64-bit integer." "(long 3.7)" => "3";
    "bigint" "[x]" lazy uses(Uses::Computes) = bigint,
        "The number `x` cut toward zero to an integer of any size; also from its decimal text." "(bigint 2.0)" => "2";
    "double" "[x]" lazy uses(Uses::Computes) = |call| call.want(0, "a number", number::to_f64).map(Value::Float),
        "The number `x` as a float." "(double 3)" => "3.0";
    "float" "[x]" lazy uses(Uses::Computes) = |call| call.want(0, "a number", number::to_f64).map(Value::Float),
        "The number `x` as a float." "(float 3)" => "3.0";
    "num" "[x]" lazy uses(Uses::Computes) = num,
        "The number `x` itself." "(num 1.5)" => "1.5";
    "char" "[x]" lazy = char,
        "The one-character string of a code point." "(char 97)" => r#""a""#;
    "type" "[x]" lazy = |call| Ok(type_keyword(call.arg(0))),
        "The kind of `x` as a keyword, nil for nil. `(= (type x) String)` asks for an instance of the class; `class` \
         is the same."
        "(type 5)" => ":number", "(type [1])" => ":vector";
    "name" "[x]" lazy uses(Uses::Computes) = name,
        "The text of a keyword, symbol or string, without its namespace."
        "(name :a)" => r#""a""#, "(name :a/b)" => r#""b""#;
    "namespace" "[x]" lazy = namespace,
        "The namespace of a keyword or symbol, nil without one."
        "(namespace :a/b)" => r#""a""#, "(namespace :a)" => "nil";
    "keyword" "[name]" "[ns name]" lazy uses(Uses::Computes) = keyword,
        "The keyword of a name; nil for nil." r#"(keyword "a")"# => ":a", r#"(keyword "n" "a")"# => ":n/a";
    "find-keyword" "[name]" "[ns name]" lazy = keyword,
        "The same as `keyword`." r#"(find-keyword "a")"# => ":a";
    "symbol" "[name]" "[ns name]" lazy uses(Uses::Computes) = symbol,
        "The symbol of a name." r#"(symbol "a")"# => "a";
    "parse-long" "[s]" lazy uses(Uses::Computes) = parse_long,
        "The 64-bit integer that all of `s` spells, else nil."
        r#"(parse-long "-7")"# => "-7", r#"(parse-long "1.5")"# => "nil";
    "parse-int" "[s]" lazy uses(Uses::Computes) = parse_long,
        "The same as `parse-long`." r#"(parse-int "42")"# => "42";
    "parse-double" "[s]" lazy uses(Uses::Computes) = parse_double,
        "The float that all of `s` spells, else nil; digits are needed on both sides of a point."
        r#"(parse-double "1e3")"# => "1000.0", r#"(parse-double ".5")"# => "nil";
    "parse-boolean" "[s]" lazy uses(Uses::Computes) = parse_boolean,
        r#"true for "true", false for "false", else nil."# r#"(parse-boolean "true")"# => "true";
    "parse-uuid" "[s]" lazy = parse_uuid,
        "The UUID that `s` spells, else nil." r#"(parse-uuid "x")"# => "nil";
};

fn int(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Str(text) if text.chars() == 1 => Ok(Value::Int(text.char_at(0).map_or(0, |c| i64::from(u32::from(c))))),
        Value::Str(_) => Err(call.wrong("a number or one character (parse-long reads text)", call.arg(0))),
        _ => long(call),
    }
}

fn long(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Int(n) => Ok(Value::Int(*n)),
        Value::Float(x) => to_integer(*x, call.name),
        Value::Str(_) => Err(call.wrong("a number (parse-long reads text)", call.arg(0))),
        Value::Big(_) => Err(arithmetic_error(format!("{}: the integer does not fit 64 bits", call.name))),
        other => Err(call.wrong("a number", other)),
    }
}

/// `x` truncated toward zero; `arithmetic_error` when that is not a 64-bit integer.
pub(super) fn to_integer(x: f64, name: &str) -> Res {
    let whole = x.trunc();
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole) {
        Ok(Value::Int(whole as i64))
    } else {
        Err(arithmetic_error(format!("{name}: no integer value for {}", print_float(x))))
    }
}

fn bigint(call: &mut Call<'_>) -> Res {
    let Call { name, args, cx } = call;
    match &**args {
        // By the decimal text of the float, as in Clojure: `1e25` is ten to the 25th.
        [Value::Float(x)] if x.is_finite() => {
            let text = x.trunc().to_string();
            number::parse_integer(&text, &mut cx.meter)?
                .ok_or_else(|| argument_error(format!("{name}: not an integer: {text}")))
        }
        [Value::Float(x)] => number::whole(*x, name),
        [Value::Str(text)] => number::parse_integer(text, &mut cx.meter)?
            .ok_or_else(|| argument_error(format!("{name}: not an integer: {}", show::quoted(text)))),
        _ => num(call),
    }
}

fn num(call: &mut Call<'_>) -> Res {
    if call.arg(0).is_number() { Ok(call.take(0)) } else { Err(call.wrong("a number", call.arg(0))) }
}

fn char(call: &mut Call<'_>) -> Res {
    let point = match call.arg(0) {
        Value::Str(text) if text.chars() == 1 => return Ok(call.take(0)),
        Value::Big(n) => n.to_i64().unwrap_or(-1),
        _ => call.int(0)?,
    };
    let c = u32::try_from(point).ok().and_then(char::from_u32);
    let c = c.ok_or_else(|| call.invalid(format_args!("{point} is not the code point of a character")))?;
    call.string(c.to_string())
}

/// Namespace and name in the text of a keyword or symbol.
pub(super) fn parts(text: &str) -> (Option<&str>, &str) {
    match text.split_once('/') {
        Some((namespace, name)) if text != "/" => (Some(namespace), name),
        _ => (None, text),
    }
}

fn name(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Keyword(name) | Value::Symbol(name) => {
            let text = parts(name.as_str()).1.to_owned();
            call.string(text)
        }
        Value::Str(_) => Ok(call.take(0)),
        other => Err(call.wrong("a keyword, symbol or string", other)),
    }
}

fn namespace(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Keyword(name) | Value::Symbol(name) => {
            let text = parts(name.as_str()).0.map(str::to_owned);
            text.map_or(Ok(Value::Nil), |text| call.string(text))
        }
        other => Err(call.wrong("a keyword or symbol", other)),
    }
}

fn keyword(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil if call.len() == 1 => Ok(Value::Nil),
        Value::Keyword(_) if call.len() == 1 => Ok(call.take(0)),
        _ => named(call, Value::Keyword),
    }
}

fn symbol(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Symbol(_) if call.len() == 1 => Ok(call.take(0)),
        _ => named(call, Value::Symbol),
    }
}

fn named(call: &mut Call<'_>, kind: fn(Name) -> Value) -> Res {
    let mut text = String::new();
    for index in 0..call.len() {
        let part = call.arg(index).clone();
        let part = match &part {
            Value::Str(part) => part.as_str(),
            Value::Keyword(part) | Value::Symbol(part) => part.as_str(),
            Value::Nil if index == 0 && call.len() == 2 => continue,
            other => return Err(call.wrong("a string, keyword or symbol", other)),
        };
        if call.len() == 1 {
            return Ok(kind(make_name(call.meter(), part)?));
        }
        push_text(&mut text, part, call.meter())?;
        if index + 1 < call.len() {
            push_char(&mut text, '/', call.meter())?;
        }
    }
    Ok(kind(make_name(call.meter(), &text)?))
}

/// A name created at run time: while it lives, it counts towards the memory of the program.
fn make_name(meter: &mut Meter, text: &str) -> Res<Name> {
    meter.charge(1 + text.len() / 16)?;
    meter.allocate(Name::bytes(text.len()))?;
    Ok(Name::made(text))
}

fn parse_long(call: &mut Call<'_>) -> Res {
    Ok(call.arg(0).as_str().and_then(long_of).map_or(Value::Nil, Value::Int))
}

/// `[+-]?[0-9]+` within 64 bits.
pub(super) fn long_of(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// The most bytes of a text that is read as a number in one go: a millisecond.
const LONGEST_DOUBLE: usize = 1_000_000;

fn parse_double(call: &mut Call<'_>) -> Res {
    let Some(text) = call.arg(0).as_str() else { return Ok(Value::Nil) };
    if text.len() > LONGEST_DOUBLE {
        let size = text.len();
        return Err(call.invalid(format_args!(
            "the string has {size} bytes, and at most {LONGEST_DOUBLE} are read as a number; cut the number out of it first"
        )));
    }
    let parsed = double_of(text);
    call.charge(call.arg(0).as_str().map_or(0, str::len) / 8)?;
    Ok(parsed.map_or(Value::Nil, Value::Float))
}

/// The most bytes of a text that may be a number.
const LONGEST_NUMBER: usize = 40;

/// Whether a text is a number in digits: `7`, `-12.50`, `1e3`; not `NaN`.
pub(crate) fn holds_number(text: &str) -> bool {
    text.len() <= LONGEST_NUMBER && text.ends_with(|last: char| last.is_ascii_digit()) && double_of(text).is_some()
}

/// `[+-]?digits[.digits][exponent]`, `NaN`, `Infinity` with a sign.
pub(super) fn double_of(text: &str) -> Option<f64> {
    match text {
        "NaN" => return Some(f64::NAN),
        "Infinity" | "+Infinity" => return Some(f64::INFINITY),
        "-Infinity" => return Some(f64::NEG_INFINITY),
        _ => {}
    }
    // Except for digits on both sides of a point, `parse` expects the same; but it accepts more words.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let is_digit = |c: char| c.is_ascii_digit();
    let has_digits = |(whole, rest): (&str, &str)| whole.ends_with(is_digit) && rest.starts_with(is_digit);
    if is_plain && text.split_once('.').is_none_or(has_digits) { text.parse().ok() } else { None }
}

fn parse_boolean(call: &mut Call<'_>) -> Res {
    Ok(match call.arg(0).as_str() {
        Some("true") => Value::Bool(true),
        Some("false") => Value::Bool(false),
        _ => Value::Nil,
    })
}

fn parse_uuid(call: &mut Call<'_>) -> Res {
    let Some(text) = call.arg(0).as_str() else { return Ok(Value::Nil) };
    let fits = text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() });
    if !fits {
        return Ok(Value::Nil);
    }
    let text = text.to_ascii_lowercase();
    call.allocate(64 + text.len())?;
    Ok(Value::Uuid(text.into()))
}
