//! Missions over many machines.
//!
//! An engine keeps what each mission was told by models, tools and people, and any worker goes on from there. The shapes
//! that travel between commands, workers and the engine are in [`wire`]; what is too large to travel is in a [`BlobStore`].

mod blob;
mod client;
mod engine;
mod json;
mod limits;
mod mission;
mod pump;
mod record;
mod restate;
pub mod wire;
mod worker;

pub use blob::{BlobError, BlobStore, FolderBlobs, INLINE_BYTES, load, open_blobs, store};
pub use client::{Client, ClientError, Registered};
pub use limits::{Limits, NotALimit};
pub use mission::Mission;
pub use wire::{
    Answer, Blob, Failed, MissionId, MissionState, NotAMissionId, Outcome, Status, Stored, Submission, TurnLine,
    Waiting,
};
pub use worker::{AT_ONCE, Worker, WorkerError};
