//! Reading stored definitions into a session.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Session;
use crate::analyze::docstring;
use crate::eval::cells::Cells;
use crate::eval::prelude;
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::parse::program_text::Required;
use crate::parse::{self, FormKind};
use crate::session::memory::stored::{Held, MAX_STORED_DEPTH, Omitted, StoredMemory};
use crate::session::program::{self, FunctionText};
use crate::stdlib::table::table;
use crate::value::{
    CellKind, CellRef, Closure, Name, Proto, Restore, Shape, TaggedError, TaggedFunction, TaggedReader, Value,
};

/// Highest number of a definition or a cell that is accepted: a higher one would leave none for new ones.
const MAX_NUMBER: u64 = 1 << 53;
/// Restoring takes the time of one program at most this many times for each text of the size of the memory limit, in
/// addition to once.
const TIMES: u64 = 2;
/// Bytes charged for a definition besides its value: its name, and its places in tables.
const DEFINITION: usize = 256;
/// Bytes charged for a cell until it is known whether anything refers to it.
const CELL: usize = 256;
/// Bytes charged for the code of a function: a base, and an amount for each byte of its text.
const FUNCTION: (usize, usize) = (1_024, 32);
/// Units of fuel that each byte of a definition adds: more than reading it takes in normal cases.
const STEPS: u64 = 32;

impl Session {
    /// Bind the definitions of a stored memory, in their order; returns those that could not be restored.
    ///
    /// - nothing runs: the texts of functions are analyzed and compiled with their captured values
    /// - all together may take the memory of one program, its fuel plus 32 units for each byte of text, and its time,
    ///   plus twice its time for each text of the size of its memory; the rest is omitted. No definition may use more than half of the remaining fuel. The next program has
    ///   all its fuel and time, and the memory that the definitions leave
    /// - [`Session::store_memory`] writes omitted definitions again, unchanged. They make nothing else unreadable: an
    ///   atom that others share still gets its content. Where two definitions have contents for one atom, the first one
    ///   in the text counts
    pub fn restore_memory(&mut self, stored: &StoredMemory) -> Vec<Omitted> {
        let mut known: HashSet<String> = stored.entries.keys().cloned().collect();
        known.extend(self.machine.globals.iter().map(|(name, _)| name.to_string()));
        let mut meter = Meter::restoring(&self.limits, 1 + times(stored, &self.limits));
        meter.suppose(self.machine.definitions_bytes(), 0);
        let mut reader = TaggedReader::new(&mut meter, MAX_STORED_DEPTH);
        let mut rebuild = Rebuild {
            machine: &mut self.machine,
            limits: &self.limits,
            known,
            cells: HashMap::new(),
            entry: 0,
            kept_here: false,
            bytes_left: self.limits.memory,
            fuel: self.limits.fuel,
        };
        let read = stored.entries.iter().map(|(name, held)| (name, held, rebuild.entry(name, held, &mut reader)));
        let mut read: Vec<(&String, &Held, Result<Entry, String>)> = read.collect();
        let cells = rebuild.cells;
        let broken = broken(&cells, &self.machine.cx.cells);
        for (id, known) in cells.iter().filter(|(_, known)| !broken.contains_key(&known.cell.id)) {
            self.cell_ids.know(known.cell, &self.machine.cx.cells, *id);
        }
        read.sort_by_key(|(_, _, entry)| entry.as_ref().map_or(0, |entry| entry.order));
        let mut left_out = Vec::new();
        for (name, held, entry) in read {
            let entry = entry.and_then(|entry| match first_of(&entry.value, &broken) {
                Some(id) => Err(format!("it refers to the atom or delay {id}, whose content is not in the memory")),
                None => Ok(entry),
            });
            match entry {
                Ok(Entry { value, doc, returns, order }) => {
                    let slot = self.machine.globals.slot(&Name::new(name));
                    self.machine.globals.restore(slot, value, doc, returns, order);
                    self.foreign.shift_remove(name);
                }
                Err(why) => {
                    left_out.push(Omitted { name: name.clone(), why });
                    held.ids().for_each(|id| self.cell_ids.reserve(id));
                    self.foreign.insert(name.clone(), held.clone());
                }
            }
        }
        let repeated = stored.repeated.iter().cloned();
        let why = "the memory has it more than once, and the last one counts";
        left_out.extend(repeated.map(|name| Omitted { name, why: why.to_owned() }));
        self.machine.cx.cells.begin_turn();
        self.carried = None;
        left_out
    }
}

/// How often restoring may take the time of one program because the text is long.
fn times(stored: &StoredMemory, limits: &Limits) -> u32 {
    let text: u64 = stored.entries.values().map(|held| held.text().len() as u64).sum();
    let times = text.saturating_mul(TIMES).checked_div(limits.memory).unwrap_or(0);
    u32::try_from(times).unwrap_or(u32::MAX)
}

