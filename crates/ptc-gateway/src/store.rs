//! Sessions on the disk: what a crash must not lose.
//!
//! A session is a folder: `state.json` after its last program that ended, and for each program its text and its journal.
//! A program whose number is above that of the state was interrupted.

use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

const STATE: &str = "state.json";
const QUESTION: &str = "question.json";
const DECISION: &str = "decision.json";

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
    /// What they defined.
    pub definitions: Option<Box<RawValue>>,
    /// The value of the last one, typed.
    pub last: Option<Json>,
    /// What the next answer must say: what became of programs whose answer nobody read.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// What waits for somebody's decision, for whoever decides outside of the client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// The session.
    pub session: String,
    /// Of what was shown: a decision is for exactly that.
    pub fingerprint: String,
    /// What is asked.
    pub text: String,
    /// Whether all calls of the program may be allowed at once.
    pub all: bool,
}

/// A decision of somebody outside of the client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Decided {
    pub fingerprint: String,
    pub answer: crate::ask::Answer,
}

impl Store {
    /// The store in this folder, which is made when it is not there: private, and out of the way of version control.
    pub fn open(folder: &Path) -> io::Result<Store> {
        private().recursive(true).create(folder.join("sessions"))?;
        let ignore = folder.join(".gitignore");
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
        Ok(Store { folder: folder.to_owned() })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn audit(&self) -> PathBuf {
        self.folder.join("audit.jsonl")
    }

    pub fn observed(&self) -> PathBuf {
        self.folder.join("observed.json")
    }

    /// The secret by which states that clients carry are sealed; made once.
    pub fn key(&self) -> io::Result<Vec<u8>> {
        let path = self.folder.join("key");
        match fs::read(&path) {
            Ok(key) if key.len() >= 32 => Ok(key),
            Ok(_) => Err(io::Error::other(format!("{} is damaged; delete it", path.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key: Vec<u8> = (0..2).flat_map(|_| *uuid::Uuid::new_v4().as_bytes()).collect();
                replace(&path, &key)?;
                Ok(key)
            }
            Err(error) => Err(error),
        }
    }

    /// A new session.
    pub fn create(&self) -> io::Result<String> {
        let id: String = uuid::Uuid::new_v4().simple().to_string().chars().take(16).collect();
        private().create(self.session(&id))?;
        Ok(id)
    }

    /// Whether there is such a session. What is not a handle is none.
    pub fn has(&self, id: &str) -> bool {
        id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) && self.session(id).is_dir()
    }

    /// The sessions that there are.
    pub fn sessions(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(self.folder.join("sessions"))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| self.has(name)).collect();
        names.sort_unstable();
        Ok(names)
    }

    pub fn state(&self, id: &str) -> io::Result<State> {
        Ok(read(&self.session(id).join(STATE))?.unwrap_or_default())
    }

    /// The program ended: this is how the session stands.
    pub fn commit(&self, id: &str, state: &State) -> io::Result<()> {
        write(&self.session(id).join(STATE), state)?;
        self.answered(id)
    }

    /// Write down a program before anything of it runs.
    pub fn begin(&self, id: &str, number: u32, program: &str) -> io::Result<()> {
        replace(&self.session(id).join(format!("{number:04}.clj")), program.as_bytes())
    }

    pub fn program(&self, id: &str, number: u32) -> io::Result<Option<String>> {
        match fs::read_to_string(self.session(id).join(format!("{number:04}.clj"))) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub fn journal(&self, id: &str, number: u32) -> PathBuf {
        self.session(id).join(format!("{number:04}.journal"))
    }

    /// Write down what is asked.
    pub fn ask(&self, waiting: &Waiting) -> io::Result<()> {
        write(&self.session(&waiting.session).join(QUESTION), waiting)
    }

    pub fn question(&self, id: &str) -> io::Result<Option<Waiting>> {
        read(&self.session(id).join(QUESTION))
    }

    /// Decide from outside of the gateway.
    pub fn decide(&self, id: &str, decided: &Decided) -> io::Result<()> {
        write(&self.session(id).join(DECISION), decided)
    }

    pub fn decision(&self, id: &str) -> io::Result<Option<Decided>> {
        read(&self.session(id).join(DECISION))
    }

    /// Nothing waits any more.
    pub fn answered(&self, id: &str) -> io::Result<()> {
        for name in [QUESTION, DECISION] {
            match fs::remove_file(self.session(id).join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    fn session(&self, id: &str) -> PathBuf {
        self.folder.join("sessions").join(id)
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    replace(path, &serde_json::to_vec(value)?)
}

/// All of the new content or the old one, whatever happens.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = private_file(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    #[cfg(unix)]
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    options.open(path)
}

/// Only for whoever runs the gateway: the folder holds data.
fn private() -> DirBuilder {
    #[cfg(unix)]
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    builder.mode(0o700);
    builder
}
