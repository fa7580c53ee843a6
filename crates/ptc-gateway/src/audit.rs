//! The audit log: each program and each call that it makes, in JSON Lines.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_lisp::{Value, display_text};
use serde_json::{Map, Value as Json, json};

/// What stands in place of a value that nobody may read.
const HIDDEN: &str = "[hidden]";

/// A file that only grows, one line a write.
#[derive(Debug)]
pub(crate) struct Audit {
    file: Mutex<File>,
    /// Names of arguments whose values are not written, in lower case.
    redact: Vec<String>,
    /// Why a line could not be written, until somebody is told.
    lost: Mutex<Option<String>>,
}

impl Audit {
    pub fn open(path: &Path, redact: &[String]) -> io::Result<Audit> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let redact = redact.iter().map(|name| name.to_lowercase()).collect();
        Ok(Audit { file: Mutex::new(file), redact, lost: Mutex::default() })
    }

    /// Write one line; `fields` stand behind the time and the name of the event.
    pub fn write(&self, event: &str, fields: Json) {
        let mut line = Map::new();
        line.insert("at".to_owned(), json!(now()));
        line.insert("event".to_owned(), json!(event));
        if let Json::Object(fields) = fields {
            line.extend(fields);
        }
        let text = format!("{}\n", Json::Object(line));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(text.as_bytes()) {
            *self.lost.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
    }

    /// Why lines were lost since this was asked last: nothing more may be called then.
    pub fn problem(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Arguments without the values of names that begin with `_` and of those that are to be hidden.
    pub fn visible(&self, args: &Json) -> Json {
        match args {
            Json::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), self.field(name, value))).collect()
            }
            Json::Array(items) => items.iter().map(|item| self.visible(item)).collect(),
            scalar => scalar.clone(),
        }
    }

    fn field(&self, name: &str, value: &Json) -> Json {
        let is_hidden = name.starts_with('_') || self.redact.contains(&name.to_lowercase());
        if is_hidden { json!(HIDDEN) } else { self.visible(value) }
    }
}

/// The time as ISO 8601 in UTC.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    display_text(&Value::Instant(i64::try_from(since.as_micros()).unwrap_or_default()))
}
