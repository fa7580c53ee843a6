//! Updates of entries: their state is in registers, starting with the one of the result.

use std::sync::atomic::AtomicU8;

use super::Machine;
use super::each::{clear_ranges, element};
use super::operands::at_hint;
use crate::error::Res;
use crate::eval::code::{Reg, UpdateCode};
use crate::limits::meter::Meter;
use crate::value::{Map, Value};

#[allow(clippy::inline_always, reason = "they run once for each element")]
impl UpdateCode {
    /// Start an update: the value under the key goes to the parameter, its place to the register after the key. False,
    /// with nothing changed, when it takes the slow path.
    #[inline]
    pub(super) fn begin(&self, regs: &mut [Value], meter: &mut Meter) -> Res<bool> {
        let (before, temporaries) = regs.split_at_mut(usize::from(self.window) + 2);
        let (holder, [key, place, ..]) = (&mut before[usize::from(self.holder)], temporaries) else { return Ok(false) };
        if !key.is_plain_key() {
            return Ok(false);
        }
        let map = match holder {
            Value::Map(map) if map.as_sorted().is_none_or(|table| table.order().function().is_none()) => map,
            Value::Vector(items) => {
                let Value::Int(at) = key else { return Ok(false) };
                let Some((at, old)) = usize::try_from(*at).ok().and_then(|at| Some((at, items.get(at)?.copy()))) else {
                    return Ok(false);
                };
                self.lift(regs, at, old, meter)?;
                return Ok(true);
            }
            Value::Nil if !matches!(key, Value::Vector(_)) => {
                *holder = Value::Map(Map::new());
                place.set_int(-1);
                regs[usize::from(self.params)].set(Value::Nil);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        match map.slot(key, meter)? {
            // Perhaps a path was meant: the slow path says so.
            None if matches!(key, Value::Vector(_)) => return Ok(false),
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

    /// Like [`UpdateCode::begin`], for an existing entry of a large table. Its key is the string that the element of
    /// the loop over `items` has in a field, at the index where that field was found last.
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

    /// Move the value at this place to the parameter: it is moved out when the map is not shared, so the body can
    /// update it in place.
    #[inline(always)]
    fn lift(&self, regs: &mut [Value], at: usize, old: Value, meter: &mut Meter) -> Res<()> {
        regs[usize::from(self.window) + 3].set_int(at as i64);
        if old.holds_pointer() {
            let slot = match &mut regs[usize::from(self.holder)] {
                // A value taken out of a sorted map could not be put back without a meter.
                Value::Map(map) if map.is_unique() && map.as_sorted().is_none() => map.value_mut(at, meter)?,
                Value::Vector(items) if items.is_unique() => items.get_mut(at, meter)?,
                _ => None,
            };
            if let Some(slot) = slot {
                slot.clear();
            }
        }
        regs[usize::from(self.params)].set(old);
        Ok(())
    }

    /// Undo [`UpdateCode::lift`] before the body did anything; returns where the slow path starts.
    pub(super) fn leave(&self, regs: &mut [Value]) -> usize {
        let mut old = std::mem::take(&mut regs[usize::from(self.params)]);
        if let Value::Int(at @ 0..) = regs[usize::from(self.window) + 3] {
            // A shared collection was not changed.
            put(&mut regs[usize::from(self.holder)], at as usize, &mut old);
        }
        clear_ranges([&self.locals, &self.temporaries], regs);
        self.slow as usize
    }

    /// Replace the value of an existing entry with the value in `a`, if the map is not shared.
    #[inline]
    pub(super) fn end(&self, regs: &mut [Value], a: Reg) -> bool {
        let Value::Int(place @ 0..) = &regs[usize::from(self.window) + 3] else { return false };
        let place = *place as usize;
        let (before, temporaries) = regs.split_at_mut(usize::from(a));
        let (holder, Some(value)) = (&mut before[usize::from(self.holder)], temporaries.first_mut()) else {
            return false;
        };
        if !put(holder, place, value) {
            return false;
        }
        self.finish(regs);
        true
    }

    #[inline(always)]
    fn finish(&self, regs: &mut [Value]) {
        if self.result != self.holder {
            let value = std::mem::take(&mut regs[usize::from(self.holder)]);
            regs[usize::from(self.result)].set(value);
        }
        regs[usize::from(self.window) + 2].clear();
        regs[usize::from(self.params)].clear();
        clear_ranges([&self.locals, &self.temporaries], regs);
    }
}

/// Move a value to a place of a map or vector that is not shared.
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
    /// Replace the entry of an update with the value in `a`.
    pub(super) fn put_entry(&mut self, update: &UpdateCode, base: usize, a: Reg) -> Res<()> {
        let (window, holder) = (base + usize::from(update.window), base + usize::from(update.holder));
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
        update.finish(&mut self.regs[base..]);
        Ok(())
    }
}
