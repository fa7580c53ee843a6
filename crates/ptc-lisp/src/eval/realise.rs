//! Realising values with all that is inside them: what leaves the machine, what is compared, what becomes a key.

use std::collections::HashSet;

use super::cells::Reach;
use super::context::Context;
use crate::error::{Res, Signal};
use crate::value::{Value, Vector, equal};

/// Elements that a comparison asks for at once, at most.
const LARGEST_STEP: usize = 1_024;

impl Context {
    /// Realise a value that is about to be compared or to become a key: identity looks inside.
    ///
    /// Until everything inside is realised this asks for it and leaves the value as it was, so call it before anything is
    /// consumed. Costs nothing for scalars and while the session has no generators.
    pub fn settle(&mut self, value: &mut Value) -> Res<()> {
        if self.cells.has_generators() && holds_values(value) {
            *value = self.materialise(value.clone())?;
        }
        Ok(())
    }

    /// Whether two values are equal. Sequences are compared step by step, so that one without end differs from one that ends.
    pub fn equal(&mut self, x: &Value, y: &Value) -> Res<bool> {
        if self.cells.has_generators() { self.equal_at(x, y, 0) } else { equal(x, y, &mut self.meter) }
    }

    fn equal_at(&mut self, x: &Value, y: &Value, depth: usize) -> Res<bool> {
        let is_sequence = |value: &Value| matches!(value, Value::Vector(_) | Value::Generator(_));
        if depth <= crate::value::MAX_NESTING && is_sequence(x) && is_sequence(y) {
            return self.equal_sequences(x, y, depth);
        }
        let (mut x, mut y) = (x.clone(), y.clone());
        self.settle(&mut x)?;
        self.settle(&mut y)?;
        equal(&x, &y, &mut self.meter)
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

    /// The element at `index` of a vector or generator. What is not realised is asked for in growing steps, since the
    /// comparison begins again each time.
    fn element(&self, sequence: &Value, index: usize) -> Res<Option<Value>> {
        match sequence {
            Value::Vector(items) => Ok(items.get(index).cloned()),
            Value::Generator(view) => match self.cells.reach(*view, index + 1) {
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

    /// The value with every generator inside replaced by a vector; asks for those that are not realised.
    pub fn materialise(&mut self, value: Value) -> Res {
        if !self.cells.has_generators() {
            return Ok(value);
        }
        let mut missing = Vec::new();
        let mut seen = HashSet::new();
        self.find_generators(&value, &mut seen, &mut missing, 0)?;
        if !missing.is_empty() {
            return Err(Box::new(Signal::NeedAll(missing)));
        }
        if seen.is_empty() {
            return Ok(value);
        }
        self.rebuild(&value, 0)
    }

    /// Unrealised generators inside `value` go to `missing`; `seen` keeps what was looked at.
    fn find_generators(&mut self, value: &Value, seen: &mut HashSet<u64>, missing: &mut Vec<u32>, depth: usize) -> Res<()> {
        if depth > crate::value::MAX_NESTING {
            return Ok(());
        }
        match value {
            Value::Generator(view) => {
                if !seen.insert(u64::from(view.cell) << 32 | u64::from(view.offset)) {
                    return Ok(());
                }
                if !self.cells.is_finished(*view) {
                    missing.push(view.cell);
                    return Ok(());
                }
                let items = self.cells.realised(*view).to_vec();
                self.meter.charge(items.len())?;
                for item in &items {
                    self.find_generators(item, seen, missing, depth + 1)?;
                }
            }
            Value::Vector(items) => {
                if items.is_external() {
                    return Ok(());
                }
                self.meter.charge(items.len() / 8 + 1)?;
                for item in items.iter().filter(|item| holds_values(item)) {
                    self.find_generators(item, seen, missing, depth + 1)?;
                }
            }
            Value::Map(map) if !map.is_external() => {
                self.meter.charge(map.len() / 8 + 1)?;
                for (key, item) in map {
                    for part in [key, item] {
                        if holds_values(part) {
                            self.find_generators(part, seen, missing, depth + 1)?;
                        }
                    }
                }
            }
            Value::Set(set) => {
                for member in set.iter().filter(|member| holds_values(member)) {
                    self.find_generators(member, seen, missing, depth + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn rebuild(&mut self, value: &Value, depth: usize) -> Res {
        if depth > crate::value::MAX_NESTING || !holds_values(value) {
            return Ok(value.clone());
        }
        Ok(match value {
            Value::Generator(view) => {
                let items = self.cells.realised(*view).to_vec();
                self.meter.allocate(items.len() * 16)?;
                Value::Vector(items.iter().map(|item| self.rebuild(item, depth + 1)).collect::<Res<Vec<_>>>()?.into())
            }
            Value::Vector(items) if !items.is_external() => {
                self.meter.allocate(items.len() * 16)?;
                let items = items.clone();
                Value::Vector(Vector::from(items.iter().map(|item| self.rebuild(item, depth + 1)).collect::<Res<Vec<_>>>()?))
            }
            Value::Map(map) if !map.is_external() => {
                let mut entries = Vec::with_capacity(map.len());
                for (key, item) in map {
                    entries.push((self.rebuild(key, depth + 1)?, self.rebuild(item, depth + 1)?));
                }
                Value::Map(map.rebuilt(entries, &mut self.meter)?)
            }
            Value::Set(set) => {
                let members = set.iter().map(|member| self.rebuild(member, depth + 1)).collect::<Res<Vec<_>>>()?;
                Value::Set(set.rebuilt(members, &mut self.meter)?)
            }
            other => other.clone(),
        })
    }
}

/// Whether generators may be inside `value`.
pub(crate) fn holds_values(value: &Value) -> bool {
    matches!(value, Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Generator(_) | Value::Cell(_) | Value::Reduced(_))
}
