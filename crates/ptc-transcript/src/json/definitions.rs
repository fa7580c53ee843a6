//! The definitions of a run, written for another run.

use indexmap::IndexMap;
use ptc_lisp::{Definitions, Memory, Omitted, ShownNames, StoredMemory};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::ReadError;
use super::record::{MemoryJson, read_memory};

/// JSON levels of one definition that are written; a typical JSON reader accepts 128, records around included.
const MAX_LEVELS: usize = 100;

/// The only key of an entry that replaces a definition that cannot be kept; its value says why.
const LEFT_OUT: &str = "left_out";

/// The only key of an entry whose definition is the value that `memory` has.
const IN_MEMORY: &str = "in_memory";

/// Definitions by name: as [`StoredMemory`] writes them, `{"in_memory": true}` or `{"left_out": "why"}`.
pub(crate) type DefinitionsJson = IndexMap<String, Json>;

/// The definitions, beside what is written of the memory that they belong to.
pub(crate) fn write_definitions(definitions: &Definitions, memory: &MemoryJson) -> DefinitionsJson {
    let (stored, left_out) = definitions.store();
    let memory = entries(&of_memory(memory).unwrap_or_default());
    let kept = entries(&stored).into_iter().map(|(name, entry)| match memory.get(&name) {
        Some(known) if known.get() == entry.get() => (name, json!({IN_MEMORY: true})),
        _ => (name, within_depth(&entry)),
    });
    kept.chain(left_out.into_iter().map(|Omitted { name, why }| (name, json!({LEFT_OUT: why})))).collect()
}

fn of_memory(memory: &MemoryJson) -> Result<StoredMemory, ReadError> {
    Ok(StoredMemory::of_data(&read_memory(memory, &ShownNames::default())?))
}

/// The text of each definition.
fn entries(stored: &StoredMemory) -> IndexMap<String, Box<RawValue>> {
    let text = serde_json::to_string(stored).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn within_depth(entry: &RawValue) -> Json {
    let json = serde_json::from_str(entry.get()).ok().filter(|json| levels_within(json, MAX_LEVELS));
    json.unwrap_or_else(|| json!({LEFT_OUT: format!("its JSON is nested more than {MAX_LEVELS} deep")}))
}

/// The definitions that were written beside this memory.
pub(crate) fn read_definitions(written: &DefinitionsJson, memory: &Memory) -> Result<Definitions, ReadError> {
    let shape = |error: String| ReadError::Shape(error);
    let shown_names = memory.shown_names().clone();
    let memory = memory.entries().iter().filter(|entry| written.get(&entry.name).is_some_and(is_in_memory));
    let memory = entries(&StoredMemory::of_data(&Memory::new(memory.cloned().collect())));
    let (mut kept, mut left_out) = (IndexMap::new(), Vec::new());
    for (name, entry) in written {
        if let Some(why) = entry.get(LEFT_OUT).and_then(Json::as_str) {
            left_out.push(Omitted { name: name.clone(), why: why.to_owned() });
        } else if is_in_memory(entry) {
            let known = memory.get(name).ok_or_else(|| shape(format!("\"memory\" has no value of `{name}`")))?;
            kept.insert(name, known.clone());
        } else {
            let own = serde_json::value::to_raw_value(entry).map_err(|error| shape(error.to_string()))?;
            kept.insert(name, own);
        }
    }
    let text = serde_json::to_string(&kept).map_err(|error| shape(error.to_string()))?;
    let stored = StoredMemory::parse(&text).map_err(|error| shape(error.to_string()))?;
    let mut definitions = Definitions::from(stored).with_shown_names(shown_names);
    left_out.into_iter().for_each(|one| definitions.leave_out(one));
    Ok(definitions)
}

fn is_in_memory(entry: &Json) -> bool {
    entry.get(IN_MEMORY).is_some()
}

/// Whether arrays and objects are nested at most this deep.
fn levels_within(json: &Json, levels: usize) -> bool {
    let below = |item: &Json| levels.checked_sub(1).is_some_and(|levels| levels_within(item, levels));
    match json {
        Json::Array(items) => items.iter().all(below),
        Json::Object(fields) => fields.values().all(below),
        _ => true,
    }
}
