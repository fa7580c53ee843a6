//! The options of an agent, as plain data with their documented defaults.

mod prompt;
mod read;
#[cfg(test)]
mod tests;

use std::time::Duration;

use indexmap::IndexMap;
use ptc_agent::{FormatSettings, KeepTurns, LlmRetry, MemoryStrategy, OnBudgetExceeded, PlanStep, SignatureValidation};
use ptc_chat::{ModelOptions, OutputMode};
use ptc_compression::{CompressionConfig, Strategy};
use ptc_mission::{MissionValues, SystemPromptOptions};
use ptc_signature::Signature;

use crate::compression::RequestLimit;

pub(crate) use read::{KEYS, read, signature};

/// Everything a mission file can say about its agent, apart from data and tools.
#[derive(Debug, Clone)]
pub struct AgentOptions {
    /// What to do; may hold `{{placeholders}}`.
    pub mission: String,
    /// Inputs and result.
    pub signature: Option<Signature>,
    /// Turns that may do work.
    pub max_turns: u32,
    /// Further turns for a `return` that does not fit.
    pub retry_turns: u32,
    /// Interpreter time of one program.
    pub timeout: Duration,
    /// Bytes that one program may hold; `None` leaves it to the agent.
    pub max_heap: Option<u64>,
    /// Wall time of the whole run.
    pub mission_timeout: Option<Duration>,
    /// Bytes that definitions may hold after a turn.
    pub memory_limit: u64,
    /// What happens above `memory_limit`.
    pub memory_strategy: MemoryStrategy,
    /// Levels of agents that call agents.
    pub max_depth: u32,
    /// Whether all agents below this one draw on its turn budget.
    pub shared_turn_budget: bool,
    /// Whether programs may ask a model one question at a time.
    pub llm_query: bool,
    /// Turns of the whole tree of agents; `None` is the larger of 20 and `max_turns + retry_turns`.
    pub turn_budget: Option<u32>,
    /// The model, as `--llm` takes it.
    pub llm: Option<String>,
    /// What to do when a model fails; `None` leaves it to the caller.
    pub llm_retry: Option<LlmRetry>,
    /// Changes to the system text.
    pub system_prompt: SystemPromptOptions,
    /// Characters of the system text.
    pub prompt_limit: Option<usize>,
    /// One line for agents that use this one as a tool.
    pub description: Option<String>,
    /// What the fields of the result mean.
    pub field_descriptions: IndexMap<String, String>,
    /// What the data entries mean.
    pub context_descriptions: IndexMap<String, String>,
    /// Cuts of what is shown.
    pub format_options: FormatSettings,
    /// Decimals of floats in results; `None` keeps them all.
    pub float_precision: Option<u32>,
    /// How history is shown; `None` sends every turn.
    pub compression: Option<Strategy>,
    /// Tokens of a request, whether history is compressed or not.
    pub request_limit: Option<RequestLimit>,
    /// Whether the model is asked to think aloud first.
    pub thinking: bool,
    /// What happens to values that do not fit the signature.
    pub signature_validation: SignatureValidation,
    /// A label for traces.
    pub name: Option<String>,
    /// How placeholders are filled.
    pub mission_values: MissionValues,
    /// What the model writes.
    pub output: OutputMode,
    /// JSON Schema to send instead of the one of the signature.
    pub schema: Option<serde_json::Value>,
    /// Families of tools that come with the library.
    pub builtin_tools: Vec<String>,
    /// Calls of tools in text mode; `None` is no limit.
    pub max_tool_calls: Option<usize>,
    /// Steps of the mission.
    pub plan: Vec<PlanStep>,
    /// Whether the last value may stand in for a missing `return`.
    pub fallback: bool,
    /// Whether the result of a single-shot agent is validated.
    pub validate_single_shot: bool,
    /// Tool calls in flight.
    pub max_parallel_calls: u32,
    /// How the model samples.
    pub model_options: ModelOptions,
    /// Whether providers may cache the stable prefix.
    pub cache: bool,
    /// Whether the step keeps the plain transcript.
    pub collect_messages: bool,
    /// Whether the step keeps its turns.
    pub keep_turns: KeepTurns,
    /// Tokens of the run.
    pub token_limit: Option<u64>,
    /// What happens above `token_limit`.
    pub on_budget_exceeded: OnBudgetExceeded,
}

impl AgentOptions {
    /// The defaults, for this mission.
    #[must_use]
    pub fn new(mission: impl Into<String>) -> AgentOptions {
        AgentOptions {
            mission: mission.into(),
            signature: None,
            max_turns: 5,
            retry_turns: 0,
            timeout: Duration::from_secs(5),
            max_heap: None,
            mission_timeout: None,
            memory_limit: 16 * 1024 * 1024,
            memory_strategy: MemoryStrategy::Strict,
            max_depth: 3,
            shared_turn_budget: false,
            llm_query: false,
            turn_budget: None,
            llm: None,
            llm_retry: None,
            system_prompt: SystemPromptOptions::Default,
            prompt_limit: None,
            description: None,
            field_descriptions: IndexMap::new(),
            context_descriptions: IndexMap::new(),
            format_options: FormatSettings::default(),
            float_precision: None,
            compression: None,
            request_limit: None,
            thinking: false,
            signature_validation: SignatureValidation::Enabled,
            name: None,
            mission_values: MissionValues::Auto,
            output: OutputMode::PtcLisp,
            schema: None,
            builtin_tools: Vec::new(),
            max_tool_calls: None,
            plan: Vec::new(),
            fallback: true,
            validate_single_shot: false,
            max_parallel_calls: 64,
            model_options: ModelOptions::default(),
            cache: false,
            collect_messages: false,
            keep_turns: KeepTurns::Always,
            token_limit: None,
            on_budget_exceeded: OnBudgetExceeded::Fail,
        }
    }

    /// How the agent shows its history, below its number of tokens when there is one.
    #[must_use]
    pub fn compression_config(&self) -> CompressionConfig {
        crate::compression::config(self.compression.as_ref(), self.request_limit)
    }
}
