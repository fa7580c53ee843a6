//! Passes whose bodies stand in place: their state is in registers, from the one of the result on.

use std::sync::atomic::AtomicU8;

use super::Machine;
use super::operands::{at_hint, clear};
use crate::analyze::ir::Does;
use crate::error::Res;
use crate::eval::code::{PassCode, Reg};
use crate::meter::Meter;
use crate::stdlib::call::elements;
use crate::value::{Map, Value, Vector};

/// Elements for which room is made at once.
const FIRST_ROOM: usize = 4_096;

/// Bytes of a result without elements.
const RESULT: usize = 96;

/// The element of the running round of the pass over the collection in `holder`.
#[inline]
pub(super) fn element(regs: &[Value], holder: Reg) -> &Value {
    match regs.get(usize::from(holder).wrapping_sub(1)..) {
        Some([Value::Int(next), Value::Vector(items), ..]) => {
            items.get((*next as usize).wrapping_sub(1)).unwrap_or(&Value::Nil)
        }
        _ => &Value::Nil,
    }
}

#[allow(clippy::inline_always, reason = "they run once for each element")]
impl PassCode {
    /// Put the next element into its register, what the last round left being cleared away; answers where to go on.
    #[inline(always)]
    pub(super) fn next(&self, regs: &mut [Value]) -> usize {
        self.clear_round(regs);
        if self.load(regs) { self.start as usize } else { self.end(regs) }
    }

