//! Files that are written in one piece.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{ExistingFile, Format, TargetFailure, look};

/// A destination for a file that is replaced atomically.
#[derive(Debug)]
pub(crate) struct WholeFile {
    path: PathBuf,
    format: Format,
    is_stream: bool,
}

impl WholeFile {
    /// A file at this path, which is free or may be replaced; nothing is written yet.
    pub(crate) fn at(path: &Path, format: Format, force: bool) -> Result<WholeFile, TargetFailure> {
        let is_stream = look(path, format, force)? == ExistingFile::Stream;
        Ok(WholeFile { path: path.to_owned(), format, is_stream })
    }

    /// Write the file.
    pub(crate) fn write(&self, text: &str) -> Result<(), TargetFailure> {
        self.write_bytes(text.as_bytes())
    }

    /// Write the file.
    pub(crate) fn write_bytes(&self, content: &[u8]) -> Result<(), TargetFailure> {
        let head = self.format.head.filter(|_| self.format.is_put_in_front).unwrap_or_default();
        let bytes = [head.as_bytes(), content].concat();
        let readers = if self.format.is_page() { Readers::AsUsual } else { Readers::Owner };
        let written = if self.is_stream { fs::write(&self.path, bytes) } else { replace(&self.path, &bytes, readers) };
        written.map_err(|source| TargetFailure::Unwritable {
            option: self.format.option,
            path: self.path.clone(),
            source,
        })
    }
}

/// Who may read a new file; one that is replaced keeps its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Its owner: it holds what runs hold.
    Owner,
    /// As the system's defaults for new files say.
    AsUsual,
}

/// Write next to the file and rename; a symbolic link stays one.
pub(crate) fn replace(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut draft = tempfile::Builder::new();
    draft.prefix(".ptc-");
    #[cfg(unix)]
    draft.permissions(permissions(&path, readers));
    #[cfg(not(unix))]
    let _ = readers;
    // Without the name of the draft, which the user does not know.
    let plain = |error: io::Error| error.raw_os_error().map_or(error, io::Error::from_raw_os_error);
    let mut draft = draft.tempfile_in(folder).map_err(plain)?;
    draft.write_all(bytes).map_err(plain)?;
    draft.persist(&path).map_err(|error| plain(error.error))?;
    Ok(())
}

/// Those of the replaced file, else those that a new file gets; the system's defaults apply to them, too.
#[cfg(unix)]
fn permissions(path: &Path, readers: Readers) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    let new = match readers {
        Readers::Owner => 0o600,
        Readers::AsUsual => 0o666,
    };
    fs::metadata(path).map_or_else(|_| fs::Permissions::from_mode(new), |found| found.permissions())
}
