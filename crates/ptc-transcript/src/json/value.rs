//! Values as JSON: plain for people and other tools, typed so that they can be read back.

use ptc_lisp::text::{FormatOptions, display_text, format, shortened};
use ptc_lisp::values::{MAX_NESTING, Pattern, key_text, time_from_tag, writable_levels};
use ptc_lisp::{Map, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value as Json, json};

use super::{ReadError, typed_json};

/// Digits of an integer that are written and read: both take time quadratic in them.
const MAX_DIGITS: usize = 100_000;
/// Bits of an integer that has at most that many digits.
const MAX_BITS: u64 = 332_192;

/// How values are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ValueForm {
    /// As plain JSON: keywords as their names, sets as lists, dates as texts. Cannot be read back.
    #[default]
    Plain,
    /// Values that JSON cannot express are objects with one key: `{"$kw": "name"}`, `{"$set": […]}`, `{"$num": "NaN"}`.
    Typed,
}

impl ValueForm {
    /// JSON levels written before `...` replaces the rest; a typical JSON reader accepts 128, records around included.
    fn depth(self) -> usize {
        match self {
            ValueForm::Plain => MAX_NESTING,
            ValueForm::Typed => 100,
        }
    }
}

/// The JSON form of a value.
///
/// - plain: a number that is not finite is null, an integer beyond 64 bits a string, a function its label
/// - typed: read back by [`value_of`]; functions and host objects are read back as symbols with their label
/// - nesting beyond 512 levels (typed: 100) is cut with `...`; a value that repeats its parts is cut at fewer levels if
///   its text would be much larger than its memory, see [`writable_levels`]
pub fn json_of(value: &Value, form: ValueForm) -> Json {
    let levels = writable_levels(value, form.depth());
    match form {
        ValueForm::Plain => plain(value, levels),
        ValueForm::Typed => typed(value, levels),
    }
}

/// The value as a Rust value, read from its plain JSON form as [`typed_json`](super::typed_json) does.
///
/// Errors with what serde found.
pub fn typed_value<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    typed_json(json_of(value, ValueForm::Plain))
}

/// The JSON without the fields that models must not see, as `hides` says by name.
pub fn without_hidden(json: Json, hides: &impl Fn(&str) -> bool) -> Json {
    match json {
        Json::Object(fields) => fields
            .into_iter()
            .filter(|(key, _)| !hides(key))
            .map(|(key, value)| (key, without_hidden(value, hides)))
            .collect(),
        Json::Array(items) => items.into_iter().map(|item| without_hidden(item, hides)).collect(),
        scalar => scalar,
    }
}

fn plain(value: &Value, depth: usize) -> Json {
    let Some(below) = depth.checked_sub(1) else {
        return json!("...");
    };
    match value {
        Value::Nil => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Keyword(name) | Value::Symbol(name) => json!(name.as_str()),
        Value::Vector(items) => items.iter().map(|item| plain(item, below)).collect(),
        Value::Set(items) => items.iter().map(|item| plain(item, below)).collect(),
        Value::Map(map) => plain_object(map, below),
        Value::Regex(pattern) => json!(pattern.as_str()),
        other => json!(display_text(other)),
    }
}

/// Where a keyword and another key have the same text, the keyword's entry is kept.
fn plain_object(map: &Map, below: usize) -> Json {
    let mut object = Object::new();
    for (key, item) in map {
        let text = key_text(key);
        if matches!(key, Value::Keyword(_)) || !object.contains_key(&text) {
            object.insert(text, plain(item, below));
        }
    }
    Json::Object(object)
}

fn typed(value: &Value, depth: usize) -> Json {
    let Some(below) = depth.checked_sub(1) else {
        return json!({"$opaque": "..."});
    };
    match value {
        Value::Nil => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(number),
        Value::Big(number) if number.bits() > MAX_BITS => json!({"$opaque": "an integer of more than 100,000 digits"}),
        Value::Big(number) => json!({"$int": number.to_string()}),
        Value::Float(number) if number.is_finite() => json!(number),
        Value::Float(number) => json!({"$num": not_finite(*number)}),
        Value::Str(text) => json!(text.as_str()),
        Value::Keyword(name) => json!({"$kw": name.as_str()}),
        Value::Symbol(name) => typed_symbol(name.as_str()),
        Value::Var(name) => json!({"$var": name.as_str()}),
        Value::Vector(items) => items.iter().map(|item| typed(item, below)).collect(),
        Value::Set(items) => {
            let below = below.saturating_sub(1);
            json!({"$set": items.iter().map(|item| typed(item, below)).collect::<Json>()})
        }
        Value::Map(map) => typed_map(map, below),
        Value::Function(function) => json!({"$fn": format!("[{}]", function.params())}),
        Value::Date(date) => json!({"$date": date.to_string()}),
        Value::Instant(micros) => json!({"$inst": micros}),
        Value::Temporal(temporal) => marked_text(temporal.kind(), temporal.text()),
        Value::Uuid(text) => json!({"$uuid": text.as_str()}),
        Value::Regex(pattern) => json!({"$regex": pattern.as_str()}),
        other => json!({"$opaque": format(other, &FormatOptions::full()).text}),
    }
}

