//! Counting live values, freeing cells that nobody refers to, and realising what leaves the machine.

use std::collections::{HashMap, HashSet};

use super::Machine;
use super::fiber::Fiber;
use crate::error::{Res, Signal};
use crate::value::{LiveCount, Value, Vector};

impl Machine {
    /// Count live bytes, free unreachable cells, and stop when the limit is passed.
    pub fn scan(&mut self) -> Res<()> {
        if self.is_nested() {
            return self.scan_nested();
        }
        let (live, marked) = self.count_live(true);
        self.cx.cells.sweep(&|id| marked.contains(&id));
        let printed: usize = self.cx.prints.iter().map(|line| line.len() + 24).sum::<usize>() + self.cx.open_line.len();
        let captured: usize = self.cx.captures.iter().map(String::len).sum::<usize>()
            + self.parents.iter().map(Fiber::text_bytes).sum::<usize>()
            + self.natives.iter().map(|frame| frame.native.text_bytes()).sum::<usize>();
        Ok(self.cx.meter.counted(live + (printed + captured) as u64)?)
    }

    /// A comparator is running: what the machines around it hold is known only as a figure, and their cells must stay.
    fn scan_nested(&mut self) -> Res<()> {
        let mut count = LiveCount::new();
        self.add_running(&mut count);
        let (live, _) = self.add_cells(count);
        Ok(self.cx.meter.counted(self.outer.bytes + live)?)
    }

    /// Bytes of the definitions alone.
    pub fn definitions_bytes(&self) -> u64 {
        self.count_live(false).0
    }

    fn count_live(&self, running: bool) -> (u64, HashSet<u32>) {
        let mut count = LiveCount::new();
        for (_, global) in self.globals.iter() {
            if let Some(value) = &global.value {
                count.add(value);
            }
        }
        if running {
            self.add_running(&mut count);
            self.history.iter().for_each(|value| count.add(value));
            self.cx.tasks.values().for_each(|value| count.add(value));
            self.cx.cells.undo_values().for_each(|value| count.add(value));
            self.tools.visit(&mut |value| count.add(value));
        }
        self.add_cells(count)
    }

    /// Registers and frames, of the fibers below too.
    fn add_running(&self, count: &mut LiveCount) {
        self.regs.iter().for_each(|value| count.add(value));
        self.args.iter().for_each(|value| count.add(value));
        for frame in &self.natives {
            frame.inbox.iter().for_each(|value| count.add(value));
            frame.native.visit(&mut |value| count.add(value));
        }
        self.parents.iter().for_each(|fiber| fiber.visit(&mut |value| count.add(value)));
    }

    /// The bytes of what was counted and of the cells that are reachable from there, with these cells.
    fn add_cells(&self, mut count: LiveCount) -> (u64, HashSet<u32>) {
        let mut marked = HashSet::new();
        let mut cells = count.take_cells();
        let mut own = 0;
        while let Some(id) = cells.pop() {
            if marked.insert(id) {
                own += self.cx.cells.contents(id, &mut |value| count.add(value)) as u64;
                cells.extend(count.take_cells());
            }
        }
        (count.bytes() + own, marked)
    }

