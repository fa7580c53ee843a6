//! The session's cells: contents of atoms, volatiles and delays, and what generators have realised.

mod each;
mod steps;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::error::{Res, Signal, argument_error, type_error};
use crate::limits::meter::{Meter, PACE};
use crate::limits::release::release;
use crate::session::fields::ShownNames;
use crate::value::{CellKind, CellRef, LazySeq, Realised, Value, reserve};

pub(crate) use each::{Each, Mode};
pub(crate) use steps::{Cursor, Direct, Need, Steps};

/// Contents by cell number. Values hold only numbers, so they stay immutable and free of cycles.
#[derive(Clone, Default)]
pub(crate) struct Cells {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The contents of cells before their first write of this turn.
    undo: HashMap<u32, Value>,
    /// The turn in which each slot was filled: cells of this turn need no undo.
    made: Vec<u32>,
    turn: u32,
    generators: usize,
    /// Number of changes so far, and when the turn began.
    changes: u64,
    changes_before: u64,
    /// Delays whose functions are running.
    running_delays: HashSet<u32>,
    /// The names beginning with `_` that the formatter shows.
    pub shown_names: ShownNames,
}

/// How many elements are computed ahead.
const AHEAD: usize = 31;

/// Bytes of a cell in the table of cells, of which a fifth may be empty.
pub(crate) const SLOT: usize = (size_of::<Slot>() + size_of::<u32>()) * 5 / 4;

#[derive(Clone, Debug)]
enum Slot {
    Free,
    /// The content of an atom, a volatile or a delay that has run, with the number of the change that wrote it, 0 for
    /// none.
    Content(Value, u64),
    /// A `delay` that has not run: its function.
    Waiting(Value),
    Generator(Generator),
}

/// A sequence that is realised as far as requested.
#[derive(Clone, Debug)]
struct Generator {
    items: Vec<Value>,
    tail: Tail,
}

/// What comes after the realised elements.
#[derive(Clone, Debug)]
pub(crate) enum Tail {
    End,
    /// A function whose value is the rest.
    Thunk(Value),
    /// Another generator.
    Seq(LazySeq),
    /// Computed element by element.
    Steps(Box<Steps>),
    /// Its function is running.
    Running,
}

/// How many elements of a generator can be read without running anything.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// At least as many elements as asked for.
    Enough,
    /// It ends before that.
    Ended,
    /// Something must run first.
    Unknown,
}

/// What realising a generator needs next.
pub(crate) enum Pull {
    Done,
    /// Realise this cell first, to this many elements.
    First(u32, usize),
    /// Run this: the function or the steps that compute the rest of the cell.
    Run(Tail),
}

impl Tail {
    /// The values that it refers to.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Tail::Thunk(function) => visit(function),
            Tail::Seq(next) => visit(&Value::LazySeq(*next)),
            Tail::Steps(steps) => steps.visit(visit),
            Tail::End | Tail::Running => {}
        }
    }
}

impl Cells {
    fn put(&mut self, slot: Slot) -> u32 {
        self.changes += 1;
        if matches!(slot, Slot::Generator(_)) {
            self.generators += 1;
        }
        if let Some(id) = self.free.pop()
            && let Some(place) = self.slots.get_mut(id as usize)
        {
            *place = slot;
            if let Some(made) = self.made.get_mut(id as usize) {
                *made = self.turn;
            }
            return id;
        }
        if self.slots.len() == self.slots.capacity() {
            let more = self.more();
            self.slots.reserve_exact(more);
            self.made.reserve_exact(more);
        }
        self.slots.push(slot);
        self.made.push(self.turn);
        self.slots.len() as u32 - 1
    }

