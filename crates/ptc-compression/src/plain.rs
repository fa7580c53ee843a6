//! The dialogue without compression: each answer as it came, each outcome as feedback.

use ptc_chat::{Message, Part, Role};
use ptc_lisp::escaped;
use ptc_mission::{STORED_NAMES, SampleLimits, error_text, join_sections, print_text, turn_line, user_section};
use ptc_transcript::Turn;

use crate::closing::note_lines;
use crate::input::RenderInput;

/// What shapes the plain dialogue, fixed for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainOptions {
    /// Work turns of the agent.
    pub max_turns: usize,
    /// Retry turns of the agent.
    pub retry_turns: usize,
    /// Characters shown of all prints of a turn together.
    pub feedback_max_chars: usize,
    /// How much samples in `data/` show.
    pub samples: SampleLimits,
    /// Whether the `tool/` section ends with a line on how to call a tool.
    pub tool_hint: bool,
}

impl PlainOptions {
    /// 512 characters of output, samples of 3 elements and 80 characters, with hint.
    pub fn new(max_turns: usize, retry_turns: usize) -> Self {
        PlainOptions { max_turns, retry_turns, feedback_max_chars: 512, samples: SampleLimits::default(), tool_hint: true }
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
    /// The first message: mission, `tool/`, `data/`, Expected Output, notes, kept definitions and progress, stable as a whole.
    pub fn start(input: &RenderInput<'_>, options: PlainOptions) -> Self {
        let opening = input.opening(options.samples, options.tool_hint);
        let opening = opening.map(|part| part.text).unwrap_or_default();
        let kept = user_section(input.kept, Some(options.samples)).unwrap_or_default();
        let text = join_sections([opening.as_str(), &kept, input.progress].map(Some));
        let text = if text.is_empty() { "(The mission is empty.)".to_owned() } else { text };
        let messages = vec![Message::new(Role::User, [Part::stable(text)])];
        PlainHistory { options, messages, used: 0 }
    }

    /// Append the answer of a turn and the feedback on it; `progress` is the checklist or log to end with, or empty.
    pub fn push(&mut self, turn: &Turn, progress: &str) {
        self.used += 1;
        let answer = match answer_from_program(turn.raw_response()) {
            text if text.trim().is_empty() => "(empty answer)",
            text => text,
        };
        self.messages.push(Message::assistant(answer).repeated());
        self.messages.push(Message::user(self.feedback(turn, progress)).repeated());
    }

    /// User and assistant messages in turn, the first and the last one the user's.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    fn feedback(&self, turn: &Turn, progress: &str) -> String {
        let outcome = match turn.error_message() {
            Some(message) => [Some(format!("Error: {}", error_text(&message))), None],
            None => [self.output(turn), self.stored_names(turn)],
        };
        let [first, second] = outcome;
        let line = turn_line(self.options.max_turns, self.options.retry_turns, self.used);
        let text = join_sections([first, second, note_lines(turn), line, Some(progress.to_owned())]);
        if text.is_empty() { "Nothing was printed.".to_owned() } else { text }
    }

    fn output(&self, turn: &Turn) -> Option<String> {
        let printed = turn.prints().iter().map(|print| print_text(print)).collect::<Vec<_>>().join("\n");
        match printed.char_indices().nth(self.options.feedback_max_chars) {
            Some((end, _)) => {
                let shown = printed.get(..end).unwrap_or_default();
                Some(format!("{shown}\n... (output cut, print less)"))
            }
            None => (!printed.is_empty()).then_some(printed),
        }
    }

    fn stored_names(&self, turn: &Turn) -> Option<String> {
        let mut names: Vec<&str> = turn.memory().entries().iter().map(|entry| entry.name.as_str()).collect();
        names.sort_unstable();
        (!names.is_empty() && self.options.max_turns > 1).then(|| format!("{STORED_NAMES}{}", escaped(&names.join(", "))))
    }
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
