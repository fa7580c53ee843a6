//! Loops over collections: their state is in registers, starting with the one of the result.

use std::ops::Range;

use super::Machine;
use super::operands::clear;

use crate::error::{Reason, Res, Signal, type_error};
use crate::eval::code::{Asks, EachCode, FieldTest, LoopLocal, OverCode, Reg};
use crate::limits::meter::Meter;
use crate::optimize::tree::{LoopKind, Parts};
use crate::stdlib::argument::equal;
use crate::stdlib::call::PAIR;
use crate::stdlib::seq::kind::has_lines;
use crate::stdlib::table::table;
use crate::value::{Map, Value, Vector, copy_to};

/// Elements for which capacity is reserved at once.
const FIRST_CAPACITY: usize = 4_096;

/// Bytes of a result without elements.
const RESULT: usize = 96;

/// Bytes of a group of one element, including the vector that it becomes.
const NEW_GROUP: usize = 128;

/// The element of the current round of the loop over the collection in `holder`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it runs for each field of an element")]
pub(super) fn element(regs: &[Value], holder: Reg) -> &Value {
    match regs.get(usize::from(holder).wrapping_sub(1)..) {
        Some([Value::Int(next), Value::Vector(items), ..]) => {
            items.get((*next as usize).wrapping_sub(1)).unwrap_or(&Value::Nil)
        }
        _ => &Value::Nil,
    }
}

#[allow(clippy::inline_always, reason = "they run once for each element")]
impl EachCode {
    /// Put the next element into its register, and clear what the last round left; returns where to continue.
    #[inline(always)]
    pub(super) fn next(&self, regs: &mut [Value]) -> usize {
        self.clear_round(regs);
        if self.load(regs) { self.start as usize } else { self.end(regs) }
    }

    /// Like [`EachCode::next`], with the value in `a` as the accumulator; a `reduced` value ends the fold.
    #[inline(always)]
    pub(super) fn fold(&self, regs: &mut [Value], a: Reg) -> usize {
        let params = usize::from(self.params);
        if a == self.params {
            self.clear_round(regs);
        } else {
            let value = std::mem::take(&mut regs[usize::from(a)]);
            self.clear_round(regs);
            regs[params].set(value);
        }
        if matches!(regs[params], Value::Reduced(_)) {
            return self.end(regs);
        }
        if self.load(regs) { self.start as usize } else { self.end(regs) }
    }

    /// Combine the value in `a` with the result by `plain`, which handles plain numbers; the first value becomes the
    /// result.
    #[inline]
    pub(super) fn combine(&self, regs: &mut [Value], a: Reg, plain: impl Fn(&mut Value, &Value) -> bool) -> bool {
        let (before, values) = regs.split_at_mut(usize::from(a));
        let (result, Some(value)) = (&mut before[usize::from(self.window)], values.first_mut()) else { return false };
        if result.is_nil() && !value.is_nil() && matches!(self.does, LoopKind::Sum { init: false, .. }) {
            result.take_from(value);
            return true;
        }
        plain(result, value)
    }

    /// Collect the value in `a` if there is capacity.
    #[inline]
    pub(super) fn collect(&self, regs: &mut [Value], a: Reg) -> bool {
        match regs.get_disjoint_mut([usize::from(self.window), usize::from(a)]) {
            Ok([Value::Vector(out), value]) => out.push_quickly(value),
            _ => true,
        }
    }

    /// Collect the element of the current round if there is capacity.
    #[inline]
    pub(super) fn collect_element(&self, regs: &mut [Value], meter: &mut Meter) -> Res<bool> {
        let mut item = self.current(regs, meter)?;
        Ok(match &mut regs[usize::from(self.window)] {
            Value::Vector(out) => out.push_quickly(&mut item),
            _ => true,
        })
    }

    /// The element of the current round.
    #[inline]
    fn current(&self, regs: &[Value], meter: &mut Meter) -> Res {
        Ok(match &regs[usize::from(self.holder) - 1..] {
            [Value::Int(next), Value::Int(_), ..] => Value::Int(next - 1),
            [Value::Int(next), Value::Map(map), ..] => match map.entry_at((*next as usize).wrapping_sub(1)) {
                Some((key, value)) => {
                    meter.allocate(PAIR)?;
                    Value::vector(vec![key.clone(), value.clone()])
                }
                None => Value::Nil,
            },
            _ => element(regs, self.holder).clone(),
        })
    }

