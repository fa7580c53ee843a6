//! What instructions do off the fast path, and with their operands.

use std::sync::atomic::AtomicU8;

use super::{Machine, call};
use crate::error::Res;
use crate::eval::code::Reg;
use crate::eval::codes::Codes;
use crate::eval::context::Context;
use crate::meter::Meter;
use crate::stdlib::Quick;
use crate::stdlib::compare::{is_keyword_beside_string, warn_keyword_beside_string};
use crate::value::{Value, compare_numbers, compare_times, number};

impl Machine {
    /// A keyword of whatever it is.
    #[cold]
    pub(super) fn look_up_keyword(&mut self, codes: &Codes, key: &Value, holder: &Value) -> Res {
        self.lend();
        let found = call::keyword_lookup(key, holder, &Value::Nil, &mut self.cx);
        self.reclaim();
        self.place_warnings(codes);
        found
    }

    /// Whether a field of `holder` is equal to a constant, with a warning for a keyword beside a string. The test is
    /// the instruction at `pc`; the jump behind it has the place of the lookup.
    #[cold]
    pub(super) fn test_field(
        &mut self,
        codes: &Codes,
        (key, holder): (&Value, &Value),
        constant: &Value,
        pc: u32,
    ) -> Res<bool> {
        self.stand_at(pc + 1);
        let value = self.look_up_keyword(codes, key, holder)?;
        self.stand_at(pc);
        Ok(equal_plain(&value, constant).unwrap_or_else(|| {
            self.warn_beside(codes, &value, constant);
            false
        }))
    }

    /// Warn of a keyword beside a string: they are never equal.
    #[cold]
    pub(super) fn warn_beside(&mut self, codes: &Codes, x: &Value, y: &Value) {
        warn_keyword_beside_string(x, y, &mut self.cx);
        self.place_warnings(codes);
    }

    /// Let the running frame stand at this instruction.
    fn stand_at(&mut self, pc: u32) {
        if let Some(top) = self.frames.last_mut() {
            top.pc = pc + 1;
        }
    }

    /// Equality of anything, with a warning for a keyword beside a string. Nothing when something has to be realised
    /// first, above register `above`.
    #[cold]
    pub(super) fn test_equal(&mut self, codes: &Codes, x: &Value, y: &Value, above: usize) -> Res<Option<bool>> {
        if is_keyword_beside_string(x, y) {
            self.warn_beside(codes, x, y);
            return Ok(Some(false));
        }
        self.lend();
        let same = self.cx.equal(x, y);
        self.reclaim();
        match same {
            Err(signal) if self.force_for_retry(&signal, above) => Ok(None),
            same => same.map(Some),
        }
    }
}

/// Answer a call of a builtin in these registers, result and arguments, if there is a quick answer.
#[inline(always)]
#[allow(clippy::inline_always, reason = "one instruction makes most calls of builtins")]
pub(super) fn answer_quickly(quick: Quick, window: &mut [Value], cx: &mut Context) -> bool {
    let Some((result, args)) = window.split_first_mut() else { return false };
    let Some(value) = quick(args, cx) else { return false };
    clear(args);
    result.set(value);
    true
}

/// Move a value from register `a` to `d`; a number stays in both.
#[inline(always)]
#[allow(clippy::inline_always, reason = "an instruction")]
pub(super) fn take(regs: &mut [Value], d: Reg, a: Reg) {
    match &mut regs[usize::from(a)] {
        Value::Int(n) => {
            let n = *n;
            regs[usize::from(d)].set_int(n);
        }
        Value::Float(x) => {
            let x = *x;
            regs[usize::from(d)].set_float(x);
        }
        other => {
            let value = std::mem::take(other);
            regs[usize::from(d)].set(value);
        }
    }
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

/// Empty registers, so that nothing that a call has left keeps a value from being updated in place.
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
    match (holder, key) {
        (Value::Map(map), Value::Keyword(name)) => map.get_at_hint(name, hint),
        _ => None,
    }
}

/// What an ordinary map, or nil, has under the keyword `key`; nothing when it takes more than that to know.
pub(super) fn near_field<'v>(holder: &'v Value, key: &Value, hint: &AtomicU8) -> Option<&'v Value> {
    match (holder, key) {
        (Value::Map(map), Value::Keyword(name)) => map.get_keyword_near(name, hint),
        (Value::Nil, _) => Some(&Value::Nil),
        _ => None,
    }
}

