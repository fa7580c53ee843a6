//! TOML whose keys and values know their places.

mod within;

use std::ffi::OsStr;
use std::num::IntErrorKind;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use ptc_agent::AgentError;
use ptc_chat::shown_addresses;
use ptc_lisp::text::shortened;
use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::ConfigError;
use crate::nearest::nearest;
use crate::place::{Place, place_in};
use crate::quantity::{QuantityError, parse_bytes, parse_duration};
use crate::registry::Registry;
use crate::text::{decoded, read_small};

const DURATIONS: &str = r#"`"5s"`, `"200ms"`, `"2m"` or a number of milliseconds"#;
/// Levels of tables and lists that the TOML reader takes.
const MAX_NESTING: usize = 80;
const SIZES: &str = r#"`"64MB"`, `"512KB"` or a number of bytes"#;

/// A TOML file and its text: for readers of files that contain missions among other things.
///
/// ```
/// use ptc_config::{Document, MissionFile};
///
/// let document = Document::new("two.toml", "first = { mission = \"Count\", rank = 1 }\nsecond = { rank = 2 }\n");
/// let parsed = document.parse()?;
/// let file = document.section(&parsed);
/// let missions = file.entries().map(|(_, _, item)| MissionFile::from_section(item.section("a mission must be a table")?, &["rank"]));
/// let mistakes: Vec<String> = missions.filter_map(Result::err).map(|mistake| mistake.to_string()).collect();
/// assert_eq!(mistakes, ["two.toml: mission is required; write `mission = \"…\"` at the top of the file"]);
/// # Ok::<(), ptc_config::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Document<'t> {
    pub(crate) file: PathBuf,
    pub(crate) text: &'t str,
    /// What it may name.
    pub(crate) registry: Registry,
}

/// The result of parsing a [`Document`].
pub type ParsedDocument<'t> = Spanned<DeTable<'t>>;

impl<'t> Document<'t> {
    /// The `text` of the file with this name.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>, text: &'t str) -> Document<'t> {
        Document { file: file.into(), text: text.strip_prefix('\u{feff}').unwrap_or(text), registry: Registry::new() }
    }

    /// The same, where missions may name what is registered.
    #[must_use]
    pub fn with(self, registry: &Registry) -> Document<'t> {
        Document { registry: registry.clone(), ..self }
    }

    /// The folder of the file: names of files in it start from here.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        match self.file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// The whole file as one table.
    #[must_use]
    pub fn section<'a>(&'a self, parsed: &'a ParsedDocument<'a>) -> Section<'a> {
        Section { document: self, table: parsed.get_ref(), below: None }
    }

    /// The TOML of the text.
    pub fn parse(&self) -> Result<ParsedDocument<'t>, ConfigError> {
        DeTable::parse(self.text).map_err(|error| self.told(&error))
    }

    /// The TOML of the text as far as it can be read, with all its mistakes.
    pub(crate) fn parse_all(&self) -> (ParsedDocument<'t>, Vec<ConfigError>) {
        let (parsed, errors) = DeTable::parse_recoverable(self.text);
        let errors = errors.iter().map(|error| self.told(error)).collect();
        (parsed, errors)
    }

    /// An error of the TOML reader, in words that say what to do where the reader does not.
    fn told(&self, error: &toml::de::Error) -> ConfigError {
        let span = error.span().unwrap_or(0..0);
        let found = || shortened(&shown_addresses(self.text.get(span.clone()).unwrap_or_default()), 40).into_owned();
        let told = match error.message() {
            "duplicate key" => format!("the key `{}` appears twice in one table; rename or remove one", found()),
            "recursion limit" | "cannot recurse further; max recursion depth met" => {
                format!("this is nested more than {MAX_NESTING} deep; put data that deep into a JSON file")
            }
            other => other.to_owned(),
        };
        let told = match self.file.extension().and_then(OsStr::to_str) {
            Some(ending @ ("json" | "yaml" | "yml")) => {
                format!("a mission is written in TOML, and this file ends in .{ending}: {told}")
            }
            _ => told,
        };
        ConfigError::refused(self.place(span), told)
    }

    pub(crate) fn place(&self, span: Range<usize>) -> Box<Place> {
        place_in(&self.file, self.text, span.start)
    }
}

/// One table of a [`Document`].
#[derive(Debug, Copy, Clone)]
pub struct Section<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) table: &'a DeTable<'a>,
    /// Has the keys that this one lacks.
    pub(crate) below: Option<&'a Section<'a>>,
}

