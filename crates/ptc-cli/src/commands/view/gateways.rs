//! What gateways keep: servers, questions that wait for a decision, sessions with their last programs, the audit log.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_runner::gateway::{
    KnownServers, KnownSession, WaitingError, interrupted_in, is_running, servers_in, sessions_in, waiting_in,
};
use ptc_runner::lisp::text::{one_line, shortened};
use serde::{Deserialize, Serialize};

use super::log::Log;
use super::sources::{Source, id};

/// Characters shown of a program.
const SHOWN: usize = 200;

/// A gateway with its audit log, as its page shows it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct GatewayPage {
    #[serde(flatten)]
    pub(super) gateway: GatewayState,
    log: Log,
}

/// A gateway in a list.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct GatewayState {
    /// The folder.
    state: String,
    /// Its page.
    url: String,
    /// Whether one runs over this state, where the system can say.
    running: Option<bool>,
    #[serde(flatten)]
    servers: KnownServers,
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
    /// Their calls.
    calls: Option<u64>,
    /// Milliseconds since 1970 when it was used last.
    used_ms: Option<u64>,
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

/// Differs when something in a state has changed. Cost: looks at each file of it.
pub(super) fn stamp(state: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    is_running(state).ok().hash(&mut hasher);
    let mut folders = vec![state.to_owned()];
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

impl GatewayPage {
    /// What is in this folder.
    pub(super) fn of(state: &Path) -> GatewayPage {
        let read = || Ok(GatewayPage { gateway: GatewayState::read(state)?, log: Log::of(state)? });
        read().unwrap_or_else(|error: WaitingError| GatewayPage::of_problem(state, error.to_string()))
    }

    /// What is shown of one that cannot be read.
    pub(super) fn of_problem(state: &Path, problem: String) -> GatewayPage {
        let gateway = GatewayState { problem: Some(problem), ..GatewayState::named(state) };
        GatewayPage { gateway, log: Log::default() }
    }
}

impl GatewayState {
    /// What is known before reading it.
    fn named(state: &Path) -> GatewayState {
        GatewayState {
            state: state.display().to_string(),
            url: format!("gateway/{}", id(state)),
            ..GatewayState::default()
        }
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
                url: known.journal.clone().map(|journal| Source::of(journal).url()),
                session: known.session,
                programs: known.programs,
                calls: known.calls,
                used_ms: known.used.and_then(milliseconds),
                journal: known.journal,
            }
        };
        let mut sessions: Vec<Session> = sessions_in(state)?.into_iter().map(session).collect();
        sessions.sort_by_key(|session| std::cmp::Reverse(session.used_ms));
        Ok(GatewayState {
            running: is_running(state)?,
            servers: servers_in(state)?,
            sessions,
            waiting: waiting
                .iter()
                .map(|question| Question { id: question.id(), text: question.text.clone() })
                .collect(),
            ..GatewayState::named(state)
        })
    }

    /// The records of its sessions.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source> {
        self.sessions.iter().filter_map(|session| session.journal.clone()).map(Source::of)
    }
}

fn milliseconds(time: SystemTime) -> Option<u64> {
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}
