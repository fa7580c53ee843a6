//! Builders of agents, and the rules that agents must keep. The setters of single options are in the table of
//! [`AgentSpec`].

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{Llm, ModelOptions, OutputMode};
use ptc_compression::CompressionConfig;
use ptc_lisp::signature::{Enums, Signature, Type};
use ptc_lisp::text::nearest;
use ptc_lisp::{ToolSpec, Value};
use ptc_mission::{LanguageChoice, MissionValues, PromptParts, SystemPromptOptions};
use ptc_transcript::typed_value;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::output;
use super::placeholders::uncovered;
use super::{Agent, AnswerCheck, Callable, Definition, Target, asking, builtin};
use crate::error::AgentError;
use crate::models::LlmChoice;
use crate::rules;
use crate::spec::agent::agent_rows;
use crate::spec::{AgentSpec, FormatSettings, LlmRetry, MemoryStrategy, PlanStep, SignatureValidation};

/// Collects the options of an agent; [`AgentBuilder::build`] checks them all.
///
/// ```
/// use ptc_agent::{Agent, FnTool, ToolError};
///
/// let rate = FnTool::new("rate", "Euros for a night", || Ok::<_, ToolError>(90));
/// let agent = Agent::builder("What do {{nights}} nights cost?").tool(rate).returns::<u32>().max_turns(3).build()?;
/// assert_eq!(agent.spec().max_turns, 3);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
#[must_use]
pub struct AgentBuilder {
    pub(crate) spec: AgentSpec,
    signature_text: Option<String>,
    result: Option<Type>,
    tools: Vec<Callable>,
    llm: Option<Arc<dyn Llm>>,
    plan: Option<Vec<PlanStep>>,
    answer_check: Option<AnswerCheck>,
    /// That of the agent which this builder changes: it belongs to the type that the agent has.
    earlier_check: Option<AnswerCheck>,
}

impl From<AgentSpec> for AgentBuilder {
    fn from(spec: AgentSpec) -> AgentBuilder {
        AgentBuilder {
            spec,
            signature_text: None,
            result: None,
            tools: Vec::new(),
            llm: None,
            plan: None,
            answer_check: None,
            earlier_check: None,
        }
    }
}

impl Agent {
    /// An agent for this mission; `{{name}}` stands for input.
    pub fn builder(mission: impl Into<String>) -> AgentBuilder {
        AgentSpec::new(mission).into()
    }

    /// A builder that starts from this agent, to change single options.
    pub fn to_builder(&self) -> AgentBuilder {
        let Definition { spec, tools, llm, answer_check } = (*self.definition).clone();
        // `build` adds the tool of `llm_query` again, if it is still wanted.
        let is_query = |tool: &Callable| matches!(tool.target(), Some(Target::Query));
        let tools = tools.into_values().filter(|tool| !is_query(tool)).collect();
        AgentBuilder { tools, llm, earlier_check: answer_check, ..AgentBuilder::from(spec) }
    }

    /// The same agent with other options, for single runs: everything that the builder sets can be changed.
    ///
    /// Errors when the options break a rule.
    ///
    /// ```
    /// use ptc_agent::Agent;
    ///
    /// let agent = Agent::builder("Count the rooms.").build()?;
    /// let patient = agent.adjusted(|agent| agent.max_turns(20).compression(true))?;
    /// assert_eq!((agent.spec().max_turns, patient.spec().max_turns), (5, 20));
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn adjusted(&self, change: impl FnOnce(AgentBuilder) -> AgentBuilder) -> Result<Agent, AgentError> {
        change(self.to_builder()).build()
    }
}

impl AgentBuilder {
    /// `(name type, …) -> type`, or the type of the result alone: then the inputs are not declared.
    pub fn signature(mut self, text: impl Into<String>) -> Self {
        self.signature_text = Some(text.into());
        self
    }

    /// The type of the result is that of `T`; read it back with [`Step::value`](ptc_transcript::Step::value).
    ///
    /// The model reads names and types of fields with their limits, formats and doc comments, variants of an enum without fields as
    /// keywords and others as alternatives, and texts in `field_descriptions`. Nil for a field with `#[serde(default)]` is as good as a missing
    /// one. An answer that does not deserialise is refused with the words of
    /// serde, as [`AgentBuilder::check_answer`] says: in runs of a single turn, too.
    ///
    /// ```
    /// use ptc_agent::{Agent, blocking};
    /// use ptc_chat::ScriptedLlm;
    ///
    /// let agent = Agent::builder("How many nights?").returns::<u8>().build()?;
    /// let llm = ScriptedLlm::replies(["(return 300)", "(return 3)"]);
    /// assert_eq!(blocking::run(&agent, &llm, ())?.value::<u8>().unwrap(), 3);
    /// assert!(llm.requests()[1].messages[2].content().contains("- expected 0 to 255, got 300"));
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn returns<T: JsonSchema + DeserializeOwned>(mut self) -> Self {
        let schema = schemars::schema_for!(T).to_value();
        self.result = Some(Type::from_json_schema(&schema, Enums::Keyword));
        self.check_answer(|value| typed_value::<T>(value).map(drop).map_err(|error| error.to_string()))
    }

