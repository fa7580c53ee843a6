//! The definition of an agent: built once, checked as a whole, run any number of times.

mod as_tool;
mod builder;
mod check;
mod output;
mod placeholders;
mod plan;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{Llm, Message, ModelOptions, OutputMode};
use ptc_compression::{CompressionConfig, RenderInput, smallest_request};
use ptc_lisp::{Limits, Map, ToolSpec};
use ptc_mission::{MissionValues, PromptFacts, SystemPrompt, SystemPromptOptions};
use ptc_signature::Signature;
use ptc_transcript::Step;
use serde::Serialize;

use crate::approval;
use crate::context::Context;
use crate::drive::{Log, RunOptions, drive};
use crate::error::AgentError;
use crate::lineage::Lineage;
use crate::models::{LlmChoice, check_named};
use crate::options::{FormatSettings, LlmRetry, MemoryStrategy, SignatureValidation};
use crate::run::{Action, Event, Input, Run, Start};
use crate::tool::{Callable, QUERY_NOTE};

pub use as_tool::AsTool;
pub(crate) use as_tool::callable;
pub use builder::AgentBuilder;
pub use check::AgentWarning;
pub use plan::PlanStep;

/// An agent: a mission with tools, limits and a way to show history. Cheap to clone; holds no state of any run.
///
/// ```
/// use ptc_agent::SubAgent;
/// use ptc_chat::ScriptedLlm;
/// use serde_json::json;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = SubAgent::builder("How many bookings are there?").signature(":int").build()?;
/// let llm = ScriptedLlm::replies(["```clojure\n(return (count data/bookings))\n```"]);
/// let step = agent.run(&llm, json!({"bookings": [{"room": 1}, {"room": 2}]})).await?;
/// assert_eq!(step.value::<u32>().unwrap(), 2);
/// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct SubAgent {
    pub(crate) definition: Arc<Definition>,
    /// The system text, when it is the same in every run.
    system: Option<Arc<str>>,
}

/// Everything an agent is made of. The builder fills it, `build` checks it.
#[derive(Clone)]
pub(crate) struct Definition {
    pub mission: String,
    pub signature: Option<Signature>,
    pub tools: IndexMap<String, Callable>,
    pub max_turns: usize,
    pub retry_turns: usize,
    pub timeout: Duration,
    pub max_heap: Option<u64>,
    pub mission_timeout: Option<Duration>,
    pub memory_limit: Option<u64>,
    pub memory_strategy: MemoryStrategy,
    pub max_depth: usize,
    pub turn_budget: Option<usize>,
    pub shared_turn_budget: bool,
    pub llm_query: bool,
    pub llm: Option<LlmChoice>,
    pub llm_retry: LlmRetry,
    pub model_options: ModelOptions,
    pub system_prompt: SystemPromptOptions,
    pub prompt_limit: Option<usize>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub field_descriptions: IndexMap<String, String>,
    pub context_descriptions: IndexMap<String, String>,
    pub format: FormatSettings,
    pub float_precision: Option<u32>,
    pub compression: CompressionConfig,
    pub thinking: bool,
    pub mission_values: MissionValues,
    pub signature_validation: SignatureValidation,
    pub validate_single_shot: bool,
    pub fallback: bool,
    pub output: OutputMode,
    /// JSON Schema to send instead of the one of the signature.
    pub schema: Option<serde_json::Value>,
    /// Calls of tools in text mode, over the whole run.
    pub max_tool_calls: Option<usize>,
    /// Texts of the planned steps by id.
    pub plan: IndexMap<String, String>,
}

/// Bytes of live values that one program may hold.
const PROGRAM_MEMORY: u64 = 256 * 1024 * 1024;

impl Definition {
    /// One request and no correction: the value of the last form is the answer.
    pub fn is_single_shot(&self) -> bool {
        self.max_turns == 1 && self.retry_turns == 0 && self.tools.is_empty()
    }

    pub fn turn_budget(&self) -> usize {
        self.turn_budget.unwrap_or_else(|| (self.max_turns + self.retry_turns).max(20))
    }

    pub fn limits(&self) -> Limits {
        Limits {
            memory: self.max_heap.unwrap_or(PROGRAM_MEMORY),
            time: self.timeout,
            print_chars: self.format.max_print_length,
            ..Limits::default()
        }
    }

    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.values().map(|tool| tool.spec().clone()).collect()
    }

    /// The schema that an answer in JSON must keep.
    pub fn schema(&self) -> Option<serde_json::Value> {
        let wants_json = self.output == OutputMode::Json || (self.output == OutputMode::Text && !self.answers_text());
        wants_json.then(|| self.schema.clone().or_else(|| self.signature.as_ref().map(Signature::result_schema))).flatten()
    }

    /// Whether the answer of text mode is taken as it is.
    pub fn answers_text(&self) -> bool {
        self.signature.as_ref().is_none_or(|signature| *signature.result().required() == ptc_signature::Type::String)
    }

    /// Fixed text behind the Expected Output of the first message.
    pub fn notes(&self) -> &'static str {
        if self.llm_query && self.output == OutputMode::PtcLisp { QUERY_NOTE } else { "" }
    }

    /// Whether a request without data stays below the token ceiling.
    fn check_ceiling(&self, system: &str) -> Result<(), AgentError> {
        let Some(ceiling) = self.compression.ceiling() else { return Ok(()) };
        let (tools, data) = (self.specs(), Map::new());
        let run = RenderInput {
            tools: &tools,
            signature: self.signature.as_ref(),
            notes: self.notes(),
            ..RenderInput::new(&self.mission, &data)
        };
        ceiling.check(system, &[smallest_request(&run)]).map_err(AgentError::TokenCeiling)
    }

    /// `keeps_tasks`: the run remembers finished tasks.
    pub fn system_prompt(&self, keeps_tasks: bool) -> Result<SystemPrompt, AgentError> {
        let facts = PromptFacts {
            multi_turn: self.max_turns > 1,
            uses_tasks: keeps_tasks || !self.plan.is_empty(),
            output: match self.output {
                OutputMode::Json => ptc_mission::OutputMode::Json,
                OutputMode::Text => ptc_mission::OutputMode::Text,
                _ => ptc_mission::OutputMode::PtcLisp,
            },
            thinking: self.thinking,
            prompt_limit: self.prompt_limit,
        };
        Ok(SystemPrompt::render(&self.system_prompt, &facts)?)
    }
}

