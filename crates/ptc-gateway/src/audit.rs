//! The audit log: each program and each call that it makes, in JSON Lines.

mod entry;
mod program;
mod read;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use ptc_compression::Redactor;
use ptc_lisp::text::display_text;
use ptc_lisp::{Memory, Value};
use ptc_transcript::private_file;
use serde_json::{Value as Json, json};

use crate::ask::lock;
use crate::code::sha256;
use crate::metrics::{Metrics, Now};

pub use entry::{
    AuditCall, AuditDecision, AuditEnding, AuditEntry, AuditEvent, AuditProgram, AuditQuestion, AuditReach, AuditStatus,
};
pub use program::AuditedPrograms;
pub use read::{AuditLog, DamagedLine, audit_in};

/// What replaces a value that must not be read.
const HIDDEN: &str = "[hidden]";

/// An append-only file, one line per write.
#[derive(Debug)]
pub(crate) struct Audit {
    log: Mutex<Log>,
    rules: RwLock<Rules>,
    metrics: Mutex<Metrics>,
}

/// What the log keeps.
#[derive(Debug)]
struct Rules {
    /// Names of arguments whose values are not written, as [`plain_name`] writes them.
    redact: Vec<String>,
    programs: AuditedPrograms,
}

#[derive(Debug)]
struct Log {
    file: File,
    /// Whether the last line is incomplete.
    is_torn: bool,
}

impl Audit {
    pub fn open(path: &Path, redact: &[String], programs: AuditedPrograms) -> io::Result<Audit> {
        let file = private_file().append(true).create(true).open(path)?;
        let rules = RwLock::new(Rules { redact: plain_names(redact), programs });
        // A gateway that was killed may have left the beginning of a line.
        let is_torn = !ends_with_a_line(path)?;
        Ok(Audit { log: Mutex::new(Log { file, is_torn }), rules, metrics: Mutex::default() })
    }

    /// From now on hide the values of arguments of these names, and keep this of programs.
    pub fn follow(&self, redact: &[String], programs: AuditedPrograms) {
        let rules = Rules { redact: plain_names(redact), programs };
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = rules;
    }

    fn rules(&self) -> RwLockReadGuard<'_, Rules> {
        self.rules.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Write what happens now. Errors say why it is not on record.
    pub fn write(&self, event: AuditEvent) -> Result<(), String> {
        let told = |error: io::Error| format!("the audit log cannot be written: {error}");
        let entry = AuditEntry { at: now(), event };
        let line = serde_json::to_string(&entry).map_err(|error| told(error.into()))?;
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        // A torn line is ended before the next one begins.
        let text = format!("{}{line}\n", if log.is_torn { "\n" } else { "" });
        let written = log.file.write_all(text.as_bytes());
        log.is_torn = written.is_err();
        // A call that is not on record is not made, and has no end.
        if written.is_ok() || !matches!(entry.event, AuditEvent::Call(_)) {
            lock(&self.metrics).note(&entry.event);
        }
        written.map_err(told)
    }

    /// What happened since the gateway started, as OpenMetrics text.
    pub fn metrics(&self, now: &Now) -> String {
        lock(&self.metrics).text(now)
    }

    /// Arguments without the values of names that begin with `_` and of those to be redacted.
    pub fn visible(&self, args: &Json) -> Json {
        match args {
            Json::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), self.field(name, value))).collect()
            }
            Json::Array(items) => items.iter().map(|item| self.visible(item)).collect(),
            scalar => scalar.clone(),
        }
    }

    /// What is kept of the text of a program.
    pub fn program(&self, text: &str) -> AuditProgram {
        let programs = self.rules().programs;
        match programs {
            AuditedPrograms::Text => AuditProgram::Text(program::visible(text, |name| self.hides(name)).0),
            AuditedPrograms::Hash => AuditProgram::Sha256(sha256(text)),
        }
    }

    /// An error about a program, without what is hidden in its text. Errors quote programs, so there is none where only
    /// hashes are kept.
    pub fn visible_error(&self, text: &str, error: &str) -> Option<String> {
        let programs = self.rules().programs;
        match programs {
            AuditedPrograms::Text => {
                Some(program::visible_error(error, &program::visible(text, |name| self.hides(name)).1))
            }
            AuditedPrograms::Hash => None,
        }
    }

    /// A server's message about a call, without the hidden texts among its arguments of 8 or more characters.
    pub fn visible_text(&self, args: &Json, text: &str) -> String {
        let (mut hidden, mut open) = (Vec::new(), vec![args]);
        while let Some(value) = open.pop() {
            match value {
                Json::Object(fields) => fields.iter().for_each(|(name, value)| match self.hides(name) {
                    true => hidden.push(Value::from_json(value.clone())),
                    false => open.push(value),
                }),
                Json::Array(items) => open.extend(items),
                _ => {}
            }
        }
        let hidden = Value::map_from([(Value::keyword("_"), Value::vector(hidden))]);
        let redactor = hidden.as_map().map(|hidden| Redactor::new(hidden, &Memory::default()));
        redactor.map_or_else(|| text.to_owned(), |redactor| redactor.redact(text).into_owned())
    }

    fn hides(&self, name: &str) -> bool {
        name.starts_with('_') || self.rules().redact.contains(&plain_name(name))
    }

    fn field(&self, name: &str, value: &Json) -> Json {
        if self.hides(name) { json!(HIDDEN) } else { self.visible(value) }
    }
}

/// Whether a file is empty, or its last line has an end.
fn ends_with_a_line(path: &Path) -> io::Result<bool> {
    let mut file = OpenOptions::new().read(true).open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn plain_names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| plain_name(name)).collect()
}

/// A name without the differences between `filePath`, `file_path` and `file-path`, which all mean one argument.
pub(crate) fn plain_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The time as ISO 8601 in UTC.
pub(crate) fn now() -> String {
    iso(SystemTime::now())
}

/// A time as ISO 8601 in UTC.
pub(crate) fn iso(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    display_text(&Value::Instant(i64::try_from(since.as_micros()).unwrap_or_default()))
}
