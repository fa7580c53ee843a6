//! What is fuzzed, and what must hold of any input. Each target is a function of bytes that panics when it does not hold.
//!
//! The fuzzer calls them with inputs that it generates (`tests/fuzz/run`), and the test `fuzz` with the inputs in
//! `corpus/`, so that every run of the tests checks whatever was found once.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a target says by a panic what does not hold"
)]

mod contract;
mod data;
mod files;
mod lisp;
mod memory;
mod program;
mod reader;
mod records;
mod reply;
mod shortcuts;
mod template;
mod values;

/// One thing that is fuzzed.
pub struct Target {
    /// Its name: that of its folder in `corpus/`.
    pub name: &'static str,
    /// What must hold of any input.
    pub about: &'static str,
    /// Whether its inputs are programs.
    pub takes_programs: bool,
    /// Panics when it does not hold.
    pub run: fn(&[u8]),
}

const fn of(name: &'static str, about: &'static str, run: fn(&[u8])) -> Target {
    Target { name, about, takes_programs: false, run }
}

const fn of_programs(name: &'static str, about: &'static str, run: fn(&[u8])) -> Target {
    Target { takes_programs: true, ..of(name, about, run) }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    of_programs("reader", "any text is read or refused, and analyzed, without running", reader::run),
    of_programs("program", "programs end within limits, the same in slices, and memory is kept", program::run),
    of_programs("shortcuts", "programs answer the same with and without the compiler's shortcuts", shortcuts::run),
    of_programs("values", "values are the same when printed or written as JSON and read again", values::run),
    of("memory", "a stored memory is restored, or told by name and kept", memory::run),
    of("signature", "signatures and JSON Schemas are written as what is read as the same", contract::run),
    of("template", "mission texts are filled in or refused with a place", template::run),
    of("reply", "an answer of a model has one program or an error, and its JSON is found again", reply::run),
    of("data", "a data file is data or one error that names it", data::run),
    of("journal", "a journal is read to its last whole record, and can be shown", records::journal),
    of("step", "a step is written as what is read as the same, and can be shown", records::step),
    of("trace", "a trace log is read or refused, and can be shown", records::trace),
    of("answers", "recorded answers are read or refused", records::answers),
    of("mission", "a mission file is read or refused at a place", files::mission),
    of("policy", "a policy decides as it says it may", files::policy),
    of("mcp", "what MCP servers say is a tool, a value or a failure", files::mcp),
];

/// Run one input.
///
/// # Panics
///
/// When what must hold does not, or no target has this name.
pub fn look(name: &str, bytes: &[u8]) {
    match TARGETS.iter().find(|target| target.name == name) {
        Some(target) => (target.run)(bytes),
        None => panic!("unknown target {name}"),
    }
}
