//! Storing the definitions of a session: values, functions with their text, cells with their contents.

mod parts;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::{Map as Object, Value as Json, json};

use self::parts::Parts;
use super::Session;
use crate::error::{Res, Signal, argument_error};
use crate::eval::cells::Cells;
use crate::eval::code_table::CodeTable;
use crate::eval::globals::Globals;
use crate::eval::vm::{Exit, Machine};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::session::memory::stored::{About, Held, MAX_STORED_DEPTH, Omitted, StoredMemory};
use crate::stdlib::table::table;
use crate::value::{
    CellRef, Closure, Keep, KeptCell, KeptFunction, KeptPart, LazySeq, Name, Source, Value, write_stored,
};

/// The texts of all definitions together, and what the last one reserves while it grows, may take this many times the
/// memory limit.
const ALL_DEFINITIONS: u32 = 10;

/// How often definitions are written again because realising others has changed them.
const ROUNDS: usize = 4;

/// The number under which each cell is stored: it stays the same from session to session.
#[derive(Clone, Default)]
pub(super) struct CellIds {
    /// By the place of the cell, with the turn in which it was created: places are reused.
    by_cell: HashMap<u32, (u32, u64)>,
    taken: HashSet<u64>,
    /// Numbers in definitions that are kept unchanged.
    reserved: HashSet<u64>,
    /// All lower numbers are taken.
    next: u64,
}

impl CellIds {
    /// Note that a cell was stored under this number, unless another cell of this session has it.
    pub fn know(&mut self, cell: CellRef, cells: &Cells, id: u64) {
        if self.taken.insert(id) {
            self.by_cell.insert(cell.id, (cells.made_in(cell.id), id));
        }
    }

    /// Give this number to no cell and no part: one outside this session has it.
    pub fn reserve(&mut self, id: u64) {
        self.taken.insert(id);
        self.reserved.insert(id);
    }

    /// The lowest number above this one that nothing outside this session has.
    fn free_after(&self, last: u64) -> u64 {
        (last + 1..).find(|id| !self.reserved.contains(id)).unwrap_or(last)
    }

    /// The lowest free number, so no number in a text can use up the numbers.
    fn of(&mut self, cell: CellRef, cells: &Cells) -> u64 {
        let made = cells.made_in(cell.id);
        if let Some((_, id)) = self.by_cell.get(&cell.id).filter(|(known, _)| *known == made) {
            return *id;
        }
        self.next = self.next.max(1);
        while !self.taken.insert(self.next) {
            self.next += 1;
        }
        self.by_cell.insert(cell.id, (made, self.next));
        self.next
    }
}

/// The fuel and the time of one program, shared by many definitions. One half is shared equally, and each definition
/// may take half of what is left of the other half, and three quarters of the memory that is left. So an endless one
/// leaves some for those after it.
struct Shares {
    each: Limits,
    pool: Limits,
    /// The most bytes that are live.
    held: u64,
}

impl Shares {
    fn of(limits: &Limits, count: usize, held: u64) -> Shares {
        let count = count.max(1);
        let (fuel, time) = (limits.fuel / 2, limits.time / 2);
        let each = u32::try_from(count).map_or(Duration::ZERO, |count| time / count);
        Shares {
            each: Limits { fuel: fuel / count as u64, time: each, ..limits.clone() },
            pool: Limits { fuel, time, ..limits.clone() },
            held,
        }
    }

    /// The meter of the next definition.
    fn next(&self) -> Meter {
        let Shares { each, pool, held } = self;
        let memory = held + each.memory.saturating_sub(*held) / 4 * 3;
        let limits =
            Limits { fuel: each.fuel + pool.fuel / 2, time: each.time + pool.time / 2, memory, ..each.clone() };
        Meter::after(limits, *held)
    }

    /// Note what a definition used.
    fn spend(&mut self, meter: &Meter) {
        let Shares { each, pool, held } = self;
        *held = meter.live.saturating_add(meter.charged);
        pool.fuel = pool.fuel.saturating_sub(meter.fuel_used().saturating_sub(each.fuel));
        pool.time = pool.time.saturating_sub(meter.run_time().saturating_sub(each.time));
    }
}

