//! Why a server cannot be used.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a server cannot be used.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The command does not start.
    #[error("MCP server `{server}`: cannot start {command}: {error}")]
    Start {
        /// The server.
        server: String,
        /// The executable.
        command: String,
        /// The system's message.
        error: std::io::Error,
    },
    /// What its configuration refers to is not there.
    #[error("MCP server `{server}`: {problem}{}", within(.file.as_deref()))]
    Config {
        /// The server.
        server: String,
        /// The file that configures it, if it was a file.
        file: Option<PathBuf>,
        /// What is missing.
        problem: String,
    },
    /// Its user has not agreed to run what this file says.
    #[error(
        "MCP server `{server}` is configured by {file}, which you have not trusted yet: its commands run with your rights. Look at it, then run `ptc mcp trust {file}`", file = .file.display()
    )]
    Untrusted {
        /// The server.
        server: String,
        /// The file.
        file: PathBuf,
    },
    /// The runtime for the connections does not start.
    #[error("cannot start the runtime of MCP servers: {0}")]
    Runtime(std::io::Error),
    /// It started, or at least answered, but does not speak MCP.
    #[error("MCP server `{server}`: {problem}{}", said(.last_words))]
    Connect {
        /// The server.
        server: String,
        /// What went wrong.
        problem: String,
        /// The last line that it wrote to standard error, if any.
        last_words: String,
    },
    /// A person could not log in to it.
    #[error("cannot log in to MCP server `{server}`: {problem}")]
    Login {
        /// The server.
        server: String,
        /// What went wrong.
        problem: String,
    },
    /// It did not answer in time.
    #[error("MCP server `{server}`: no answer within {} s", .limit.as_secs_f64())]
    Timeout {
        /// The server.
        server: String,
        /// The time limit.
        limit: Duration,
    },
    /// A list of tools names one that the server does not have.
    #[error("MCP server `{server}` has no tool `{tool}`; it has: {}", .known.join(", "))]
    NoTool {
        /// The server.
        server: String,
        /// What the list names.
        tool: String,
        /// The existing tools.
        known: Vec<String>,
    },
}

fn said(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; it said: {last_words}") }
}

fn within(file: Option<&Path>) -> String {
    file.map(|file| format!(" (in {})", file.display())).unwrap_or_default()
}
