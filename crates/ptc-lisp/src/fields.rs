//! Fields that no record has: a misspelt key gives nil without a word, so it is looked for before a program runs.
//!
//! A walk over the analyzed program ([`walk`]) follows data whose fields are known ([`summary`]) through bindings,
//! functions and builtins ([`built_in`], [`of_maps`]). A lookup of a key that none of the maps in this place has gives a
//! nil that remembers it ([`look_up`]). Where that nil is computed with, compared, printed or returned, it is a finding
//! ([`report`]); where it is only tested for, it is none. What the walk does not understand may be anything: then it
//! finds nothing.

mod bodies;
mod built_in;
mod call;
mod look_up;
mod of_keys;
mod of_maps;
mod report;
mod rules;
mod summary;
#[cfg(test)]
mod tests;
mod value;
mod walk;
mod with_functions;

use std::sync::{Arc, Mutex, PoisonError};

use crate::analyze::ir::{Function, Kind, Node};
use crate::eval::cells::Cells;
use crate::eval::globals::Globals;
use crate::eval::vm::Machine;
use crate::signature::Field;
use crate::value::{Closure, Name, Value};

pub(crate) use report::Findings;
use value::Known;
use walk::Walk;

/// Values of one entry of the data that are examined.
const MOST_OF_DATA: usize = 20_000_000;
/// Values of all definitions that are examined for one program.
const MOST_OF_DEFINITIONS: usize = 200_000;

/// What is known of the data of a session; each entry is examined once, when a program looks something up in it.
#[derive(Debug, Default)]
pub(crate) struct DataFields {
    known: Mutex<Vec<(Name, Arc<Known>)>>,
    /// The types that the host declares for entries: their fields may be there in other runs.
    declared: Vec<Field>,
}

impl DataFields {
    pub fn new(declared: Vec<Field>) -> DataFields {
        DataFields { declared, ..DataFields::default() }
    }

    fn of(&self, name: &Name, value: &Value, cells: &Cells) -> Known {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = known.iter().find(|(known, _)| known == name) {
            return Known::clone(known);
        }
        let mut found = summary::known_of(value, &format!("data/{name}"), cells, &mut { MOST_OF_DATA });
        if let Some(field) = self.declared.iter().find(|field| field.name == name.as_str()) {
            found = summary::with_declared(found, &field.ty);
        }
        // Bounded: the entries of the data that programs name.
        known.push((name.clone(), Arc::new(found.clone())));
        found
    }
}

/// The program being analyzed, and what exists before it runs.
struct Program<'a> {
    fields: &'a DataFields,
    machine: &'a Machine,
    /// Definitions before the program, with numbers for the names in it.
    globals: &'a Globals,
    body: &'a Node,
    /// Reads a function of an earlier program again from its text.
    read: &'a dyn Fn(&Closure) -> Option<Kind>,
}

impl Program<'_> {
    /// An entry of the data.
    fn data(&self, name: &Name) -> Known {
        match self.machine.data.get_named(name.as_str()) {
            Some(value) if name.as_str() != "fail" => self.fields.of(name, value, &self.machine.cx.cells),
            _ => Known::any(),
        }
    }
}

/// The lookups of a program that find nothing.
///
/// Cost: linear in a program without lookups, or without anything known to look into. Otherwise functions are walked
/// once for each place that calls them, up to 20,000 expressions; data and definitions as their constants say.
pub(crate) fn find(
    fields: &DataFields,
    machine: &Machine,
    globals: &Globals,
    main: &Function,
    read: &dyn Fn(&Closure) -> Option<Kind>,
) -> Findings {
    match main.arities.first() {
        Some(arity) if machine.edits.is_empty() && may_miss(&arity.body, globals) => {
            let program = Program { fields, machine, globals, body: &arity.body, read };
            let mut walk = Walk::new(&program, MOST_OF_DEFINITIONS);
            walk.main();
            walk.findings()
        }
        _ => Findings::default(),
    }
}

/// Whether the program mentions a key, or a function that may, and something that may have keys.
fn may_miss(body: &Node, globals: &Globals) -> bool {
    let (mut has_key, mut has_source) = (false, false);
    body.look_at_all(&mut |node| match &node.kind {
        Kind::Const(Value::Keyword(_) | Value::Str(_) | Value::Vector(_)) => has_key = true,
        Kind::Global(global) => {
            has_source = true;
            has_key |= matches!(globals.get(*global), Some(Value::Function(_)));
        }
        Kind::Data(_) | Kind::Tool(_) => has_source = true,
        _ => {}
    });
    has_key && has_source
}
