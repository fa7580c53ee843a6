//! Options whose behaviour comes with a later version: their values are checked, and refused when they ask for anything.

use crate::document::Item;
use crate::error::ConfigError;

/// Check the value of a later option; other keys pass.
pub(super) fn check(key: &'static str, item: Item<'_>) -> Result<(), ConfigError> {
    let asks = match key {
        "pmap_timeout" => item.duration(&format!("{key} must be an integer above 0")).map(|_| true)?,
        "output" => item.choice("output mode", &[("ptc_lisp", false), ("json", true), ("text", true)])?,
        "schema" => item.section("schema must be a map").map(|_| true)?,
        "llm_query" => item.bool("llm_query must be a boolean")?,
        "builtin_tools" => families(item)?,
        "plan" => plan(item)?,
        _ => false,
    };
    if asks { Err(not_supported(key, item)) } else { Ok(()) }
}

fn not_supported(key: &'static str, item: Item<'_>) -> ConfigError {
    let instead = match key {
        "pmap_timeout" => "`timeout` bounds a program with all its branches",
        "llm_query" => "give the program a tool that asks the model",
        "builtin_tools" => "write the tool as `program` or `command`",
        "plan" => "write the steps into the mission",
        _ => "leave it out: the model writes programs",
    };
    ConfigError::NotSupported { place: item.place(), key: key.to_owned(), instead: instead.to_owned() }
}

/// Whether any family is named.
fn families(item: Item<'_>) -> Result<bool, ConfigError> {
    let names = item.texts("builtin_tools must list family names")?;
    match names.iter().find(|name| !matches!(name.as_str(), "grep" | "history")) {
        Some(unknown) => Err(item.refused(format!("unknown builtin tool family '{unknown}' (grep, history)"))),
        None => Ok(!names.is_empty()),
    }
}

/// Whether there is a step; steps are texts, or pairs `["id", "text"]`.
fn plan(item: Item<'_>) -> Result<bool, ConfigError> {
    let mut ids: Vec<String> = Vec::new();
    for (index, step) in item.list("plan must be a list")?.enumerate() {
        let number = index + 1;
        let malformed = format!("plan item {number} is malformed");
        let (id, text) = match step.value.get_ref().as_str() {
            Some(text) => (number.to_string(), text.to_owned()),
            None => match step.texts(&malformed)?.as_slice() {
                [id, text] => (id.clone(), text.clone()),
                _ => return Err(step.refused(malformed)),
            },
        };
        if text.trim().is_empty() {
            return Err(step.refused(format!("plan step {id} has no description")));
        }
        ids.push(id);
    }
    let twice = |(at, id): &(usize, &String)| ids.iter().take(*at).filter(|other| other == id).count() == 1;
    let twice: Vec<&str> = ids.iter().enumerate().filter(twice).map(|(_, id)| id.as_str()).collect();
    match twice.as_slice() {
        [] => Ok(!ids.is_empty()),
        twice => Err(item.refused(format!("plan ids used twice: {}", twice.join(", ")))),
    }
}