/// What the definitions written so far took.
struct Writing {
    /// Memory of the texts, and of the numbers of parts.
    meter: Meter,
    parts: Parts,
    /// Bytes of text that are left.
    room: u64,
    /// Cells whose content is in the memory already.
    written: HashSet<u64>,
    /// Those of them that were written for the last definition.
    first_here: Vec<u64>,
    /// What was charged before it.
    charged: u64,
}

impl Writing {
    fn new(limits: &Limits, room: u64, parts: Parts) -> Writing {
        let meter = Meter::writing(limits, ALL_DEFINITIONS);
        Writing { meter, parts, room, written: HashSet::new(), first_here: Vec::new(), charged: 0 }
    }

    /// Start the next definition.
    fn begin(&mut self) {
        self.first_here.clear();
        self.parts.begin();
        self.charged = self.meter.charged;
    }

    /// Take back what the last definition took: others write the contents of its cells.
    fn undo(&mut self) {
        self.meter.charged = self.charged;
        self.parts.undo();
        for id in self.first_here.drain(..) {
            self.written.remove(&id);
        }
    }
}

impl Session {
    /// The definitions as stored memory, and those that cannot be stored, with the reason.
    ///
    /// - functions keep their text and captured values; atoms keep their content, shared atoms one content
    /// - generators are realised, all together under the limits of one program, of which each definition gets a share;
    ///   endless ones are omitted. What this writes into atoms is stored, too: it has happened, as it would in a
    ///   program that reads them
    /// - all together may take [`StoredMemory::max_bytes`] of text; what comes after that is omitted
    /// - definitions that [`Session::restore_memory`] could not restore are kept unchanged, unless defined again
    ///
    /// To be called between programs: a program that waits is abandoned, as by [`Session::start`].
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, StoredMemory, no_tools};
    ///
    /// let mut session = Session::new(SessionOptions::default());
    /// session.run("(defn area [w h] (* w h))", &mut no_tools);
    /// let (stored, left_out) = session.store_memory();
    /// assert!(left_out.is_empty());
    /// let text = serde_json::to_string(&stored)?;
    ///
    /// let mut later = Session::new(SessionOptions::default());
    /// assert!(later.restore_memory(&StoredMemory::parse(&text)?).is_empty());
    /// assert_eq!(later.run("(area 2 3)", &mut no_tools).into_result()?.to_string(), "6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn store_memory(&mut self) -> (StoredMemory, Vec<Omitted>) {
        self.abandon();
        self.machine.clear();
        let (mut stored, left_out) = self.written_down();
        stored.entries.extend(self.kept_as_they_came().map(|(name, held)| (name.clone(), held.clone())));
        // What realising generators left belongs to no program.
        self.begin(self.limits.clone());
        let counted = self.machine.scan();
        self.carried = counted.is_ok().then_some(self.machine.cx.meter.live);
        (stored, left_out)
    }

    /// All definitions in the state of one moment: realising one may change atoms of others.
    fn written_down(&mut self) -> (StoredMemory, Vec<Omitted>) {
        // What used up all the fuel of a program is not tried again.
        let mut unwritable: HashMap<String, String> = HashMap::new();
        let mut shares = Shares::of(&self.limits, self.bound().len(), self.machine.left_bytes());
        let mut round = 1;
        loop {
            let before = self.machine.cx.cells.changes();
            let parts = Parts::of(&self.machine.globals, &self.machine.cx.cells);
            let (stored, left_out, parts) = self.written_once(&unwritable, &mut shares, parts);
            if round == ROUNDS || self.machine.cx.cells.changes() == before {
                let Some((parts, _held)) = parts.exact() else { return (stored, left_out) };
                unwritable.extend(left_out.into_iter().map(|Omitted { name, why }| (name, why)));
                let (stored, left_out, _) = self.written_once(&unwritable, &mut shares, parts);
                return (stored, left_out);
            }
            unwritable.extend(left_out.into_iter().map(|Omitted { name, why }| (name, why)));
            round += 1;
        }
    }

    fn written_once(
        &mut self,
        unwritable: &HashMap<String, String>,
        shares: &mut Shares,
        parts: Parts,
    ) -> (StoredMemory, Vec<Omitted>, Parts) {
        let (mut stored, mut left_out) = (StoredMemory::default(), Vec::new());
        let mut writing = Writing::new(&self.limits, self.room_for_definitions(), parts);
        for (name, value) in self.bound() {
            self.machine.cx.begin(shares.next());
            let held = match unwritable.get(&name) {
                Some(why) => Err(why.clone()),
                None => self.stored(&name, &value, &mut writing),
            };
            match held.and_then(|held| self.fitting(held, &name, &mut writing.room)) {
                Ok(held) => drop(stored.entries.insert(name, held)),
                Err(why) => {
                    writing.undo();
                    left_out.push(Omitted { name, why });
                }
            }
            shares.spend(&self.machine.cx.meter);
        }
        (stored, left_out, writing.parts)
    }

    /// Definitions that could not be restored and are not bound here.
    fn kept_as_they_came(&self) -> impl Iterator<Item = (&String, &Held)> {
        let globals = &self.machine.globals;
        self.foreign.iter().filter(|(name, _)| !globals.is_defined(name))
    }

    /// Bytes of text left by the definitions that are kept unchanged.
    fn room_for_definitions(&self) -> u64 {
        let kept: u64 = self.kept_as_they_came().map(|(name, held)| held.bytes_as(name)).sum();
        // Including the braces and the end of the line.
        StoredMemory::max_bytes(&self.limits).saturating_sub(kept + 3)
    }

    /// The entry, if there is room for its text, which it takes. Errors with the reason why there is not.
    fn fitting(&self, held: Held, name: &str, room: &mut u64) -> Result<Held, String> {
        let bytes = held.bytes_as(name);
        *room = room.checked_sub(bytes).ok_or_else(|| {
            let most = StoredMemory::max_bytes(&self.limits);
            format!(
                "it takes {bytes} bytes of text, and all together may take {most}, eight times the memory limit; keep only \
                 what is needed of it, or raise that limit"
            )
        })?;
        Ok(held)
    }

    fn bound(&self) -> Vec<(String, Value)> {
        let bound = self.machine.globals.iter();
        bound.filter_map(|(name, global)| Some((name.to_string(), global.value.clone()?))).collect()
    }

    fn about(&self, name: &str) -> About {
        let globals = &self.machine.globals;
        let global = globals.named(&Name::new(name));
        About {
            doc: global.and_then(|global| global.doc.as_ref()).map(ToString::to_string),
            returns: global.and_then(|global| globals.return_label(global)),
            order: global.map_or(0, |global| global.order),
        }
    }

    /// The definition as text, with its generators realised. Errors with the reason why it cannot be stored.
    fn stored(&mut self, name: &str, value: &Value, writing: &mut Writing) -> Result<Held, String> {
        writing.begin();
        loop {
            let mut text = Held::START.to_owned();
            let cx = &self.machine.cx;
            let mut keeper = Keeper {
                globals: &self.machine.globals,
                codes: &self.machine.codes,
                cells: &cx.cells,
                ids: &mut self.cell_ids,
                limits: &self.limits,
                written: &mut writing.written,
                first_here: &mut writing.first_here,
                parts: &mut writing.parts,
                unrealised: Vec::new(),
            };
            let told = write_stored(&mut text, value, &cx.cells, &mut keeper, MAX_STORED_DEPTH, &mut writing.meter);
            let unrealised = keeper.unrealised;
            match told {
                Ok(()) if unrealised.is_empty() => return Held::of(text, &self.about(name)),
                other => {
                    writing.undo();
                    other.map_err(|signal| message(*signal))?;
                    realise(&mut self.machine, unrealised)?;
                }
            }
        }
    }
}

