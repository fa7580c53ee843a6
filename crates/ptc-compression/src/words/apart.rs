//! Foreign text on separate lines: prints, errors of several lines, programs. None of its lines may pass for one of
//! ours, so a line that begins like ours gets a space before it.

use std::borrow::Cow;

use ptc_lisp::text::{escaped, escaped_lines, is_invisible, printed};

use ptc_mission::EXPECTED_OUTPUT_HEADER;

use crate::words::section::{
    CALL_INDENT, COMMENT, DEFINED_HEADER, INDEX_OF_TOOLS, NO_TOOL_CALLS, OUTPUT_BEFORE_ERROR, OUTPUT_HEADER,
    PREVIOUS_ATTEMPT, PROGRESS_HEADER, RULE, SHARED_BEGINNING, SHORTENED, STORED_NAMES, TASKS_HEADER,
    TOOL_CALLS_HEADER, UNKNOWN_RESULTS,
};
use crate::words::turn_line::{FINAL_RETRY, RETRIES_LEFT, TURNS_LEFT};

/// The beginnings of lines of ours, besides comments, the rule and the line that counts turns.
const HEADS: [&str; 16] = [
    "Error: ",
    TURNS_LEFT,
    RETRIES_LEFT,
    "FINAL TURN",
    FINAL_RETRY,
    PREVIOUS_ATTEMPT,
    OUTPUT_BEFORE_ERROR,
    STORED_NAMES,
    EXPECTED_OUTPUT_HEADER,
    PROGRESS_HEADER,
    TASKS_HEADER,
    "Outside the plan",
    "```clojure",
    "Return: ",
    "Your answer was: ",
    "Answer again, ",
];

/// The beginnings of comments of ours. Programs have comments, too, which stay as they are.
const COMMENTS: [&str; 16] = [
    ";; === ",
    CALL_INDENT,
    TOOL_CALLS_HEADER,
    ";; Tool calls: ",
    NO_TOOL_CALLS,
    OUTPUT_HEADER,
    ";; Turn ",
    DEFINED_HEADER,
    ";; Note: ",
    ";; Last error: ",
    ";; Since then, ",
    ";; call with named arguments",
    SHARED_BEGINNING,
    SHORTENED,
    UNKNOWN_RESULTS,
    INDEX_OF_TOOLS,
];

/// A printed entry as shown: unchanged but without control characters, and with no line like one of ours. Cost: linear.
///
/// ```
/// assert_eq!(ptc_compression::words::print_text("kept 3\n;; === tool/ ===\n\u{1b}[2Jx"), "kept 3\n ;; === tool/ ===\n[2Jx");
/// ```
pub fn print_text(print: &str) -> Cow<'_, str> {
    match printed(print) {
        Cow::Borrowed(shown) => apart(shown, is_ours),
        Cow::Owned(shown) => Cow::Owned(apart(&shown, is_ours).into_owned()),
    }
}

/// What follows `Error: `: the lines of the message without control characters, none of them like one of ours. Messages
/// are ours with foreign pieces, which are one line each; this holds for every source of messages.
pub fn error_text(message: &str) -> String {
    let shown = escaped_lines(message);
    match shown.split_once('\n') {
        None => shown.into_owned(),
        Some((first, rest)) => format!("{first}\n{}", apart(rest, is_ours)),
    }
}

/// A program in a fence. Control characters are escaped, with the same meaning in a string, and nothing in the program
/// ends the fence.
///
/// ```
/// assert_eq!(ptc_compression::words::fenced_program("(f \"\n```\n\")"), "```clojure\n(f \"\n ```\n\")\n```");
/// ```
pub fn fenced_program(program: &str) -> String {
    format!("```clojure\n{}\n```", apart(&escaped_lines(program), is_ours_in_a_program))
}

/// One line of ours with foreign pieces: escaped as a whole, and distinct from lines with another meaning.
pub(crate) fn line(text: String) -> String {
    let line = match escaped(&text) {
        Cow::Owned(escaped) => escaped,
        Cow::Borrowed(_) => text,
    };
    if is_ours(&line) { format!(" {line}") } else { line }
}

/// The text with a space before each line that is `ours`.
fn apart(text: &str, ours: fn(&str) -> bool) -> Cow<'_, str> {
    if !text.split('\n').any(ours) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (place, line) in text.split('\n').enumerate() {
        if place > 0 {
            shown.push('\n');
        }
        if ours(line) {
            shown.push(' ');
        }
        shown.push_str(line);
    }
    Cow::Owned(shown)
}

/// Whether a line begins like one of ours, for a reader who does not see invisible characters.
fn is_ours(line: &str) -> bool {
    let line = &*visible(line);
    line.starts_with(COMMENT) || line.starts_with(CALL_INDENT) || has_head(line)
}

fn is_ours_in_a_program(line: &str) -> bool {
    let line = &*visible(line);
    line.starts_with("```")
        || COMMENTS.iter().any(|head| line.starts_with(head))
        || counts_left_out(line)
        || has_head(line)
}

/// The line as a reader sees it.
fn visible(line: &str) -> Cow<'_, str> {
    if line.is_ascii() || !line.contains(is_invisible) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.chars().filter(|c| !is_invisible(*c)).collect())
}

fn has_head(line: &str) -> bool {
    HEADS.iter().any(|head| line.starts_with(head)) || line.trim_end() == RULE || counts_turns(line)
}

/// `;; (7 earlier prints not shown)`
fn counts_left_out(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(";; (") else { return false };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < rest.len() && after.starts_with(" earlier ")
}

/// `Turn 2 of 5 (4 remaining)`, `Turn 6: retry 1 of 2 (2 retries remaining)`
fn counts_turns(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("Turn ") else { return false };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < rest.len() && [" of ", " (", ": retry "].iter().any(|next| after.starts_with(next))
}

#[cfg(test)]
mod tests;
