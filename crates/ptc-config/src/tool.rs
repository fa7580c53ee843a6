//! Tools of a mission file: commands, programs, canned answers, recorded calls and questions to models.

mod answers;
mod check;
mod command;
mod group;
mod input;
mod program;
mod question;
mod read;
mod recorded;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_agent::{AgentError, Callable};
use ptc_lisp::{BoxFuture, Limits, Tool, ToolCall, ToolResult, ToolSpec};

pub use answers::CannedAnswer;
pub use question::Question;
pub(crate) use read::{check_name, effect, effects, hidden, read, schema, tables, variables, variables_shape};

/// The default time limit of a tool; agents and models have the time of the mission.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// One `[tools.name]` table.
#[derive(Debug, Clone)]
pub struct ConfiguredTool {
    /// What models and programs see.
    pub spec: ToolSpec,
    /// What a call does.
    pub kind: ToolKind,
}

/// What a call of a tool does.
#[non_exhaustive]
#[derive(Debug, Clone)]
pub enum ToolKind {
    /// Start a command: arguments as JSON on its input, the result as JSON on its output.
    Command(ptc_mcp::CommandLine),
    /// Run a program with the parameters bound by name.
    Program {
        /// The body.
        source: String,
    },
    /// Return the first matching answer.
    Answers(Vec<CannedAnswer>),
    /// Return recorded calls: each once, in order among those with equal arguments, then the last of these repeatedly.
    Recorded(Vec<CannedAnswer>),
    /// Run the agent that has the tool on other input.
    Itself,
    /// Ask a model.
    Llm(Question),
}

impl ConfiguredTool {
    /// The tool that programs of an agent call; programs of tools run under `limits`.
    ///
    /// Errors when a question does not fit the signature.
    pub fn callable(&self, limits: &Limits) -> Result<Callable, AgentError> {
        match (self.tool(limits), &self.kind) {
            (Some(tool), _) => Ok(Callable::from(tool)),
            (None, ToolKind::Llm(question)) => question.callable(&self.spec),
            (None, _) => Ok(Callable::itself(self.spec.clone())),
        }
    }

    /// The model that it names.
    pub(crate) fn llm(&self) -> Option<&str> {
        match &self.kind {
            ToolKind::Llm(question) => question.llm.as_deref(),
            _ => None,
        }
    }

    /// The host tool; none where a call runs the agent itself or asks a model.
    #[must_use]
    pub fn tool(&self, limits: &Limits) -> Option<Arc<dyn Tool>> {
        let left = match &self.kind {
            ToolKind::Itself | ToolKind::Llm(_) => return None,
            ToolKind::Recorded(calls) => calls.clone(),
            _ => Vec::new(),
        };
        Some(Arc::new(Running { tool: self.clone(), limits: limits.clone(), left: Mutex::new(left) }))
    }
}

/// A tool that an agent has.
struct Running {
    tool: ConfiguredTool,
    /// The tools that a program has.
    limits: Limits,
    /// Recorded calls that were not yet returned, and the last of each arguments.
    left: Mutex<Vec<CannedAnswer>>,
}

impl Tool for Running {
    fn spec(&self) -> &ToolSpec {
        &self.tool.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            match &self.tool.kind {
                ToolKind::Command(command) => command::call(command, call, self.tool.spec.timeout).await,
                ToolKind::Program { source } => program::call(call, source, &self.tool.spec, &self.limits).await,
                ToolKind::Answers(answers) => answers::call(call, answers),
                _ => recorded::call(call, &mut self.left.lock().unwrap_or_else(PoisonError::into_inner)),
            }
        })
    }
}
