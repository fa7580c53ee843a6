//! An agent as a tool of another agent.

use ptc_lisp::{Effect, ToolSpec};

use super::{Agent, Callable, Callee, Target};
use crate::error::AgentError;
use crate::models::LlmChoice;

/// How an agent serves as a tool; what is unset here comes from the agent.
///
/// ```
/// use ptc_agent::SubagentOptions;
///
/// let options = SubagentOptions { description: Some("Prices one room".into()), ..SubagentOptions::named("pricer") };
/// assert_eq!(options.name.as_deref(), Some("pricer"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct SubagentOptions {
    /// The model to ask when the agent has none; without one, the model of the caller.
    pub llm: Option<LlmChoice>,
    /// What it does, in one line.
    pub description: Option<String>,
    /// The name after `tool/`.
    pub name: Option<String>,
    /// Whether equal calls of a run are answered once.
    pub cache: bool,
    /// Whether calls change anything outside of the run; without it they count as if they did. An agent does what its
    /// tools do: set [`Effect::Read`] for one that only reads.
    pub effect: Option<Effect>,
}

impl SubagentOptions {
    /// A tool of this name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> SubagentOptions {
        SubagentOptions { name: Some(name.into()), ..SubagentOptions::default() }
    }
}

impl Agent {
    /// This agent as a tool of another one: arguments are its context, its answer is the result.
    ///
    /// It runs one level deeper than its caller, with what the caller has left of turns and time, and with its own
    /// memory. When it ends without an answer, the caller's program gets a tool error with its message.
    ///
    /// Errors when neither the options nor the agent have a name or a description.
    ///
    /// ```
    /// use ptc_agent::{Agent, SubagentOptions};
    /// use ptc_chat::ScriptedLlm;
    ///
    /// let doubler = Agent::builder("Double {{n}}").signature("(n :int) -> :int").description("Doubles").build()?;
    /// let agent = Agent::builder("What is twice 21?").tool(doubler.as_tool(SubagentOptions::named("double"))?).build()?;
    /// let llm = ScriptedLlm::replies(["(return (tool/double {:n 21}))", "(return (* 2 data/n))"]);
    /// let step = ptc_agent::blocking::run(&agent, &llm, ())?;
    /// assert_eq!(step.value::<u32>().unwrap(), 42);
    /// assert_eq!(step.child_steps.len(), 1);
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn as_tool(&self, options: SubagentOptions) -> Result<Callable, AgentError> {
        let llm = self.definition.llm().or_else(|| options.llm.clone());
        let callee = Callee::of(self.clone(), llm);
        tool_of(callee, options)
    }
}

/// A tool with the signature of the agent that it calls.
pub(crate) fn tool_of(callee: Callee, options: SubagentOptions) -> Result<Callable, AgentError> {
    let definition = &callee.agent.definition;
    let description =
        options.description.or_else(|| definition.spec.description.clone()).filter(|text| !text.is_empty());
    let spec = ToolSpec {
        name: options.name.or_else(|| definition.spec.name.clone()).ok_or(AgentError::ToolWithoutName)?,
        description: Some(description.ok_or(AgentError::ToolWithoutDescription)?),
        signature: definition.spec.signature.clone(),
        cache: options.cache,
        ..ToolSpec::default().declared(options.effect)
    };
    Ok(Callable::new(spec, Some(Target::Agent(Box::new(callee)))))
}
