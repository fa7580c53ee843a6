//! Why a server cannot be used.

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
