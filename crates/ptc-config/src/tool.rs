//! Tools of a mission file: commands, programs, canned answers, recorded calls and questions to models.

mod answers;
mod command;
mod group;
mod program;
mod question;
mod read;
mod recorded;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ptc_agent::{AgentError, Callable};
use ptc_lisp::{HostTool, Limits, ToolSpec};
use serde_json::Value as Json;

pub use question::Question;
pub(crate) use read::{check_name, effect, effects, read, schema, tables};

/// How long a tool may take when its table does not say; agents and models have the time of the mission.
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
    Command {
        /// The executable file.
        executable: PathBuf,
        /// Its arguments.
        args: Vec<String>,
        /// Where it runs.
        folder: PathBuf,
        /// Variables that it gets beside the harmless ones (`PATH`, `HOME`, locale): passed on, or set to a text.
        env: Vec<(String, Option<String>)>,
    },
    /// Run a program with the parameters bound by name.
    Program {
        /// The body.
        source: String,
    },
    /// Give the first answer that fits.
    Answers(Vec<CannedAnswer>),
    /// Give recorded calls: each once, in order among those with equal arguments, the last of these again and again.
    Recorded(Vec<CannedAnswer>),
    /// Run the agent that has the tool on other input.
    Itself,
    /// Ask a model.
    Llm(Question),
}

/// One canned answer.
#[derive(Debug, Clone, PartialEq)]
pub struct CannedAnswer {
    /// Arguments that a call must have; others do not matter. `None` fits every call.
    pub args: Option<serde_json::Map<String, Json>>,
    /// The result, or the text of a failure.
    pub result: Result<Json, String>,
}

impl ConfiguredTool {
    /// What programs of an agent call; programs of tools run under `limits`.
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
    pub fn tool(&self, limits: &Limits) -> Option<Arc<dyn HostTool>> {
        let spec = self.spec.clone();
        Some(match &self.kind {
            ToolKind::Itself | ToolKind::Llm(_) => return None,
            ToolKind::Command { executable, args, folder, env } => Arc::new(command::CommandTool {
                spec,
                executable: executable.clone(),
                args: args.clone(),
                folder: folder.clone(),
                env: env.clone(),
            }),
            ToolKind::Program { source } => {
                Arc::new(program::ProgramTool { spec, source: source.clone(), limits: limits.clone() })
            }
            ToolKind::Answers(answers) => Arc::new(answers::AnswersTool { spec, answers: answers.clone() }),
            ToolKind::Recorded(calls) => Arc::new(recorded::RecordedTool::new(spec, calls)),
        })
    }
}