impl<'a> Section<'a> {
    /// The same, where the values of keys that it lacks are those of another table.
    #[must_use]
    pub fn or(self, below: Option<&'a Section<'a>>) -> Section<'a> {
        Section { below, ..self }
    }

    /// Refuse keys that are not `known`; `name` says which table this is, empty for the top level.
    pub fn only(&self, name: &str, known: &[&str]) -> Result<(), ConfigError> {
        self.unknown(name, known).next().map_or(Ok(()), Err)
    }

    /// The error of each key that is not `known`.
    pub(crate) fn unknown(&self, name: &str, known: &[&str]) -> impl Iterator<Item = ConfigError> {
        let keys = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        keys.map(|key| ConfigError::UnknownKey {
            place: self.document.place(key.span()),
            key: key.get_ref().to_string(),
            table: name.to_owned(),
            instead: nearest(key.get_ref(), known).map(|known| match known {
                "extra" => format!("extra = {{ {} = … }}", key.get_ref()),
                known => known.to_owned(),
            }),
            known: known.iter().map(ToString::to_string).collect(),
        })
    }

    /// The value under a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Item<'a>> {
        match self.table.iter().find(|(known, _)| known.get_ref() == key) {
            Some((_, value)) => Some(Item { document: self.document, value }),
            None => self.below?.get(key),
        }
    }

    /// The place of a key.
    pub(crate) fn place_of(&self, key: &str) -> Option<Box<Place>> {
        match self.table.iter().find(|(known, _)| known.get_ref() == key) {
            Some((key, _)) => Some(self.document.place(key.span())),
            None => self.below?.place_of(key),
        }
    }

    /// The entries in the order of the file, each with the place of its key.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Box<Place>, Item<'a>)> {
        let document = self.document;
        self.table
            .iter()
            .map(move |(key, value)| (key.get_ref().as_ref(), document.place(key.span()), Item { document, value }))
    }
}

