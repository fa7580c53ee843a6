//! Definitions into a session.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value as Json;

use super::Session;
use crate::eval::prelude;
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::memory::stored::{Held, LeftOut, StoredMemory};
use crate::parse::{self, FormKind};
use crate::program::{self, FunctionText};
use crate::stdlib::table::table;
use crate::value::{
    CellKind, CellRef, Closure, Name, Proto, Required, Restore, Shape, TaggedError, Value, from_tagged,
};

/// Highest number of a definition or a cell that is taken over: beyond, there would be none left for new ones.
const MAX_NUMBER: u64 = 1 << 53;

impl Session {
    /// Bind the definitions of a stored memory, in their order; returns those that cannot be restored.
    ///
    /// Nothing runs: the texts of functions are analyzed and compiled with their captured values. What is left out here
    /// is written again by [`Session::store_memory`].
    pub fn restore_memory(&mut self, stored: &StoredMemory) -> Vec<LeftOut> {
        let mut known: HashSet<String> = stored.entries.keys().cloned().collect();
        known.extend(self.machine.globals.iter().map(|(name, _)| name.to_string()));
        let mut rebuild = Rebuild {
            machine: &mut self.machine,
            limits: &self.limits,
            known,
            cells: HashMap::new(),
            used: Vec::new(),
        };
        let read: Vec<_> = stored.entries.iter().map(|(name, held)| (name, held, rebuild.entry(name, held))).collect();
        let cells = rebuild.cells;
        let mut left_out = Vec::new();
        for (name, held, value) in read {
            let value = value.and_then(|(value, used)| {
                match used.iter().find(|id| cells.get(id).is_none_or(|cell| !cell.filled)) {
                    Some(id) => Err(format!("it refers to the atom or delay {id}, whose content is not in the memory")),
                    None => Ok(value),
                }
            });
            match (value, held) {
                (Ok(value), Held::Entry(entry)) => {
                    let slot = self.machine.globals.slot(&Name::new(name));
                    let returns = entry.returns.as_deref().and_then(Shape::of_label);
                    let doc = entry.doc.as_deref().map(Arc::from);
                    self.machine.globals.restore(slot, value, doc, returns, entry.order.min(MAX_NUMBER));
                    self.foreign.shift_remove(name);
                }
                (value, held) => {
                    let why = value.err().unwrap_or_default();
                    left_out.push(LeftOut { name: name.clone(), why });
                    self.foreign.insert(name.clone(), held.clone());
                }
            }
        }
        for (id, cell) in &cells {
            self.cell_ids.know(cell.cell, *id);
        }
        self.machine.cx.cells.begin_turn();
        self.carried = None;
        left_out
    }
}

/// A cell that is being restored.
#[derive(Copy, Clone)]
struct Restored {
    cell: CellRef,
    /// Whether its content was found.
    filled: bool,
}

struct Rebuild<'a> {
    machine: &'a mut Machine,
    limits: &'a Limits,
    /// Names that functions may refer to when they do not say which.
    known: HashSet<String>,
    /// By the numbers in the memory.
    cells: HashMap<u64, Restored>,
    /// Cells that the current definition refers to.
    used: Vec<u64>,
}

impl Rebuild<'_> {
    /// The value of a definition and the cells it refers to.
    fn entry(&mut self, name: &str, held: &Held) -> Result<(Value, Vec<u64>), String> {
        let entry = held.entry()?;
        if !is_name(name) {
            return Err("a program cannot define this name".to_owned());
        }
        self.used.clear();
        let value = from_tagged(&entry.value, self).map_err(|error| error.to_string())?;
        Ok((value, std::mem::take(&mut self.used)))
    }

    fn numbered(&mut self, kind: CellKind, id: u64, content: Option<Content>) -> Result<Value, TaggedError> {
        if id > MAX_NUMBER {
            return Err(refused(kind, format!("its number {id} is above {MAX_NUMBER}")));
        }
        let cells = &mut self.machine.cx.cells;
        let known =
            self.cells.entry(id).or_insert_with(|| Restored { cell: cells.cell(kind, Value::Nil), filled: false });
        self.used.push(id);
        if known.cell.kind != kind {
            return Err(refused(kind, format!("{id} is the number of another kind of cell")));
        }
        if content.is_some() && known.filled {
            return Err(refused(kind, format!("{id} has two contents")));
        }
        match content {
            Some(Content::Value(value)) => cells.store(known.cell.id, value),
            Some(Content::Waiting(body)) => cells.postpone(known.cell.id, body),
            None => return Ok(Value::Cell(known.cell)),
        }
        known.filled = true;
        Ok(Value::Cell(known.cell))
    }

    /// A builtin, or a function that a builtin made.
    fn core(&self, text: &str, captures: &[(String, Value)]) -> Option<Value> {
        if let Some(id) = table().find(text).filter(|_| captures.is_empty() && !text.starts_with('%')) {
            return Some(Value::Builtin(id));
        }
        let proto = prelude::made(text, captures.iter().map(|(name, _)| name.as_str()))?;
        Some(Value::Function(Arc::new(Closure::new(proto.clone(), in_order(proto, captures)?))))
    }
}

