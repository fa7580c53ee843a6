//! A turn as the plain dialogue has it.

use ptc_chat::Message;
use ptc_transcript::Turn;

use crate::plain::{answer, feedback, outcome};
use crate::prints::{Print, PrintBudget, TURN_CHARS};

/// Bytes that the format of two messages costs, about.
const TWO_MESSAGES: usize = 32;

/// An answer and the feedback on it.
pub(super) struct Exchange {
    answer: String,
    feedback: String,
    pub is_success: bool,
    /// Calls and printed entries of a successful turn.
    pub calls: usize,
    pub prints: usize,
}

impl Exchange {
    /// `listed` is a section of definitions, if some must be listed again.
    pub fn new(turn: &Turn, listed: Option<String>) -> Exchange {
        let [output, names, notes] = outcome(turn, TURN_CHARS, true);
        let is_success = turn.is_success();
        let prints = || PrintBudget::of(TURN_CHARS).newest(Print::of(turn)).len();
        Exchange {
            answer: answer(turn).to_owned(),
            feedback: feedback([output, names, listed, notes]),
            is_success,
            calls: if is_success { turn.tool_calls().len() } else { 0 },
            prints: if is_success { prints() } else { 0 },
        }
    }

    pub fn characters(&self) -> usize {
        self.answer.chars().count() + self.feedback.chars().count()
    }

    pub fn bytes(&self) -> usize {
        self.answer.len() + self.feedback.len() + TWO_MESSAGES
    }

    pub fn messages(&self) -> [Message; 2] {
        [Message::assistant(self.answer.clone()), Message::user(self.feedback.clone())].map(Message::repeated)
    }
}
