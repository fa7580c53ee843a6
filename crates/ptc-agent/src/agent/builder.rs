//! Options of an agent, and the rules they must keep.

use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{ModelOptions, OutputMode};
use ptc_compression::CompressionConfig;
use ptc_lisp::ToolSpec;
use ptc_mission::{LanguageChoice, MissionValues, PromptParts, SystemPromptOptions};
use ptc_signature::{Enums, Signature, Type};
use schemars::JsonSchema;

use super::output;
use super::placeholders::uncovered;
use super::plan::{self, PlanStep};
use super::{Agent, Definition};
use crate::error::AgentError;
use crate::models::LlmChoice;
use crate::options::{FormatSettings, LlmRetry, MemoryStrategy, SignatureValidation};
use crate::rules;
use crate::tool::{Callable, Target, builtin, query as asking_query};

/// Collects the options of an agent; [`AgentBuilder::build`] checks them all.
#[must_use]
pub struct AgentBuilder {
    pub(crate) definition: Definition,
    signature_text: Option<String>,
    result: Option<Type>,
    tools: Vec<Callable>,
    builtin_tools: Vec<String>,
    plan: Vec<PlanStep>,
}

impl AgentBuilder {
    pub(super) fn new(mission: String) -> Self {
        AgentBuilder::from_definition(Definition {
            mission,
            signature: None,
            tools: IndexMap::new(),
            max_turns: 5,
            retry_turns: 0,
            timeout: Duration::from_secs(5),
            max_heap: None,
            mission_timeout: None,
            memory_limit: Some(16 * 1024 * 1024),
            memory_strategy: MemoryStrategy::Strict,
            max_depth: 3,
            turn_budget: None,
            shared_turn_budget: false,
            llm_query: false,
            llm: None,
            llm_retry: LlmRetry::default(),
            model_options: ModelOptions::default(),
            system_prompt: SystemPromptOptions::Default,
            prompt_limit: None,
            name: None,
            description: None,
            field_descriptions: IndexMap::new(),
            context_descriptions: IndexMap::new(),
            format: FormatSettings::default(),
            float_precision: None,
            compression: CompressionConfig::default(),
            thinking: false,
            mission_values: MissionValues::Auto,
            signature_validation: SignatureValidation::Enabled,
            validate_single_shot: false,
            fallback: true,
            output: OutputMode::PtcLisp,
            schema: None,
            max_tool_calls: None,
            plan: IndexMap::new(),
        })
    }

    pub(super) fn from_definition(mut definition: Definition) -> Self {
        // `build` adds the tool of `llm_query` again, if it is still wanted.
        let tools = std::mem::take(&mut definition.tools)
            .into_values()
            .filter(|tool| !matches!(tool.target(), Some(Target::Query)))
            .collect();
        let plan = std::mem::take(&mut definition.plan).into_iter().map(PlanStep::from).collect();
        AgentBuilder { definition, signature_text: None, result: None, tools, builtin_tools: Vec::new(), plan }
    }

    /// `(name type, …) -> type`, or the type of the result alone: then the inputs are not declared.
    pub fn signature(mut self, text: impl Into<String>) -> Self {
        self.signature_text = Some(text.into());
        self
    }

    /// The type of the result is that of `T`; read it back with [`Step::value`](ptc_transcript::Step::value).
    pub fn returns<T: JsonSchema>(mut self) -> Self {
        let schema = schemars::schema_for!(T).to_value();
        self.result = Some(Type::from_json_schema(&schema, Enums::Keyword));
        self
    }

    /// A tool that programs may call: a [`Tool`](crate::Tool) over a Rust function, an agent made one by
    /// [`Agent::as_tool`], or any other implementation.
    pub fn tool(mut self, tool: impl Into<Callable>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// A tool of this name that runs the agent itself on other input, one level deeper. Needs a signature.
    pub fn self_tool(self, name: impl Into<String>) -> Self {
        self.tool(Callable::itself(ToolSpec::new(name)))
    }

    /// Several tools.
    pub fn tools<T: Into<Callable>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// Work turns: answers of the model before it must have returned. Default 5.
    pub fn max_turns(mut self, turns: usize) -> Self {
        self.definition.max_turns = turns;
        self
    }

    /// Further turns, used only after the work turns, to correct a refused value. Default 0.
    pub fn retry_turns(mut self, turns: usize) -> Self {
        self.definition.retry_turns = turns;
        self
    }

    /// Interpreter time of one program; waiting for tools does not count. Default 5 s.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.definition.timeout = time;
        self
    }

    /// Bytes of live values that one program may hold. Default 256 MB.
    pub fn max_heap(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.definition.max_heap = bytes.into();
        self
    }

