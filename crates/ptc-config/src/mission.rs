//! A mission file, read and checked as a whole.

mod entries;
mod inputs;
mod models;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use ptc_agent::{Agent, AgentSpec, LlmRetry, RunOptions, RunSpec};
use ptc_lisp::text::one_line;
use ptc_lisp::{Limits, Map, Value};
use ptc_mcp::{HostedServers, ImportError, Imported, LeftOutServer, Server, ServerSpec};
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::agents::{self, AgentDefinition};
use crate::data::{self, Reading};
use crate::document::{Document, Item, Section};
use crate::error::ConfigError;
use crate::mcp;
use crate::options;
use crate::problems::Problems;
use crate::registry::Registry;
use crate::shape::{self, Key};
use crate::text::read_text;
use crate::tool::{self, ConfiguredTool};

pub use inputs::{MissingInput, UnknownInput};
pub use models::{ModelSource, RunModels, model_of};

/// Attempts at a request to a model where the mission does not say how many.
const ATTEMPTS: u32 = 3;

/// How many runs the command keeps in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Every run.
    All,
    /// The newest ones, of which there are at least one.
    Newest(usize),
}

impl Default for Keep {
    /// The newest 50.
    fn default() -> Keep {
        Keep::Newest(50)
    }
}

/// As files have it: a number, or `all`.
impl Serialize for Keep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Keep::All => serializer.serialize_str("all"),
            Keep::Newest(count) => serializer.serialize_u64(*count as u64),
        }
    }
}

impl std::str::FromStr for Keep {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Keep, &'static str> {
        match text.trim() {
            "all" => Ok(Keep::All),
            number => {
                number.parse().ok().filter(|count| *count > 0).map(Keep::Newest).ok_or("write a number from 1, or all")
            }
        }
    }
}

/// What a mission file says.
#[derive(Debug, Clone)]
pub struct MissionFile {
    /// The file.
    pub path: PathBuf,
    /// Its folder: file names and commands are relative to it.
    pub folder: PathBuf,
    /// The agent.
    pub agent: AgentSpec,
    /// The run.
    pub run: RunSpec,
    /// The entries of `data/`, in order.
    pub data: IndexMap<String, Value>,
    /// How its data files were read, by their entries.
    pub readings: Vec<(String, Reading)>,
    /// The tools, in order.
    pub tools: Vec<ConfiguredTool>,
    /// The agents that the agent calls as tools, in order.
    pub agents: Vec<AgentDefinition>,
    /// The MCP servers whose tools the agent also has, in order.
    pub servers: Vec<ServerSpec>,
    /// The file that names more of them, if one does.
    pub imported: Option<PathBuf>,
    /// Servers that are named, but not used, and why; `notes` has them too.
    pub left_out: Vec<LeftOutServer>,
    /// Recorded answers to use when no model is named.
    pub replay: Option<PathBuf>,
    /// How many runs `ptc run` keeps, if it says so.
    pub keep: Option<Keep>,
    /// Remarks on its data, data files and servers.
    pub notes: Vec<String>,
    /// What it may name.
    registry: Registry,
    /// The servers, once they are connected.
    connected: Vec<Arc<Server>>,
}

impl MissionFile {
    /// Read a mission file with its data files; commands must be installed, programs of tools must compile.
    ///
    /// Errors name file, line and column and say what to write instead.
    pub fn load(path: impl AsRef<Path>) -> Result<MissionFile, ConfigError> {
        Registry::new().load(path)
    }

    /// Read `text` as if it were the file `path`; see [`MissionFile::load`].
    pub fn from_text(path: impl AsRef<Path>, text: &str) -> Result<MissionFile, ConfigError> {
        Registry::new().read(path, text)
    }

