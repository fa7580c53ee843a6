//! What results of tools have looked like, for tools whose servers do not say.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use ptc_lisp::{Import, Value};
use ptc_mission::common_type;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::store;

/// Shapes that are kept of one tool; further ones are counted and not looked at.
const MAX_SHAPES: usize = 8;
/// Elements of a list that are looked at.
const MAX_ITEMS: usize = 20;
/// Levels that are looked into.
const MAX_LEVELS: usize = 8;
/// Characters of a type.
const MAX_TYPE: usize = 400;
/// How often what was seen is written.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// The shapes of results by tool: names of fields and kinds of values, and nothing of what they hold.
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
    /// What was seen before. A damaged file is begun again: nothing but hints is lost.
    pub fn open(path: &Path) -> io::Result<Observed> {
        let tools = match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => IndexMap::new(),
            Err(error) => return Err(error),
        };
        Ok(Observed { tools, path: path.to_owned(), written: None })
    }

    /// Take note of a result.
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

    /// Write what was seen. A file that cannot be written loses hints only.
    pub fn write(&mut self) {
        let _hints_only = store::write(&self.path, &self.tools);
        self.written = Some(Instant::now());
    }

    /// `{sum :int}  ; observed in 12 calls`; `None` when there was none.
    pub fn line(&self, tool: &str) -> Option<String> {
        let known = self.tools.get(tool).filter(|known| !known.shapes.is_empty())?;
        let values: Vec<Value> = known.shapes.iter().map(|shape| Import::external().value(shape.clone())).collect();
        let ty = common_type(&values);
        let ty = ptc_lisp::shortened(&ty, MAX_TYPE);
        let calls = if known.calls == 1 { "1 call".to_owned() } else { format!("{} calls", known.calls) };
        Some(format!("{ty}  ; observed in {calls}"))
    }
}

/// The value with empty texts and zeros in place of what it holds.
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
            let named =
                |(key, value): (&Value, &Value)| Some((ptc_lisp::key_name(key)?.to_owned(), shape(value, below)));
            Json::Object(map.iter().filter_map(named).collect())
        }
        _ => json!(""),
    }
}
