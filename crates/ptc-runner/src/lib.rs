//! Let a language model solve a task by writing one small program per turn, run in its own sandbox.
//!
//! This crate is one name for the libraries of ptc-runner and adds nothing to them. [`prelude`] has what most programs
//! need.
//!
//! ```
//! use ptc_runner::chat::ScriptedLlm;
//! use ptc_runner::prelude::*;
//!
//! let agent = Agent::builder("How many are above {{limit}}?").returns::<u32>().build()?;
//! let llm = ScriptedLlm::replies(["(return (count (filter #(> % data/limit) data/prices)))"]);
//! let step = ptc_runner::agent::blocking::run(&agent, &llm, serde_json::json!({"limit": 10, "prices": [5, 12, 40]}))?;
//! assert_eq!(step.value::<u32>()?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

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
#[cfg(feature = "llm")]
pub use ptc_llm as llm;
#[cfg(feature = "mcp")]
pub use ptc_mcp as mcp;
pub use ptc_mission as mission;
#[cfg(feature = "seal")]
pub use ptc_seal as seal;
pub use ptc_signature as signature;
#[cfg(feature = "trace")]
pub use ptc_trace as trace;
#[cfg(feature = "trace")]
pub use ptc_trace::debug;
pub use ptc_transcript as transcript;

/// What most programs need, and everything for implementing a tool, a model, an approver, an observer or a compression
/// strategy.
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
        Agent, AgentError, Approval, Approver, Context, Decision, Effect, IntoContext, PendingCall, RunOptions, Tool,
        ToolContext, ToolError, blocking,
    };
    pub use ptc_chat::{
        BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Message, Part, Reply, Request, Role, ScriptedLlm, Tokens,
    };
    pub use ptc_compression::{
        Aggressive, AppendOnly, Ceiling, Compression, CompressionConfig, Digest, PerTurnSummary, RenderInput, Rendered,
        RollingWindow, SingleUserCoalesced, closing_parts,
    };
    pub use ptc_lisp::{HostTool, Memory, ToolCall, ToolFailure, ToolResult, ToolSpec, Value};
    #[cfg(feature = "llm")]
    pub use ptc_llm::connect;
    pub use ptc_signature::Signature;
    pub use ptc_transcript::{EndingKind, Event, EventKind, Observer, RunFailure, Step, Turn};
}
