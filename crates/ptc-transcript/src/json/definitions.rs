//! The definitions of a run, written for another run.

use indexmap::IndexMap;
use ptc_lisp::{Definitions, Omitted, StoredMemory};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::ReadError;

/// JSON levels of one definition that are written; a typical JSON reader accepts 128, records around included.
const MAX_LEVELS: usize = 100;

/// The only key of an entry that replaces a definition that cannot be kept; its value says why.
const LEFT_OUT: &str = "left_out";

/// Definitions by name: as [`StoredMemory`] writes them, or `{"left_out": "why"}`.
pub(crate) type DefinitionsJson = IndexMap<String, Json>;

pub(crate) fn write_definitions(definitions: &Definitions) -> DefinitionsJson {
    let (stored, left_out) = definitions.store();
    let text = serde_json::to_string(&stored).unwrap_or_default();
    let kept: IndexMap<String, Box<RawValue>> = serde_json::from_str(&text).unwrap_or_default();
    let kept = kept.into_iter().map(|(name, entry)| (name, within_depth(&entry)));
    kept.chain(left_out.into_iter().map(|Omitted { name, why }| (name, json!({LEFT_OUT: why})))).collect()
}

fn within_depth(entry: &RawValue) -> Json {
    let json = serde_json::from_str(entry.get()).ok().filter(|json| levels_within(json, MAX_LEVELS));
    json.unwrap_or_else(|| json!({LEFT_OUT: format!("its JSON is nested more than {MAX_LEVELS} deep")}))
}

pub(crate) fn read_definitions(entries: &DefinitionsJson) -> Result<Definitions, ReadError> {
    let (mut kept, mut left_out) = (IndexMap::new(), Vec::new());
    for (name, entry) in entries {
        match entry.get(LEFT_OUT).and_then(Json::as_str) {
            Some(why) => left_out.push(Omitted { name: name.clone(), why: why.to_owned() }),
            None => drop(kept.insert(name, entry)),
        }
    }
    let shape = |error: String| ReadError::Shape(error);
    let text = serde_json::to_string(&kept).map_err(|error| shape(error.to_string()))?;
    let stored = StoredMemory::parse(&text).map_err(|error| shape(error.to_string()))?;
    let mut definitions = Definitions::from(stored);
    left_out.into_iter().for_each(|one| definitions.leave_out(one));
    Ok(definitions)
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