    /// The number of slots by which a full table grows.
    fn more(&self) -> usize {
        (self.slots.len() / 4).max(8)
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Bytes to charge for a larger table, when the next cell needs one.
    pub fn growth(&self) -> usize {
        if !self.free.is_empty() || self.slots.len() < self.slots.capacity() {
            return 0;
        }
        (self.slots.len() + self.more()) * (size_of::<Slot>() + size_of::<u32>())
    }

    /// A new atom or volatile.
    pub fn cell(&mut self, kind: CellKind, content: Value) -> CellRef {
        CellRef { id: self.put(Slot::Content(content, 0)), kind }
    }

    /// A new delay.
    pub fn delay(&mut self, function: Value) -> CellRef {
        CellRef { id: self.put(Slot::Waiting(function)), kind: CellKind::Delay }
    }

    /// The content of an atom, a volatile or a delay that has run.
    pub fn content(&self, id: u32) -> Option<&Value> {
        if let Some(Slot::Content(value, _)) = self.slots.get(id as usize) { Some(value) } else { None }
    }

    /// The function of a delay that has not run.
    pub fn waiting(&self, id: u32) -> Option<&Value> {
        if let Some(Slot::Waiting(function)) = self.slots.get(id as usize) { Some(function) } else { None }
    }

    /// Make the cell a delay that has not run.
    pub fn postpone(&mut self, id: u32, function: Value) {
        if let Some(slot) = self.slots.get_mut(id as usize) {
            *slot = Slot::Waiting(function);
        }
    }

    /// Note that the function of a delay runs; false when it is already running.
    pub fn begin_delay(&mut self, id: u32) -> bool {
        self.running_delays.insert(id)
    }

    /// The function of a delay ended without a value.
    pub fn end_delay(&mut self, id: u32) {
        self.running_delays.remove(&id);
    }

    /// Replace a content; remembers what a failed turn must restore.
    pub fn store(&mut self, id: u32, value: Value) {
        if let Some(slot) = self.slots.get_mut(id as usize) {
            self.changes += 1;
            let old = std::mem::replace(slot, Slot::Content(value, self.changes));
            match old {
                Slot::Content(old, _) if self.made.get(id as usize) != Some(&self.turn) => {
                    self.undo.entry(id).or_insert(old);
                }
                Slot::Waiting(_) => {
                    self.running_delays.remove(&id);
                }
                Slot::Content(..) | Slot::Free | Slot::Generator(_) => {}
            }
        }
    }

    /// Take the content out for a moment; remembers what a failed turn must restore. [`Cells::store`] or
    /// [`Cells::give_back`] must follow before the cell is read.
    pub fn take(&mut self, id: u32) -> Value {
        let Some(Slot::Content(content, _)) = self.slots.get_mut(id as usize) else { return Value::Nil };
        if self.made.get(id as usize) != Some(&self.turn) && !self.undo.contains_key(&id) {
            self.undo.insert(id, content.clone());
        }
        std::mem::take(content)
    }

    /// Put back a content that was taken and has not changed.
    pub fn give_back(&mut self, id: u32, content: Value) {
        if let Some(Slot::Content(place, _)) = self.slots.get_mut(id as usize) {
            *place = content;
        }
    }

    /// A number that changes with every write to the cell.
    pub fn version(&self, id: u32) -> u64 {
        if let Some(Slot::Content(_, written)) = self.slots.get(id as usize) { *written } else { 0 }
    }

    /// Whether it was created or written in this turn, or is a sequence, which may have been realised in it.
    pub fn has_changed(&self, id: u32) -> bool {
        self.made.get(id as usize) == Some(&self.turn)
            || match self.slots.get(id as usize) {
                Some(Slot::Content(_, written)) => *written > self.changes_before,
                Some(Slot::Generator(_)) => true,
                Some(Slot::Free | Slot::Waiting(_)) | None => false,
            }
    }

    /// The turn in which the cell was created: together, turn and number identify a cell in the session.
    pub fn made_in(&self, id: u32) -> u32 {
        self.made.get(id as usize).copied().unwrap_or_default()
    }

    /// A number that changes whenever anything is created, written or realised.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Start a turn: from here on, first writes are remembered.
    pub fn begin_turn(&mut self) {
        self.undo.clear();
        self.turn = self.turn.wrapping_add(1);
        self.changes_before = self.changes;
    }

    /// Undo the writes of a failed turn.
    pub fn roll_back(&mut self) {
        for (id, value) in std::mem::take(&mut self.undo) {
            if let Some(slot) = self.slots.get_mut(id as usize) {
                self.changes += 1;
                *slot = Slot::Content(value, self.changes);
            }
        }
    }

    /// Whether any generator exists: otherwise deep searches can be skipped.
    pub fn has_generators(&self) -> bool {
        self.generators > 0
    }

    /// A generator of `items` followed by `tail`.
    pub fn generator(&mut self, items: Vec<Value>, tail: Tail) -> LazySeq {
        LazySeq { cell: self.put(Slot::Generator(Generator { items, tail })), offset: 0 }
    }

    fn of(&self, cell: u32) -> Option<&Generator> {
        if let Some(Slot::Generator(generator)) = self.slots.get(cell as usize) { Some(generator) } else { None }
    }

    fn of_mut(&mut self, cell: u32) -> Option<&mut Generator> {
        self.changes += 1;
        if let Some(Slot::Generator(generator)) = self.slots.get_mut(cell as usize) { Some(generator) } else { None }
    }

    /// Whether `count` elements of the view can be read.
    pub fn reach(&self, view: LazySeq, count: usize) -> Reach {
        let Some(generator) = self.of(view.cell) else { return Reach::Ended };
        if generator.items.len() >= (view.offset as usize).saturating_add(count) {
            return Reach::Enough;
        }
        if matches!(generator.tail, Tail::End) { Reach::Ended } else { Reach::Unknown }
    }

    /// Element `index` of the view, when it is realised.
    pub fn get(&self, view: LazySeq, index: usize) -> Option<&Value> {
        self.of(view.cell)?.items.get((view.offset as usize).checked_add(index)?)
    }

    /// The realised elements of the view.
    pub fn realised(&self, view: LazySeq) -> &[Value] {
        self.of(view.cell).and_then(|generator| generator.items.get(view.offset as usize..)).unwrap_or(&[])
    }

    /// Whether the view is an endless sequence that needs no calls.
    pub fn is_direct(&self, view: LazySeq) -> bool {
        self.direct(view).is_some()
    }

    /// The elements of the view, if it is an endless sequence that needs no calls.
    pub fn direct(&self, view: LazySeq) -> Option<Direct> {
        let generator = self.of(view.cell)?;
        match &generator.tail {
            Tail::Steps(steps) if steps.is_direct() => {
                let mut steps = (**steps).clone();
                steps.move_by(i64::from(view.offset) - generator.items.len() as i64);
                Some(Direct(steps))
            }
            _ => None,
        }
    }

    /// Where a sequence is, as a source of another one, and whether what computes that one is pure.
    pub fn cursor(&self, value: Value) -> (Cursor, bool) {
        let Value::LazySeq(view) = value else { return (Cursor::Items(value, 0), false) };
        let walked = self.of(view.cell).and_then(|generator| match &generator.tail {
            Tail::Steps(steps) if let Steps::Items(source) = &**steps => Some((generator.items.len(), source)),
            _ => None,
        });
        let Some((made, source)) = walked else { return (Cursor::Lazy(view), false) };
        let mut source = source.clone();
        match &mut source {
            Cursor::Items(_, at) => *at = *at + view.offset as usize - made,
            Cursor::Lazy(inner) => inner.offset = inner.offset + view.offset - made as u32,
        }
        (source, true)
    }

    /// Whether this many elements of a cell are realised.
    pub fn has_elements(&self, cell: u32, count: usize) -> bool {
        self.of(cell).is_some_and(|generator| generator.items.len() >= count)
    }

    /// How many elements to compute where this many are asked for: some more when that has no effect.
    pub fn ahead(&self, cell: u32, count: usize) -> usize {
        match self.of(cell).map(|generator| &generator.tail) {
            Some(Tail::Steps(steps))
                if steps.is_direct() || matches!(&**steps, Steps::Each(Each { pure: true, .. })) =>
            {
                count.saturating_add(AHEAD)
            }
            _ => count,
        }
    }

    /// Whether the view surely ends: it is computed from the elements of a collection.
    pub fn surely_ends(&self, view: LazySeq) -> bool {
        let mut open = vec![view.cell];
        while let Some(generator) = open.pop().and_then(|cell| self.of(cell)) {
            match &generator.tail {
                Tail::End => return true,
                Tail::Seq(next) => open.push(next.cell),
                Tail::Steps(steps) => match &**steps {
                    Steps::Items(Cursor::Lazy(view)) => open.push(view.cell),
                    Steps::Items(Cursor::Items(..)) => return true,
                    Steps::Each(each) => {
                        for source in &each.sources {
                            match source {
                                Cursor::Items(..) => return true,
                                Cursor::Lazy(view) => open.push(view.cell),
                            }
                        }
                    }
                    _ => {}
                },
                Tail::Thunk(_) | Tail::Running => {}
            }
        }
        false
    }

    /// Whether the view is realised to its end.
    pub fn is_finished(&self, view: LazySeq) -> bool {
        self.of(view.cell).is_none_or(|generator| matches!(generator.tail, Tail::End))
    }

    /// Work towards `count` elements of `cell` (counted from its start).
    pub fn pull(&mut self, cell: u32, count: usize, meter: &mut Meter) -> Res<Pull> {
        loop {
            let Some(generator) = self.of(cell) else { return Ok(Pull::Done) };
            if generator.items.len() >= count {
                return Ok(Pull::Done);
            }
            let next = match &generator.tail {
                Tail::End => return Ok(Pull::Done),
                Tail::Running => return Err(Box::new(Signal::Busy(cell))),
                Tail::Thunk(_) | Tail::Steps(_) => return self.pull_made(cell, count, meter),
                Tail::Seq(next) => *next,
            };
            if next.cell == cell {
                return Err(argument_error("a sequence that depends on itself: its rest is the sequence"));
            }
            let wanted = count - generator.items.len();
            let Some(source) = self.of(next.cell) else {
                self.set_tail(cell, Tail::End);
                continue;
            };
            let ready = source.items.get(next.offset as usize..).unwrap_or(&[]);
            if !ready.is_empty() {
                let count = ready.len().min(wanted);
                meter.charge(count)?;
                meter.allocate(count * 16)?;
                let moved: Vec<Value> = ready.iter().take(count).cloned().collect();
                let rest = LazySeq { cell: next.cell, offset: next.offset + moved.len() as u32 };
                if let Some(generator) = self.of_mut(cell) {
                    reserve(&mut generator.items, moved.len(), meter)?;
                    generator.items.extend(moved);
                    generator.tail = Tail::Seq(rest);
                }
                continue;
            }
            match &source.tail {
                Tail::End => self.set_tail(cell, Tail::End),
                // The next generator is fully read: skip it.
                Tail::Seq(behind) if source.items.len() == next.offset as usize => {
                    let behind = *behind;
                    meter.charge(1)?;
                    self.set_tail(cell, Tail::Seq(behind));
                }
                _ => return Ok(Pull::First(next.cell, (next.offset as usize).saturating_add(wanted.min(1)))),
            }
        }
    }

    /// Elements that need no calls are computed at once.
    fn pull_made(&mut self, cell: u32, count: usize, meter: &mut Meter) -> Res<Pull> {
        let Some(generator) = self.of_mut(cell) else { return Ok(Pull::Done) };
        match std::mem::replace(&mut generator.tail, Tail::Running) {
            Tail::Steps(mut steps) if steps.is_direct() => {
                let made = self.make_direct(cell, &mut steps, count, meter);
                self.set_tail(cell, Tail::Steps(steps));
                made.map(|()| Pull::Done)
            }
            tail => Ok(Pull::Run(tail)),
        }
    }

    /// Set what comes after the realised elements of `cell`.
    pub fn set_tail(&mut self, cell: u32, tail: Tail) {
        if let Some(generator) = self.of_mut(cell) {
            generator.tail = tail;
        }
    }

    /// The function of `cell` has returned: its value is the rest.
    pub fn fill(&mut self, cell: u32, rest: Value, meter: &mut Meter) -> Res<()> {
        if let Value::LazySeq(next) = rest {
            self.set_tail(cell, Tail::Seq(next));
            return Ok(());
        }
        let Some(items) = rest.elements(meter)? else {
            return Err(type_error(format!("lazy-seq: the body must give a sequence, got {}", rest.kind())));
        };
        meter.charge(items.len())?;
        if let Some(generator) = self.of_mut(cell) {
            reserve(&mut generator.items, items.len(), meter)?;
            generator.items.extend(items.iter().cloned());
            generator.tail = Tail::End;
        }
        Ok(())
    }

    /// Everything that `cell` refers to, for counting and sweeping.
    pub fn contents(&self, cell: u32, visit: &mut dyn FnMut(&Value)) -> usize {
        match self.slots.get(cell as usize) {
            None | Some(Slot::Free) => 0,
            Some(Slot::Content(value, _) | Slot::Waiting(value)) => {
                visit(value);
                0
            }
            Some(Slot::Generator(generator)) => {
                generator.items.iter().for_each(&mut *visit);
                generator.tail.visit(visit);
                let own = if let Tail::Steps(steps) = &generator.tail { steps.bytes() } else { 0 };
                generator.items.capacity() * size_of::<Value>() + own
            }
        }
    }

    /// Bytes of the table of cells, without what they hold.
    pub fn table_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + (self.made.capacity() + self.free.capacity()) * size_of::<u32>()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.slots.len() == self.free.len()
    }

