//! How the history of a run is shown to the model.

#[cfg(test)]
mod tests;

use ptc_compression::{Aggressive, CompressionConfig, PerTurnSummary, RollingWindow, SingleUserCoalesced};

use crate::document::Item;
use crate::error::ConfigError;

/// The names of all strategies.
pub const STRATEGIES: [&str; 4] = [SingleUserCoalesced::NAME, RollingWindow::NAME, PerTurnSummary::NAME, Aggressive::NAME];

/// A compression strategy with its options.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strategy {
    /// All turns in one user message.
    SingleUserCoalesced(SingleUserCoalesced),
    /// The newest turns as a dialogue, the older ones merged.
    RollingWindow(RollingWindow),
    /// Each turn as a short program and a short report.
    PerTurnSummary(PerTurnSummary),
    /// Names and types, counts and the end of the output.
    Aggressive(Aggressive),
}

impl Strategy {
    /// The strategy of this name with its default options.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Strategy> {
        Some(match name {
            SingleUserCoalesced::NAME => Strategy::default(),
            RollingWindow::NAME => Strategy::RollingWindow(RollingWindow::default()),
            PerTurnSummary::NAME => Strategy::PerTurnSummary(PerTurnSummary::default()),
            Aggressive::NAME => Strategy::Aggressive(Aggressive::default()),
            _ => return None,
        })
    }

    /// The name in mission files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::SingleUserCoalesced(_) => SingleUserCoalesced::NAME,
            Strategy::RollingWindow(_) => RollingWindow::NAME,
            Strategy::PerTurnSummary(_) => PerTurnSummary::NAME,
            Strategy::Aggressive(_) => Aggressive::NAME,
        }
    }

    /// As agents take it.
    #[must_use]
    pub fn to_config(&self) -> CompressionConfig {
        match self {
            Strategy::SingleUserCoalesced(strategy) => strategy.clone().into(),
            Strategy::RollingWindow(strategy) => strategy.clone().into(),
            Strategy::PerTurnSummary(strategy) => strategy.clone().into(),
            Strategy::Aggressive(strategy) => strategy.clone().into(),
        }
    }

    /// The options that it knows in mission files.
    fn keys(&self) -> Vec<&'static str> {
        let own: &[&str] = match self {
            Strategy::SingleUserCoalesced(_) => &[],
            Strategy::RollingWindow(_) => &["window"],
            Strategy::PerTurnSummary(_) => &["program_limit", "turn_limit"],
            Strategy::Aggressive(_) => return ["strategy", "max_tokens"].into_iter().chain(AGGRESSIVE).collect(),
        };
        ["strategy", "max_tokens"].iter().chain(own).chain(&LIMITS).copied().collect()
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::SingleUserCoalesced(SingleUserCoalesced::default())
    }
}

/// Options of the strategies that list calls and prints.
const LIMITS: [&str; 6] = ["println_limit", "tool_call_limit", "sample_limit", "sample_printable_limit", "tool_hint", "tool_results"];

const AGGRESSIVE: [&str; 5] = ["println_limit", "tool_call_limit", "print_chars", "error_chars", "doc_chars"];

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
    table.only("`compression`", &chosen.keys())?;
    for (key, place, item) in table.entries() {
        if key == "max_tokens" {
            return Err(ConfigError::NotSupported {
                place,
                key: "compression.max_tokens".to_owned(),
                instead: "lower `println_limit`, `tool_call_limit` and `sample_limit`".to_owned(),
            });
        }
        set(&mut chosen, key, item)?;
    }
    Ok(Some(chosen))
}

fn set(chosen: &mut Strategy, key: &str, item: Item<'_>) -> Result<(), ConfigError> {
    let number = || item.small(0, &format!("{key} must be an integer, 0 or more")).map(|n| n as usize);
    let limits = match chosen {
        Strategy::SingleUserCoalesced(limits) => limits,
        Strategy::RollingWindow(rolling) if key == "window" => {
            rolling.window = number()?;
            return Ok(());
        }
        Strategy::RollingWindow(rolling) => &mut rolling.limits,
        Strategy::PerTurnSummary(summary) if key == "program_limit" => {
            summary.program_limit = number()?;
            return Ok(());
        }
        Strategy::PerTurnSummary(summary) if key == "turn_limit" => {
            summary.turn_limit = number()?;
            return Ok(());
        }
        Strategy::PerTurnSummary(summary) => &mut summary.limits,
        Strategy::Aggressive(aggressive) => return small(aggressive, key, number),
    };
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

fn strategy(item: Item<'_>) -> Result<Strategy, ConfigError> {
    let name = item.text("strategy must be the name of a compression strategy")?;
    Strategy::from_name(name).ok_or_else(|| ConfigError::UnknownStrategy {
        place: item.place(),
        name: name.to_owned(),
        known: STRATEGIES.to_vec(),
    })
}
