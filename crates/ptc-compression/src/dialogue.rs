//! The conversation with a model that answers with JSON or text: the mission with its values, answers, and what was
//! wrong.

use crate::words::error_text;
use ptc_chat::{Message, Reply};
use ptc_lisp::signature::Signature;
use ptc_lisp::text::{escaped, shortened};
use ptc_mission::{join_sections, json_example, json_output, text_output};
use ptc_transcript::Turn;

use crate::closing::stable_message;
use crate::input::RenderInput;
use crate::plain::or_empty;

/// Characters of a refused answer that are repeated.
const QUOTED_CHARS: usize = 500;

/// Only grows: each request repeats the one before, which providers can cache.
#[derive(Debug, Clone)]
pub struct Dialogue {
    messages: Vec<Message>,
    /// Its result type is that of the answer, if that is JSON.
    signature: Option<Signature>,
}

impl Dialogue {
    /// The first message: the mission, and the shape of the answer when it is JSON (`is_json`) or a text with rules.
    pub fn start(input: &RenderInput<'_>, is_json: bool) -> Dialogue {
        let signature = input.signature.filter(|_| is_json).cloned();
        let expected = match &signature {
            Some(signature) => Some(json_output(signature, input.field_descriptions)),
            None => input.signature.and_then(text_output),
        };
        let text = join_sections([Some(input.mission.to_owned()), expected]);
        Dialogue { messages: vec![stable_message(text)], signature }
    }

    /// What was said in earlier runs, and what the user says now: text gets text as the answer.
    pub fn after(mut messages: Vec<Message>, text: &str) -> Dialogue {
        messages.push(stable_message(text.to_owned()));
        Dialogue { messages, signature: None }
    }

    /// The messages so far; the last one is the user's.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Append calls that the model asked for, and the answers of the tools.
    pub fn push_uses(&mut self, reply: &Reply, answers: &[String]) {
        let calls = &reply.tool_calls;
        self.messages.push(Message::assistant(reply.content.clone()).repeated().with_tool_calls(calls.clone()));
        let answers =
            calls.iter().zip(answers).map(|(call, answer)| Message::tool(call.id.as_str(), answer.as_str()).repeated());
        self.messages.extend(answers);
    }

    /// Append the answer that ends the conversation.
    pub fn end(&mut self, answer: &str) {
        self.messages.push(Message::assistant(answer).repeated());
    }

    /// Append a refused answer and what was wrong with it; nothing for other turns.
    pub fn push(&mut self, turn: &Turn) {
        let Some(problem) = turn.error_message() else { return };
        let said = or_empty(turn.raw_response());
        self.messages.push(Message::assistant(said).repeated());
        let quoted = format!("Your answer was: {}", error_text(&shortened(said, QUOTED_CHARS)));
        let expected = self.signature.as_ref().map(|signature| {
            format!("Answer again, with JSON like this: {}", escaped(&json_example(signature).to_string()))
        });
        let feedback = join_sections([Some(format!("Error: {}", error_text(&problem))), Some(quoted), expected]);
        self.messages.push(Message::user(feedback).repeated());
    }
}
