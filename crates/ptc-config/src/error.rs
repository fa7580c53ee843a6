//! What can be wrong with a mission file, and where.

use std::io;
use std::path::PathBuf;

use ptc_agent::AgentError;
use ptc_lisp::signature::SignatureError;
use ptc_mcp::McpError;

use crate::data::DataError;
use crate::place::{Place, named};
use crate::text::NotUtf8;

/// A mission file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read {}: {source}", named(.path))]
    Unreadable {
        /// The file asked for.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// The file is not text.
    #[error("{place}: {source}")]
    NotText {
        /// Where.
        place: Box<Place>,
        /// What is there.
        r#source: NotUtf8,
    },
    /// A key that does not exist.
    #[error("{place}: unknown key `{key}`{}; {}", within(table), hint(instead, known))]
    UnknownKey {
        /// Where.
        place: Box<Place>,
        /// What was there.
        key: String,
        /// The table it is in; empty for the file itself.
        table: String,
        /// The key that was probably meant.
        instead: Option<String>,
        /// Every key that may be there.
        known: Vec<String>,
    },
    /// There is no mission.
    #[error("{}: mission is required; write `mission = \"…\"` at the top of the file", named(.file))]
    MissingMission {
        /// The file.
        file: PathBuf,
    },
    /// Options that fit one by one, but not together.
    #[error("{}: {source}", named(.file))]
    Agent {
        /// The file.
        file: PathBuf,
        /// The agent's message.
        r#source: AgentError,
    },
    /// An MCP server that cannot be used.
    #[error("{}: {source}", named(.file))]
    Server {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        r#source: McpError,
    },
    /// An agent was asked for before its servers were connected.
    #[error("{}: its MCP servers are not connected; await `MissionFile::connect` before", named(.file))]
    NotConnected {
        /// The file.
        file: PathBuf,
    },
    /// A value that does not fit its key.
    #[error("{place}: {rule}{}", got(found))]
    BadValue {
        /// Where.
        place: Box<Place>,
        /// What the value must be.
        rule: String,
        /// What was there; nothing where the rule already says it.
        found: Option<String>,
    },
    /// A signature that does not parse.
    #[error("{place}: invalid signature: {source}")]
    Signature {
        /// Where the text of the signature starts.
        place: Box<Place>,
        /// What is wrong inside it.
        r#source: SignatureError,
    },
    /// Nothing names a model.
    #[error("{} names no model; choose one:\n  --llm PROVIDER:MODEL, for example --llm ollama:qwen3\n  --llm URL#MODEL for any OpenAI-compatible server, for example --llm http://127.0.0.1:8080/v1#qwen3\n  --llm replay:FILE for recorded answers\n  llm = \"…\" or replay = \"FILE\" in the mission file\n  the environment variable PTC_LLM\n  model = \"…\" in your settings, see `ptc config`", named(.file))]
    NoModel {
        /// The file.
        file: PathBuf,
    },
    /// A key of settings that a `ptc.toml` may not have.
    #[error(
        "{place}: `{key}` may not be in `ptc.toml`, which can come with a copied folder and would say where requests go; write `model` into {own}, or give `--llm`"
    )]
    NotOfProject {
        /// Where.
        place: Box<Place>,
        /// The key.
        key: String,
        /// The file where a model may be named.
        own: String,
    },
    /// A `ptc.toml` that would let more calls run.
    #[error(
        "{place}: approve = \"{given}\" is looser than {by}, \"{holds}\", and `ptc.toml` can only make it stricter; remove it here, and give `--approve {given}` where you want that"
    )]
    LooserApproval {
        /// Where.
        place: Box<Place>,
        /// What it says.
        given: &'static str,
        /// What holds without it.
        holds: &'static str,
        /// Why that holds.
        by: String,
    },
    /// A `ptc.toml` of another user.
    #[error("{} belongs to user {owner}, neither to you (user {user}) nor to root, so its settings are not used; remove it, or take it over with `chown` when you agree with it", named(.path))]
    ForeignSettings {
        /// The file.
        path: PathBuf,
        /// Its owner.
        owner: u32,
        /// Who runs this process.
        user: u32,
    },
    /// A text file that the mission names and that could not be read.
    #[error("{place}: cannot read {}: {source}; its name starts from the folder of the mission file", named(.path))]
    TextFile {
        /// Where the file is named.
        place: Box<Place>,
        /// The file.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// A data file that cannot be used.
    #[error("{place}: data/{key}: {source}")]
    Data {
        /// Where the file is named.
        place: Box<Place>,
        /// The data key.
        key: String,
        /// What is wrong with it.
        r#source: DataError,
    },
    /// A program of a tool that cannot run.
    #[error("{place}: tool `{tool}`: {message}")]
    Program {
        /// Where in the program.
        place: Box<Place>,
        /// The tool.
        tool: String,
        /// What is wrong.
        message: String,
    },
    /// A name, a plan or a question that agents do not accept.
    #[error("{place}: {source}")]
    Rule {
        /// Where.
        place: Box<Place>,
        /// The rule of agents that it breaks.
        r#source: AgentError,
    },
}

