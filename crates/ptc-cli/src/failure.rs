//! What stops the command itself, and its exit codes.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::string::FromUtf8Error;

use ptc_runner::config::named;

/// Wrong usage or unreadable input. Whatever it is, it is only shown: errors of mission files with their place.
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
    /// The requested thing does not exist yet.
    NotYet = 4,
    /// The terminal was closed (SIGHUP).
    #[cfg_attr(not(unix), expect(dead_code, reason = "a signal of Unix"))]
    HungUp = 129,
    /// The user pressed Ctrl-C (SIGINT).
    Interrupted = 130,
    /// The process was asked to terminate (SIGTERM).
    #[cfg_attr(not(any(unix, test)), expect(dead_code, reason = "a signal of Unix"))]
    Terminated = 143,
}

impl Exit {
    /// The exit code of another process of this command.
    pub(crate) fn of(code: i32) -> Option<Exit> {
        let all = [Exit::Ok, Exit::Failed, Exit::Usage, Exit::Limit];
        all.into_iter().find(|exit| i32::from(*exit as u8) == code)
    }
}

/// A file, or standard input, that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileFailure {
    #[error("cannot read {}: {source}", named(.path))]
    Unreadable { path: PathBuf, r#source: io::Error },
    #[error("{name} is not UTF-8 text (byte 0x{byte:02X} at offset {offset}); save it as UTF-8")]
    NotText { name: String, byte: u8, offset: usize },
    #[error("cannot write {}: {source}", named(.path))]
    Unwritable { path: PathBuf, r#source: io::Error },
}

impl FileFailure {
    /// The text that `name` would be, except for this byte.
    pub(crate) fn not_text(name: &str, error: &FromUtf8Error) -> FileFailure {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(offset).copied().unwrap_or_default();
        FileFailure::NotText { name: name.to_owned(), byte, offset }
    }

    /// Turns an error of the system into one about this path.
    pub(crate) fn unreadable(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> FileFailure {
        let path = path.into();
        |source| FileFailure::Unreadable { path, source }
    }
}
