//! Definitions in a file: `{NAME: {"value": TAGGED, "doc"?, "returns"?, "order"}}`.

#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

use ptc_runner::lisp::{LeftOut, Session, StoredMemory};
use serde_json::value::RawValue;

use crate::failure::Failure;

/// The definitions in the file at `path`; none when there is no such file yet.
pub(crate) fn load(path: &Path) -> Result<StoredMemory, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => StoredMemory::parse(&text)
            .map_err(|error| Failure::Memory { path: path.to_owned(), problem: error.to_string() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(StoredMemory::default()),
        Err(source) => Err(Failure::Unreadable { path: path.to_owned(), source }),
    }
}

/// Replace the file at `path` by the definitions of the session, at once or not at all; answers those that were left
/// out.
pub(crate) fn save(path: &Path, session: &mut Session) -> Result<Vec<LeftOut>, Failure> {
    let (stored, left_out) = session.store_memory();
    let failed = |source| Failure::Unwritable { path: path.to_owned(), source };
    let mut text = serde_json::to_vec(&stored).map_err(|error| failed(error.into()))?;
    text.push(b'\n');
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}.tmp", std::process::id()));
    std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, path)).map_err(|source| {
        let _ = std::fs::remove_file(&draft);
        failed(source)
    })?;
    Ok(left_out)
}

/// The entries of one request of a batch.
pub(crate) fn of_request(memory: Option<&RawValue>) -> Result<StoredMemory, String> {
    memory.map_or(Ok(StoredMemory::default()), |memory| {
        StoredMemory::parse(memory.get()).map_err(|error| error.to_string())
    })
}