/// `{"$year-month": "2024-03"}`
fn marked_text(kind: &str, text: String) -> Json {
    Json::Object([(format!("${kind}"), Json::String(text))].into_iter().collect())
}

fn not_finite(number: f64) -> &'static str {
    match number {
        n if n.is_nan() => "NaN",
        n if n > 0.0 => "Inf",
        _ => "-Inf",
    }
}

/// No symbol of a program starts with `#`: one that does is the label of a value that was read back.
fn typed_symbol(name: &str) -> Json {
    match name.strip_prefix("#fn") {
        Some(params) => json!({"$fn": params}),
        None if name.starts_with('#') || name == "..." => json!({"$opaque": name}),
        None => json!({"$sym": name}),
    }
}

/// An object when all keys are keywords that cannot be mistaken for a type mark, else a list of pairs.
fn typed_map(map: &Map, below: usize) -> Json {
    let name = |key: &Value| match key {
        Value::Keyword(name) if !name.as_str().starts_with('$') => Some(name.as_str().to_owned()),
        _ => None,
    };
    if map.iter().all(|(key, _)| name(key).is_some()) {
        let entries = map.iter().filter_map(|(key, item)| Some((name(key)?, typed(item, below))));
        return Json::Object(entries.collect());
    }
    let below = below.saturating_sub(2);
    let pairs = map.iter().map(|(key, item)| json!([typed(key, below), typed(item, below)]));
    json!({"$map": pairs.collect::<Json>()})
}

/// The value that [`json_of`] wrote in typed form.
pub fn value_of(json: &Json) -> Result<Value, ReadError> {
    match json {
        Json::Null => Ok(Value::Nil),
        Json::Bool(flag) => Ok(Value::Bool(*flag)),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(int), _) => Ok(Value::Int(int)),
            (None, Some(float)) if number.is_f64() => Ok(Value::Float(float)),
            _ => Err(bad(json, "an integer beyond 64 bits is written {\"$int\": \"…\"}")),
        },
        Json::String(text) => Ok(Value::string(text.as_str())),
        Json::Array(items) => Ok(Value::vector(values_of(items)?)),
        Json::Object(object) => match object.iter().next() {
            Some((mark, inner)) if object.len() == 1 && mark.starts_with('$') => marked(json, mark, inner),
            _ => {
                let entries = object.iter().map(|(key, item)| Ok((Value::keyword(key), value_of(item)?)));
                Ok(Value::map_from(entries.collect::<Result<Vec<_>, ReadError>>()?))
            }
        },
    }
}

fn values_of(items: &[Json]) -> Result<Vec<Value>, ReadError> {
    items.iter().map(value_of).collect()
}

fn marked(json: &Json, mark: &str, inner: &Json) -> Result<Value, ReadError> {
    let text = inner.as_str();
    let list = inner.as_array().map(Vec::as_slice);
    let value = match (mark, text, list) {
        ("$kw", Some(name), _) => Some(Value::keyword(name)),
        ("$sym" | "$opaque", Some(name), _) => Some(Value::Symbol(name.into())),
        ("$var", Some(name), _) => Some(Value::Var(name.into())),
        ("$fn", Some(params), _) => Some(Value::Symbol(format!("#fn{params}").as_str().into())),
        ("$int", Some(digits), _) if digits.len() > MAX_DIGITS => {
            return Err(bad(json, "an integer of more than 100,000 digits is not read"));
        }
        ("$int", Some(digits), _) => digits.parse().ok().map(Value::integer),
        ("$num", Some("NaN"), _) => Some(Value::Float(f64::NAN)),
        ("$num", Some("Inf"), _) => Some(Value::Float(f64::INFINITY)),
        ("$num", Some("-Inf"), _) => Some(Value::Float(f64::NEG_INFINITY)),
        ("$uuid", Some(uuid), _) => Some(Value::Uuid(uuid.into())),
        ("$date", Some(date), _) => date.parse().ok().map(Value::Date),
        ("$inst", ..) => inner.as_i64().map(Value::Instant),
        ("$regex", Some(source), _) => Pattern::new(source).ok().map(|pattern| Value::Regex(pattern.into())),
        ("$set", _, Some(items)) => Value::set_from(values_of(items)?),
        (mark, Some(text), _) if mark.strip_prefix('$').is_some_and(is_time) => {
            mark.strip_prefix('$').and_then(|tag| time_from_tag(tag, text))
        }
        ("$map", _, Some(pairs)) => Some(Value::map_from(pairs.iter().map(pair_of).collect::<Result<Vec<_>, _>>()?)),
        _ => return Err(bad(json, "unknown mark, or the wrong kind of content")),
    };
    value.ok_or_else(|| bad(json, "the content does not parse"))
}

/// Kinds written as their text under a mark with their name.
fn is_time(kind: &str) -> bool {
    ptc_lisp::values::TIME_KINDS.contains(&kind)
}

fn pair_of(pair: &Json) -> Result<(Value, Value), ReadError> {
    match pair.as_array().map(Vec::as_slice) {
        Some([key, item]) => Ok((value_of(key)?, value_of(item)?)),
        _ => Err(bad(pair, "an entry of \"$map\" is [key, value]")),
    }
}

fn bad(found: &Json, problem: &'static str) -> ReadError {
    ReadError::Value { found: shortened(&found.to_string(), 80).into_owned(), problem }
}