/// Run the machine until these generators are realised to their ends.
fn realise(machine: &mut Machine, cells: Vec<u32>) -> Result<(), String> {
    machine.clear();
    machine.cx.meter.resume();
    let signal = Signal::NeedAll(cells);
    if !machine.start_force(&signal) {
        return Err(message(signal));
    }
    let codes = machine.codes.clone();
    let ended = loop {
        match machine.run(&codes, i64::MAX) {
            Exit::Slice => {}
            Exit::Done(_) => break Ok(()),
            Exit::Calls => break Err("its elements come from tool calls that have not been made".to_owned()),
            Exit::Signal(signal) => break Err(format!("its elements cannot be realised: {}", message(*signal))),
        }
    };
    machine.clear();
    ended
}

fn message(signal: Signal) -> String {
    match signal {
        Signal::Error(error) => error.into_error().message,
        Signal::Return(_) | Signal::Fail(_) => "they end the program".to_owned(),
        Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_) => "a sequence could not be realised".to_owned(),
    }
}

/// Knows how cells and functions of the session are written.
struct Keeper<'a> {
    globals: &'a Globals,
    codes: &'a CodeTable,
    cells: &'a Cells,
    ids: &'a mut CellIds,
    limits: &'a Limits,
    /// Cells whose content is already in the memory.
    written: &'a mut HashSet<u64>,
    /// Those that were written for this definition.
    first_here: &'a mut Vec<u64>,
    parts: &'a mut Parts,
    unrealised: Vec<u32>,
}

