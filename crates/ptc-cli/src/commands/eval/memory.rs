//! Definitions in a file: `{NAME: {"value": TAGGED, "doc"?, "returns"?, "order"}}`.

#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

use ptc_runner::config::{named, read_file};
use ptc_runner::lisp::{Limits, Omitted, Session, StoredMemory};
use serde_json::value::RawValue;

use crate::failure::{Failure, FileFailure};
use crate::files::{self, Readers};

/// The definitions in the file at `path`, for a session with these limits; an empty memory when the file does not
/// exist yet.
pub(crate) fn load(path: &Path, limits: &Limits) -> Result<StoredMemory, Failure> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            // Reported before a program runs: its definitions would be lost.
            match std::fs::metadata(folder) {
                Ok(_) => Ok(StoredMemory::default()),
                Err(source) => Err(FileFailure::Unwritable { path: path.to_owned(), source }.into()),
            }
        }
        _ => StoredMemory::parse_within(&read(path, limits)?, limits)
            .map_err(|error| format!("{}: {error}; delete the file to start without definitions", named(path)).into()),
    }
}

/// The text of a file of definitions, if it is not longer than a session with these limits could write.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<String, FileFailure> {
    let most = StoredMemory::max_bytes(limits);
    let bytes = read_file(path, most).map_err(|source| match source.kind() {
        io::ErrorKind::FileTooLarge => FileFailure::unreadable(path)(io::Error::other(format!(
            "it has more than {most} bytes, eight times what a program may hold; raise that with --limit memory=…"
        ))),
        _ => FileFailure::unreadable(path)(source),
    })?;
    String::from_utf8(bytes).map_err(|error| FileFailure::not_text(&named(path), &error))
}

/// Replace the file at `path` with the definitions of the session, at once or not at all; returns those that were left
/// out.
pub(crate) fn save(path: &Path, session: &mut Session) -> Result<Vec<Omitted>, FileFailure> {
    let (stored, left_out) = session.store_memory();
    let text = serde_json::to_string(&stored).map_err(io::Error::from).map(|text| text + "\n");
    let written = text.and_then(|text| files::replace(path, text.as_bytes(), Readers::Owner));
    written.map_err(|source| FileFailure::Unwritable { path: path.to_owned(), source })?;
    Ok(left_out)
}

/// The entries of one request of a batch.
pub(super) fn of_request(memory: Option<&RawValue>, limits: &Limits) -> Result<StoredMemory, String> {
    memory.map_or(Ok(StoredMemory::default()), |memory| {
        StoredMemory::parse_within(memory.get(), limits).map_err(|error| error.to_string())
    })
}
