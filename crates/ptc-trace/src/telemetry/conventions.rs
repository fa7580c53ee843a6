//! Names of OpenTelemetry's conventions for generative AI, as of their state in development after 1.41.
//!
//! They are listed here because the conventions moved to another repository, and the crate that lists all conventions
//! marks these as deprecated. Names that begin with `ptc` are not part of the conventions.

/// Attribute: what a span does, one of [`CHAT`], [`INVOKE_AGENT`], [`EXECUTE_TOOL`].
pub const OPERATION_NAME: &str = "gen_ai.operation.name";
/// Operation: a request to a model.
pub const CHAT: &str = "chat";
/// Operation: a run of an agent.
pub const INVOKE_AGENT: &str = "invoke_agent";
/// Operation: a call of a tool.
pub const EXECUTE_TOOL: &str = "execute_tool";

/// Attribute: the name of an agent.
pub const AGENT_NAME: &str = "gen_ai.agent.name";
/// Attribute: the description of an agent.
pub const AGENT_DESCRIPTION: &str = "gen_ai.agent.description";
/// Attribute: the id of a run, which all its spans and those of its agents share.
pub const CONVERSATION_ID: &str = "gen_ai.conversation.id";
/// Attribute: the provider of a model, such as `anthropic`; for a server with an OpenAI-compatible API `openai`.
pub const PROVIDER_NAME: &str = "gen_ai.provider.name";
/// Attribute: the model without its provider, such as `qwen3`.
pub const REQUEST_MODEL: &str = "gen_ai.request.model";
/// Attribute: the host of the server of a model, when it is part of the model's name.
pub const SERVER_ADDRESS: &str = "server.address";
/// Attribute: the port of that server.
pub const SERVER_PORT: &str = "server.port";

/// Attribute: all input tokens of a request, cached ones included.
pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
/// Attribute: all output tokens of a request, reasoning included.
pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
/// Attribute: input tokens that the provider read from its cache.
pub const CACHE_READ_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
/// Attribute: input tokens that the provider wrote to its cache.
pub const CACHE_WRITE_TOKENS: &str = "gen_ai.usage.cache_creation.input_tokens";

/// Attribute: the name of a tool.
pub const TOOL_NAME: &str = "gen_ai.tool.name";
/// Attribute: the kind of a tool; every tool is a [`FUNCTION`].
pub const TOOL_TYPE: &str = "gen_ai.tool.type";
/// A tool that the caller's side runs.
pub const FUNCTION: &str = "function";

/// Attribute: the class of an error, such as `rate_limit` or `max_turns_exceeded`.
pub const ERROR_TYPE: &str = "error.type";
/// Class of an error that has no other.
pub const OTHER_ERROR: &str = "_OTHER";
/// Class of an error of a tool.
pub const TOOL_ERROR: &str = "tool_error";

/// Attribute with content: the system text of a request, as JSON.
pub const SYSTEM_INSTRUCTIONS: &str = "gen_ai.system_instructions";
/// Attribute with content: the messages of a request, as JSON.
pub const INPUT_MESSAGES: &str = "gen_ai.input.messages";
/// Attribute with content: the answer of a model or of a run, as JSON.
pub const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
/// Attribute with content: the arguments of a call, as JSON.
pub const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
/// Attribute with content: the answer of a tool, as JSON.
pub const TOOL_RESULT: &str = "gen_ai.tool.call.result";

/// Attribute of [`TOKEN_USAGE`]: [`INPUT`] or [`OUTPUT`].
pub const TOKEN_TYPE: &str = "gen_ai.token.type";
/// Tokens of a request.
pub const INPUT: &str = "input";
/// Tokens of an answer.
pub const OUTPUT: &str = "output";

/// Metric: tokens of each request that a provider counted, in `{token}`.
pub const TOKEN_USAGE: &str = "gen_ai.client.token.usage";
/// Metric: the duration of each request, in seconds.
pub const OPERATION_DURATION: &str = "gen_ai.client.operation.duration";
/// Metric: the duration of each run, in seconds.
pub const AGENT_DURATION: &str = "gen_ai.invoke_agent.duration";
/// Metric: the duration of each call of a tool, in seconds.
pub const TOOL_DURATION: &str = "gen_ai.execute_tool.duration";
/// Metric: the list price of each request whose model has one, in USD.
pub const COST: &str = "ptc.client.cost";

/// Bounds of the buckets of [`TOKEN_USAGE`], in tokens.
pub const TOKEN_BOUNDS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_024.0,
    4_096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// Bounds of the buckets of [`OPERATION_DURATION`] and [`TOOL_DURATION`], in seconds.
pub const CALL_BOUNDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/// Bounds of the buckets of [`AGENT_DURATION`], in seconds.
pub const AGENT_BOUNDS: [f64; 13] = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
