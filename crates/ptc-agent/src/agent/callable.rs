//! Everything that programs of an agent can call: host functions and other agents, under one type.

use std::fmt;
use std::sync::Arc;

use ptc_lisp::signature::Signature;
use ptc_lisp::{Tool, ToolSpec};

use super::Agent;
use super::around::Around;
use crate::models::LlmChoice;

/// What a model reads about a `self` tool when its agent has no description.
const SELF_DESCRIPTION: &str = "Invoke this agent recursively on a part of the input";

/// Something that programs of an agent can call: a host tool, or an agent turned into a tool by
/// [`Agent::as_tool`](crate::Agent::as_tool).
///
/// ```
/// use ptc_agent::Agent;
/// use ptc_lisp::{BoxFuture, Tool, ToolCall, ToolResult, ToolSpec, Value};
///
/// struct Dice(ToolSpec);
///
/// impl Tool for Dice {
///     fn spec(&self) -> &ToolSpec {
///         &self.0
///     }
///     fn call<'a>(&'a self, _: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
///         Box::pin(async { Ok(Value::Int(4)) })
///     }
/// }
///
/// let agent = Agent::builder("Roll the dice.").tool(Dice(ToolSpec::new("roll").description("Rolls"))).build()?;
/// assert_eq!(agent.tools()[0].name, "roll");
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
#[derive(Clone)]
pub struct Callable {
    spec: ToolSpec,
    /// Calls for the history of a run have no target: the run itself answers them.
    target: Option<Target>,
}

/// The target of a call.
#[derive(Clone)]
pub(crate) enum Target {
    /// A function of the host.
    Host(Arc<dyn Tool>),
    /// A run of another agent.
    Agent(Box<Callee>),
    /// A run of the agent that calls.
    Itself,
    /// One question to a model, which comes with the call.
    Query,
}

impl Target {
    /// Whether a run answers, with its own turns and calls: a single question to a model has none.
    pub fn is_agent(&self) -> bool {
        match self {
            Target::Agent(callee) => callee.around.is_none(),
            Target::Itself => true,
            Target::Host(_) | Target::Query => false,
        }
    }
}

/// An agent that can be called.
#[derive(Clone)]
pub(crate) struct Callee {
    pub agent: Agent,
    /// The model to ask; without one, that of the caller.
    pub llm: Option<LlmChoice>,
    /// The program of a compiled agent.
    pub program: Option<Arc<str>>,
    /// What a tool that asks one question does besides.
    pub around: Option<Arc<Around>>,
}

impl Callee {
    /// An agent that asks this model, else that of its caller.
    pub fn of(agent: Agent, llm: Option<LlmChoice>) -> Callee {
        Callee { agent, llm, program: None, around: None }
    }
}

impl Callable {
    /// What models and the interpreter see of the tool.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// The target of a call; `None` when the run itself answers.
    pub(crate) fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Whether a call requests the turns so far.
    pub(crate) fn is_history(&self) -> bool {
        self.target.is_none()
    }

    /// A callable with this target; without one the run itself answers.
    pub(crate) fn new(spec: ToolSpec, target: Option<Target>) -> Callable {
        Callable { spec, target }
    }

    /// The agent that calls it. Its signature replaces that of `spec`, and its description is used where `spec` has
    /// none.
    #[must_use]
    pub fn itself(spec: ToolSpec) -> Callable {
        Callable::new(ToolSpec { timeout: None, ..spec }, Some(Target::Itself))
    }

    /// The same, completed with what a `self` tool takes from its agent. `None` for one whose agent has no signature.
    pub(crate) fn finished(mut self, signature: Option<&Signature>, description: Option<&str>) -> Option<Callable> {
        if matches!(self.target, Some(Target::Itself)) {
            self.spec.signature = Some(signature?.clone());
            self.spec.description.get_or_insert_with(|| description.unwrap_or(SELF_DESCRIPTION).to_owned());
        }
        Some(self)
    }
}

impl<T: Tool + 'static> From<T> for Callable {
    fn from(tool: T) -> Self {
        Callable { spec: tool.spec().clone(), target: Some(Target::Host(Arc::new(tool))) }
    }
}

impl fmt::Debug for Callable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callable").field("spec", &self.spec).finish_non_exhaustive()
    }
}
