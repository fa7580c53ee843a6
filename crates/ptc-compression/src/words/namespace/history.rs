//! The sections of what programs did: tool calls and output.

use ptc_lisp::text::{FormatOptions, format_within};
use ptc_lisp::{ToolRecord, Value};

use super::MAX_SAMPLE_CHARS;
use crate::words::apart::{line, print_text};
use crate::words::section::{
    CALL_INDENT, COMMENT, NO_TOOL_CALLS, OUTPUT_BEFORE_ERROR, OUTPUT_HEADER, TOOL_CALLS_HEADER, section,
};

/// Characters of the arguments of a call shown whole.
const MAX_WHOLE_CHARS: usize = 200;

/// A call as `name({:key value})`, its arguments cut and without those whose name starts with `_`. Where the tool
/// declares that it writes, they are shown as [`whole_call_line`] shows them.
pub fn tool_call_line(call: &ToolRecord) -> String {
    if call.declares_write {
        return whole_call_line(call);
    }
    call_line(call, &FormatOptions::tool_args(), MAX_SAMPLE_CHARS)
}

/// A call with all its arguments, at most 200 characters of them, without those whose name starts with `_`: for calls
/// that changed something.
pub fn whole_call_line(call: &ToolRecord) -> String {
    call_line(call, &FormatOptions::full(), MAX_WHOLE_CHARS)
}

fn call_line(call: &ToolRecord, options: &FormatOptions, characters: usize) -> String {
    let args = match &call.surface {
        Value::Nil => "{}".to_owned(),
        args => format_within(args, options, characters).text,
    };
    line(format!("{}({args})", call.name))
}

/// The lines of calls below their header, or the line that says that there were none.
///
/// `calls` are texts of [`tool_call_line`], the newest of `total` that were made; a line below the header counts the
/// others.
pub fn tool_calls_section<I>(calls: I, total: usize) -> String
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    if total == 0 {
        return NO_TOOL_CALLS.to_owned();
    }
    let calls: Vec<I::Item> = calls.into_iter().collect();
    let left_out = total.saturating_sub(calls.len());
    calls_section(calls, left_out)
}

/// Lines of calls below their header; one more counts the calls that they leave out.
pub fn calls_section<I>(lines: I, left_out: usize) -> String
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let left_out = left_out_line(CALL_INDENT, "call", left_out);
    let lines = lines.into_iter().map(|call| format!("{CALL_INDENT}{}", call.as_ref()));
    section(TOOL_CALLS_HEADER, left_out.into_iter().chain(lines)).unwrap_or_else(|| TOOL_CALLS_HEADER.to_owned())
}

/// Printed entries below their header, as [`print_text`] shows them, the newest of `total`; a line below the header
/// counts the others. `None` when nothing was printed.
pub fn output_section<I>(prints: I, total: usize) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    section(OUTPUT_HEADER, output_lines(prints, total))
}

/// Like [`output_section`]; the line that counts the others says where they are, as in `;; (7 earlier prints not shown:
/// (tool/history) has them)`.
pub fn output_section_from<I>(prints: I, total: usize, source: &str) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let section = output_section(prints, total)?;
    Some(section.replacen(" not shown)\n", &format!(" not shown: {source} has them)\n"), 1))
}

/// Printed entries without a header, like [`output_section`].
pub fn printed_lines<I>(prints: I, total: usize) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let lines = output_lines(prints, total).join("\n");
    (!lines.is_empty()).then_some(lines)
}

/// What a failed program printed before its error, below a header, like [`output_section`].
pub fn output_before_error<I>(prints: I, total: usize) -> Option<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    section(OUTPUT_BEFORE_ERROR, output_lines(prints, total))
}

fn output_lines<I>(prints: I, total: usize) -> Vec<String>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let prints: Vec<String> = prints.into_iter().map(|print| print_text(print.as_ref()).into_owned()).collect();
    left_out("print", total.saturating_sub(prints.len())).into_iter().chain(prints).collect()
}

/// The line that counts what a list leaves out, such as `;; (2 earlier turns not shown)`; nothing where all is shown.
pub fn left_out(what: &str, count: usize) -> Option<String> {
    left_out_line(COMMENT, what, count)
}

fn left_out_line(start: &str, what: &str, count: usize) -> Option<String> {
    let plural = if count == 1 { "" } else { "s" };
    (count > 0).then(|| format!("{start}({count} earlier {what}{plural} not shown)"))
}