/// A definition as read.
struct Entry {
    value: Value,
    doc: Option<Arc<str>>,
    returns: Option<Shape>,
    order: u64,
}

/// The cells that have no content, or refer to such cells, each with the number of one without content.
fn broken(known: &HashMap<u64, Restored>, cells: &Cells) -> HashMap<u32, u64> {
    let mut owners: HashMap<u32, Vec<u32>> = HashMap::new();
    for Restored { cell, .. } in known.values() {
        for content in cells.content(cell.id).into_iter().chain(cells.waiting(cell.id)) {
            each_cell(content, &mut |inner| {
                owners.entry(inner).or_default().push(cell.id);
                true
            });
        }
    }
    let empty = known.iter().filter(|(_, known)| known.filled.is_none());
    let mut open: Vec<(u32, u64)> = empty.map(|(id, known)| (known.cell.id, *id)).collect();
    let mut broken = HashMap::new();
    while let Some((cell, id)) = open.pop() {
        if broken.insert(cell, id).is_none() {
            open.extend(owners.remove(&cell).into_iter().flatten().map(|owner| (owner, id)));
        }
    }
    broken
}

/// The number recorded for the first of these cells in a value.
fn first_of(value: &Value, broken: &HashMap<u32, u64>) -> Option<u64> {
    let mut found = None;
    if !broken.is_empty() {
        each_cell(value, &mut |cell| {
            found = broken.get(&cell).copied();
            found.is_none()
        });
    }
    found
}

/// Visit the cells of a value, not those in their contents, until the function returns false.
fn each_cell(value: &Value, visit: &mut dyn FnMut(u32) -> bool) {
    let (mut open, mut seen) = (vec![value], HashSet::new());
    while let Some(value) = open.pop() {
        // A text can share parts so that they are endless when written out.
        if value.sharing().is_some_and(|sharing| sharing.shared && !seen.insert(sharing.address)) {
            continue;
        }
        match value {
            Value::Cell(cell) if !visit(cell.id) => return,
            Value::Function(closure) => open.extend(closure.captured()),
            Value::Exception(exception) => open.extend(exception.attached.values()),
            Value::Vector(_) | Value::Map(_) | Value::Set(_) => open.extend(value.parts()),
            _ => {}
        }
    }
}

/// A cell that is being restored.
#[derive(Copy, Clone)]
struct Restored {
    cell: CellRef,
    /// The number of the entry that had its content.
    filled: Option<usize>,
}

struct Rebuild<'a> {
    machine: &'a mut Machine,
    limits: &'a Limits,
    /// Names that functions may refer to when their text does not list them.
    known: HashSet<String>,
    /// Cells by their numbers in the memory.
    cells: HashMap<u64, Restored>,
    /// The number of the entry being read.
    entry: usize,
    /// Whether this entry created a cell or a function or filled a cell; these stay whatever happens to the entry.
    kept_here: bool,
    /// Bytes left for cells and the code of functions.
    bytes_left: u64,
    /// Fuel for what the bytes of a definition do not pay for.
    fuel: u64,
}

