//! Instructions off the fast path, and operations on operands.

use std::sync::atomic::AtomicU8;

use super::{Flow, Machine, call};
use crate::error::{Reason, Res, err};
use crate::eval::code::{Code, Op, Operand, Reg, arguments_behind};
use crate::eval::code_table::CodeTable;
use crate::eval::context::Context;
use crate::index::addressable;
use crate::limits::meter::Meter;
use crate::stdlib::Run;
use crate::stdlib::argument::{Argument, MOST_ARGUMENTS};
use crate::stdlib::quick::{Arguments, Quick, in_window};
use crate::stdlib::registry::Entry;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value, number};

impl Machine {
    /// Look up a keyword in any value.
    #[cold]
    pub(super) fn look_up_keyword(&mut self, codes: &CodeTable, key: &Value, holder: &Value) -> Res {
        self.lend();
        let found = call::keyword_lookup(key, holder, &Value::Nil, &mut self.cx);
        self.reclaim();
        self.place_warnings(codes);
        found
    }

    /// Make the call of the instruction at `pc`, which no quick call handles, like any other call, above the registers
    /// of its frame; the value is left in the first register there. False when something has to be realised first: then
    /// the arguments are unchanged.
    #[inline(never)]
    pub(super) fn call_row(&mut self, codes: &CodeTable, code: &Code, base: usize, pc: usize) -> Res<bool> {
        let op = code.ops[pc];
        let mut row = op.relation().and_then(|relation| Operand::Relation(relation).row());
        let mut given = [Given::Number(0); MOST_ARGUMENTS];
        let mut count = 0;
        let mut give = |argument: Given| {
            if let Some(place) = given.get_mut(count) {
                *place = argument;
                count += 1;
            }
        };
        op.visit(|operand| match operand {
            Operand::Argument(argument) => give(Given::Argument(argument)),
            Operand::From(register) => give(Given::Register(register)),
            Operand::Number(n) => give(Given::Number(n)),
            _ => row = row.or(operand.row()),
        });
        if let Op::Builtin(_, _, more) = op {
            arguments_behind(&code.ops, pc).into_iter().take(usize::from(more)).map(Given::Argument).for_each(give);
        }
        let arguments = &given[..count];
        let Some(id) = row else { return Err(err(Reason::InternalError, "an instruction that calls no row")) };
        let window = base + usize::from(code.registers);
        if self.regs.len() <= window + count {
            self.grow(window + count + 1)?;
        }
        for (place, argument) in (window + 1..).zip(arguments) {
            self.regs[place] = match argument {
                Given::Number(n) => Value::Int(i64::from(*n)),
                Given::Register(register) => self.regs[base + usize::from(*register)].copy(),
                Given::Argument(argument) if argument.is_last() => {
                    std::mem::take(&mut self.regs[base + argument.index()])
                }
                Given::Argument(argument) => argument.of(&self.regs[base..], &code.constants).copy(),
            };
        }
        let entry = table().entry(id);
        let flow = match &entry.row.run {
            Run::Plain(run) if self.is_answered_plainly(entry.row, window, count) => {
                match self.run_plain(codes, (id, *run), window, count) {
                    Ok(value) => Flow::Value(value),
                    Err(flow) => flow?,
                }
            }
            _ => self.call_builtin(codes, call::BuiltinCall { id, window, count, to_native: false })?,
        };
        let Flow::Value(value) = flow else {
            for (place, argument) in (window + 1..).zip(arguments) {
                if let Given::Argument(argument) = argument
                    && argument.is_last()
                {
                    self.regs[base + argument.index()] = std::mem::take(&mut self.regs[place]);
                }
            }
            return Ok(false);
        };
        self.regs[window] = value;
        if self.cx.meter.scan_due() {
            self.scan()?;
        }
        Ok(true)
    }
}

/// An argument of an instruction.
#[derive(Copy, Clone)]
enum Given {
    Argument(Argument),
    Register(Reg),
    Number(i32),
}

/// Call a row that a local holds by its quick call, on the `count` arguments in the window of register `a`, which gets
/// the value. False, with nothing changed, when there is no quick call.
pub(super) fn call_window_quickly(entry: &Entry, a: Reg, count: u8, regs: &mut [Value], cx: &mut Context) -> bool {
    let count = usize::from(count);
    let quick = entry.quick.map(Quick::numbered).filter(|quick| quick.takes(count) && entry.accepts(count));
    quick.is_some_and(|quick| on_window::<MOST_ARGUMENTS>((a, a), count, regs, |on| quick.call(on, cx)))
}

/// The most arguments of a call whose row has a quick call in its window.
const FEW: usize = 3;

/// Call a row that may start a frame by its quick call, if it has one: on the `count` arguments in the window of
/// register `a`; the value goes to `d`. False, with nothing changed, when there is no quick call.
pub(super) fn call_in_window(
    id: BuiltinId,
    (a, d): (Reg, Reg),
    count: usize,
    regs: &mut [Value],
    cx: &mut Context,
) -> bool {
    in_window(id).is_some_and(|quick| on_window::<FEW>((a, d), count, regs, |on| quick(on, cx)))
}

