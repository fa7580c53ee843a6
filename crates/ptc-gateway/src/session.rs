//! Sessions: programs one after another over the same definitions, under a handle that outlives the gateway.

use std::io;

use ptc_lisp::{Definitions, Map, StoredMemory, Value};
use ptc_transcript::{Step, ValueForm, json_of, value_of};
use serde_json::{Value as Json, json};

use crate::gateway::GatewayError;
use crate::report;
use crate::store::{State, Store, StoredResult};

/// The name under which programs read the value of the previous program.
pub(crate) const LAST: &str = "last";

/// Notes that are carried over while answers are not read; the audit log has older ones.
const MAX_NOTES: usize = 20;

/// Bytes of a value above which it is not kept for the next program.
const MAX_LAST: usize = 8 << 20;

/// A session as its last program left it. It is read when a program starts, since another gateway may have continued
/// it.
#[derive(Default)]
pub(crate) struct Session {
    pub id: String,
    /// Programs that ended.
    pub programs: u32,
    /// Their calls.
    pub calls: u64,
    pub definitions: Definitions,
    last: Option<Value>,
    /// What the answer of the next program must say.
    pub notes: Vec<String>,
    /// The last program and its answer.
    pub kept: Option<StoredResult>,
    /// Whether a client has read that answer.
    pub is_heard: bool,
}

impl Session {
    /// The session as it was left.
    pub fn load(store: &Store, id: &str) -> Result<Session, GatewayError> {
        let State { programs, calls, definitions, shown_names, last, notes, kept } =
            store.state(id).map_err(GatewayError::Store)?;
        let damaged = |error| GatewayError::Store(io::Error::other(error));
        let stored = definitions.map(|text| StoredMemory::parse(text.get())).transpose().map_err(damaged)?;
        let last = last.and_then(|json| value_of(&json).ok());
        let definitions = Definitions::from(stored.unwrap_or_default()).with_shown_names(shown_names);
        let is_heard = store.is_heard(id, programs).map_err(GatewayError::Store)?;
        Ok(Session { id: id.to_owned(), programs, calls, definitions, last, notes, kept, is_heard })
    }

    /// The data of the next program: `data/last` is nil where there is none, so that functions that read it keep
    /// working.
    pub fn data(&self, data: &Map) -> Map {
        let last = self.last.clone().unwrap_or(Value::Nil);
        let entries = data.iter().map(|(key, value)| (key.clone(), value.clone()));
        let with_last = Value::map_from(entries.chain([(Value::keyword(LAST), last)]));
        with_last.as_map().cloned().unwrap_or_default()
    }

    /// What the answer of the next program must say when that of the last one was not read: its notes, and what it did.
    pub fn pending(&self) -> Vec<String> {
        if self.is_heard {
            return Vec::new();
        }
        let unheard = self.kept.as_ref().and_then(|kept| kept.effects.as_ref());
        let unheard = unheard
            .map(|effects| format!("the previous program had called: {effects}; its answer may not have been read"));
        let all: Vec<String> = self.notes.iter().cloned().chain(unheard).collect();
        let old = all.len().saturating_sub(MAX_NOTES);
        all.into_iter().skip(old).collect()
    }

    /// The session after this program, and what its answer must say about that.
    pub fn after(mut self, step: &Step, program: &str) -> (Session, Vec<String>) {
        let said = self.pending();
        let (stored, left_out) = step.definitions.store();
        // What cannot be serialized would be lost with the next program, and is reported now.
        let mut notes: Vec<String> =
            left_out.iter().map(|lost| format!("definition `{}` is not kept: {}", lost.name, lost.why)).collect();
        self.definitions = Definitions::from(stored).with_shown_names(step.memory.shown_names().clone());
        if let Ok(value) = &step.result {
            let json = json_of(value, ValueForm::Typed);
            self.last = (json.to_string().len() <= MAX_LAST).then(|| value_of(&json).ok()).flatten();
            if self.last.is_none() {
                notes.push("the value cannot be kept (it is too large, or cannot be written down): data/last is nil for the next program".to_owned());
            }
        }
        self.programs += 1;
        self.calls = self.calls.saturating_add(step.tool_calls.len() as u64);
        // In this answer, and in the next one unless this is read.
        self.notes = said;
        self.is_heard = false;
        self.kept = Some(StoredResult {
            program: program.to_owned(),
            report: Json::Null,
            is_ok: step.is_ok(),
            effects: report::effects(step),
        });
        (self, notes)
    }

    /// Give up the interrupted program: the answer says so, or the next one if that is not read.
    pub fn give_up(&mut self, program: &str, note: String) {
        self.notes = self.pending();
        self.notes.push(note);
        self.programs += 1;
        self.is_heard = false;
        let report = json!({"session": self.id, "status": "ok", "notes": self.notes});
        self.kept = Some(StoredResult { program: program.to_owned(), report, is_ok: true, effects: None });
    }

    /// Store it.
    pub fn save(&self, store: &Store) -> Result<(), GatewayError> {
        let (stored, _) = self.definitions.store();
        let definitions = serde_json::value::to_raw_value(&stored);
        let definitions = Some(definitions.map_err(|error| GatewayError::Store(error.into()))?);
        let last = self.last.as_ref().map(|value| json_of(value, ValueForm::Typed));
        let state = State {
            programs: self.programs,
            calls: self.calls,
            definitions,
            shown_names: self.definitions.shown_names().clone(),
            last,
            notes: self.notes.clone(),
            kept: self.kept.clone(),
        };
        store.commit(&self.id, &state).map_err(GatewayError::Store)
    }
}
