//! Sessions on the disk: what a crash must not lose.
//!
//! A session is a folder: `state.json` after its last program that ended, and for each program its text and its journal.
//! A program whose number is above that of the state was interrupted.

mod kept;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ptc_lisp::ShownNames;
use ptc_transcript::{check_bounds, private_file, private_folder, read_record};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::code::CodeDigest;
use crate::servers::KnownServers;

pub use kept::KeptSessions;
pub(crate) use kept::Removed;

const STATE: &str = "state.json";
const QUESTION: &str = "question.json";
const DECISION: &str = "decision.json";
const HEARD: &str = "heard";
const SERVERS: &str = "servers.json";

/// Programs that a session may have had: their numbers must continue.
const MAX_PROGRAMS: u32 = 1 << 30;

/// Where a gateway keeps its sessions, its key and its audit log.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// What is kept of a session between programs.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Programs that ended.
    pub programs: u32,
    /// Their calls; those of programs that were given up are not among them.
    #[serde(default)]
    pub calls: u64,
    /// What they defined.
    pub definitions: Option<Box<RawValue>>,
    /// The names beginning with `_` that clients have seen.
    #[serde(default, skip_serializing_if = "ShownNames::is_empty")]
    pub shown_names: ShownNames,
    /// The value of the last one, typed.
    pub last: Option<Json>,
    /// What the next answer must say.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The last program and its answer, for a client that did not receive it.
    #[serde(default)]
    pub kept: Option<StoredResult>,
}

/// An ended program, and its answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredResult {
    pub program: String,
    pub report: Json,
    pub is_ok: bool,
    /// Its calls that had or may have had effects, in words.
    pub effects: Option<String>,
}

/// Characters of the fingerprint in the name of a question.
const MARK: usize = 6;

/// What waits for a decision, for commands outside the client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// The session.
    pub session: String,
    /// The fingerprint of what was shown: a decision is for exactly that.
    pub fingerprint: String,
    /// What is asked.
    pub text: String,
    /// Whether all calls of the program may be allowed at once.
    pub all: bool,
}

impl Waiting {
    /// What a decision names: the session and a part of the fingerprint, so that it applies to this question and no
    /// later one.
    #[must_use]
    pub fn id(&self) -> String {
        let mark = self.fingerprint.len().saturating_sub(MARK);
        format!("{}-{}", self.session, self.fingerprint.get(mark..).unwrap_or_default())
    }
}

/// A question as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Asked {
    #[serde(flatten)]
    pub waiting: Waiting,
    /// Of the code that approves it.
    #[serde(default)]
    pub code: CodeDigest,
    /// The ids of the calls.
    #[serde(default)]
    pub calls: Vec<String>,
}