    /// The value with every generator inside replaced by a vector; asks for those that are not realised.
    pub(super) fn materialise(&mut self, value: Value) -> Res {
        if !self.cx.cells.has_generators() {
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

    /// Realise the keys of a literal in place, every `step`-th of `count` registers from `start`: identity looks inside.
    pub(super) fn finish_keys(&mut self, start: usize, count: usize, step: usize) -> Res<()> {
        if !self.cx.cells.has_generators() {
            return Ok(());
        }
        for at in (start..start + count).step_by(step) {
            if holds_values(&self.regs[at]) {
                let key = self.regs[at].clone();
                self.regs[at] = self.materialise(key)?;
            }
        }
        Ok(())
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
                if !self.cx.cells.is_finished(*view) {
                    missing.push(view.cell);
                    return Ok(());
                }
                let items = self.cx.cells.realised(*view).to_vec();
                self.cx.meter.charge(items.len())?;
                for item in &items {
                    self.find_generators(item, seen, missing, depth + 1)?;
                }
            }
            Value::Vector(items) => {
                if items.is_external() {
                    return Ok(());
                }
                self.cx.meter.charge(items.len() / 8 + 1)?;
                for item in items.iter().filter(|item| holds_values(item)) {
                    self.find_generators(item, seen, missing, depth + 1)?;
                }
            }
            Value::Map(map) if !map.is_external() => {
                self.cx.meter.charge(map.len() / 8 + 1)?;
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
                let items = self.cx.cells.realised(*view).to_vec();
                self.cx.meter.allocate(items.len() * 16)?;
                Value::Vector(items.iter().map(|item| self.rebuild(item, depth + 1)).collect::<Res<Vec<_>>>()?.into())
            }
            Value::Vector(items) if !items.is_external() => {
                self.cx.meter.allocate(items.len() * 16)?;
                let items = items.clone();
                Value::Vector(Vector::from(items.iter().map(|item| self.rebuild(item, depth + 1)).collect::<Res<Vec<_>>>()?))
            }
            Value::Map(map) if !map.is_external() => {
                let mut entries = Vec::with_capacity(map.len());
                for (key, item) in map {
                    entries.push((self.rebuild(key, depth + 1)?, self.rebuild(item, depth + 1)?));
                }
                Value::Map(map.rebuilt(entries, &mut self.cx.meter)?)
            }
            Value::Set(set) => {
                let members = set.iter().map(|member| self.rebuild(member, depth + 1)).collect::<Res<Vec<_>>>()?;
                Value::Set(set.rebuilt(members, &mut self.cx.meter)?)
            }
            other => other.clone(),
        })
    }

    /// Realise `value` for the host; asks for what is missing.
    pub fn export(&mut self, value: Value) -> Res {
        let value = self.materialise(value)?;
        Ok(self.resolve_cells(&value, 0))
    }

    /// A definition's value for the host, as far as it is realised.
    pub fn show(&self, value: &Value) -> Value {
        self.resolve_cells(value, 0)
    }

    /// Begin to realise what `signal` asks for; the machine is done when it is. False when nothing is asked for.
    pub fn start_force(&mut self, signal: &Signal) -> bool {
        if self.regs.len() < 64 {
            self.regs.resize(64, Value::Nil);
        }
        self.push_force(signal, 1, super::Dest::Retry).is_ok() && {
            self.next = super::Next::Native;
            !self.natives.is_empty()
        }
    }

    /// The value with the contents of atoms, volatiles and delays in place of the cells.
    ///
    /// Shared parts are looked at once and stay shared, so the cost is linear in the distinct nodes.
    pub(super) fn resolve_cells(&self, value: &Value, depth: usize) -> Value {
        let mut reached = LiveCount::new();
        reached.add(value);
        if reached.take_cells().is_empty() {
            return value.clone();
        }
        self.resolve_shared(value, depth, &mut HashMap::new())
    }

    fn resolve_shared(&self, value: &Value, depth: usize, known: &mut HashMap<usize, Value>) -> Value {
        if depth > 64 {
            return value.clone();
        }
        let address = match value {
            Value::Vector(items) if !items.is_external() => items.address(),
            Value::Map(map) if !map.is_external() => map.address(),
            Value::Cell(cell) => {
                return self.cx.cells.content(cell.id).map_or(Value::Nil, |content| self.resolve_shared(content, depth + 1, known));
            }
            _ => return value.clone(),
        };
        if let Some(done) = known.get(&address) {
            return done.clone();
        }
        let resolved = match value {
            Value::Vector(items) => Value::Vector(items.iter().map(|item| self.resolve_shared(item, depth + 1, known)).collect()),
            Value::Map(map) => {
                let mut meter = crate::meter::Meter::host();
                let entries = map.iter().map(|(key, item)| (key.clone(), self.resolve_shared(item, depth + 1, known)));
                map.rebuilt(entries.collect::<Vec<_>>(), &mut meter).map_or_else(|_| value.clone(), Value::Map)
            }
            other => other.clone(),
        };
        known.insert(address, resolved.clone());
        resolved
    }
}

fn holds_values(value: &Value) -> bool {
    matches!(value, Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Generator(_) | Value::Cell(_) | Value::Reduced(_))
}