    /// Collect the element of the current round under the key in `a`, if elements with this key were collected before
    /// and there is capacity.
    #[inline]
    pub(super) fn group(&self, regs: &mut [Value], a: Reg, meter: &mut Meter) -> Res<bool> {
        let (Value::Map(groups), key) = (&regs[usize::from(self.window)], &regs[usize::from(a)]) else {
            return Ok(true);
        };
        let place = match (groups.place_of_same(key), key) {
            (Some(place), _) => place,
            (None, Value::Str(_) | Value::Keyword(_) | Value::Int(_)) => match groups.slot(key, meter)? {
                Some((place, ..)) => place,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        if matches!(regs[usize::from(self.holder)], Value::Map(_)) {
            return Ok(false);
        }
        let mut item = self.current(regs, meter)?;
        let Value::Map(groups) = &mut regs[usize::from(self.window)] else { return Ok(true) };
        Ok(match groups.value_quickly(place) {
            Some(Value::Vector(group)) => group.push_quickly(&mut item),
            _ => false,
        })
    }

    /// Leave the loop: the accumulator goes to the result, the other registers of the loop are cleared.
    #[inline]
    pub(super) fn end(&self, regs: &mut [Value]) -> usize {
        match self.does {
            LoopKind::Fold { .. } => {
                regs[usize::from(self.window)] = match std::mem::take(&mut regs[usize::from(self.params)]) {
                    // It stopped the fold, or every round returned the initial value.
                    Value::Reduced(stop) => stop.get().clone(),
                    value => value,
                };
            }
            // Nothing to add.
            LoopKind::Sum { product, init: false } if regs[usize::from(self.window)].is_nil() => {
                regs[usize::from(self.window)] = Value::Int(i64::from(product));
            }
            _ => {}
        }
        // Kept until here for the slow path.
        if let (LoopKind::Sum { .. }, OverCode::Items(LoopLocal { register, moves: true })) = (self.does, self.over) {
            regs[usize::from(register)].clear();
        }
        self.clear_round(regs);
        clear(&mut regs[usize::from(self.params)..usize::from(self.locals.start)]);
        clear(&mut regs[usize::from(self.state.start)..usize::from(self.state.end)]);
        self.end as usize
    }

    /// Skip to the first element for which the tests hold; each skipped element costs a round. Returns where to
    /// continue. What cannot be decided here is left to the tests themselves.
    #[inline(never)]
    pub(super) fn test(&self, regs: &mut [Value], slice: &mut i64) -> usize {
        let undecided = self.start as usize + 1;
        let Some((locals, [Value::Int(next), Value::Vector(items), ..])) =
            regs.split_at_mut_checked(usize::from(self.holder).wrapping_sub(1))
        else {
            return undecided;
        };
        let first = (*next as usize).wrapping_sub(1);
        for (at, item) in items.iter_from(first).enumerate() {
            let is_done = match self.passes(item) {
                Some(false) if *slice > 0 => {
                    *slice -= 1;
                    continue;
                }
                Some(true) => self.passed,
                Some(false) => self.failed,
                None => undecided as u32,
            };
            if at > 0 {
                *next = (first + at + 1) as i64;
                if !self.in_place {
                    copy_to!(locals[usize::from(self.element)], item);
                }
            }
            return is_done as usize;
        }
        self.end(regs)
    }

    /// Whether all tests hold for an element; `None` when that cannot be decided cheaply.
    #[inline(always)]
    fn passes(&self, item: &Value) -> Option<bool> {
        let Value::Map(row) = item else { return None };
        for test in &self.tests {
            if !test.holds(row)? {
                return Some(false);
            }
        }
        Some(true)
    }

    #[inline(always)]
    fn load(&self, regs: &mut [Value]) -> bool {
        // The registers of locals are before those of the state.
        let Some((locals, state)) = regs.split_at_mut_checked(usize::from(self.holder).wrapping_sub(1)) else {
            return false;
        };
        let [Value::Int(next), holder, ..] = state else { return false };
        let at = *next;
        *next += 1;
        match (&*holder, self.parts) {
            (Value::Vector(items), parts) => match (items.get(at as usize), parts) {
                (None, _) => return false,
                (Some(Value::Vector(pair)), Some(parts)) => set_parts(locals, parts, pair.iter()),
                (Some(item), None) if !self.in_place => copy_to!(locals[usize::from(self.element)], item),
                _ => {}
            },
            (Value::Int(end), _) if at < *end => locals[usize::from(self.element)].set_int(at),
            (Value::Map(map), Some(parts)) => match map.entry_at(at as usize) {
                Some((key, value)) => set_parts(locals, parts, [key, value].into_iter()),
                None => return false,
            },
            _ => return false,
        }
        if let Some(index) = self.index {
            regs[usize::from(index)].set_int(at);
        }
        if self.beside.is_some() {
            let Some(other) = self.other(regs) else { return false };
            regs[usize::from(self.element) + 1].set(other);
        }
        true
    }

    /// The element of the second collection.
    #[inline]
    fn other(&self, regs: &[Value]) -> Option<Value> {
        match regs.get(usize::from(self.state.start)..)? {
            [Value::Int(next), holder, Value::Vector(others), ..] => {
                // For a range, the index does not start at 0.
                let at = if let Value::Int(_) = holder { next - 1 - self.range_start(regs) } else { next - 1 };
                others.get(at as usize).map(Value::copy)
            }
            _ => None,
        }
    }

    fn range_start(&self, regs: &[Value]) -> i64 {
        match self.over {
            OverCode::Range(start, _) if let Value::Int(start) = regs[usize::from(start.register)] => start,
            _ => 0,
        }
    }

    #[inline(always)]
    fn clear_round(&self, regs: &mut [Value]) {
        clear_ranges([&self.locals, &self.temporaries], regs);
    }
}

#[allow(clippy::inline_always, reason = "it runs for each field of an element")]
impl FieldTest {
    #[inline(always)]
    fn holds(&self, row: &Map) -> Option<bool> {
        let (key, hint) = (&self.key, &self.hint);
        let value = row.get_at_hint(key, hint).or_else(|| row.get_keyword_near(key, hint))?;
        let holds = match (&self.asks, value) {
            (Asks::IsTruthy, value) => value.is_truthy(),
            (Asks::Equals(constant), value) => equal(value, constant)?,
            (Asks::Compares(relation, number), value) => relation.of(value, number)?,
        };
        Some(holds == self.wanted)
    }
}

/// Put the parts of an element into their registers; nil where there is none.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it runs once for each element")]
fn set_parts<'v>(regs: &mut [Value], parts: Parts, mut values: impl Iterator<Item = &'v Value>) {
    for register in parts.first..parts.first + parts.count {
        match values.next() {
            Some(value) => copy_to!(regs[register as usize], value),
            None => regs[register as usize].set(Value::Nil),
        }
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it runs once for each element")]
pub(super) fn clear_ranges(ranges: [&Range<u16>; 2], regs: &mut [Value]) {
    for range in ranges {
        if !range.is_empty() {
            clear(&mut regs[usize::from(range.start)..usize::from(range.end)]);
        }
    }
}

/// Whether a loop can call this with this many arguments; for everything else, the slow path reports the error.
fn is_called_with(callee: &Value, count: usize) -> bool {
    match callee {
        Value::Function(closure) => closure.proto.select(count).is_some(),
        Value::Builtin(id) => table().entry(*id).accepts(count),
        Value::Keyword(_) | Value::Map(_) | Value::Set(_) => count == 1,
        _ => false,
    }
}

impl Machine {
    /// Start a loop in the frame at `base`: returns where to continue, `None` when it takes the slow path. Code of the
    /// prelude knows what it calls.
    pub(super) fn begin_each(&mut self, each: &EachCode, base: usize, hidden: bool) -> Res<Option<usize>> {
        let callee = each.callee.map(|callee| &self.regs[base + usize::from(callee)]).filter(|_| !hidden);
        if !callee.is_none_or(|callee| is_called_with(callee, usize::from(each.arguments))) {
            return Ok(None);
        }
        if let OverCode::Items(LoopLocal { register, .. }) = each.over
            && let Value::Str(text) = &self.regs[base + usize::from(register)]
            && each.warns
            && has_lines(text.as_str())
        {
            return Ok(None);
        }
        let takes_maps = each.takes_maps && !matches!(callee, Some(Value::Keyword(_)));
        if !self.fill(each, base, takes_maps)? {
            let state = base + usize::from(each.state.start)..base + usize::from(each.state.end);
            clear(&mut self.regs[state]);
            return Ok(None);
        }
        if let OverCode::Items(LoopLocal { register, moves: true }) = each.over
            && !matches!(each.does, LoopKind::Sum { .. })
        {
            self.regs[base + usize::from(register)].clear();
        }
        let regs = &mut self.regs[base..];
        Ok(Some(if each.load(regs) { each.start as usize } else { each.end(regs) }))
    }

    /// Put the operands of a loop into its registers, one after another, where a count of live values finds them. False
    /// when the loop takes the slow path.
    fn fill(&mut self, each: &EachCode, base: usize, takes_maps: bool) -> Res<bool> {
        let holder = base + usize::from(each.holder);
        let mut next = 0;
        match each.over {
            OverCode::Items(items) => match self.source(base + usize::from(items.register), takes_maps, each.parts)? {
                Some(items) => self.regs[holder] = items,
                None => return Ok(false),
            },
            OverCode::Range(start, end) => {
                match [start, end].map(|LoopLocal { register, .. }| &self.regs[base + usize::from(register)]) {
                    [Value::Int(start), Value::Int(end)] => {
                        next = *start;
                        self.regs[holder] = Value::Int(*end);
                    }
                    _ => return Ok(false),
                }
            }
        }
        if let Some(LoopLocal { register, .. }) = each.beside {
            match self.items(base + usize::from(register), true)? {
                Some(items) => self.regs[holder + 1] = Value::Vector(items),
                None => return Ok(false),
            }
        }
        let result = match each.does {
            _ if each.nested => Value::Nil,
            LoopKind::Map | LoopKind::Keep | LoopKind::Filter { .. } | LoopKind::Concat | LoopKind::Nest => {
                let count = if let Value::Vector(items) = &self.regs[holder] { items.len() } else { 0 };
                let capacity = if each.does == LoopKind::Map { count.min(FIRST_CAPACITY) } else { 0 };
                self.claim(RESULT + capacity * size_of::<Value>())?;
                Value::vector(Vec::with_capacity(capacity))
            }
            LoopKind::Group => Value::Map(Map::new()),
            LoopKind::First | LoopKind::Effects | LoopKind::Search { truthy: true } => Value::Nil,
            LoopKind::Search { truthy: false } => Value::Bool(true),
            LoopKind::Fold { init: true } => self.operand(each.init, base),
            // A number: the slow path may start again with it.
            LoopKind::Sum { .. } => {
                each.init.map_or(Value::Nil, |init| self.regs[base + usize::from(init.register)].clone())
            }
            LoopKind::Fold { init: false } => {
                let first = match &self.regs[holder] {
                    Value::Vector(items) => items.get(0).cloned(),
                    Value::Int(end) => (next < *end).then_some(Value::Int(next)),
                    _ => None,
                };
                let Some(first) = first else { return Ok(false) };
                next += 1;
                first
            }
        };
        let first = if matches!(each.does, LoopKind::Fold { .. }) { each.params } else { each.window };
        if !each.nested {
            self.regs[base + usize::from(first)] = result;
        }
        self.regs[holder - 1] = Value::Int(next);
        Ok(true)
    }

    /// The value of a local: moved out when the local is not read again.
    fn operand(&mut self, operand: Option<LoopLocal>, base: usize) -> Value {
        match operand {
            Some(LoopLocal { register, moves: true }) => std::mem::take(&mut self.regs[base + usize::from(register)]),
            Some(LoopLocal { register, moves: false }) => self.regs[base + usize::from(register)].clone(),
            None => Value::Nil,
        }
    }

    /// The collection from which a loop reads its elements or their parts; `None` for one that takes the slow path.
    fn source(&mut self, register: usize, takes_maps: bool, parts: Option<Parts>) -> Res<Option<Value>> {
        match (&self.regs[register], parts) {
            (Value::Map(map), Some(_)) if takes_maps && map.as_sorted().is_none() => {
                return Ok(Some(Value::Map(map.clone())));
            }
            (Value::Nil | Value::Map(_), Some(Parts { entries: true, .. })) => {}
            (_, Some(Parts { entries: true, .. })) => return Ok(None),
            (Value::Vector(items), Some(_)) => {
                let has_parts = |item: &Value| matches!(item, Value::Vector(_));
                return Ok(items.iter().all(has_parts).then(|| Value::Vector(items.clone())));
            }
            (Value::Set(_) | Value::Str(_), Some(_)) => return Ok(None),
            _ => {}
        }
        Ok(self.items(register, takes_maps)?.map(Value::Vector))
    }

    /// The elements of the collection in a register; `None` for one that takes the slow path.
    fn items(&mut self, register: usize, takes_maps: bool) -> Res<Option<Vector>> {
        match &self.regs[register] {
            Value::Vector(items) => return Ok(Some(items.clone())),
            Value::Nil => return Ok(Some(Vector::new())),
            Value::Map(map) if !takes_maps && !map.is_empty() => return Ok(None),
            Value::Map(_) | Value::Set(_) | Value::Str(_) => {}
            _ => return Ok(None),
        }
        let mark = self.cx.meter.mark();
        match self.regs[register].elements(&mut self.cx.meter) {
            Err(error) if error.reason == Reason::MemoryExceeded && self.cx.meter.may_succeed_after_count(&mark) => {
                self.cx.meter.rewind(&mark);
                self.scan()?;
                Ok(self.regs[register].elements(&mut self.cx.meter)?)
            }
            items => Ok(items?),
        }
    }

    /// Reserve capacity for `count` more elements in the result of a loop; live values are counted first when due.
    #[cold]
    pub(super) fn reserve(&mut self, each: &EachCode, base: usize, count: usize) -> Res<()> {
        let window = base + usize::from(each.window);
        if let Value::Vector(out) = &self.regs[window]
            && (self.cx.meter.scan_due() || self.cx.meter.is_short_of(out.bytes() + count * size_of::<Value>()))
        {
            self.scan()?;
        }
        match &mut self.regs[window] {
            Value::Vector(out) => Ok(out.reserve(count, &mut self.cx.meter)?),
            _ => Ok(()),
        }
    }

    /// Collect the elements of the value in `a`. False when it has to be realised first, above the registers of the frame.
    pub(super) fn concat(&mut self, each: &EachCode, base: usize, a: Reg, above: usize) -> Res<bool> {
        let register = base + usize::from(a);
        if let Value::LazySeq(view) = self.regs[register] {
            if !self.cx.cells.is_finished(view) {
                let need = Box::new(Signal::Need { cell: view.cell, count: usize::MAX });
                return if self.force_for_retry(&need, above) { Ok(false) } else { Err(need) };
            }
            self.claim(RESULT + size_of_val(self.cx.cells.realised(view)))?;
            self.regs[register] = Value::vector(self.cx.cells.realised(view).to_vec());
        }
        let Some(items) = self.items(register, true)? else {
            let kind = self.regs[register].kind();
            return Err(type_error(format!("mapcat: the function must give collections, got {kind}")));
        };
        self.cx.meter.charge(items.len())?;
        self.reserve(each, base, items.len())?;
        if let Value::Vector(out) = &mut self.regs[base + usize::from(each.window)] {
            out.extend(items.iter().cloned(), &mut self.cx.meter)?;
        }
        Ok(true)
    }

    /// Like [`EachCode::group`], for any key. False when something has to be realised first, above the registers of the
    /// frame.
    pub(super) fn group(&mut self, each: &EachCode, base: usize, a: Reg, above: usize) -> Res<bool> {
        if let Err(signal) = self.cx.settle(&mut self.regs[base + usize::from(a)]) {
            return if self.force_for_retry(&signal, above) { Ok(false) } else { Err(signal) };
        }
        let window = base + usize::from(each.window);
        if self.cx.meter.scan_due() || self.cx.meter.is_short_of(NEW_GROUP) {
            self.scan()?;
        }
        let item = each.current(&self.regs[base..], &mut self.cx.meter)?;
        let key = std::mem::take(&mut self.regs[base + usize::from(a)]);
        let Value::Map(mut groups) = std::mem::take(&mut self.regs[window]) else { return Ok(true) };
        if self.cx.state.has_comparators {
            self.lend();
        }
        let placed = self.place_in_group(&mut groups, key, item);
        self.reclaim();
        self.regs[window] = Value::Map(groups);
        placed.map(|()| true)
    }

    fn place_in_group(&mut self, groups: &mut Map, key: Value, item: Value) -> Res<()> {
        let meter = &mut self.cx.meter;
        match groups.slot(&key, meter)?.map(|(place, ..)| place) {
            Some(place) => {
                if let Some(Value::Vector(group)) = groups.value_mut(place, meter)? {
                    group.reserve(1, meter)?;
                    group.push(item, meter)?;
                }
            }
            None => {
                meter.allocate(NEW_GROUP)?;
                groups.insert(key, Value::vector(vec![item]), meter)?;
            }
        }
        Ok(())
    }
}