/// A decision from outside the client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Decided {
    pub fingerprint: String,
    pub answer: crate::ask::Answer,
    /// The code of the question, which an approval needs: a file that others have written approves nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Store {
    /// The store of a gateway in this folder.
    pub fn existing(folder: &Path) -> io::Result<Store> {
        match folder.join("sessions").is_dir() {
            true => Ok(Store { folder: folder.to_owned() }),
            false => Err(io::Error::other(format!(
                "no gateway keeps its state in {}; name its folder, which is `.ptc/mcp` next to the gateway file unless the file says otherwise",
                folder.display()
            ))),
        }
    }

    /// The store in this folder, which is created when it is missing: private, and ignored by version control.
    pub fn open(folder: &Path) -> io::Result<Store> {
        // A process that reads this path may run in another folder.
        let folder = std::path::absolute(folder)?;
        private_folder().recursive(true).create(folder.join("sessions")).map_err(|error| told(&folder, error))?;
        let ignore = folder.join(".gitignore");
        if !ignore.exists() {
            private_file().write(true).create(true).truncate(true).open(ignore)?.write_all(b"*\n")?;
        }
        Ok(Store { folder })
    }

    pub fn audit(&self) -> PathBuf {
        self.folder.join("audit.jsonl")
    }

    pub fn observed(&self) -> PathBuf {
        self.folder.join("observed.json")
    }

    /// Where questions are written with their codes, unless a person sees them.
    pub fn approvals(&self) -> PathBuf {
        self.folder.join("approvals.log")
    }

    /// What was reviewed of the tools of pinned servers.
    pub fn pins(&self) -> PathBuf {
        self.folder.join("pins.json")
    }

    /// The file that each gateway over this state locks while it runs.
    pub fn running(&self) -> PathBuf {
        self.folder.join("running")
    }

    pub fn has_servers(&self) -> bool {
        self.folder.join(SERVERS).is_file()
    }

    pub fn servers(&self) -> io::Result<Option<KnownServers>> {
        read(&self.folder.join(SERVERS))
    }

    pub fn write_servers(&self, servers: &KnownServers) -> io::Result<()> {
        write(&self.folder.join(SERVERS), servers)
    }

    /// When a program of a session ended last; when it was created, if none has.
    pub fn used(&self, id: &str) -> io::Result<SystemTime> {
        let folder = self.session(id);
        fs::metadata(folder.join(STATE)).or_else(|_| fs::metadata(&folder))?.modified()
    }

    /// The secret that seals states that clients carry; created once.
    pub fn key(&self) -> io::Result<Vec<u8>> {
        let path = self.folder.join("key");
        match fs::read(&path) {
            Ok(key) if key.len() >= 32 => Ok(key),
            Ok(_) => Err(io::Error::other(format!("{} is damaged; delete it", path.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key: Vec<u8> = (0..2).flat_map(|_| *uuid::Uuid::new_v4().as_bytes()).collect();
                let beside = written_beside(&path, &key)?;
                let linked = fs::hard_link(&beside, &path);
                fs::remove_file(&beside)?;
                match linked {
                    Ok(()) => Ok(key),
                    // Another gateway was first.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::read(&path),
                    Err(error) => Err(told(&path, error)),
                }
            }
            Err(error) => Err(told(&path, error)),
        }
    }

    /// A new session.
    pub fn create(&self) -> io::Result<String> {
        let id: String = uuid::Uuid::new_v4().simple().to_string().chars().take(16).collect();
        private_folder().create(self.session(&id))?;
        Ok(id)
    }

    /// Whether this session exists. A malformed handle means none.
    pub fn has(&self, id: &str) -> bool {
        id.len() == 16 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) && self.session(id).is_dir()
    }

    /// The existing sessions.
    pub fn sessions(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(self.folder.join("sessions"))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| self.has(name)).collect();
        names.sort_unstable();
        Ok(names)
    }

    pub fn state(&self, id: &str) -> io::Result<State> {
        let path = self.session(id).join(STATE);
        let state: State = read(&path)?.unwrap_or_default();
        match state.programs > MAX_PROGRAMS {
            true => {
                let found = io::Error::other(format!("it counts {} programs, more than there can be", state.programs));
                Err(told(&path, found))
            }
            false => Ok(state),
        }
    }

    /// The program ended: store the new state of the session. Text and journal of the program before it are no longer
    /// needed.
    pub fn commit(&self, id: &str, state: &State) -> io::Result<()> {
        // This answer is unread. The mark is removed first: a read answer reported twice is better than an unread one
        // never reported.
        remove(&self.session(id).join(HEARD))?;
        write(&self.session(id).join(STATE), state)?;
        let before = state.programs.saturating_sub(1);
        remove(&self.text(id, before))?;
        remove(&self.journal(id, before))?;
        self.answered(id)
    }

    /// Store a program before any of it runs.
    pub fn begin(&self, id: &str, number: u32, program: &str) -> io::Result<()> {
        replace(&self.text(id, number), program.as_bytes())
    }

    pub fn program(&self, id: &str, number: u32) -> io::Result<Option<String>> {
        match read_record(&self.text(id, number)) {
            Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn text(&self, id: &str, number: u32) -> PathBuf {
        self.session(id).join(format!("{number:04}.clj"))
    }

    pub fn journal(&self, id: &str, number: u32) -> PathBuf {
        self.session(id).join(format!("{number:04}.journal"))
    }

    /// Store what is asked.
    pub fn ask(&self, asked: &Asked) -> io::Result<()> {
        write(&self.session(&asked.waiting.session).join(QUESTION), asked)
    }

    pub fn question(&self, id: &str) -> io::Result<Option<Asked>> {
        read(&self.session(id).join(QUESTION))
    }

    /// Decide from outside the gateway.
    pub fn decide(&self, id: &str, decided: &Decided) -> io::Result<()> {
        write(&self.session(id).join(DECISION), decided)
    }

    pub fn decision(&self, id: &str) -> io::Result<Option<Decided>> {
        read(&self.session(id).join(DECISION))
    }

    /// Whether a client has read the answer of this program.
    pub fn is_heard(&self, id: &str, number: u32) -> io::Result<bool> {
        match fs::read_to_string(self.session(id).join(HEARD)) {
            Ok(text) => Ok(text == number.to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A client has read the answer of this program.
    pub fn heard(&self, id: &str, number: u32) -> io::Result<()> {
        let mut file = private_file().write(true).create(true).truncate(true).open(self.session(id).join(HEARD))?;
        file.write_all(number.to_string().as_bytes())
    }

    /// Nothing waits any more.
    pub fn answered(&self, id: &str) -> io::Result<()> {
        remove(&self.session(id).join(QUESTION))?;
        remove(&self.session(id).join(DECISION))
    }

    fn session(&self, id: &str) -> PathBuf {
        self.folder.join("sessions").join(id)
    }
}

/// Remove a file, if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(told(path, error)),
        _ => Ok(()),
    }
}

pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match read_record(path) {
        Ok(bytes) => check_bounds(&bytes)
            .map_err(io::Error::other)
            .and_then(|()| Ok(serde_json::from_slice(&bytes)?))
            .map(Some)
            .map_err(|error| told(path, error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(told(path, error)),
    }
}

pub(crate) fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    replace(path, &serde_json::to_vec(value)?)
}

/// All of the new content or all of the old one, whatever happens.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = written_beside(path, bytes)?;
    fs::rename(&beside, path).map_err(|error| told(path, error))
}

/// A new file next to this one, on the disk, under a unique name.
fn written_beside(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let beside = path.with_extension(format!("{}.new", uuid::Uuid::new_v4().simple()));
    let mut file = private_file().write(true).create_new(true).open(&beside).map_err(|error| told(path, error))?;
    file.write_all(bytes).and_then(|()| file.sync_data()).map_err(|error| told(path, error))?;
    Ok(beside)
}

/// The error with the file that it is about.
pub(crate) fn told(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
