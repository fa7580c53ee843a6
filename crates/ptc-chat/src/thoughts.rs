//! Thoughts that a model writes into its answer, between marks such as `<think>` and `</think>`.

#[cfg(test)]
mod tests;

/// How a family of models marks thoughts in its answers. Letters match in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThoughtMarks {
    /// What begins them.
    pub opening: &'static str,
    /// What ends them.
    pub closing: &'static str,
    /// Whether they are thoughts in any answer; others are only where a program is expected, since a text may well have
    /// an element `<analysis>`.
    pub in_any_answer: bool,
}

impl ThoughtMarks {
    /// All known marks.
    pub const ALL: [ThoughtMarks; 15] = [
        marks("<think>", "</think>", true),
        marks("<thinking>", "</thinking>", true),
        marks("<antthinking>", "</antthinking>", true),
        marks("<thought>", "</thought>", true),
        marks("<thoughts>", "</thoughts>", true),
        marks("<reasoning>", "</reasoning>", false),
        marks("<reflection>", "</reflection>", false),
        marks("<analysis>", "</analysis>", false),
        marks("<scratchpad>", "</scratchpad>", false),
        marks("<seed:think>", "</seed:think>", true),
        marks("[think]", "[/think]", true),
        marks("◁think▷", "◁/think▷", true),
        marks("<|begin_of_thought|>", "<|end_of_thought|>", true),
        marks("<|start_thinking|>", "<|end_thinking|>", true),
        marks("<|channel|>analysis<|message|>", "<|end|>", true),
    ];

    /// The marks that `text` begins with.
    pub fn opened_by(text: &str) -> Option<ThoughtMarks> {
        ThoughtMarks::ALL.into_iter().find(|marks| starts_with(text, marks.opening))
    }

    /// The marks that `text` closes with its first characters.
    pub fn closed_by(text: &str) -> Option<ThoughtMarks> {
        ThoughtMarks::ALL.into_iter().find(|marks| starts_with(text, marks.closing))
    }
}

const fn marks(opening: &'static str, closing: &'static str, in_any_answer: bool) -> ThoughtMarks {
    ThoughtMarks { opening, closing, in_any_answer }
}

fn starts_with(text: &str, mark: &str) -> bool {
    text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark))
}

/// Removes the thoughts from the start of an answer that arrives in pieces.
///
/// Only thoughts before everything else are thoughts: a program may well hold the same words in a string.
#[derive(Debug, Default)]
pub struct ThoughtSplitter {
    state: State,
    /// Text that may still turn out to be thoughts.
    held: String,
}

#[derive(Debug, Default)]
enum State {
    /// Nothing but spaces or a part of the opening so far.
    #[default]
    Start,
    /// Until this mark.
    Thinking(&'static str),
    /// Thoughts are complete; spaces before the answer are dropped.
    Between(String),
    Answer(Option<String>),
}

/// An answer and the thoughts before it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SplitAnswer {
    /// The text after the thoughts.
    pub answer: String,
    /// The thoughts, trimmed; `None` when there are none.
    pub thoughts: Option<String>,
}

impl ThoughtSplitter {
    /// Add a piece; returns the part of the answer that is now certain.
    pub fn push(&mut self, piece: &str) -> String {
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
    pub fn finish(self) -> SplitAnswer {
        match self.state {
            State::Start => SplitAnswer { answer: self.held, thoughts: None },
            State::Thinking(_) => SplitAnswer { answer: String::new(), thoughts: told(&self.held) },
            State::Between(thoughts) => SplitAnswer { answer: String::new(), thoughts: told(&thoughts) },
            State::Answer(thoughts) => SplitAnswer { answer: self.held, thoughts: thoughts.as_deref().and_then(told) },
        }
    }

    /// One change of state and the answer that it makes certain; `None` when more text is needed. The first `seen`
    /// bytes of what is held were searched before.
    fn step(&mut self, seen: usize) -> Option<String> {
        match std::mem::take(&mut self.state) {
            State::Start => self.start(),
            State::Thinking(closing) => self.think(closing, seen),
            State::Between(thoughts) => self.skip_blanks(thoughts),
            State::Answer(thoughts) => {
                self.state = State::Answer(thoughts);
                Some(std::mem::take(&mut self.held))
            }
        }
    }

    fn start(&mut self) -> Option<String> {
        let text = self.held.trim_start();
        let marks = || ThoughtMarks::ALL.into_iter().filter(|marks| marks.in_any_answer);
        if let Some(marks) = marks().find(|marks| starts_with(text, marks.opening)) {
            self.held = text.get(marks.opening.len()..).unwrap_or_default().to_owned();
            self.state = State::Thinking(marks.closing);
            return Some(String::new());
        }
        if marks().any(|marks| starts_with(marks.opening, text)) {
            return None;
        }
        self.state = State::Answer(None);
        Some(std::mem::take(&mut self.held))
    }

    fn think(&mut self, closing: &'static str, seen: usize) -> Option<String> {
        // The closing mark may have started in an earlier piece.
        let from = self.held.floor_char_boundary(seen.saturating_sub(closing.len()));
        let found = self.held.get(from..).and_then(|tail| find(tail, closing)).map(|at| from + at);
        let Some((thoughts, rest)) = found.and_then(|at| self.held.split_at_checked(at)) else {
            self.state = State::Thinking(closing);
            return None;
        };
        let rest = rest.get(closing.len()..).unwrap_or_default().to_owned();
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

/// Where `mark` begins, in either case.
fn find(text: &str, mark: &str) -> Option<usize> {
    let first = mark.chars().next()?;
    text.match_indices(first).map(|(at, _)| at).find(|at| text.get(*at..).is_some_and(|rest| starts_with(rest, mark)))
}

/// The same for a complete answer.
pub fn split_thoughts(content: &str) -> SplitAnswer {
    let mut splitter = ThoughtSplitter::default();
    let answer = splitter.push(content);
    let last = splitter.finish();
    SplitAnswer { answer: answer + &last.answer, thoughts: last.thoughts }
}

fn told(thoughts: &str) -> Option<String> {
    Some(thoughts.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}
