//! Places in files.

use std::fmt;
use std::path::{Path, PathBuf};

use ptc_chat::masked_addresses;
use ptc_lisp::{escaped, shortened};

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The text of that line, with `*` for keys in addresses.
    pub line_text: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", named(&self.file), self.line, self.column)
    }
}

/// The name of a file in one line, whatever it contains; of a longer one the first 300 characters.
#[must_use]
pub fn named(path: &Path) -> String {
    shortened(&escaped(&path.to_string_lossy()), 300).into_owned()
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
        // Enough to show: the line may be all of a large file.
        line_text: shortened_to(&masked_addresses(line_text), column + 1_000),
    })
}

fn shortened_to(line: &str, chars: usize) -> String {
    line.char_indices().nth(chars).and_then(|(end, _)| line.get(..end)).unwrap_or(line).to_owned()
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
