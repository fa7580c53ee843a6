//! Observed shapes of the results of tools, for tools whose servers do not declare them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use ptc_compression::words::common_type;
use ptc_lisp::{Import, Value};
use ptc_transcript::{check_bounds, read_record};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::store;

/// Shapes kept of one tool; further ones are counted but not recorded.
const MAX_SHAPES: usize = 8;
/// Elements of a list that are examined.
const MAX_ITEMS: usize = 20;
/// Levels that are examined.
const MAX_LEVELS: usize = 8;
/// Fields of a map; one with more, or with keys that are not names of fields, holds data in its keys.
const MAX_FIELDS: usize = 30;
/// Characters of the name of a field.
const MAX_NAME: usize = 40;
/// The key that stands for all keys that are data.
const ANY_KEY: &str = "*";
/// Characters of a type.
const MAX_TYPE: usize = 400;
/// How often observations are written.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// The shapes of results by tool: names of fields and kinds of values, without their content.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    tools: IndexMap<String, Shapes>,
    path: PathBuf,
    written: Option<Instant>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Shapes {
    calls: u64,
    shapes: Vec<Json>,
}

impl Observed {
    /// Earlier observations. A file that is damaged or too long is started again: only hints are lost.
    pub fn open(path: &Path) -> io::Result<Observed> {
        let tools = match read_record(path) {
            Ok(bytes) if check_bounds(&bytes).is_ok() => serde_json::from_slice(&bytes).unwrap_or_default(),
            Ok(_) => IndexMap::new(),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::FileTooLarge) => {
                IndexMap::new()
            }
            Err(error) => return Err(error),
        };
        Ok(Observed { tools, path: path.to_owned(), written: None })
    }

    /// Record the shape of a result.
    pub fn add(&mut self, tool: &str, result: &Value) {
        let known = self.tools.entry(tool.to_owned()).or_default();
        known.calls += 1;
        if known.shapes.len() < MAX_SHAPES {
            let shape = shape(result, MAX_LEVELS);
            if !known.shapes.contains(&shape) {
                known.shapes.push(shape);
            }
        }
        if self.written.is_none_or(|written| written.elapsed() > WRITTEN_EVERY) {
            self.write();
        }
    }

    /// Write the observations. A file that cannot be written loses hints only.
    pub fn write(&mut self) {
        let _hints_only = store::write(&self.path, &self.tools);
        self.written = Some(Instant::now());
    }

    /// `{sum :int}  ; observed in 12 calls`; `None` when there was none.
    pub fn line(&self, tool: &str) -> Option<String> {
        let known = self.tools.get(tool).filter(|known| !known.shapes.is_empty())?;
        let ty = common_type(&known.values());
        let ty = ptc_lisp::text::shortened(&ty, MAX_TYPE);
        let calls = if known.calls == 1 { "1 call".to_owned() } else { format!("{} calls", known.calls) };
        Some(format!("{ty}  ; observed in {calls}"))
    }

    /// A value of each shape of the results of a tool, for the check of fields. None once shapes are no longer recorded:
    /// then others are as likely.
    pub fn results(&self, tool: &str) -> Vec<Value> {
        let known = self.tools.get(tool).filter(|known| known.shapes.len() < MAX_SHAPES);
        known.map(Shapes::values).unwrap_or_default().into_iter().map(with_any_keys).collect()
    }
}

impl Shapes {
    /// A value of each shape.
    fn values(&self) -> Vec<Value> {
        self.shapes.iter().map(|shape| Import::uncounted().value(shape.clone())).collect()
    }
}

/// The value with a number as the key where any key may be.
fn with_any_keys(value: Value) -> Value {
    match value {
        Value::Vector(items) => Value::vector(items.into_vec().into_iter().map(with_any_keys).collect()),
        Value::Map(map) => Value::map_from(map.iter().map(|(key, value)| {
            let key = if ptc_lisp::values::key_name(key) == Some(ANY_KEY) { Value::Int(0) } else { key.clone() };
            (key, with_any_keys(value.clone()))
        })),
        other => other,
    }
}

/// The name of a field, when the key is one: letters, digits and dashes, beginning with a letter, and short.
fn field(key: &Value) -> Option<&str> {
    let name = ptc_lisp::values::key_name(key)?;
    let is_plain = name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    is_plain.then_some(name)
}

