//! Requests to a model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Message, ModelOptions, ToolDefinition};

/// One call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The system text, the same in every request of a run and shared by them.
    pub system: Arc<str>,
    /// The conversation; the last message is the user's or, in text mode, the answer of a tool.
    pub messages: Vec<Message>,
    /// Number of the turn being asked for, from 1.
    pub turn: u32,
    /// Number of this attempt at the turn, from 1; above 1 after an error that was retried.
    pub attempt: u32,
    /// The agent that asks; `None` for the agent started from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What the model is asked to write.
    pub output: OutputMode,
    /// Names of the tools that the program may call; empty on turns that must finish.
    pub tool_names: Arc<[String]>,
    /// Tools that the model may call in the provider's own format; only in text mode.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tools: Arc<[ToolDefinition]>,
    /// JSON Schema of the answer, in JSON mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Arc<Value>>,
    /// What the model may write, in the notation of llama.cpp (GBNF); `None` leaves it free. It is not recorded: it
    /// follows from data, tools and definitions, and takes tens of kilobytes.
    #[serde(skip)]
    pub grammar: Option<Arc<str>>,
    /// Whether the provider is asked to cache what is repeated: see [`Repeats`](crate::Repeats).
    pub cache: bool,
    /// How to sample.
    pub options: ModelOptions,
}

impl Default for Request {
    /// An empty request for attempt 1 of turn 1.
    fn default() -> Self {
        Request {
            system: Arc::default(),
            messages: Vec::new(),
            turn: 1,
            attempt: 1,
            agent: None,
            output: OutputMode::default(),
            tool_names: Arc::default(),
            tools: Arc::default(),
            schema: None,
            grammar: None,
            cache: false,
            options: ModelOptions::default(),
        }
    }
}

impl Request {
    /// Tokens of the request before a model has counted them: a quarter of its bytes.
    pub fn estimated_tokens(&self) -> u64 {
        let texts = self.messages.iter().map(|message| message.content().len());
        u64::try_from(texts.sum::<usize>().saturating_add(self.system.len()) / 4).unwrap_or(u64::MAX)
    }
}

fn is_empty(tools: &Arc<[ToolDefinition]>) -> bool {
    tools.is_empty()
}

/// What a model is asked to write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutputMode {
    /// A program.
    #[default]
    PtcLisp,
    /// JSON that matches [`Request::schema`].
    Json,
    /// Plain text.
    Text,
}

impl OutputMode {
    /// The name used in records and in mission files.
    pub fn as_str(self) -> &'static str {
        match self {
            OutputMode::PtcLisp => "ptc_lisp",
            OutputMode::Json => "json",
            OutputMode::Text => "text",
        }
    }
}
