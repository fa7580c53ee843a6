//! The targets as a library, for the fuzzer.

mod targets;

pub use targets::{TARGETS, Target, look};
