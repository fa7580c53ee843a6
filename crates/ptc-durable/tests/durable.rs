//! Missions of a worker, driven by an engine in memory that speaks the protocol of Restate.
//!
//! `PROPTEST_CASES=200 cargo test -p ptc-durable --test durable` loses more connections than the everyday run.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails where it stands")]

#[path = "durable/decided.rs"]
mod decided;
#[path = "durable/engine.rs"]
mod engine;
#[path = "durable/frames.rs"]
mod frames;
#[cfg(unix)]
#[path = "durable/isolated.rs"]
mod isolated;
#[path = "durable/killed.rs"]
mod killed;
#[path = "durable/large.rs"]
mod large;
#[path = "durable/limited.rs"]
mod limited;
#[path = "durable/manifest.rs"]
mod manifest;
#[path = "durable/places.rs"]
mod places;
#[path = "durable/poisoned.rs"]
mod poisoned;
#[path = "durable/refused.rs"]
mod refused;
#[path = "durable/stopped.rs"]
mod stopped;
#[path = "durable/world.rs"]
mod world;
