//! Values as text, for every builtin that returns text.

use crate::error::Res;
use crate::eval::context::Context;
use crate::value::{FormatOptions, Value, write_lines, write_scalar, write_text, write_value};

#[cfg(test)]
pub(super) mod tests;

/// Append what `str` shows: strings as they are, nothing for nil. Charges fuel and memory while it grows.
pub(crate) fn display(cx: &mut Context, out: &mut String, value: &Value) -> Res<()> {
    if write_scalar(out, value, &mut cx.meter)? {
        return Ok(());
    }
    display_parts(cx, out, value)
}

#[cold]
fn display_parts(cx: &mut Context, out: &mut String, value: &Value) -> Res<()> {
    cx.with_cells(|cells, meter| write_text(out, value, cells, meter))
}

/// Append what `pr` prints: text that reads back, strings in quotes. Charges like [`display`].
pub(crate) fn readable(cx: &mut Context, out: &mut String, value: &Value) -> Res<()> {
    whole(cx, out, value, FormatOptions::full())
}

fn whole(cx: &mut Context, out: &mut String, value: &Value, options: FormatOptions) -> Res<()> {
    cx.with_cells(|cells, meter| write_value(out, value, &options, cells, meter))?;
    Ok(())
}

/// Append what `println` prints: a string or time unchanged, everything else like `pr`, with rounded floats.
pub(crate) fn printed(cx: &mut Context, out: &mut String, value: &Value) -> Res<()> {
    match value {
        Value::Str(_) | Value::Date(_) | Value::Instant(_) | Value::Temporal(_) => display(cx, out, value),
        _ => whole(cx, out, value, FormatOptions::printed()),
    }
}

/// Characters of a line of `pprint`, where the parts of a value allow it.
const WIDTH: usize = 80;

/// Append what `pprint` prints: what `pr` does, over several lines where it is long.
pub(crate) fn over_lines(cx: &mut Context, out: &mut String, value: &Value) -> Res<()> {
    cx.with_cells(|cells, meter| write_lines(out, value, &FormatOptions::full(), WIDTH, cells, meter))
}

/// `text` in quotes for an error message, cut after 40 characters.
pub(crate) fn quoted(text: &str) -> String {
    crate::value::quoted(text, Some(40))
}
