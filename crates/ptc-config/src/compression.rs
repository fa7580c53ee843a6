//! How the history of a run is shown to the model.

mod one_line;
#[cfg(test)]
mod tests;

#[cfg(feature = "tokens")]
use ptc_compression::O200k;
use ptc_compression::{Aggressive, ByteBound, Ceiling, CompressionConfig, Limits, Strategy};

use crate::document::{Item, Section};
use crate::error::ConfigError;

pub use one_line::StrategyChoice;

/// What stands for the dialogue without compression.
const NONE: &str = "none";

/// The options that a strategy knows in mission files.
fn keys(strategy: &Strategy) -> Vec<&'static str> {
    let own: &[&str] = match strategy {
        Strategy::RollingWindow(_) => &["window"],
        Strategy::PerTurnSummary(_) => &["program_limit", "turn_limit"],
        Strategy::AppendOnly(_) => &["append_bytes"],
        Strategy::Aggressive(_) => return COMMON.into_iter().chain(AGGRESSIVE).collect(),
        _ => &[],
    };
    COMMON.iter().chain(own).chain(&LIMITS).copied().collect()
}

/// As agents take it: without a strategy, a number of tokens is a ceiling of the plain dialogue.
pub(crate) fn config(strategy: Option<&Strategy>, limit: Option<RequestLimit>) -> CompressionConfig {
    CompressionConfig::below(strategy.map(Strategy::to_compression), limit.map(RequestLimit::to_ceiling))
}

/// A number of tokens that no request may exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestLimit {
    /// The number, above 0.
    pub max_tokens: usize,
    /// How tokens are counted.
    pub counter: CounterName,
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
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CounterName {
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

/// Options of the strategies that list calls and prints.
const LIMITS: [&str; 6] = ["println_limit", "tool_call_limit", "sample_limit", "sample_printable_limit", "tool_hint", "tool_results"];

const AGGRESSIVE: [&str; 5] = ["println_limit", "tool_call_limit", "print_chars", "error_chars", "doc_chars"];

/// `true`, `false`, a name, or `{ strategy = "…", … }`.
pub(crate) fn read(item: Item<'_>) -> Result<(Option<Strategy>, Option<RequestLimit>), ConfigError> {
    if let Some(on) = item.value.get_ref().as_bool() {
        return Ok((on.then(Strategy::default), None));
    }
    if item.value.get_ref().is_str() {
        return Ok((strategy(item)?, None));
    }
    read_table(&item.section("compression must be true, false, the name of a strategy or a table")?)
}

/// `strategy` and its options.
fn read_table(table: &Section<'_>) -> Result<(Option<Strategy>, Option<RequestLimit>), ConfigError> {
    let mut chosen = table.get("strategy").map_or_else(|| Ok(Some(Strategy::default())), strategy)?;
    let (name, keys) = chosen.as_ref().map_or((NONE, COMMON.to_vec()), |chosen| (chosen.name(), keys(chosen)));
    table.only(&format!("the options of `{name}`"), &keys)?;
    if let Some(chosen) = &mut chosen {
        for (key, _, item) in table.entries() {
            set(chosen, key, item)?;
        }
    }
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

fn set(chosen: &mut Strategy, key: &str, item: Item<'_>) -> Result<(), ConfigError> {
    let number = || item.small(0, &format!("{key} must be an integer, 0 or more")).map(|n| n as usize);
    match chosen {
        Strategy::RollingWindow(rolling) if key == "window" => rolling.window = number()?,
        Strategy::PerTurnSummary(summary) if key == "program_limit" => summary.program_limit = number()?,
        Strategy::PerTurnSummary(summary) if key == "turn_limit" => summary.turn_limit = number()?,
        Strategy::AppendOnly(append) if key == "append_bytes" => append.append_bytes = number()?,
        Strategy::Aggressive(aggressive) => small(aggressive, key, number)?,
        other => {
            if let Some(limits) = limits(other) {
                set_limit(limits, key, item, number)?;
            }
        }
    }
    Ok(())
}

/// The limits of a strategy that lists calls and prints.
fn limits(strategy: &mut Strategy) -> Option<&mut Limits> {
    Some(match strategy {
        Strategy::SingleUserCoalesced(of) => &mut of.limits,
        Strategy::Digest(of) => &mut of.limits,
        Strategy::RollingWindow(of) => &mut of.limits,
        Strategy::PerTurnSummary(of) => &mut of.limits,
        Strategy::AppendOnly(of) => &mut of.limits,
        _ => return None,
    })
}

fn set_limit(limits: &mut Limits, key: &str, item: Item<'_>, number: impl Fn() -> Result<usize, ConfigError>) -> Result<(), ConfigError> {
    let truth = || item.bool(&format!("{key} must be a boolean"));
    match key {
        "println_limit" => limits.println_limit = number()?,
        "tool_call_limit" => limits.tool_call_limit = number()?,
        "sample_limit" => limits.sample_limit = number()?,
        "sample_printable_limit" => limits.sample_printable_limit = number()?,
        "tool_hint" => limits.tool_hint = truth()?,
        "tool_results" => limits.tool_results = truth()?,
        _ => {}
    }
    Ok(())
}

fn small(aggressive: &mut Aggressive, key: &str, number: impl Fn() -> Result<usize, ConfigError>) -> Result<(), ConfigError> {
    match key {
        "println_limit" => aggressive.println_limit = number()?,
        "tool_call_limit" => aggressive.tool_call_limit = number()?,
        "print_chars" => aggressive.print_chars = number()?,
        "error_chars" => aggressive.error_chars = number()?,
        "doc_chars" => aggressive.doc_chars = number()?,
        _ => {}
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
