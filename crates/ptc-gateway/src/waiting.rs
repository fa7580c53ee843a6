//! Deciding from outside the gateway: what `ptc mcp approve` does.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ptc_transcript::{Recorded, read_record};

use crate::ask::Answer;
use crate::store::{Decided, Store, Waiting};

/// Why nothing can be decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaitingError {
    /// The state cannot be read or written.
    #[error("the state of the gateway: {0}")]
    Store(io::Error),
    /// No such question waits.
    #[error("no question {id} waits{}", waiting(.others))]
    Nothing {
        /// What was named.
        id: String,
        /// What waits.
        others: Vec<String>,
    },
    /// Not all calls of the program can be allowed at once.
    #[error("how often the program of session {0} calls is not bounded: its calls can only be allowed as they come")]
    NotAll(String),
}

fn waiting(others: &[String]) -> String {
    if others.is_empty() { String::new() } else { format!("; there is {}", others.join(", ")) }
}

/// What waits for a decision in the gateway whose state is in this folder.
pub fn waiting_in(state: &Path) -> Result<Vec<Waiting>, WaitingError> {
    let store = Store::existing(state)?;
    let mut found = Vec::new();
    for session in store.sessions()? {
        // A session that cannot be read reports that when it is used.
        found.extend(store.question(&session).ok().flatten());
    }
    Ok(found)
}

/// An interrupted program: its session resumes it, or gives it up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// The handle of its session.
    pub session: String,
    /// The program.
    pub program: String,
    /// Calls that it had started; `None` when its journal cannot be read.
    pub calls: Option<usize>,
}

/// The interrupted programs of the gateway whose state is in this folder, unless another process runs them now.
pub fn interrupted_in(state: &Path) -> Result<Vec<Interrupted>, WaitingError> {
    let store = Store::existing(state)?;
    let mut found = Vec::new();
    for session in store.sessions()? {
        let Ok(state) = store.state(&session) else { continue };
        let number = state.programs + 1;
        let Ok(Some(program)) = store.program(&session, number) else { continue };
        let path = store.journal(&session, number);
        // A process that runs it holds its journal.
        let is_free = std::fs::File::open(&path).map_or(Ok(true), |file| file.try_lock().map(|()| true));
        if is_free.is_ok() {
            let recorded = read_record(&path).ok().and_then(|bytes| Recorded::read(&bytes).ok()?);
            let calls = recorded.map(|recorded| recorded.calls().count());
            found.push(Interrupted { session, program, calls });
        }
    }
    Ok(found)
}

/// A session of a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownSession {
    /// Its handle.
    pub session: String,
    /// Programs that ended; `None` when its state cannot be read.
    pub programs: Option<u32>,
    /// Their calls, except those of programs that were given up; `None` when its state cannot be read.
    pub calls: Option<u64>,
    /// When a program of it ended last; when it was created, if none has.
    pub used: Option<SystemTime>,
    /// The journal of its last program, if there is one.
    pub journal: Option<PathBuf>,
}

/// The sessions of the gateway whose state is in this folder.
pub fn sessions_in(state: &Path) -> Result<Vec<KnownSession>, WaitingError> {
    let store = Store::existing(state)?;
    let known = |session: String| {
        let state = store.state(&session).ok();
        let programs = state.as_ref().map(|state| state.programs);
        // A program that has not ended is the one after those that have.
        let numbers = programs.into_iter().flat_map(|programs| [programs + 1, programs]);
        let journal = numbers.map(|number| store.journal(&session, number)).find(|path| path.is_file());
        let used = store.used(&session).ok();
        KnownSession { programs, calls: state.map(|state| state.calls), used, journal, session }
    };
    Ok(store.sessions()?.into_iter().map(known).collect())
}

/// Decide a question by its [`Waiting::id`]: exactly what was shown under it.
pub fn decide(state: &Path, id: &str, answer: Answer) -> Result<Waiting, WaitingError> {
    let store = Store::existing(state)?;
    let waiting = waiting_in(state)?;
    let Some(question) = waiting.iter().find(|waiting| waiting.id() == id) else {
        let others = waiting.iter().map(Waiting::id).collect();
        return Err(WaitingError::Nothing { id: id.to_owned(), others });
    };
    if answer.choice == crate::ask::Choice::ApproveAll && !question.all {
        return Err(WaitingError::NotAll(question.session.clone()));
    }
    store.decide(&question.session, &Decided { fingerprint: question.fingerprint.clone(), answer })?;
    Ok(question.clone())
}

impl From<io::Error> for WaitingError {
    fn from(error: io::Error) -> WaitingError {
        WaitingError::Store(error)
    }
}
