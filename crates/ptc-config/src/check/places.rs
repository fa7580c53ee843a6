//! The place in a mission file that a problem is about.

use std::path::Path;

use ptc_agent::AgentError;

use crate::document::{Item, Section};
use crate::model::ModelName;
use crate::place::Place;

/// The key `name` of the table `key`.
pub(super) fn entry(table: Section<'_>, key: &str, name: &str) -> Option<Box<Place>> {
    table.get(key)?.section("").ok()?.place_of(name)
}

/// A tool or agent, as programs call it.
pub(super) fn callable(table: Section<'_>, name: &str) -> Option<Box<Place>> {
    entry(table, "tools", name).or_else(|| entry(table, "agents", name))
}

/// A placeholder in the mission of a table: of `{{room.no}}` the braces.
pub(super) fn placeholder(table: Section<'_>, mission: &str, name: &str) -> Box<Place> {
    let is_it = |at: usize| {
        let tag = mission.get(at..).unwrap_or_default().trim_start_matches(['{', '#', '^', '&', ' ']);
        tag.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "_-.".contains(c)))
    };
    let at = mission.match_indices("{{").map(|(at, _)| at).find(|at| is_it(*at));
    match (table.get("mission"), at) {
        (Some(item), Some(at)) => item.place_within(at),
        _ => key(table, &["mission"]),
    }
}

/// The value that breaks a rule of agents.
pub(super) fn of_rule(table: Section<'_>, error: &AgentError) -> Box<Place> {
    let named = match error {
        AgentError::DuplicateTool(name) | AgentError::InvalidToolName(name) | AgentError::ReservedToolName(name) => {
            callable(table, name)
        }
        _ => None,
    };
    named.unwrap_or_else(|| key(table, keys(error)))
}

/// The keys that a rule is about; the first one present is shown.
fn keys(error: &AgentError) -> &'static [&'static str] {
    match error {
        AgentError::SystemPrompt(_) => &["system_prompt", "prompt_limit", "mission"],
        AgentError::TokenCeiling(_) | AgentError::ExcludesCompression(_) => &["compression", "mission"],
        AgentError::JsonNeedsSignature | AgentError::JsonExcludesTools => &["output", "mission"],
        AgentError::HiddenResult { .. } | AgentError::UnusedParameters { .. } => &["signature", "mission"],
        AgentError::HistoryNeedsPrograms | AgentError::UnknownToolFamily(_) => &["builtin_tools", "mission"],
        AgentError::SelfToolWithoutSignature => &["tools", "mission"],
        AgentError::DuplicateTool(_) => &["tools", "agents", "mission"],
        _ => &["mission"],
    }
}

fn key(table: Section<'_>, keys: &[&str]) -> Box<Place> {
    let place = keys.iter().find_map(|key| table.place_of(key));
    place.unwrap_or_else(|| table.document.place(0..0))
}

/// The models that a table names: for its agent, its tools, and its sub-agents.
pub(super) fn models(table: Section<'_>, folder: &Path, found: &mut Vec<(Box<Place>, ModelName)>) {
    let mut take = |item: Option<Item<'_>>| {
        if let Some((item, name)) = item.and_then(|item| Some((item, item.text("").ok()?))) {
            found.push((item.place(), ModelName::parse(name, folder)));
        }
    };
    take(table.get("llm"));
    let below = |key: &str| {
        let entries = table.get(key).and_then(|entries| entries.section("").ok());
        entries.into_iter().flat_map(|entries| entries.entries().collect::<Vec<_>>())
    };
    for (.., tool) in below("tools") {
        let question = tool.section("").ok().and_then(|tool| tool.get("llm")?.section("").ok());
        take(question.and_then(|question| question.get("llm")));
    }
    for (.., agent) in below("agents") {
        if let Ok(agent) = agent.section("") {
            models(agent, folder, found);
        }
    }
}