    /// Ask this about each answer that fits the signature, in place of an earlier check. The text of an error is what the model
    /// shall correct: the answer is refused, and the model may give another one while it has turns.
    ///
    /// - Answers of runs of a single turn are then checked against signature and check, too; a wrong one ends the run with
    ///   `validation_error`.
    /// - Nothing is checked where `signature_validation` is `disabled` or `warn_only`.
    /// - The check must depend on the value alone: a run that is resumed or replayed asks it again.
    /// - A new type of the result, given to a changed copy of the agent, ends the check.
    ///
    /// ```
    /// use ptc_agent::{Agent, blocking};
    /// use ptc_chat::ScriptedLlm;
    /// use ptc_lisp::Value;
    ///
    /// let even = |value: &Value| match value {
    ///     Value::Int(n) if n % 2 != 0 => Err("the number must be even".to_owned()),
    ///     _ => Ok(()),
    /// };
    /// let agent = Agent::builder("Give a number.").signature(":int").check_answer(even).build()?;
    /// let llm = ScriptedLlm::replies(["(return 3)", "(return 4)"]);
    /// assert_eq!(blocking::run(&agent, &llm, ())?.value::<u32>().unwrap(), 4);
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn check_answer(mut self, check: impl Fn(&Value) -> Result<(), String> + Send + Sync + 'static) -> Self {
        self.answer_check = Some(Arc::new(check));
        self
    }

    /// A tool that programs may call: a [`FnTool`](crate::FnTool) over a Rust function, an agent turned into a tool by
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

    /// The model to ask when a run names none: a client, or a name in the registry of the run.
    pub fn llm(mut self, llm: impl Into<LlmChoice>) -> Self {
        (self.llm, self.spec.llm) = match llm.into() {
            LlmChoice::Client(llm) => (Some(llm), None),
            LlmChoice::Named(name) => (None, Some(name)),
        };
        self
    }

    /// The language text that the model reads: a size (`lean`, the default, `full`, `brief` or `minimal`), another key or the
    /// text itself. Replaces a whole text set before with [`AgentBuilder::system_prompt`].
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
        let mut parts = match self.spec.system_prompt {
            SystemPromptOptions::Parts(given) => given,
            _ => PromptParts::default(),
        };
        parts.language_spec = Some(choice.into());
        self.spec.system_prompt = SystemPromptOptions::Parts(parts);
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
        self.plan = Some(steps.into_iter().map(Into::into).collect());
        self
    }

    /// Check everything; the first broken rule is the error.
    pub fn build(self) -> Result<Agent, AgentError> {
        let AgentBuilder { mut spec, signature_text, result, tools, llm, plan, answer_check, earlier_check } = self;
        let keeps_type = signature_text.is_none() && result.is_none();
        let answer_check = answer_check.or(earlier_check.filter(|_| keeps_type));
        if let Some(text) = signature_text {
            spec.signature = Some(super::signature(&text)?);
        }
        if let Some(result) = result {
            let params = spec.signature.as_ref().filter(|known| known.declares_params());
            spec.signature = Some(Signature::new(params.map(|known| known.params().to_vec()), result));
        }
        let tools = all_tools(&spec, tools)?;
        spec.check()?;
        if let Some(plan) = plan {
            spec.plan = rules::plan(&plan)?;
        }
        let names = uncovered(&spec.mission, spec.signature.as_ref());
        if let Some(first) = names.first() {
            let params = spec.signature.iter().flat_map(|signature| signature.params());
            let nearest = nearest(first, params.map(|param| param.name.as_str())).map(str::to_owned);
            return Err(AgentError::UncoveredPlaceholders { names, nearest });
        }
        let definition = Definition { spec, tools, llm, answer_check };
        output::check(&definition)?;
        Agent::new(definition)
    }
}

/// The tools by name, those of the library after those of the host.
fn all_tools(spec: &AgentSpec, given: Vec<Callable>) -> Result<IndexMap<String, Callable>, AgentError> {
    let mut tools = IndexMap::new();
    // An agent made from one that writes programs may have another output.
    let writes_programs = spec.output == OutputMode::PtcLisp;
    for tool in given.into_iter().filter(|tool| writes_programs || !builtin::is_unlisted_history(tool)) {
        let tool = tool.finished(spec.signature.as_ref(), spec.description.as_deref());
        add_tool(&mut tools, tool.ok_or(AgentError::SelfToolWithoutSignature)?)?;
    }
    let query = spec.llm_query.then(asking::query);
    let history = names_history(spec).then(builtin::unlisted_history);
    for tool in builtin::tools(&spec.builtin_tools)?.into_iter().chain(query).chain(history) {
        // A tool of the host wins over ours of the same name.
        if !tools.contains_key(&tool.spec().name) {
            add_tool(&mut tools, tool)?;
        }
    }
    Ok(tools)
}

/// Whether requests name `(tool/history)`.
fn names_history(spec: &AgentSpec) -> bool {
    let writes_programs = spec.output == OutputMode::PtcLisp;
    let is_active = writes_programs && spec.compression.is_active(spec.max_turns, spec.retry_turns);
    is_active && spec.compression.strategy().is_some_and(|strategy| strategy.names_history())
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

// After the rest, so that documentation begins with tools and signatures.
agent_rows!(setters AgentBuilder);
