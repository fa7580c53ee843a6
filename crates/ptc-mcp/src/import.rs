//! Files that name servers, as the clients of MCP use them.

mod entry;
mod plain;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use ptc_lisp::Import;
use serde_json::{Map, Value as Json};

use crate::import::entry::Entry;
use crate::import::plain::plain;
use crate::spec::{ServerSpec, Source};

/// Where clients have their servers, by name. Other keys at the top of a file are theirs: editors keep all settings in it.
const TABLES: [(&str, &str); 4] = [
    ("/mcpServers", "Claude, Cline, Copilot, Cursor, Gemini CLI, Kiro, Roo Code, Windsurf"),
    ("/servers", "VS Code, in mcp.json"),
    ("/mcp/servers", "VS Code, in its settings"),
    ("/context_servers", "Zed"),
];

/// The note on a key that is there twice.
const REPEATED: &str =
    "an object in this file has a key twice, of which only the last value is used: look for two servers of one name";

/// Folders in a project that hold the settings of a client.
const SETTINGS: [&str; 6] = [".claude", ".cursor", ".gemini", ".github", ".roo", ".vscode"];

/// The servers of a file. One that cannot be used takes away none of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Imported {
    /// The servers, in the order of the file.
    pub servers: Vec<ServerSpec>,
    /// Servers that are not among them.
    pub left_out: Vec<LeftOutServer>,
    /// Keys that have no effect, each with its server and what to write instead.
    pub notes: Vec<String>,
}

/// A server of a file that is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOutServer {
    /// Its name in the file.
    pub server: String,
    /// Why.
    pub reason: String,
}

impl LeftOutServer {
    /// The server of this name, for this reason.
    #[must_use]
    pub fn new(server: impl Into<String>, reason: impl Into<String>) -> LeftOutServer {
        LeftOutServer { server: server.into(), reason: reason.into() }
    }
}

/// Why a file names no servers.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not JSON.
    #[error("this is not JSON: {0}")]
    Json(serde_json::Error),
    /// It has another shape.
    #[error(
        "no servers are in this file: write them as {{\"mcpServers\": {{\"NAME\": {{\"command\": …, \"args\": […]}}}}}}, or as `servers` or `context_servers`"
    )]
    Shape,
}

impl ServerSpec {
    /// The servers of a file in the format of other MCP clients, `{"mcpServers": {NAME: {"command": …, "args": […], "env":
    /// {…}, "cwd": …}}}` or with `url` and `headers`; VS Code has them under `servers`, Zed under `context_servers`. The
    /// text may have comments and commas before closing brackets.
    ///
    /// A command runs in the folder of the project: the one with the file, or with `.vscode` or the like around it.
    /// `${NAME}` in texts is expanded when a server is connected. `"results": "json"` or `"text"`, for all tools or by
    /// tool, is ours.
    ///
    /// ```
    /// use ptc_mcp::{ServerSpec, Source};
    ///
    /// let text = r#"{"mcpServers": {
    ///     "web": {"type": "http", "url": "http://127.0.0.1:8000/mcp"}, // here
    ///     "odd": {"type": "ws", "url": "ws://127.0.0.1:8000"},
    /// }}"#;
    /// let imported = ServerSpec::import(text, "/users/ada/mcp.json")?;
    /// assert_eq!(imported.servers[0].name, "web");
    /// assert_eq!(imported.left_out[0].server, "odd");
    /// # Ok::<(), ptc_mcp::ImportError>(())
    /// ```
    pub fn import(text: &str, file: impl AsRef<Path>) -> Result<Imported, ImportError> {
        let file = file.as_ref();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = plain(text);
        let read: Json = serde_json::from_str(&text).map_err(ImportError::Json)?;
        let servers = TABLES.iter().find_map(|(table, _)| read.pointer(table)?.as_object());
        let servers = servers.ok_or(ImportError::Shape)?;
        let source = Source::new(file, folder(file));
        let mut imported = Imported::default();
        let mut import = Import::uncounted();
        if import.text(&text).is_ok() && import.has_repeated_keys() {
            imported.notes.push(REPEATED.to_owned());
        }
        for (name, entry) in servers {
            imported.add(name, entry, &source);
        }
        Ok(imported)
    }
}

impl Imported {
    fn add(&mut self, name: &str, entry: &Json, source: &Source) {
        let nothing = Map::new();
        let keys = entry.as_object();
        let mut entry = Entry { name, keys: keys.unwrap_or(&nothing), notes: Vec::new() };
        let read = match keys {
            None => Err("it must be an object".to_owned()),
            // Programs call its tools as `tool/NAME-…`.
            Some(_) if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                Err("its name begins the names of its tools, so it must begin with a letter from a to z".to_owned())
            }
            Some(_) => entry.read(),
        };
        match read {
            Ok(spec) => {
                self.notes.extend(entry.notes);
                self.servers.push(ServerSpec { source: Some(source.clone()), ..spec });
            }
            Err(reason) => self.left_out.push(LeftOutServer::new(name, reason)),
        }
    }
}

/// The folder of the project that a file of a client belongs to.
fn folder(file: &Path) -> PathBuf {
    let parent = |path: &Path| match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let folder = parent(file);
    let is_settings = SETTINGS.iter().any(|name| folder.file_name().is_some_and(|known| known == *name));
    if is_settings { parent(&folder) } else { folder }
}
