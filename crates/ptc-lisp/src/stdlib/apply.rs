//! `apply`, and sums of numbers that need no calls.

use super::call::{Begin, cut_endless, is_lazy, whole};
use super::known::known;
use super::seq::shape::rows_across;
use super::{Call, Family, Sequences, rows};
use crate::error::{Res, type_error};
use crate::limits::meter::Meter;
use crate::value::{Value, Vector, extend, number, push};

/// The sum or product of plain numbers, which needs no calls, for a unit of fuel each; `None` where there is more to
/// do.
#[inline]
fn plain_sum(f: &Value, first: Option<&Value>, items: &Vector, from: usize, meter: &mut Meter) -> Res<Option<Value>> {
    let ids = known();
    match (f, first) {
        (Value::Builtin(id), Some(first @ (Value::Int(_) | Value::Float(_)))) if *id == ids.add => {
            fold_plain(first.copy(), items, from, meter, number::add_plain)
        }
        (Value::Builtin(id), Some(first @ (Value::Int(_) | Value::Float(_)))) if *id == ids.mul => {
            fold_plain(first.copy(), items, from, meter, number::mul_plain)
        }
        _ => Ok(None),
    }
}

#[inline]
fn fold_plain(
    mut acc: Value,
    items: &Vector,
    from: usize,
    meter: &mut Meter,
    step: impl Fn(&mut Value, &Value) -> bool,
) -> Res<Option<Value>> {
    let mark = meter.mark();
    for item in items.iter_from(from) {
        if !step(&mut acc, item) {
            meter.rewind(&mark);
            return Ok(None);
        }
        meter.charge(1)?;
    }
    Ok(Some(acc))
}

/// The sum or product of a vector of plain numbers, with an initial value before it if there is one; nil where `reduce`
/// has more to do.
fn sum_of_numbers(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let sum = match &**args {
        [f, Value::Vector(items)] => plain_sum(f, items.get(0), items, 1, &mut cx.meter)?,
        [f, first, Value::Vector(items)] => plain_sum(f, Some(first), items, 0, &mut cx.meter)?,
        _ => None,
    };
    Ok(sum.unwrap_or_default())
}

fn apply(call: &mut Call<'_>) -> Res<Begin> {
    if call.len() == 2 && is_lazy(call, 1) && matches!(call.arg(0), Value::Builtin(id) if *id == known().concat) {
        // The sequences to join may be endless.
        return Ok(Begin::Invoke(Value::Builtin(known().joined), vec![call.take(1)]));
    }
    let last = whole(call, call.len() - 1)?;
    if let [f, _] = &*call.args
        && let Some(sum) = plain_sum(f, last.get(0), &last, 1, &mut call.cx.meter)?
    {
        // The sum needs no registers for the numbers.
        return Ok(Begin::Value(sum));
    }
    let f = call.take(0);
    let count = call.len();
    call.charge(last.len())?;
    // A copy, unless the arguments are not shared.
    call.allocate(last.len() * 16)?;
    // The arguments lose their holder here, so the callee may update them in place.
    drop(call.take(count - 1));
    let last = last.into_vec();
    if count == 2 {
        return Ok(Begin::Invoke(f, last));
    }
    let mut args = call.taken(1)?;
    args.pop();
    extend(&mut args, last.into_iter(), call.meter())?;
    Ok(Begin::Invoke(f, args))
}

/// The collections after a name as rows, one element of each: as many as the shortest has. Nil when one of them is
/// computed element by element.
fn rows_of(call: &mut Call<'_>) -> Res {
    cut_endless(call, 1)?;
    let mut columns = Vec::new();
    for index in 1..call.len() {
        let column = match call.arg(index) {
            Value::LazySeq(_) if is_lazy(call, index) => return Ok(Value::Nil),
            Value::LazySeq(view) => call.realised(*view)?,
            other => {
                let (name, kind) = (call.text(0)?, other.kind());
                let value = other.clone();
                value
                    .elements(call.meter())?
                    .ok_or_else(|| type_error(format!("{}: expected a collection, got {kind}", name.as_str())))?
            }
        };
        push(&mut columns, column, call.meter())?;
    }
    let count = columns.iter().map(Vector::len).min().unwrap_or(0);
    rows_across(call, &columns, count)
}

pub(crate) const FAMILY: Family = rows! {
    "Calling";
    "apply" "[f coll]" "[f & args]" native callback(Callback::Apply) carries(0) = apply,
        "Call `f` with the elements of the last argument, after the arguments before it." "(apply + 1 [2 3])" => "6";
    "%rows" "[name & colls]" lazy prefix(Sequences::From(1)) = rows_of;
    "%sum-of-numbers" "[f coll]" "[f init coll]" lazy = sum_of_numbers;
};
