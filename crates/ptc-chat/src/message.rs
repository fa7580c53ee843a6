//! Messages made of parts, so that a provider can cache what never changes.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ToolUse;

/// Who says a message; the system text is not a message but [`Request::system`](crate::Request::system).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// The mission and what the run reports back.
    User,
    /// What the model answered.
    Assistant,
    /// What a tool answered to a call that the model asked for; only in text mode.
    Tool,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// The text; parts are joined without a separator.
    pub text: String,
    /// Whether every request of the run repeats this part byte for byte. Only leading stable parts can be cached.
    pub stable: bool,
}

impl Part {
    /// A part that every request of the run repeats.
    pub fn stable(text: impl Into<String>) -> Self {
        Part { text: text.into(), stable: true }
    }

    /// A part that may differ in the next request.
    pub fn changing(text: impl Into<String>) -> Self {
        Part { text: text.into(), stable: false }
    }
}

/// One message of a conversation. Cloning it is one atomic increment: every request of a run repeats what was said before.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said: the concatenation of the parts.
    pub parts: Arc<[Part]>,
    /// The calls that an assistant message asks for beside its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Arc<[ToolUse]>>,
    /// Which call a tool message answers: the id of its [`ToolUse`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Arc<str>>,
}

impl Message {
    /// A message made of `parts`.
    pub fn new(role: Role, parts: impl Into<Arc<[Part]>>) -> Self {
        Message { role, parts: parts.into(), tool_calls: None, call_id: None }
    }

    /// A user message of one changing part.
    pub fn user(text: impl Into<String>) -> Self {
        Message::new(Role::User, [Part::changing(text)])
    }

    /// An assistant message of one changing part.
    pub fn assistant(text: impl Into<String>) -> Self {
        Message::new(Role::Assistant, [Part::changing(text)])
    }

    /// What the tool answered to the call with this id: one changing part.
    pub fn tool(call_id: impl Into<Arc<str>>, answer: impl Into<String>) -> Self {
        Message { call_id: Some(call_id.into()), ..Message::new(Role::Tool, [Part::changing(answer)]) }
    }

    /// The same message with the calls that the model asked for.
    ///
    /// ```
    /// use ptc_chat::{Message, ToolUse};
    ///
    /// let asked = Message::assistant("").with_tool_calls([ToolUse::new("c1", "rate", serde_json::json!({"nights": 2}))]);
    /// let answered = Message::tool("c1", "180.0");
    /// assert_eq!(answered.call_id.as_deref(), Some(asked.tool_calls()[0].id.as_str()));
    /// ```
    pub fn with_tool_calls(mut self, calls: impl Into<Arc<[ToolUse]>>) -> Self {
        self.tool_calls = Some(calls.into()).filter(|calls| !calls.is_empty());
        self
    }

    /// The calls that the message asks for, in the order of the model.
    pub fn tool_calls(&self) -> &[ToolUse] {
        self.tool_calls.as_deref().unwrap_or_default()
    }

    /// The whole text; borrowed when there is one part.
    pub fn content(&self) -> Cow<'_, str> {
        match &*self.parts {
            [] => Cow::Borrowed(""),
            [only] => Cow::Borrowed(&only.text),
            several => several.iter().map(|part| part.text.as_str()).collect(),
        }
    }

    /// Length in bytes of the leading stable parts.
    pub fn stable_bytes(&self) -> usize {
        self.parts.iter().take_while(|part| part.stable).map(|part| part.text.len()).sum()
    }
}