    /// Free every cell that is not marked.
    ///
    /// Errors when the deadline passes during the sweep: then the next sweep finds the others.
    pub fn sweep(&mut self, marked: &dyn Fn(u32) -> bool, meter: &mut Meter) -> Res<()> {
        // The lowest slots are used first, so the end of the table becomes empty.
        self.free.clear();
        let mut left = self.slots.len();
        while left > 0 {
            let block = left.saturating_sub(PACE)..left;
            left = block.start;
            release(self.sweep_block(block, marked));
            meter.look_at_clock()?;
        }
        self.shrink();
        Ok(())
    }

    /// Free the unmarked cells of a block of the table; returns their contents.
    fn sweep_block(&mut self, block: Range<usize>, marked: &dyn Fn(u32) -> bool) -> Vec<(Value, Vec<Value>)> {
        let mut held = Vec::new();
        let start = block.start;
        for (index, slot) in self.slots.get_mut(block).unwrap_or_default().iter_mut().enumerate().rev() {
            let id = (start + index) as u32;
            if !matches!(slot, Slot::Free) {
                if marked(id) || self.undo.contains_key(&id) {
                    continue;
                }
                match std::mem::replace(slot, Slot::Free) {
                    Slot::Generator(Generator { items, tail }) => {
                        self.generators -= 1;
                        let function = match tail {
                            Tail::Thunk(function) => function,
                            Tail::Steps(steps) => {
                                held.push((Value::Nil, steps.into_values()));
                                Value::Nil
                            }
                            Tail::End | Tail::Seq(_) | Tail::Running => Value::Nil,
                        };
                        held.push((function, items));
                    }
                    Slot::Content(value, _) | Slot::Waiting(value) => held.push((value, Vec::new())),
                    Slot::Free => {}
                }
            }
            self.free.push(id);
        }
        held
    }

    /// Release the end of a table that is mostly empty.
    fn shrink(&mut self) {
        let used = self.slots.iter().rposition(|slot| !matches!(slot, Slot::Free)).map_or(0, |last| last + 1);
        if used < self.slots.capacity() / 2 {
            self.slots.truncate(used);
            self.slots.shrink_to(used + used / 4);
            self.made.truncate(used);
            self.made.shrink_to(used + used / 4);
            self.free.retain(|id| (*id as usize) < used);
            self.free.shrink_to_fit();
        }
    }

    /// Values that only the undo log holds.
    pub fn undo_values(&self) -> impl Iterator<Item = &Value> {
        self.undo.values()
    }
}

impl crate::value::Cells for Cells {
    fn content(&self, cell: CellRef) -> Option<Value> {
        Cells::content(self, cell.id).cloned()
    }

    fn realised(&self, generator: LazySeq) -> Option<Realised> {
        Some(Realised { items: Cells::realised(self, generator).to_vec(), complete: self.is_finished(generator) })
    }

    fn shows(&self, name: &str) -> bool {
        self.shown_names.has(name)
    }
}
