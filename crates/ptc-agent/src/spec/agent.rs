//! Instructions and limits of an agent.

use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{ModelOptions, OutputMode};
use ptc_compression::{CompressionConfig, TOOL_TOKENS};
use ptc_lisp::Limits;
use ptc_lisp::signature::{Signature, Type};
use ptc_mission::{MissionValues, SystemPromptOptions};
use serde_json::Value as Json;

use super::choice::names;
use super::enums::{MemoryStrategy, SignatureValidation};
use super::format::FormatSettings;
use super::retry::LlmRetry;
use super::row::OptionKind;
use crate::error::AgentError;

/// Bytes of live values that one program may hold.
const PROGRAM_MEMORY: u64 = 256 * 1024 * 1024;

/// The rows of agents, handed to a macro: they make the struct here and the setters where the builder is.
macro_rules! agent_rows {
    ($make:ident $($Builder:ident)?) => { $crate::spec::table::$make! { $($Builder:)?
    /// Instructions and limits of an agent, as data: an agent without its tools and its model.
    ///
    /// ```
    /// use ptc_agent::{AgentBuilder, AgentSpec};
    ///
    /// let mut spec = AgentSpec::new("Count the rooms.");
    /// spec.max_turns = 3;
    /// assert_eq!(AgentBuilder::from(spec).build()?.spec().max_turns, 3);
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    #[derive(Debug, Clone)]
    #[non_exhaustive]
    pub struct AgentSpec {
        /// What to do; `{{name}}` stands for input.
        mission: String = String::new(), OptionKind::Text, own;
        /// `(name type, …) -> type`, or only the type of the result, without declared inputs.
        signature: Option<Signature> = None, OptionKind::Own("text"), own;
        /// Maximum number of model turns, retry turns excluded.
        max_turns: usize = 5, OptionKind::POSITIVE, value;
        /// Further turns, after the work turns, in which the model may only correct a refused value.
        retry_turns: usize = 0, OptionKind::ANY, value;
        /// Interpreter time of one program, without time spent waiting for tools.
        timeout: Duration = Duration::from_secs(5), OptionKind::Time, value, course;
        /// Maximum bytes of live values in one program; 256 MB by default.
        max_heap: Option<u64> = None, OptionKind::Bytes, into, course;
        /// Maximum units of work of one program: one for each call, loop iteration and element that a function
        /// processes; 100,000,000 by default.
        fuel: Option<u64> = None, OptionKind::UNITS, into, course;
        /// Maximum depth of nested calls in one program; 10,000 by default.
        call_depth: Option<usize> = None, OptionKind::POSITIVE, into, course;
        /// Maximum bytes of the source of one program; 131,072 by default.
        source_bytes: Option<usize> = None, OptionKind::Bytes, into, course;
        /// Maximum time of a whole run.
        mission_timeout: Option<Duration> = None, OptionKind::Time, into;
        /// Maximum bytes of the definitions that survive a turn.
        memory_limit: Option<u64> = Some(16 * 1024 * 1024), OptionKind::Bytes, into, course;
        /// What happens above `memory_limit`.
        memory_strategy: MemoryStrategy = MemoryStrategy::Strict,
            OptionKind::Choice { what: "memory_strategy", names: names::<MemoryStrategy> }, value, course;
        /// Maximum nesting of agents, this one included. The lowest limit in a tree applies.
        max_depth: usize = 3, OptionKind::POSITIVE, value;
        /// Maximum turns of the run and of all agents that it calls; by default the larger of 20 and `max_turns +
        /// retry_turns`.
        turn_budget: Option<usize> = None, OptionKind::POSITIVE, into, course;
        /// Whether this agent and all that it calls share one turn budget. If not, each child gets what its caller had
        /// left at the call, whatever other children used.
        shared_turn_budget: bool = false, OptionKind::Flag, value;
        /// The model for runs that name none, by its name in the registry of the run.
        llm: Option<String> = None, OptionKind::Text, own;
        /// Retries of failed model calls; one attempt by default, three in `ptc run`.
        llm_retry: Option<LlmRetry> = None, OptionKind::Table(LlmRetry::OPTIONS), into;
        /// Changes to the system text.
        system_prompt: SystemPromptOptions = SystemPromptOptions::Default, OptionKind::Own("text, `{ file = \"…\" }`, or table of `prefix`, `suffix`, `language_spec` and `output_format`"), value;
        /// Maximum characters of the system text; the rest is cut.
        prompt_limit: Option<usize> = None, OptionKind::Own("table of `max_chars`"), into;
        /// What the agent does, in one line.
        description: Option<String> = None, OptionKind::Line, (some into String);
        /// What the fields of the result mean.
        field_descriptions: IndexMap<String, String> = IndexMap::new(), OptionKind::Texts, texts, course;
        /// What the keys of the input mean.
        context_descriptions: IndexMap<String, String> = IndexMap::new(), OptionKind::Texts, texts, course;
        /// How much of values and output is shown.
        #[serde(alias = "format")]
        format_options: FormatSettings = FormatSettings::default(), OptionKind::Table(FormatSettings::OPTIONS), value, course;
        /// Decimals to which floats of the answer are rounded; no rounding by default.
        float_precision: Option<u32> = None, OptionKind::ANY, into, course;
        /// How history is shown: `true`, `false`, or a strategy with its options.
        compression: CompressionConfig = CompressionConfig::default(), OptionKind::Own("`true`, `false`, name or table"), into;
        /// Whether the model may write text before its program.
        thinking: bool = false, OptionKind::Flag, value, course;
        /// Whether a grammar restricts the model to programs that pass the static check. For servers that accept
        /// grammars (llama.cpp, vLLM), with output ptc_lisp and without `thinking`.
        grammar: bool = false, OptionKind::Flag, value, course;
        /// What the model writes: programs, JSON of the type of the result, or text.
        ///
        /// Text with a type other than `:string` is read as JSON. Retry turns, memory and compression are for programs.
        output: OutputMode = OutputMode::PtcLisp,
            OptionKind::Choice { what: "output mode", names: names::<OutputMode> }, value, course;
        /// A JSON Schema to send instead of the one derived from the signature.
        schema: Option<Json> = None, OptionKind::Own("table"), into, course;
        /// Whether programs may ask a model one question at a time, with the tool `llm-query`.
        llm_query: bool = false, OptionKind::Flag, value, course;
        /// Families of built-in tools. `grep`: `grep` and `grep-n` search the lines of a text. `history`: earlier turns
        /// as data, however history is shown to the model. `(tool/history)` returns a map `{:turn :program :result
        /// :prints :tool-calls :error}` for each turn, `(tool/history {:turn 2})` one of them.
        builtin_tools: Vec<String> = Vec::new(), OptionKind::Own("list of names"), list;
        /// Texts of the planned steps by id.
        plan: IndexMap<String, String> = IndexMap::new(), OptionKind::Own("list of texts, or of lists of id and text"), own, course;
        /// How strictly inputs and results are validated against the signature.
        signature_validation: SignatureValidation = SignatureValidation::Enabled,
            OptionKind::Choice { what: "signature_validation", names: names::<SignatureValidation> }, value, course;
        /// A label for records.
        name: Option<String> = None, OptionKind::Text, (some into String);
        /// Whether placeholders show values or point to `data/`; by default short values are shown.
        mission_values: MissionValues = MissionValues::Auto,
            OptionKind::Choice { what: "mission_values", names: names::<MissionValues> }, value;
        /// Whether the model sees sample values of data and definitions, besides names and types. It always sees what
        /// programs print and what placeholders of the mission show.
        samples: bool = true, OptionKind::Flag, value, course;
        /// Maximum tokens of the list of tools in a request, at four characters each. A longer list has one sentence of
        /// each description, then only names with half a line each: `(doc tool/NAME)` prints the rest.
        tool_tokens: usize = TOOL_TOKENS, OptionKind::ANY, value, course;
        /// Whether the value of the last successful turn becomes the answer when the turns are used up.
        fallback: bool = true, OptionKind::Flag, value, course;
        /// Whether the value of a single-shot agent must also fit the signature, although the model cannot correct it.
        validate_single_shot: bool = false, OptionKind::Flag, value, course;
        /// Sampling parameters of the model.
        model_options: ModelOptions = ModelOptions::default(), OptionKind::Own("table of `temperature`, `max_output_tokens`, `stop`, `seed`, `reasoning_effort` and `extra`"), value, course;
        /// Maximum tool calls of a run in text mode; further ones are refused.
        max_tool_calls: Option<usize> = None, OptionKind::ANY, into, course;
    }
    } };
}

