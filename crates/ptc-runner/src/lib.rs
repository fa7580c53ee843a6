//! A language model solves a task by writing one small program per turn, which a sandbox runs next to your data and
//! tools.
//!
//! This is the crate to depend on: one name for the libraries of ptc-runner, and one [`Error`] for all that they return.
//! [`prelude`] has what most programs need. The program of this example is from a script; `connect("ollama:qwen3")?` is a real model.
//!
//! ```
//! use ptc_runner::prelude::*;
//!
//! let agent = Agent::builder("How many are above {{limit}}?").returns::<u32>().build()?;
//! let llm = ScriptedLlm::replies(["(return (count (filter #(> % data/limit) data/prices)))"]);
//! let step = blocking::run(&agent, &llm, serde_json::json!({"limit": 10, "prices": [5, 12, 40]}))?;
//! assert_eq!(step.value::<u32>()?, 2);
//! # Ok::<(), ptc_runner::Error>(())
//! ```
//!
//! [Embedding](https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/embedding.md) has the features, events,
//! cancelling and custom parts. The words are explained in
//! [concepts](https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/concepts.md).

#![forbid(unsafe_code)]

mod error;

pub use error::Error;
#[doc(inline)]
pub use ptc_agent::{Agent, RunOptions};
#[cfg(feature = "llm")]
#[doc(inline)]
pub use ptc_llm::connect;
#[doc(inline)]
pub use ptc_transcript::Step;

pub use ptc_agent as agent;
pub use ptc_chat as chat;
pub use ptc_compression as compression;
#[cfg(feature = "config")]
pub use ptc_config as config;
#[cfg(feature = "eval")]
pub use ptc_eval as eval;
#[cfg(feature = "gateway")]
pub use ptc_gateway as gateway;
pub use ptc_lisp as lisp;
pub use ptc_lisp::signature;
#[cfg(feature = "llm")]
pub use ptc_llm as llm;
#[cfg(feature = "mcp")]
pub use ptc_mcp as mcp;
pub use ptc_mission as mission;
#[cfg(feature = "trace")]
pub use ptc_trace as trace;
#[cfg(feature = "trace")]
pub use ptc_trace::debug;
pub use ptc_transcript as transcript;

/// What most programs need: running an agent, and implementing a tool, a model, an approver, an observer or a
/// compression strategy. Less common types are in the modules, named after what they are about.
///
/// | for | types |
/// |---|---|
/// | running | [`Agent`], [`RunOptions`], [`Step`], [`blocking`](ptc_agent::blocking) |
/// | tools | [`FnTool`](ptc_agent::FnTool), [`ToolError`](ptc_agent::ToolError), [`Tool`](ptc_lisp::Tool), [`ToolContext`](ptc_agent::ToolContext) |
/// | models | `connect`, [`ScriptedLlm`](ptc_chat::ScriptedLlm), [`Llm`](ptc_chat::Llm), [`Request`](ptc_chat::Request), [`Reply`](ptc_chat::Reply) |
/// | values | [`Value`](ptc_lisp::Value), [`to_value`](ptc_lisp::to_value), [`from_value`](ptc_lisp::from_value) |
/// | watching a run | [`Streamed`](ptc_agent::Streamed), [`Observer`](ptc_transcript::Observer), [`EventKind`](ptc_transcript::EventKind) |
/// | approval | [`Approver`](ptc_agent::Approver), [`Decision`](ptc_agent::Decision) |
/// | showing history | [`SingleUserCoalesced`](ptc_compression::SingleUserCoalesced) and other strategies, [`Compression`](ptc_compression::Compression), [`RenderInput`](ptc_compression::RenderInput) |
///
/// ```
/// use ptc_runner::prelude::*;
///
/// let agent = Agent::builder("Count the stays.").compression(SingleUserCoalesced::new().println_limit(10)).build()?;
/// assert_eq!(agent.spec().max_turns, 5);
/// # Ok::<(), AgentError>(())
/// ```
pub mod prelude {
    pub use ptc_agent::{
        Agent, AgentBuilder, AgentError, Approval, ApprovalScope, Approver, CancellationToken, Context, Decision,
        Effect, FnTool, IntoData, LlmRetry, PendingCall, RunOptions, Streamed, SubagentOptions, ToolContext, blocking,
    };
    pub use ptc_chat::{
        BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Message, Part, Reply, Request, Role, ScriptedLlm,
        StopReason, Tokens, ToolUse,
    };
    pub use ptc_compression::words::SampleLimits;
    pub use ptc_compression::{
        Aggressive, AppendOnly, Ceiling, Compression, CompressionConfig, Digest, PerTurnSummary, RenderInput, Rendered,
        Renderer, RollingWindow, SingleUserCoalesced, closing_parts,
    };
    pub use ptc_lisp::signature::Signature;
    pub use ptc_lisp::{
        Memory, OnNotice, Tool, ToolCall, ToolError, ToolNotice, ToolResult, ToolSpec, Value, from_value, to_value,
    };
    #[cfg(feature = "llm")]
    pub use ptc_llm::connect;
    pub use ptc_transcript::{CompressionOptions, EndingKind, Event, EventKind, Observer, RunFailure, Step, Turn};
}
