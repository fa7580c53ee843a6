//! Language models of providers and of any OpenAI-compatible server, as `ptc_chat::Llm`.
//!
//! ```no_run
//! use ptc_llm::connect;
//!
//! let local = connect("http://127.0.0.1:8080/v1#qwen3")?;
//! let hosted = connect("anthropic:claude-sonnet-4-5")?; // the key is in ANTHROPIC_API_KEY
//! assert_eq!(hosted.name(), "anthropic:claude-sonnet-4-5");
//! # Ok::<(), ptc_llm::LlmSpecError>(())
//! ```
//!
//! [Models](https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/models.md) lists the names, and what is
//! sent. Adapters come from the `genai` crate; none of its types appear here.

#![forbid(unsafe_code)]

mod adapter;
mod answer;
mod ask;
mod cache;
mod completion;
mod connect;
mod effort;
mod failure;
mod frames;
mod provider;
mod schema;
mod spec;
mod tools;

pub use connect::{ConnectOptions, connect, connect_with};
pub use spec::LlmSpecError;
