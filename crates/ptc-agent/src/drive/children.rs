//! Agents that are called as tools: runs inside a run.

use std::sync::{Mutex, PoisonError};

use ptc_chat::Llm;
use ptc_lisp::{BoxFuture, Definitions, Effect, Import, ToolFailure, ToolRecord, ToolResult};
use ptc_transcript::{Fail, FailReason, Spent, Step, Turn, ValueForm, json_of};
use tokio::time::Instant;

use super::log::Log;
use super::options::RunOptions;
use super::report::Parent;
use super::{Above, Beginning, Opening};
use crate::agent::Callee;
use crate::approval::PendingCall;
use crate::context::Context;
use crate::machine::lineage::{Lineage, Spending};

/// What is said of a call that the deadline of the run ended.
pub(super) const DEADLINE: &str = "the mission deadline has passed";

/// The children of one run.
pub(super) struct Children<'a> {
    llm: &'a dyn Llm,
    options: &'a RunOptions,
    log: &'a Log<'a>,
    /// What a child called now has from the run.
    lineage: Mutex<Lineage>,
    /// Finished children with the numbers of their calls.
    steps: Mutex<Vec<(usize, u64, Step)>>,
    /// Batches of calls so far.
    batch: Mutex<usize>,
}

impl<'a> Children<'a> {
    pub fn new(llm: &'a dyn Llm, options: &'a RunOptions, log: &'a Log<'a>) -> Children<'a> {
        Children { llm, options, log, lineage: Mutex::default(), steps: Mutex::default(), batch: Mutex::new(0) }
    }

    /// A batch of calls begins: its children have this from the run.
    pub fn begin_batch(&self, lineage: Lineage) {
        *lock(&self.lineage) = lineage;
        *lock(&self.batch) += 1;
    }

    /// The steps of all children in the order of their calls, without what the parent's step says already.
    pub fn take_steps(&self) -> Vec<Step> {
        let mut steps = std::mem::take(&mut *lock(&self.steps));
        steps.sort_by_key(|(batch, seq, _)| (*batch, *seq));
        steps.into_iter().map(|(_, _, step)| step).collect()
    }

    /// Where a child called now counts what it asks of models.
    pub fn spending(&self) -> Spending {
        lock(&self.lineage).spending.below()
    }

    /// Note what a child asked of models before a crash.
    pub fn has_spent(&self, spent: &Spent) {
        lock(&self.lineage).spending.add(spent);
    }

    /// Run a child on the arguments of a call.
    pub fn call<'b>(
        &'b self,
        callee: Callee,
        pending: &'b PendingCall,
        deadline: Option<Instant>,
        (under, spending): (Parent, Spending),
    ) -> BoxFuture<'b, ToolResult> {
        let time_left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let batch = *lock(&self.batch);
        Box::pin(async move {
            let above = lock(&self.lineage).clone();
            let path = above.path.iter().cloned().chain([pending.call.name.to_string()]).collect();
            let lineage = Lineage { time: time_left, path, spending, ..above };
            let work = self.run(&callee, pending, lineage, under);
            let step = match time_left {
                None => work.await?,
                Some(left) => tokio::time::timeout(left, work)
                    .await
                    .map_err(|_| ToolFailure::new(DEADLINE).perhaps_done(true))??,
            };
            let result = match &step.result {
                Ok(value) => {
                    let answer = Import::counted().value(json_of(value, ValueForm::Plain));
                    match &callee.around {
                        Some(around) => around.result(answer).await,
                        None => Ok(answer),
                    }
                }
                Err(fail) => Err(ToolFailure::new(told(fail)).perhaps_done(took_effect(&step))),
            };
            lock(&self.steps).push((batch, pending.call.seq, briefly(step)));
            result
        })
    }

    async fn run(
        &self,
        callee: &Callee,
        pending: &PendingCall,
        lineage: Lineage,
        under: Parent,
    ) -> Result<Step, ToolFailure> {
        let call = &pending.call;
        let args = call.args.to_json().map_err(|error| ToolFailure::new(error.message))?;
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
        beginning.below(Some(Above { log: self.log, lineage, parent: under })).await.map_err(failed_start)
    }
}

fn failed_start(error: crate::AgentError) -> ToolFailure {
    ToolFailure::new(error.to_string())
}

/// What the caller's model reads: the message, behind the reason when there is one.
fn told(fail: &Fail) -> String {
    if fail.reason == FailReason::Failed { fail.message.clone() } else { fail.to_string() }
}

/// Whether a run without an answer changed something all the same, or perhaps did. What it does not say counts as done.
fn took_effect(step: &Step) -> bool {
    match &step.turns {
        Some(turns) => turns.iter().flat_map(Turn::tool_calls).any(ToolRecord::took_effect),
        None => step.tools.iter().any(|tool| tool.effect == Effect::Write),
    }
}

fn briefly(mut step: Step) -> Step {
    step.messages = None;
    step.system = None;
    step.mission = String::new();
    step.mission_template = String::new();
    step.tools = Vec::new();
    step.definitions = Definitions::default();
    step
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
