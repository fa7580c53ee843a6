//! The closing parts of a message: last error, notes, progress and turns indicator.

use crate::words::{
    CALL_INDENT, PREVIOUS_ATTEMPT, RULE, error_text, fenced_program, output_before_error, section, tool_call_line,
    turns_indicator, whole_call_line,
};
use indexmap::IndexMap;
use ptc_chat::{Message, Part, Role};
use ptc_lisp::ToolRecord;
use ptc_lisp::text::{escaped, one_line, shortened};
use ptc_mission::join_sections;
use ptc_transcript::Turn;

use crate::input::RenderInput;
use crate::prints::{Print, PrintBudget};

/// Calls named in the note on what ran before an error.
const CALLS_IN_NOTE: usize = 5;

/// Characters of the error of a call that may have taken effect.
const ERROR_CHARS: usize = 100;

/// Replaces a mission without text.
const NO_MISSION: &str = "(The mission is empty.)";

/// First line of the list of calls that may have taken effect although they failed.
const UNKNOWN_NOTE: &str = ";; Note: these calls failed and may have taken effect:";

/// First line of the list of calls that took effect although their program failed.
const EFFECTS_NOTE: &str = ";; Note: these calls of failed programs took effect:";

/// Error block, notes, progress and turns indicator, those that apply, for joining with blank lines. Cost: linear in
/// the turns.
pub fn closing_parts(turns: &[Turn], input: &RenderInput<'_>) -> [Option<String>; 4] {
    let mut ending = Ending::default();
    for turn in turns {
        ending.push(turn);
    }
    ending.closing_parts(input, usize::MAX)
}

/// What the closing parts say about the turns so far.
#[derive(Clone, Default)]
pub(crate) struct Ending {
    last: Option<Turn>,
    effects: Effects,
    unknown: Unknown,
    /// How much is shown of what the last turn printed before it failed, if not as usual.
    before_error: Option<PrintBudget>,
}

impl Ending {
    /// For a view that shows this much of what the turn just run printed.
    pub fn showing(before_error: PrintBudget) -> Ending {
        Ending { before_error: Some(before_error), ..Ending::default() }
    }

    /// Add the next turn; returns the one before it, when there was one.
    pub fn push(&mut self, turn: &Turn) -> Option<Turn> {
        self.effects.push(turn);
        self.unknown.push(turn);
        self.last.replace(turn.clone())
    }

    /// The latest turn.
    pub fn last(&self) -> Option<&Turn> {
        self.last.as_ref()
    }

    /// Whether calls of failed programs took effect.
    pub fn has_effects(&self) -> bool {
        !self.effects.calls.0.is_empty()
    }

    /// The calls of successful programs whose outcome is unknown.
    pub fn unknown_note(&self) -> Option<String> {
        self.unknown.note()
    }

    /// The parts with at most `prints` entries of the last turn shown.
    pub fn closing_parts(&self, input: &RenderInput<'_>, prints: usize) -> [Option<String>; 4] {
        let budget = self.before_error.unwrap_or(PrintBudget::BEFORE_ERROR);
        [
            self.last().and_then(|turn| error_block_within(turn, budget)),
            self.notes(prints),
            (!input.progress.is_empty()).then(|| input.progress.to_owned()),
            Some(turns_indicator(input.turns_left, input.retries_left)),
        ]
    }

    /// What failed programs did, then the notes on the last turn, with at most `prints` of its entries shown.
    pub fn notes(&self, prints: usize) -> Option<String> {
        lines(self.effects_note().into_iter().chain(self.notes_on_last(prints)))
    }

    /// What failed programs did.
    pub fn effects_note(&self) -> Option<String> {
        self.effects.note()
    }

    /// The notes on the last turn, with at most `prints` of its entries shown.
    pub fn notes_on_last(&self, prints: usize) -> Option<String> {
        lines(self.last().into_iter().flat_map(|turn| warnings(turn).chain(printed_too_much(turn, prints))))
    }
}

/// Calls of failed programs that took effect: all of them, because nothing else shows them.
#[derive(Clone, Default)]
struct Effects {
    calls: CountedCalls,
}

impl Effects {
    fn push(&mut self, turn: &Turn) {
        let calls = if turn.is_success() { &[] } else { turn.tool_calls() };
        calls.iter().filter(|call| call.took_effect()).for_each(|call| self.calls.push(call));
    }

    fn note(&self) -> Option<String> {
        self.calls.note(EFFECTS_NOTE)
    }
}

/// Calls of successful programs that may have taken effect although they failed, for views that do not list calls with
/// their errors.
#[derive(Clone, Default)]
struct Unknown {
    calls: CountedCalls,
}

impl Unknown {
    fn push(&mut self, turn: &Turn) {
        let calls = if turn.is_success() { turn.tool_calls() } else { &[] };
        calls.iter().filter(|call| call.may_have_run).for_each(|call| self.calls.push(call));
    }

    fn note(&self) -> Option<String> {
        self.calls.note(UNKNOWN_NOTE)
    }
}

