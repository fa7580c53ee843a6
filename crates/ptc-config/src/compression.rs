//! How the history of a run is shown to the model.

#[cfg(test)]
mod tests;

use ptc_compression::{CompressionConfig, SingleUserCoalesced};

use crate::document::{Item, Section};
use crate::error::ConfigError;

/// The names of all strategies.
pub const STRATEGIES: [&str; 1] = ["single-user-coalesced"];

/// A compression strategy with its options.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strategy {
    /// All turns in one user message.
    SingleUserCoalesced(SingleUserCoalesced),
}

impl Strategy {
    /// The strategy of this name with its default options.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Strategy> {
        (name == "single-user-coalesced").then(Strategy::default)
    }

    /// The name in mission files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::SingleUserCoalesced(_) => "single-user-coalesced",
        }
    }

    /// As agents take it.
    #[must_use]
    pub fn to_config(&self) -> CompressionConfig {
        match self {
            Strategy::SingleUserCoalesced(strategy) => strategy.clone().into(),
        }
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::SingleUserCoalesced(SingleUserCoalesced::default())
    }
}

const KEYS: [&str; 8] =
    ["strategy", "println_limit", "tool_call_limit", "sample_limit", "sample_printable_limit", "tool_hint", "tool_results", "max_tokens"];

/// `true`, `false`, a name, or `{ strategy = "…", … }`.
pub(crate) fn read(item: Item<'_>) -> Result<Option<Strategy>, ConfigError> {
    if let Some(on) = item.value.get_ref().as_bool() {
        return Ok(on.then(Strategy::default));
    }
    if item.value.get_ref().is_str() {
        return Ok(Some(strategy(item)?));
    }
    let table = item.section("compression must be true, false, the name of a strategy or a table")?;
    let mut chosen = table.get("strategy").map_or_else(|| Ok(Strategy::default()), strategy)?;
    table.only("`compression`", &KEYS)?;
    match &mut chosen {
        Strategy::SingleUserCoalesced(strategy) => coalesced(table, strategy)?,
    }
    Ok(Some(chosen))
}

fn coalesced(table: Section<'_>, strategy: &mut SingleUserCoalesced) -> Result<(), ConfigError> {
    for (key, place, item) in table.entries() {
        let rule = format!("{key} must be an integer, 0 or more");
        let limit = |item: Item<'_>| item.small(0, &rule).map(|n| n as usize);
        let truth = |item: Item<'_>| item.bool(&format!("{key} must be a boolean"));
        match key {
            "println_limit" => strategy.println_limit = limit(item)?,
            "tool_call_limit" => strategy.tool_call_limit = limit(item)?,
            "sample_limit" => strategy.sample_limit = limit(item)?,
            "sample_printable_limit" => strategy.sample_printable_limit = limit(item)?,
            "tool_hint" => strategy.tool_hint = truth(item)?,
            "tool_results" => strategy.tool_results = truth(item)?,
            "max_tokens" => {
                return Err(ConfigError::NotSupported {
                    place,
                    key: "compression.max_tokens".to_owned(),
                    instead: "lower `println_limit`, `tool_call_limit` and `sample_limit`".to_owned(),
                });
            }
            _ => {}
        }
    }
    Ok(())
}

fn strategy(item: Item<'_>) -> Result<Strategy, ConfigError> {
    let name = item.text("strategy must be the name of a compression strategy")?;
    Strategy::from_name(name).ok_or_else(|| ConfigError::UnknownStrategy {
        place: item.place(),
        name: name.to_owned(),
        known: STRATEGIES.to_vec(),
    })
}
