//! The agent loop: a model writes one program per turn, the loop runs it and shows the model the outcome.
//!
//! An [`Agent`] holds the mission, tools and limits. A [`Run`] is the state machine of one run. [`Agent::run`] drives it with
//! a model and returns a [`Step`](ptc_transcript::Step): the answer, or why there is none, and a record of all turns.
//!
//! ```
//! use ptc_agent::{Agent, FnTool, ToolError};
//! use ptc_chat::ScriptedLlm;
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Stay { room: u32, nights: u32 }
//!
//! let price = FnTool::new("price", "Price of a stay", |stay: Stay| Ok::<_, ToolError>(stay.nights * 90));
//! let agent = Agent::builder("What do all stays cost?").tool(price).returns::<u32>().build()?;
//! let llm = ScriptedLlm::replies(["(return (apply + (map tool/price data/stays)))"]);
//! let step = ptc_agent::blocking::run(&agent, &llm, json!({"stays": [{"room": 1, "nights": 2}, {"room": 7, "nights": 3}]}))?;
//! assert_eq!(step.value::<u32>().unwrap(), 450);
//! # Ok::<(), ptc_agent::AgentError>(())
//! ```

#![forbid(unsafe_code)]

mod agent;
mod approval;
pub mod blocking;
mod budget;
mod chain;
mod chat;
mod chunker;
mod compiled;
mod context;
mod drive;
mod engine;
mod error;
mod extract;
#[cfg(doctest)]
mod forbidden;
mod machine;
mod models;
mod recorded;
pub mod rules;
mod spec;
#[cfg(test)]
mod testing;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
mod tool;

pub use agent::{Agent, AgentBuilder, AgentWarning, Callable, LlmTool, SubagentOptions};
pub use approval::{
    Approval, ApprovalDesk, ApprovalScope, ApprovalTool, Approver, NothingWaits, OnDecision, PendingCall,
    PendingProgram,
};
pub use budget::{BudgetUsage, Reservation, SharedBudget, TokenCost};
pub use chain::{RunError, run, run_or_error, then, then_or_error};
pub use chat::{Conversation, chat, chat_step};
pub use chunker::{Chunk, ChunkUnit, Chunker, ChunkerError};
pub use compiled::{CompileError, CompileMetadata, CompiledAgent};
pub use context::{Context, IntoData};
pub use drive::{ProgramSession, RunOptions, Streamed};
pub use engine::{Done, Engine, Held, Start, Stepped};
pub use error::AgentError;
pub use extract::json::{JsonError, extract_json};
pub use extract::{ExtractError, extract_program};
pub use machine::{Action, Input, Run, TimedInput};
pub use models::{LlmChoice, LlmRegistry};
pub use ptc_lisp::{Effect, ToolError};
pub use ptc_transcript::Decision;
pub use recorded::recorded_step;
pub use spec::{
    AgentSpec, Backoff, FormatSettings, KeepTurns, LlmRetry, MemoryStrategy, OnBudgetExceeded, OptionKind, OptionRow,
    PlanStep, RunSpec, SignatureValidation, option_names,
};
pub use tokio_util::sync::CancellationToken;
pub use tool::{FnTool, Handler, ToolContext};

/// Types that tasks and threads share, and types that only move between them.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    const fn moves<T: Send>() {}
    shared::<Agent>();
    shared::<AgentError>();
    shared::<AgentSpec>();
    shared::<Callable>();
    shared::<CompiledAgent>();
    shared::<Context>();
    shared::<LlmChoice>();
    shared::<RunOptions>();
    shared::<SharedBudget>();
    shared::<FnTool>();
    shared::<ToolContext>();
    shared::<ptc_transcript::Event>();
    shared::<ptc_transcript::Step>();
    moves::<AgentBuilder>();
    moves::<ProgramSession>();
    moves::<Run>();
};
