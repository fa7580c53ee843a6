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

use std::sync::{Mutex, PoisonError};

use crate::analyze::ir::{Function, Kind, Node};
use crate::eval::cells::Cells;
use crate::eval::globals::Globals;
use crate::eval::vm::Machine;
use crate::signature::Field;
use crate::value::{Closure, Name, Value};

pub(crate) use report::Findings;
use summary::Summary;
use value::Known;
use walk::Walk;

/// Values of one entry of the data that are examined.
const MOST_OF_DATA: usize = 20_000_000;
/// Values of all definitions that are examined for one program.
const MOST_OF_DEFINITIONS: usize = 200_000;

/// Elements of each list that are examined at first. Mostly they have all that a program looks up.
const SAMPLE: usize = 32;

/// What is known of the data of a session; each entry is examined when a program looks something up in it, and as a whole
/// only when a program looks for something that its first elements do not have.
#[derive(Debug, Default)]
pub(crate) struct DataFields {
    known: Mutex<Vec<(Name, Summary)>>,
    /// The types that the host declares for entries: their fields may be there in other runs.
    declared: Vec<Field>,
}

impl DataFields {
    pub fn new(declared: Vec<Field>) -> DataFields {
        DataFields { declared, ..DataFields::default() }
    }

    fn of(&self, name: &Name, value: &Value, cells: &Cells, each: usize) -> Summary {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = |summary: &Summary| !summary.is_sample || each == SAMPLE;
        if let Some((_, summary)) = known.iter().find(|(known, summary)| known == name && is_enough(summary)) {
            return summary.clone();
        }
        let mut found = summary::of_value(value, &format!("data/{name}"), cells, &mut { MOST_OF_DATA }, each);
        if let Some(field) = self.declared.iter().find(|field| field.name == name.as_str()) {
            found.known = summary::with_declared(found.known, &field.ty);
        }
        known.retain(|(known, _)| known != name);
        // Bounded: the entries of the data that programs name.
        known.push((name.clone(), found.clone()));
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
    /// The most elements of each list that are examined.
    each: usize,
}

impl Program<'_> {
    /// An entry of the data.
    fn data(&self, name: &Name) -> Summary {
        match self.machine.data.get_named(name.as_str()) {
            Some(value) if name.as_str() != "fail" => self.fields.of(name, value, &self.machine.cx.cells, self.each),
            _ => Summary { known: Known::any(), is_sample: false },
        }
    }

    /// What its lookups find; `None` when it may find something else in what was not examined.
    fn findings(&self) -> Option<Findings> {
        let mut walk = Walk::new(self, MOST_OF_DEFINITIONS);
        walk.main();
        (!walk.is_sample || !walk.is_doubtful).then(|| walk.findings())
    }
}

/// The lookups of a program that find nothing.
///
/// Cost: linear in a program without lookups, or without anything known to look into. Otherwise functions are walked
/// once for each place that calls them, up to 20,000 expressions. Of data and definitions the first elements are
/// examined; where a lookup finds nothing there, all of it, as their constants say, and the program is walked again.
pub(crate) fn find(
    fields: &DataFields,
    machine: &Machine,
    globals: &Globals,
    main: &Function,
    read: &dyn Fn(&Closure) -> Option<Kind>,
) -> Findings {
    match main.arities.first() {
        Some(arity) if machine.edits.is_empty() && may_miss(&arity.body, globals) => {
            let mut program = Program { fields, machine, globals, body: &arity.body, read, each: SAMPLE };
            program.findings().unwrap_or_else(|| {
                program.each = usize::MAX;
                program.findings().unwrap_or_default()
            })
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