/// Calls as listed, and how often each occurred.
#[derive(Clone, Default)]
struct CountedCalls(IndexMap<String, usize>);

impl CountedCalls {
    fn push(&mut self, call: &ToolRecord) {
        let error =
            call.error.as_deref().map(|error| format!(" (perhaps done: {})", escaped(&shortened(error, ERROR_CHARS))));
        *self.0.entry(whole_call_line(call) + &error.unwrap_or_default()).or_default() += 1;
    }

    fn note(&self, header: &str) -> Option<String> {
        let calls = self.0.iter().map(|(line, times)| match times {
            1 => format!("{CALL_INDENT}{line}"),
            times => format!("{CALL_INDENT}{line} ({times} times)"),
        });
        section(header, calls)
    }
}

/// Program, output and error of a failed turn between two rules; nothing for a successful one.
pub fn error_block(turn: &Turn) -> Option<String> {
    error_block_within(turn, PrintBudget::BEFORE_ERROR)
}

/// The same with this much of what the program printed.
fn error_block_within(turn: &Turn, budget: PrintBudget) -> Option<String> {
    let message = turn.error_message()?;
    let program = fenced_program(turn.program().unwrap_or("(unknown program)"));
    let attempt = format!("{PREVIOUS_ATTEMPT}\n{program}");
    let parts =
        join_sections([Some(attempt), failed_output(turn, budget), Some(format!("Error: {}", error_text(&message)))]);
    Some(format!("{RULE}\n{parts}\n{RULE}"))
}

/// What a failed program printed, its newest entries.
pub(crate) fn failed_output(turn: &Turn, budget: PrintBudget) -> Option<String> {
    output_before_error(budget.newest(Print::of(turn)), turn.prints().len())
}

/// The calls of a failed program that took effect, below their note.
pub(crate) fn effects_of(turn: &Turn) -> Option<String> {
    let mut effects = Effects::default();
    effects.push(turn);
    effects.note()
}

/// The `;; Note:` lines of a turn: what ran and took effect before its error, or may have although its program caught
/// the error; then its warnings.
pub fn note_lines(turn: &Turn) -> Option<String> {
    let effects = effects_of(turn).or_else(|| may_have_run(turn));
    lines(calls_before_error(turn).into_iter().chain(effects).chain(warnings(turn)))
}

/// The calls of a successful program whose outcome is unknown, below their note.
fn may_have_run(turn: &Turn) -> Option<String> {
    let mut unknown = Unknown::default();
    unknown.push(turn);
    unknown.note()
}

fn warnings(turn: &Turn) -> impl Iterator<Item = String> {
    let warnings = turn.warnings().iter();
    warnings.map(|warning| {
        format!(";; Note: {} (line {}, column {})", one_line(&warning.message), warning.line, warning.column)
    })
}

/// Advice for a turn that printed more entries than are shown.
fn printed_too_much(turn: &Turn, limit: usize) -> Option<String> {
    let printed = turn.prints().len();
    (turn.is_success() && 0 < limit && limit < printed).then(|| {
        format!(
            ";; Note: of {printed} printed entries the newest {limit} are shown; print one joined text: (println (str/join \"\\n\" lines))"
        )
    })
}

/// Names the newest calls that ran although their turn failed.
fn calls_before_error(turn: &Turn) -> Option<String> {
    let calls = if turn.is_success() { &[] } else { turn.tool_calls() };
    let ran: Vec<&ToolRecord> = calls.iter().filter(|call| call.error.is_none()).collect();
    let earlier = ran.len().saturating_sub(CALLS_IN_NOTE);
    let newest: Vec<String> = ran.iter().skip(earlier).map(|call| tool_call_line(call)).collect();
    let more = if earlier > 0 { format!(" (and {earlier} earlier)") } else { String::new() };
    (!newest.is_empty()).then(|| format!(";; Note: before the error these calls ran: {}{more}", newest.join(", ")))
}

fn lines(lines: impl Iterator<Item = String>) -> Option<String> {
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A user message of the stable opening and the parts after it.
pub(crate) fn user_message<S: AsRef<str>>(
    opening: Option<Part>,
    parts: impl IntoIterator<Item = Option<S>>,
) -> Message {
    let rest = Part::changing(join_sections(parts));
    Message::new(Role::User, joined(opening.into_iter().chain([rest])))
}

/// A message of this text, which every request of the run begins with.
pub(crate) fn stable_message(text: String) -> Message {
    let text = if text.is_empty() { NO_MISSION.to_owned() } else { text };
    Message::new(Role::User, [Part::stable(text)])
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
        *first = stable_message(String::new());
    }
}

/// The message with one more part after a blank line.
pub(crate) fn extended(message: &Message, part: Part) -> Message {
    let part = if message.parts.is_empty() { part } else { Part { text: format!("\n\n{}", part.text), ..part } };
    Message::new(message.role, message.parts.iter().cloned().chain([part]).collect::<Vec<_>>())
}
