//! Reading lists of prices from TOML, with the line of each mistake.

use jiff::civil::Date;
use ptc_chat::shown_addresses;
use ptc_lisp::text::{nearest, shortened};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Prices, is_price};

/// What a list that is not there could look like.
const LIST: &str = "`[[list]]`, below it `source = \"https://…\"`, `date = 2026-11-27` and `models.\"NAME\" = { input = 3, output = 15 }`";

/// A list of prices that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PriceListError {
    /// It is not TOML.
    #[error("line {line}: {problem}")]
    Toml {
        /// Line, from 1.
        line: usize,
        /// What the TOML reader says.
        problem: String,
    },
    /// There is no list in it.
    #[error("there are no prices in it; write {LIST}")]
    Empty,
    /// A key that does not exist.
    #[error("line {line}: unknown key `{key}` in {of}; {}", instead(key, known))]
    UnknownKey {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// The table it is in.
        of: String,
        /// Every key that may be there.
        known: &'static [&'static str],
    },
    /// A key that is missing.
    #[error("line {line}: {of} has no `{key}`; write `{key} = {example}`")]
    Missing {
        /// Line of the table, from 1.
        line: usize,
        /// The key.
        key: &'static str,
        /// The table it should be in.
        of: String,
        /// A value it could have.
        example: &'static str,
    },
    /// A value that does not fit its key.
    #[error("line {line}: `{key}` of {of} must be {rule} (got {found})")]
    Value {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// The table it is in.
        of: String,
        /// What it must be.
        rule: &'static str,
        /// What was there.
        found: String,
    },
    /// Two prices of one model.
    #[error("line {line}: `{model}` already has prices above, as `{first}`; remove one of them")]
    Twice {
        /// Line of the second one, from 1.
        line: usize,
        /// Its name.
        model: String,
        /// The name of the first one, which may have `.` instead of `-` in its version.
        first: String,
    },
}

fn instead(key: &str, known: &[&str]) -> String {
    if key.bytes().all(|byte| byte.is_ascii_digit()) {
        return "a name with a dot is written in quotes, such as `\"gpt-5.1\"`".to_owned();
    }
    match nearest(key, known.iter().copied()) {
        Some(meant) => format!("write `{meant}`"),
        None => format!("known: {}", known.join(", ")),
    }
}

/// The prices in this text by model, in its order.
pub(super) fn read(text: &str) -> Result<Vec<(String, Prices)>, PriceListError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        let found = shortened(text.get(span.clone()).unwrap_or_default(), 40);
        let problem = match error.message() {
            "duplicate key" => {
                format!("`{found}` is there twice; begin each list with `[[list]]`, and give it each key once")
            }
            other => other.to_owned(),
        };
        PriceListError::Toml { line: line(text, span.start), problem }
    })?;
    let top = Table { text, of: "the file".to_owned(), at: 0, entries: parsed.get_ref() };
    top.only(&["list"])?;
    let rule = "an array of tables: `[[list]]`";
    let lists = top.get("list").map(|value| match value.get_ref() {
        DeValue::Array(lists) => Ok(lists),
        _ => Err(top.bad("list", value, rule)),
    });
    let mut entries = Vec::new();
    for value in lists.transpose()?.into_iter().flatten() {
        let DeValue::Table(list) = value.get_ref() else { return Err(top.bad("list", value, rule)) };
        let list = Table { text, of: "the list".to_owned(), at: value.span().start, entries: list };
        add(&list, &mut entries)?;
    }
    if entries.is_empty() { Err(PriceListError::Empty) } else { Ok(entries) }
}

