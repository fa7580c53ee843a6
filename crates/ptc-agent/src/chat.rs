//! Talking with an agent: text for text, message by message.

mod conversation;

use ptc_chat::{Message, OutputMode};
use ptc_compression::CompressionConfig;
use ptc_lisp::signature::{Signature, Type};
use ptc_transcript::Step;

use crate::agent::Agent;
use crate::chain::RunError;
use crate::context::Context;
use crate::drive::{Beginning, Opening, RunOptions};
use crate::error::AgentError;

pub use conversation::Conversation;

/// Say `text` to an agent; returns its reply, and the history to pass with the next text.
///
/// The agent answers with text, whatever its output mode and its signature say, and may call its tools. Its mission
/// precedes the first text; later texts follow the history as they are. A history holds what was said, never a system
/// text: that comes from the agent each time. Nothing else is kept from one text to the next, not even definitions. The
/// agent's compression is about turns of programs and has no effect here: in a [`Conversation`] it has.
///
/// Errors when the run cannot start, for example because the agent has inputs, and when it ends without an answer. The
/// given history then stays the current one.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, RunOptions, chat};
/// use ptc_chat::ScriptedLlm;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = Agent::builder("You help guests of a small hotel.").build()?;
/// let llm = Arc::new(ScriptedLlm::replies(["From 7 to 10.", "Yes, also on Sundays."]));
/// let options = RunOptions::new().llm(llm);
/// let (answer, history) = chat(&agent, "When is breakfast?", Vec::new(), options.clone()).await?;
/// assert_eq!(answer, "From 7 to 10.");
/// let (answer, history) = chat(&agent, "Every day?", history, options).await?;
/// assert_eq!((answer.as_str(), history.len()), ("Yes, also on Sundays.", 4));
/// # Ok::<(), ptc_agent::RunError>(()) }).unwrap();
/// ```
pub async fn chat(
    agent: &Agent,
    text: &str,
    history: Vec<Message>,
    options: RunOptions,
) -> Result<(String, Vec<Message>), RunError> {
    let mut step = chat_step(agent, text, history, options).await?;
    match &step.result {
        Ok(answer) => Ok((ptc_lisp::text::display_text(answer), step.messages.take().unwrap_or_default())),
        Err(_) => Err(RunError::Failed(Box::new(step))),
    }
}

/// [`chat`] with the whole step: its answer is the reply, its messages are the history.
///
/// Errors when the run cannot start.
pub async fn chat_step(
    agent: &Agent,
    text: &str,
    history: Vec<Message>,
    options: RunOptions,
) -> Result<Step, AgentError> {
    let options = options.collect_messages(true);
    let agent = talking(agent)?;
    let llm = agent.model(&options)?;
    let opening = Opening::Text(history, text.to_owned());
    Beginning { agent: &agent, context: Context::default(), llm: &llm, options, opening }.run().await
}

/// The agent as one that answers with text.
fn talking(agent: &Agent) -> Result<Agent, AgentError> {
    let mut definition = (*agent.definition).clone();
    let spec = &mut definition.spec;
    let as_text = |signature: Signature| {
        let params = signature.declares_params().then(|| signature.params().to_vec());
        Signature::new(params, Type::String)
    };
    spec.output = OutputMode::Text;
    spec.signature = spec.signature.take().map(as_text);
    spec.schema = None;
    spec.compression = CompressionConfig::default();
    Agent::new(definition)
}

#[cfg(test)]
mod tests;
