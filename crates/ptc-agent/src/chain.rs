//! Agents one after another: the answer of one is the input of the next.

use ptc_chat::Llm;
use ptc_transcript::Step;

use crate::agent::{Agent, AgentBuilder};
use crate::context::{Context, IntoData};
use crate::drive::RunOptions;
use crate::error::AgentError;

/// A run that could not start, or that ended without an answer.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It could not start.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// It has no answer; the step says why.
    #[error("agent run failed {}", told(.0))]
    Failed(Box<Step>),
}

fn told(step: &Step) -> String {
    step.fail().map(|fail| format!("({}): {}", fail.reason, fail.message)).unwrap_or_default()
}

/// Run an agent that is needed once: a mission, or a builder with options.
///
/// ```
/// use ptc_agent::Agent;
/// use ptc_chat::ScriptedLlm;
/// use serde_json::json;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let llm = ScriptedLlm::replies(["(return (count data/rooms))", "(return (first data/rooms))"]);
/// let step = ptc_agent::run("How many rooms?", &llm, json!({"rooms": [1, 2]})).await?;
/// assert_eq!(step.value::<u32>().unwrap(), 2);
/// let builder = Agent::builder("Which is the first room?").compression(true).signature(":int");
/// let step = ptc_agent::run(builder, &llm, json!({"rooms": [1, 2]})).await?;
/// assert_eq!(step.value::<u32>().unwrap(), 1);
/// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
/// ```
pub async fn run(mission: impl Into<AgentBuilder>, llm: &dyn Llm, context: impl IntoData) -> Result<Step, AgentError> {
    let agent = mission.into().build()?;
    agent.run(llm, context).await
}

/// Run an agent on the answer of a step; a step without an answer is passed through as it is.
///
/// Errors with [`AgentError::ChainKeys`] when the answer lacks something that the agent takes.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, RunOptions, then};
/// use ptc_chat::ScriptedLlm;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(["(return {:n 3})", "(* 2 data/n)"])));
/// let pick = Agent::builder("Pick").signature("{n :int}").max_turns(1).build()?;
/// let double = Agent::builder("Double {{n}}").signature("(n :int) -> :int").max_turns(1).build()?;
/// let step = pick.run_with((), options.clone()).await?;
/// let step = then(step, &double, options).await?;
/// assert_eq!(step.value::<u32>().unwrap(), 6);
/// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
/// ```
pub async fn then(step: Step, agent: &Agent, options: RunOptions) -> Result<Step, AgentError> {
    if !step.is_ok() {
        return Ok(step);
    }
    agent.run_with(Context::from_step(&step), options).await
}

/// [`then`], with a step without an answer as an error.
pub async fn then_or_error(step: Step, agent: &Agent, options: RunOptions) -> Result<Step, RunError> {
    answered(then(step, agent, options).await?)
}

/// [`Agent::run_with`], with a step without an answer as an error.
pub fn run_or_error(
    agent: &Agent,
    context: impl IntoData,
    options: RunOptions,
) -> impl Future<Output = Result<Step, RunError>> + Send {
    let run = agent.run_with(context, options);
    async move { answered(run.await?) }
}

fn answered(step: Step) -> Result<Step, RunError> {
    if step.is_ok() { Ok(step) } else { Err(RunError::Failed(Box::new(step))) }
}

impl From<&str> for AgentBuilder {
    fn from(mission: &str) -> Self {
        Agent::builder(mission)
    }
}

impl From<String> for AgentBuilder {
    fn from(mission: String) -> Self {
        Agent::builder(mission)
    }
}

#[cfg(test)]
mod tests;
