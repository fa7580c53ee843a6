//! From descriptions to agents.

use ptc_agent::{Agent, AgentBuilder, AgentError, AgentSpec};
use ptc_lisp::Limits;

use crate::agents::AgentDefinition;
use crate::tool::ConfiguredTool;

/// An agent with its tools and the agents that it calls; programs of tools run under `limits`.
pub(crate) fn agent(
    spec: &AgentSpec,
    tools: &[ConfiguredTool],
    agents: &[AgentDefinition],
    limits: &Limits,
) -> Result<Agent, AgentError> {
    let mut builder = AgentBuilder::from(spec.clone());
    for definition in tools {
        builder = builder.tool(definition.callable(limits)?);
    }
    for definition in agents {
        builder = builder.tool(definition.callable(limits)?);
    }
    builder.build()
}
