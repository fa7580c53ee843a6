//! Asking somebody before calls are made or programs run.

use std::fmt;
use std::sync::Arc;

use ptc_lisp::BoxFuture;
use ptc_transcript::Decision;

use crate::agent::Target;
use crate::agent::{Agent, Definition};
use crate::drive::RunOptions;
use crate::error::AgentError;
use crate::machine::PendingCall;

/// What waits for approval.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Approval {
    /// Calls of tools that are marked so, all that the program waits for at once; other calls of the batch wait with
    /// them.
    Calls(Vec<PendingCall>),
    /// A program, before anything of it ran.
    Program(PendingProgram),
}

impl Approval {
    /// Ids of what waits, one for each decision: `RUN/2/1` of a call, the number of the turn of a program. Those of an
    /// agent that is called as a tool begin with the id of that call: `RUN/2/1/1/3` of a call, `RUN/2/1/1` of a
    /// program.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        match self {
            Approval::Calls(calls) => calls.iter().map(|call| call.id.clone()).collect(),
            Approval::Program(program) => vec![program.id.clone()],
        }
    }

    /// Who asks: how callers know the agents from the run that was started down to the one that asks, `["boss",
    /// "clerk"]`; empty for the run that was started.
    #[must_use]
    pub fn path(&self) -> &[String] {
        match self {
            Approval::Calls(calls) => calls.first().map(|call| &*call.path).unwrap_or_default(),
            Approval::Program(program) => &program.path,
        }
    }

    /// The tools of the calls, one for each id; none for a program.
    pub(crate) fn tools(&self) -> Vec<Arc<str>> {
        match self {
            Approval::Calls(calls) => calls.iter().map(|call| Arc::clone(&call.call.name)).collect(),
            Approval::Program(_) => Vec::new(),
        }
    }
}

/// A program that waits for approval.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PendingProgram {
    /// The number of its turn; of an agent that is called as a tool, behind the id of that call.
    pub id: String,
    /// Who wrote it: how callers know the agents from the run that was started down to this one; empty for that run.
    pub path: Arc<[String]>,
    /// The program as the model wrote it.
    pub source: String,
}

/// What is asked about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApprovalScope {
    /// Calls of tools that are marked with [`Tool::approve`](crate::Tool::approve).
    #[default]
    Calls,
    /// Every program as a whole, before it runs; its calls are not asked about again.
    ///
    /// An agent whose answers are text writes no programs: its marked calls are asked about.
    Programs,
}

/// Decides what may run. Waiting for it costs the program no time, but counts for the deadline of the run.
///
/// Agents that are called as tools ask the same one, several at once when their calls are open at once.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, Approval, Context, Decision, RunOptions, Tool, ToolError};
/// use ptc_chat::ScriptedLlm;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Payment { euros: u32 }
///
/// let pay = Tool::new("pay", "Pays", |payment: Payment| Ok::<_, ToolError>(payment.euros)).approve();
/// let agent = Agent::builder("Pay what is open.").tool(pay).build()?;
/// let approver = |waiting: &Approval| waiting.ids().iter().map(|_| Decision::deny("not today")).collect();
/// let options = RunOptions::new()
///     .llm(Arc::new(ScriptedLlm::replies(["(tool/pay {:euros 5})", "(return (:message data/fail))"])))
///     .approval(Arc::new(approver));
/// let step = ptc_agent::blocking::run_with(&agent, Context::default(), options)?;
/// assert!(step.value::<String>().unwrap().starts_with("tool 'pay' failed: it was not allowed: not today"));
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub trait Approver: Send + Sync {
    /// One decision for each id of [`Approval::ids`], in order; what lacks one is denied.
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>>;
}

impl<F: Fn(&Approval) -> Vec<Decision> + Send + Sync> Approver for F {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move { self(waiting) })
    }
}

/// Refuse a run that would have to ask, when there is nobody.
pub(crate) fn check(definition: &Definition, options: &RunOptions) -> Result<(), AgentError> {
    if options.approval.is_some() {
        return Ok(());
    }
    if options.approval_scope == ApprovalScope::Programs {
        return Err(AgentError::ProgramApproverRequired);
    }
    let marked = marked(definition);
    if marked.is_empty() { Ok(()) } else { Err(AgentError::ApproverRequired(marked)) }
}

/// A tool whose calls somebody must allow.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkedTool {
    /// Its name.
    pub name: String,
    /// How callers know the agents down to the one that has the tool; empty for the agent that was asked.
    pub path: Vec<String>,
}

impl fmt::Display for MarkedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_slice() {
            [] => write!(f, "'{}'", self.name),
            path => write!(f, "'{}' of agent '{}'", self.name, path.join("/")),
        }
    }
}

impl Agent {
    /// The tools whose calls somebody must allow, of this agent and of all that it calls, in order.
    ///
    /// ```
    /// use ptc_agent::{Agent, AsTool, Tool, ToolError};
    ///
    /// let pay = Tool::new("pay", "Pays", |()| Ok::<_, ToolError>(5)).approve();
    /// let clerk = Agent::builder("Pay").description("Pays").tool(pay).build()?;
    /// let boss = Agent::builder("Have it paid").tool(clerk.as_tool(AsTool::named("clerk"))?).build()?;
    /// assert_eq!(boss.marked_tools()[0].to_string(), "'pay' of agent 'clerk'");
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    #[must_use]
    pub fn marked_tools(&self) -> Vec<MarkedTool> {
        marked(&self.definition)
    }
}

fn marked(definition: &Definition) -> Vec<MarkedTool> {
    let mut found = Vec::new();
    look_below(definition, &mut Vec::new(), &mut found);
    found
}

/// An agent that calls itself has no other tools then.
fn look_below(definition: &Definition, path: &mut Vec<String>, found: &mut Vec<MarkedTool>) {
    for (name, tool) in &definition.tools {
        if tool.spec().approve {
            found.push(MarkedTool { name: name.clone(), path: path.clone() });
        }
        if let Some(Target::Agent(callee)) = tool.target() {
            path.push(name.clone());
            look_below(&callee.agent.definition, path, found);
            path.pop();
        }
    }
}
