//! Asking somebody before calls are made or programs run.

use std::sync::Arc;

use ptc_lisp::BoxFuture;
use ptc_transcript::Decision;

use crate::agent::Definition;
use crate::drive::RunOptions;
use crate::error::AgentError;
use crate::run::PendingCall;

/// What waits for approval.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Approval {
    /// Calls of tools that are marked so, all that the program waits for at once; other calls of the batch wait with them.
    Calls(Vec<PendingCall>),
    /// A program, before anything of it ran.
    Program(PendingProgram),
}

impl Approval {
    /// Ids of what waits, one for each decision: `RUN/2/1` of a call, the number of the turn of a program.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        match self {
            Approval::Calls(calls) => calls.iter().map(|call| call.id.clone()).collect(),
            Approval::Program(program) => vec![program.id.clone()],
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
    /// The number of its turn.
    pub id: String,
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
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Approval, Context, Decision, RunOptions, SubAgent, Tool, ToolError};
/// use ptc_chat::ScriptedLlm;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Payment { euros: u32 }
///
/// let pay = Tool::new("pay", "Pays", |payment: Payment| Ok::<_, ToolError>(payment.euros)).approve();
/// let agent = SubAgent::builder("Pay what is open.").tool(pay).build()?;
/// let approver = |waiting: &Approval| waiting.ids().iter().map(|_| Decision::deny("not today")).collect();
/// let options = RunOptions {
///     llm: Some(Arc::new(ScriptedLlm::replies(["(tool/pay {:euros 5})", "(return (:message data/fail))"]))),
///     approval: Some(Arc::new(approver)),
///     ..RunOptions::default()
/// };
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
    let marked = definition.tools.values().map(|tool| tool.spec()).filter(|spec| spec.approve);
    let marked: Vec<String> = marked.map(|spec| spec.name.clone()).collect();
    if marked.is_empty() { Ok(()) } else { Err(AgentError::ApproverRequired(marked)) }
}
