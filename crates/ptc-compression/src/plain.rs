//! The dialogue without compression: each answer as it came, each outcome as feedback.

use crate::words::{STORED_NAMES, SampleLimits, error_text, printed_lines, turn_line, user_section};
use ptc_chat::{Message, Part, Role};
use ptc_lisp::text::escaped;
use ptc_mission::join_sections;
use ptc_transcript::Turn;

use crate::closing::{failed_output, joined, note_lines, stable_message};
use crate::input::RenderInput;
use crate::prints::{Print, PrintBudget, TURN_CHARS};

/// What shapes the plain dialogue, fixed for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainOptions {
    /// Work turns of the agent.
    pub max_turns: usize,
    /// Retry turns of the agent.
    pub retry_turns: usize,
    /// Characters shown of all prints of a turn together.
    pub feedback_max_chars: usize,
    /// The size of samples in `data/`.
    pub samples: SampleLimits,
    /// Whether the `tool/` section ends with a line on how to call a tool.
    pub tool_hint: bool,
}

/// The feedback on a turn with nothing to report.
const NOTHING_PRINTED: &str = "Nothing was printed.";

impl PlainOptions {
    /// 8,000 characters of output, samples of 3 elements and 80 characters, with hint.
    pub fn new(max_turns: usize, retry_turns: usize) -> Self {
        PlainOptions {
            max_turns,
            retry_turns,
            feedback_max_chars: TURN_CHARS,
            samples: SampleLimits::default(),
            tool_hint: true,
        }
    }
}

/// The messages of a run so far. Only grows: each request repeats the one before, which providers can cache.
#[derive(Debug, Clone)]
pub struct PlainHistory {
    options: PlainOptions,
    messages: Vec<Message>,
    used: usize,
}

impl PlainHistory {
    /// The first message: mission, `tool/`, `data/`, Expected Output, notes, kept definitions and progress. It is stable as
    /// a whole; kept definitions, which differ from one run of a conversation to the next, end its stable beginning.
    pub fn start(input: &RenderInput<'_>, options: PlainOptions) -> Self {
        let opening = input.opening(options.samples, options.tool_hint);
        let opening = opening.map(|part| part.text).unwrap_or_default();
        let kept = user_section(input.kept, Some(options.samples)).unwrap_or_default();
        let message = if kept.is_empty() {
            stable_message(join_sections([opening.as_str(), input.progress].map(Some)))
        } else {
            let rest = join_sections([kept.as_str(), input.progress].map(Some));
            Message::new(Role::User, joined([Part::stable(opening), Part::repeated(rest)]))
        };
        PlainHistory { options, messages: vec![message], used: 0 }
    }

    /// Append the answer of a turn and the feedback on it; `progress` is the checklist or log to end with, or empty.
    pub fn push(&mut self, turn: &Turn, progress: &str) {
        self.used += 1;
        let options = &self.options;
        let line = turn_line(options.max_turns, options.retry_turns, self.used);
        let outcome = outcome(turn, options.feedback_max_chars, options.max_turns > 1);
        let feedback = feedback(outcome.into_iter().chain([line, Some(progress.to_owned())]));
        self.messages.push(Message::assistant(answer(turn)).repeated());
        self.messages.push(Message::user(feedback).repeated());
    }

    /// User and assistant messages in turn; the first and the last one are the user's.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }
}

/// The answer of a turn as the dialogue repeats it.
pub(crate) fn answer(turn: &Turn) -> &str {
    or_empty(answer_from_program(turn.raw_response()))
}

/// A message must not be empty.
pub(crate) fn or_empty(answer: &str) -> &str {
    if answer.trim().is_empty() { "(empty answer)" } else { answer }
}

/// The outcome of a turn: output or error, the names of all definitions unless `names` is false, notes.
pub(crate) fn outcome(turn: &Turn, max_chars: usize, names: bool) -> [Option<String>; 3] {
    let [first, second] = match turn.error_message() {
        Some(message) => {
            [failed_output(turn, PrintBudget::of(max_chars)), Some(format!("Error: {}", error_text(&message)))]
        }
        None => [output(turn, max_chars), stored_names(turn).filter(|_| names)],
    };
    [first, second, note_lines(turn)]
}

/// A message of these parts.
pub(crate) fn feedback(parts: impl IntoIterator<Item = Option<String>>) -> String {
    match join_sections(parts) {
        nothing if nothing.is_empty() => NOTHING_PRINTED.to_owned(),
        text => text,
    }
}

fn output(turn: &Turn, max_chars: usize) -> Option<String> {
    printed_lines(PrintBudget::of(max_chars).newest(Print::of(turn)), turn.prints().len())
}

fn stored_names(turn: &Turn) -> Option<String> {
    let mut names: Vec<&str> = turn.memory().entries().iter().map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    (!names.is_empty()).then(|| format!("{STORED_NAMES}{}", escaped(&names.join(", "))))
}

/// An answer from its first block tagged `clojure` or `lisp` to its last closing fence; without such a block all of it.
pub fn answer_from_program(answer: &str) -> &str {
    let Some(program) = tagged_fence(answer).and_then(|start| answer.get(start..)) else {
        return answer;
    };
    const FENCE: &str = "```";
    match program.rfind(FENCE) {
        Some(end) if end > 0 => program.get(..end + FENCE.len()).unwrap_or(program),
        _ => program,
    }
}

/// Where the first fence with one of our tags starts.
fn tagged_fence(answer: &str) -> Option<usize> {
    let is_tagged = |rest: &str| {
        let code = ["clojure", "lisp"].iter().find_map(|tag| rest.strip_prefix(tag));
        code.is_some_and(|code| !code.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_'))
    };
    let fences = answer.match_indices("```");
    let mut tagged = fences.filter(|(start, fence)| answer.get(start + fence.len()..).is_some_and(is_tagged));
    tagged.next().map(|(start, _)| start)
}

#[cfg(test)]
mod tests;
