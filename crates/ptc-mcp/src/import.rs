//! Files that name servers, as other MCP clients use them.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::spec::{Access, Results, ServerSpec};

/// `{"mcpServers": {NAME: …}}`; other keys of a server are ignored.
#[derive(Deserialize)]
struct File {
    #[serde(rename = "mcpServers")]
    servers: IndexMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    command: Option<PathBuf>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: IndexMap<String, String>,
    cwd: Option<PathBuf>,
    url: Option<String>,
    #[serde(default)]
    headers: IndexMap<String, String>,
    results: Option<EntryResults>,
}

/// `"text"`, or `{"TOOL": "json"}`.
#[derive(Deserialize)]
#[serde(untagged)]
enum EntryResults {
    All(String),
    Tools(IndexMap<String, String>),
}

/// Why a file names no servers.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It has another shape.
    #[error("this is not a JSON object with `mcpServers`: {0}")]
    Shape(serde_json::Error),
    /// Nothing says how this server is reached.
    #[error("server `{0}` has neither `command` nor `url`")]
    NoAccess(String),
    /// How results are read is neither `json` nor `text`.
    #[error("server `{server}`: unknown results `{found}` (json, text)")]
    Results {
        /// The server.
        server: String,
        /// What the file says.
        found: String,
    },
}

impl ServerSpec {
    /// The servers of `{"mcpServers": {NAME: {"command": …, "args": […], "env": {…}, "cwd": …}}}`, or with `url` and
    /// `headers`: the format of other MCP clients. `"results": "json"` or `"text"`, for all tools or by tool, is ours.
    /// Other keys are ignored.
    ///
    /// ```
    /// use ptc_mcp::ServerSpec;
    ///
    /// let servers = ServerSpec::import(r#"{"mcpServers": {"web": {"type": "http", "url": "http://127.0.0.1:8000/mcp"}}}"#)?;
    /// assert_eq!(servers, [ServerSpec::http("web", "http://127.0.0.1:8000/mcp")]);
    /// # Ok::<(), ptc_mcp::ImportError>(())
    /// ```
    pub fn import(json: &str) -> Result<Vec<ServerSpec>, ImportError> {
        let file: File = serde_json::from_str(json).map_err(ImportError::Shape)?;
        file.servers.into_iter().map(|(name, entry)| entry.named(name)).collect()
    }
}

impl Entry {
    fn named(self, name: String) -> Result<ServerSpec, ImportError> {
        let mut spec = match (self.command, self.url) {
            (Some(command), _) => ServerSpec::command(name, command, self.args),
            (None, Some(url)) => ServerSpec::http(name, url),
            (None, None) => return Err(ImportError::NoAccess(name)),
        };
        match &mut spec.access {
            Access::Command(line) => {
                line.env = self.env.into_iter().map(|(name, text)| (name, Some(text))).collect();
                line.folder = self.cwd;
            }
            Access::Http { headers, .. } => *headers = self.headers.into_iter().collect(),
        }
        match self.results {
            None => {}
            Some(EntryResults::All(kind)) => spec.results = results(&spec.name, &kind)?,
            Some(EntryResults::Tools(tools)) => {
                for (tool, kind) in tools {
                    spec = results(&spec.name, &kind).map(|kind| spec.results_of(tool, kind))?;
                }
            }
        }
        Ok(spec)
    }
}

fn results(server: &str, name: &str) -> Result<Results, ImportError> {
    let known = Results::NAMED.iter().find(|(known, _)| *known == name).map(|(_, results)| *results);
    known.ok_or_else(|| ImportError::Results { server: server.to_owned(), found: name.to_owned() })
}
