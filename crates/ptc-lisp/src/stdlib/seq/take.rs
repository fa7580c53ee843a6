//! Cutting sequences by position.

use super::{
    Place, behind, dropped, dropped_or_nil, lazily, nil_when_empty, own, reaches, sized, unless_short, without_front,
};
use crate::error::Res;
use crate::index::addressable;
use crate::stdlib::call::Begin;
use crate::stdlib::{Call, Family, Sequences, rows};
use crate::value::{LazySeq, Value, Vector, gathered};

pub(crate) const FAMILY: Family = rows! {
    "Parts of sequences";
    "take" "[n]" "[n coll]" native returns(Returns::Sequence)
        size(Size::Taken) owns(Owns::Last) stage prefix(Sequences::From(1)) pure
        = |call| unless_short(call, 1, "%take-xf", |call| taken(call).map(Begin::Value)),
        "The first n elements; without coll a transducer."
        "(take 2 [7 8 9])" => "[7 8]", "(into [] (take 2) [7 8 9])" => "[7 8]";
    "drop" "[n]" "[n coll]" native returns(Returns::Sequence)
        size(Size::Last) owns(Owns::Last) stage passes(Sequences::From(1)) pure
        = |call| unless_short(call, 1, "%drop-xf", |call| {
            amount(call, 0).and_then(|count| dropped(call, 1, count)).map(Begin::Value)
        }),
        "All but the first n elements; without coll a transducer." "(drop 2 [7 8 9])" => "[9]";
    "take-last" "[n coll]" shallow returns(Returns::Sequence) size(Size::Taken) = take_last,
        "The last n elements, nil when there are none." "(take-last 2 [7 8 9])" => "[8 9]";
    "drop-last" "[coll]" "[n coll]" native returns(Returns::Sequence) size(Size::Last) owns(Owns::Last)
        pure = |call| lazily(call, Place::Last, "%lazy-drop-last", all_but_last),
        "All but the last n (1) elements." "(drop-last [7 8 9])" => "[7 8]", "(drop-last 2 [7 8 9])" => "[7]";
    "take-nth" "[n]" "[n coll]" native returns(Returns::Sequence)
        size(Size::Last) stage pure steps(Sequences::From(1))
        = |call| unless_short(call, 1, "%take-nth-xf", |call| lazily(call, Place::Last, "%lazy-take-nth", every_nth)),
        "Every n-th element, starting with the first; without coll a transducer."
        "(take-nth 2 [1 2 3 4 5])" => "[1 3 5]";
    "nthrest" "[coll n]" lazy returns(Returns::Sequence) size(Size::Same(0))
        passes(Sequences::First) = |call| amount(call, 1).and_then(|count| dropped(call, 0, count)),
        "All but the first n elements." "(nthrest [1 2 3] 2)" => "[3]";
    "nthnext" "[coll n]" lazy returns(Returns::Sequence) size(Size::Same(0))
        passes(Sequences::First) = |call| amount(call, 1).and_then(|count| dropped_or_nil(call, 0, count)),
        "All but the first n elements, nil when nothing is left." "(nthnext [1 2] 2)" => "nil";
    "split-at" "[n coll]" lazy = split_at,
        "The first n elements and the others, as two sequences." "(split-at 1 [7 8 9])" => "[[7] [8 9]]";
    "subvec" "[v start]" "[v start end]" shallow size(Size::Same(0)) owns(Owns::First) = subvec,
        "The elements from start up to, not including, end." "(subvec [1 2 3 4] 1 3)" => "[2 3]";
};

/// Argument `index` as a number of elements: 0 for negative numbers; fractions are rounded up.
pub(crate) fn amount(call: &Call<'_>, index: usize) -> Res<usize> {
    match call.arg(index) {
        Value::Int(n) => Ok(addressable(*n)),
        // The cast saturates, and NaN becomes 0.
        Value::Float(x) => Ok(x.ceil() as usize),
        Value::Big(n) => Ok(if n.sign() == num_bigint::Sign::Minus { 0 } else { usize::MAX }),
        other => Err(call.wrong("a number of elements", other)),
    }
}

