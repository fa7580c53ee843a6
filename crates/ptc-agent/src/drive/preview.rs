//! The first request of an agent, for inspection.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::Request;

use super::options::RunOptions;
use crate::agent::Agent;
use crate::context::IntoData;
use crate::error::AgentError;
use crate::machine::{Action, Input, TimedInput};

impl Agent {
    /// The first request, without asking a model; without messages when the run would end before it.
    pub fn preview_prompt(&self, context: impl IntoData) -> Result<Request, AgentError> {
        self.preview_request(context, &RunOptions::default())
    }

    /// The same for a run with options. Their model is not asked; models that agents below name must be in the registry.
    pub fn preview_request(&self, context: impl IntoData, options: &RunOptions) -> Result<Request, AgentError> {
        let mut run = self.start(context, options)?;
        match run.next(TimedInput { at: Duration::ZERO, input: Input::Begin }) {
            Action::AskLlm { request, .. } => Ok(Arc::unwrap_or_clone(request)),
            _ => Ok(Request { system: self.system_prompt()?.text.into(), ..Request::default() }),
        }
    }
}
