//! Messages made of parts, so that a provider can cache what never changes.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ToolUse;

/// The sender of a message; the system text is not a message but [`Request::system`](crate::Request::system).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// The mission and the reports of the run.
    User,
    /// What the model answered.
    Assistant,
    /// What a tool answered to a call that the model asked for; only in text mode.
    Tool,
}

impl Role {
    /// The name used in records.
    ///
    /// ```
    /// use ptc_chat::Message;
    ///
    /// assert_eq!(Message::tool("call-1", "5").role.as_str(), "tool");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }
}

/// How long requests repeat a part byte for byte, together with everything before it. The order is from long to short:
/// the order of the parts in a request to be cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "StoredRepeats", into = "StoredRepeats")]
pub enum Repeats {
    /// Every request of the run repeats it.
    Run,
    /// The next request most likely repeats it.
    Next,
    /// The next request may not repeat it.
    No,
}

/// [`Repeats`] as it is written next to the text: `stable` is older than `repeated`, which is left out when it is
/// false.
#[derive(Serialize, Deserialize)]
struct StoredRepeats {
    stable: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
}

impl From<StoredRepeats> for Repeats {
    fn from(stored: StoredRepeats) -> Self {
        match stored {
            StoredRepeats { stable: true, .. } => Repeats::Run,
            StoredRepeats { repeated: true, .. } => Repeats::Next,
            StoredRepeats { .. } => Repeats::No,
        }
    }
}

impl From<Repeats> for StoredRepeats {
    fn from(repeats: Repeats) -> Self {
        StoredRepeats { stable: repeats == Repeats::Run, repeated: repeats == Repeats::Next }
    }
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// The text; parts are joined without a separator.
    pub text: String,
    /// How long it is repeated, which is what a provider can cache; in JSON `"stable":true`,
    /// `"stable":false,"repeated":true` or `"stable":false`. Nothing after a part that is not repeated can be cached.
    #[serde(flatten)]
    pub repeats: Repeats,
}

impl Part {
    /// A part that every request of the run repeats.
    pub fn stable(text: impl Into<String>) -> Self {
        Part { text: text.into(), repeats: Repeats::Run }
    }

    /// A part that the next request most likely repeats, such as a message of a history that is only appended to. In a
    /// user message it is sent as a separate block where the provider caches marked blocks.
    ///
    /// ```
    /// use ptc_chat::{Message, Part, Role};
    ///
    /// let parts = [Part::stable("Count to two."), Part::repeated("\n\n1"), Part::changing("\n\nOne turn is left.")];
    /// assert_eq!(Message::new(Role::User, parts).stable_bytes(), "Count to two.".len());
    /// ```
    pub fn repeated(text: impl Into<String>) -> Self {
        Part { text: text.into(), repeats: Repeats::Next }
    }

    /// A part that may differ in the next request.
    pub fn changing(text: impl Into<String>) -> Self {
        Part { text: text.into(), repeats: Repeats::No }
    }

    /// Whether every request of the run repeats it.
    pub fn is_stable(&self) -> bool {
        self.repeats == Repeats::Run
    }
}

/// One message of a conversation. Cloning it is one atomic increment: every request of a run repeats what was said
/// before.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// The sender.
    pub role: Role,
    /// The text: the concatenation of the parts.
    pub parts: Arc<[Part]>,
    /// The calls that an assistant message asks for in addition to its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Arc<[ToolUse]>>,
    /// The call that a tool message answers: the id of its [`ToolUse`].
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

    /// The same message as part of a history that is only appended to: parts that could change are marked as repeated
    /// by the next request.
    pub fn repeated(mut self) -> Self {
        let repeated = |part: &Part| Part { repeats: part.repeats.min(Repeats::Next), ..part.clone() };
        self.parts = self.parts.iter().map(repeated).collect();
        self
    }

    /// The calls that the message asks for, in the model's order.
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
        self.parts.iter().take_while(|part| part.is_stable()).map(|part| part.text.len()).sum()
    }
}