impl Rebuild<'_> {
    /// The definition of this name. An error in it does not withhold its cells from others.
    fn entry(&mut self, name: &str, held: &Held, reader: &mut TaggedReader<'_>) -> Result<Entry, String> {
        self.entry += 1;
        self.kept_here = false;
        reader.begin();
        let own = STEPS.saturating_mul(held.text().len() as u64);
        reader.meter().refuel(own.saturating_add(self.fuel / 2));
        let (charged, bytes_left) = (reader.meter().charged, self.bytes_left);
        let read = self.read(name, held, reader);
        self.fuel = self.fuel.saturating_sub(reader.meter().fuel_used().saturating_sub(own));
        if read.is_err() {
            reader.undo();
        }
        if read.is_err() && !self.kept_here {
            reader.meter().charged = charged;
            self.bytes_left = bytes_left;
        }
        read
    }

    fn read(&mut self, name: &str, held: &Held, reader: &mut TaggedReader<'_>) -> Result<Entry, String> {
        reader.meter().look_at_clock().map_err(|error| error.message)?;
        reader.meter().allocate(DEFINITION).map_err(|error| error.message)?;
        let entry = held.entry();
        let text = entry.as_ref().ok().map(|entry| entry.value).or_else(|| held.value());
        let value = text.map(|text| reader.value(text.get(), self));
        let entry = entry?;
        let value = value.unwrap_or(Ok(Value::Nil)).map_err(|error| error.to_string())?;
        if !is_name(name) {
            return Err("a program cannot define this name".to_owned());
        }
        let doc = entry.doc.map(|doc| Arc::from(docstring(&doc)));
        let returns = entry.returns.as_deref().and_then(Shape::of_label);
        Ok(Entry { value, doc, returns, order: entry.order.min(MAX_NUMBER) })
    }

    fn numbered(&mut self, kind: CellKind, id: u64, content: Option<Content>) -> Result<Value, TaggedError> {
        if id > MAX_NUMBER {
            return Err(refused(kind, format!("its number {id} is above {MAX_NUMBER}")));
        }
        if !self.cells.contains_key(&id) {
            self.spend(CELL)?;
        }
        let cells = &mut self.machine.cx.cells;
        let known =
            self.cells.entry(id).or_insert_with(|| Restored { cell: cells.cell(kind, Value::Nil), filled: None });
        if known.cell.kind != kind {
            return Err(refused(kind, format!("{id} is the number of another kind of cell")));
        }
        let Some(content) = content else { return Ok(Value::Cell(known.cell)) };
        match known.filled {
            Some(entry) if entry == self.entry => return Err(refused(kind, format!("{id} has two contents"))),
            // Another definition also had the content, and came first.
            Some(_) => {}
            None => {
                match content {
                    Content::Value(value) => cells.store(known.cell.id, value),
                    Content::Waiting(body) => cells.postpone(known.cell.id, body),
                }
                known.filled = Some(self.entry);
                self.kept_here = true;
            }
        }
        Ok(Value::Cell(known.cell))
    }

    /// Note that a cell or a function of this many bytes is created.
    fn spend(&mut self, bytes: usize) -> Result<(), TaggedError> {
        let left = self.bytes_left.checked_sub(bytes as u64).ok_or_else(|| TaggedError::Limit {
            why: format!(
                "atoms and functions up to this one take more than the memory limit of {} bytes",
                self.limits.memory
            ),
        });
        self.bytes_left = left?;
        self.kept_here = true;
        Ok(())
    }

    /// A builtin, or a function that a builtin created.
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
            (None, Some(content)) => {
                self.spend(CELL)?;
                Ok(Value::Cell(self.machine.cx.cells.cell(kind, content)))
            }
            (None, None) => Err(refused(kind, "it has neither content nor number".to_owned())),
        }
    }

    fn delay(&mut self, id: Option<u64>, body: Value) -> Result<Value, TaggedError> {
        match id {
            Some(id) => self.numbered(CellKind::Delay, id, Some(Content::Waiting(body))),
            None => {
                self.spend(CELL)?;
                Ok(Value::Cell(self.machine.cx.cells.delay(body)))
            }
        }
    }

    fn function(&mut self, text: &TaggedFunction, captures: Vec<(String, Value)>) -> Result<Value, TaggedError> {
        let wrong = |why: String| TaggedError::NotRestorable { kind: "fn", why };
        let Some(source) = text.source.as_deref() else { return Err(wrong("it has no `source`".to_owned())) };
        if text.core {
            return self.core(source, &captures).ok_or_else(|| wrong("no builtin makes such a function".to_owned()));
        }
        let name = text.name.as_deref();
        if name.is_some_and(|name| !is_name(name)) {
            return Err(wrong("its `name` is not one that a program can write".to_owned()));
        }
        self.spend(FUNCTION.0 + FUNCTION.1.saturating_mul(source.len()))?;
        let names: Vec<&str> = captures.iter().map(|(name, _)| name.as_str()).collect();
        let function = FunctionText {
            source,
            name,
            captured: &names,
            globals: text.globals.as_ref().unwrap_or(&self.known),
            required: Required { aliases: text.aliases.clone(), referred: text.refers.clone() },
        };
        let values: Vec<Value> = captures.iter().map(|(_, value)| value.clone()).collect();
        let loaded = program::load_function(&function, &values, self.machine, self.limits);
        loaded.map_err(wrong)
    }
}

fn refused(kind: CellKind, why: String) -> TaggedError {
    TaggedError::NotRestorable { kind: kind.as_str(), why }
}

/// The captured values in the order of the function.
fn in_order(proto: &Proto, captures: &[(String, Value)]) -> Option<Vec<Value>> {
    let value = |name: &Arc<str>| captures.iter().find(|(known, _)| **known == **name).map(|(_, value)| value.clone());
    proto.capture_names.iter().map(value).collect()
}

/// Whether a program could define it.
pub(super) fn is_name(name: &str) -> bool {
    let parsed = parse::parse_with(name, parse::ReadLimits::default());
    parsed.is_ok_and(|parsed| match parsed.forms.as_slice() {
        [form] => matches!(&form.kind, FormKind::Symbol(symbol) if symbol.ns.is_none() && symbol.name == name),
        _ => false,
    })
}
