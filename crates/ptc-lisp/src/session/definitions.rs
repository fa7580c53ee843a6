//! The definitions of a session, for another one to start with.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;

use super::store::CellIds;
use super::{Session, SessionOptions};
use crate::eval::cells::Cells;
use crate::eval::code_table::CodeTable;
use crate::eval::globals::Globals;
use crate::limits::Limits;
use crate::session::fields::ShownNames;
use crate::session::memory::stored::{Held, Omitted, StoredMemory};
use crate::value::Map;

/// The definitions of programs, for another session to start with. Cloning is cheap.
///
/// From [`Session::definitions`] they are exact: functions keep their captured values, atoms their contents, sequences
/// stay lazy. From a [`StoredMemory`] they are what was stored.
///
/// ```
/// use ptc_lisp::{Ending, Session, SessionOptions, Value, no_tools};
///
/// let mut first = Session::new(SessionOptions::default());
/// first.run("(def n (atom 1)) (defn next! [] (swap! n inc))", &mut no_tools);
/// let options = SessionOptions { definitions: first.definitions(), ..SessionOptions::default() };
/// let mut second = Session::new(options);
/// assert!(second.left_out().is_empty());
/// let outcome = second.run("(next!)", &mut no_tools);
/// assert!(matches!(outcome.ending, Ending::Value(Value::Int(2))));
/// ```
#[derive(Clone, Default)]
pub struct Definitions {
    kept: Origin,
    left_out: Vec<Omitted>,
    shown_names: ShownNames,
}

#[derive(Clone, Default)]
enum Origin {
    #[default]
    Nothing,
    Live(Arc<Live>),
    Stored(Arc<StoredMemory>),
}

/// The parts of a session that its definitions live in.
struct Live {
    globals: Globals,
    codes: Arc<CodeTable>,
    cells: Cells,
    has_comparators: bool,
    foreign: IndexMap<String, Held>,
    cell_ids: CellIds,
    /// The data that lazy sequences may read when they are realised for storing.
    data: Map,
    /// The limits under which they are realised.
    limits: Limits,
}

impl Definitions {
    /// Whether there are none, not even omitted ones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self.kept, Origin::Nothing) && self.left_out.is_empty()
    }

    /// The same definitions, in a run whose model has seen these names.
    #[must_use]
    pub fn with_shown_names(self, shown_names: ShownNames) -> Definitions {
        Definitions { shown_names, ..self }
    }

    /// The names beginning with `_` that models have seen.
    #[must_use]
    pub fn shown_names(&self) -> &ShownNames {
        &self.shown_names
    }

    /// Whether this name is among them, or known to be omitted.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let is_kept = match &self.kept {
            Origin::Nothing => false,
            Origin::Live(live) => live.globals.is_defined(name) || live.foreign.contains_key(name),
            Origin::Stored(stored) => stored.entries.contains_key(name),
        };
        is_kept || self.left_out.iter().any(|left_out| left_out.name == name)
    }

    /// The definitions themselves, unless they are stored ones.
    pub(super) fn globals(&self) -> Option<&Globals> {
        if let Origin::Live(live) = &self.kept { Some(&live.globals) } else { None }
    }

    /// Note a definition that could not be kept: [`Session::left_out`] has it.
    pub fn leave_out(&mut self, left_out: Omitted) {
        self.left_out.push(left_out);
    }

    /// The definitions as stored memory, and those that cannot be stored, with the reason. Equal definitions give equal
    /// text, whether they were stored before or not.
    ///
    /// Lazy sequences are realised under the limits of the session. Cost: linear in all values.
    #[must_use]
    pub fn store(&self) -> (StoredMemory, Vec<Omitted>) {
        let (stored, mut left_out) = match &self.kept {
            Origin::Nothing => Default::default(),
            Origin::Live(live) => {
                let mut session = Session::new(SessionOptions {
                    data: live.data.clone(),
                    limits: live.limits.clone(),
                    definitions: self.clone(),
                    ..SessionOptions::default()
                });
                session.store_memory()
            }
            Origin::Stored(stored) => (StoredMemory::clone(stored), Vec::new()),
        };
        left_out.extend(self.left_out.iter().cloned());
        (stored, left_out)
    }
}

impl From<StoredMemory> for Definitions {
    fn from(stored: StoredMemory) -> Definitions {
        let kept = if stored.is_empty() { Origin::Nothing } else { Origin::Stored(Arc::new(stored)) };
        Definitions { kept, ..Definitions::default() }
    }
}

impl fmt::Debug for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = match &self.kept {
            Origin::Nothing => 0,
            Origin::Live(live) => live.globals.iter().count(),
            Origin::Stored(stored) => stored.entries.len(),
        };
        write!(f, "Definitions({kept} kept, {} left out)", self.left_out.len())
    }
}

impl Session {
    /// The current definitions, without those of a program that is still running.
    ///
    /// Cost: linear in the number of definitions, atoms and realised elements of lazy sequences; values are shared.
    #[must_use]
    pub fn definitions(&self) -> Definitions {
        let machine = &self.machine;
        let mut globals = machine.globals.clone();
        if let Some(before) = &machine.before {
            globals.go_back(before);
        }
        if globals.iter().next().is_none() && self.foreign.is_empty() {
            return Definitions::default().with_shown_names(machine.cx.cells.shown_names.clone());
        }
        let mut cells = machine.cx.cells.clone();
        let shown_names = cells.shown_names.clone();
        if self.running.is_some() {
            cells.roll_back();
        }
        let live = Live {
            globals,
            codes: Arc::clone(&machine.codes),
            cells,
            has_comparators: machine.cx.has_comparators,
            foreign: self.foreign.clone(),
            cell_ids: self.cell_ids.clone(),
            data: machine.data.clone(),
            limits: self.limits.clone(),
        };
        Definitions { kept: Origin::Live(Arc::new(live)), shown_names, ..Definitions::default() }
    }

    /// Start with these definitions instead of none; returns those that are omitted. For a session that has run
    /// nothing: code of the other one replaces its own.
    ///
    /// Atoms are copied: other sessions that start with the same definitions do not see changes made here.
    pub(super) fn start_with(&mut self, definitions: &Definitions) {
        match &definitions.kept {
            Origin::Nothing => {}
            Origin::Live(live) => self.take_up_live(live),
            Origin::Stored(stored) => self.left_out = self.restore_memory(stored),
        }
        self.machine.cx.cells.shown_names = definitions.shown_names.clone();
        if !definitions.left_out.is_empty() {
            self.left_out.extend(definitions.left_out.iter().cloned());
        }
    }

    fn take_up_live(&mut self, live: &Live) {
        let machine = &mut self.machine;
        machine.globals = live.globals.clone();
        machine.codes = Arc::clone(&live.codes);
        machine.cx.cells = live.cells.clone();
        machine.cx.cells.begin_turn();
        machine.cx.has_comparators = live.has_comparators;
        self.carried = None;
        self.foreign = live.foreign.clone();
        self.cell_ids = live.cell_ids.clone();
    }
}
