//! The sections of what programs did: tool calls and output.

use ptc_lisp::{FormatOptions, ToolRecord, Value, format_within};

use super::MAX_SAMPLE_CHARS;
use crate::section::{NO_TOOL_CALLS, OUTPUT_HEADER, TOOL_CALLS_HEADER, section};

/// A call as `name({:key value})`, its arguments cut and without those whose name starts with `_`.
pub fn tool_call_line(call: &ToolRecord) -> String {
    let args = match &call.surface {
        Value::Nil => "{}".to_owned(),
        args => format_within(args, &FormatOptions::tool_args(), MAX_SAMPLE_CHARS).text,
    };
    format!("{}({args})", call.name)
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

/// Printed entries as they are below their header; `None` when there are none.
pub fn output_section<I>(prints: I) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    section(OUTPUT_HEADER, prints)
}
