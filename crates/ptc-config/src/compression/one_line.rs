//! A strategy in one line, as command lines take it.

use std::borrow::Cow;
use std::ops::Range;
use std::path::PathBuf;

use ptc_agent::AgentSpec;
use ptc_compression::{CompressionConfig, Strategy, one_line};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::read_table;
use crate::document::{Document, Section};
use crate::error::ConfigError;
use crate::registry::Registry;

/// How history is shown, as chosen for a run.
///
/// ```
/// use ptc_config::{MissionFile, StrategyChoice};
///
/// let mut mission = MissionFile::from_text("m.toml", "mission = \"Count\"\ncompression = { max_tokens = 8000, token_counter = \"bytes\" }")?;
/// StrategyChoice::parse("--compression", "rolling-window,window=2")?.apply(&mut mission.agent);
/// let chosen = mission.agent.compression.to_record();
/// assert_eq!((chosen.strategy.as_deref(), chosen.max_tokens), (Some("rolling-window"), Some(8000)));
/// assert_eq!(chosen.options["window"], 2);
/// # Ok::<(), ptc_config::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StrategyChoice {
    text: String,
    config: CompressionConfig,
    /// Only the strategy is chosen, not its options.
    is_bare: bool,
}

impl StrategyChoice {
    /// Reads `none`, the name of a strategy, or a name and its options as in mission files: `rolling-window,window=2`.
    /// Words need no quotes: `digest,max_tokens=8000,token_counter=bytes`.
    ///
    /// Errors name the `option` of the command line, and the column of the text.
    pub fn parse(option: &str, text: &str) -> Result<StrategyChoice, ConfigError> {
        StrategyChoice::parse_with(&Registry::new(), option, text)
    }

    /// The same, where the strategies of a registry can also be named.
    pub fn parse_with(registry: &Registry, option: &str, text: &str) -> Result<StrategyChoice, ConfigError> {
        let document = Document { file: PathBuf::from(option), text, registry: registry.clone() };
        let table = table(&document)?;
        let config = read_table(&Section { document: &document, table: &table, below: None })?;
        Ok(StrategyChoice { text: text.to_owned(), config, is_bare: table.len() == 1 })
    }

    /// The choice as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Shows the history of an agent in this way. A name alone leaves the options of the same strategy as they are, and
    /// a number of tokens stays until it is replaced: it belongs to the model.
    pub fn apply(&self, agent: &mut AgentSpec) {
        let (chosen, known) = (self.config.strategy(), agent.compression.strategy());
        let is_same = known.as_ref().map(|known| known.name()) == chosen.as_ref().map(|chosen| chosen.name());
        if !(self.is_bare && is_same) {
            let ceiling = self.config.ceiling().or(agent.compression.ceiling()).cloned();
            agent.compression = CompressionConfig::below(chosen, ceiling);
        }
    }

    /// As agents take it.
    #[must_use]
    pub fn to_config(&self) -> CompressionConfig {
        self.config.clone()
    }
}

/// The strategy with all its options.
impl From<Strategy> for StrategyChoice {
    fn from(strategy: Strategy) -> Self {
        let config = CompressionConfig::from(strategy);
        StrategyChoice { text: one_line(&config.to_record()), config, is_bare: false }
    }
}

/// `NAME,KEY=VALUE,…` as the table of a mission file. Its places are those of the text.
fn table<'t>(document: &Document<'t>) -> Result<DeTable<'t>, ConfigError> {
    let mut table = DeTable::new();
    let mut start = 0;
    for part in document.text.split(',') {
        let place = trimmed(document.text, start..start + part.len());
        start += part.len() + 1;
        let (key, value) = match document.text.get(place.clone()).unwrap_or_default() {
            name if table.is_empty() => {
                (Spanned::new(0..0, "strategy".into()), Spanned::new(place, DeValue::String(name.into())))
            }
            option => {
                let (name, value) = option
                    .split_once('=')
                    .filter(|(name, value)| !name.trim().is_empty() && !value.trim().is_empty())
                    .ok_or_else(|| {
                        let rule = format!("the option `{option}` must be NAME=VALUE, such as window=2");
                        ConfigError::refused(document.place(place.clone()), rule)
                    })?;
                let value_place = trimmed(document.text, place.end - value.len()..place.end);
                (
                    Spanned::new(place.clone(), name.trim_end().into()),
                    Spanned::new(value_place, toml_or_word(value.trim())),
                )
            }
        };
        if table.contains_key(&key) {
            let rule = format!("`{}` is given twice", key.get_ref());
            return Err(ConfigError::refused(document.place(key.span()), rule));
        }
        table.insert(key, value);
    }
    Ok(table)
}

/// The place without surrounding blanks.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let part = text.get(place.clone()).unwrap_or_default();
    let start = place.start + part.len() - part.trim_start().len();
    start..(start + part.trim().len())
}

/// A value as in mission files, or an unquoted text.
fn toml_or_word(text: &str) -> DeValue<'_> {
    DeValue::parse(text).map_or_else(|_| DeValue::String(Cow::Borrowed(text)), Spanned::into_inner)
}
