//! Files that grow during a run.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ptc_runner::config::named;
use ptc_runner::transcript::private_file;

use super::{ExistingFile, Format, TargetFailure, look};

/// A log under its final name. Its first line replaces what was there before; a refused start changes nothing.
///
/// Copies write to the same file, each write in one piece.
#[derive(Debug, Clone)]
pub(crate) struct GrowingFile(Arc<Log>);

#[derive(Debug)]
struct Log {
    option: &'static str,
    path: PathBuf,
    file: Mutex<File>,
    /// Whether the file already belongs to this run.
    has_begun: AtomicBool,
    is_new: bool,
    is_stream: bool,
}

impl GrowingFile {
    /// A log at this path, which is free or may be replaced.
    pub(crate) fn at(path: &Path, format: Format, force: bool) -> Result<GrowingFile, TargetFailure> {
        let is_stream = look(path, format, force)? == ExistingFile::Stream;
        let is_new = !path.exists();
        let file = private_file().write(true).create(true).truncate(false).open(path);
        let file =
            file.map_err(|source| TargetFailure::Unwritable { option: format.option, path: path.to_owned(), source })?;
        let (option, path, file) = (format.option, path.to_owned(), Mutex::new(file));
        Ok(GrowingFile(Arc::new(Log { option, path, file, has_begun: false.into(), is_new, is_stream })))
    }

    /// The run had started: a file without a line is its log, too.
    pub(crate) fn settle(&self) -> Result<(), TargetFailure> {
        let Log { option, path, file, .. } = &*self.0;
        let file = file.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.begin(&file).map_err(|source| TargetFailure::Unwritable { option, path: path.clone(), source })
    }
}

impl Log {
    fn begin(&self, file: &File) -> io::Result<()> {
        if !self.has_begun.swap(true, Ordering::Relaxed) && !self.is_stream {
            file.set_len(0)?;
        }
        Ok(())
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self.0.begin(&file).and_then(|()| file.write_all(bytes));
        written.map(|()| bytes.len()).map_err(|error| {
            io::Error::new(error.kind(), format!("{} {}: {error}", self.0.option, named(&self.0.path)))
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if self.is_new && !*self.has_begun.get_mut() {
            // The start was refused: remove all traces of it. A file that cannot be removed is emptied.
            let _ = fs::remove_file(&self.path);
        }
    }
}
