//! Asking for approval before calls are made or programs run.

mod desk;

use std::fmt;
use std::sync::Arc;

use ptc_lisp::{BoxFuture, ToolCall};
use ptc_transcript::Decision;

pub use desk::{ApprovalDesk, NothingWaits};

/// What waits for approval.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Approval {
    /// Calls of marked tools, all that the program waits for together; other calls of the batch wait with them.
    Calls(Vec<PendingCall>),
    /// A program, before any part of it ran.
    Program(PendingProgram),
}

impl Approval {
    /// Ids of what waits, one for each decision: `RUN/2/1` for a call, the number of the turn for a program. Those of
    /// an agent called as a tool begin with the id of that call: `RUN/2/1/1/3` of a call, `RUN/2/1/1` of a program.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        match self {
            Approval::Calls(calls) => calls.iter().map(|call| call.id.clone()).collect(),
            Approval::Program(program) => vec![program.id.clone()],
        }
    }

    /// Who asks: the agents from the started run down to the one that asks, by the names that their callers use,
    /// `["boss", "clerk"]`; empty for the started run.
    #[must_use]
    pub fn path(&self) -> &[String] {
        match self {
            Approval::Calls(calls) => calls.first().map(|call| &*call.path).unwrap_or_default(),
            Approval::Program(program) => &program.path,
        }
    }

    /// What waits one by one, each with one id.
    #[must_use]
    pub fn one_by_one(&self) -> Vec<Approval> {
        match self {
            Approval::Calls(calls) => calls.iter().map(|call| Approval::Calls(vec![call.clone()])).collect(),
            Approval::Program(_) => vec![self.clone()],
        }
    }

    /// The tools of the calls, one per id; none for a program.
    pub(crate) fn tools(&self) -> Vec<Arc<str>> {
        match self {
            Approval::Calls(calls) => calls.iter().map(|call| Arc::clone(&call.call.name)).collect(),
            Approval::Program(_) => Vec::new(),
        }
    }
}

/// A call that waits for its result.
#[derive(Debug, Clone)]
pub struct PendingCall {
    /// Run, turn and number of the call within the turn, `8c1f/2/1`: the same each time this run is repeated. The
    /// first part is [`RunOptions::run_id`](crate::RunOptions::run_id), else a generated one.
    pub id: String,
    /// Who calls: the agents from the started run down to the one that calls, by the names that their callers use,
    /// `["boss", "clerk"]`; empty for the started run.
    pub path: Arc<[String]>,
    /// The tool and its arguments.
    pub call: ToolCall,
}

/// A program that waits for approval.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PendingProgram {
    /// The number of its turn; for an agent called as a tool, after the id of that call.
    pub id: String,
    /// Who wrote it: the agents from the started run down to this one, by the names that their callers use; empty for
    /// that run.
    pub path: Arc<[String]>,
    /// The program as the model wrote it.
    pub source: String,
}

/// What needs approval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApprovalScope {
    /// Calls of tools that are marked with [`FnTool::approve`](crate::FnTool::approve).
    #[default]
    Calls,
    /// Every program as a whole, before it runs; its calls need no further approval.
    ///
    /// An agent whose answers are text writes no programs: its marked calls need approval.
    Programs,
}

/// Decides what may run. Waiting for it costs the program no time, but counts toward the deadline of the run.
///
/// Agents called as tools ask the same approver, several at once when their calls are in flight together.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, Approval, Decision, RunOptions, FnTool, ToolError};
/// use ptc_chat::ScriptedLlm;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Payment { euros: u32 }
///
/// let pay = FnTool::new("pay", "Pays", |payment: Payment| Ok::<_, ToolError>(payment.euros)).approve();
/// let agent = Agent::builder("Pay what is open.").tool(pay).build()?;
/// let approver = |waiting: &Approval| waiting.ids().iter().map(|_| Decision::deny("not today")).collect();
/// let options = RunOptions::new()
///     .llm(Arc::new(ScriptedLlm::replies(["(tool/pay {:euros 5})", "(return (:message data/fail))"])))
///     .approval(Arc::new(approver));
/// let step = ptc_agent::blocking::run_with(&agent, (), options)?;
/// assert!(step.value::<String>().unwrap().starts_with("tool 'pay' failed: it was not allowed: not today"));
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub trait Approver: Send + Sync {
    /// One decision per id of [`Approval::ids`], in order; items without a decision are denied.
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>>;

    /// The same, and `decided` hears of each decision as it comes, by its place in [`Approval::ids`]: for approvers that
    /// decide one by one. The journal then has a decision while others are awaited, so that a run which is stopped
    /// meanwhile and resumed does not ask about it again.
    fn decide_each<'a>(&'a self, waiting: &'a Approval, decided: &'a OnDecision<'a>) -> BoxFuture<'a, Vec<Decision>> {
        let _ = decided;
        self.decide(waiting)
    }
}

/// Hears a decision, by its place in [`Approval::ids`].
pub type OnDecision<'a> = dyn Fn(usize, &Decision) + Send + Sync + 'a;

impl<F: Fn(&Approval) -> Vec<Decision> + Send + Sync> Approver for F {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move { self(waiting) })
    }
}

/// A tool whose calls need approval.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApprovalTool {
    /// Its name.
    pub name: String,
    /// The agents down to the one that has the tool, by the names that their callers use; empty for the agent that was
    /// asked.
    pub path: Vec<String>,
}

impl fmt::Display for ApprovalTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_slice() {
            [] => write!(f, "'{}'", self.name),
            path => write!(f, "'{}' of agent '{}'", self.name, path.join("/")),
        }
    }
}
