//! Why a command could not run at all.

use std::io;
use std::path::{Path, PathBuf};

/// A command that stopped before it could say anything about the project.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// No such command; the text lists those that exist.
    #[error("{0}")]
    Usage(&'static str),
    /// An argument has the wrong form.
    #[error("`{argument}` is not {wanted}")]
    Argument {
        /// As typed.
        argument: String,
        /// What was expected, with its article.
        wanted: &'static str,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Where.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// Something could not be measured, or a file not be understood.
    #[error("{what}: {text}")]
    Measurement {
        /// The command, the file, or the name of what was measured.
        what: String,
        /// Why not.
        text: String,
    },
}

impl Failure {
    /// The failure of measuring, running or reading `what`.
    pub(crate) fn measured(what: impl ToString, text: impl ToString) -> Self {
        Self::Measurement { what: what.to_string(), text: text.to_string() }
    }

    /// For `map_err`: the failure of doing something with `path`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::File { path: path.to_path_buf(), source }
    }
}
