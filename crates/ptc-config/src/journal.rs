//! A journal in a file.

#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ptc_transcript::{Journal, JournalError, JournalRecord, Recorded};

/// The journal of a run in a file of JSON Lines: one write per record, on the disk after each turn.
///
/// The file is locked while this value lives, so that no two runs write to it.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Context, RunOptions, SubAgent, blocking};
/// use ptc_chat::ScriptedLlm;
/// use ptc_config::JournalFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run.journal");
/// let agent = SubAgent::builder("Add one and two.").max_turns(2).build()?;
///
/// // The model answers once, then it is gone.
/// let options = RunOptions {
///     llm: Some(Arc::new(ScriptedLlm::replies(["(def sum (+ 1 2))"]))),
///     journal: Some(Arc::new(JournalFile::create(&path)?)),
///     ..RunOptions::default()
/// };
/// assert!(!blocking::run_with(&agent, Context::default(), options)?.is_ok());
///
/// // Later: the first turn is known.
/// let (journal, recorded) = JournalFile::resume(&path)?;
/// let options = RunOptions {
///     llm: Some(Arc::new(ScriptedLlm::replies(["(return sum)"]))),
///     journal: Some(Arc::new(journal)),
///     resume: recorded.map(Arc::new),
///     ..RunOptions::default()
/// };
/// assert_eq!(blocking::run_with(&agent, Context::default(), options)?.value::<u32>()?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JournalFile {
    file: File,
}

/// A journal file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalFileError {
    /// The file could not be opened, read or cut.
    #[error("cannot open the journal {}: {source}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another run writes to it.
    #[error("the journal {} is in use: wait until the run that writes it has ended", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A new run would go on with the journal of another one.
    #[error("{} holds a run already: resume it, or name another file", .path.display())]
    NotEmpty {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something else than a journal of this release.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: JournalError,
    },
}

impl JournalFile {
    /// A journal for a new run. Errors when the file is there and not empty.
    pub fn create(path: impl AsRef<Path>) -> Result<JournalFile, JournalFileError> {
        let path = path.as_ref();
        let file = open(path)?;
        let length = file.metadata().map_err(|source| unusable(path, source))?.len();
        if length > 0 {
            return Err(JournalFileError::NotEmpty { path: path.to_owned() });
        }
        Ok(JournalFile { file })
    }

    /// The journal of a run that was stopped, with what it holds; a file that is missing or has no whole line is a new one.
    ///
    /// A torn last line is cut off. Errors when the file is no journal.
    pub fn resume(path: impl AsRef<Path>) -> Result<(JournalFile, Option<Recorded>), JournalFileError> {
        let path = path.as_ref();
        let mut file = open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|source| unusable(path, source))?;
        let recorded = Recorded::read(&bytes).map_err(|source| JournalFileError::Unreadable { path: path.to_owned(), source })?;
        let whole = recorded.as_ref().map_or(0, Recorded::whole_bytes);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(|source| unusable(path, source))?;
        }
        Ok((JournalFile { file }, recorded))
    }
}

impl Journal for JournalFile {
    fn write(&self, record: &JournalRecord) -> io::Result<()> {
        (&self.file).write_all(record.to_line()?.as_bytes())
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// The file, there and locked.
fn open(path: &Path) -> Result<File, JournalFileError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(|source| unusable(path, source))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(JournalFileError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => return Err(unusable(path, source)),
    }
    sync_folder(path).map_err(|source| unusable(path, source))?;
    Ok(file)
}

/// A new file is lost with the power until its folder is written, too.
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
