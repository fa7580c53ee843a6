//! Places in files.

use std::fmt;
use std::path::{Path, PathBuf};

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The text of that line.
    pub line_text: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// The place of byte `offset` of `text`.
pub(crate) fn place_in(file: &Path, text: &str, offset: usize) -> Box<Place> {
    let offset = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let before = text.get(..offset).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_text = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    Box::new(Place {
        file: file.to_owned(),
        line: count(before.matches('\n').count() + 1),
        column: count(column),
        line_text: line_text.to_owned(),
    })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
