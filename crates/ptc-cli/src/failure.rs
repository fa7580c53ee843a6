//! What stops the command itself, and its exit codes.

use std::io;
use std::path::PathBuf;

use ptc_runner::config::{ConfigError, DataError, QuantityError};
use ptc_runner::lisp::UnknownName;
use ptc_runner::mission::UnknownSpec;

use crate::commands::eval_suite::SuiteFailure;
use crate::commands::replay::ReplayFailure;
use crate::commands::run::RunFailure;
use crate::commands::trace::TraceFailure;
use crate::files::OutputFailure;
use crate::kept::NoLastRun;
use crate::recorded::RecordedFailure;

/// Exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked.
    Ok = 0,
    /// The program failed.
    Failed = 1,
    /// Wrong usage or unreadable input.
    Usage = 2,
    /// A limit stopped it.
    Limit = 3,
    /// The terminal was closed (SIGHUP).
    HungUp = 129,
    /// Somebody pressed Ctrl-C (SIGINT).
    Interrupted = 130,
    /// Somebody ended it (SIGTERM).
    Terminated = 143,
}

/// Wrong usage or unreadable input.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{name} is not UTF-8 text (byte {offset}); save it as UTF-8")]
    NotText { name: String, offset: usize },
    #[error("cannot write {}: {source}", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot write to standard output: {0}")]
    Output(#[source] io::Error),
    #[error("--limit {given}: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`")]
    Limit { given: String },
    #[error("--limit {given}: {source}")]
    LimitQuantity { given: String, source: QuantityError },
    #[error("--data {given}: {problem}")]
    Data { given: String, problem: String },
    #[error("--data {given}: {source}")]
    DataFile { given: String, source: DataError },
    #[error("{}: {problem}; delete the file to start without definitions", .path.display())]
    Memory { path: PathBuf, problem: String },
    #[error("the value cannot be shown as JSON: {problem}; use --format clojure")]
    NoJson { problem: String },
    #[error("--tool {given}: {problem}; write NAME=SIGNATURE, for example --tool 'rate=(nights :int) -> :float'")]
    Tool { given: String, problem: String },
    #[error("{0}; `ptc doc` lists all")]
    UnknownName(#[from] UnknownName),
    #[error(transparent)]
    UnknownSpec(#[from] UnknownSpec),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    NoLastRun(#[from] NoLastRun),
    #[error(transparent)]
    Write(#[from] OutputFailure),
    #[error(transparent)]
    Run(#[from] RunFailure),
    #[error(transparent)]
    Trace(#[from] TraceFailure),
    #[error(transparent)]
    Recorded(#[from] RecordedFailure),
    #[error(transparent)]
    Replay(#[from] ReplayFailure),
    #[error(transparent)]
    Suite(#[from] SuiteFailure),
}
