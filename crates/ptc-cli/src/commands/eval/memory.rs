//! Definitions in a file: `{NAME: {"value": TAGGED, "doc"?, "returns"?, "order"}}`.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ptc_runner::config::named;
use ptc_runner::lisp::{LeftOut, Limits, Session, StoredMemory};
use serde_json::value::RawValue;

use crate::failure::{Failure, FileFailure};
use crate::files;

/// The definitions in the file at `path`, for a session with these limits; none when there is no such file yet.
pub(crate) fn load(path: &Path, limits: &Limits) -> Result<StoredMemory, Failure> {
    match read(path, StoredMemory::max_bytes(limits)) {
        Ok(text) => StoredMemory::parse(&text)
            .map_err(|error| format!("{}: {error}; delete the file to start without definitions", named(path)).into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            // Said before a program has run whose definitions would be lost.
            match std::fs::metadata(folder) {
                Ok(_) => Ok(StoredMemory::default()),
                Err(source) => Err(FileFailure::Unwritable { path: path.to_owned(), source }.into()),
            }
        }
        Err(source) => Err(FileFailure::unreadable(path)(source).into()),
    }
}

/// The text of a file of at most so many bytes.
fn read(path: &Path, most: u64) -> io::Result<String> {
    let file = File::open(path)?;
    let mut text = String::new();
    let is_long = file.metadata()?.len() > most;
    if is_long || file.take(most.saturating_add(1)).read_to_string(&mut text)? as u64 > most {
        let problem = format!(
            "it has more than {most} bytes, eight times what a program may hold; raise that with --limit memory=…"
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(text)
}

/// Replace the file at `path` by the definitions of the session, at once or not at all; answers those that were left
/// out.
pub(crate) fn save(path: &Path, session: &mut Session) -> Result<Vec<LeftOut>, FileFailure> {
    let (stored, left_out) = session.store_memory();
    let text = serde_json::to_string(&stored).map_err(io::Error::from).map(|text| text + "\n");
    let written = text.and_then(|text| files::replace(path, text.as_bytes()));
    written.map_err(|source| FileFailure::Unwritable { path: path.to_owned(), source })?;
    Ok(left_out)
}

/// The entries of one request of a batch.
pub(super) fn of_request(memory: Option<&RawValue>) -> Result<StoredMemory, String> {
    memory.map_or(Ok(StoredMemory::default()), |memory| {
        StoredMemory::parse(memory.get()).map_err(|error| error.to_string())
    })
}
