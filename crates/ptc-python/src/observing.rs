//! What a run tells its caller while it runs.

use std::sync::Arc;

use ptc_runner::trace::LiveTrace;
use ptc_runner::transcript::{Event, EventKind, Observer};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::attached::attached;
use crate::host::Host;
use crate::step::turn_fields;
use crate::to_python::Writer;

/// Passes events on to Python. An exception in a callback ends the run.
pub(crate) struct Callbacks {
    pub(crate) on_turn: Option<Py<PyAny>>,
    pub(crate) on_text: Option<Py<PyAny>>,
    /// Gets each event as the JSON of its entry in this trace.
    pub(crate) on_event: Option<(Py<PyAny>, LiveTrace)>,
    pub(crate) host: Arc<Host>,
    /// Bytes that Python takes for the data.
    pub(crate) data: u64,
}

impl Callbacks {
    pub(crate) fn are_there(&self) -> bool {
        self.on_turn.is_some() || self.streams()
    }

    /// Whether they want what the model writes as it arrives.
    pub(crate) fn streams(&self) -> bool {
        self.on_text.is_some() || self.on_event.is_some()
    }

    fn tell(&self, function: &Py<PyAny>, told: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyAny>>) {
        let called = attached(|py| told(py).and_then(|told| self.host.call(py, function.bind(py), [told])).map(drop));
        if let Some(Err(error)) = called {
            self.host.interruption.raise(error);
        }
    }
}

impl Observer for Callbacks {
    fn on_event(&self, event: &Event) {
        if let Some((tell, trace)) = &self.on_event {
            // Before the lock is taken.
            if let Ok(entry) = serde_json::to_string(&trace.entry(event)) {
                self.tell(tell, |py| Ok(PyString::new(py, &entry).into_any()));
            }
        }
        match (&event.kind, &self.on_turn, &self.on_text) {
            (EventKind::TurnStop { record: Some(turn), .. }, Some(tell), _) => self.tell(tell, |py| {
                Ok(turn_fields(&mut Writer::new(py, self.host.memory, self.data), py, turn)?.into_any())
            }),
            (EventKind::LlmChunk { text, .. }, _, Some(tell)) => {
                self.tell(tell, |py| Ok(PyString::new(py, text).into_any()));
            }
            _ => {}
        }
    }
}
