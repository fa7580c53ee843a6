//! Definitions as JSON: `{NAME: {"value": TAGGED, "doc"?, "returns"?, "order"}}`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use ptc_runner::lisp::{Memory, NoCells, NoRestore, Session, from_tagged, to_tagged};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// Definitions of an earlier run, as they were written.
#[derive(Default)]
pub(super) struct Stored(Vec<(String, Result<Entry, String>)>);

#[derive(Serialize, Deserialize)]
struct Entry {
    value: Json,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    returns: Option<String>,
    #[serde(default)]
    order: u64,
}

/// A definition that could not be kept.
#[derive(Debug)]
pub(super) struct LeftOut {
    name: String,
    why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the definition of {} is left out: {}; define it again", self.name, self.why)
    }
}

/// The definitions in the file at `path`; none when there is no such file yet.
pub(super) fn load(path: &Path) -> Result<Stored, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Stored::parse(&text).map_err(|problem| Failure::Memory { path: path.to_owned(), problem }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Stored::default()),
        Err(source) => Err(Failure::Unreadable { path: path.to_owned(), source }),
    }
}

impl Stored {
    /// The entries of a JSON object; one that cannot be read is kept with its reason.
    pub(super) fn parse(text: &str) -> Result<Stored, String> {
        let entries: BTreeMap<String, &RawValue> =
            serde_json::from_str(text).map_err(|error| format!("this is not the `memory` object of an answer: {error}"))?;
        let mut entries: Vec<(String, Result<Entry, String>)> =
            entries.into_iter().map(|(name, entry)| (name, serde_json::from_str(entry.get()).map_err(|error| error.to_string()))).collect();
        entries.sort_by_key(|(_, entry)| entry.as_ref().map_or(0, |entry| entry.order));
        Ok(Stored(entries))
    }

    /// Bind the definitions in their order; answers those that were left out.
    pub(super) fn define(&self, session: &mut Session) -> Vec<LeftOut> {
        let mut left_out = Vec::new();
        for (name, entry) in &self.0 {
            let value = entry.as_ref().map_err(Clone::clone).and_then(|entry| {
                let value = from_tagged(&entry.value, &mut NoRestore).map_err(|error| error.to_string());
                value.map(|value| (value, entry.doc.as_deref()))
            });
            match value {
                Ok((value, doc)) => session.define(name, value, doc),
                Err(why) => left_out.push(LeftOut { name: name.clone(), why }),
            }
        }
        left_out
    }
}

/// The definitions as JSON, and those that JSON cannot hold.
pub(super) fn to_json(memory: &Memory) -> (Json, Vec<LeftOut>) {
    let mut entries = serde_json::Map::new();
    let mut left_out = Vec::new();
    for entry in memory.entries() {
        let stored = to_tagged(&entry.value, &NoCells).map_err(|error| error.message).and_then(|value| {
            let entry = Entry { value, doc: entry.doc.clone(), returns: entry.returns.clone(), order: entry.order };
            serde_json::to_value(entry).map_err(|error| error.to_string())
        });
        match stored {
            Ok(json) => drop(entries.insert(entry.name.clone(), json)),
            Err(why) => left_out.push(LeftOut { name: entry.name.clone(), why }),
        }
    }
    (Json::Object(entries), left_out)
}

/// Replace the file at `path` by these definitions, at once or not at all.
pub(super) fn save(path: &Path, memory: &Memory) -> Result<Vec<LeftOut>, Failure> {
    let (json, left_out) = to_json(memory);
    let failed = |source| Failure::Unwritable { path: path.to_owned(), source };
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}.tmp", std::process::id()));
    std::fs::write(&draft, format!("{json}\n")).map_err(failed)?;
    std::fs::rename(&draft, path).map_err(|source| {
        let _ = std::fs::remove_file(&draft);
        failed(source)
    })?;
    Ok(left_out)
}

/// The entries of one request of a batch.
pub(super) fn of_request(memory: Option<&RawValue>) -> Result<Stored, String> {
    memory.map_or(Ok(Stored::default()), |memory| Stored::parse(memory.get()))
}
