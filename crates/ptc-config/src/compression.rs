//! How the history of a run is shown to the model.

mod one_line;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ptc_compression::{Ceiling, Compression, CompressionConfig, Strategy, UnknownStrategy, usual_counter};
use ptc_transcript::{CompressionOptions, CompressionRecord};
use serde_json::{Value as Json, json};
use toml::de::DeValue;

use crate::document::{Item, Section};
use crate::error::{ConfigError, names};
use crate::registry::NONE;
use crate::shape::{self, Key};

pub use one_line::StrategyChoice;

/// Options that all strategies have.
const COMMON: [Key; 3] = [
    Key("strategy", "How history is shown; `none` sends every turn.", strategies),
    Key("max_tokens", "Tokens that no request may exceed.", || shape::integer(1)),
    Key("token_counter", "How tokens are counted.", || shape::choice(&Ceiling::counters().collect::<Vec<_>>())),
];

fn built_in_names() -> Vec<&'static str> {
    Strategy::NAMES.iter().copied().chain([NONE]).collect()
}

/// Those that mission files can always name; programs may have registered others.
fn strategies() -> Json {
    json!({"anyOf": [shape::choice(&built_in_names()), shape::text()]})
}

/// The schema of the option: which options a table may have depends on its strategy.
pub(crate) fn shape() -> Json {
    let table = |strategy: Json, options: CompressionOptions, required: &[&str]| {
        let mut keys = shape::properties(&COMMON);
        keys.extend(options.into_iter().map(|(key, value)| {
            let shape = if value.is_boolean() { shape::flag() } else { shape::integer(0) };
            // Null means no limit, which is expressed by leaving the key out.
            (key, if value.is_null() { shape } else { shape::with(shape, "default", value) })
        }));
        keys.insert("strategy".to_owned(), strategy);
        shape::table(keys, required)
    };
    let built_in = Strategy::all().into_iter().map(|strategy| {
        let required: &[&str] = if strategy == Strategy::default() { &[] } else { &["strategy"] };
        table(json!({"const": strategy.name()}), strategy.to_compression().options(), required)
    });
    let other = json!({"type": "string", "not": {"enum": Strategy::NAMES}});
    let tables: Vec<Json> = built_in.chain([table(other, CompressionOptions::new(), &["strategy"])]).collect();
    json!({"anyOf": [shape::flag(), strategies(), {"anyOf": tables}]})
}

/// `true`, `false`, a name, or `{ strategy = "…", … }`.
pub(crate) fn read(item: Item<'_>) -> Result<CompressionConfig, ConfigError> {
    match item.value.get_ref() {
        DeValue::Boolean(on) => Ok((*on).into()),
        DeValue::String(_) => named(item).map(|(_, strategy)| CompressionConfig::below(strategy, None)),
        _ => read_table(&item.section("compression must be true, false, the name of a strategy or a table")?),
    }
}

/// `strategy` and its options; without a strategy, a number of tokens is a ceiling of the plain dialogue.
fn read_table(table: &Section<'_>) -> Result<CompressionConfig, ConfigError> {
    let (name, mut strategy) = match table.get("strategy") {
        Some(item) => named(item)?,
        None => (Strategy::default().name(), Some(Strategy::default().to_compression())),
    };
    // A registered strategy is as its program constructed it, unless it takes other options.
    let settable = strategy
        .as_ref()
        .filter(|strategy| Strategy::NAMES.contains(&name) || strategy.with_options(&strategy.options()).is_some());
    let mut options = settable.map(|strategy| strategy.options()).unwrap_or_default();
    let known: Vec<&str> = shape::names(&COMMON).into_iter().chain(options.keys().map(String::as_str)).collect();
    table.only(&format!("the options of `{name}`"), &known)?;
    // Options as a strategy writes them into records: their names and types are nowhere else.
    for (key, option) in &mut options {
        let Some(item) = table.get(key) else { continue };
        *option = match option {
            Json::Bool(_) => item.bool(&format!("{key} must be a boolean"))?.into(),
            Json::String(_) => item.text(&format!("{key} must be a text"))?.into(),
            _ => item.small(0, &format!("{key} must be an integer, 0 or more"))?.into(),
        };
    }
    if !options.is_empty() {
        let refused = |error: UnknownStrategy| ConfigError::refused(table.document.place(0..0), error.to_string());
        let record = CompressionRecord { strategy: Some(name.to_owned()), options, ..CompressionRecord::default() };
        strategy = CompressionConfig::from_record_with(&record, &table.document.registry.strategies())
            .map_err(refused)?
            .strategy();
    }
    Ok(CompressionConfig::below(strategy, ceiling(table)?))
}

/// A number of tokens that no request may exceed, and how they are counted.
fn ceiling(table: &Section<'_>) -> Result<Option<Ceiling>, ConfigError> {
    let names: Vec<(&str, &'static str)> = Ceiling::counters().map(|name| (name, name)).collect();
    let counter = table.get("token_counter").map(|item| item.choice("token_counter", &names)).transpose()?;
    let Some(item) = table.get("max_tokens") else {
        return match table.get("token_counter") {
            Some(item) => Err(item.bad("token_counter says how `max_tokens` is counted, which is missing")),
            None => Ok(None),
        };
    };
    let max_tokens = item.small(1, "max_tokens must be an integer above 0, such as 8000")? as usize;
    let counter = counter.or_else(usual_counter).and_then(|counter| Ceiling::named(max_tokens, counter).ok());
    let no_counter = "this build counts bytes only: add `token_counter = \"bytes\"` next to max_tokens";
    counter.map(Some).ok_or_else(|| item.bad(no_counter))
}

/// What was written, and the strategy that it means.
type Named<'a> = (&'a str, Option<Arc<dyn Compression>>);

/// The strategy of a name, built in or registered; none for `none`.
fn named(item: Item<'_>) -> Result<Named<'_>, ConfigError> {
    let name = item.text("strategy must be the name of a compression strategy")?;
    let registered = &item.document.registry.strategies;
    let built_in = || Strategy::from_name(name).map(|strategy| strategy.to_compression());
    match registered.get(name).cloned().or_else(built_in) {
        None if name != NONE => {
            let known = names(&mut registered.keys(), &built_in_names().join(", "));
            Err(item.refused(format!("there is no compression strategy `{name}`; {known}")))
        }
        strategy => Ok((name, strategy)),
    }
}
