//! Texts of missions, programs, answers and calls as attributes, in the conventions' JSON.

use ptc_chat::{Message, Role};
use ptc_lisp::Value;
use serde_json::{Value as Json, json};

use crate::TraceLimits;

/// Writes content within limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content(pub(super) TraceLimits);

impl Content {
    /// A system text: a list of one part. It is never cut.
    pub(super) fn system(self, text: &str) -> String {
        json!([part(text.to_owned())]).to_string()
    }

    /// The messages of a request.
    pub(super) fn messages(self, messages: &[Message]) -> String {
        self.0.list(messages, |message| self.message(message.role, &message.content())).to_string()
    }

    /// The answer of a model, or of a run, as its one message.
    pub(super) fn answer(self, text: &str) -> String {
        json!([self.message(Role::Assistant, text)]).to_string()
    }

    /// Arguments or an answer of a tool, values under names that begin with `_` as `[hidden]`.
    pub(super) fn value(self, value: &Value) -> String {
        self.0.value(value).to_string()
    }

    fn message(self, role: Role, text: &str) -> Json {
        json!({"role": role.as_str(), "parts": [part(self.0.text(text))]})
    }
}

fn part(text: String) -> Json {
    json!({"type": "text", "content": text})
}
