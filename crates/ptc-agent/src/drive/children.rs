//! Agents that are called as tools: runs inside a run.

use ptc_lisp::{Definitions, Effect, Import, ToolError, ToolRecord, ToolResult};
use ptc_transcript::{Fail, FailReason, Step, Turn};

use super::calls::{Calls, Deadline};
use super::guard::{DEADLINE, caught, lock, until};
use super::report::Parent;
use super::{Beginning, Opening, ParentRun};
use crate::agent::Callee;
use crate::approval::PendingCall;
use crate::context::{Context, sent};
use crate::machine::lineage::{Lineage, Spending};

/// The agents that a run called.
#[derive(Default)]
pub(super) struct Children {
    /// What a child called now inherits from the run.
    pub lineage: Lineage,
    /// Batches of calls so far.
    batch: usize,
    /// Finished children with the numbers of their calls.
    steps: Vec<(usize, u64, Step)>,
}

impl Children {
    /// A batch of calls starts: its children inherit this from the run.
    pub fn begin_batch(&mut self, lineage: Lineage) {
        self.lineage = lineage;
        self.batch += 1;
    }

    /// The steps of all children in the order of their calls, without what the parent's step already says.
    pub fn take_steps(&mut self) -> Vec<Step> {
        let mut steps = std::mem::take(&mut self.steps);
        steps.sort_by_key(|(batch, seq, _)| (*batch, *seq));
        steps.into_iter().map(|(_, _, step)| step).collect()
    }
}

impl Calls<'_> {
    /// Run an agent on the arguments of a call.
    pub async fn ask_agent(
        &self,
        callee: Callee,
        pending: &PendingCall,
        deadline: Option<Deadline>,
        (under, spending): (Parent, Spending),
    ) -> ToolResult {
        let time_left = deadline.map(|deadline| deadline.time_left(self.log));
        let above = lock(&self.children).lineage.clone();
        let path = above.path.iter().cloned().chain([pending.call.name.to_string()]).collect();
        let lineage = Lineage { time: time_left, path, spending, ..above };
        let work = self.run(&callee, pending, lineage, under);
        let end = deadline.and_then(|deadline| deadline.instant(self.log));
        let step = until(end, work).await.ok_or_else(|| ToolError::new(DEADLINE).may_have_run(true))??;
        let result = match &step.result {
            Ok(value) => match (sent(value), &callee.around) {
                (Err(why), _) => {
                    let text = format!("its answer cannot be sent: {why}");
                    Err(ToolError::new(text).may_have_run(took_effect(&step)))
                }
                (Ok(json), None) => Ok(Import::counted().value(json)),
                (Ok(json), Some(around)) => around.result(Import::counted().value(json), || self.log.rest()).await,
            },
            Err(fail) => Err(ToolError::new(told(fail)).may_have_run(took_effect(&step))),
        };
        let mut children = lock(&self.children);
        let batch = children.batch;
        children.steps.push((batch, pending.call.seq, briefly(step)));
        result
    }

    async fn run(
        &self,
        callee: &Callee,
        pending: &PendingCall,
        lineage: Lineage,
        under: Parent,
    ) -> Result<Step, ToolError> {
        let call = &pending.call;
        let args = call.args.to_json().map_err(|error| ToolError::new(error.message))?;
        callee.around.as_ref().map_or(Ok(()), |around| around.check(&args))?;
        let context = Context::new(args).map_err(failed_start)?;
        let registry = &self.options.llm_registry;
        let own = callee.llm.as_ref().map(|llm| llm.resolve(registry)).transpose().map_err(failed_start)?;
        let beginning = Beginning {
            agent: &callee.agent,
            context,
            llm: own.as_deref().unwrap_or(self.llm),
            options: self.options.of_child(&pending.id, self.log.identity()),
            opening: callee.program.clone().map_or(Opening::Mission, Opening::Program),
        };
        let above = ParentRun { log: self.log, lineage, parent: under };
        match caught(beginning.below(Some(above))).await {
            Ok(step) => step.map_err(failed_start),
            Err(panic) => Err(ToolError::new(format!("it panicked: {panic}")).may_have_run(true)),
        }
    }
}

fn failed_start(error: crate::AgentError) -> ToolError {
    ToolError::new(error.to_string())
}

/// What the caller's model reads: the message, after the reason if there is one.
fn told(fail: &Fail) -> String {
    if fail.reason == FailReason::Failed { fail.message.clone() } else { fail.to_string() }
}

/// Whether a run without an answer nevertheless changed something, or perhaps did. What it does not say counts as done.
fn took_effect(step: &Step) -> bool {
    match &step.turns {
        Some(turns) => turns.iter().flat_map(Turn::tool_calls).any(ToolRecord::took_effect),
        None => step.tools.iter().any(|tool| tool.effect == Effect::Write),
    }
}

pub(super) fn briefly(mut step: Step) -> Step {
    step.messages = None;
    step.system = None;
    step.mission = String::new();
    step.mission_template = String::new();
    step.tools = Vec::new();
    step.definitions = Definitions::default();
    step
}

#[cfg(test)]
mod tests;
