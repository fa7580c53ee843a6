//! A journal in a file.

#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::write::GzEncoder;
use ptc_chat::{lock_private, private_file, read_open_file};
use ptc_lisp::text::shortened;

use super::packed::{Packed, first_unpacked, is_packed, packer};
use super::{Journal, JournalError, Recorded};
use crate::bounds::{MAX_RECORD_BYTES, RECORD_HEAD, is_record_head};

/// The journal of a run in a file of JSON Lines: written per record, on the disk after each turn.
///
/// A new file whose name ends in `.gz` is one of gzip, which `zcat` reads, also while the run lasts. The file is locked
/// while this value lives, so that two runs never write to it.
///
/// ```
/// use ptc_transcript::{Journal, JournalFile};
///
/// # use ptc_transcript::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject};
/// # let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
/// # let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
/// # let line = JournalLines::default().line(None, &JournalRecord::Header(Box::new(header)))?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run.jsonl");
/// let journal = JournalFile::create(&path)?; // for `RunOptions::journal` of an agent, which writes its lines
/// journal.write(&line)?;
/// drop(journal);
///
/// // Later, in another process: what the run has done, and the file to continue in.
/// let (_journal, recorded) = JournalFile::resume(&path)?;
/// assert_eq!(recorded.unwrap().header().mission, "Count.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JournalFile {
    file: Arc<File>,
    is_packed: bool,
    /// What is written of a packed one, from its first line on.
    packer: Mutex<Option<GzEncoder<Arc<File>>>>,
}

/// A journal file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalFileError {
    /// The file could not be opened, read or truncated.
    #[error("cannot open the journal {}: {source}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// Another run writes to it.
    #[error("the journal {} is in use: wait until the run that writes it has ended", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A new run would continue the journal of another one.
    #[error("{} holds a run already: resume it, or name another file", .path.display())]
    NotEmpty {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something other than a journal of this release.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        r#source: JournalError,
    },
}

impl JournalFile {
    /// A journal for a new run; missing parent folders are created. Errors when the file exists and is not empty.
    pub fn create(path: impl AsRef<Path>) -> Result<JournalFile, JournalFileError> {
        let path = path.as_ref();
        let mut file = open(path)?;
        let mut begin = Vec::new();
        (&mut file).take(MAX_HEAD).read_to_end(&mut begin).map_err(|source| unusable(path, source))?;
        if begin.is_empty() {
            return Ok(JournalFile::new(file, is_named_packed(path)));
        }
        let begin = first_unpacked(begin, MAX_HEAD);
        if is_begin_of_journal(&begin) {
            return Err(JournalFileError::NotEmpty { path: path.to_owned() });
        }
        Err(foreign(path, &begin))
    }

    /// The journal of a run that was stopped, with what it holds; a file that is missing or has no whole line is a new
    /// one.
    ///
    /// A torn last line is cut off, and a packed file continues as one. Errors when the file is not a journal, and when another
    /// run has it in use: that is waited for on this thread, for up to two seconds.
    pub fn resume(path: impl AsRef<Path>) -> Result<(JournalFile, Option<Recorded>), JournalFileError> {
        let path = path.as_ref();
        let file = open(path)?;
        let found = read_open_file(&file, MAX_RECORD_BYTES).map_err(|source| unusable(path, source))?;
        let length = found.len();
        let is_packed = if found.is_empty() { is_named_packed(path) } else { is_packed(&found) };
        let Packed { text, whole, end } = match is_packed {
            true => Packed::read(&found).map_err(|source| unusable(path, source))?,
            false => Packed { whole: length, text: found, end: Vec::new() },
        };
        // A last line is torn only if it is one of ours.
        if !text.contains(&b'\n') && !is_begin_of_journal(&text) {
            return Err(foreign(path, &text));
        }
        let recorded =
            Recorded::read(&text).map_err(|source| JournalFileError::Unreadable { path: path.to_owned(), source })?;
        let torn = text.len() - recorded.as_ref().map_or(0, Recorded::whole_bytes);
        if torn > 0 && is_packed {
            return Err(unusable(path, io::Error::new(io::ErrorKind::InvalidData, "its last line is not whole")));
        }
        if whole - torn < length {
            let cut = file.set_len((whole - torn) as u64).and_then(|()| (&file).seek(SeekFrom::End(0)));
            cut.map_err(|source| unusable(path, source))?;
        }
        (&file).write_all(&end).map_err(|source| unusable(path, source))?;
        Ok((JournalFile::new(file, is_packed), recorded))
    }

    fn new(file: File, is_packed: bool) -> JournalFile {
        JournalFile { file: Arc::new(file), is_packed, packer: Mutex::new(None) }
    }

    /// Remove all records, so that the run cannot be resumed from only a part of what it did.
    pub fn clear(&self) -> io::Result<()> {
        // What it still writes goes, too.
        drop(self.packer.lock().unwrap_or_else(PoisonError::into_inner).take());
        self.file.set_len(0)?;
        (&*self.file).rewind()
    }
}

impl Journal for JournalFile {
    fn write(&self, line: &str) -> io::Result<()> {
        if !self.is_packed {
            return (&*self.file).write_all(line.as_bytes());
        }
        let mut held = self.packer.lock().unwrap_or_else(PoisonError::into_inner);
        let packer = held.get_or_insert_with(|| packer(Arc::clone(&self.file)));
        packer.write_all(line.as_bytes())?;
        packer.flush()
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Bytes read to see whether a file is a journal.
const MAX_HEAD: u64 = 4096;
/// Characters quoted of a file that is not a journal.
const MAX_QUOTE: usize = 80;

/// Whether the name says that the file is one of gzip.
fn is_named_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "gz")
}

/// Whether this is the beginning of a journal, or a part of it.
fn is_begin_of_journal(bytes: &[u8]) -> bool {
    is_record_head(bytes) || RECORD_HEAD.starts_with(bytes)
}

/// Another program's file, which stays as it is.
fn foreign(path: &Path, begin: &[u8]) -> JournalFileError {
    let line = String::from_utf8_lossy(begin.split(|byte| *byte == b'\n').next().unwrap_or_default());
    let source = JournalError::NotAJournal { found: format!("`{}`", shortened(&line, MAX_QUOTE)) };
    JournalFileError::Unreadable { path: path.to_owned(), source }
}

/// The file, created and locked.
fn open(path: &Path) -> Result<File, JournalFileError> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|source| unusable(path, source))?;
    // Windows does not shorten files that are opened to append.
    let file = private_file().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(|source| unusable(path, source))?;
    match lock_private(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(JournalFileError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => return Err(unusable(path, source)),
    }
    sync_folder(path).map_err(|source| unusable(path, source))?;
    Ok(file)
}

/// A power failure loses a new file until its folder is synced, too.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn unusable(path: &Path, source: io::Error) -> JournalFileError {
    JournalFileError::Unusable { path: path.to_owned(), source }
}
