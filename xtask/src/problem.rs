//! One thing that is wrong in the project, at a place.

use std::fmt;
use std::path::PathBuf;

/// A finding: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Relative to the workspace root.
    pub path: PathBuf,
    /// 1-based; 0 when the finding is about the whole file.
    pub line: usize,
    /// One sentence or two; the second says what to do.
    pub text: String,
}

impl Problem {
    /// A finding at a line (1-based).
    pub fn at(path: impl Into<PathBuf>, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.into(), line, text: text.into() }
    }

    /// A finding about a whole file or folder.
    pub fn whole(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self::at(path, 0, text)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path.display(), self.text),
            line => write!(f, "{}:{line}: {}", self.path.display(), self.text),
        }
    }
}
