//! Running an agent from code that is not async.

use ptc_chat::{Llm, Message};
use ptc_transcript::Step;

use crate::agent::Agent;
use crate::chain::RunError;
use crate::context::IntoData;
use crate::drive::RunOptions;
use crate::error::AgentError;

/// [`Agent::run`] on its own runtime. Panics inside an async runtime: await the async form there.
///
/// ```
/// use ptc_agent::Agent;
/// use ptc_chat::ScriptedLlm;
///
/// let agent = Agent::builder("Add one and two.").max_turns(1).build()?;
/// let step = ptc_agent::blocking::run(&agent, &ScriptedLlm::replies(["(+ 1 2)"]), ())?;
/// assert_eq!(step.value::<u32>().unwrap(), 3);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub fn run(agent: &Agent, llm: &dyn Llm, context: impl IntoData) -> Result<Step, AgentError> {
    finish(agent.run(llm, context))
}

/// [`Agent::run_with`] on its own runtime. Panics inside an async runtime.
pub fn run_with(agent: &Agent, context: impl IntoData, options: RunOptions) -> Result<Step, AgentError> {
    finish(agent.run_with(context, options))
}

/// [`Agent::continue_from`] on its own runtime. Panics inside an async runtime.
pub fn continue_from(
    agent: &Agent,
    step: &Step,
    context: impl IntoData,
    options: RunOptions,
) -> Result<Step, AgentError> {
    finish(agent.continue_from(step, context, options))
}

/// [`chat`](crate::chat) on its own runtime. Panics inside an async runtime.
pub fn chat(
    agent: &Agent,
    text: &str,
    history: Vec<Message>,
    options: RunOptions,
) -> Result<(String, Vec<Message>), RunError> {
    finish(crate::chat(agent, text, history, options))
}

fn finish<T, E: From<AgentError>>(run: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = built.map_err(|error| AgentError::Runtime(error.to_string()))?;
    let step = runtime.block_on(run);
    // A function that is no longer awaited may still block its thread.
    runtime.shutdown_background();
    step
}