/// The content of a cell.
enum Content {
    Value(Value),
    /// The function of a delay that has not run.
    Waiting(Value),
}

impl Restore for Rebuild<'_> {
    fn cell(&mut self, kind: CellKind, id: Option<u64>, content: Option<Value>) -> Result<Value, TaggedError> {
        match (id, content) {
            (Some(id), content) => self.numbered(kind, id, content.map(Content::Value)),
            (None, Some(content)) => Ok(Value::Cell(self.machine.cx.cells.cell(kind, content))),
            (None, None) => Err(refused(kind, "it has neither content nor number".to_owned())),
        }
    }

    fn delay(&mut self, id: Option<u64>, body: Value) -> Result<Value, TaggedError> {
        match id {
            Some(id) => self.numbered(CellKind::Delay, id, Some(Content::Waiting(body))),
            None => Ok(Value::Cell(self.machine.cx.cells.delay(body))),
        }
    }

    fn function(&mut self, tagged: &Json, captures: Vec<(String, Value)>) -> Result<Value, TaggedError> {
        let text = |field: &str| tagged.get(field).and_then(Json::as_str);
        let wrong = |why: String| TaggedError::NotRestorable { kind: "fn", why };
        let Some(source) = text("source") else { return Err(wrong("it has no `source`".to_owned())) };
        if tagged.get("core").and_then(Json::as_bool) == Some(true) {
            return self.core(source, &captures).ok_or_else(|| wrong("no builtin makes such a function".to_owned()));
        }
        let names: Vec<&str> = captures.iter().map(|(name, _)| name.as_str()).collect();
        let globals = tagged.get("globals").and_then(Json::as_array);
        let globals = globals.map(|names| names.iter().filter_map(Json::as_str).map(str::to_owned).collect());
        let function = FunctionText {
            source,
            name: text("name"),
            captured: &names,
            globals: globals.as_ref().unwrap_or(&self.known),
            required: Required { aliases: pairs(tagged.get("aliases")), referred: pairs(tagged.get("refers")) },
        };
        let values: Vec<Value> = captures.iter().map(|(_, value)| value.clone()).collect();
        program::load_function(&function, &values, self.machine, self.limits).map_err(wrong)
    }
}

fn refused(kind: CellKind, why: String) -> TaggedError {
    TaggedError::NotRestorable { kind: kind.as_str(), why }
}

/// The fields of an object that are texts.
fn pairs(object: Option<&Json>) -> HashMap<String, String> {
    let fields = object.and_then(Json::as_object).into_iter().flatten();
    fields.filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned()))).collect()
}

/// The captured values in the order in which the function has them.
fn in_order(proto: &Proto, captures: &[(String, Value)]) -> Option<Vec<Value>> {
    let value = |name: &Arc<str>| captures.iter().find(|(known, _)| **known == **name).map(|(_, value)| value.clone());
    proto.capture_names.iter().map(value).collect()
}

/// Whether a program could define it.
fn is_name(name: &str) -> bool {
    let parsed = parse::parse_with(name, parse::ReadLimits::default());
    parsed.is_ok_and(|parsed| match parsed.forms.as_slice() {
        [form] => matches!(&form.kind, FormKind::Symbol(symbol) if symbol.ns.is_none() && symbol.name == name),
        _ => false,
    })
}
