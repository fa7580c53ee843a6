//! Realising values and everything inside them: values that leave the machine, are compared, or become keys.

use std::collections::{HashMap, HashSet};

use super::cells::Reach;
use super::context::Context;
use crate::error::{Res, Signal};
use crate::limits::meter::Meter;
use crate::value::{LazySeq, Rewrite, Value, Walk};

/// The most elements that a comparison asks for at once.
const LARGEST_STEP: usize = 1_024;

impl Context {
    /// Realise a value that is about to be compared or to become a key: equality looks inside.
    ///
    /// Until everything inside is realised, this requests it and leaves the value unchanged, so call it before anything
    /// is consumed. Costs nothing for scalars and while the session has no generators.
    pub fn settle(&mut self, value: &mut Value) -> Res<()> {
        if self.cells.has_generators() && holds_values(value) {
            *value = self.materialise(value.clone())?;
        }
        Ok(())
    }

    /// Whether two values are equal. Sequences are compared step by step, so an endless one differs from a finite one.
    pub fn equal(&mut self, x: &Value, y: &Value) -> Res<bool> {
        if self.cells.has_generators() { self.equal_at(x, y, 0) } else { x.equals(y, &mut self.meter) }
    }

    fn equal_at(&mut self, x: &Value, y: &Value, depth: usize) -> Res<bool> {
        let is_sequence = |value: &Value| matches!(value, Value::Vector(_) | Value::LazySeq(_));
        if depth <= crate::value::MAX_NESTING && is_sequence(x) && is_sequence(y) {
            return self.equal_sequences(x, y, depth);
        }
        let (mut x, mut y) = (x.clone(), y.clone());
        self.settle(&mut x)?;
        self.settle(&mut y)?;
        x.equals(&y, &mut self.meter)
    }

    fn equal_sequences(&mut self, x: &Value, y: &Value, depth: usize) -> Res<bool> {
        if let (Value::Vector(x), Value::Vector(y)) = (x, y)
            && x.len() != y.len()
        {
            return Ok(false);
        }
        for index in 0.. {
            self.meter.charge(usize::from(index % 4 == 0))?;
            match (self.element(x, index)?, self.element(y, index)?) {
                (None, None) => break,
                (Some(one), Some(other)) if self.equal_at(&one, &other, depth + 1)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The element at `index` of a vector or generator. Missing elements are requested in growing steps, since the
    /// comparison starts again each time.
    fn element(&self, sequence: &Value, index: usize) -> Res<Option<Value>> {
        match sequence {
            Value::Vector(items) => Ok(items.get(index).cloned()),
            Value::LazySeq(view) => match self.cells.reach(*view, index + 1) {
                Reach::Enough => Ok(self.cells.get(*view, index).cloned()),
                Reach::Ended => Ok(None),
                Reach::Unknown => {
                    let count = view.offset as usize + index + (index + 1).min(LARGEST_STEP);
                    Err(Box::new(Signal::Need { cell: view.cell, count }))
                }
            },
            _ => Ok(None),
        }
    }

    /// The value with every generator inside replaced by a vector; requests those that are not realised.
    pub fn materialise(&mut self, value: Value) -> Res {
        if !self.cells.has_generators() {
            return Ok(value);
        }
        let mut look = Look::default();
        self.find_generators(&value, &mut look, 0)?;
        if !look.missing.is_empty() {
            return Err(Box::new(Signal::NeedAll(look.missing)));
        }
        if look.generators.is_empty() {
            return Ok(value);
        }
        let mut realising = Realising { cx: self, vectors: HashMap::new() };
        Ok(Walk::default().rewrite(&value, &mut realising)?.unwrap_or(value))
    }

    /// Note the generators inside `value`; a shared node is visited once.
    fn find_generators(&mut self, value: &Value, look: &mut Look, depth: usize) -> Res<()> {
        if depth > crate::value::MAX_NESTING {
            return Ok(());
        }
        match value {
            Value::LazySeq(view) => {
                if !look.generators.insert(generator_key(view)) {
                    return Ok(());
                }
                if !self.cells.is_finished(*view) {
                    look.missing.push(view.cell);
                    return Ok(());
                }
                let count = self.cells.realised(*view).len();
                self.meter.charge(count)?;
                self.meter.allocate(count * 16)?;
                let items = self.cells.realised(*view).to_vec();
                for item in &items {
                    self.find_generators(item, look, depth + 1)?;
                }
            }
            collection => {
                let sharing = collection.sharing().filter(|sharing| !sharing.external);
                if sharing.is_some_and(|sharing| !sharing.shared || look.nodes.insert(sharing.address)) {
                    self.meter.charge(collection.size().unwrap_or(0) / 8 + 1)?;
                    for part in collection.parts().filter(|part| holds_values(part)) {
                        self.find_generators(part, look, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Replaces realised generators with vectors.
struct Realising<'c> {
    cx: &'c mut Context,
    vectors: HashMap<u64, Value>,
}

impl Rewrite for Realising<'_> {
    fn leaf(&mut self, value: &Value, walk: &mut Walk) -> Res<Option<Value>> {
        let Value::LazySeq(view) = value else { return Ok(None) };
        if let Some(known) = self.vectors.get(&generator_key(view)) {
            return Ok(Some(known.clone()));
        }
        self.cx.meter.allocate(96 + self.cx.cells.realised(*view).len() * 16)?;
        let items = self.cx.cells.realised(*view).to_vec();
        let changed = walk.parts(items.len(), 1, || items.iter(), self)?;
        let vector = Value::vector(changed.unwrap_or(items));
        self.vectors.insert(generator_key(view), vector.clone());
        Ok(Some(vector))
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.cx.meter
    }
}

/// What a search for generators has seen.
#[derive(Default)]
struct Look {
    generators: HashSet<u64>,
    /// Shared collections.
    nodes: HashSet<usize>,
    /// Cells that are not realised to their ends.
    missing: Vec<u32>,
}

fn generator_key(view: &LazySeq) -> u64 {
    u64::from(view.cell) << 32 | u64::from(view.offset)
}

/// Whether generators may be inside `value`.
pub(crate) fn holds_values(value: &Value) -> bool {
    matches!(
        value,
        Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::LazySeq(_) | Value::Cell(_) | Value::Reduced(_)
    )
}