    /// Read the mission that a table holds besides `further` keys, which are the caller's. Files are relative to the
    /// folder of the document; see [`MissionFile::load`].
    pub fn from_section(table: Section<'_>, further: &[&'static str]) -> Result<MissionFile, ConfigError> {
        let mut problems = Problems::default();
        let file = MissionFile::with_mission(table, further, &mut problems);
        problems.first(file)
    }

    /// The same for a table that may lack a mission: for programs that need tools, data and limits only.
    pub fn tools_from_section(table: Section<'_>, further: &[&'static str]) -> Result<MissionFile, ConfigError> {
        let mut problems = Problems::default();
        problems.all(unknown_keys(table, further));
        let file = MissionFile::with_problems(table, &mut problems);
        problems.first(file)
    }

    /// What can be read of the mission of a table; `problems` collects the rest.
    pub(crate) fn with_mission(table: Section<'_>, further: &[&'static str], problems: &mut Problems) -> MissionFile {
        let is_missing = table.get("mission").is_none();
        // Keys that resemble none of a mission: without one, the file is probably of another kind.
        let is_foreign = |problem: &ConfigError| matches!(problem, ConfigError::UnknownKey { instead: None, .. });
        problems.all(unknown_keys(table, further).into_iter().filter(|key| !(is_missing && is_foreign(key))));
        problems.all(is_missing.then(|| ConfigError::MissingMission { file: table.document.file.clone() }));
        let mut file = MissionFile::with_problems(table, problems);
        let pinned = file.servers.iter().filter(|server| server.pin);
        file.notes
            .extend(pinned.map(|server| format!("server `{}`: `pin` means something only to gateways", server.name)));
        file
    }

    fn with_problems(table: Section<'_>, problems: &mut Problems) -> MissionFile {
        let folder = table.document.folder();
        let (agent, run) = (options::agent(table, problems), options::run(table, problems));
        let replay = table.get("replay").map(|item| item.text("replay must be the name of a file"));
        let replay = problems.keep_some(replay).map(|name| folder.join(name));
        let keep = problems.keep_some(table.get("keep").map(kept_runs));
        let tools = table.get("tools").map(|tools| tool::read(tools, &folder, problems)).unwrap_or_default();
        let mut notes = Vec::new();
        let data = table.get("data").map(|data| entries::read(data, &folder, &agent, &mut notes, problems));
        let (data, readings) = data.unwrap_or_default();
        let agents = table.get("agents").map(|agents| agents::read(agents, &folder, problems)).unwrap_or_default();
        let file = table.get("mcp_servers").and_then(|item| item.text("").ok()).map(|name| folder.join(name));
        let servers = problems.keep_some(table.get("mcp_servers").map(mcp::imported)).unwrap_or_default();
        let Imported { servers, left_out, notes: about_servers, .. } = mcp::read(table, servers, problems);
        notes.extend(about_servers);
        let (path, registry) = (table.document.file.clone(), table.document.registry.clone());
        let connected = Vec::new();
        MissionFile {
            path,
            folder,
            agent,
            run,
            data,
            readings,
            tools,
            agents,
            servers: mcp::with_logins(servers),
            imported: file,
            left_out,
            replay,
            keep,
            notes,
            registry,
            connected,
        }
    }

    /// Add the servers of a file in the format of other MCP clients, see [`ServerSpec::import`]. Their commands may run:
    /// the caller chose this file.
    pub fn add_servers(&mut self, file: impl AsRef<Path>, text: &str) -> Result<(), ImportError> {
        let Imported { servers, left_out, notes, .. } = mcp::noted(ServerSpec::import(text, &file)?, file.as_ref());
        self.servers.extend(mcp::with_logins(servers));
        self.left_out.extend(left_out);
        self.notes.extend(notes);
        Ok(())
    }

    /// Start or reach its MCP servers, all at once, which [`MissionFile::build_agent`] can then use. Of one that cannot
    /// be used, [`MissionFile::server_problems`] says why, and agents are told that its tools are missing. The
    /// connections live in the tokio runtime that this is called in.
    ///
    /// Errors when one cannot be used that has `required = true`.
    pub async fn connect(&mut self) -> Result<(), ConfigError> {
        self.connected.clear();
        let connected = Server::connect_all(self.servers.clone()).await;
        self.connected = connected.map_err(|source| ConfigError::Server { file: self.path.clone(), source })?;
        Ok(())
    }

    /// Make all of its MCP servers required, where a run without one of them would say nothing.
    pub fn require_servers(&mut self) {
        self.servers.iter_mut().for_each(|server| server.required = true);
    }

    /// What is wrong with the connected servers, each a sentence for people.
    #[must_use]
    pub fn server_problems(&self) -> Vec<String> {
        self.connected.iter().flat_map(|server| server.status().problems()).collect()
    }

    /// The connected servers, in order; none before [`MissionFile::connect`].
    #[must_use]
    pub fn connected(&self) -> &[Arc<Server>] {
        &self.connected
    }

    /// End the connections to its MCP servers; the commands among them are asked to end.
    pub async fn disconnect(&mut self) {
        for server in std::mem::take(&mut self.connected) {
            server.close().await;
        }
    }

    /// The entries of `data/` as sessions take them.
    #[must_use]
    pub fn data_map(&self) -> Map {
        let entries = self.data.iter().map(|(key, value)| (Value::keyword(key), value.clone()));
        Value::map_from(entries).as_map().cloned().unwrap_or_default()
    }

    /// The bounds of one program, as the agent options give them.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.agent.limits()
    }

    /// The same for programs that have no runtime to keep connections in: the servers end with the returned value.
    pub fn connect_hosted(&mut self) -> Result<HostedServers, ConfigError> {
        let hosted = HostedServers::connect(&self.servers);
        let hosted = hosted.map_err(|source| ConfigError::Server { file: self.path.clone(), source })?;
        self.connected = hosted.servers().to_vec();
        Ok(hosted)
    }

    /// The agent with its tools and the agents that it calls; `limits` bounds the programs of tools. Commands need a
    /// tokio runtime; models that agents name must be in the registry of the run, see [`MissionFile::llm_names`].
    pub fn build_agent(&self, limits: &Limits) -> Result<Agent, ConfigError> {
        if self.connected.len() < self.servers.len() {
            return Err(ConfigError::NotConnected { file: self.path.clone() });
        }
        let further = self.connected.iter().flat_map(|server| server.tools());
        let mut spec = self.agent.clone();
        for missing in self.connected.iter().map(|server| server.status()).filter(|status| status.problem.is_some()) {
            let line = format!("The MCP server `{}` cannot be used now: its tools are missing.", missing.name);
            spec.system_prompt = spec.system_prompt.with_last_line(&line);
        }
        for server in &self.connected {
            if let Some(instructions) = server.instructions() {
                let text = format!("Instructions of the MCP server `{}`: {}", server.name(), one_line(&instructions));
                spec.system_prompt = spec.system_prompt.with_last_line(&text);
            }
        }
        let agent =
            agents::build(&spec, &self.tools, &self.agents, limits).and_then(|builder| builder.tools(further).build());
        agent.map_err(|source| ConfigError::Agent { file: self.path.clone(), source })
    }

    /// The models that tools and sub-agents name, each once, as `--llm` takes them.
    #[must_use]
    pub fn llm_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.tools.iter().filter_map(ConfiguredTool::llm).collect();
        for agent in &self.agents {
            agent.each(&mut |agent| {
                names.extend(agent.tools.iter().filter_map(ConfiguredTool::llm).chain(agent.agent.llm.as_deref()))
            });
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Change the options of all agents: those of the mission, then those of its sub-agents.
    pub fn change_agents(&mut self, mut change: impl FnMut(&mut AgentSpec)) {
        change(&mut self.agent);
        self.agents.iter_mut().for_each(|agent| agent.each_mut(&mut change));
    }

    /// How often the models of all agents are asked again: for as long as `patience` says, else as the mission says, else
    /// three times in all.
    pub fn ask_again(&mut self, patience: Option<Duration>) {
        self.change_agents(|agent| {
            let retry = agent.llm_retry.take();
            let retry = retry.unwrap_or_else(|| LlmRetry { max_attempts: ATTEMPTS, ..LlmRetry::default() });
            agent.llm_retry = Some(match patience {
                Some(time) => retry.for_time(time),
                None => retry,
            });
        });
    }

    /// The options of one run besides its agent: without a model, but with the registered ones.
    pub fn run_options(&self) -> RunOptions {
        RunOptions::from(self.run.clone()).llm_registry(self.registry.models.clone())
    }
}

