//! Commands that are started: servers, and tools of mission files.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use tokio::process::Command;

/// Variables that every command gets; they hold no keys or tokens.
const PASSED_ON: &str = "PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ TMPDIR \
    TEMP TMP SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA VIRTUAL_ENV";

/// Which commands led to this process, where it is a server: the digest of each, with spaces between.
const STARTED_BY: &str = "PTC_STARTED_BY";

/// Whether this variable holds no keys or tokens.
pub(crate) fn is_harmless(name: &str) -> bool {
    PASSED_ON.split(' ').any(|known| known == name)
}

/// A command that is started.
#[derive(Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The executable: a file, or a name that is searched in `PATH`.
    pub executable: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder that it runs in; by default that of this process.
    pub folder: Option<PathBuf>,
    /// Variables that it gets besides the harmless ones (`PATH`, `HOME`, locale): passed on, or set to a text.
    pub env: Vec<(String, Option<String>)>,
}

/// The environment holds keys: only the names of its variables are shown.
impl fmt::Debug for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let env: Vec<&str> = self.env.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("CommandLine")
            .field("executable", &self.executable)
            .field("args", &self.args)
            .field("folder", &self.folder)
            .field("env", &env)
            .finish()
    }
}

impl CommandLine {
    /// Whether this command led to this process: a gateway that names itself as a server would start itself without end.
    #[must_use]
    pub fn led_here(&self) -> bool {
        std::env::var(STARTED_BY).is_ok_and(|commands| commands.split(' ').any(|one| one == self.digest()))
    }

    /// The variable by which the server of this command, and servers that it starts, know of it.
    pub(crate) fn starts(&self) -> (&'static str, String) {
        let before = std::env::var(STARTED_BY).unwrap_or_default();
        (STARTED_BY, format!("{before} {}", self.digest()))
    }

    fn digest(&self) -> String {
        let shown = format!("{:?}", (&self.executable, &self.args, &self.folder));
        Sha256::digest(shown).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The command with its arguments, folder and variables.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.args(&self.args).env_clear();
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let passed_on = PASSED_ON.split(' ').map(|name| (name, None));
        for (name, text) in passed_on.chain(self.env.iter().map(|(name, text)| (name.as_str(), text.as_deref()))) {
            if let Some(value) = text.map(OsString::from).or_else(|| std::env::var_os(name)) {
                command.env(name, value);
            }
        }
        command
    }
}