impl SubAgent {
    /// The agent of a definition that was checked.
    pub(crate) fn new(definition: Definition) -> Result<SubAgent, AgentError> {
        let system = definition.system_prompt(false)?.text;
        definition.check_ceiling(&system)?;
        let system = definition.system_prompt.is_fixed().then(|| system.into());
        Ok(SubAgent { definition: Arc::new(definition), system })
    }

    /// An agent for this mission; `{{name}}` stands for input.
    pub fn builder(mission: impl Into<String>) -> AgentBuilder {
        AgentBuilder::new(mission.into())
    }

    /// A builder that starts from this agent, to change single options.
    pub fn to_builder(&self) -> AgentBuilder {
        AgentBuilder::from_definition((*self.definition).clone())
    }

    /// Run it with this model; the entries of `context`, a map or struct, become `data/`.
    ///
    /// Errors before the first request only; whatever happens later is said by [`Step::ending`].
    pub fn run<'a>(&'a self, llm: &'a dyn Llm, context: impl Serialize) -> impl Future<Output = Result<Step, AgentError>> + Send + 'a {
        let context = Context::new(context);
        async move { self.run_on(context?, llm, RunOptions::default()).await }
    }

    /// Run it with options; the model is that of the options, else the agent's own.
    pub async fn run_with(&self, context: Context, options: RunOptions) -> Result<Step, AgentError> {
        let llm = self.model(&options)?;
        self.run_on(context, &llm, options).await
    }

    /// The model of a run with these options.
    pub(crate) fn model(&self, options: &RunOptions) -> Result<Arc<dyn Llm>, AgentError> {
        match (&options.llm, &self.definition.llm) {
            (Some(llm), _) => Ok(Arc::clone(llm)),
            (None, Some(llm)) => llm.resolve(&options.llm_registry),
            (None, None) => Err(AgentError::LlmRequired),
        }
    }

    async fn run_on(&self, context: Context, llm: &dyn Llm, mut options: RunOptions) -> Result<Step, AgentError> {
        approval::check(&self.definition, &options)?;
        let log = Log::open(&mut options);
        let run = self.start(context, &options)?;
        drive(run, llm, options, log).await
    }

    /// The run as a state machine, for callers that talk to the model, the tools and whoever approves themselves.
    pub fn start(&self, context: Context, options: &RunOptions) -> Result<Run, AgentError> {
        check_named(self, &options.llm_registry)?;
        self.start_below(context, options, Lineage::default())
    }

    /// The same for a run that another one calls.
    pub(crate) fn start_below(&self, context: Context, options: &RunOptions, lineage: Lineage) -> Result<Run, AgentError> {
        let (received, upstream) = context.upstream().map(|run| (run.descriptions.clone(), run.fail.clone())).unwrap_or_default();
        let data = context.checked(self.definition.signature.as_ref(), self.definition.signature_validation)?;
        let keeps_tasks = options.tasks.is_some();
        let system = match &self.system {
            Some(text) if !keeps_tasks => Arc::clone(text),
            _ => self.definition.system_prompt(keeps_tasks)?.text.into(),
        };
        Ok(Run::new(self.clone(), data, system, Start { options, lineage, received, upstream }))
    }

    /// What the first request would say, without asking anybody.
    pub fn preview_prompt(&self, context: impl Serialize) -> Result<Preview, AgentError> {
        let mut run = self.start(Context::new(context)?, &RunOptions::default())?;
        let begin = Event { at: Duration::ZERO, input: Input::Begin };
        let (system, messages, schema) = match run.next(begin) {
            Action::AskLlm { request, .. } => (request.system.to_string(), request.messages.clone(), request.schema.clone()),
            _ => (self.system_prompt()?.text, Vec::new(), None),
        };
        Ok(Preview { system, messages, tools: self.tools(), schema })
    }

    /// The system text, the same in every request.
    pub fn system_prompt(&self) -> Result<SystemPrompt, AgentError> {
        self.definition.system_prompt(false)
    }

    /// What models are told of the tools, in the order in which they were given.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolSpec> {
        self.definition.specs()
    }

    /// The mission as written.
    #[must_use]
    pub fn mission(&self) -> &str {
        &self.definition.mission
    }

    /// The declared inputs and result.
    #[must_use]
    pub fn signature(&self) -> Option<&Signature> {
        self.definition.signature.as_ref()
    }

    /// Its label in records.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.definition.name.as_deref()
    }

    /// What it does, in one line.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.definition.description.as_deref()
    }

    /// What the model is asked to write.
    #[must_use]
    pub fn output(&self) -> OutputMode {
        self.definition.output
    }

    /// Work turns of a run.
    #[must_use]
    pub fn max_turns(&self) -> usize {
        self.definition.max_turns
    }

    /// How much of values is shown.
    #[must_use]
    pub fn format_options(&self) -> &FormatSettings {
        &self.definition.format
    }
}

impl fmt::Debug for SubAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubAgent")
            .field("mission", &self.definition.mission)
            .field("tools", &self.definition.tools.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

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

#[cfg(test)]
mod tests;
