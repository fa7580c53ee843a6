//! The prices of several models.

use std::sync::LazyLock;

use super::Prices;
use super::file::{self, PriceListError};

/// The list that is part of this crate.
const BUILTIN: &str = include_str!("../prices.toml");

/// The prices of several models, with where and when they were looked up.
///
/// ```
/// use ptc_trace::replay::PriceList;
///
/// let list = PriceList::parse(
///     r#"
///     [[list]]
///     source = "https://llm.example/prices"
///     date = 2026-11-02
///     [list.models]
///     "own-large" = { input = 2, cached = 0.2, output = 8 }
///     "own-small" = { input = 0.5, output = 2 }
///     "#,
/// )?;
/// assert_eq!(list.models().collect::<Vec<_>>(), ["own-large", "own-small"]);
/// let prices = list.of_run("https://llm.example/v1#own-large").unwrap();
/// assert_eq!((prices.cached, prices.write, prices.output), (0.2, 2.0, 8.0));
/// # Ok::<(), ptc_trace::replay::PriceListError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PriceList {
    /// By model, in the order of the file.
    entries: Vec<(String, Prices)>,
}

impl PriceList {
    /// The list in this TOML.
    pub fn parse(text: &str) -> Result<PriceList, PriceListError> {
        file::read(text).map(|entries| PriceList { entries })
    }

    /// The list that is part of this release.
    #[allow(clippy::expect_used, reason = "the text is a part of this crate, and a test reads it")]
    pub fn builtin() -> &'static PriceList {
        static LIST: LazyLock<PriceList> =
            LazyLock::new(|| PriceList::parse(BUILTIN).expect("the built-in list of prices is valid"));
        &LIST
    }

    /// The prices of this model.
    pub fn of(&self, model: &str) -> Option<&Prices> {
        self.entries.iter().find(|(known, _)| known == model).map(|(_, prices)| prices)
    }

    /// The prices of the model that a run has asked, by its name in records: `openai:gpt-5`,
    /// `openrouter:anthropic/claude-sonnet-4.5`, `claude-sonnet-4-5-20250929`, `URL#gpt-5-mini`.
    ///
    /// A date at the end of the name and `-` instead of `.` in its version do not matter. A list may have a model with its
    /// provider, `groq:openai/gpt-oss-120b`, since others may charge something else for it; that price comes first. Models
    /// of Ollama have only such prices.
    pub fn of_run(&self, model: &str) -> Option<&Prices> {
        let named = |name: &str| {
            let name = same(name);
            self.entries.iter().find(|(known, _)| same(known) == name).map(|(_, prices)| prices)
        };
        // A list may price one release of a model separately.
        let dated = |name: &str| named(name).or_else(|| named(without_date(name)));
        let name = model.rsplit(['#', ':', '/']).next().filter(|_| !model.starts_with("ollama:"));
        dated(model).or_else(|| dated(name?))
    }

    /// The models of the list, in its order.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(model, _)| model.as_str())
    }
}

/// The form in which names of models are compared.
pub(super) fn same(name: &str) -> String {
    name.replace('.', "-")
}

/// The name of a model without the date of its release: `-20250929` or `-2025-09-29`.
fn without_date(name: &str) -> &str {
    let shape: String = name.chars().map(|char| if char.is_ascii_digit() { '0' } else { char }).collect();
    let date = ["-00000000", "-0000-00-00"].into_iter().find(|date| shape.ends_with(date));
    date.and_then(|date| name.get(..name.len() - date.len())).unwrap_or(name)
}
