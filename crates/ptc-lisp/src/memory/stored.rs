//! Definitions as JSON: `{NAME: {"value": TAGGED, "doc"?, "returns"?, "order"}}`.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// Nested arrays and objects of one entry that are read.
const MAX_JSON_DEPTH: usize = 512;
/// Levels of a value that are written: each takes up to three of JSON.
pub(crate) const MAX_STORED_DEPTH: usize = 160;

/// The definitions of a session, written down so that another session can take them up.
///
/// [`crate::Session::store_memory`] makes one, [`crate::Session::restore_memory`] binds its definitions. It serializes
/// as a JSON object and is read back by [`StoredMemory::parse`].
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct StoredMemory {
    pub(crate) entries: IndexMap<String, Held>,
}

/// One definition of a [`StoredMemory`].
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Held {
    Entry(StoredEntry),
    /// Text that is not an entry: it is kept as it is.
    Foreign(Box<RawValue>),
}

/// A definition with what is recorded beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(expecting = "an object such as {\"value\": {\"t\": \"int\", \"v\": \"1\"}, \"order\": 1}")]
pub(crate) struct StoredEntry {
    pub value: Json,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    #[serde(default)]
    pub order: u64,
}

/// A definition that could not be stored or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the definition.
    pub name: String,
    /// Why, as the end of a sentence.
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the definition of {} is left out: {}", self.name, self.why)
    }
}

/// A text that holds no definitions.
#[derive(Debug, thiserror::Error)]
#[error("this is not the `memory` object of an answer: {0}")]
pub struct StoredMemoryError(serde_json::Error);

impl StoredMemory {
    /// The definitions of a JSON object. An entry that makes no sense is kept, and named when the memory is restored.
    ///
    /// Errors when the text is not a JSON object. Cost: linear in the text.
    pub fn parse(text: &str) -> Result<StoredMemory, StoredMemoryError> {
        let entries: IndexMap<String, Box<RawValue>> = serde_json::from_str(text).map_err(StoredMemoryError)?;
        let mut entries: IndexMap<String, Held> =
            entries.into_iter().map(|(name, text)| (name, Held::of(text))).collect();
        entries.sort_by_cached_key(|_, held| held.order());
        Ok(StoredMemory { entries })
    }

    /// Whether nothing is defined.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Held {
    fn of(text: Box<RawValue>) -> Held {
        read(text.get()).map_or(Held::Foreign(text), Held::Entry)
    }

    fn order(&self) -> u64 {
        match self {
            Held::Entry(entry) => entry.order,
            Held::Foreign(_) => 0,
        }
    }

    /// The entry.
    ///
    /// Errors with what the text is instead.
    pub fn entry(&self) -> Result<&StoredEntry, String> {
        match self {
            Held::Entry(entry) => Ok(entry),
            Held::Foreign(text) => {
                Err(read(text.get()).err().unwrap_or_else(|| "it is not an entry of a stored memory".to_owned()))
            }
        }
    }
}

fn read(text: &str) -> Result<StoredEntry, String> {
    if json_depth(text) > MAX_JSON_DEPTH {
        return Err(format!("its JSON is nested more than {MAX_JSON_DEPTH} deep"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    // The levels are counted.
    reader.disable_recursion_limit();
    StoredEntry::deserialize(&mut reader).map_err(|error| error.to_string())
}

/// Levels of arrays and objects in a text that is JSON.
fn json_depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