/// What `(get holder key)` answers for the common kinds; nothing for the others.
#[inline]
pub(super) fn near_value<'v>(holder: &'v Value, key: &Value, meter: &mut Meter) -> Res<Option<&'v Value>> {
    let found = match (holder, key) {
        (Value::Map(map), Value::Str(_) | Value::Keyword(_) | Value::Int(_)) if map.as_sorted().is_none() => {
            map.lookup(key, meter)?
        }
        (Value::Set(set), Value::Str(_) | Value::Keyword(_) | Value::Int(_)) if set.as_sorted().is_none() => {
            set.get(key, meter)?
        }
        (Value::Vector(items), Value::Int(at)) => usize::try_from(*at).ok().and_then(|at| items.get(at)),
        _ => return Ok(None),
    };
    Ok(Some(found.unwrap_or(&Value::Nil)))
}

/// Two numbers as floats, when one of them is.
#[inline]
pub(super) fn floats(x: &Value, y: &Value) -> Option<(f64, f64)> {
    match (x, y) {
        (Value::Float(x), Value::Float(y)) => Some((*x, *y)),
        (Value::Int(x), Value::Float(y)) => Some((*x as f64, *y)),
        (Value::Float(x), Value::Int(y)) => Some((*x, *y as f64)),
        _ => None,
    }
}

/// Whether a float can be this integer.
#[inline]
pub(super) fn is_exact(n: i64) -> bool {
    n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// Comparison of anything but two integers or two floats: `order` says whether less, equal and greater hold.
#[cold]
pub(super) fn compare_slow(x: &Value, y: &Value, order: [bool; 3], name: &str) -> Res<bool> {
    let found = match (x, y) {
        (Value::Date(_) | Value::Instant(_) | Value::Temporal(_), _) if compare_times(x, y).is_some() => {
            compare_times(x, y)
        }
        _ if x.is_number() && y.is_number() => compare_numbers(x, y),
        _ => {
            let wrong = if x.is_number() { y } else { x };
            return Err(crate::error::type_error(format!("{name}: expected numbers, got {}", wrong.kind())));
        }
    };
    Ok(match found {
        Some(std::cmp::Ordering::Less) => order[0],
        Some(std::cmp::Ordering::Equal) => order[1],
        Some(std::cmp::Ordering::Greater) => order[2],
        None => false,
    })
}

/// Equality with a small integer.
#[inline]
pub(super) fn equals_int(x: &Value, n: i16) -> bool {
    match x {
        Value::Int(x) => *x == i64::from(n),
        Value::Float(x) => *x == f64::from(n),
        _ => false,
    }
}

/// Equality with a scalar constant, nothing for a keyword beside a string: that wants a warning.
#[inline(always)]
#[allow(clippy::inline_always, reason = "what filters mostly ask")]
pub(super) fn equal_plain(x: &Value, constant: &Value) -> Option<bool> {
    match (x, constant) {
        (Value::Str(x), Value::Str(y)) => Some(x == y),
        (Value::Keyword(x), Value::Keyword(y)) => Some(x == y),
        _ if is_keyword_beside_string(x, constant) => None,
        _ => Some(equal_scalars(x, constant)),
    }
}

/// Equality of anything with a scalar constant.
#[inline]
fn equal_scalars(x: &Value, constant: &Value) -> bool {
    match (x, constant) {
        (Value::Keyword(x), Value::Keyword(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        _ => x.is_number() && constant.is_number() && compare_numbers(x, constant) == Some(std::cmp::Ordering::Equal),
    }
}

/// Adding a small constant, off the fast path.
#[cold]
pub(super) fn add_int(x: &Value, n: i16, meter: &mut Meter) -> Res {
    let (name, amount) = match n {
        n if n < 0 => ("-", -i64::from(n)),
        n => ("+", i64::from(n)),
    };
    if n < 0 {
        number::sub(x, &Value::Int(amount), name, meter)
    } else {
        number::add(x, &Value::Int(amount), name, meter)
    }
}