agent_rows!(options);
pub(crate) use agent_rows;

impl AgentSpec {
    /// The defaults, for this mission.
    #[must_use]
    pub fn new(mission: impl Into<String>) -> AgentSpec {
        AgentSpec { mission: mission.into(), ..AgentSpec::default() }
    }

    /// Errors with the first option whose value breaks its rule.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        for row in AgentSpec::OPTIONS.iter().filter(|row| row.is_bounded()) {
            let value = self.get(row.name).map_err(|error| AgentError::Option(format!("{}: {error}", row.name)))?;
            if let Some(problem) = row.broken_by(&value) {
                return Err(AgentError::Option(problem));
            }
        }
        let allows = self.llm_retry.as_ref().is_none_or(|retry| retry.max_attempts > 0);
        let problem = || AgentError::Option("llm_retry.max_attempts must be an integer above 0".to_owned());
        allows.then_some(()).ok_or_else(problem)
    }

    pub(crate) fn turn_budget(&self) -> usize {
        self.turn_budget.unwrap_or_else(|| self.max_turns.saturating_add(self.retry_turns).max(20))
    }

    /// The limits of one program.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let common = Limits::default();
        Limits {
            fuel: self.fuel.unwrap_or(common.fuel),
            memory: self.max_heap.unwrap_or(PROGRAM_MEMORY),
            time: self.timeout,
            depth: self.call_depth.unwrap_or(common.depth),
            source_bytes: self.source_bytes.unwrap_or(common.source_bytes),
            print_chars: self.format_options.max_print_length.unwrap_or_else(|| self.compression.print_chars()),
            prints: self.format_options.max_prints.unwrap_or(common.prints),
            ..common
        }
    }

    /// Whether the answer in text mode is used as it is.
    pub(crate) fn answers_text(&self) -> bool {
        self.signature.as_ref().is_none_or(|signature| *signature.result().shape() == Type::String)
    }
}