/// The value with empty texts and zeros instead of its content.
fn shape(value: &Value, levels: usize) -> Json {
    let Some(below) = levels.checked_sub(1) else { return Json::Null };
    match value {
        Value::Nil => Json::Null,
        Value::Bool(_) => json!(false),
        Value::Int(_) => json!(0),
        Value::Float(_) => json!(0.5),
        Value::Vector(items) => {
            let mut shapes: Vec<Json> = Vec::new();
            for item in items.iter().take(MAX_ITEMS) {
                let shape = shape(item, below);
                if !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
            Json::Array(shapes)
        }
        Value::Map(map) => {
            let names: Option<Vec<&str>> = map.iter().take(MAX_FIELDS + 1).map(|(key, _)| field(key)).collect();
            match names.filter(|names| names.len() <= MAX_FIELDS) {
                Some(names) => {
                    let named = names.into_iter().zip(map.iter());
                    Json::Object(named.map(|(name, (_, value))| (name.to_owned(), shape(value, below))).collect())
                }
                // Keys that are data, such as addresses: only the kind of the value under one of them is recorded.
                None => json!({ANY_KEY: map.iter().next().map_or(Json::Null, |(_, value)| shape(value, below))}),
            }
        }
        _ => json!(""),
    }
}

#[cfg(test)]
mod tests {
    use ptc_transcript::MAX_RECORD_BYTES;

    use super::*;

    fn seen(results: &[Json]) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("observed.json");
        let mut observed = Observed::open(&path).unwrap();
        for result in results {
            observed.add("t", &Import::uncounted().value(result.clone()));
        }
        observed.write();
        let line = Observed::open(&path).unwrap().line("t").unwrap();
        (line, std::fs::read_to_string(&path).unwrap())
    }

    #[test]
    fn results_are_told_by_what_they_have_in_common() {
        let (line, _) = seen(&[json!({"id": 1, "tags": ["a"]}), json!({"id": 2, "tags": [], "note": "x"})]);
        assert_eq!(line, "{id :int, tags [:string], note :string?}  ; observed in 2 calls");
    }

    #[test]
    fn results_have_the_fields_of_earlier_ones() {
        let folder = tempfile::tempdir().unwrap();
        let mut observed = Observed::open(&folder.path().join("observed.json")).unwrap();
        let mut add = |result: Json| observed.add("t", &Import::uncounted().value(result));
        add(json!([{"id": 7, "seen": {"ann@example.com": 3}}]));
        add(json!(5));
        let results = observed.results("t");
        assert_eq!(Value::vector(results).to_string(), "[[{:id 0 :seen {0 0}}] 0]");
        assert!(observed.results("other").is_empty());
        (0..MAX_SHAPES).for_each(|n| observed.add("t", &Import::uncounted().value(json!({format!("k{n}"): 1}))));
        assert!(observed.results("t").is_empty());
    }

    #[test]
    fn a_damaged_file_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("observed.json");
        let long = std::fs::File::create(&path).unwrap();
        long.set_len(MAX_RECORD_BYTES + 1).unwrap();
        assert!(Observed::open(&path).unwrap().tools.is_empty());
        // JSON that takes more than 4 GB when parsed.
        let many = format!(r#"{{"t":{{"calls":1,"shapes":[{}0]}}}}"#, "{},".repeat(7 << 20));
        for damaged in ["", "{", r#"{"t":1}"#, &many] {
            std::fs::write(&path, damaged).unwrap();
            let mut observed = Observed::open(&path).unwrap();
            assert!(observed.tools.is_empty());
            observed.add("t", &Value::Int(1));
            assert_eq!(Observed::open(&path).unwrap().line("t").unwrap(), "int  ; observed in 1 call");
        }
    }

    #[test]
    fn the_file_holds_no_data() {
        let many: serde_json::Map<String, Json> = (0..1_000).map(|n| (format!("key{n}"), json!(n))).collect();
        let (line, file) = seen(&[json!({"alice@example.com": 1}), Json::Object(many), json!(["secret", 4711])]);
        assert!(!file.contains("alice") && !file.contains("secret") && !file.contains("4711"), "{file}");
        assert!(file.len() < 300, "{file}");
        assert!(line.ends_with("observed in 3 calls"), "{line}");
    }
}
