//! Files of JSON Lines to which one process appends: what was finished before it was stopped.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ptc_config::named;
use ptc_transcript::{lock_private, private_file, read_record};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file that is appended to with each result; locked while this value lives.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: Mutex<File>,
}

/// What a file holds when it is opened.
#[derive(Debug)]
pub(crate) struct Opened<T> {
    pub(crate) file: LineFile,
    pub(crate) lines: Vec<T>,
    /// What was removed: a last line that was not written to its end.
    pub(crate) note: Option<String>,
}

/// A file of results that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinesError {
    /// It cannot be read or written.
    #[error("{}: {source}", named(.path))]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// Another process writes to it.
    #[error("{}: another process writes to this file; wait for it, or name another file", named(.path))]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line that is not a result.
    #[error("{}, line {line}: this is not the result of a run ({problem}); name another file", named(.path))]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl LineFile {
    /// Open the file, or create it. Each of its lines begins with `head`.
    pub(crate) fn open<T: DeserializeOwned>(path: &Path, head: &str) -> Result<Opened<T>, LinesError> {
        let path = path.to_owned();
        let unusable = |source| LinesError::File { path: path.clone(), source };
        let file = private_file().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(unusable)?;
        match lock_private(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LinesError::InUse { path }),
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(unusable)?;
        let (lines, whole) = parsed(&path, head, &text)?;
        let is_torn = whole < text.len();
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(unusable)?;
        let note = is_torn.then(|| {
            let number = text.lines().count();
            format!("{}, line {number} was not written to its end and is removed; its run is asked again", named(&path))
        });
        Ok(Opened { file: LineFile { path, file: Mutex::new(file) }, lines, note })
    }

    /// The lines of a file as far as they are written. Another process may be writing to it; a last line that was not
    /// written to its end is left out.
    pub(crate) fn read<T: DeserializeOwned>(path: &Path, head: &str) -> Result<Vec<T>, LinesError> {
        let unusable = |source| LinesError::File { path: path.to_owned(), source };
        let text = String::from_utf8(read_record(path).map_err(unusable)?);
        let text = text.map_err(|error| unusable(io::Error::other(error)))?;
        Ok(parsed(path, head, &text)?.0)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Add a line.
    pub(crate) fn append(&self, line: &impl Serialize) -> Result<(), LinesError> {
        let written = serde_json::to_string(line).map_err(io::Error::from).and_then(|line| {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(format!("{line}\n").as_bytes())
        });
        written.map_err(|source| LinesError::File { path: self.path.clone(), source })
    }
}

/// The lines of a text, and the length of its whole lines. Errors when something else is in it.
fn parsed<T: DeserializeOwned>(path: &Path, head: &str, text: &str) -> Result<(Vec<T>, usize), LinesError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let (done, torn) = text.split_at(whole);
    let wrong = |line, problem| LinesError::Line { path: path.to_owned(), line, problem };
    let read = |(place, line)| serde_json::from_str(line).map_err(|error| wrong(place + 1, error.to_string()));
    let lines: Vec<T> = done.lines().enumerate().map(read).collect::<Result<_, _>>()?;
    if !torn.starts_with(head) && !head.starts_with(torn) {
        return Err(wrong(lines.len() + 1, format!("a result begins with {head}")));
    }
    Ok((lines, whole))
}

/// The path of a name in a folder. Only what is below the folder: the file that has the name may come from another author.
pub(crate) fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut parts = Path::new(name).components();
    let is_below = !name.contains('\\') && parts.all(|part| matches!(part, Component::Normal(_)));
    is_below.then(|| folder.join(name))
}
