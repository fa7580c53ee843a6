//! Reading files and streams up to a size: their length is unknown.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The bytes of a file of at most `most` bytes.
///
/// - errors: those of the system, and [`ErrorKind::FileTooLarge`] with a text that says the limit
/// - memory: at most `most` bytes, also for devices and pipes, whose length is not known in advance
///
/// ```
/// let error = ptc_chat::read_file("/dev/zero", 1 << 20).unwrap_err();
/// assert_eq!(error.to_string(), "it is larger than the limit of 1 MB");
/// ```
pub fn read_file(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    read_open_file(&File::open(path)?, most)
}

/// The same from an open file.
pub fn read_open_file(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let size = file.metadata().map_or(0, |found| if found.is_file() { found.len() } else { 0 });
    if size > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    read_into(&mut bytes, file, most)?;
    Ok(bytes)
}

/// The bytes of a stream up to its end; errors as [`read_file`].
pub fn read_most(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_into(&mut bytes, from, most)?;
    Ok(bytes)
}

fn read_into(bytes: &mut Vec<u8>, from: impl Read, most: u64) -> io::Result<()> {
    from.take(most.saturating_add(1)).read_to_end(bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most { Err(too_large(most)) } else { Ok(()) }
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than the limit of {} MB", most >> 20))
}
