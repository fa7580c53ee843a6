//! Counting live values, freeing unreachable cells, and preparing values that leave the machine.

use std::sync::Weak;

use super::Machine;
use crate::bits::Bits;
use crate::error::{Res, Signal, counted};
use crate::eval::cells::{Cells, SLOT};
use crate::eval::context::Context;
use crate::limits::meter::{Mark, Meter};
use crate::limits::release::release_some;
use crate::value::{LiveCount, Name, Rewrite, Value, Walk, round_floats};

impl Machine {
    /// Count live bytes, free unreachable cells, and stop when the limit is exceeded. Values that wait to be freed are
    /// freed first.
    pub fn scan(&mut self) -> Res<()> {
        while release_some() {
            self.cx.meter.look_at_clock()?;
        }
        if self.is_nested() {
            return self.scan_nested();
        }
        let count = LiveCount::within(&self.cx.meter);
        let found = self.count_live(count, true);
        let (live, marked) = self.whole(self.with_held(found))?;
        let Context { state, meter, .. } = &mut self.cx;
        state.cells.sweep(&|id| marked.has(id), meter)?;
        let fibers: usize = self.parents.iter().map(|fiber| fiber.own_bytes()).sum();
        let own = self.cx.local.own_bytes() + fibers + self.own_bytes();
        let live = live + own as u64;
        self.cx.meter.counted(live).map_err(|mut error| {
            if self.records_bytes() > live / 2 {
                let records = counted(self.cx.local.left.records.len(), "tool call");
                error.hint(&format!(
                    "records of {records} fill most of it; ask a tool for many values at once, or end the program and continue in the next"
                ));
            }
            error.into()
        })
    }

    /// Bytes of the records of tool calls, with their values.
    fn records_bytes(&self) -> u64 {
        let mut count = LiveCount::within(&self.cx.meter);
        self.cx.local.left.visit(&mut |value| count.add(value));
        count.bytes() + self.cx.local.left.records_bytes() as u64
    }

    /// Bytes of the running fiber's registers and frames, without the values.
    fn own_bytes(&self) -> usize {
        let frames: usize = self.natives.iter().map(|frame| frame.native.own_bytes()).sum();
        frames
            + self.cx.cells.table_bytes()
            + size_of_val(self.regs.as_slice())
            + self.args.capacity() * size_of::<Value>()
            + self.frames.capacity() * size_of::<super::Frame>()
            + self.natives.capacity() * size_of::<super::NativeFrame>()
    }

    /// Announce what an instruction is about to allocate; live values are counted first when due.
    #[inline]
    pub(super) fn claim(&mut self, bytes: usize) -> Res<()> {
        if self.cx.meter.scan_due() || self.cx.meter.is_short_of(bytes) {
            self.scan()?;
        }
        Ok(self.cx.meter.allocate(bytes)?)
    }

    /// Before a call with large arguments: a call that has taken them cannot be repeated, so it should not be refused
    /// memory because of garbage. Costs nothing while little was charged.
    #[inline]
    pub(super) fn count_before_call(&mut self, window: usize, count: usize) -> Res<()> {
        if self.cx.meter.charged > self.cx.meter.limits().memory / 20 {
            self.count_for_large(window, count)
        } else {
            Ok(())
        }
    }

    fn count_for_large(&mut self, window: usize, count: usize) -> Res<()> {
        let args = &self.regs[window + 1..window + 1 + count];
        // A cell is passed because its content is changed.
        let content = |arg: &Value| match arg {
            Value::Cell(cell) => self.cx.cells.content(cell.id).map_or(0, Value::bytes_of_a_copy),
            other => other.bytes_of_a_copy(),
        };
        let needed = args.iter().map(content).fold(0, usize::saturating_add);
        if needed > 0 && self.cx.meter.is_short_of(needed) { self.scan() } else { Ok(()) }
    }

