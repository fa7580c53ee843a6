//! Which inputs a mission knows: names that are given or read, and placeholders that nothing fills.

use ptc_agent::Context;
use ptc_lisp::Value;
use ptc_lisp::signature::PathStep;
use ptc_lisp::values::key_name;
use ptc_mission::{Placeholder, PlaceholderKind, extract_placeholders};

use super::MissionFile;
use crate::nearest::nearest;

/// Keys of a map that are searched for the one that was meant.
const MAX_KEYS: usize = 1_000;

/// A name that means nothing to a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownInput {
    /// What was written, with dots.
    pub name: String,
    /// The input that was probably meant.
    pub nearest: Option<String>,
    /// The available inputs.
    pub known: Vec<String>,
}

/// An input that has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no value for `{name}`, which the signature requires: add it under [data], or give it with --set {name}=…"
)]
pub struct MissingInput {
    /// Its name.
    pub name: String,
}

impl MissionFile {
    /// Whether the mission knows an input of this name: as data, as a parameter, as a placeholder or by a description.
    ///
    /// A mission that names no input at all takes any.
    pub fn check_input(&self, name: &str) -> Result<(), UnknownInput> {
        let placeholders = extract_placeholders(&self.agent.mission);
        let parameters =
            self.agent.signature.iter().flat_map(|signature| signature.params()).map(|field| field.name.as_str());
        let data = self.data.keys().chain(self.agent.context_descriptions.keys()).map(String::as_str);
        let used = placeholders.iter().filter_map(|placeholder| Some(placeholder.path.first()?.as_str()));
        let mut known: Vec<&str> = data.chain(parameters).chain(used).collect();
        known.sort_unstable();
        known.dedup();
        if known.is_empty() || known.contains(&name) { Ok(()) } else { Err(unknown(name.to_owned(), name, "", &known)) }
    }

    /// Inputs that the signature requires and the data does not have.
    #[must_use]
    pub fn missing_inputs(&self) -> Vec<MissingInput> {
        let Some(signature) = &self.agent.signature else { return Vec::new() };
        let findings = Context::from_map(self.data_map()).findings(signature, self.agent.signature_validation);
        let names = findings.into_iter().filter_map(|finding| match finding.path.first() {
            Some(PathStep::Name(name)) => Some(name.clone()),
            _ => None,
        });
        names.filter(|name| !self.data.contains_key(name)).map(|name| MissingInput { name }).collect()
    }

    /// Placeholders of the mission, outside sections, that its data does not fill: they stay as typed.
    #[must_use]
    pub fn unfilled(&self) -> Vec<UnknownInput> {
        let placeholders = extract_placeholders(&self.agent.mission);
        let simple = placeholders.iter().filter(|placeholder| placeholder.kind == PlaceholderKind::Simple);
        simple.filter_map(|placeholder| self.missing(placeholder)).collect()
    }

    /// The first key of a path that does not exist.
    fn missing(&self, placeholder: &Placeholder) -> Option<UnknownInput> {
        let mut value: Option<Value> = None;
        for (depth, key) in placeholder.path.iter().enumerate() {
            let before: String = placeholder.path.iter().take(depth).map(|key| format!("{key}.")).collect();
            let (found, known) = match &value {
                None => (self.data.get(key).cloned(), self.data.keys().cloned().collect()),
                Some(Value::Map(map)) => (
                    map.get_named(key).cloned(),
                    map.iter().take(MAX_KEYS).filter_map(|(key, _)| Some(key_name(key)?.to_owned())).collect(),
                ),
                Some(_) => (None, Vec::new()),
            };
            let Some(found) = found else {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                return Some(unknown(placeholder.name(), key, &before, &known));
            };
            value = Some(found);
        }
        None
    }
}

fn unknown(name: String, key: &str, before: &str, known: &[&str]) -> UnknownInput {
    let nearest = nearest(key, known).map(|key| format!("{before}{key}"));
    UnknownInput { name, nearest, known: known.iter().map(|key| format!("{before}{key}")).collect() }
}
