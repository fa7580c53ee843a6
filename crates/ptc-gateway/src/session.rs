//! Sessions: programs one after another over the same definitions, under a handle that outlives the gateway.

use std::io;
use std::sync::Mutex;

use ptc_lisp::{Definitions, Map, StoredMemory, Value};
use ptc_transcript::{Step, ValueForm, json_of, value_of};

use crate::ask::lock;
use crate::gateway::GatewayError;
use crate::report;
use crate::running::Running;
use crate::store::{State, Store};

/// The name under which programs read the value of the program before.
pub(crate) const LAST: &str = "last";

/// Bytes of a value above which it is not kept for the next program.
const MAX_LAST: usize = 8 << 20;

/// One session.
pub(crate) struct Session {
    pub id: String,
    pub inner: Mutex<Inner>,
    /// Held while a program begins.
    pub beginning: Mutex<()>,
}

/// How a session stands.
pub(crate) struct Inner {
    /// Programs that ended.
    pub programs: u32,
    pub definitions: Definitions,
    pub last: Option<Value>,
    pub notes: Vec<String>,
    pub running: Option<Running>,
}

impl Session {
    /// The session as it was left.
    pub fn load(store: &Store, id: &str) -> Result<Session, GatewayError> {
        let State { programs, definitions, last, notes } = store.state(id).map_err(GatewayError::Store)?;
        let last = last.and_then(|json| value_of(&json).ok());
        let damaged = |error| GatewayError::Store(io::Error::other(error));
        let stored = definitions.map(|text| StoredMemory::parse(text.get())).transpose().map_err(damaged)?;
        let definitions = Definitions::from(stored.unwrap_or_default());
        let inner = Inner { programs, definitions, last, notes, running: None };
        Ok(Session { id: id.to_owned(), inner: Mutex::new(inner), beginning: Mutex::default() })
    }

    /// The program that was interrupted, if the last one was, with its number.
    pub fn interrupted(&self, store: &Store) -> Result<Option<(u32, String)>, GatewayError> {
        let next = lock(&self.inner).programs + 1;
        let program = store.program(&self.id, next).map_err(GatewayError::Store)?;
        Ok(program.map(|program| (next, program)))
    }

    /// The data of the next program.
    pub fn data(&self, data: &Map) -> Map {
        let Some(last) = lock(&self.inner).last.clone() else { return data.clone() };
        let entries = data.iter().map(|(key, value)| (key.clone(), value.clone()));
        let with_last = Value::map_from(entries.chain([(Value::keyword(LAST), last)]));
        with_last.as_map().cloned().unwrap_or_default()
    }

    /// The program ended: what it left is what the next one begins with. Gives what its answer must say beside it; of a
    /// program that was stopped nobody reads the answer, and the next one says it.
    pub fn ended(&self, store: &Store, step: &Step, was_stopped: bool) -> Vec<String> {
        let (stored, left_out) = step.definitions.store();
        let mut inner = lock(&self.inner);
        inner.programs += 1;
        inner.running = None;
        // What cannot be written down would be lost with a restart: it is lost now, and said.
        inner.definitions =
            if left_out.is_empty() { step.definitions.clone() } else { Definitions::from(stored.clone()) };
        let lost = left_out.iter().map(|lost| format!("definition `{}` is not kept: {}", lost.name, lost.why));
        let mut notes: Vec<String> = std::mem::take(&mut inner.notes).into_iter().chain(lost).collect();
        if let Ok(value) = &step.result {
            let json = json_of(value, ValueForm::Typed);
            let is_small = json.to_string().len() <= MAX_LAST;
            inner.last = is_small.then(|| value_of(&json).ok()).flatten();
            if !is_small {
                notes.push("the value is too large to be kept as data/last".to_owned());
            }
        }
        if was_stopped {
            notes.extend(report::unheard(step));
            inner.notes.append(&mut notes);
        }
        if let Err(error) = inner.commit(store, &self.id, stored) {
            notes.push(format!("this program cannot be written down; a restart would run it again: {error}"));
        }
        notes
    }

    /// The program that was interrupted is given up.
    pub fn discard(&self, store: &Store, note: Option<String>) -> Result<(), GatewayError> {
        let mut inner = lock(&self.inner);
        inner.programs += 1;
        inner.notes.extend(note);
        let (stored, _) = inner.definitions.store();
        inner.commit(store, &self.id, stored)
    }
}

impl Inner {
    fn commit(&self, store: &Store, id: &str, definitions: StoredMemory) -> Result<(), GatewayError> {
        let last = self.last.as_ref().map(|value| json_of(value, ValueForm::Typed));
        let definitions = serde_json::value::to_raw_value(&definitions);
        let definitions = Some(definitions.map_err(|error| GatewayError::Store(error.into()))?);
        let state = State { programs: self.programs, definitions, last, notes: self.notes.clone() };
        store.commit(id, &state).map_err(GatewayError::Store)
    }
}
