//! The numbers of what several values share.

use std::collections::{HashMap, HashSet};

use super::CellIds;
use crate::eval::cells::Cells;
use crate::eval::globals::Globals;
use crate::value::{Addresses, KeptPart, LiveCount, Value};

/// The numbers of what several values share, the same in all definitions. Each definition has the whole part at its
/// first place, so that it can be read without the others.
#[derive(Default)]
pub(super) struct Parts {
    /// What may be met again.
    repeated: Addresses,
    /// By address.
    numbers: HashMap<usize, Part>,
    /// The last number that was given.
    last: u64,
    /// How many definitions were begun.
    definition: usize,
    /// The numbers that the last of them has.
    here: HashSet<u64>,
    /// The addresses to which it gave numbers.
    given: Vec<usize>,
}

struct Part {
    id: u64,
    /// Held, so that nothing else gets its address.
    value: Value,
    /// The definition that gave it its number.
    definition: usize,
    is_shared: bool,
}

impl Parts {
    /// What these definitions share with each other, and within each of them.
    pub fn of(globals: &Globals, cells: &Cells) -> Parts {
        let mut count = LiveCount::with_repeated();
        globals.iter().filter_map(|(_, global)| global.value.as_ref()).for_each(|value| count.add(value));
        let mut open = count.take_cells();
        while let Some(cell) = open.pop() {
            cells.contents(cell, &mut |value| count.add(value));
            open.extend(count.take_cells());
        }
        Parts { repeated: count.into_repeated(), ..Parts::default() }
    }

    /// Start the next definition.
    pub fn begin(&mut self) {
        self.definition += 1;
        self.here.clear();
        self.given.clear();
    }

    /// Take back what the last definition has, which is not written, or again.
    pub fn undo(&mut self) {
        self.here.clear();
        for node in self.given.drain(..) {
            self.numbers.remove(&node);
        }
    }

    /// The number of this value, if others share it.
    pub fn number(&mut self, value: &Value, ids: &CellIds) -> Option<KeptPart> {
        let node = value.node().filter(|node| self.repeated.has(*node))?;
        let id = match self.numbers.get_mut(&node) {
            Some(part) => {
                part.is_shared |= part.definition != self.definition || self.here.contains(&part.id);
                part.id
            }
            None => {
                let id = ids.free_after(self.last);
                let part = Part { id, value: value.clone(), definition: self.definition, is_shared: false };
                self.numbers.insert(node, part);
                self.given.push(node);
                self.last = id;
                id
            }
        };
        Some(if self.here.insert(id) { KeptPart::First(id) } else { KeptPart::Again(id) })
    }

    /// What is shared in fact, when other parts have numbers, too; with the values, which must be held until then.
    pub fn exact(self) -> Option<(Parts, Vec<Value>)> {
        if self.numbers.values().all(|part| part.is_shared) {
            return None;
        }
        let mut repeated = Addresses::default();
        let mut held = Vec::new();
        for (node, part) in self.numbers.into_iter().filter(|(_, part)| part.is_shared) {
            repeated.insert(node);
            held.push(part.value);
        }
        Some((Parts { repeated, ..Parts::default() }, held))
    }
}
