//! Files as text: UTF-8, and an error that says where it is not.

use std::path::Path;
use std::{fmt, io};

use ptc_chat::read_file;

use crate::error::ConfigError;
use crate::place::{Place, place_in};

/// The first byte of a file that is not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUtf8 {
    /// The byte.
    pub byte: u8,
    /// Bytes before it.
    pub offset: usize,
}

impl std::error::Error for NotUtf8 {}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; save the file as UTF-8", self.found())
    }
}

impl NotUtf8 {
    /// What was found, without advice.
    pub(crate) fn found(&self) -> String {
        let found = format!("this is not UTF-8 text (byte 0x{:02X} at offset {})", self.byte, self.offset);
        // The byte order marks of UTF-16.
        if self.offset == 0 && matches!(self.byte, 0xFE | 0xFF) {
            format!("{found}, it looks like UTF-16")
        } else {
            found
        }
    }
}

/// Bytes that a text file may have which is read whole.
pub(crate) const MAX_BYTES: u64 = 4 << 20;

/// The text of a hand-written file: UTF-8 of at most 4 MB, without the byte order mark. Errors name the place.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, ConfigError> {
    let path = path.as_ref();
    let bytes = read_small(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    let text = decoded(path, bytes).map_err(|(place, source)| ConfigError::NotText { place, source })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The bytes of such a file.
pub(crate) fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    read_file(path, MAX_BYTES)
}

/// The text of a file, or the place where it stops being UTF-8.
pub(crate) fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String, (Box<Place>, NotUtf8)> {
    utf8(bytes).map_err(|(bytes, problem)| (place_in(path, &String::from_utf8_lossy(&bytes), problem.offset), problem))
}

/// Bytes as text, or the bytes and what is wrong with them.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, (Vec<u8>, NotUtf8)> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(offset).copied().unwrap_or_default();
        (error.into_bytes(), NotUtf8 { byte, offset })
    })
}
