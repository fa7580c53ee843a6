//! How the history of a run is shown to the model.

mod one_line;
#[cfg(test)]
mod tests;

#[cfg(feature = "tokens")]
use ptc_compression::O200k;
use ptc_compression::{ByteBound, Ceiling, CompressionConfig, Strategy};
use ptc_transcript::CompressionOptions;
use serde_json::Value as Json;
use toml::de::DeValue;

use crate::document::{Item, Section};
use crate::error::ConfigError;

pub use one_line::StrategyChoice;

/// What stands for the dialogue without compression.
const NONE: &str = "none";

/// As agents take it: without a strategy, a number of tokens is a ceiling of the plain dialogue.
fn config(strategy: Option<&Strategy>, limit: Option<RequestLimit>) -> CompressionConfig {
    CompressionConfig::below(strategy.map(Strategy::to_compression), limit.map(RequestLimit::to_ceiling))
}

/// A number of tokens that no request may exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct RequestLimit {
    /// The number, above 0.
    max_tokens: usize,
    /// How tokens are counted.
    counter: CounterName,
}

impl RequestLimit {
    fn to_ceiling(self) -> Ceiling {
        match self.counter {
            #[cfg(feature = "tokens")]
            CounterName::O200k => Ceiling::new(self.max_tokens, O200k),
            CounterName::Bytes => Ceiling::new(self.max_tokens, ByteBound),
        }
    }
}

/// A way to count tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum CounterName {
    /// In the vocabulary `o200k_base`; the default where the feature `tokens` is on.
    #[cfg(feature = "tokens")]
    O200k,
    /// One token per byte, which is never too few.
    Bytes,
}

/// The ways to count that this build knows, the default first.
const COUNTERS: &[(&str, CounterName)] = &[
    #[cfg(feature = "tokens")]
    ("o200k", CounterName::O200k),
    ("bytes", CounterName::Bytes),
];

/// Options that all strategies have.
const COMMON: [&str; 3] = ["strategy", "max_tokens", "token_counter"];

/// `true`, `false`, a name, or `{ strategy = "…", … }`.
pub(crate) fn read(item: Item<'_>) -> Result<CompressionConfig, ConfigError> {
    let (strategy, limit) = match item.value.get_ref() {
        DeValue::Boolean(on) => (on.then(Strategy::default), None),
        DeValue::String(_) => (strategy(item)?, None),
        _ => read_table(&item.section("compression must be true, false, the name of a strategy or a table")?)?,
    };
    Ok(config(strategy.as_ref(), limit))
}

/// `strategy` and its options.
fn read_table(table: &Section<'_>) -> Result<(Option<Strategy>, Option<RequestLimit>), ConfigError> {
    let chosen = table.get("strategy").map_or_else(|| Ok(Some(Strategy::default())), strategy)?;
    let name = chosen.as_ref().map_or(NONE, Strategy::name);
    let mut options = chosen.as_ref().map(|chosen| chosen.to_compression().options()).unwrap_or_default();
    table.only(
        &format!("the options of `{name}`"),
        &[&COMMON[..], &options.keys().map(String::as_str).collect::<Vec<_>>()].concat(),
    )?;
    for (key, _, item) in table.entries() {
        set(&mut options, key, item)?;
    }
    let chosen = chosen.map(|chosen| Strategy::from_record(chosen.name(), &options)).transpose();
    let chosen = chosen
        .map_err(|error| ConfigError::Syntax { place: table.document.place(0..0), problem: error.to_string() })?;
    Ok((chosen, request_limit(table)?))
}

fn request_limit(table: &Section<'_>) -> Result<Option<RequestLimit>, ConfigError> {
    let counter = table.get("token_counter").map(|item| item.choice("token_counter", COUNTERS)).transpose()?;
    let Some(item) = table.get("max_tokens") else {
        return match table.get("token_counter") {
            Some(item) => Err(item.bad("token_counter says how `max_tokens` is counted, which is missing")),
            None => Ok(None),
        };
    };
    let max_tokens = item.small(1, "max_tokens must be an integer above 0, such as 8000")? as usize;
    let counter = match counter {
        Some(counter) => counter,
        None if cfg!(feature = "tokens") => COUNTERS.first().map_or(CounterName::Bytes, |(_, counter)| *counter),
        None => return Err(item.bad("this build counts bytes only: add `token_counter = \"bytes\"` beside max_tokens")),
    };
    Ok(Some(RequestLimit { max_tokens, counter }))
}

/// Options as a strategy writes them into records: their names and their kinds are nowhere else.
fn set(options: &mut CompressionOptions, key: &str, item: Item<'_>) -> Result<(), ConfigError> {
    if let Some(option) = options.get_mut(key) {
        *option = match option {
            Json::Bool(_) => item.bool(&format!("{key} must be a boolean"))?.into(),
            _ => item.small(0, &format!("{key} must be an integer, 0 or more"))?.into(),
        };
    }
    Ok(())
}

/// The strategy of a name, or `none`.
fn strategy(item: Item<'_>) -> Result<Option<Strategy>, ConfigError> {
    let name = item.text("strategy must be the name of a compression strategy")?;
    match Strategy::from_name(name) {
        None if name != NONE => Err(ConfigError::UnknownStrategy {
            place: item.place(),
            name: name.to_owned(),
            known: Strategy::NAMES.iter().copied().chain([NONE]).collect(),
        }),
        strategy => Ok(strategy),
    }
}
