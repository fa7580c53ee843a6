//! What stops the command itself, and its exit codes.

use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Wrong usage or unreadable input. Whatever it is, it is only shown: mission files with the place in them.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

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
    /// What was asked for is not there yet.
    NotYet = 4,
    /// The terminal was closed (SIGHUP).
    HungUp = 129,
    /// Somebody pressed Ctrl-C (SIGINT).
    Interrupted = 130,
    /// Somebody ended it (SIGTERM).
    Terminated = 143,
}

/// A file, or standard input, that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileFailure {
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable { path: PathBuf, r#source: io::Error },
    #[error("{name} is not UTF-8 text (byte {offset}); save it as UTF-8")]
    NotText { name: String, offset: usize },
    #[error("cannot write {}: {source}", .path.display())]
    Unwritable { path: PathBuf, r#source: io::Error },
}

impl FileFailure {
    /// What turns an error of the system into that of this path.
    pub(crate) fn unreadable(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> FileFailure {
        let path = path.into();
        |source| FileFailure::Unreadable { path, source }
    }
}
