//! The first request of an agent, to look at.

use std::time::Duration;

use ptc_chat::Message;
use ptc_lisp::ToolSpec;
use serde::Serialize;

use super::options::RunOptions;
use crate::agent::Agent;
use crate::context::Context;
use crate::error::AgentError;
use crate::machine::{Action, Input, TimedInput};

/// The first request of an agent.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Preview {
    /// The system text.
    pub system: String,
    /// The messages; one, the user's.
    pub messages: Vec<Message>,
    /// What is known of the tools.
    pub tools: Vec<ToolSpec>,
    /// JSON Schema of the answer, when JSON is asked for.
    pub schema: Option<serde_json::Value>,
}

impl Agent {
    /// What the first request would say, without asking anybody.
    pub fn preview_prompt(&self, context: impl Serialize) -> Result<Preview, AgentError> {
        let mut run = self.start(Context::new(context)?, &RunOptions::default())?;
        let begin = TimedInput { at: Duration::ZERO, input: Input::Begin };
        let (system, messages, schema) = match run.next(begin) {
            Action::AskLlm { request, .. } => {
                (request.system.to_string(), request.messages.clone(), request.schema.as_deref().cloned())
            }
            _ => (self.system_prompt()?.text, Vec::new(), None),
        };
        Ok(Preview { system, messages, tools: self.tools(), schema })
    }
}