/// Add the prices of one list.
fn add(list: &Table<'_>, entries: &mut Vec<(String, Prices)>) -> Result<(), PriceListError> {
    list.only(&["source", "date", "unverified", "models"])?;
    let (source, date, unverified) = (list.text_of("source")?, list.date("date")?, list.flag("unverified")?);
    if !unverified {
        list.require("source", "\"https://…\"", source.as_ref())?;
        list.require("date", "2026-11-27", date.as_ref())?;
    }
    let rule = "a table of models: `\"NAME\" = { input = 3, output = 15 }`";
    let models = list.require("models", "{ \"NAME\" = { input = 3, output = 15 } }", list.get("models"))?;
    let DeValue::Table(models) = models.get_ref() else { return Err(list.bad("models", models, rule)) };
    for (key, value) in models.iter() {
        let model = key.get_ref().as_ref();
        if let Some((first, _)) = entries.iter().find(|(known, _)| super::list::same(known) == super::list::same(model))
        {
            let (line, model) = (line(list.text, key.span().start), model.to_owned());
            return Err(PriceListError::Twice { line, model, first: first.clone() });
        }
        let DeValue::Table(numbers) = value.get_ref() else {
            return Err(list.bad(model, value, "a table of prices: { input = 3, output = 15 }"));
        };
        let table = Table { text: list.text, of: format!("`{model}`"), at: key.span().start, entries: numbers };
        let origin = match date.filter(|_| !unverified) {
            Some(date) => format!("list of {date}"),
            None => "not looked up".to_owned(),
        };
        let prices = prices(&table, format!("{model}, {origin}"))?;
        entries.push((model.to_owned(), Prices { source: source.clone(), date, unverified, ..prices }));
    }
    Ok(())
}

fn prices(table: &Table<'_>, name: String) -> Result<Prices, PriceListError> {
    table.only(&["input", "cached", "write", "output", "until"])?;
    let input = table.require("input", "3", table.number("input")?)?;
    let output = table.require("output", "15", table.number("output")?)?;
    let prices = Prices::new(name, input, table.number("cached")?, table.number("write")?, output);
    Ok(Prices { until: table.date("until")?, ..prices })
}

/// A table of the file.
struct Table<'a> {
    text: &'a str,
    /// What it is, as errors say it.
    of: String,
    /// The byte at which it begins.
    at: usize,
    entries: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    fn only(&self, known: &'static [&'static str]) -> Result<(), PriceListError> {
        let unknown = self.entries.keys().find(|key| !known.contains(&key.get_ref().as_ref()));
        unknown.map_or(Ok(()), |key| {
            let line = line(self.text, key.span().start);
            Err(PriceListError::UnknownKey { line, key: key.get_ref().to_string(), of: self.of.clone(), known })
        })
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.entries.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }

    fn require<T>(&self, key: &'static str, example: &'static str, value: Option<T>) -> Result<T, PriceListError> {
        let missing = || PriceListError::Missing { line: line(self.text, self.at), key, of: self.of.clone(), example };
        value.ok_or_else(missing)
    }

    fn bad(&self, key: &str, value: &Spanned<DeValue<'_>>, rule: &'static str) -> PriceListError {
        let quoted = self.text.get(value.span()).unwrap_or_default();
        let found = shortened(&shown_addresses(quoted), 40).replace('\n', " ");
        let line = line(self.text, value.span().start);
        PriceListError::Value { line, key: key.to_owned(), of: self.of.clone(), rule, found }
    }

    /// The value under a key, if `read` takes it.
    fn read<T>(
        &self,
        key: &str,
        rule: &'static str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, PriceListError> {
        let value = self.get(key);
        value.map(|value| read(value.get_ref()).ok_or_else(|| self.bad(key, value, rule))).transpose()
    }

    fn text_of(&self, key: &str) -> Result<Option<String>, PriceListError> {
        let text = |value: &DeValue<'_>| value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        self.read(key, "a text: the address of the page with the prices", text)
    }

    fn flag(&self, key: &str) -> Result<bool, PriceListError> {
        Ok(self.read(key, "true or false", DeValue::as_bool)?.unwrap_or(false))
    }

    fn number(&self, key: &str) -> Result<Option<f64>, PriceListError> {
        let number = |value: &DeValue<'_>| {
            let number = match value {
                DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok()? as f64,
                DeValue::Float(float) => float.as_str().parse().ok()?,
                _ => return None,
            };
            Some(number).filter(is_price)
        };
        self.read(key, "USD for a million tokens: a number without quotes, 0 or more", number)
    }

    fn date(&self, key: &str) -> Result<Option<Date>, PriceListError> {
        let date = |value: &DeValue<'_>| {
            let found = value.as_datetime().filter(|found| found.time.is_none())?.date?;
            Date::new(found.year.try_into().ok()?, found.month.try_into().ok()?, found.day.try_into().ok()?).ok()
        };
        self.read(key, "a day without quotes, such as 2026-11-27", date)
    }
}

/// The line, from 1, of this byte.
fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}
