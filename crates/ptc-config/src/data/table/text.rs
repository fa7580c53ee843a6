//! The text of a table in pieces of whole lines, so that a large file is never in memory as a whole.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::{memchr, memrchr};

use super::super::DataError;
use crate::place::place_in;
use crate::text::utf8;

/// Bytes of a piece: many enough that threads do not wait for each other, few enough that they end together.
const PIECE: usize = if cfg!(test) { 16 } else { 512 << 10 };
/// Bytes that show how a file is written.
const HEAD: u64 = 2 << 20;
/// Smaller files are read as a whole.
const LARGE: u64 = if cfg!(test) { 0 } else { 8 << 20 };

/// Where the lines of a table come from.
#[derive(Debug)]
pub(in super::super) enum Text {
    Whole(String),
    /// A file that begins with this text in UTF-8.
    File {
        path: PathBuf,
        head: String,
        bytes: u64,
    },
}

impl Text {
    /// The text of a large file that begins with whole lines of UTF-8; others are to be read as a whole.
    pub(in super::super) fn of_file(path: &Path, limit: u64) -> Option<Text> {
        let bytes = path.metadata().ok().filter(|file| file.is_file()).map(|file| file.len())?;
        let mut head = Vec::new();
        if !(LARGE..=limit).contains(&bytes) {
            return None;
        }
        File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        if bytes > HEAD {
            head.truncate(memrchr(b'\n', &head)? + 1);
        }
        let head = String::from_utf8(head).ok().filter(|head| !head.starts_with('\u{feff}') && !head.contains('\0'))?;
        Some(Text::File { path: path.to_owned(), head, bytes })
    }

    /// Its first lines.
    pub(in super::super) fn head(&self) -> &str {
        match self {
            Text::Whole(text) => text,
            Text::File { head, .. } => head,
        }
    }

    /// Its size in bytes.
    pub(in super::super) fn len(&self) -> u64 {
        match self {
            Text::Whole(text) => text.len() as u64,
            Text::File { bytes, .. } => *bytes,
        }
    }

    /// How many pieces it has at most.
    pub(super) fn most_pieces(&self) -> usize {
        usize::try_from(self.len() / PIECE as u64).unwrap_or(usize::MAX).saturating_add(1)
    }

    /// The pieces from this byte on, which begins a line.
    pub(super) fn pieces(&self, from: usize) -> Result<Pieces<'_>, DataError> {
        let lines = match self {
            Text::Whole(text) => Lines::Whole(text.get(from..).unwrap_or_default()),
            Text::File { path, bytes, .. } => {
                let unreadable = |source| DataError::Unreadable { path: path.clone(), source };
                let mut file = File::open(path).map_err(unreadable)?;
                file.seek(SeekFrom::Start(from as u64)).map_err(unreadable)?;
                Lines::File { path, left: bytes.saturating_sub(from as u64), file, begun: Vec::new() }
            }
        };
        Ok(Pieces { lines, is_new: true })
    }
}

/// Whole lines, piece by piece.
pub(super) struct Pieces<'t> {
    lines: Lines<'t>,
    /// Whether none was taken.
    is_new: bool,
}

enum Lines<'t> {
    Whole(&'t str),
    File {
        path: &'t Path,
        file: File,
        /// Bytes that the file still has: what is added to it while it is read does not count.
        left: u64,
        /// The beginning of a line.
        begun: Vec<u8>,
    },
}

impl<'t> Pieces<'t> {
    /// Whether there are no more.
    pub(super) fn is_over(&self) -> bool {
        match &self.lines {
            Lines::Whole(rest) => rest.is_empty(),
            Lines::File { left, begun, .. } => *left == 0 && begun.is_empty(),
        }
    }

    /// Whether none was taken.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// The next lines, at least so many bytes unless the text ends; nothing at its end.
    pub(super) fn next(&mut self, least: usize) -> Result<Cow<'t, str>, DataError> {
        let size = least.max(PIECE);
        self.is_new = false;
        match &mut self.lines {
            Lines::Whole(rest) => {
                let later = rest.as_bytes().get(size..).unwrap_or_default();
                let end = memchr(b'\n', later).map_or(rest.len(), |at| size + at + 1);
                let (piece, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                *rest = after;
                Ok(Cow::Borrowed(piece))
            }
            Lines::File { path, file, left, begun } => {
                let unreadable = |source| DataError::Unreadable { path: path.to_path_buf(), source };
                let mut bytes = std::mem::take(begun);
                while *left > 0 {
                    bytes.reserve_exact(size);
                    let read =
                        file.by_ref().take((size as u64).min(*left)).read_to_end(&mut bytes).map_err(unreadable)?;
                    *left = if read == 0 { 0 } else { *left - read as u64 };
                    if let Some(end) = memrchr(b'\n', &bytes).filter(|_| *left > 0) {
                        *begun = bytes.split_off(end + 1);
                        break;
                    }
                }
                let text = utf8(bytes).map_err(|(bytes, source)| {
                    let place = place_in(path, &String::from_utf8_lossy(&bytes), source.offset);
                    DataError::NotText { place, source }
                })?;
                Ok(Cow::Owned(text))
            }
        }
    }
}