    /// Time of a whole run. Default none.
    pub fn mission_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.definition.mission_timeout = time.into();
        self
    }

    /// Bytes of definitions that may survive a turn. Default 16 MiB.
    pub fn memory_limit(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.definition.memory_limit = bytes.into();
        self
    }

    /// What happens above `memory_limit`. Default strict.
    pub fn memory_strategy(mut self, strategy: MemoryStrategy) -> Self {
        self.definition.memory_strategy = strategy;
        self
    }

    /// Turns of the run and everything it starts. Default: the larger of 20 and `max_turns + retry_turns`.
    pub fn turn_budget(mut self, turns: usize) -> Self {
        self.definition.turn_budget = Some(turns);
        self
    }

    /// Levels of agents that call agents, this one included. Default 3; the lowest of a tree holds.
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.definition.max_depth = levels;
        self
    }

    /// Whether this agent and all that it calls draw on one turn budget. Default no: each child may use what its caller
    /// had left when it called, whatever other children used.
    pub fn shared_turn_budget(mut self, shared: bool) -> Self {
        self.definition.shared_turn_budget = shared;
        self
    }

    /// The model to ask when a run names none: a client, or a name in the registry of the run.
    pub fn llm(mut self, llm: impl Into<LlmChoice>) -> Self {
        self.definition.llm = Some(llm.into());
        self
    }

    /// What to do when a call of the model fails. Default: one attempt.
    pub fn llm_retry(mut self, retry: LlmRetry) -> Self {
        self.definition.llm_retry = retry;
        self
    }

    /// How the model should sample.
    pub fn model_options(mut self, options: ModelOptions) -> Self {
        self.definition.model_options = options;
        self
    }

    /// What to change about the system text.
    pub fn system_prompt(mut self, options: SystemPromptOptions) -> Self {
        self.definition.system_prompt = options;
        self
    }

    /// The language text that the model reads: a size (`lean`, the default, `full` or `minimal`), another key or the
    /// text itself. In place of a whole text that [`AgentBuilder::system_prompt`] gave before.
    ///
    /// ```
    /// use ptc_agent::Agent;
    ///
    /// let agent = |size| Agent::builder("Count the rooms.").language_spec(size).build();
    /// assert!(agent("full")?.system_prompt()?.text.contains("## Frequent mistakes"));
    /// assert!(agent("larger").is_err());
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn language_spec(mut self, choice: impl Into<LanguageChoice>) -> Self {
        let parts = PromptParts { language_spec: Some(choice.into()), ..PromptParts::default() };
        self.definition.system_prompt = match self.definition.system_prompt {
            SystemPromptOptions::Parts(given) => {
                SystemPromptOptions::Parts(PromptParts { language_spec: parts.language_spec, ..given })
            }
            _ => SystemPromptOptions::Parts(parts),
        };
        self
    }

    /// Characters of the system text; the rest is cut. Default none.
    pub fn prompt_limit(mut self, max_chars: impl Into<Option<usize>>) -> Self {
        self.definition.prompt_limit = max_chars.into();
        self
    }

    /// A label for records.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.definition.name = Some(name.into());
        self
    }

    /// What the agent does, in one line.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.definition.description = Some(text.into());
        self
    }

    /// What the fields of the result mean.
    pub fn field_descriptions<N: Into<String>, T: Into<String>>(
        mut self,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Self {
        self.definition.field_descriptions = texts.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
        self
    }

    /// What the keys of the input mean.
    pub fn context_descriptions<N: Into<String>, T: Into<String>>(
        mut self,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Self {
        self.definition.context_descriptions =
            texts.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
        self
    }

    /// How much of values and output is shown.
    pub fn format_options(mut self, options: FormatSettings) -> Self {
        self.definition.format = options;
        self
    }

    /// Decimals that floats of the answer are rounded to. Default none: they stay as they are.
    pub fn float_precision(mut self, decimals: impl Into<Option<u32>>) -> Self {
        self.definition.float_precision = decimals.into();
        self
    }

    /// How history is shown: `true`, `false`, or a strategy with its options. Default `false`.
    pub fn compression(mut self, config: impl Into<CompressionConfig>) -> Self {
        self.definition.compression = config.into();
        self
    }

    /// Whether the model may write text before its program. Default no.
    pub fn thinking(mut self, allowed: bool) -> Self {
        self.definition.thinking = allowed;
        self
    }

    /// Whether placeholders show values or point to `data/`. Default: short values, else a pointer.
    pub fn mission_values(mut self, values: MissionValues) -> Self {
        self.definition.mission_values = values;
        self
    }

    /// How strictly inputs and results are held against the signature. Default enabled.
    pub fn signature_validation(mut self, validation: SignatureValidation) -> Self {
        self.definition.signature_validation = validation;
        self
    }

    /// Whether the value of a single-shot agent must fit the signature too. Default no: nothing could be corrected.
    pub fn validate_single_shot(mut self, validate: bool) -> Self {
        self.definition.validate_single_shot = validate;
        self
    }

    /// Whether the value of the last good turn is the answer when the turns are used up. Default yes.
    pub fn fallback(mut self, allowed: bool) -> Self {
        self.definition.fallback = allowed;
        self
    }

    /// What the model writes: programs, JSON of the type of the result, or text. Default programs.
    ///
    /// Text with a type other than `:string` is read as JSON. Retry turns, memory and compression are for programs.
    pub fn output(mut self, mode: OutputMode) -> Self {
        self.definition.output = mode;
        self
    }

    /// A JSON Schema to send instead of the one of the signature.
    pub fn schema(mut self, schema: serde_json::Value) -> Self {
        self.definition.schema = Some(schema);
        self
    }

    /// Calls of tools in text mode, over the whole run; further ones are refused. Default none.
    pub fn max_tool_calls(mut self, calls: impl Into<Option<usize>>) -> Self {
        self.definition.max_tool_calls = calls.into();
        self
    }

    /// Whether programs may ask a model one question at a time, with the tool `llm-query`. Default no.
    pub fn llm_query(mut self, offered: bool) -> Self {
        self.definition.llm_query = offered;
        self
    }

    /// Families of tools that come with the library:
    ///
    /// - `grep`: `grep` and `grep-n`, which search the lines of a text
    /// - `history`: what earlier turns did, as data, however history is shown to the model. `(tool/history)` gives a
    ///   map `{:turn :program :result :prints :tool-calls :error}` for each turn, `(tool/history {:turn 2})` one of
    ///   them
    pub fn builtin_tools<F: Into<String>>(mut self, families: impl IntoIterator<Item = F>) -> Self {
        self.builtin_tools = families.into_iter().map(Into::into).collect();
        self
    }

    /// Steps of the mission, shown as a checklist that `(step-done id summary)` ticks: texts, or pairs of id and text.
    ///
    /// ```
    /// let agent = ptc_agent::Agent::builder("Price all rooms.").plan(["Look up the rooms", "Add the prices"]).build()?;
    /// let first = agent.preview_prompt(())?.messages[0].content().into_owned();
    /// assert!(first.ends_with("- [ ] **1.** Look up the rooms\n- [ ] **2.** Add the prices"));
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn plan<S: Into<PlanStep>>(mut self, steps: impl IntoIterator<Item = S>) -> Self {
        self.plan = steps.into_iter().map(Into::into).collect();
        self
    }

    /// Check everything; the first broken rule is the error.
    pub fn build(self) -> Result<Agent, AgentError> {
        let AgentBuilder { mut definition, signature_text, result, tools, builtin_tools, plan } = self;
        if let Some(text) = signature_text {
            definition.signature = Some(Signature::parse(&text)?);
        }
        if let Some(result) = result {
            let params = definition.signature.as_ref().filter(|known| known.declares_params());
            definition.signature = Some(Signature::new(params.map(|known| known.params().to_vec()), result));
        }
        for tool in tools {
            let tool = tool.finished(definition.signature.as_ref(), definition.description.as_deref());
            add_tool(&mut definition.tools, tool.ok_or(AgentError::SelfToolWithoutSignature)?)?;
        }
        let query = definition.llm_query.then(asking_query);
        for tool in builtin::tools(&builtin_tools)?.into_iter().chain(query) {
            // A tool of the host wins over ours of the same name.
            if !definition.tools.contains_key(&tool.spec().name) {
                add_tool(&mut definition.tools, tool)?;
            }
        }
        check_numbers(&definition)?;
        definition.plan = plan::checked(&plan)?;
        if definition.description.as_deref() == Some("") {
            return Err(AgentError::EmptyDescription);
        }
        let uncovered = uncovered(&definition.mission, definition.signature.as_ref());
        if !uncovered.is_empty() {
            return Err(AgentError::UncoveredPlaceholders(uncovered));
        }
        output::check(&definition)?;
        Agent::new(definition)
    }
}

fn add_tool(tools: &mut IndexMap<String, Callable>, tool: Callable) -> Result<(), AgentError> {
    let name = tool.spec().name.clone();
    rules::tool_name(&name)?;
    if tools.contains_key(&name) {
        return Err(AgentError::DuplicateTool(name));
    }
    tools.insert(name, tool);
    Ok(())
}

fn check_numbers(definition: &Definition) -> Result<(), AgentError> {
    let broken = [
        (definition.max_turns == 0, AgentError::MaxTurns),
        (definition.timeout.is_zero(), AgentError::Timeout),
        (definition.max_heap == Some(0), AgentError::MaxHeap),
        (definition.mission_timeout == Some(Duration::ZERO), AgentError::MissionTimeout),
        (definition.memory_limit == Some(0), AgentError::MemoryLimit),
        (definition.max_depth == 0, AgentError::MaxDepth),
        (definition.turn_budget == Some(0), AgentError::TurnBudget),
        (definition.llm_retry.max_attempts == 0, AgentError::LlmRetry),
    ];
    broken.into_iter().find_map(|(is_broken, error)| is_broken.then_some(Err(error))).unwrap_or(Ok(()))
}
