//! Missions over many machines.
//!
//! A durable engine, [Restate](https://restate.dev), keeps each answer of a model, result of a tool and decision of a person
//! on the record of its mission, so that any worker continues from there. A [`Worker`] runs [`Mission`]s, which are
//! agents with their data and options; a [`Client`] submits and watches them, and decides their calls. The types that
//! travel between them are in [`wire`]; values too large to travel are in a [`BlobStore`].
//!
//! [Missions over many machines](https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/durable.md) sets up
//! an engine and says what happens once and what may not. `examples/worker.rs` is a complete worker.
//!
//! ```
//! use std::sync::Arc;
//! use ptc_agent::{Agent, RunOptions};
//! use ptc_chat::ScriptedLlm;
//! use ptc_durable::{FolderBlobs, Mission, Worker};
//!
//! let folder = tempfile::tempdir()?;
//! let agent = Agent::builder("Add {{a}} and 1").max_turns(3).build()?;
//! let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(["(return (inc data/a))"])));
//! let mission = Mission { name: "add".to_owned(), agent, data: Default::default(), options };
//! let worker = Worker::new("1", Arc::new(FolderBlobs::open(folder.path())?)).mission(mission)?;
//! assert_eq!(worker.names().collect::<Vec<_>>(), ["add"]);
//! // worker.serve(listener, stop).await
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

// The loop of ptc-agent runs as usual, over a `ptc_agent::Engine` (`engine.rs`). That engine talks to a handler's end of the
// pump (`pump.rs`), which gives it the completions of a record (`record.rs`), the interface to engines; Restate's is in
// `restate/`.

mod blob;
mod client;
mod engine;
mod json;
mod limits;
mod mission;
mod pump;
mod record;
mod restate;
mod starts;
pub mod wire;
mod worker;

pub use blob::{BlobError, BlobStore, FolderBlobs, INLINE_BYTES, load, open_blobs, store};
pub use client::{Client, ClientError, Registered};
pub use limits::{Limits, NotALimit};
pub use mission::Mission;
#[cfg(unix)]
pub use restate::HandedInvocation;
pub use wire::{
    Answer, Blob, Failed, MissionId, MissionState, NotAMissionId, Outcome, Status, Stored, Submission, TurnLine,
    Waiting,
};
pub use worker::{AT_ONCE, Worker, WorkerError};
