//! Making sequences: ranges, repetitions, vectors from arguments.

use std::cmp::Ordering;

use super::take::amount;
use super::unless_short;
use crate::error::{Reason, Res, Signal};
use crate::index::MOST_ELEMENTS;
use crate::stdlib::call::{Begin, VECTOR};
use crate::stdlib::quick::calls::{self, Quick};
use crate::stdlib::{Call, Family, rows};
use crate::value::{Value, compare_numbers, number};

/// A range with more numbers than this is the cause when a limit is reached while it is created.
const LONG_RANGE: u64 = 10_000;

pub(crate) const FAMILY: Family = rows! {
    "Making sequences";
    "range" "[]" "[end]" "[start end]" "[start end step]" native returns(Returns::Sequence) size(Size::Range) pure
        = |call| unless_short(call, 0, "%naturals", |call| range(call).map(Begin::Value)),
        "Numbers from start (0) up to, not including, end by step (1); without end an endless sequence."
        "(range 3)" => "[0 1 2]", "(range 1 2 0.25)" => "[1 1.25 1.5 1.75]", "(range 3 0 -1)" => "[3 2 1]";
    "repeat" "[x]" "[n x]" native returns(Returns::Sequence) size(Size::Number) pure
        = |call| unless_short(call, 1, "%repeat-forever", |call| repeated(call).map(Begin::Value)),
        "x n times; without n an endless sequence." "(repeat 3 :y)" => "[:y :y :y]";
    "replicate" "[n x]" lazy size(Size::Number) = repeated,
        "x n times." "(replicate 2 0)" => "[0 0]";
    "list" "[& xs]" lazy size(Size::Arguments) = vector,
        "A vector of the arguments." "(list 1 2)" => "[1 2]";
    "vector" "[& xs]" lazy size(Size::Arguments) quick(Quick::Value(calls::vector)) = vector,
        "A vector of the arguments." "(vector 1 nil)" => "[1 nil]";
    "list*" "[& xs]" lazy = list_star,
        "The arguments followed by the elements of the last one." "(list* 1 2 [3 4])" => "[1 2 3 4]";
    "vec" "[coll]" shallow size(Size::Same(0)) owns(Owns::First)
        quick(calls::VEC) = |call| call.seq(0).map(Value::Vector),
        "A vector of the elements." "(vec #{5})" => "[5]", "(vec nil)" => "[]";
};

fn range(call: &mut Call<'_>) -> Res {
    if let Some(other) = call.args.iter().find(|arg| !arg.is_number()) {
        return Err(call.wrong("numbers", other));
    }
    let (start, end, step) = match &*call.args {
        [start, end, step] => (start.clone(), end.clone(), step.clone()),
        [start, end] => (start.clone(), end.clone(), Value::Int(1)),
        _ => (Value::Int(0), call.arg(0).clone(), Value::Int(1)),
    };
    match (&start, &end, &step) {
        (Value::Int(start), Value::Int(end), Value::Int(step)) => whole_range(call, *start, *end, *step),
        _ => any_range(call, start, &end, &step),
    }
}

fn whole_range(call: &mut Call<'_>, start: i64, end: i64, step: i64) -> Res {
    let distance = i128::from(end) - i128::from(start);
    if step == 0 || (distance > 0) != (step > 0) || distance == 0 {
        return call.vector(Vec::new());
    }
    let size = distance.unsigned_abs().div_ceil(u128::from(step.unsigned_abs()));
    let shown = u64::try_from(size).unwrap_or(u64::MAX);
    let size = usize::try_from(size).unwrap_or(usize::MAX).min(MOST_ELEMENTS);
    call.charge(size / 4).map_err(|signal| too_long(signal, shown, start, step))?;
    // The last step may exceed 64 bits; that element is not used.
    let mut next = start;
    let numbers = (0..size).map(|_| {
        let following = next.wrapping_add(step);
        Value::Int(std::mem::replace(&mut next, following))
    });
    let numbers = call.gathered(numbers).map_err(|signal| too_long(signal, shown, start, step))?;
    call.paid_vector(numbers)
}

/// Say that a range with an end is not a lazy sequence.
fn too_long(mut signal: Box<Signal>, size: u64, start: i64, step: i64) -> Box<Signal> {
    if let Signal::Error(error) = &mut *signal
        && size >= LONG_RANGE
        && matches!(error.reason, Reason::MemoryExceeded | Reason::FuelExceeded)
    {
        let function = if step == 1 { "inc".to_owned() } else { format!("#(+ % {step})") };
        error.hint(&format!(
            "a range with an end makes all its numbers at once, here {size}; use loop with a counter, or (iterate {function} {start}), \
             which makes only those that are taken"
        ));
    }
    signal
}

/// A range with fractions or big numbers: step by step, like Clojure.
fn any_range(call: &mut Call<'_>, start: Value, end: &Value, step: &Value) -> Res {
    let goes_on = match compare_numbers(step, &Value::Int(0)) {
        Some(Ordering::Greater) => Ordering::Less,
        Some(Ordering::Less) => Ordering::Greater,
        _ => return call.vector(Vec::new()),
    };
    let mut numbers = Vec::new();
    let mut next = start;
    while compare_numbers(&next, end) == Some(goes_on) {
        call.charge(1)?;
        let following = number::add(&next, step, call.name, call.meter())?;
        call.push(&mut numbers, next)?;
        next = following;
    }
    call.paid_vector(numbers)
}

fn repeated(call: &mut Call<'_>) -> Res {
    let count = amount(call, 0)?.min(MOST_ELEMENTS);
    call.charge(count / 4)?;
    let item = call.arg(1).clone();
    let items = call.gathered(std::iter::repeat_n(item, count))?;
    call.paid_vector(items)
}

fn vector(call: &mut Call<'_>) -> Res {
    call.charge(call.len() / 4)?;
    call.allocate(VECTOR)?;
    call.taken(0).map(Value::vector)
}

fn list_star(call: &mut Call<'_>) -> Res {
    let Some(last) = call.len().checked_sub(1) else { return call.vector(Vec::new()) };
    super::realise(call, last)?;
    let mut items = super::own(call, last)?;
    call.charge(last / 4 + 1)?;
    for index in (0..last).rev() {
        let item = call.take(index);
        items.push_front(item, call.meter())?;
    }
    Ok(items.into())
}
