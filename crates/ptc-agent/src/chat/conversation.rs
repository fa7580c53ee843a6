//! What was said before a later text of the user, for agents that write programs.

use ptc_lisp::{FormatOptions, Value, format_with, shortened_counted};
use ptc_transcript::Step;

/// Characters shown of an answer.
const MAX_ANSWER: usize = 500;

/// What precedes the conversation. Everything is only appended, so that the text before it stays cached.
const OPENING: &str = "The mission above is done, and the user has said more since. What earlier programs defined is still \
                       there. Do now what the user said last.";

/// A conversation with an agent that writes programs: the user's later texts, each with the answer before it.
///
/// What [`say`](Conversation::say) returns is the `follow_up` of a run that continues from the step.
#[derive(Debug, Clone)]
pub struct Conversation(String);

impl Default for Conversation {
    fn default() -> Self {
        Conversation(OPENING.to_owned())
    }
}

impl Conversation {
    /// The user says `text` after this step; returns all of the conversation. An answer is shown up to 500 characters.
    pub fn say(&mut self, step: &Step, text: &str) -> &str {
        let answer = step.return_value().map(|answer| shown(answer, step)).unwrap_or_default();
        self.0.push_str(&format!("\n\nYou returned: {answer}\n\nThe user: {}", text.trim()));
        &self.0
    }
}

/// An answer as the model reads it: a text as it is, anything else as programs write it, without hidden entries.
fn shown(answer: &Value, step: &Step) -> String {
    let whole = || format_with(answer, &FormatOptions::full(), step.memory.shown_names()).text;
    let text = answer.as_str().map_or_else(whole, str::to_owned);
    shortened_counted(&text, MAX_ANSWER).into_owned()
}
