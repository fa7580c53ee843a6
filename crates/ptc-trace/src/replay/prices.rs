//! The prices of tokens.

#[cfg(test)]
mod tests;

use std::str::FromStr;

use ptc_chat::Tokens;
use serde::Serialize;

/// When the list prices below were looked up.
const DATE: &str = "2026-06";

/// Prices of one model, in USD for a million tokens.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prices {
    /// The model, with the date of the list; `given` if the user wrote the numbers.
    pub name: String,
    /// Input that is not cached.
    pub input: f64,
    /// Input read from the cache.
    pub cached: f64,
    /// Input that is written to the cache.
    pub write: f64,
    /// Output, thoughts included.
    pub output: f64,
}

/// List prices: input, cached input, writing to the cache, output. Without a separate price, writing costs as much as
/// input.
const LIST: [(&str, [f64; 4]); 14] = [
    ("claude-opus-4.6", [5.0, 0.5, 6.25, 25.0]),
    ("claude-sonnet-4.6", [3.0, 0.3, 3.75, 15.0]),
    ("claude-sonnet-4.5", [3.0, 0.3, 3.75, 15.0]),
    ("claude-haiku-4.5", [1.0, 0.1, 1.25, 5.0]),
    ("gpt-5.6-sol", [5.0, 0.5, 6.25, 30.0]),
    ("gpt-5.6-terra", [2.5, 0.25, 3.125, 15.0]),
    ("gpt-5.6-luna", [1.0, 0.1, 1.25, 6.0]),
    ("gpt-5.5", [5.0, 0.5, 5.0, 30.0]),
    ("gpt-5.4", [2.5, 0.25, 2.5, 15.0]),
    ("gpt-5.4-mini", [0.75, 0.075, 0.75, 4.5]),
    ("gpt-5", [1.25, 0.125, 1.25, 10.0]),
    ("gpt-5-mini", [0.25, 0.025, 0.25, 2.0]),
    ("gpt-4.1", [2.0, 0.5, 2.0, 8.0]),
    ("gpt-4.1-mini", [0.4, 0.1, 0.4, 1.6]),
];

/// Prices that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PricesError {
    /// A name that is not on the list.
    #[error("there are no list prices of `{name}`; known: {known}; or write USD per million tokens: {NUMBERS}")]
    UnknownModel {
        /// The name given.
        name: String,
        /// Every name of the list.
        known: String,
    },
    /// Invalid numbers.
    #[error("`{part}`: {problem}; write USD per million tokens: {NUMBERS}")]
    Numbers {
        /// The part that is wrong.
        part: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

const NUMBERS: &str = "input=3,cached=0.3,write=3.75,output=15";

impl Prices {
    /// The list prices of this model.
    pub fn of(model: &str) -> Option<Prices> {
        let (name, numbers) = LIST.iter().find(|(name, _)| *name == model)?;
        let [input, cached, write, output] = *numbers;
        Some(Prices { name: format!("{name}, list of {DATE}"), input, cached, write, output })
    }

    /// The list prices of the model that a run has asked, by its name in records: `openai:gpt-5`,
    /// `openrouter:anthropic/claude-sonnet-4.5`, `claude-sonnet-4-5-20250929`, `URL#gpt-5-mini`.
    ///
    /// A date at the end of the name and `-` instead of `.` in its version do not matter. Local models (`ollama:…`) and
    /// models that are not on the list have no prices.
    pub fn of_run(model: &str) -> Option<Prices> {
        let provider = model.split(':').next().filter(|_| !model.contains('#'));
        if provider == Some("ollama") {
            return None;
        }
        let name = model.rsplit(['#', ':', '/']).next().unwrap_or(model);
        let name = without_date(name).replace('.', "-");
        Prices::models().find(|known| known.replace('.', "-") == name).and_then(Prices::of)
    }

    /// The cost of these tokens in USD: tokens read from a cache, or written to it, at their own prices.
    pub fn cost(&self, tokens: &Tokens) -> f64 {
        let fresh = tokens.input.saturating_sub(tokens.cached.saturating_add(tokens.cache_write));
        let parts = [
            (fresh, self.input),
            (tokens.cached, self.cached),
            (tokens.cache_write, self.write),
            (tokens.output, self.output),
        ];
        parts.iter().map(|(tokens, price)| *tokens as f64 * price / 1e6).sum()
    }

    /// Whether the provider caches what requests mark: it charges more for writing to the cache.
    pub(super) fn are_for_marks(&self) -> bool {
        self.write > self.input
    }

    /// The models of the list.
    pub fn models() -> impl Iterator<Item = &'static str> {
        LIST.iter().map(|(name, _)| *name)
    }

    fn of_numbers(text: &str) -> Result<Prices, PricesError> {
        let mut found: [Option<f64>; 4] = [None; 4];
        for part in text.split(',') {
            let bad = |problem| PricesError::Numbers { part: part.to_owned(), problem };
            let (name, number) = part.split_once('=').ok_or_else(|| bad("a price is NAME=NUMBER"))?;
            let place = ["input", "cached", "write", "output"].iter().position(|known| *known == name.trim());
            let slot = place.and_then(|place| found.get_mut(place)).ok_or_else(|| bad("there is no such price"))?;
            let number = number.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
            *slot = Some(number.ok_or_else(|| bad("a price is a number, 0 or more"))?);
        }
        let [Some(input), cached, write, Some(output)] = found else {
            return Err(PricesError::Numbers { part: text.to_owned(), problem: "input and output must be there" });
        };
        Ok(Prices {
            name: "given".to_owned(),
            input,
            cached: cached.unwrap_or(input),
            write: write.unwrap_or(input),
            output,
        })
    }
}

/// The name of a model without the date of its release: `-20250929` or `-2025-09-29`.
fn without_date(name: &str) -> &str {
    let shape: String = name.chars().map(|char| if char.is_ascii_digit() { '0' } else { char }).collect();
    let date = ["-00000000", "-0000-00-00"].into_iter().find(|date| shape.ends_with(date));
    date.and_then(|date| name.get(..name.len() - date.len())).unwrap_or(name)
}

/// The name of a model on the list, or `input=3,cached=0.3,write=3.75,output=15`; without `cached` or `write` these
/// cost as much as input.
impl FromStr for Prices {
    type Err = PricesError;

    fn from_str(text: &str) -> Result<Prices, PricesError> {
        if text.contains('=') {
            return Prices::of_numbers(text);
        }
        let known = || Prices::models().collect::<Vec<_>>().join(", ");
        Prices::of(text).ok_or_else(|| PricesError::UnknownModel { name: text.to_owned(), known: known() })
    }
}