impl Keep for Keeper<'_> {
    fn cell(&mut self, cell: CellRef) -> KeptCell {
        let id = self.ids.of(cell, self.cells);
        if !self.written.insert(id) {
            return KeptCell { id, content: None, waiting: None };
        }
        self.first_here.push(id);
        KeptCell { id, content: self.cells.content(cell.id).cloned(), waiting: self.cells.waiting(cell.id).cloned() }
    }

    fn part(&mut self, value: &Value) -> Option<KeptPart> {
        self.parts.number(value, self.ids)
    }

    fn limits(&self) -> &Limits {
        self.limits
    }

    fn unrealised(&mut self, generator: LazySeq) {
        if !self.unrealised.contains(&generator.cell) {
            self.unrealised.push(generator.cell);
        }
    }

    fn function(&mut self, function: &Value) -> Res<KeptFunction> {
        match function {
            Value::Builtin(id) => Ok(KeptFunction::core(table().entry(*id).row.name.to_owned(), Vec::new())),
            Value::Tool(name) => Ok(KeptFunction::plain(format!("tool/{name}"))),
            Value::Function(closure) => self.closure(closure),
            other => Err(argument_error(format!("a {} cannot be stored", other.kind()))),
        }
    }
}

impl Keeper<'_> {
    fn closure(&self, closure: &Closure) -> Res<KeptFunction> {
        let proto = &closure.proto;
        let name = proto.name.as_deref().unwrap_or_default();
        let Some((source, text)) = proto.source.as_ref().and_then(|source| Some((source, source.text(name)?))) else {
            let text = format!(
                "the text of {closure:?} is not in one piece in its program; write the function without a threading macro"
            );
            return Err(argument_error(text));
        };
        let captures: Vec<_> = proto.capture_names.iter().cloned().zip(closure.captured().iter().cloned()).collect();
        if proto.arities.iter().all(|entry| entry.hidden) {
            return Ok(KeptFunction::core(text, captures));
        }
        let fields = self.fields(closure, source, &text);
        Ok(KeptFunction { source: text, fields, captures })
    }

    /// The fields written in addition to text and captured values.
    fn fields(&self, closure: &Closure, source: &Source, text: &str) -> Object<String, Json> {
        let mut fields = Object::new();
        if let Some(name) = &closure.proto.name {
            fields.insert("name".to_owned(), json!(name.as_ref()));
        }
        let used = self.codes.definitions_of(closure);
        let mut names: Vec<String> =
            used.iter().filter_map(|number| self.globals.name(*number)).map(ToString::to_string).collect();
        names.sort_unstable();
        fields.insert("globals".to_owned(), json!(names));
        let required = &source.program.required;
        let aliases = required.aliases.iter().filter(|(alias, _)| text.contains(&format!("{alias}/")));
        let referred = required.referred.iter().filter(|(name, _)| text.contains(name.as_str()));
        for (field, mut pairs) in [("aliases", aliases.collect::<Vec<_>>()), ("refers", referred.collect())] {
            pairs.sort_unstable();
            if !pairs.is_empty() {
                let pairs = pairs.into_iter().map(|(name, namespace)| (name.clone(), json!(namespace)));
                fields.insert(field.to_owned(), pairs.collect::<Object<_, _>>().into());
            }
        }
        fields
    }
}
