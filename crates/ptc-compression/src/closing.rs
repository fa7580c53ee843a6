//! The closing parts of a message: last error, notes, progress and turns indicator.

use ptc_chat::{Message, Part, Role};
use ptc_lisp::ToolRecord;
use ptc_mission::{join_sections, tool_call_line, turns_indicator};
use ptc_transcript::Turn;

use crate::input::RenderInput;

/// Calls named in the note about a failed turn.
const CALLS_IN_NOTE: usize = 5;

/// Error block, notes, progress and turns indicator, those that apply, to be joined with blank lines.
pub fn closing_parts(last: Option<&Turn>, input: &RenderInput<'_>) -> [Option<String>; 4] {
    [
        last.and_then(error_block),
        last.and_then(note_lines),
        (!input.progress.is_empty()).then(|| input.progress.to_owned()),
        Some(turns_indicator(input.turns_left)),
    ]
}

/// Program and error of a failed turn between two rules; nothing for a successful one.
pub fn error_block(turn: &Turn) -> Option<String> {
    let message = turn.error_message()?;
    let program = turn.program().unwrap_or("(unknown program)");
    Some(format!("---\nYour previous attempt:\n```clojure\n{program}\n```\n\nError: {message}\n---"))
}

/// The `;; Note:` lines of a turn: calls that ran before its error, then its warnings.
pub fn note_lines(turn: &Turn) -> Option<String> {
    let warnings = turn
        .warnings()
        .iter()
        .map(|warning| format!(";; Note: {} (line {}, column {})", one_line(&warning.message), warning.line, warning.column));
    let lines: Vec<String> = calls_before_error(turn).into_iter().chain(warnings).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Names the calls that took effect although their turn failed, so that they are not repeated.
fn calls_before_error(turn: &Turn) -> Option<String> {
    if turn.is_success() {
        return None;
    }
    let ran: Vec<&ToolRecord> = turn.tool_calls().iter().filter(|call| call.error.is_none()).collect();
    let earlier = ran.len().saturating_sub(CALLS_IN_NOTE);
    let named: Vec<String> = ran.iter().skip(earlier).map(|call| tool_call_line(call)).collect();
    let more = if earlier > 0 { format!(" (and {earlier} earlier)") } else { String::new() };
    (!named.is_empty()).then(|| format!(";; Note: before the error these calls ran: {}{more}", named.join(", ")))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A user message of the stable opening and the parts behind it.
pub(crate) fn user_message(opening: Option<Part>, parts: impl IntoIterator<Item = Option<String>>) -> Message {
    let rest = Part::changing(join_sections(parts));
    Message::new(Role::User, joined(opening.into_iter().chain([rest])))
}

/// The parts that are not empty, a blank line between them.
pub(crate) fn joined(parts: impl IntoIterator<Item = Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.text.is_empty()) {
        let text = if joined.is_empty() { part.text } else { format!("\n\n{}", part.text) };
        joined.push(Part { text, ..part });
    }
    joined
}

/// A first message without mission, tools, data and history says that there is no mission.
pub(crate) fn keep_first_filled(messages: &mut [Message]) {
    if let Some(first) = messages.first_mut().filter(|first| first.parts.is_empty()) {
        *first = Message::new(first.role, [Part::stable("(The mission is empty.)")]);
    }
}
