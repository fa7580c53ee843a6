//! Missions over many machines.
//!
//! An engine keeps what each mission was told by models, tools and people, and any worker goes on from there. The shapes
//! that travel between commands, workers and the engine are in [`wire`].

pub mod wire;

pub use wire::{
    Answer, Blob, Failed, MissionId, MissionState, NotAMissionId, Outcome, Status, Stored, Submission, TurnLine, Waiting,
};
