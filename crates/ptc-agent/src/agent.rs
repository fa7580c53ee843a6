//! The definition of an agent: built once, checked as a whole, run any number of times.

mod around;
mod as_tool;
mod asking;
mod below;
mod builder;
pub(crate) mod builtin;
mod callable;
mod check;
mod offer;
mod output;
mod placeholders;

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use ptc_chat::{Llm, OutputMode};
use ptc_compression::{RenderInput, smallest_request};
use ptc_lisp::signature::Signature;
use ptc_lisp::{Map, ToolSpec, Value};
use ptc_mission::{PromptFacts, SystemPrompt};

use crate::error::AgentError;
use crate::models::LlmChoice;
use crate::spec::AgentSpec;

pub use as_tool::SubagentOptions;
pub(crate) use as_tool::tool_of;
pub use asking::LlmTool;
pub(crate) use asking::asked_by;
pub use builder::AgentBuilder;
pub use callable::Callable;
pub(crate) use callable::{Callee, Target};
pub use check::AgentWarning;
pub(crate) use offer::Toolset;

/// What models read about the tool of `llm_query` in the first message.
const QUERY_NOTE: &str = ";; tool/llm-query asks a language model one question, for what code cannot decide:\n\
;; (tool/llm-query {:prompt \"Is this a complaint? {{text}}\" :text t :signature \":bool\"})\n\
;; {{name}} is replaced by the value under :name; without :signature the answer is a string.";

/// An agent: a mission with tools, limits and a way to show history. Cheap to clone; holds no state of any run.
///
/// ```
/// use ptc_agent::Agent;
/// use ptc_chat::ScriptedLlm;
/// use serde_json::json;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = Agent::builder("How many bookings are there?").signature(":int").build()?;
/// let llm = ScriptedLlm::replies(["```clojure\n(return (count data/bookings))\n```"]);
/// let step = agent.run(&llm, json!({"bookings": [{"room": 1}, {"room": 2}]})).await?;
/// assert_eq!(step.value::<u32>().unwrap(), 2);
/// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Agent {
    pub(crate) definition: Arc<Definition>,
    /// What all requests say.
    pub(crate) offer: Arc<Toolset>,
    /// The system text, when it is the same in every run.
    pub(crate) system: Option<Arc<str>>,
}

/// Everything an agent is made of. The builder fills it, `build` checks it.
#[derive(Clone)]
pub(crate) struct Definition {
    pub spec: AgentSpec,
    /// The tools by name.
    pub tools: IndexMap<String, Callable>,
    /// The model to ask when a run names none, unless the description names one.
    pub llm: Option<Arc<dyn Llm>>,
    /// What the host asks of answers beyond their signature.
    pub answer_check: Option<AnswerCheck>,
}

/// Errors with what the model shall correct.
pub(crate) type AnswerCheck = Arc<dyn Fn(&Value) -> Result<(), String> + Send + Sync>;

impl Definition {
    /// One request and no correction: the value of the last form is the answer.
    pub fn is_single_shot(&self) -> bool {
        self.spec.max_turns == 1 && self.spec.retry_turns == 0 && self.tools.is_empty()
    }

    /// The model of this agent: a client, or the name of one.
    pub fn llm(&self) -> Option<LlmChoice> {
        let client = self.llm.clone().map(LlmChoice::Client);
        client.or_else(|| self.spec.llm.clone().map(LlmChoice::Named))
    }

    /// Fixed text after the Expected Output of the first message.
    pub fn notes(&self) -> &'static str {
        if self.spec.llm_query && self.spec.output == OutputMode::PtcLisp { QUERY_NOTE } else { "" }
    }

    /// Whether a request without data stays below the token ceiling.
    fn check_ceiling(&self, system: &str, tools: &[ToolSpec]) -> Result<(), AgentError> {
        let Some(ceiling) = self.spec.compression.ceiling() else { return Ok(()) };
        let data = Map::new();
        let run = RenderInput {
            tools,
            signature: self.spec.signature.as_ref(),
            notes: self.notes(),
            ..RenderInput::new(&self.spec.mission, &data)
        };
        ceiling.check(&ceiling.requests(system), &[smallest_request(&run)]).map_err(AgentError::TokenCeiling)
    }

    /// `keeps_tasks`: the run remembers finished tasks.
    pub fn system_prompt(&self, keeps_tasks: bool) -> Result<SystemPrompt, AgentError> {
        let facts = PromptFacts {
            multi_turn: self.spec.max_turns > 1,
            keeps_tasks,
            has_plan: !self.spec.plan.is_empty(),
            output: match self.spec.output {
                OutputMode::Json => ptc_mission::PromptOutput::Json,
                OutputMode::Text => ptc_mission::PromptOutput::Text,
                _ => ptc_mission::PromptOutput::PtcLisp,
            },
            thinking: self.spec.thinking,
            prompt_limit: self.spec.prompt_limit,
        };
        SystemPrompt::render(&self.spec.system_prompt, &facts).map_err(AgentError::SystemPrompt)
    }
}

impl Agent {
    /// The agent of a definition that was checked.
    pub(crate) fn new(definition: Definition) -> Result<Agent, AgentError> {
        let system = definition.system_prompt(false)?.text;
        let offer = Arc::new(Toolset::new(
            &definition.spec,
            definition.tools.values().map(|tool| tool.spec().clone()).collect(),
        ));
        definition.check_ceiling(&system, &offer.specs)?;
        let system = definition.spec.system_prompt.is_fixed().then(|| system.into());
        Ok(Agent { definition: Arc::new(definition), offer, system })
    }

    /// The system text, the same in every request.
    pub fn system_prompt(&self) -> Result<SystemPrompt, AgentError> {
        self.definition.system_prompt(false)
    }

    /// What models read about the tools, in the order of their registration.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolSpec> {
        self.offer.specs.to_vec()
    }

    /// Its instructions and limits, as data.
    #[must_use]
    pub fn spec(&self) -> &AgentSpec {
        &self.definition.spec
    }
}

/// The signature that a text means.
pub(crate) fn signature(text: &str) -> Result<Signature, AgentError> {
    Signature::parse(text).map_err(AgentError::InvalidSignature)
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent")
            .field("mission", &self.definition.spec.mission)
            .field("tools", &self.definition.tools.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
