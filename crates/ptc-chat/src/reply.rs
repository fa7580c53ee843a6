//! What a model answers.

use serde::{Deserialize, Serialize};

use crate::{LlmError, LlmErrorKind, ToolUse};

/// One answer of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer itself, without reasoning.
    pub content: String,
    /// What the model thought, where the provider reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Calls in the provider's own tool format, for text mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolUse>,
    /// Why the model stopped.
    #[serde(default)]
    pub stop: StopReason,
    /// Its cost; `None` when the provider did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

impl Reply {
    /// A complete reply with the text `content`, with nothing known about its cost.
    pub fn text(content: impl Into<String>) -> Self {
        Reply { content: content.into(), ..Reply::default() }
    }

    /// The reply, unless the model refused to answer: then an error of kind `refused` that quotes it.
    pub fn unless_refused(self) -> Result<Reply, LlmError> {
        if self.stop != StopReason::Refusal {
            return Ok(self);
        }
        let said = self.content.trim();
        let message = match said {
            "" => "the model or its provider refused to answer".to_owned(),
            said => format!("the model refused to answer: {said}"),
        };
        Err(LlmError::new(LlmErrorKind::Refused, message))
    }
}

impl From<&str> for Reply {
    fn from(content: &str) -> Self {
        Reply::text(content)
    }
}

impl From<String> for Reply {
    fn from(content: String) -> Self {
        Reply::text(content)
    }
}

/// Why a model stopped writing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum StopReason {
    /// It was finished; `end`.
    #[default]
    End,
    /// It reached the limit of output tokens, so that the answer is cut; `length`.
    Length,
    /// It wrote one of the stop texts; `stop_sequence`.
    StopSequence,
    /// It waits for tool results; `tool_calls`.
    ToolCalls,
    /// It, or a filter of the provider, refused to answer; `refusal`.
    Refusal,
    /// Something else, in the provider's words.
    Other(String),
}

impl From<String> for StopReason {
    /// Understands our names and those that providers use.
    fn from(text: String) -> Self {
        match text.to_ascii_lowercase().as_str() {
            "end" | "stop" | "end_turn" | "complete" | "completed" => StopReason::End,
            "length" | "max_tokens" | "max_output_tokens" => StopReason::Length,
            "stop_sequence" => StopReason::StopSequence,
            "tool_calls" | "tool_use" | "function_call" => StopReason::ToolCalls,
            "refusal" | "content_filter" | "safety" | "prohibited_content" => StopReason::Refusal,
            _ => StopReason::Other(text),
        }
    }
}

impl From<StopReason> for String {
    fn from(stop: StopReason) -> Self {
        let name = match stop {
            StopReason::End => "end",
            StopReason::Length => "length",
            StopReason::StopSequence => "stop_sequence",
            StopReason::ToolCalls => "tool_calls",
            StopReason::Refusal => "refusal",
            StopReason::Other(text) => return text,
        };
        name.to_owned()
    }
}

/// Token counts of one reply, as the provider reports them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// All input tokens, those read from or written to a cache included.
    pub input: u64,
    /// All output tokens, reasoning included.
    pub output: u64,
    /// Input tokens read from the provider's cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cached: u64,
    /// Input tokens written to the provider's cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write: u64,
}

impl Tokens {
    /// Input and output together.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Count `more`, too.
    pub fn add(&mut self, more: &Tokens) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
        self.cached = self.cached.saturating_add(more.cached);
        self.cache_write = self.cache_write.saturating_add(more.cache_write);
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
