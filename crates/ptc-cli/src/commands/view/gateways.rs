//! What gateways keep: questions that wait for a decision, and sessions with their last programs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use ptc_runner::gateway::{KnownSession, WaitingError, interrupted_in, sessions_in, waiting_in};
use ptc_runner::lisp::{one_line, shortened};
use serde::{Deserialize, Serialize};

use super::sources::Source;

/// Characters shown of a program.
const SHOWN: usize = 200;

/// A gateway in a list.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct GatewayState {
    /// The folder.
    state: String,
    waiting: Vec<Question>,
    sessions: Vec<Session>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// What waits for a decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Question {
    id: String,
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Session {
    session: String,
    /// Programs that ended, if its state can be read.
    programs: Option<u32>,
    /// `waiting`, `interrupted` or `idle`.
    progress: String,
    /// The program that was interrupted, short.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    /// The page of its last program.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The record of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<PathBuf>,
}

/// Whether a gateway keeps its state in this folder.
pub(super) fn is_state(folder: &Path) -> bool {
    folder.join("sessions").is_dir() && folder.join("audit.jsonl").is_file()
}

/// Differs when something in a state has changed. Cost: looks at each file of its sessions.
pub(super) fn stamp(state: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut folders = vec![state.join("sessions")];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            // One that is removed just now is another change.
            let Ok(about) = entry.metadata() else { continue };
            (entry.file_name(), about.len(), about.modified().ok()).hash(&mut hasher);
            if about.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    hasher.finish()
}

impl GatewayState {
    /// What is in this folder.
    pub(super) fn of(state: &Path) -> GatewayState {
        GatewayState::read(state).unwrap_or_else(|error| GatewayState::of_problem(state, error.to_string()))
    }

    /// What is shown of one that cannot be read.
    pub(super) fn of_problem(state: &Path, problem: String) -> GatewayState {
        GatewayState { state: state.display().to_string(), problem: Some(problem), ..GatewayState::default() }
    }

    fn read(state: &Path) -> Result<GatewayState, WaitingError> {
        let (waiting, interrupted) = (waiting_in(state)?, interrupted_in(state)?);
        let session = |known: KnownSession| {
            let stopped = interrupted.iter().find(|program| program.session == known.session);
            let progress = match stopped {
                _ if waiting.iter().any(|question| question.session == known.session) => "waiting",
                Some(_) => "interrupted",
                None => "idle",
            };
            Session {
                progress: progress.to_owned(),
                program: stopped
                    .filter(|_| progress == "interrupted")
                    .map(|stopped| shortened(&one_line(&stopped.program), SHOWN).into_owned()),
                url: known.journal.clone().map(|journal| format!("run/{}", Source::of(journal).id)),
                session: known.session,
                programs: known.programs,
                journal: known.journal,
            }
        };
        Ok(GatewayState {
            state: state.display().to_string(),
            sessions: sessions_in(state)?.into_iter().map(session).collect(),
            waiting: waiting
                .iter()
                .map(|question| Question { id: question.id(), text: question.text.clone() })
                .collect(),
            problem: None,
        })
    }

    /// The records of its sessions.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source> {
        self.sessions.iter().filter_map(|session| session.journal.clone()).map(Source::of)
    }
}
