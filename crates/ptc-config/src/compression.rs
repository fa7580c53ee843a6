//! How the history of a run is shown to the model.

mod one_line;
#[cfg(test)]
mod tests;

#[cfg(feature = "tokens")]
use ptc_compression::O200k;
use ptc_compression::{
    Aggressive, AppendOnly, ByteBound, Ceiling, Compression, CompressionConfig, Layout, PerTurnSummary, RollingWindow, SingleUserCoalesced,
    TokenCeiling,
};

use crate::document::{Item, Section};
use crate::error::ConfigError;

pub use one_line::StrategyChoice;

/// The names of all strategies.
pub const STRATEGIES: [&str; 5] =
    [SingleUserCoalesced::NAME, RollingWindow::NAME, PerTurnSummary::NAME, Aggressive::NAME, AppendOnly::NAME];

/// What stands for the dialogue without compression.
const NONE: &str = "none";

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
    /// The dialogue as it grows, merged now and then.
    AppendOnly(AppendOnly),
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
            AppendOnly::NAME => Strategy::AppendOnly(AppendOnly::default()),
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
            Strategy::AppendOnly(_) => AppendOnly::NAME,
        }
    }

    /// As agents take it, below a number of tokens when there is one.
    #[must_use]
    pub fn to_config(&self, limit: Option<RequestLimit>) -> CompressionConfig {
        match self {
            Strategy::SingleUserCoalesced(strategy) => below(strategy, limit),
            Strategy::RollingWindow(strategy) => below(strategy, limit),
            Strategy::PerTurnSummary(strategy) => below(strategy, limit),
            Strategy::Aggressive(strategy) => below(strategy, limit),
            Strategy::AppendOnly(strategy) => below(strategy, limit),
        }
    }

    /// The options that it knows in mission files.
    fn keys(&self) -> Vec<&'static str> {
        let own: &[&str] = match self {
            Strategy::SingleUserCoalesced(_) => &["layout"],
            Strategy::RollingWindow(_) => &["window"],
            Strategy::PerTurnSummary(_) => &["program_limit", "turn_limit"],
            Strategy::AppendOnly(_) => &["append_bytes"],
            Strategy::Aggressive(_) => return COMMON.into_iter().chain(AGGRESSIVE).collect(),
        };
        COMMON.iter().chain(own).chain(&LIMITS).copied().collect()
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::SingleUserCoalesced(SingleUserCoalesced::default())
    }
}

/// As agents take it: without a strategy, a number of tokens is a ceiling of the plain dialogue.
pub(crate) fn config(strategy: Option<&Strategy>, limit: Option<RequestLimit>) -> CompressionConfig {
    match (strategy, limit) {
        (Some(strategy), limit) => strategy.to_config(limit),
        (None, Some(limit)) => limit.to_ceiling().into(),
        (None, None) => CompressionConfig::default(),
    }
}

fn below<S: Compression + Clone + 'static>(strategy: &S, limit: Option<RequestLimit>) -> CompressionConfig {
    match limit {
        Some(limit) => TokenCeiling::below(strategy.clone(), limit.to_ceiling()).into(),
        None => strategy.clone().into(),
    }
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

const LAYOUTS: &[(&str, Layout)] = &[("appending", Layout::Appending), ("merged", Layout::Merged)];

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
    let (name, keys) = chosen.as_ref().map_or((NONE, COMMON.to_vec()), |chosen| (chosen.name(), chosen.keys()));
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
    let limits = match chosen {
        Strategy::SingleUserCoalesced(coalesced) if key == "layout" => {
            coalesced.layout = item.choice("layout", LAYOUTS)?;
            return Ok(());
        }
        Strategy::SingleUserCoalesced(coalesced) => &mut coalesced.limits,
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
        Strategy::AppendOnly(append) if key == "append_bytes" => {
            append.append_bytes = number()?;
            return Ok(());
        }
        Strategy::AppendOnly(append) => &mut append.limits,
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

/// The strategy of a name, or `none`.
fn strategy(item: Item<'_>) -> Result<Option<Strategy>, ConfigError> {
    let name = item.text("strategy must be the name of a compression strategy")?;
    match Strategy::from_name(name) {
        None if name != NONE => Err(ConfigError::UnknownStrategy {
            place: item.place(),
            name: name.to_owned(),
            known: STRATEGIES.into_iter().chain([NONE]).collect(),
        }),
        strategy => Ok(strategy),
    }
}