    /// After a call that started at `mark` was refused memory: count live values, so that it can be repeated.
    ///
    /// False when that would change nothing, or when arguments (`count` after `window`) were already taken.
    #[cold]
    pub(super) fn count_for_retry(&mut self, signal: &Signal, mark: &Mark, window: usize, count: usize) -> Res<bool> {
        let intact = self.regs[window + 1..window + 1 + count].iter().all(|arg| !arg.is_nil());
        if !intact || !signal.is_refusal() || !self.cx.meter.may_succeed_after_count(mark) {
            return Ok(false);
        }
        self.cx.meter.rewind(mark);
        self.scan()?;
        Ok(true)
    }

    /// Count while a comparator is running: what the enclosing machines hold is known only as a number, and their cells
    /// must stay.
    fn scan_nested(&mut self) -> Res<()> {
        let mut count = LiveCount::within(&self.cx.meter);
        self.add_running(&mut count);
        let (live, _) = self.whole(self.add_cells(count, SLOT))?;
        Ok(self.cx.meter.counted(self.outer.bytes + live)?)
    }

    /// The bytes and cells of a count. Errors if it stopped early.
    fn whole(&mut self, (bytes, count): (u64, LiveCount)) -> Res<(u64, Bits)> {
        #[cfg(test)]
        {
            self.cx.meter.looks += count.looks();
        }
        if count.is_late() {
            self.cx.meter.look_at_clock()?;
        }
        if count.is_too_deep() {
            let more = self.cx.meter.limits().memory.saturating_add(1);
            self.cx.meter.counted(more)?;
        }
        Ok((bytes, count.into_cells()))
    }

    /// Bytes of the definitions alone.
    pub fn definitions_bytes(&self) -> u64 {
        self.bytes_between_programs(false)
    }

    /// Bytes of everything that programs left for the next one.
    pub fn left_bytes(&self) -> u64 {
        self.bytes_between_programs(true) + self.cx.local.own_bytes() as u64
    }

    /// Values that cannot be counted within the memory of a program take at least that much.
    fn bytes_between_programs(&self, running: bool) -> u64 {
        let limits = self.cx.meter.limits();
        let (bytes, count) = self.count_live(LiveCount::within_memory(limits), running);
        if count.is_too_deep() { bytes.max(limits.memory) } else { bytes }
    }

