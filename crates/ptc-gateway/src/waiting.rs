//! Deciding from outside the gateway: what `ptc mcp approve` does.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ptc_transcript::{Recorded, read_record};

use crate::ask::{Answer, Choice};
use crate::store::{Asked, Decided, Store, Waiting};

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
    /// An approval without the code of the question.
    #[error(
        "question {id} needs its code, which is shown on the terminal of the gateway or, when it runs without one, in {}",
        .log.display()
    )]
    NeedsCode {
        /// The question.
        id: String,
        /// Where codes are written.
        log: PathBuf,
    },
    /// The code is another one.
    #[error(
        "this is not the code of question {id}: it is the last one shown for it on the terminal of the gateway or in {}",
        .log.display()
    )]
    WrongCode {
        /// The question.
        id: String,
        /// Where codes are written.
        log: PathBuf,
    },
}

fn waiting(others: &[String]) -> String {
    if others.is_empty() { String::new() } else { format!("; there is {}", others.join(", ")) }
}

/// What waits for a decision in the gateway whose state is in this folder.
pub fn waiting_in(state: &Path) -> Result<Vec<Waiting>, WaitingError> {
    Ok(asked_in(&Store::existing(state)?)?.into_iter().map(|asked| asked.waiting).collect())
}

fn asked_in(store: &Store) -> io::Result<Vec<Asked>> {
    // A session that cannot be read reports that when it is used.
    let asked = |session: String| store.question(&session).ok().flatten();
    Ok(store.sessions()?.into_iter().filter_map(asked).collect())
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
///
/// To approve it takes the code that the gateway shows with the question, so that what asks cannot decide as well; in
/// which case and with which spaces it is written makes no difference. Anyone who reaches the state may deny.
pub fn decide(state: &Path, id: &str, answer: Answer, code: Option<&str>) -> Result<Waiting, WaitingError> {
    let store = Store::existing(state)?;
    let asked = asked_in(&store)?;
    let Some(Asked { waiting, code: known, .. }) = asked.iter().find(|asked| asked.waiting.id() == id) else {
        let others = asked.iter().map(|asked| asked.waiting.id()).collect();
        return Err(WaitingError::Nothing { id: id.to_owned(), others });
    };
    if answer.choice == Choice::ApproveAll && !waiting.all {
        return Err(WaitingError::NotAll(waiting.session.clone()));
    }
    if !matches!(answer.choice, Choice::Deny(_)) {
        let (id, log) = (id.to_owned(), store.approvals());
        match code {
            None => return Err(WaitingError::NeedsCode { id, log }),
            Some(code) if !known.fits(waiting, code) => return Err(WaitingError::WrongCode { id, log }),
            Some(_) => {}
        }
    }
    let decided = Decided { fingerprint: waiting.fingerprint.clone(), answer, code: code.map(str::to_owned) };
    store.decide(&waiting.session, &decided)?;
    Ok(waiting.clone())
}

impl From<io::Error> for WaitingError {
    fn from(error: io::Error) -> WaitingError {
        WaitingError::Store(error)
    }
}
