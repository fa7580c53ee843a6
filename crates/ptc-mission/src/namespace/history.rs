//! The sections of what programs did: tool calls and output.

use ptc_lisp::{FormatOptions, ToolRecord, Value, format_within};

use super::MAX_SAMPLE_CHARS;
use crate::apart::{is_one_line, is_plain_name, line, print_text};
use crate::section::{NO_TOOL_CALLS, OUTPUT_HEADER, TOOL_CALLS_HEADER, section};

/// A call as `name({:key value})`, its arguments cut and without those whose name starts with `_`.
pub fn tool_call_line(call: &ToolRecord) -> String {
    let args = match &call.surface {
        Value::Nil => "{}".to_owned(),
        args => format_within(args, &FormatOptions::tool_args(), MAX_SAMPLE_CHARS).text,
    };
    line(format!("{}({args})", call.name))
}

/// The bytes of [`tool_call_line`]; only arguments that are no short words or numbers are written for it.
pub fn tool_call_size(call: &ToolRecord) -> usize {
    plain_arguments(&call.surface)
        .filter(|_| is_plain_name(&call.name))
        .map_or_else(|| tool_call_line(call).len(), |arguments| call.name.len() + arguments + "()".len())
}

/// The bytes of arguments which the formatter writes as they are.
fn plain_arguments(arguments: &Value) -> Option<usize> {
    /// Arguments that are shown, and the characters that a text may then have.
    const MOST: (usize, usize) = (2, 20);
    let map = arguments.as_map().filter(|map| (1..=MOST.0).contains(&map.len()))?;
    let mut size = "{}".len() + map.len() - 1;
    for (key, value) in map {
        let Value::Keyword(name) = key else { return None };
        let value = match value {
            Value::Int(number) => digits(*number),
            Value::Str(text) if text.as_str().len() <= MOST.1 && text.as_str().bytes().all(is_plain) => text.as_str().len() + "\"\"".len(),
            _ => return None,
        };
        if name.is_hidden() || !is_one_line(name.as_str()) {
            return None;
        }
        size += ": ".len() + name.as_str().len() + value;
    }
    Some(size)
}

/// The bytes of a number in decimals.
fn digits(number: i64) -> usize {
    let digits = number.unsigned_abs().checked_ilog10().map_or(1, |power| power as usize + 1);
    digits + usize::from(number < 0)
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

/// The lines of calls below their header, or the line that says that there was none.
///
/// `calls` are texts of [`tool_call_line`]; `total` counts those made, so that a limit of 0 leaves the header alone.
pub fn tool_calls_section<I>(calls: I, total: usize) -> String
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    if total == 0 {
        return NO_TOOL_CALLS.to_owned();
    }
    let lines = calls.into_iter().map(|call| format!(";   {}", call.as_ref()));
    section(TOOL_CALLS_HEADER, lines).unwrap_or_else(|| TOOL_CALLS_HEADER.to_owned())
}

/// Printed entries below their header, as [`print_text`] shows them; `None` when there are none.
pub fn output_section<I>(prints: I) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let prints: Vec<I::Item> = prints.into_iter().collect();
    section(OUTPUT_HEADER, prints.iter().map(|print| print_text(print.as_ref())))
}
