//! The limits of one run.

use std::time::Duration;

/// Bounds of one run. A program cannot catch any of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units of work: one per call, backward jump and element handled by a builtin.
    pub fuel: u64,
    /// Bytes of live values made by the program; host data is free.
    pub memory: u64,
    /// Interpreter time; waiting for tools does not count.
    pub time: Duration,
    /// Nested calls.
    pub depth: usize,
    /// Bytes of program text.
    pub source_bytes: usize,
    /// Distinct names in the text of a program.
    pub symbols: usize,
    /// Characters kept of each printed line.
    pub print_chars: usize,
    /// Printed lines kept; the oldest are dropped.
    pub prints: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 100_000_000,
            memory: 64 * 1024 * 1024,
            time: Duration::from_secs(5),
            depth: 10_000,
            source_bytes: 131_072,
            symbols: 10_000,
            print_chars: 2_000,
            prints: 1_000,
        }
    }
}
