//! The audit log of a gateway, as a page shows it.

use std::path::Path;

use ptc_runner::gateway::{AuditLog, WaitingError, audit_in};
use ptc_runner::lisp::text::shortened_counted;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Entries that a page holds.
const ENTRIES: usize = 1_000;

/// Characters shown of a text in an entry, and of the arguments of a call.
const SHOWN: usize = 2_000;

/// The newest entries, and what is not among them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Log {
    /// As they are in the file; long texts are cut.
    entries: Vec<Json>,
    older_lines: usize,
    unread_bytes: u64,
    damaged: Vec<Damaged>,
    damaged_lines: usize,
}

/// A line that is left out.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Damaged {
    at: u64,
    problem: String,
}

impl Log {
    pub(super) fn of(state: &Path) -> Result<Log, WaitingError> {
        let AuditLog { entries, older_lines, unread_bytes, damaged, damaged_lines, .. } = audit_in(state, ENTRIES)?;
        Ok(Log {
            entries: entries.iter().filter_map(|entry| serde_json::to_value(entry).ok()).map(shown).collect(),
            older_lines,
            unread_bytes,
            damaged: damaged.into_iter().map(|line| Damaged { at: line.at, problem: line.problem }).collect(),
            damaged_lines,
        })
    }
}

/// An entry with its long texts cut; arguments are one text.
fn shown(entry: Json) -> Json {
    match entry {
        Json::Object(fields) => {
            let field = |(name, value): (String, Json)| {
                let value = if name == "args" { json!(value.to_string()) } else { value };
                (name, shown(value))
            };
            fields.into_iter().map(field).collect()
        }
        Json::Array(items) => items.into_iter().map(shown).collect(),
        Json::String(text) => json!(shortened_counted(&text, SHOWN)),
        other => other,
    }
}