/// Argument `index` as a positive step; zero and below is an `argument_error`.
pub(crate) fn step(call: &Call<'_>, index: usize) -> Res<usize> {
    match call.arg(index) {
        Value::Int(n) if *n > 0 => Ok(usize::try_from(*n).unwrap_or(usize::MAX)),
        Value::Int(n) => Err(call.invalid(format_args!("expected a positive integer, got {n}"))),
        Value::Big(n) if n.sign() == num_bigint::Sign::Plus => Ok(usize::MAX),
        other if other.is_number() => Err(call.invalid("expected a positive integer")),
        other => Err(call.wrong("a positive integer", other)),
    }
}

/// The first `count` elements of `items`.
pub(crate) fn front(call: &mut Call<'_>, items: &Vector, count: usize) -> Res {
    if count >= items.len() {
        return Ok(Value::Vector(items.clone()));
    }
    call.charge(count / 8)?;
    let front = call.gathered(items.iter().take(count).cloned())?;
    call.paid_vector(front)
}

/// Up to `count` elements of a sequence, realised.
pub(super) fn ready(call: &mut Call<'_>, view: LazySeq, count: usize) -> Res<Vec<Value>> {
    reaches(call.cx, view, count)?;
    let count = count.min(call.cx.cells.realised(view).len());
    call.charge(count / 8)?;
    Ok(call.cx.with_cells(|cells, meter| gathered(cells.realised(view).iter().take(count).cloned(), meter))?)
}

/// The first elements of argument 1, realised.
fn taken(call: &mut Call<'_>) -> Res {
    let count = amount(call, 0)?;
    if let Value::LazySeq(view) = *call.arg(1) {
        let ready = ready(call, view, count)?;
        return call.paid_vector(ready);
    }
    sized(call, 1)?;
    if let Value::Str(text) = call.arg(1) {
        // Only the needed part is kept.
        let text = text.clone();
        let kept = text.get(..text.offset(count)).unwrap_or_default();
        call.allocate(64 + kept.len())?;
        let kept = kept.to_owned();
        call.set(1, Value::string(kept));
    }
    let items = call.seq(1)?;
    front(call, &items, count)
}

fn take_last(call: &mut Call<'_>) -> Res {
    let count = amount(call, 0)?;
    let size = sized(call, 1)?;
    Ok(nil_when_empty(without_front(call, 1, size.saturating_sub(count))?))
}

fn all_but_last(call: &mut Call<'_>) -> Res {
    let (count, place) = if call.len() == 1 { (1, 0) } else { (amount(call, 0)?, 1) };
    let mut items = own(call, place)?;
    items.keep(0, items.len().saturating_sub(count), call.meter())?;
    Ok(items.into())
}

fn every_nth(call: &mut Call<'_>) -> Res {
    let step = step(call, 0)?;
    let items = call.seq(1)?;
    call.charge(items.len() / step)?;
    let kept = call.gathered(items.iter().step_by(step).cloned())?;
    call.paid_vector(kept)
}

fn split_at(call: &mut Call<'_>) -> Res {
    let count = amount(call, 0)?;
    if let Value::LazySeq(view) = *call.arg(1) {
        let head = taken(call)?;
        return call.vector(vec![head, Value::LazySeq(behind(view, count))]);
    }
    let mut items = call.seq(1)?;
    let head = front(call, &items, count)?;
    items.keep(count, usize::MAX, call.meter())?;
    call.vector(vec![head, Value::Vector(items)])
}

fn subvec(call: &mut Call<'_>) -> Res {
    let Value::Vector(items) = call.arg(0) else { return Err(call.wrong("a vector", call.arg(0))) };
    let length = items.len();
    let start = call.int(1)?;
    let end = if call.len() > 2 { call.int(2)? } else { length as i64 };
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let Some((start, end)) = range.filter(|(start, end)| start <= end && *end <= length) else {
        return Err(call.invalid(format_args!("{start} to {end} is outside a vector of length {length}")));
    };
    let mut items = own(call, 0)?;
    items.keep(start, end, call.meter())?;
    Ok(Value::Vector(items))
}
