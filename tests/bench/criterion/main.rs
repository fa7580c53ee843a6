//! The parts of what `cargo xtask bench` times as wholes, with confidence intervals: `cargo bench -p ptc-tests
//! [FILTER]`.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up must stop")]

mod agent;
#[path = "../driver/history.rs"]
mod history;
mod host;
mod program;
mod request;

use criterion::{criterion_group, criterion_main};

criterion_group!(programs, program::phases, program::runs);
criterion_group!(hosts, host::imports, host::suspensions, host::calls, host::turns);
criterion_group!(requests, request::missions, request::histories, agent::turns);
criterion_main!(programs, hosts, requests);
