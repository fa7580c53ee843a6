//! Tools in the provider's own format, for text mode.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool that the model may ask to be called, as providers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// Name of the tool; providers take letters, digits, `_` and `-`.
    pub name: String,
    /// What the tool does; may be empty.
    pub description: String,
    /// JSON Schema of the arguments, an object.
    pub parameters: Value,
}

/// A call that the model asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ToolUse {
    /// The provider's id of the call; the answer to the call repeats it.
    pub id: String,
    /// Name of the tool as the provider knows it.
    pub name: String,
    /// The arguments: an object, or the text that the model wrote if it is not JSON.
    pub args: Value,
    /// What the provider wants back unread when the call is repeated in the conversation, such as the signature of the
    /// thoughts that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Value>,
}

impl ToolUse {
    /// A call of the tool called `name`.
    pub fn new(id: impl Into<String>, name: impl Into<String>, args: Value) -> Self {
        ToolUse { id: id.into(), name: name.into(), args, echo: None }
    }
}
