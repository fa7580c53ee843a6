//! Keys of the tables in mission files, each with the JSON Schema of its values: readers refuse other keys, and editors
//! complete these.

use serde_json::{Map, Value as Json, json};

/// A key, what it is, and the schema of its values.
pub(crate) struct Key(pub(crate) &'static str, pub(crate) &'static str, pub(crate) fn() -> Json);

/// The names of the keys.
pub(crate) fn names<'k>(keys: impl IntoIterator<Item = &'k Key>) -> Vec<&'static str> {
    keys.into_iter().map(|key| key.0).collect()
}

/// The keys as properties.
pub(crate) fn properties<'k>(keys: impl IntoIterator<Item = &'k Key>) -> Map<String, Json> {
    keys.into_iter().map(|Key(name, doc, shape)| ((*name).to_owned(), described(shape(), doc))).collect()
}

/// A schema with a sentence on what it is for, one space for each line break.
pub(crate) fn described(schema: Json, doc: &str) -> Json {
    with(schema, "description", doc.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A schema with one more keyword.
pub(crate) fn with(mut schema: Json, keyword: &str, value: impl Into<Json>) -> Json {
    if let Json::Object(keywords) = &mut schema {
        keywords.insert(keyword.to_owned(), value.into());
    }
    schema
}

/// A table with these properties and no others.
pub(crate) fn table(properties: Map<String, Json>, required: &[&str]) -> Json {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// A table from names to values of this shape.
pub(crate) fn entries(of: Json) -> Json {
    json!({"type": "object", "additionalProperties": of})
}

pub(crate) fn any() -> Json {
    json!({})
}

pub(crate) fn object() -> Json {
    json!({"type": "object"})
}

pub(crate) fn text() -> Json {
    json!({"type": "string"})
}

pub(crate) fn texts() -> Json {
    json!({"type": "array", "items": text()})
}

pub(crate) fn flag() -> Json {
    json!({"type": "boolean"})
}

pub(crate) fn integer(least: u64) -> Json {
    json!({"type": "integer", "minimum": least})
}

/// An amount with a unit, or a number in the smallest unit.
pub(crate) fn amount() -> Json {
    json!({"type": ["integer", "string"], "minimum": 1})
}

pub(crate) fn choice(names: &[&str]) -> Json {
    json!({"enum": names})
}
