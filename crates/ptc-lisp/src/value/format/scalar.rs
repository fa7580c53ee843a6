//! The text of values without parts.

use std::fmt::Write;

use crate::error::Res;
use crate::escape::{escape_length, escaped, needs_escape, write_escape};
use crate::meter::Meter;
use crate::pace::push_text;
use crate::value::{Temporal, Value, print_float, reserve_text, write_shortest};

/// Append what [`write_text`] writes for values without parts and of bounded length; false for others.
#[inline(always)]
pub(crate) fn write_scalar(out: &mut String, value: &Value, meter: &mut Meter) -> Res<bool> {
    meter.tick()?;
    // First reserve capacity for the longest text of the kind.
    match value {
        Value::Nil => {}
        Value::Str(text) | Value::Uuid(text) => {
            let text = text.as_str();
            reserve_text(out, text.len(), meter)?;
            push_text(out, text, meter)?;
        }
        Value::Int(n) => {
            reserve_text(out, 20, meter)?;
            out.push_str(itoa::Buffer::new().format(*n));
        }
        Value::Float(x) => {
            reserve_text(out, 32, meter)?;
            write_shortest(out, *x);
        }
        Value::Keyword(name) => {
            reserve_text(out, name.as_str().len() + 1, meter)?;
            out.push(':');
            push_text(out, name.as_str(), meter)?;
        }
        other => return write_rare_scalar(out, other, meter),
    }
    Ok(true)
}

pub(super) fn write_rare_scalar(out: &mut String, value: &Value, meter: &mut Meter) -> Res<bool> {
    if let Value::Temporal(temporal) = value {
        reserve_text(out, temporal.bytes(), meter)?;
        let _ = write!(out, "{temporal}");
        return Ok(true);
    }
    if !matches!(value, Value::Bool(_) | Value::Date(_) | Value::Instant(_)) {
        return Ok(false);
    }
    reserve_text(out, 40, meter)?;
    match value {
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Date(date) => drop(write!(out, "{date}")),
        Value::Instant(micros) => out.push_str(&instant_text(*micros)),
        _ => {}
    }
    Ok(true)
}

/// ISO 8601 text of a point in time, with the fewest digits of fraction: `2024-03-09T10:00:00Z`.
pub(crate) fn instant_text(micros: i64) -> String {
    jiff::Timestamp::from_microsecond(micros).map_or_else(|_| format!("{micros} us"), |time| time.to_string())
}

/// Append `text` in double quotes with escapes; at most `limit` characters of it.
pub(crate) fn write_quoted(out: &mut String, text: &str, limit: Option<usize>) -> bool {
    let end = limit.and_then(|limit| text.char_indices().nth(limit)).map(|(at, _)| at);
    out.push('"');
    let shown = end.and_then(|end| text.get(..end)).unwrap_or(text);
    write_escaped(out, shown);
    out.push_str(if end.is_some() { "...\"" } else { "\"" });
    end.is_some()
}

pub(super) fn write_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if needs_escape(c) => write_escape(out, c),
            c => out.push(c),
        }
    }
}

/// Append a regular expression as programs write it. For a character that already follows a backslash, only the rest of
/// its escape is written: both forms match it.
pub(super) fn write_regex(out: &mut String, source: &str) {
    out.push_str("#\"");
    let mut is_open = false;
    for c in source.chars() {
        if needs_escape(c) || c == '"' {
            if is_open {
                out.pop();
            }
            match c {
                '"' => out.push_str("\\\""),
                // Patterns have no surrogates.
                c if c.len_utf16() > 1 => drop(write!(out, "\\x{{{:x}}}", u32::from(c))),
                c => write_escape(out, c),
            }
        } else {
            out.push(c);
        }
        is_open = c == '\\' && !is_open;
    }
    out.push('"');
}

/// Bytes that [`write_quoted`] appends for all of `text`.
pub(super) fn quoted_length(text: &str) -> usize {
    let escaped = |c: char| match c {
        '"' | '\\' => 2,
        c if needs_escape(c) => escape_length(c),
        c => c.len_utf8(),
    };
    text.chars().map(escaped).sum::<usize>() + 2
}

/// A weekday or month by its name, a unit with its class, anything else as a tagged literal.
pub(super) fn write_temporal(out: &mut String, temporal: &Temporal) -> std::fmt::Result {
    match (temporal, temporal.name()) {
        (Temporal::Unit(_), Some(name)) => write!(out, "ChronoUnit/{name}"),
        (_, Some(name)) => out.write_str(name),
        (_, None) => {
            write!(out, "#{} ", temporal.kind())?;
            write_quoted(out, &temporal.to_string(), None);
            Ok(())
        }
    }
}

/// Values without parts and of bounded length.
pub(super) fn write_atom(out: &mut String, value: &Value) -> std::fmt::Result {
    match value {
        Value::Nil => out.write_str("nil"),
        Value::Bool(b) => write!(out, "{b}"),
        Value::Int(n) => out.write_str(itoa::Buffer::new().format(*n)),
        Value::Float(x) => out.write_str(&print_float(*x)),
        Value::Keyword(name) => write!(out, ":{}", escaped(name.as_str())),
        Value::Symbol(name) => out.write_str(&escaped(name.as_str())),
        Value::Var(name) => write!(out, "#'{}", escaped(name.as_str())),
        Value::Builtin(_) => out.write_str("#<builtin>"),
        Value::Tool(name) => write!(out, "#<tool {}>", escaped(name.as_str())),
        Value::Function(function) if function.is_derived() => out.write_str("#<fn>"),
        Value::Function(function) => write!(out, "#fn[{}]", escaped(function.params())),
        Value::Date(date) => write!(out, "#date \"{date}\""),
        Value::Instant(micros) => write!(out, "#inst \"{}\"", instant_text(*micros)),
        Value::Temporal(temporal) => write_temporal(out, temporal),
        Value::Uuid(text) => write!(out, "\"{}\"", escaped(text.as_str())),
        Value::Regex(regex) => {
            write_regex(out, regex.as_str());
            Ok(())
        }
        _ => Ok(()),
    }
}
