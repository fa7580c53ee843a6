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

/// What most programs need; everything else is in the modules, named after what it is about.
///
/// | for | names |
/// |---|---|
/// | running | [`Agent`], [`RunOptions`], [`Context`](ptc_agent::Context), [`Step`], [`AgentError`](ptc_agent::AgentError), [`CancellationToken`](ptc_agent::CancellationToken), [`blocking`](ptc_agent::blocking) |
/// | models | `connect`, [`ScriptedLlm`](ptc_chat::ScriptedLlm), [`Llm`](ptc_chat::Llm), [`Message`](ptc_chat::Message), [`Request`](ptc_chat::Request), [`Reply`](ptc_chat::Reply), [`LlmError`](ptc_chat::LlmError), [`BoxFuture`](ptc_chat::BoxFuture) |
/// | tools | [`FnTool`](ptc_agent::FnTool), [`Tool`](ptc_lisp::Tool), [`ToolContext`](ptc_agent::ToolContext), [`ToolError`](ptc_lisp::ToolError) |
/// | values | [`Value`](ptc_lisp::Value), [`to_value`](ptc_lisp::to_value), [`from_value`](ptc_lisp::from_value) |
/// | watching a run | [`Streamed`](ptc_agent::Streamed), [`Event`](ptc_transcript::Event), [`EventKind`](ptc_transcript::EventKind), [`Observer`](ptc_transcript::Observer) |
/// | approval | [`Approver`](ptc_agent::Approver), [`Approval`](ptc_agent::Approval), [`Decision`](ptc_agent::Decision), [`OnDecision`](ptc_agent::OnDecision) |
/// | showing history | [`Compression`](ptc_compression::Compression), [`SingleUserCoalesced`](ptc_compression::SingleUserCoalesced) |
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
        Agent, AgentError, Approval, Approver, CancellationToken, Context, Decision, Effect, FnTool, OnDecision,
        PendingCall, RunOptions, Streamed, ToolContext, blocking,
    };
    pub use ptc_chat::{BoxFuture, Llm, LlmError, Message, Reply, Request, ScriptedLlm};
    pub use ptc_compression::{Compression, SingleUserCoalesced};
    pub use ptc_lisp::{Tool, ToolError, Value, from_value, to_value};
    #[cfg(feature = "llm")]
    pub use ptc_llm::connect;
    pub use ptc_transcript::{Event, EventKind, Observer, Step};
}