/// One value of a [`Document`]. Each reader takes the rule to report for a wrong value.
#[derive(Debug, Copy, Clone)]
pub struct Item<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Item<'a> {
    /// Its place.
    #[must_use]
    pub fn place(&self) -> Box<Place> {
        self.document.place(self.value.span())
    }

    /// The place of a byte of the text in this value.
    pub(crate) fn place_within(&self, at: usize) -> Box<Place> {
        let span = self.value.span();
        let raw = self.document.text.get(span.clone()).unwrap_or_default();
        self.document.place(span.start + within::raw_offset(raw, at)..span.end)
    }

    /// The error for a value that breaks this rule; it quotes the value.
    pub fn bad(&self, rule: impl Into<String>) -> ConfigError {
        ConfigError::BadValue { place: self.place(), rule: rule.into(), found: Some(self.found()) }
    }

    /// Like [`Item::bad`], for rules that already say what is wrong.
    pub fn refused(&self, rule: impl Into<String>) -> ConfigError {
        ConfigError::refused(self.place(), rule)
    }

    /// A rule of agents that the value breaks.
    pub(crate) fn broken(&self, source: AgentError) -> ConfigError {
        ConfigError::Rule { place: self.place(), source }
    }

    /// The value as an error quotes it.
    fn found(&self) -> String {
        match self.value.get_ref() {
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
            _ => {
                let quoted = self.document.text.get(self.value.span()).unwrap_or_default();
                shortened(&shown_addresses(quoted), 40).replace('\n', " ")
            }
        }
    }

    /// A text.
    pub fn text(&self, rule: &str) -> Result<&'a str, ConfigError> {
        self.value.get_ref().as_str().ok_or_else(|| self.bad(rule))
    }

    /// The text of a file that is named from the folder of the document.
    pub(crate) fn file(&self) -> Result<(PathBuf, String), ConfigError> {
        let path = self.document.folder().join(self.text("file must be the name of a file")?);
        let unreadable = |source| ConfigError::TextFile { place: self.place(), path: path.clone(), source };
        let bytes = read_small(&path).map_err(unreadable)?;
        let text = decoded(&path, bytes).map_err(|(place, source)| ConfigError::NotText { place, source })?;
        Ok((path, text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
    }

    /// A truth value.
    pub fn bool(&self, rule: &str) -> Result<bool, ConfigError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.bad(rule))
    }

    /// An integer of at least `least`.
    pub fn count(&self, least: u64, rule: &str) -> Result<u64, ConfigError> {
        self.between(least, u64::MAX, rule)
    }

    /// Like [`Item::count`], for numbers that never need 64 bits.
    pub fn small(&self, least: u64, rule: &str) -> Result<u32, ConfigError> {
        u32::try_from(self.between(least, u32::MAX.into(), rule)?).map_err(|_| self.bad(rule))
    }

    /// An integer from `least` to `most`; only the error for larger ones mentions `most`.
    pub(crate) fn between(&self, least: u64, most: u64, rule: &str) -> Result<u64, ConfigError> {
        let Some(integer) = self.value.get_ref().as_integer() else { return Err(self.bad(rule)) };
        match u64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            Ok(number) if number < least => Err(self.bad(rule)),
            Err(error) if *error.kind() != IntErrorKind::PosOverflow => Err(self.bad(rule)),
            _ => Err(self.bad(format!("{rule}, at most {most}"))),
        }
    }

    /// More than zero: milliseconds, or text such as `"5s"`.
    pub(crate) fn duration(&self, rule: &str) -> Result<Duration, ConfigError> {
        let duration = match self.value.get_ref().as_str() {
            Some(text) => parse_duration(text).map_err(|error| self.unmeasured(rule, error, DURATIONS))?,
            None => Duration::from_millis(self.count(1, rule)?),
        };
        if duration.is_zero() { Err(self.bad(rule)) } else { Ok(duration) }
    }

    /// Not a duration or size, with examples as this file writes them: in quotes. A rule begins with its key.
    fn unmeasured(&self, rule: &str, error: QuantityError, examples: &'static str) -> ConfigError {
        let error = match error {
            QuantityError::Malformed { text, what, .. } => QuantityError::Malformed { text, what, examples },
            error => error,
        };
        let key = rule.split(" must ").next().unwrap_or(rule);
        self.refused(format!("{key}: {error}"))
    }

    /// More than 0 bytes: a number, or text such as `"64MB"`.
    pub fn bytes(&self, rule: &str) -> Result<u64, ConfigError> {
        let bytes = match self.value.get_ref().as_str() {
            Some(text) => parse_bytes(text).map_err(|error| self.unmeasured(rule, error, SIZES))?,
            None => self.count(1, rule)?,
        };
        if bytes == 0 { Err(self.bad(rule)) } else { Ok(bytes) }
    }

    /// A table.
    pub fn section(&self, rule: &str) -> Result<Section<'a>, ConfigError> {
        let table = self.value.get_ref().as_table().ok_or_else(|| self.bad(rule))?;
        Ok(Section { document: self.document, table, below: None })
    }

    /// A list.
    pub fn list(&self, rule: &str) -> Result<impl Iterator<Item = Item<'a>>, ConfigError> {
        let items = self.value.get_ref().as_array().ok_or_else(|| self.bad(rule))?;
        let document = self.document;
        Ok(items.iter().map(move |value| Item { document, value }))
    }

    /// A list of texts.
    pub fn texts(&self, rule: &str) -> Result<Vec<String>, ConfigError> {
        self.list(rule)?.map(|item| item.text(rule).map(str::to_owned).map_err(|_| self.bad(rule))).collect()
    }

    /// One of the named choices.
    pub fn choice<T: Copy>(&self, what: &str, choices: &[(&str, T)]) -> Result<T, ConfigError> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let given = self.value.get_ref().as_str();
        let known = choices.iter().find(|(name, _)| Some(*name) == given).map(|(_, choice)| *choice);
        known.ok_or_else(|| {
            let given = given.map_or_else(|| self.found(), str::to_owned);
            self.refused(format!("unknown {what} {given} ({})", names.join(", ")))
        })
    }

    /// The value as JSON; dates become text.
    pub fn json(&self) -> Result<Json, ConfigError> {
        match self.value.get_ref() {
            DeValue::String(text) => Ok(Json::from(text.as_ref())),
            DeValue::Boolean(truth) => Ok(Json::from(*truth)),
            DeValue::Datetime(time) => Ok(Json::from(time.to_string())),
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
                .map(Json::from)
                .map_err(|_| self.bad("a whole number must fit into 64 bits")),
            DeValue::Float(float) => {
                let number = float.as_str().parse().ok().and_then(serde_json::Number::from_f64);
                number.map(Json::Number).ok_or_else(|| self.bad("data holds finite numbers only"))
            }
            DeValue::Array(items) => {
                let items = items.iter().map(|value| Item { document: self.document, value }.json());
                items.collect::<Result<Vec<_>, _>>().map(Json::Array)
            }
            DeValue::Table(table) => {
                let entries = table.iter().map(|(key, value)| {
                    let item = Item { document: self.document, value };
                    Ok((key.get_ref().to_string(), item.json()?))
                });
                entries.collect::<Result<_, _>>().map(Json::Object)
            }
        }
    }
}