    fn count_live(&self, mut count: LiveCount, running: bool) -> (u64, LiveCount) {
        for (_, global) in self.globals.iter() {
            if let Some(value) = &global.value {
                count.add(value);
            }
        }
        if running {
            self.add_running(&mut count);
            self.history.iter().chain([&self.error]).for_each(|value| count.add(value));
            self.cx.local.visit(&mut |value| count.add(value));
            self.cx.cells.undo_values().for_each(|value| count.add(value));
            self.tools.visit(&mut |value| count.add(value));
            self.cx.patterns.values().for_each(|pattern| count.add(&Value::Regex(pattern.clone())));
        }
        // The table of a running program is counted as a whole.
        self.add_cells(count, if running { 0 } else { SLOT })
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

    /// The count, with the cells of definitions that may come back. The program pays for what it left in them: the rest
    /// is what it found.
    fn with_held(&self, (mut bytes, mut count): (u64, LiveCount)) -> (u64, LiveCount) {
        let table = &self.cx.cells;
        if table.is_empty() {
            return (bytes, count);
        }
        self.before.iter().flat_map(|before| before.values()).for_each(|value| count.add(value));
        for held in self.held.iter().filter_map(Weak::upgrade) {
            held.values().for_each(|value| count.add(value));
        }
        let mut cells = count.take_cells();
        while let Some(id) = cells.pop() {
            let before = count.bytes();
            let own = table.contents(id, &mut |value| count.add(value));
            if table.has_changed(id) {
                bytes += own as u64 + count.bytes() - before;
            }
            cells.extend(count.take_cells());
        }
        (bytes, count)
    }

    /// The bytes of what was counted and of the cells reachable from there, plus `slot` for each cell, with the count.
    fn add_cells(&self, mut count: LiveCount, slot: usize) -> (u64, LiveCount) {
        let mut cells = count.take_cells();
        let mut own = 0;
        while let Some(id) = cells.pop() {
            own += (slot + self.cx.cells.contents(id, &mut |value| count.add(value))) as u64;
            cells.extend(count.take_cells());
        }
        (count.bytes() + own, count)
    }

    /// Realise the keys of a literal in place, every `step`-th of `count` registers from `start`: equality looks
    /// inside.
    pub(super) fn finish_keys(&mut self, start: usize, count: usize, step: usize) -> Res<()> {
        if !self.cx.cells.has_generators() {
            return Ok(());
        }
        for at in (start..start + count).step_by(step) {
            self.cx.settle(&mut self.regs[at])?;
        }
        Ok(())
    }

    /// Realise `value` for the host, with floats rounded to `decimals`; requests what is missing. The program has
    /// ended.
    pub fn export(&mut self, value: Value, decimals: Option<u32>) -> Res {
        // Most results of calls: nothing to realise, to look up or to copy, so no clock to look at.
        if value.is_scalar() && (decimals.is_none() || !matches!(value, Value::Float(_))) {
            return Ok(value);
        }
        let value = self.rewritten(value, |machine, value| machine.cx.materialise(value.clone()))?;
        let value = self.rewritten(value, Machine::with_contents)?;
        self.rewritten(value, |machine, value| round_floats(value, decimals, machine.cx.meter.beside_within_memory()))
    }

    /// The result of `rewrite` for the value; when it is refused memory, live values are counted and it runs again.
    fn rewritten(&mut self, value: Value, rewrite: impl Fn(&mut Machine, &Value) -> Res) -> Res {
        match rewrite(self, &value) {
            Err(signal) if signal.is_refusal() => {
                // A count finds the value there.
                self.args.push(value.clone());
                let counted = self.scan();
                self.args.pop();
                counted?;
                rewrite(self, &value)
            }
            result => result,
        }
    }

    /// The value of a definition for the host, as far as it is realised.
    pub fn show(&self, value: &Value) -> Value {
        self.resolve_cells(value, Meter::host()).unwrap_or_else(|_| value.clone())
    }

    /// Start to realise what `signal` asks for; the machine is done when that is realised. False when it asks for
    /// nothing.
    pub fn start_force(&mut self, signal: &Signal) -> bool {
        if self.regs.len() < 64 {
            self.regs.resize(64, Value::Nil);
        }
        self.push_force(signal, 1, super::Dest::Retry).is_ok() && {
            self.next = super::Next::Native;
            !self.natives.is_empty()
        }
    }

    /// A value of the running program with its cells replaced by their contents.
    ///
    /// Errors when there is no memory or time for the changed collections.
    pub(super) fn with_contents(&mut self, value: &Value) -> Res {
        let resolved = self.resolve_cells(value, self.cx.meter.beside_within_memory());
        self.cx.meter.look_at_clock()?;
        resolved
    }

    /// The value with atoms, volatiles and delays replaced by their contents.
    ///
    /// Shared parts are visited once and stay shared, so the cost is linear in the distinct nodes.
    fn resolve_cells(&self, value: &Value, meter: Meter) -> Res {
        let mut reached = LiveCount::within(&meter);
        if !self.cx.cells.is_empty() {
            reached.add(value);
        }
        if reached.take_cells().is_empty() && !reached.is_too_deep() {
            return Ok(value.clone());
        }
        let mut contents = Contents { cells: &self.cx.cells, open: Vec::new(), meter };
        Ok(Walk::default().rewrite(value, &mut contents)?.unwrap_or_else(|| value.clone()))
    }
}

/// Replaces cells with their contents.
struct Contents<'c> {
    cells: &'c Cells,
    /// The enclosing cells: a cell inside itself is shown as `...`.
    open: Vec<u32>,
    meter: Meter,
}

impl Rewrite for Contents<'_> {
    fn leaf(&mut self, value: &Value, walk: &mut Walk) -> Res<Option<Value>> {
        let Value::Cell(cell) = value else { return Ok(None) };
        if self.open.contains(&cell.id) {
            return Ok(Some(Value::Symbol(Name::new("..."))));
        }
        let content = self.cells.content(cell.id).cloned().unwrap_or_default();
        self.open.push(cell.id);
        let resolved = walk.parts(1, 1, || std::iter::once(&content), self)?;
        self.open.pop();
        Ok(Some(resolved.and_then(|mut parts| parts.pop()).unwrap_or(content)))
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }
}