impl ConfigError {
    /// What the text at this place is, and what it must be.
    pub(crate) fn refused(place: Box<Place>, rule: impl Into<String>) -> ConfigError {
        ConfigError::BadValue { place, rule: rule.into(), found: None }
    }

    /// The place in the mission file, if there is one.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            ConfigError::Unreadable { .. }
            | ConfigError::MissingMission { .. }
            | ConfigError::NoModel { .. }
            | ConfigError::ForeignSettings { .. }
            | ConfigError::Agent { .. }
            | ConfigError::Server { .. }
            | ConfigError::NotConnected { .. } => None,
            ConfigError::NotText { place, .. }
            | ConfigError::UnknownKey { place, .. }
            | ConfigError::BadValue { place, .. }
            | ConfigError::Signature { place, .. }
            | ConfigError::NotOfProject { place, .. }
            | ConfigError::LooserApproval { place, .. }
            | ConfigError::TextFile { place, .. }
            | ConfigError::Data { place, .. }
            | ConfigError::Program { place, .. }
            | ConfigError::Rule { place, .. } => Some(place.as_ref()),
        }
    }

    /// A stable name of the kind of error, for machines.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ConfigError::Unreadable { .. } => "unreadable",
            ConfigError::NotText { .. } => "not_text",
            ConfigError::UnknownKey { .. } => "unknown_key",
            ConfigError::MissingMission { .. } => "missing_mission",
            ConfigError::Agent { .. } | ConfigError::Rule { .. } => "rule",
            ConfigError::Server { .. } | ConfigError::NotConnected { .. } => "server",
            ConfigError::BadValue { .. } => "bad_value",
            ConfigError::Signature { .. } => "signature",
            ConfigError::NoModel { .. } => "no_model",
            ConfigError::NotOfProject { .. } => "not_of_project",
            ConfigError::LooserApproval { .. } => "looser_approval",
            ConfigError::ForeignSettings { .. } => "foreign_settings",
            ConfigError::TextFile { .. } => "text_file",
            ConfigError::Data { .. } => "data",
            ConfigError::Program { .. } => "program",
        }
    }

    /// The text without the place in front.
    #[must_use]
    pub fn message(&self) -> String {
        let text = self.to_string();
        let front = self.place().map(|place| format!("{place}: ")).unwrap_or_default();
        text.strip_prefix(&front).map(str::to_owned).unwrap_or(text)
    }
}

fn within(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!(" in {table}") }
}

fn hint(instead: &Option<String>, known: &[String]) -> String {
    match instead {
        Some(key) => format!("use `{key}`"),
        None => format!("known: {}", known.join(", ")),
    }
}

/// What a name can be, given the registered ones.
pub(crate) fn names(registered: &mut dyn Iterator<Item = &String>, built_in: &str) -> String {
    let registered: Vec<&str> = registered.map(String::as_str).collect();
    match registered.as_slice() {
        [] => format!("known: {built_in}"),
        some => format!("registered: {}; built in: {built_in}", some.join(", ")),
    }
}

fn got(found: &Option<String>) -> String {
    found.as_ref().map(|found| format!(" (got {found})")).unwrap_or_default()
}
