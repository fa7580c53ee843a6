//! `[agents.NAME]` tables: agents that the agent of a mission calls as tools.

use std::path::Path;

use ptc_agent::{AgentBuilder, AgentError, AgentSpec, Callable, RunSpec, SubagentOptions};
use ptc_lisp::{Effect, Limits};
use ptc_mission::LanguageChoice;
use serde_json::{Value as Json, json};

use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::options;
use crate::place::Place;
use crate::problems::Problems;
use crate::shape::{self, Key};
use crate::tool::{self, ConfiguredTool};

/// One `[agents.NAME]` table.
#[derive(Debug, Clone)]
pub struct AgentDefinition {
    /// The name after `tool/`.
    pub name: String,
    /// The agent.
    pub agent: AgentSpec,
    /// Whether its calls change anything outside the run.
    pub effect: Option<Effect>,
    /// Its tools, in order.
    pub tools: Vec<ConfiguredTool>,
    /// The agents that it calls, in order.
    pub agents: Vec<AgentDefinition>,
}

/// What the table of an agent has besides options of agents.
pub(crate) const KEYS: [Key; 3] = [
    Key("tools", "Tools that its programs call under `tool/`, by name.", tool::tables),
    Key("agents", "Agents that its programs call under `tool/`, by name.", tables),
    Key("effect", "Whether calls change anything outside of the run.", tool::effects),
];

/// The schema of a table of agents.
pub(crate) fn tables() -> Json {
    shape::entries(json!({"$ref": "#/$defs/agent"}))
}

/// Keys of missions that an agent inside one cannot have, and why.
const NOT_HERE: [(&str, &str); 5] = [
    ("keep", WHOLE_RUN),
    ("data", "an agent called as a tool reads its arguments as data: declare them in its signature"),
    ("replay", "recorded answers are those of the whole run: name them at the top of the file"),
    ("mcp", SERVERS),
    ("mcp_servers", SERVERS),
];

const SERVERS: &str = "name the servers at the top of the file";
const WHOLE_RUN: &str = "it belongs to the whole run: set it at the top of the file";

/// Why an agent inside a mission cannot have this key, if it cannot.
fn why_not(key: &str) -> Option<&'static str> {
    let is_of_run = RunSpec::OPTIONS.iter().any(|row| row.name == key);
    is_of_run.then_some(WHOLE_RUN).or_else(|| NOT_HERE.iter().find(|(known, _)| *known == key).map(|(_, why)| *why))
}

/// The agents of `[agents]`, in order.
pub(crate) fn read(agents: Item<'_>, folder: &Path, problems: &mut Problems) -> Vec<AgentDefinition> {
    let agents = problems.keep(agents.section("agents must be a map"));
    let entries = agents.iter().flat_map(Section::entries);
    entries.filter_map(|(name, place, item)| agent(name, place, item, folder, problems)).collect()
}

fn agent(
    name: &str,
    place: Box<Place>,
    item: Item<'_>,
    folder: &Path,
    problems: &mut Problems,
) -> Option<AgentDefinition> {
    problems.keep(tool::check_name(name, &place));
    let table = problems.keep(item.section(&format!("agent `{name}` must be a table")))?;
    let refused = table.entries().filter_map(|(key, _, item)| Some((key, item, why_not(key)?)));
    let refused = refused.map(|(key, item, why)| item.refused(format!("agent `{name}` cannot have `{key}`; {why}")));
    problems.all(refused);
    let mut known: Vec<&str> = options::keys().chain(shape::names(&KEYS)).collect();
    known.extend(table.entries().map(|(key, ..)| key).filter(|key| why_not(key).is_some()));
    problems.all(table.unknown(&format!("agent `{name}`"), &known));
    problems.all(table.get("mission").is_none().then(|| missing(place.clone(), name, "mission")));
    let agent = options::agent(table, problems);
    problems.all(table.get("description").is_none().then(|| missing(place, name, "description")));
    let effect = problems.keep_some(table.get("effect").map(tool::effect));
    let tools = table.get("tools").map(|tools| tool::read(tools, folder, problems)).unwrap_or_default();
    let agents = table.get("agents").map(|agents| read(agents, folder, problems)).unwrap_or_default();
    Some(AgentDefinition { name: name.to_owned(), agent, effect, tools, agents })
}

fn missing(place: Box<Place>, name: &str, key: &str) -> ConfigError {
    ConfigError::BadValue { place, rule: format!("agent `{name}` needs a {key} to serve as a tool"), found: None }
}

/// An agent with its tools and the agents that it calls; programs of tools run under `limits`. Agents that choose no
/// language text read that of their caller.
pub(crate) fn build(
    spec: &AgentSpec,
    tools: &[ConfiguredTool],
    agents: &[AgentDefinition],
    limits: &Limits,
) -> Result<AgentBuilder, AgentError> {
    let mut builder = AgentBuilder::from(spec.clone());
    for definition in tools {
        builder = builder.tool(definition.callable(limits)?);
    }
    for definition in agents {
        builder = builder.tool(definition.callable(spec.system_prompt.language_spec(), limits)?);
    }
    Ok(builder)
}

impl AgentDefinition {
    /// The agent as a tool of the one that has this table, and that chooses this language text; programs of its tools run
    /// under `limits`.
    pub(crate) fn callable(&self, language: Option<&LanguageChoice>, limits: &Limits) -> Result<Callable, AgentError> {
        let mut spec = self.agent.clone();
        let inherited = language.filter(|_| spec.system_prompt.language_spec().is_none());
        if let Some(prompt) = inherited.and_then(|choice| spec.system_prompt.with_language_spec(choice.clone())) {
            spec.system_prompt = prompt;
        }
        let agent = build(&spec, &self.tools, &self.agents, limits)?.build()?;
        agent.as_tool(SubagentOptions { effect: self.effect, ..SubagentOptions::named(&self.name) })
    }

    /// The options of this agent and of those that it calls.
    pub(crate) fn each_mut(&mut self, change: &mut dyn FnMut(&mut AgentSpec)) {
        change(&mut self.agent);
        self.agents.iter_mut().for_each(|agent| agent.each_mut(change));
    }

    /// This agent and those that it calls.
    pub(crate) fn each<'a>(&'a self, look: &mut dyn FnMut(&'a AgentDefinition)) {
        look(self);
        self.agents.iter().for_each(|agent| agent.each(look));
    }
}

#[cfg(test)]
mod tests;
