//! `apply`, and sums of numbers that need no calls.

use super::call::{Begin, VECTOR, cut_endless, is_lazy, whole};
use super::known::known;
use super::{Call, Family, rows};
use crate::error::{Res, type_error};
use crate::meter::Meter;
use crate::value::{BuiltinId, Value, Vector, number};

/// Sums and products of plain numbers need no calls: `first` with as many of the elements from place `at` on as are
/// such, for a unit of fuel each.
#[inline]
fn fold_numbers(f: BuiltinId, first: Value, items: &Vector, at: &mut usize, meter: &mut Meter) -> Res {
    let ids = known();
    match f {
        id if id == ids.add => fold_plain(first, items, at, meter, number::add_plain),
        id if id == ids.mul => fold_plain(first, items, at, meter, number::mul_plain),
        _ => Ok(first),
    }
}

/// `acc` with as many elements from place `at` on as `step` takes in.
#[inline]
fn fold_plain(
    mut acc: Value,
    items: &Vector,
    at: &mut usize,
    meter: &mut Meter,
    step: impl Fn(&mut Value, &Value) -> bool,
) -> Res {
    let mut taken = 0;
    for item in items.iter_from(*at) {
        if !step(&mut acc, item) {
            break;
        }
        meter.charge(1)?;
        taken += 1;
    }
    *at += taken;
    Ok(acc)
}

/// The sum or product of a vector of plain numbers, behind a first value if there is one; nil where `reduce` has more to
/// do than that.
fn sum_of_numbers(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let (id, first, items, mut at) = match &**args {
        [Value::Builtin(id), Value::Vector(items)] => (*id, items.get(0), items, 1),
        [Value::Builtin(id), first, Value::Vector(items)] => (*id, Some(first), items, 0),
        _ => return Ok(Value::Nil),
    };
    let Some(first) = first.filter(|first| matches!(first, Value::Int(_) | Value::Float(_))) else {
        return Ok(Value::Nil);
    };
    let mark = cx.meter.mark();
    let sum = fold_numbers(id, first.copy(), items, &mut at, &mut cx.meter)?;
    if at < items.len() || id != known().add && id != known().mul {
        cx.meter.rewind(&mark);
        return Ok(Value::Nil);
    }
    Ok(sum)
}

fn apply(call: &mut Call<'_>) -> Res<Begin> {
    if call.len() == 2 && is_lazy(call, 1) && matches!(call.arg(0), Value::Builtin(id) if *id == known().concat) {
        // The sequences to join may have no end.
        return Ok(Begin::Invoke(Value::Builtin(known().joined), vec![call.take(1)]));
    }
    let last = whole(call, call.len() - 1)?;
    if let (Value::Builtin(id), Some(first @ (Value::Int(_) | Value::Float(_))), 2) =
        (call.arg(0), last.get(0), call.len())
        && (*id == known().add || *id == known().mul)
    {
        // A sum of plain numbers needs no registers for them.
        let (id, mut at) = (*id, 1);
        let sum = fold_numbers(id, first.clone(), &last, &mut at, call.meter())?;
        if at >= last.len() {
            return Ok(Begin::Value(sum));
        }
    }
    let f = call.take(0);
    let count = call.len();
    let mut args: Vec<Value> = (1..count - 1).map(|at| call.take(at)).collect();
    call.charge(last.len())?;
    // A copy, unless nobody else holds the arguments; and capacity for those in front.
    call.allocate(last.len() * if args.is_empty() { 16 } else { 32 })?;
    // The arguments lose their holder here, so that the callee may update in place.
    drop(call.take(count - 1));
    if args.is_empty() {
        args = last.into_vec();
    } else {
        args.extend(last.into_vec());
    }
    Ok(Begin::Invoke(f, args))
}

/// Bytes of a row without its elements.
const ROW: usize = VECTOR;

/// The collections behind a name as rows, one element of each: as many as the shortest has. Nil when one of them is made
/// element by element.
fn rows_of(call: &mut Call<'_>) -> Res {
    cut_endless(call, 1)?;
    let mut columns = Vec::with_capacity(call.len());
    for index in 1..call.len() {
        columns.push(match call.arg(index) {
            Value::Generator(_) if is_lazy(call, index) => return Ok(Value::Nil),
            Value::Generator(view) => call.realised(*view)?,
            other => {
                let (name, kind) = (call.text(0)?, other.kind());
                let value = other.clone();
                value
                    .elements(call.meter())?
                    .ok_or_else(|| type_error(format!("{}: expected a collection, got {kind}", name.as_str())))?
            }
        });
    }
    let count = columns.iter().map(Vector::len).min().unwrap_or(0);
    call.charge(count)?;
    call.allocate(VECTOR + count * (ROW + columns.len() * size_of::<Value>()))?;
    let row = |at| Value::vector(columns.iter().filter_map(|column| column.get(at).cloned()).collect());
    Ok(call.gathered((0..count).map(row))?.into())
}

pub(crate) const FAMILY: Family = rows! {
    "Calling";
    "apply" "[f coll]" "[f & args]" native = apply,
        "Call `f` with the elements of the last argument, after the arguments before it." "(apply + 1 [2 3])" => "6";
    "%rows" "[name & colls]" lazy = rows_of;
    "%sum-of-numbers" "[f coll]" "[f init coll]" lazy = sum_of_numbers;
};