impl Registry {
    /// Read a mission file that may name what is registered; see [`MissionFile::load`].
    pub fn load(&self, path: impl AsRef<Path>) -> Result<MissionFile, ConfigError> {
        let path = path.as_ref();
        self.read(path, &read_text(path)?)
    }

    /// Read `text` as if it were the file `path`; see [`MissionFile::load`].
    pub fn read(&self, path: impl AsRef<Path>, text: &str) -> Result<MissionFile, ConfigError> {
        let document = Document::new(path.as_ref(), text).with(self);
        let parsed = document.parse()?;
        MissionFile::from_section(document.section(&parsed), &[])
    }
}

/// What a mission file has besides options of agents and of runs.
pub(crate) const KEYS: [Key; 7] = [
    Key("replay", "A file of recorded answers, for runs that name no model.", shape::text),
    Key(
        "keep",
        "Number of runs that `ptc run` keeps in `.ptc/runs`, or `\"all\"`; by default the `keep` of the settings, else 50.",
        number_or_all,
    ),
    Key("data", "Data that programs read under `data/`: values, files and queries.", data::options::shape),
    Key("tools", "Tools that programs call under `tool/`, by name.", tool::tables),
    Key("agents", "Agents that programs call under `tool/`, by name.", agents::tables),
    Key("mcp", "MCP servers whose tools programs call as `tool/NAME-tool`, by name.", mcp::tables),
    Key(
        "mcp_servers",
        "A JSON file with more MCP servers, in the format of other MCP clients: under `mcpServers`, `servers` or `context_servers`.",
        shape::text,
    ),
];

/// How many runs are kept.
pub(crate) fn kept_runs(item: Item<'_>) -> Result<Keep, ConfigError> {
    const RULE: &str = "keep must be a number of runs, 1 or more, or \"all\"";
    match item.text(RULE) {
        Ok(text) => text.parse().map_err(|_| item.bad(RULE)),
        Err(_) => item.count(1, RULE).map(|count| Keep::Newest(usize::try_from(count).unwrap_or(usize::MAX))),
    }
}

fn number_or_all() -> Json {
    json!({"anyOf": [shape::integer(1), {"const": "all"}]})
}

fn unknown_keys(table: Section<'_>, further: &[&'static str]) -> Vec<ConfigError> {
    let known: Vec<&'static str> = options::keys().chain(shape::names(&KEYS)).chain(further.iter().copied()).collect();
    table.unknown("", &known).collect()
}
