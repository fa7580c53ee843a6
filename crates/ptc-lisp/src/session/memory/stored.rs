//! Definitions as JSON: `{NAME: {"value": TAGGED, "doc"?, "returns"?, "order"}}`.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Memory, MemoryEntry};
use crate::limits::Limits;
use crate::value::{numbers_after, stored_data};

/// Levels of nested arrays and objects that are read in one entry.
const MAX_JSON_DEPTH: usize = 512;
/// Levels of a value that are written: each takes up to three levels of JSON.
pub(crate) const MAX_STORED_DEPTH: usize = 160;
/// A text may be this many times the memory limit: in JSON, a character takes up to six times its bytes.
const TEXT: u64 = 8;
/// Bytes that a definition takes besides its text while it is read: its entry, and a sentence when it is left out.
const ENTRY: u64 = 512;

/// The definitions of a session as text, which another session can restore.
///
/// [`crate::Session::store_memory`] creates one, [`crate::Session::restore_memory`] binds its definitions. It
/// serializes as a JSON object, which [`StoredMemory::parse`] reads.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct StoredMemory {
    /// In the order of the text. Their contents are read when they are restored.
    pub(crate) entries: IndexMap<String, Held>,
    /// Names that occur more than once in the text.
    #[serde(skip)]
    pub(crate) repeated: Vec<String>,
}

/// One definition of a [`StoredMemory`], as text, which sessions share with it.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Held(Arc<RawValue>);

/// What is stored of a definition besides its value.
#[derive(Serialize)]
pub(crate) struct About {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    pub order: u64,
}

/// The same as read.
#[derive(Deserialize)]
#[serde(expecting = "an object such as {\"value\": {\"t\": \"int\", \"v\": \"1\"}, \"order\": 1}")]
pub(crate) struct ReadEntry<'t> {
    #[serde(borrow)]
    pub value: &'t RawValue,
    #[serde(default)]
    pub doc: Option<String>,
    #[serde(default)]
    pub returns: Option<String>,
    #[serde(default)]
    pub order: u64,
}

/// A definition that could not be stored or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// The name of the definition.
    pub name: String,
    /// Why, as the end of a sentence.
    pub why: String,
}

impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the definition of {} is left out: {}", self.name, self.why)
    }
}

/// A text that is not a stored memory.
#[derive(Debug, thiserror::Error)]
#[error("this is not the `memory` object of an answer: {0}")]
pub struct StoredMemoryError(serde_json::Error);

impl StoredMemory {
    /// The definitions of a JSON object. An entry that cannot be understood is kept, and reported when the memory is
    /// restored. When a name occurs more than once, the last entry is kept.
    ///
    /// Errors when the text is not a JSON object. Cost: linear in the text, and as much memory again.
    pub fn parse(text: &str) -> Result<StoredMemory, StoredMemoryError> {
        Entries { most: u64::MAX }.read(text)
    }

    /// Like [`StoredMemory::parse`], for a session with these limits.
    ///
    /// Errors also when there are more definitions than such a session could write: then nothing more is read.
    pub fn parse_within(text: &str, limits: &Limits) -> Result<StoredMemory, StoredMemoryError> {
        let left = StoredMemory::max_bytes(limits).saturating_sub(text.len() as u64);
        Entries { most: left / ENTRY }.read(text)
    }

    /// What a session stores of definitions with these values, where they are data: numbers, texts, collections of them.
    /// Functions, atoms and what is sorted have other texts in the session that they are from.
    #[must_use]
    pub fn of_data(memory: &Memory) -> StoredMemory {
        let held = |entry: &MemoryEntry| {
            let value = stored_data(&entry.value).ok()?;
            let about = About { doc: entry.doc.clone(), returns: entry.returns.clone(), order: entry.order };
            Some((entry.name.clone(), Held::of(format!("{}{value}", Held::START), &about).ok()?))
        };
        StoredMemory { entries: memory.entries().iter().filter_map(held).collect(), repeated: Vec::new() }
    }

