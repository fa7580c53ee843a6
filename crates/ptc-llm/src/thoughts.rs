//! Thoughts that a model writes into its answer, between `<think>` and `</think>`.

#[cfg(test)]
mod tests;

const OPENING: &str = "<think>";
const CLOSING: &str = "</think>";

/// Removes the thoughts from the start of an answer that arrives in pieces.
///
/// Only thoughts before everything else are thoughts: a program may well hold the same words in a string.
#[derive(Debug, Default)]
pub(crate) struct ThoughtSplitter {
    state: State,
    /// Text that may still turn out to be thoughts.
    held: String,
}

#[derive(Debug, Default)]
enum State {
    /// Nothing but spaces or a part of the opening so far.
    #[default]
    Start,
    Thinking,
    /// Thoughts are complete; spaces before the answer are dropped.
    Between(String),
    Answer(Option<String>),
}

/// An answer and the thoughts before it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) answer: String,
    pub(crate) thoughts: Option<String>,
}

impl ThoughtSplitter {
    /// Add a piece; returns the part of the answer that is now certain.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        let mut seen = self.held.len();
        self.held.push_str(piece);
        let mut certain = String::new();
        while let Some(text) = self.step(seen) {
            certain.push_str(&text);
            seen = 0;
            if self.held.is_empty() {
                break;
            }
        }
        certain
    }

    /// The text held back until the end, and all thoughts.
    pub(crate) fn finish(self) -> Split {
        match self.state {
            State::Start => Split { answer: self.held, thoughts: None },
            State::Thinking => Split { answer: String::new(), thoughts: told(&self.held) },
            State::Between(thoughts) => Split { answer: String::new(), thoughts: told(&thoughts) },
            State::Answer(thoughts) => Split { answer: self.held, thoughts: thoughts.as_deref().and_then(told) },
        }
    }

    /// One change of state and the answer that it makes certain; `None` when more text is needed. The first `seen`
    /// bytes of what is held were searched before.
    fn step(&mut self, seen: usize) -> Option<String> {
        match std::mem::take(&mut self.state) {
            State::Start => self.start(),
            State::Thinking => self.think(seen),
            State::Between(thoughts) => self.skip_blanks(thoughts),
            State::Answer(thoughts) => {
                self.state = State::Answer(thoughts);
                Some(std::mem::take(&mut self.held))
            }
        }
    }

    fn start(&mut self) -> Option<String> {
        let text = self.held.trim_start();
        if let Some(rest) = text.strip_prefix(OPENING) {
            self.held = rest.to_owned();
            self.state = State::Thinking;
            return Some(String::new());
        }
        if OPENING.starts_with(text) {
            return None;
        }
        self.state = State::Answer(None);
        Some(std::mem::take(&mut self.held))
    }

    fn think(&mut self, seen: usize) -> Option<String> {
        // The closing tag may have started in an earlier piece.
        let from = self.held.floor_char_boundary(seen.saturating_sub(CLOSING.len()));
        let found = self.held.get(from..).and_then(|tail| tail.find(CLOSING)).map(|at| from + at);
        let Some((thoughts, rest)) = found.and_then(|at| self.held.split_at_checked(at)) else {
            self.state = State::Thinking;
            return None;
        };
        let rest = rest.strip_prefix(CLOSING).unwrap_or(rest).to_owned();
        self.state = State::Between(thoughts.to_owned());
        self.held = rest;
        Some(String::new())
    }

    fn skip_blanks(&mut self, thoughts: String) -> Option<String> {
        let text = self.held.trim_start().to_owned();
        self.held.clear();
        if text.is_empty() {
            self.state = State::Between(thoughts);
            return None;
        }
        self.state = State::Answer(Some(thoughts));
        Some(text)
    }
}

/// The same for a complete answer.
pub(crate) fn split(content: &str) -> Split {
    let mut splitter = ThoughtSplitter::default();
    let answer = splitter.push(content);
    let last = splitter.finish();
    Split { answer: answer + &last.answer, thoughts: last.thoughts }
}

fn told(thoughts: &str) -> Option<String> {
    Some(thoughts.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}
