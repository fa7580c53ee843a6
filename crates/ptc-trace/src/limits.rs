//! Limits of values in a trace.

use ptc_lisp::text::{FormatOptions, display_text, format, shortened};
use ptc_lisp::{Map, Value};
use serde_json::{Map as Object, Value as Json, json};

/// Bounds of the output of one event. Anything above is replaced by a note of its size, never silently.
///
/// A value under a key that begins with `_` is written as `[hidden]`. The system text is never cut.
///
/// ```
/// use ptc_trace::TraceLimits;
///
/// let limits = TraceLimits { string_bytes: 8, kept_characters: 3, ..TraceLimits::default() };
/// assert_eq!(limits.text("a long text"), "a l... [11 bytes]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceLimits {
    /// Strings with more bytes are cut.
    pub string_bytes: usize,
    /// Characters kept of such a string.
    pub kept_characters: usize,
    /// Lists with more items are written as `List(n items)`.
    pub list_items: usize,
    /// Maps with more entries are written as `Map(n entries)`.
    pub map_entries: usize,
    /// Levels of a value; deeper ones are written as `...`.
    pub depth: usize,
    /// Values in one value; further ones are written as `...`.
    pub nodes: usize,
    /// Characters of a tool's answer written unchanged; for longer ones only kind and size are written.
    pub result_characters: usize,
}

impl Default for TraceLimits {
    fn default() -> Self {
        TraceLimits {
            string_bytes: 65_536,
            kept_characters: 200,
            list_items: 100,
            map_entries: 200,
            depth: 32,
            nodes: 10_000,
            result_characters: 200,
        }
    }
}

impl TraceLimits {
    /// The text, or its beginning and its size.
    pub fn text(&self, text: &str) -> String {
        if text.len() <= self.string_bytes {
            return text.to_owned();
        }
        format!("{} [{} bytes]", shortened(text, self.kept_characters), text.len())
    }

    /// A list of texts.
    pub(crate) fn texts(&self, texts: &[String]) -> Json {
        self.list(texts, |text| json!(self.text(text)))
    }

    /// A list of the output of `one` for each item.
    pub(crate) fn list<T>(&self, items: &[T], one: impl Fn(&T) -> Json) -> Json {
        match items.len() {
            length if length > self.list_items => json!(format!("List({length} items)")),
            _ => items.iter().map(one).collect(),
        }
    }

    /// The value as plain JSON, cut where it is too large.
    pub(crate) fn value(&self, value: &Value) -> Json {
        let mut left = self.nodes;
        self.shown(value, self.depth, &mut left)
    }

    /// Recursion is bounded by `depth`.
    fn shown(&self, value: &Value, depth: usize, left: &mut usize) -> Json {
        let (Some(below), Some(after)) = (depth.checked_sub(1), left.checked_sub(1)) else {
            return json!("...");
        };
        *left = after;
        match value {
            Value::Nil => Json::Null,
            Value::Bool(flag) => json!(flag),
            Value::Int(number) => json!(number),
            Value::Float(number) if number.is_finite() => json!(number),
            Value::Keyword(name) | Value::Symbol(name) => json!(name.as_str()),
            Value::Str(text) => json!(self.text(text.as_str())),
            Value::Vector(items) if items.len() > self.list_items => json!(format!("List({} items)", items.len())),
            Value::Vector(items) => items.iter().map(|item| self.shown(item, below, left)).collect(),
            Value::Set(items) if items.len() > self.list_items => json!(format!("Set({} items)", items.len())),
            Value::Set(items) => items.iter().map(|item| self.shown(item, below, left)).collect(),
            Value::Map(map) if map.len() > self.map_entries => json!(format!("Map({} entries)", map.len())),
            Value::Map(map) => self.object(map, below, left),
            other => json!(self.text(&display_text(other))),
        }
    }

    fn object(&self, map: &Map, below: usize, left: &mut usize) -> Json {
        let mut object = Object::new();
        for (key, item) in map {
            let key = self.key(key);
            let shown = if key.starts_with('_') { json!("[hidden]") } else { self.shown(item, below, left) };
            object.insert(key, shown);
        }
        Json::Object(object)
    }

    fn key(&self, key: &Value) -> String {
        match key {
            Value::Keyword(name) => name.as_str().to_owned(),
            Value::Str(text) => self.text(text.as_str()),
            other => self.text(&format(other, &FormatOptions::sample()).text),
        }
    }

    /// A short answer as programs write it, a long one as kind and size.
    pub(crate) fn summary(&self, value: &Value) -> String {
        let is_large = match value {
            Value::Str(text) => text.as_str().len() > self.result_characters,
            Value::Vector(items) => items.len() > self.list_items,
            Value::Map(map) => map.len() > self.map_entries,
            _ => false,
        };
        // More elements than characters never fit, so that large values need not be written out.
        let bound = Some(if is_large { 0 } else { self.result_characters });
        let shown = format(value, &FormatOptions { limit: bound, printable_limit: bound, ..FormatOptions::full() });
        if !is_large && !shown.truncated && shown.text.chars().nth(self.result_characters).is_none() {
            return shown.text;
        }
        match value {
            Value::Str(text) if is_large => format!("String({} bytes)", text.as_str().len()),
            Value::Vector(items) => format!("List({})", items.len()),
            Value::Set(items) => format!("Set({})", items.len()),
            Value::Map(map) => format!("Map({})", map.len()),
            _ => shortened(&shown.text, self.result_characters).into_owned(),
        }
    }

    /// The value as programs write it, cut like any text.
    pub(crate) fn preview(&self, value: &Value) -> String {
        self.text(&format(value, &FormatOptions::full()).text)
    }
}

#[cfg(test)]
mod tests;
