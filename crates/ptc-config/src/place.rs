//! Places in files.

use std::fmt;
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memchr2};
use ptc_chat::masked_addresses;
use ptc_lisp::text::{escaped, shortened};

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

impl Place {
    /// The folder of the file, from which names of files in it start.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
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
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line_text = text.get(start..).unwrap_or_default().split(['\n', '\r']).next().unwrap_or_default();
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    Box::new(Place {
        file: file.to_owned(),
        line: count(Lines::of(text).number(offset)),
        column: count(column),
        // Enough to show: the line may be all of a large file.
        line_text: shortened_to(&masked_addresses(line_text), column + 1_000),
    })
}

/// Where the line with this byte ends, after its line end: `\n`, `\r\n` or `\r`.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    match memchr2(b'\n', b'\r', rest) {
        None => text.len(),
        Some(found) => match rest.get(found..) {
            Some([b'\r', b'\n', ..]) => at + found + 2,
            _ => at + found + 1,
        },
    }
}

/// Numbers of lines, which end with `\n`, `\r\n` or `\r`.
pub(crate) struct Lines<'t> {
    bytes: &'t [u8],
    has_returns: bool,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Lines<'t> {
        Lines { bytes: text.as_bytes(), has_returns: text.contains('\r') }
    }

    /// The number of the line with this byte, from 1. Cost: reads the text before it.
    pub(crate) fn number(&self, at: usize) -> usize {
        1 + self.ends(0, at)
    }

    /// The same for many places, which are in order. Cost: reads the text once.
    pub(crate) fn numbers(&self, places: &[usize]) -> Vec<usize> {
        let (mut before, mut line) = (0, 1);
        let number = |place: &usize| {
            line += self.ends(before, *place);
            before = *place;
            line
        };
        places.iter().map(number).collect()
    }

    /// How many lines end between these bytes.
    fn ends(&self, from: usize, to: usize) -> usize {
        let part = self.bytes.get(from..to.min(self.bytes.len())).unwrap_or_default();
        let feeds = memchr_iter(b'\n', part).count();
        if !self.has_returns {
            return feeds;
        }
        let next = self.bytes.get(from + 1..).unwrap_or_default().iter().copied().chain([0]);
        feeds + part.iter().zip(next).filter(|(byte, next)| **byte == b'\r' && *next != b'\n').count()
    }
}

fn shortened_to(line: &str, chars: usize) -> String {
    line.char_indices().nth(chars).and_then(|(end, _)| line.get(..end)).unwrap_or(line).to_owned()
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
