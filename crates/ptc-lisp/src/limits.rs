//! The limits of one run.

pub(crate) mod machine_clock;
pub(crate) mod meter;
pub(crate) mod pace;
pub(crate) mod release;

use std::time::Duration;

/// Bounds of one run. A program cannot catch any of them.
///
/// ```
/// use std::time::Duration;
/// use ptc_lisp::{Limits, Session, SessionOptions, no_tools};
///
/// let limits = Limits { time: Duration::from_millis(50), ..Limits::default() };
/// let mut session = Session::new(SessionOptions { limits, ..SessionOptions::default() });
/// let outcome = session.run("(reduce + (range))", &mut no_tools);
/// assert_eq!(outcome.problems().first().map(|problem| problem.reason.as_str()), Some("timeout"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units of work: one per call, backward jump and element handled by a builtin. Default: 100,000,000.
    pub fuel: u64,
    /// Bytes of live values made by the program; host data is free. Default: 64 MB.
    pub memory: u64,
    /// Time on the clock from the start of the program; waiting for tools does not count, waiting for a processor does.
    /// Default: 5 s.
    pub time: Duration,
    /// Time that a processor works on the program, with the feature `cpu-time` on Unix; `None` for no limit but the others.
    /// It needs a system call now and then. Default: `None`.
    #[cfg(all(unix, feature = "cpu-time"))]
    pub cpu_time: Option<Duration>,
    /// Nested calls. Default: 10,000.
    pub depth: usize,
    /// Bytes of program text. Default: 131,072.
    pub source_bytes: usize,
    /// Distinct names in the text of a program. Default: 10,000.
    pub symbols: usize,
    /// Characters kept of each printed line. Default: 2,000.
    pub print_chars: usize,
    /// Printed lines kept; a first line counts the older ones. Default: 1,000.
    pub prints: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 100_000_000,
            memory: 64 * 1024 * 1024,
            time: Duration::from_secs(5),
            #[cfg(all(unix, feature = "cpu-time"))]
            cpu_time: None,
            depth: 10_000,
            source_bytes: 131_072,
            symbols: 10_000,
            print_chars: 2_000,
            prints: 1_000,
        }
    }
}
