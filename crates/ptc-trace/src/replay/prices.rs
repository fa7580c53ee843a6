//! The prices of tokens.

mod book;
mod file;
mod list;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use jiff::Unit;
use jiff::civil::Date;
use ptc_chat::Tokens;
use serde::{Serialize, Serializer};

pub use book::{NoPrice, PriceBook, RunCost};
pub use file::PriceListError;
pub use list::PriceList;

/// Months after which prices are old.
const MOST_MONTHS: i32 = 6;

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
    /// The page that lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When they were looked up there.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "date_text")]
    pub date: Option<Date>,
    /// The last day for which the provider promises them.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "date_text")]
    pub until: Option<Date>,
    /// Whether they are on a list without having been looked up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
}

/// Prices that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PricesError {
    /// A name that is not on the list.
    #[error("there are no list prices of `{name}`; {}write USD per million tokens: {NUMBERS}", similar(near))]
    UnknownModel {
        /// The name given.
        name: String,
        /// The name of a list that it resembles.
        near: Option<String>,
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

fn similar(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("did you mean `{near}`? Or ")).unwrap_or_default()
}

const NUMBERS: &str = "input=3,cached=0.3,write=3.75,output=15";

impl Prices {
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

    /// Why these prices may not be those of `today`: they were not looked up, the provider promised them until an earlier
    /// day, or they are more than six months old.
    ///
    /// ```
    /// use ptc_trace::replay::PriceList;
    ///
    /// let list = "[[list]]\nsource = \"https://llm.example/prices\"\ndate = 2026-01-15\nmodels.own = { input = 1, output = 4 }\n";
    /// let prices = PriceList::parse(list)?.of("own").unwrap().clone();
    /// let note = prices.note(jiff::civil::date(2026, 9, 1)).unwrap();
    /// assert_eq!(note, "the prices of `own, list of 2026-01-15` are 7 months old; https://llm.example/prices may have new ones");
    /// # Ok::<(), ptc_trace::replay::PriceListError>(())
    /// ```
    pub fn note(&self, today: Date) -> Option<String> {
        let place = self.source.as_deref().unwrap_or("the provider");
        if self.unverified {
            return Some(format!("the prices of `{}` may be wrong", self.name));
        }
        if let Some(until) = self.until.filter(|until| *until < today) {
            return Some(format!(
                "the prices of `{}` were promised until {until}; {place} may have new ones",
                self.name
            ));
        }
        let months = today.since((Unit::Month, self.date?)).ok()?.get_months();
        (months >= MOST_MONTHS)
            .then(|| format!("the prices of `{}` are {months} months old; {place} may have new ones", self.name))
    }

    /// Whether the provider caches what requests mark: it charges more for writing to the cache.
    pub(super) fn are_for_marks(&self) -> bool {
        self.write > self.input
    }

    fn of_numbers(text: &str) -> Result<Prices, PricesError> {
        let mut found: [Option<f64>; 4] = [None; 4];
        for part in text.split(',') {
            let bad = |problem| PricesError::Numbers { part: part.to_owned(), problem };
            let (name, number) = part.split_once('=').ok_or_else(|| bad("a price is NAME=NUMBER"))?;
            let place = ["input", "cached", "write", "output"].iter().position(|known| *known == name.trim());
            let slot = place.and_then(|place| found.get_mut(place)).ok_or_else(|| bad("there is no such price"))?;
            let number = number.trim().parse().ok().filter(is_price);
            *slot = Some(number.ok_or_else(|| bad("a price is a number, 0 or more"))?);
        }
        let [Some(input), cached, write, Some(output)] = found else {
            return Err(PricesError::Numbers { part: text.to_owned(), problem: "input and output must be there" });
        };
        Ok(Prices::new("given".to_owned(), input, cached, write, output))
    }

    /// Without `cached` or `write` these cost as much as input.
    fn new(name: String, input: f64, cached: Option<f64>, write: Option<f64>, output: f64) -> Prices {
        Prices {
            name,
            input,
            cached: cached.unwrap_or(input),
            write: write.unwrap_or(input),
            output,
            source: None,
            date: None,
            until: None,
            unverified: false,
        }
    }
}

fn is_price(number: &f64) -> bool {
    number.is_finite() && *number >= 0.0
}

fn date_text<S: Serializer>(date: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    date.map(|date| date.to_string()).serialize(serializer)
}

/// The name of a model on the built-in list, or `input=3,cached=0.3,write=3.75,output=15`; without `cached` or `write`
/// these cost as much as input.
impl FromStr for Prices {
    type Err = PricesError;

    fn from_str(text: &str) -> Result<Prices, PricesError> {
        PriceBook::default().prices(text)
    }
}
