//! The closing parts of a message: last error, notes, progress and turns indicator.

use std::collections::VecDeque;

use ptc_chat::{Message, Part, Role};
use ptc_lisp::{ToolRecord, one_line, shortened};
use ptc_mission::{PREVIOUS_ATTEMPT, RULE, error_text, fenced_program, join_sections, tool_call_line, turns_indicator};
use ptc_transcript::Turn;

use crate::input::RenderInput;

/// Calls named in the note about a failed turn, and in the one about those before it.
const CALLS_IN_NOTE: usize = 5;

/// Characters of a call in the note about earlier turns, which stands there until the run ends.
const EARLIER_CALL_CHARS: usize = 200;

/// Error block, notes, progress and turns indicator, those that apply, to be joined with blank lines. Cost: linear in the turns.
pub fn closing_parts(turns: &[Turn], input: &RenderInput<'_>) -> [Option<String>; 4] {
    let mut ending = Ending::default();
    for turn in turns {
        ending.push(turn);
    }
    ending.closing_parts(input)
}

/// What the closing parts say of the turns so far.
#[derive(Clone, Default)]
pub(crate) struct Ending {
    last: Option<Turn>,
    /// Calls that took effect in failed turns before the last one, as they are named, and how often: the newest of them.
    lost: VecDeque<(String, usize)>,
    /// How many there were before those.
    lost_earlier: usize,
}

impl Ending {
    /// Take note of the next turn; the one before it, when there was one.
    pub fn push(&mut self, turn: &Turn) -> Option<Turn> {
        let before = self.last.replace(turn.clone());
        before.iter().flat_map(effects_before_error).for_each(|call| self.lose(call));
        before
    }

    /// Take note of a call. One that is made again and again does not push out others.
    fn lose(&mut self, call: &ToolRecord) {
        let line = shortened(&tool_call_line(call), EARLIER_CALL_CHARS).into_owned();
        let known = self.lost.iter().position(|(known, _)| *known == line).and_then(|place| self.lost.remove(place));
        self.lost.push_back((line, known.map_or(1, |(_, times)| times + 1)));
        if self.lost.len() > CALLS_IN_NOTE {
            self.lost_earlier += self.lost.pop_front().map_or(0, |(_, times)| times);
        }
    }

    /// The turn before the coming one.
    pub fn last(&self) -> Option<&Turn> {
        self.last.as_ref()
    }

    pub fn closing_parts(&self, input: &RenderInput<'_>) -> [Option<String>; 4] {
        [
            self.last().and_then(error_block),
            self.notes(),
            (!input.progress.is_empty()).then(|| input.progress.to_owned()),
            Some(turns_indicator(input.turns_left)),
        ]
    }

    /// The notes on the last turn, behind one on what earlier turns did that failed: nothing else shows it.
    pub fn notes(&self) -> Option<String> {
        let calls = self.lost.iter().map(|(line, times)| match times {
            1 => line.clone(),
            times => format!("{line} ({times} times)"),
        });
        let lost = named(calls.collect(), self.lost_earlier)
            .map(|calls| format!(";; Note: in earlier turns that failed these calls ran: {calls}"));
        let lines: Vec<String> = lost.into_iter().chain(self.last().and_then(note_lines)).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Program and error of a failed turn between two rules; nothing for a successful one.
pub fn error_block(turn: &Turn) -> Option<String> {
    let message = turn.error_message()?;
    let program = turn.program().unwrap_or("(unknown program)");
    Some(format!("{RULE}\n{PREVIOUS_ATTEMPT}\n{}\n\nError: {}\n{RULE}", fenced_program(program), error_text(&message)))
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
    let ran: Vec<&ToolRecord> = effects_before_error(turn).collect();
    let earlier = ran.len().saturating_sub(CALLS_IN_NOTE);
    let calls = named(ran.iter().skip(earlier).map(|call| tool_call_line(call)).collect(), earlier);
    calls.map(|calls| format!(";; Note: before the error these calls ran: {calls}"))
}

/// The calls of a failed turn that took effect.
fn effects_before_error(turn: &Turn) -> impl Iterator<Item = &ToolRecord> {
    let calls = if turn.is_success() { &[] } else { turn.tool_calls() };
    calls.iter().filter(|call| call.error.is_none())
}

/// The newest calls, and how many there were before them; nothing without calls.
fn named(calls: Vec<String>, earlier: usize) -> Option<String> {
    let more = if earlier > 0 { format!(" (and {earlier} earlier)") } else { String::new() };
    (!calls.is_empty()).then(|| calls.join(", ") + &more)
}

/// A user message of the stable opening and the parts behind it.
pub(crate) fn user_message<S: AsRef<str>>(opening: Option<Part>, parts: impl IntoIterator<Item = Option<S>>) -> Message {
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
