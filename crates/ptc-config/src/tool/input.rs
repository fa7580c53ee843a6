//! The standard input of a command, whole before the command starts: a command never reads a part of it, whatever
//! happens to this process.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::Stdio;

/// Bytes that every pipe holds.
const PIPE: usize = 4096;

/// A standard input with this content, and its end after it.
pub(super) fn of(input: &[u8]) -> io::Result<Stdio> {
    if cfg!(unix) && input.len() <= PIPE {
        let (reader, mut writer) = io::pipe()?;
        writer.write_all(input)?;
        return Ok(reader.into());
    }
    let mut file = nameless()?;
    file.write_all(input)?;
    file.rewind()?;
    Ok(file.into())
}

/// A file in memory.
#[cfg(target_os = "linux")]
fn nameless() -> io::Result<File> {
    let memory = rustix::fs::memfd_create("ptc-input", rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok(File::from(memory))
}

/// A file without a name in the folder for temporary files, only for its owner.
#[cfg(not(target_os = "linux"))]
fn nameless() -> io::Result<File> {
    tempfile::tempfile()
}
