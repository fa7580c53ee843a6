//! The conversation with a model that answers with JSON or text: the mission with its values, answers, and what was wrong.

use ptc_chat::{Message, Part, Reply, Role};
use ptc_mission::{join_sections, json_example, json_output};
use ptc_signature::Signature;
use ptc_transcript::Turn;

use crate::agent::Definition;

/// Characters of a refused answer that are repeated.
const QUOTED_CHARS: usize = 500;

/// Only grows, so that a provider can cache all that was said before.
pub(super) struct Dialogue {
    messages: Vec<Message>,
    /// Whose type the answer must have, when it is JSON.
    signature: Option<Signature>,
}

impl Dialogue {
    /// The first message: the mission, and the shape of the answer when it is JSON.
    pub fn start(definition: &Definition, mission: &str) -> Dialogue {
        let signature = definition.signature.clone().filter(|_| definition.schema().is_some());
        let expected = signature.as_ref().map(|signature| json_output(signature, &definition.field_descriptions));
        let text = join_sections([Some(mission.to_owned()), expected]);
        let text = if text.is_empty() { "(The mission is empty.)".to_owned() } else { text };
        Dialogue { messages: vec![Message::new(Role::User, [Part::stable(text)])], signature }
    }

    /// The messages so far, the last one the user's.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Append calls that the model asked for, and what the tools said to them.
    pub fn push_uses(&mut self, reply: &Reply, answers: &[String]) {
        let calls = &reply.tool_calls;
        self.messages.push(Message::assistant(reply.content.clone()).with_tool_calls(calls.clone()));
        self.messages.extend(calls.iter().zip(answers).map(|(call, answer)| Message::tool(call.id.as_str(), answer.as_str())));
    }

    /// Append a refused answer and what was wrong with it; an answer that was taken ends the conversation.
    pub fn push(&mut self, turn: &Turn) {
        let Some(problem) = turn.error_message() else { return };
        let answer = turn.raw_response();
        let said = if answer.trim().is_empty() { "(empty answer)" } else { answer };
        self.messages.push(Message::assistant(said));
        let quoted = format!("Your answer was: {}", cut(said));
        let expected = self.signature.as_ref().map(|signature| format!("Answer again, with JSON like this: {}", json_example(signature)));
        self.messages.push(Message::user(join_sections([Some(format!("Error: {problem}")), Some(quoted), expected])));
    }
}

fn cut(answer: &str) -> String {
    match answer.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => format!("{}...", answer.get(..end).unwrap_or_default()),
        None => answer.to_owned(),
    }
}
