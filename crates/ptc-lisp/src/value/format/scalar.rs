//! The text of values without parts.

use std::borrow::Cow;

use crate::error::{Fallible, Res};
use crate::escape::{escaped, needs_escape, write_escape};
use crate::limits::meter::Meter;
use crate::limits::pace::next_piece;
use crate::value::{LONGEST, Temporal, Value, push_char, push_text, reserve_text, write_shortest};

/// Append what [`write_text`] writes for values without parts and of bounded length; false for others.
#[inline(always)]
pub(crate) fn write_scalar(out: &mut String, value: &Value, meter: &mut Meter) -> Res<bool> {
    meter.tick()?;
    match value {
        Value::Nil => {}
        Value::Str(text) | Value::Uuid(text) => push_text(out, text.as_str(), meter)?,
        Value::Int(n) => push_text(out, itoa::Buffer::new().format(*n), meter)?,
        Value::Float(x) => {
            reserve_text(out, LONGEST, meter)?;
            write_shortest(out, *x);
        }
        Value::Keyword(name) => {
            push_char(out, ':', meter)?;
            push_text(out, name.as_str(), meter)?;
        }
        other => return write_rare_scalar(out, other, meter),
    }
    Ok(true)
}

pub(super) fn write_rare_scalar(out: &mut String, value: &Value, meter: &mut Meter) -> Res<bool> {
    match value {
        Value::Temporal(temporal) => {
            meter.allocate_briefly(temporal.bytes())?;
            push_text(out, &temporal.to_string(), meter)?;
        }
        Value::Bool(b) => push_text(out, if *b { "true" } else { "false" }, meter)?,
        Value::Date(date) => push_text(out, &date.to_string(), meter)?,
        Value::Instant(micros) => push_text(out, &instant_text(*micros), meter)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// ISO 8601 text of a point in time, with the fewest digits of fraction: `2024-03-09T10:00:00Z`.
pub(crate) fn instant_text(micros: i64) -> String {
    jiff::Timestamp::from_microsecond(micros).map_or_else(|_| format!("{micros} us"), |time| time.to_string())
}

/// Append `text` in double quotes with escapes; at most `limit` characters of it. Returns whether it was cut.
pub(crate) fn write_quoted(out: &mut String, text: &str, limit: Option<usize>, meter: &mut Meter) -> Fallible<bool> {
    let end = limit.and_then(|limit| text.char_indices().nth(limit)).map(|(at, _)| at);
    push_char(out, '"', meter)?;
    write_escaped(out, end.and_then(|end| text.get(..end)).unwrap_or(text), meter)?;
    push_text(out, if end.is_some() { "...\"" } else { "\"" }, meter)?;
    Ok(end.is_some())
}

/// The text that [`write_quoted`] appends, for text of the host.
pub(crate) fn quoted(text: &str, limit: Option<usize>) -> String {
    let mut out = String::new();
    // The meter of a host refuses nothing that fits into the memory of a machine.
    let _ = write_quoted(&mut out, text, limit, &mut Meter::host());
    out
}

fn write_escaped(out: &mut String, text: &str, meter: &mut Meter) -> Fallible<()> {
    let mut rest = text;
    while let Some(mut piece) = next_piece(&mut rest, meter)? {
        while let Some((at, c)) = piece.char_indices().find(|(_, c)| matches!(c, '"' | '\\') || needs_escape(*c)) {
            let (plain, from) = piece.split_at(at);
            push_text(out, plain, meter)?;
            push_text(out, &escape(c), meter)?;
            piece = from.get(c.len_utf8()..).unwrap_or_default();
        }
        push_text(out, piece, meter)?;
    }
    Ok(())
}

/// The escape of a character that has one.
fn escape(c: char) -> Cow<'static, str> {
    match c {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\n' => "\\n".into(),
        c => {
            let mut escape = String::new();
            write_escape(&mut escape, c);
            escape.into()
        }
    }
}

/// Append a regular expression as programs write it. For a character that already follows a backslash, only the rest of
/// its escape is written: both forms match it.
fn write_regex(out: &mut String, source: &str, meter: &mut Meter) -> Fallible<()> {
    push_text(out, "#\"", meter)?;
    let mut is_open = false;
    for c in source.chars() {
        meter.tick()?;
        if needs_escape(c) || c == '"' {
            if is_open {
                out.pop();
            }
            match c {
                // Patterns have no surrogates.
                c if c.len_utf16() > 1 => push_text(out, &format!("\\x{{{:x}}}", u32::from(c)), meter)?,
                c => push_text(out, &escape(c), meter)?,
            }
        } else {
            push_char(out, c, meter)?;
        }
        is_open = c == '\\' && !is_open;
    }
    push_char(out, '"', meter)
}

/// A weekday or month by its name, a unit with its class, anything else as a tagged literal.
fn write_temporal(out: &mut String, temporal: &Temporal, meter: &mut Meter) -> Fallible<()> {
    match (temporal, temporal.name()) {
        (Temporal::Unit(_), Some(name)) => push_text(out, &format!("ChronoUnit/{name}"), meter),
        (_, Some(name)) => push_text(out, name, meter),
        (_, None) => {
            push_text(out, &format!("#{} ", temporal.kind()), meter)?;
            write_quoted(out, &temporal.to_string(), None, meter).map(drop)
        }
    }
}

/// Append a name after its sign.
fn write_name(out: &mut String, sign: &str, name: &str, end: &str, meter: &mut Meter) -> Fallible<()> {
    push_text(out, sign, meter)?;
    let mut rest = name;
    while let Some(piece) = next_piece(&mut rest, meter)? {
        push_text(out, &escaped(piece), meter)?;
    }
    push_text(out, end, meter)
}

/// Append the text of a value without parts.
pub(super) fn write_atom(out: &mut String, value: &Value, meter: &mut Meter) -> Fallible<()> {
    match value {
        Value::Nil => push_text(out, "nil", meter),
        Value::Bool(b) => push_text(out, if *b { "true" } else { "false" }, meter),
        Value::Int(n) => push_text(out, itoa::Buffer::new().format(*n), meter),
        Value::Keyword(name) => write_name(out, ":", name.as_str(), "", meter),
        Value::Symbol(name) => write_name(out, "", name.as_str(), "", meter),
        Value::Var(name) => write_name(out, "#'", name.as_str(), "", meter),
        Value::Builtin(_) => push_text(out, "#<builtin>", meter),
        Value::Tool(name) => write_name(out, "#<tool ", name.as_str(), ">", meter),
        Value::Function(function) if function.is_derived() => push_text(out, "#<fn>", meter),
        Value::Function(function) => write_name(out, "#fn[", function.params(), "]", meter),
        Value::Date(date) => push_text(out, &format!("#date \"{date}\""), meter),
        Value::Instant(micros) => push_text(out, &format!("#inst \"{}\"", instant_text(*micros)), meter),
        Value::Temporal(temporal) => write_temporal(out, temporal, meter),
        Value::Uuid(text) => write_name(out, "\"", text.as_str(), "\"", meter),
        Value::Regex(regex) => write_regex(out, regex.as_str(), meter),
        _ => Ok(()),
    }
}
