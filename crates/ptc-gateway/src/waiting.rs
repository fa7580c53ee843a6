//! Deciding from outside of the gateway: what `ptc mcp approve` does.

use std::io;
use std::path::Path;

use ptc_transcript::Recorded;

use crate::ask::Answer;
use crate::store::{Decided, Store, Waiting};

/// Why nothing can be decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaitingError {
    /// The state cannot be read or written.
    #[error("the state of the gateway: {0}")]
    Store(io::Error),
    /// Nothing of this session waits.
    #[error("nothing waits in session {session}{}", waiting(.others))]
    Nothing {
        /// The session.
        session: String,
        /// Sessions in which something waits.
        others: Vec<String>,
    },
    /// Not all calls of the program can be allowed at once.
    #[error("how often the program of session {0} calls is not bounded: its calls can only be allowed as they come")]
    NotAll(String),
}

fn waiting(others: &[String]) -> String {
    if others.is_empty() { String::new() } else { format!("; something waits in {}", others.join(", ")) }
}

/// What waits for a decision in the gateway whose state is in this folder.
pub fn waiting_in(state: &Path) -> Result<Vec<Waiting>, WaitingError> {
    let store = Store::open(state)?;
    let mut found = Vec::new();
    for session in store.sessions()? {
        found.extend(store.question(&session)?);
    }
    Ok(found)
}

/// A program that was interrupted: its session goes on with it, or gives it up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// The handle of its session.
    pub session: String,
    /// The program.
    pub program: String,
    /// Calls that it had begun.
    pub calls: usize,
}

/// The programs that were interrupted in the gateway whose state is in this folder, and that nobody runs now.
pub fn interrupted_in(state: &Path) -> Result<Vec<Interrupted>, WaitingError> {
    let store = Store::open(state)?;
    let mut found = Vec::new();
    for session in store.sessions()? {
        let number = store.state(&session)?.programs + 1;
        let Some(program) = store.program(&session, number)? else { continue };
        let path = store.journal(&session, number);
        // Whoever runs it holds its journal.
        let is_free = std::fs::File::open(&path).map_or(Ok(true), |file| file.try_lock().map(|()| true));
        if is_free.is_ok() {
            let recorded = std::fs::read(&path).ok().and_then(|bytes| Recorded::read(&bytes).ok()?);
            let calls = recorded.map_or(0, |recorded| recorded.calls().count());
            found.push(Interrupted { session, program, calls });
        }
    }
    Ok(found)
}

/// Decide what waits in a session: exactly what is shown by [`waiting_in`].
pub fn decide(state: &Path, session: &str, answer: Answer) -> Result<Waiting, WaitingError> {
    let store = Store::open(state)?;
    let question = if store.has(session) { store.question(session)? } else { None };
    let Some(question) = question else {
        let others = waiting_in(state)?.into_iter().map(|waiting| waiting.session).collect();
        return Err(WaitingError::Nothing { session: session.to_owned(), others });
    };
    if answer.choice == crate::ask::Choice::ApproveAll && !question.all {
        return Err(WaitingError::NotAll(session.to_owned()));
    }
    store.decide(session, &Decided { fingerprint: question.fingerprint.clone(), answer })?;
    Ok(question)
}

impl From<io::Error> for WaitingError {
    fn from(error: io::Error) -> WaitingError {
        WaitingError::Store(error)
    }
}