/// Make a quick call on the `count` arguments in the window of register `a`; the value goes to `d`. False, with nothing
/// changed, when it cannot be made, or there are more than `MOST`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "an instruction")]
fn on_window<const MOST: usize>(
    (a, d): (Reg, Reg),
    count: usize,
    regs: &mut [Value],
    quick: impl FnOnce(&mut Arguments<'_>) -> bool,
) -> bool {
    let mut arguments = [Argument::default(); MOST];
    let Some(operands) = arguments.get_mut(..count) else { return false };
    for (register, operand) in (u32::from(a) + 1..).zip(operands.iter_mut()) {
        let Some(argument) = Argument::register(register, true) else { return false };
        *operand = argument;
    }
    let called = quick(&mut Arguments { registers: &mut *regs, constants: &[], operands, d });
    if called {
        clear(&mut regs[usize::from(a) + 1..=usize::from(a) + count]);
    }
    called
}

/// Move a value from register `a` to `d`; a number stays in both.
#[inline(always)]
#[allow(clippy::inline_always, reason = "an instruction")]
pub(super) fn take(regs: &mut [Value], d: Reg, a: Reg) {
    if let Ok([to, from]) = regs.get_disjoint_mut([usize::from(d), usize::from(a)]) {
        to.take_from(from);
    }
}

/// Move the elements of a vector in a register, which is emptied, to `count` registers from `first` on, and empty `d`.
/// False, with nothing changed, when it is not such a vector.
#[inline(always)]
#[allow(clippy::inline_always, reason = "an instruction")]
pub(super) fn take_apart(regs: &mut [Value], a: Argument, d: Reg, first: Reg, count: u16) -> bool {
    if !a.is_last() || !matches!(&regs[a.index()], Value::Vector(_)) {
        return false;
    }
    if let Value::Vector(items) = std::mem::take(&mut regs[a.index()]) {
        regs[usize::from(d)].clear();
        items.take_apart(&mut regs[usize::from(first)..usize::from(first) + usize::from(count)]);
    }
    true
}

/// See [`crate::eval::code::Op::LetGo`].
pub(super) fn let_go(regs: &mut [Value], a: Reg, b: Reg, meter: &mut Meter) -> Res<()> {
    let key = regs[usize::from(b)].copy();
    let Value::Map(map) = &mut regs[usize::from(a)] else { return Ok(()) };
    if matches!(key, Value::Str(_) | Value::Keyword(_) | Value::Int(_)) && map.as_sorted().is_none() && map.is_unique()
    {
        let held = map.slot(&key, meter)?.filter(|(_, _, value)| value.holds_pointer()).map(|(place, ..)| place);
        if let Some(place) = held {
            map.put_quickly(place, &mut Value::Nil);
        }
    }
    Ok(())
}

/// Empty registers, so that leftovers of a call do not prevent updates in place.
#[inline(always)]
#[allow(clippy::inline_always, reason = "mostly there are few registers, and nothing to do for any")]
pub(super) fn clear(registers: &mut [Value]) {
    for register in registers {
        register.clear();
    }
}

/// What a record has under the keyword `key`, if it is where `hint` says.
#[inline(always)]
#[allow(clippy::inline_always, reason = "most instructions of programs over data are lookups")]
pub(super) fn at_hint<'v>(holder: &'v Value, key: &Value, hint: &AtomicU8) -> Option<&'v Value> {
    let (Value::Map(map), Value::Keyword(name)) = (holder, key) else { return None };
    map.get_at_hint(name, hint)
}

/// What an ordinary map, or nil, has under the keyword `key`; `None` when that cannot be decided cheaply.
pub(super) fn near_field<'v>(holder: &'v Value, key: &Value, hint: &AtomicU8) -> Option<&'v Value> {
    match (holder, key) {
        (Value::Map(map), Value::Keyword(name)) => map.get_keyword_near(name, hint),
        (Value::Nil, _) => Some(&Value::Nil),
        _ => None,
    }
}

/// What a map, set, vector or keyword finds as a function; `None` when that cannot be decided cheaply.
pub(super) fn look_up_quickly(callee: &Value, arg: &Value, meter: &mut Meter) -> Option<Value> {
    let is_plain = arg.is_plain_key();
    let found = match (callee, arg) {
        (Value::Map(map), _) if is_plain && map.as_sorted().is_none() => map.lookup(arg, meter).ok()?,
        (Value::Set(set), _) if is_plain && set.as_map().as_sorted().is_none() => set.get(arg, meter).ok()?,
        (Value::Keyword(_), Value::Map(map)) if map.as_sorted().is_none() => map.lookup(callee, meter).ok()?,
        (Value::Keyword(_), Value::Nil) => None,
        (Value::Vector(items), Value::Int(at @ 0..)) => Some(items.get(addressable(*at))?),
        _ => return None,
    };
    Some(found.map_or(Value::Nil, Value::copy))
}

/// Two numbers as floats, when one of them is a float.
#[inline]
pub(super) fn floats(x: &Value, y: &Value) -> Option<(f64, f64)> {
    match (x, y) {
        (Value::Float(x), Value::Float(y)) => Some((*x, *y)),
        (Value::Int(x), Value::Float(y)) => Some((*x as f64, *y)),
        (Value::Float(x), Value::Int(y)) => Some((*x, *y as f64)),
        _ => None,
    }
}

/// Adding a small constant, off the fast path.
#[cold]
pub(super) fn add_int(x: &Value, n: i16, meter: &mut Meter) -> Res {
    match i64::from(n) {
        n @ ..0 => number::sub(x, &Value::Int(-n), "-", meter),
        n => number::add(x, &Value::Int(n), "+", meter),
    }
}