    /// As [`PassCode::next`], with the value in `a` as what was computed so far; nothing when the fold stops with it.
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
        if let Value::Reduced(stop) = &regs[params] {
            regs[params] = stop.get().clone();
            return self.end(regs);
        }
        if self.load(regs) { self.start as usize } else { self.end(regs) }
    }

    /// Combine the value in `a` with the result by `plain`, which knows how for plain numbers; the first value is the
    /// result.
    #[inline]
    pub(super) fn combine(&self, regs: &mut [Value], a: Reg, plain: impl Fn(&mut Value, &Value) -> bool) -> bool {
        let (before, values) = regs.split_at_mut(usize::from(a));
        let (result, Some(value)) = (&mut before[usize::from(self.window)], values.first_mut()) else { return false };
        if result.is_nil() && !value.is_nil() && matches!(self.does, Does::Sum { init: false, .. }) {
            result.take_from(value);
            return true;
        }
        plain(result, value)
    }

    /// Collect the value in `a` if there is room.
    #[inline]
    pub(super) fn collect(&self, regs: &mut [Value], a: Reg) -> bool {
        match regs.get_disjoint_mut([usize::from(self.window), usize::from(a)]) {
            Ok([Value::Vector(out), value]) => out.push_quickly(value),
            _ => true,
        }
    }

    /// Collect the element of the running round if there is room.
    #[inline]
    pub(super) fn collect_element(&self, regs: &mut [Value]) -> bool {
        let mut item = match element(regs, self.holder) {
            Value::Map(row) => Value::Map(row.clone()),
            other => other.copy(),
        };
        match &mut regs[usize::from(self.window)] {
            Value::Vector(out) => out.push_quickly(&mut item),
            _ => true,
        }
    }

    /// Leave the pass: what it computed so far goes to the result, its other registers are cleared.
    #[inline]
    pub(super) fn end(&self, regs: &mut [Value]) -> usize {
        match self.does {
            Does::Fold { .. } => regs[usize::from(self.window)] = std::mem::take(&mut regs[usize::from(self.params)]),
            // Nothing to add.
            Does::Sum { product, init: false } if regs[usize::from(self.window)].is_nil() => {
                regs[usize::from(self.window)] = Value::Int(i64::from(product));
            }
            _ => {}
        }
        self.clear_round(regs);
        clear(&mut regs[usize::from(self.params)..usize::from(self.locals.start)]);
        clear(&mut regs[usize::from(self.window) + 1..=usize::from(self.holder)]);
        self.end as usize
    }

    #[inline(always)]
    fn load(&self, regs: &mut [Value]) -> bool {
        let index = usize::from(self.holder).wrapping_sub(1);
        let Some([Value::Int(next), Value::Vector(items), ..]) = regs.get_mut(index..) else { return false };
        let at = *next as usize;
        *next += 1;
        let Some(item) = items.get(at) else { return false };
        if !self.in_place {
            let item = item.copy();
            let element = self.params + Reg::from(matches!(self.does, Does::Fold { .. }));
            regs[usize::from(element)].set(item);
        }
        true
    }

    #[inline(always)]
    fn clear_round(&self, regs: &mut [Value]) {
        for range in [&self.locals, &self.temporaries] {
            if !range.is_empty() {
                clear(&mut regs[usize::from(range.start)..usize::from(range.end)]);
            }
        }
    }

    /// Begin an update: what is under the key goes to the parameter, its place to the register behind the key. False,
    /// with nothing changed, when it takes the slow path.
    #[inline]
    pub(super) fn begin_update(&self, regs: &mut [Value], meter: &mut Meter) -> Res<bool> {
        let (before, temporaries) = regs.split_at_mut(usize::from(self.window) + 2);
        let (holder, [key, place, ..]) = (&mut before[usize::from(self.holder)], temporaries) else { return Ok(false) };
        if !matches!(key, Value::Str(_) | Value::Keyword(_) | Value::Int(_)) {
            return Ok(false);
        }
        let map = match holder {
            Value::Map(map) if map.as_sorted().is_none() => map,
            Value::Vector(items) => {
                let Value::Int(at) = key else { return Ok(false) };
                let Some((at, old)) = usize::try_from(*at).ok().and_then(|at| Some((at, items.get(at)?.copy()))) else {
                    return Ok(false);
                };
                self.lift(regs, at, old, meter)?;
                return Ok(true);
            }
            Value::Nil => {
                *holder = Value::Map(Map::new());
                place.set_int(-1);
                regs[usize::from(self.params)].set(Value::Nil);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        match map.slot(key, meter)? {
            None => {
                place.set_int(-1);
                regs[usize::from(self.params)].set(Value::Nil);
            }
            Some((at, _, old)) => {
                let old = old.copy();
                self.lift(regs, at, old, meter)?;
            }
        }
        Ok(true)
    }

    /// As [`PassCode::begin_update`], for an entry of a large table that is there under the text that the element of
    /// the pass over `items` has in a field, where that was the last time.
    #[inline]
    pub(super) fn begin_near(
        &self,
        regs: &mut [Value],
        items: Reg,
        (name, hint): (&Value, &AtomicU8),
        meter: &mut Meter,
    ) -> Res<bool> {
        let Value::Map(map) = &regs[usize::from(self.holder)] else { return Ok(false) };
        let Some(Value::Str(key)) = at_hint(element(regs, items), name, hint) else { return Ok(false) };
        let Some((at, old)) = map.slot_of_text(key, meter).filter(|(_, old)| !old.is_nil()) else { return Ok(false) };
        let old = old.copy();
        self.lift(regs, at, old, meter)?;
        Ok(true)
    }

    /// The value at this place goes to the parameter: moved out when nobody else holds the map, so that the body may
    /// update it in place.
    #[inline(always)]
    fn lift(&self, regs: &mut [Value], at: usize, old: Value, meter: &mut Meter) -> Res<()> {
        regs[usize::from(self.window) + 3].set_int(at as i64);
        if old.holds_pointer() {
            let slot = match &mut regs[usize::from(self.holder)] {
                Value::Map(map) if !map.is_shared() => map.value_mut(at, meter)?,
                Value::Vector(items) if !items.is_shared() => items.get_mut(at, meter)?,
                _ => None,
            };
            if let Some(slot) = slot {
                slot.clear();
            }
        }
        regs[usize::from(self.params)].set(old);
        Ok(())
    }

    /// Undo [`PassCode::lift`] before the body did anything; answers where the slow path begins.
    pub(super) fn leave(&self, regs: &mut [Value]) -> usize {
        let mut old = std::mem::take(&mut regs[usize::from(self.params)]);
        if let Value::Int(at @ 0..) = regs[usize::from(self.window) + 3] {
            // A collection that others hold was not changed.
            put(&mut regs[usize::from(self.holder)], at as usize, &mut old);
        }
        self.clear_round(regs);
        self.slow as usize
    }

    /// Put the value in `a` in the place of an entry that is there, if nobody else holds the map.
    #[inline]
    pub(super) fn end_update(&self, regs: &mut [Value], a: Reg) -> bool {
        let Value::Int(place @ 0..) = &regs[usize::from(self.window) + 3] else { return false };
        let place = *place as usize;
        let (before, temporaries) = regs.split_at_mut(usize::from(a));
        let (holder, Some(value)) = (&mut before[usize::from(self.holder)], temporaries.first_mut()) else {
            return false;
        };
        if !put(holder, place, value) {
            return false;
        }
        self.leave_update(regs);
        true
    }

    #[inline(always)]
    fn leave_update(&self, regs: &mut [Value]) {
        if self.result != self.holder {
            let value = std::mem::take(&mut regs[usize::from(self.holder)]);
            regs[usize::from(self.result)].set(value);
        }
        regs[usize::from(self.window) + 2].clear();
        regs[usize::from(self.params)].clear();
        self.clear_round(regs);
    }
}

/// Move a value to a place of a map or vector that nobody else holds.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it runs once for each element")]
fn put(holder: &mut Value, place: usize, value: &mut Value) -> bool {
    match holder {
        Value::Map(map) => map.put_quickly(place, value),
        Value::Vector(items) => items.put_quickly(place, value),
        _ => false,
    }
}

impl Machine {
    /// Begin a pass in the frame at `base`: answers where to go on, nothing when its arguments take the slow path.
    pub(super) fn begin_pass(&mut self, pass: &PassCode, base: usize) -> Res<Option<usize>> {
        let holder = base + usize::from(pass.holder);
        let items = match &self.regs[holder] {
            Value::Vector(items) => items.clone(),
            Value::Nil => Vector::new(),
            Value::Map(_) if !pass.takes_maps => return Ok(None),
            other @ (Value::Map(_) | Value::Set(_) | Value::Str(_)) => match elements(other, &mut self.cx.meter) {
                Ok(Some(items)) => items,
                // What does not fit is refused on the slow path, which counts garbage first.
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let mut next = 0;
        let first = match pass.does {
            Does::Map | Does::Keep | Does::Filter { .. } => {
                let room = if pass.does == Does::Map { items.len().min(FIRST_ROOM) } else { 0 };
                self.claim(RESULT + room * size_of::<Value>())?;
                self.regs[base + usize::from(pass.window)] = Value::vector(Vec::with_capacity(room));
                None
            }
            Does::First => {
                self.regs[base + usize::from(pass.window)] = Value::Nil;
                None
            }
            Does::Search { truthy } => {
                self.regs[base + usize::from(pass.window)] = if truthy { Value::Nil } else { Value::Bool(true) };
                None
            }
            Does::Fold { init: true } => Some(std::mem::take(&mut self.regs[holder - 1])),
            Does::Fold { init: false } => {
                let Some(first) = items.get(0) else { return Ok(None) };
                next = 1;
                Some(first.clone())
            }
            Does::Sum { init, .. } => {
                let first = if init { std::mem::take(&mut self.regs[holder - 1]) } else { Value::Nil };
                self.regs[base + usize::from(pass.window)] = first;
                None
            }
            Does::Update => None,
        };
        if let Some(first) = first {
            self.regs[base + usize::from(pass.params)] = first;
        }
        self.regs[holder] = Value::Vector(items);
        self.regs[holder - 1] = Value::Int(next);
        let regs = &mut self.regs[base..];
        Ok(Some(if pass.load(regs) { pass.start as usize } else { pass.end(regs) }))
    }

    /// Room for one more element in the result of a pass; live values are counted first when it is time.
    #[cold]
    pub(super) fn make_room(&mut self, pass: &PassCode, base: usize) -> Res<()> {
        let window = base + usize::from(pass.window);
        if let Value::Vector(out) = &self.regs[window]
            && (self.cx.meter.scan_due() || self.cx.meter.is_short_of(out.bytes()))
        {
            self.scan()?;
        }
        match &mut self.regs[window] {
            Value::Vector(out) => out.make_room(1, &mut self.cx.meter),
            _ => Ok(()),
        }
    }

    /// Put the value in `a` in the place of the entry of an update.
    pub(super) fn put_entry(&mut self, pass: &PassCode, base: usize, a: Reg) -> Res<()> {
        let (window, holder) = (base + usize::from(pass.window), base + usize::from(pass.holder));
        if let Value::Map(map) = &self.regs[holder]
            && (self.cx.meter.scan_due() || self.cx.meter.is_short_of(2 * map.bytes() + 64))
        {
            self.scan()?;
        }
        let value = std::mem::take(&mut self.regs[base + usize::from(a)]);
        let (before, temporaries) = self.regs.split_at_mut(window + 2);
        let [key, place, ..] = temporaries else { return Ok(()) };
        let meter = &mut self.cx.meter;
        match (place, &mut before[holder]) {
            (Value::Int(at @ 0..), Value::Map(map)) => {
                if let Some(slot) = map.value_mut(*at as usize, meter)? {
                    slot.set(value);
                }
            }
            (Value::Int(at @ 0..), Value::Vector(items)) => {
                if let Some(slot) = items.get_mut(*at as usize, meter)? {
                    slot.set(value);
                }
            }
            (_, Value::Map(map)) => {
                meter.allocate(48)?;
                map.assoc(std::mem::take(key), value, meter)?;
            }
            _ => {}
        }
        pass.leave_update(&mut self.regs[base..]);
        Ok(())
    }
}
