//! From options to agents.

use ptc_agent::{Agent, AgentBuilder, AgentError};
use ptc_lisp::Limits;

use crate::agents::AgentDefinition;
use crate::compression;
use crate::options::AgentOptions;
use crate::tool::ToolDefinition;

/// An agent with its tools and the agents that it calls; programs of tools run under `limits`.
pub(crate) fn agent(
    options: &AgentOptions,
    tools: &[ToolDefinition],
    agents: &[AgentDefinition],
    limits: &Limits,
) -> Result<Agent, AgentError> {
    let mut builder = builder(options);
    for definition in tools {
        builder = builder.tool(definition.callable(limits)?);
    }
    for definition in agents {
        builder = builder.tool(definition.callable(limits)?);
    }
    builder.build()
}

fn builder(options: &AgentOptions) -> AgentBuilder {
    let mut builder = Agent::builder(&options.mission)
        .max_turns(options.max_turns as usize)
        .retry_turns(options.retry_turns as usize)
        .timeout(options.timeout)
        .max_heap(options.max_heap)
        .mission_timeout(options.mission_timeout)
        .memory_limit(options.memory_limit)
        .memory_strategy(options.memory_strategy)
        .max_depth(options.max_depth as usize)
        .shared_turn_budget(options.shared_turn_budget)
        .llm_query(options.llm_query)
        .model_options(options.model_options.clone())
        .system_prompt(options.system_prompt.clone())
        .prompt_limit(options.prompt_limit)
        .field_descriptions(options.field_descriptions.clone())
        .context_descriptions(options.context_descriptions.clone())
        .format_options(options.format_options.clone())
        .float_precision(options.float_precision)
        .compression(compression::config(options.compression.as_ref(), options.request_limit))
        .thinking(options.thinking)
        .mission_values(options.mission_values)
        .signature_validation(options.signature_validation)
        .validate_single_shot(options.validate_single_shot)
        .fallback(options.fallback)
        .output(options.output)
        .builtin_tools(options.builtin_tools.clone())
        .max_tool_calls(options.max_tool_calls)
        .plan(options.plan.clone());
    if let Some(schema) = &options.schema {
        builder = builder.schema(schema.clone());
    }
    if let Some(signature) = &options.signature {
        builder = builder.signature(signature.to_string());
    }
    if let Some(turns) = options.turn_budget {
        builder = builder.turn_budget(turns as usize);
    }
    if let Some(retry) = &options.llm_retry {
        builder = builder.llm_retry(retry.clone());
    }
    if let Some(name) = &options.name {
        builder = builder.name(name);
    }
    if let Some(text) = &options.description {
        builder = builder.description(text);
    }
    if let Some(llm) = &options.llm {
        builder = builder.llm(llm.as_str());
    }
    builder
}