    /// The longest text that [`crate::Session::store_memory`] writes of a session with these limits, in bytes, and more
    /// than one session can restore: longer texts need not be read.
    #[must_use]
    pub fn max_bytes(limits: &Limits) -> u64 {
        limits.memory.saturating_mul(TEXT)
    }

    /// Whether nothing is defined.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Reads the entries of a memory, so many at most, and notes the names that occur more than once.
struct Entries {
    most: u64,
}

impl Entries {
    fn read(self, text: &str) -> Result<StoredMemory, StoredMemoryError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let stored = reader.deserialize_map(self).and_then(|stored| reader.end().map(|()| stored));
        stored.map_err(StoredMemoryError)
    }
}

impl<'de> Visitor<'de> for Entries {
    type Value = StoredMemory;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<StoredMemory, A::Error> {
        let mut stored = StoredMemory::default();
        while let Some((name, text)) = fields.next_entry::<String, &RawValue>()? {
            if stored.entries.insert(name.clone(), Held(text.to_owned().into())).is_some() {
                stored.repeated.push(name);
            }
            if (stored.entries.len() + stored.repeated.len()) as u64 > self.most {
                let most = self.most;
                return Err(A::Error::custom(format_args!(
                    "the memory limit leaves no room for more than {most} definitions, and there is one more"
                )));
            }
        }
        Ok(stored)
    }
}

impl Held {
    /// The text before the value of an entry.
    pub const START: &str = "{\"value\":";

    /// The entry whose text is written up to its value.
    ///
    /// Errors with the reason why it cannot be written.
    pub fn of(mut entry: String, about: &About) -> Result<Held, String> {
        let about = serde_json::to_string(about).map_err(|error| error.to_string())?;
        entry.push(',');
        entry.push_str(about.get(1..).unwrap_or_default());
        RawValue::from_string(entry).map(|entry| Held(entry.into())).map_err(|error| error.to_string())
    }

    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The entry.
    ///
    /// Errors with what the text is instead.
    pub fn entry(&self) -> Result<ReadEntry<'_>, String> {
        self.check_depth()?;
        if self.text().starts_with('[') {
            return Err(
                "it is an array, expected an object such as {\"value\": {\"t\": \"int\", \"v\": \"1\"}, \"order\": 1}"
                    .to_owned(),
            );
        }
        self.read().map_err(|error| error.to_string())
    }

    /// The text of its value, even when other fields cannot be understood.
    pub fn value(&self) -> Option<&RawValue> {
        #[derive(Deserialize)]
        struct Value<'t> {
            #[serde(borrow)]
            value: &'t RawValue,
        }
        self.check_depth().ok()?;
        self.read().ok().map(|Value { value }| value)
    }

    fn read<'t, T: Deserialize<'t>>(&'t self) -> serde_json::Result<T> {
        serde_json::from_str(self.text())
    }

    fn check_depth(&self) -> Result<(), String> {
        match json_depth(self.text().as_bytes()) > MAX_JSON_DEPTH {
            true => Err(format!("its JSON is nested more than {MAX_JSON_DEPTH} deep")),
            false => Ok(()),
        }
    }

    /// The numbers after each key `id` in its text, however the key is written. Those of cells are among them.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        numbers_after(self.text(), "id")
    }

    /// Bytes that an entry of this name takes in the text of a memory.
    pub fn bytes_as(&self, name: &str) -> u64 {
        let name = serde_json::to_string(name).map_or(0, |name| name.len());
        (name + self.text().len() + 2) as u64
    }
}

/// Levels of arrays and objects in a JSON text: to check before calling a reader that takes a stack frame for each.
/// Cost: linear, without allocation.
///
/// ```
/// assert_eq!(ptc_lisp::values::json_depth(br#"[{"a": "[[["}, [[]]]"#), 3);
/// ```
#[must_use]
pub fn json_depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.iter().copied() {
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
