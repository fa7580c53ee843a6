//! Reaching into sequences: counting, single elements, the ends.

pub(crate) mod grow;
pub(crate) mod kind;
pub(crate) mod make;
pub(crate) mod order;
pub(crate) mod partition;
pub(crate) mod shape;
pub(crate) mod take;
#[cfg(test)]
pub(crate) mod tests;

use super::{Call, Family, InPlace, Purity, Sequences, rows};
use crate::error::{Res, Signal};
use crate::eval::cells::Reach;
use crate::eval::context::Context;
use crate::stdlib::argument::Test;
use crate::stdlib::call::{Begin, VECTOR, is_lazy, whole};
use crate::stdlib::quick::calls::{self, Quick};
use crate::value::{LazySeq, Value, Vector};

pub(crate) const FAMILY: Family = rows! {
    "Sequence access";
    "count" "[coll]" shallow size(Size::Count) returns(Returns::Number)
        quick(Quick::Value(calls::count)) = |call| Ok(sized(call, 0)?.into()),
        "Number of elements, entries or characters; 0 for nil." "(count [4 5 6])" => "3", "(count nil)" => "0";
    "bounded-count" "[n coll]" lazy prefix(Sequences::From(1)) = bounded_count,
        "The count of coll, but at most n: looks at no more than n elements." "(bounded-count 2 [4 5 6])" => "2";
    "empty?" "[coll]" lazy size(Size::Scalar) presence(false)
        prefix(Sequences::First) test(Test::IsEmpty) = |call| has_nothing(call).map(Value::Bool),
        "Whether coll is nil or has no elements." "(empty? [])" => "true", r#"(empty? "a")"# => "false";
    "not-empty" "[coll]" lazy size(Size::Same(0)) presence(true)
        passes(Sequences::First) = |call| Ok(if has_nothing(call)? { Value::Nil } else { call.take(0) }),
        "The collection itself, nil when it is empty." "(not-empty [])" => "nil", "(not-empty {:a 1})" => "{:a 1}";
    "seq" "[coll]" lazy returns(Returns::Sequence) size(Size::Same(0)) presence(true)
        passes(Sequences::First) quick(Quick::Value(calls::seq)) = seq,
        "The elements as a sequence, nil when there are none." "(seq {:a 1})" => "[[:a 1]]", r#"(seq "")"# => "nil";
    "first" "[coll]" lazy prefix(Sequences::First) quick(Quick::First) = first,
        "The first element, nil when there is none." "(first [7 8])" => "7", "(first nil)" => "nil";
    "second" "[coll]" lazy prefix(Sequences::First) quick(calls::SECOND) = second,
        "The second element, nil when there is none." "(second [7 8])" => "8";
    "last" "[coll]" shallow quick(calls::LAST) = last,
        "The last element, nil when there is none." r#"(last "ab")"# => r#""b""#;
    "nth" "[coll index]" "[coll index default]" lazy prefix(Sequences::First) quick(Quick::Item(calls::nth)) = nth,
        "The element at index, default (nil) when index is out of range."
        "(nth [7 8] 1)" => "8", "(nth [7 8] 5 :none)" => ":none";
    "rest" "[coll]" lazy returns(Returns::Sequence) size(Size::Shorter(0))
        passes(Sequences::First) in_place(InPlace::Shorten) quick(Quick::Rest) = rest,
        "All elements but the first; empty when nothing is left." "(rest [7 8 9])" => "[8 9]", "(rest nil)" => "[]";
    "next" "[coll]" lazy returns(Returns::Sequence) size(Size::Shorter(0))
        passes(Sequences::First) in_place(InPlace::Shorten) quick(Quick::Value(calls::next))
        = |call| dropped_or_nil(call, 0, 1),
        "All elements but the first; nil when nothing is left." "(next [7 8])" => "[8]", "(next [7])" => "nil";
    "butlast" "[coll]" shallow returns(Returns::Sequence) size(Size::Same(0)) in_place(InPlace::Shorten) = butlast,
        "All elements but the last; nil when nothing is left." "(butlast [7 8 9])" => "[7 8]";
    "ffirst" "[coll]" lazy prefix(Sequences::First) = ffirst,
        "The first element of the first element." "(ffirst [[1 2] [3]])" => "1";
    "fnext" "[coll]" lazy prefix(Sequences::First) = second,
        "The first element of the rest: the second one." "(fnext [7 8 9])" => "8";
    "nfirst" "[coll]" lazy prefix(Sequences::First) = nfirst,
        "All but the first of the first element; nil when nothing is left." "(nfirst [[1 2 3] [4]])" => "[2 3]";
    "nnext" "[coll]" lazy passes(Sequences::First) = |call| dropped_or_nil(call, 0, 2),
        "All but the first two elements; nil when nothing is left." "(nnext [1 2 3 4])" => "[3 4]";
    "peek" "[v]" shallow quick(calls::LAST) = peek,
        "The last element of a vector, nil when it is empty." "(peek [1 2 3])" => "3";
    "pop" "[v]" shallow size(Size::Same(0)) in_place(InPlace::Shorten) quick(calls::POP) = pop,
        "The vector without its last element." "(pop [1 2 3])" => "[1 2]";
    "pop!" "[v]" shallow = pop,
        "As pop." "(persistent! (pop! (transient [1 2])))" => "[1]";
    "%at?" "[coll index]" lazy prefix(Sequences::First) = |call| is_at(call.named("seq")),
        "Whether coll has an element at index; realises a sequence as far as that.";
    "%ready" "[coll index]" "[coll index f]" lazy prefix(Sequences::First) = ready,
        "Elements of a sequence from index on that are realised, at least one; nil when there is none. For a reduce by f.";
    "%first-seq" "[coll]" lazy prefix(Sequences::First) quick(Quick::First) = |call| first(call.named("seq")),
        "The first element of seq of coll, without the sequence.";
    "%seq?" "[coll]" lazy prefix(Sequences::First) test(Test::HasElements)
        = |call| has_nothing(call.named("seq")).map(|nothing| Value::Bool(!nothing)),
        "Whether seq of coll is a sequence and not nil: what a test asks, without making the sequence.";
};

/// Which arguments of a function are its sequences.
#[derive(Copy, Clone)]
pub(crate) enum Place {
    First,
    Last,
    All,
}

/// Run `eager` on realised sequences; with an unrealised one, the prelude function `lazy` takes over.
pub(crate) fn lazily(
    call: &mut Call<'_>,
    place: Place,
    lazy: &'static str,
    eager: fn(&mut Call<'_>) -> Res,
) -> Res<Begin> {
    let last = call.len().saturating_sub(1);
    let places = match place {
        Place::First => 0..1,
        Place::Last => last..last + 1,
        Place::All => 0..call.len(),
    };
    if places.clone().any(|index| is_lazy(call, index)) {
        return Ok(Begin::Delegate(lazy));
    }
    for index in places {
        realise(call, index)?;
    }
    eager(call).map(Begin::Value)
}

/// Delegate a call with `count` arguments to the prelude function `other`; make any other call by `whole`.
pub(crate) fn unless_short(
    call: &mut Call<'_>,
    count: usize,
    other: &'static str,
    whole: fn(&mut Call<'_>) -> Res<Begin>,
) -> Res<Begin> {
    if call.len() == count { Ok(Begin::Delegate(other)) } else { whole(call) }
}

/// Realise argument `index` to a vector if it is a generator.
pub(crate) fn realise(call: &mut Call<'_>, index: usize) -> Res<()> {
    if matches!(call.arg(index), Value::LazySeq(_)) {
        let items = whole(call, index)?;
        call.set(index, Value::Vector(items));
    }
    Ok(())
}

/// Whether the view has `count` elements; requests what is not realised.
pub(crate) fn reaches(cx: &Context, view: LazySeq, count: usize) -> Res<bool> {
    match cx.cells.reach(view, count) {
        Reach::Enough => Ok(true),
        Reach::Ended => Ok(false),
        Reach::Unknown => {
            Err(Box::new(Signal::Need { cell: view.cell, count: (view.offset as usize).saturating_add(count) }))
        }
    }
}

/// The view without its first `count` elements; nothing is realised.
pub(crate) fn behind(view: LazySeq, count: usize) -> LazySeq {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    LazySeq { cell: view.cell, offset: view.offset.saturating_add(count) }
}

/// The element at `index` of a collection or generator; an error when `value` is neither.
pub(crate) fn at(call: &Call<'_>, value: &Value, index: usize) -> Res<Option<Value>> {
    if let Value::LazySeq(view) = value {
        reaches(call.cx, *view, index.saturating_add(1))?;
        return Ok(call.cx.cells.get(*view, index).cloned());
    }
    match value.element_at(index) {
        None if value.size().is_none() => Err(call.wrong("a collection", value)),
        found => Ok(found),
    }
}

/// How many elements argument `index` has; an error when it is not a collection.
pub(crate) fn sized(call: &Call<'_>, index: usize) -> Res<usize> {
    let value = call.arg(index);
    value.size().ok_or_else(|| call.wrong("a collection", value))
}

/// Argument `index` as a vector to be changed: moved out of the call, so that a sole holder updates it in place.
pub(crate) fn own(call: &mut Call<'_>, index: usize) -> Res<Vector> {
    if !matches!(call.arg(index), Value::Vector(_)) {
        return call.seq(index);
    }
    Ok(if let Value::Vector(items) = call.take(index) { items } else { Vector::new() })
}

/// Argument `index` without its first `count` elements.
pub(crate) fn without_front(call: &mut Call<'_>, index: usize, count: usize) -> Res<Vector> {
    let mut items = own(call, index)?;
    items.keep(count, usize::MAX, call.meter())?;
    Ok(items)
}

/// A sequence as `seq` and `next` return it: nil when it is empty.
pub(crate) fn nil_when_empty(items: Vector) -> Value {
    if items.is_empty() { Value::Nil } else { Value::Vector(items) }
}

fn bounded_count(call: &mut Call<'_>) -> Res {
    let limit = take::amount(call, 0)?;
    if let Value::LazySeq(view) = *call.arg(1) {
        return Ok(if reaches(call.cx, view, limit)? { limit } else { call.cx.cells.realised(view).len() }.into());
    }
    Ok(sized(call, 1)?.min(limit).into())
}

/// The most elements that are given at once, and how many are realised for a function that needs all of them in the end.
const MOST_READY: usize = 1_024;
const FOR_REDUCE: usize = 32;

fn ready(call: &mut Call<'_>) -> Res {
    let (&Value::LazySeq(view), Ok(index)) = (call.arg(0), usize::try_from(call.int(1)?)) else {
        return Ok(Value::Nil);
    };
    let rest = behind(view, index);
    // A builtin does not stop a reduce.
    let reads_all =
        matches!(call.arg(2), Value::Builtin(id) if call.cx.language.builtins.entry(*id).row.purity == Purity::Pure);
    reaches(call.cx, rest, if reads_all { FOR_REDUCE } else { 1 })?;
    if call.cx.cells.realised(rest).is_empty() {
        return Ok(Value::Nil);
    }
    let count = call.cx.cells.realised(rest).len().min(MOST_READY);
    call.charge(count / 4)?;
    call.allocate(VECTOR + count * size_of::<Value>())?;
    // Bounded: just announced.
    let items: Vec<Value> = call.cx.cells.realised(rest).iter().take(count).cloned().collect();
    Ok(Value::vector(items))
}

fn is_at(call: &mut Call<'_>) -> Res {
    let Ok(index) = usize::try_from(call.int(1)?) else { return Ok(false.into()) };
    if let Value::LazySeq(view) = *call.arg(0) {
        return Ok(reaches(call.cx, view, index.saturating_add(1))?.into());
    }
    Ok((sized(call, 0)? > index).into())
}

/// Whether argument 0 has no elements.
fn has_nothing(call: &Call<'_>) -> Res<bool> {
    match *call.arg(0) {
        Value::LazySeq(view) => Ok(!reaches(call.cx, view, 1)?),
        Value::Str(ref text) => Ok(text.as_str().is_empty()),
        _ => Ok(sized(call, 0)? == 0),
    }
}

fn seq(call: &mut Call<'_>) -> Res {
    if has_nothing(call)? {
        return Ok(Value::Nil);
    }
    match call.arg(0) {
        Value::LazySeq(_) => Ok(call.take(0)),
        _ => call.seq(0).map(Value::Vector),
    }
}

fn first(call: &mut Call<'_>) -> Res {
    Ok(at(call, call.arg(0), 0)?.unwrap_or_default())
}

fn second(call: &mut Call<'_>) -> Res {
    Ok(at(call, call.arg(0), 1)?.unwrap_or_default())
}

fn last(call: &mut Call<'_>) -> Res {
    let size = sized(call, 0)?;
    Ok(size.checked_sub(1).and_then(|index| call.arg(0).element_at(index)).unwrap_or_default())
}

fn nth(call: &mut Call<'_>) -> Res {
    let index = match call.arg(1) {
        Value::Int(index) => usize::try_from(*index).ok(),
        // An integer beyond 64 bits is out of range of everything.
        Value::Big(_) => None,
        other => return Err(call.wrong("an integer index", other)),
    };
    let found = match index {
        Some(index) => at(call, call.arg(0), index)?,
        None => at(call, call.arg(0), 0)?.and(None),
    };
    Ok(found.unwrap_or_else(|| call.arg(2).clone()))
}

/// All but the first `count` elements of argument `index`; those of a generator stay unrealised.
pub(crate) fn dropped(call: &mut Call<'_>, index: usize, count: usize) -> Res {
    match *call.arg(index) {
        Value::LazySeq(view) => Ok(Value::LazySeq(behind(view, count))),
        _ => without_front(call, index, count).map(Value::Vector),
    }
}

/// Like [`dropped`], but nil when nothing is left.
pub(crate) fn dropped_or_nil(call: &mut Call<'_>, index: usize, count: usize) -> Res {
    match *call.arg(index) {
        Value::LazySeq(view) => {
            let rest = behind(view, count);
            Ok(if reaches(call.cx, rest, 1)? { Value::LazySeq(rest) } else { Value::Nil })
        }
        _ if sized(call, index)? <= count => Ok(Value::Nil),
        _ => without_front(call, index, count).map(Value::Vector),
    }
}

fn rest(call: &mut Call<'_>) -> Res {
    if let Value::LazySeq(view) = *call.arg(0) {
        // An empty sequence has an empty rest, not a view beyond its end.
        return Ok(if reaches(call.cx, view, 1)? { Value::LazySeq(behind(view, 1)) } else { Vector::new().into() });
    }
    without_front(call, 0, 1).map(Value::Vector)
}

fn butlast(call: &mut Call<'_>) -> Res {
    let mut items = own(call, 0)?;
    items.drop_last(call.meter())?;
    Ok(nil_when_empty(items))
}

fn ffirst(call: &mut Call<'_>) -> Res {
    let inner = first(call)?;
    Ok(at(call, &inner, 0)?.unwrap_or_default())
}

fn nfirst(call: &mut Call<'_>) -> Res {
    let inner = first(call)?;
    if at(call, &inner, 1)?.is_none() {
        return Ok(Value::Nil);
    }
    // Nothing is missing now: the inner sequence may replace the outer one.
    call.set(0, inner);
    dropped_or_nil(call, 0, 1)
}

fn peek(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil => Ok(Value::Nil),
        Value::Vector(items) => Ok(items.last().cloned().unwrap_or_default()),
        other => Err(call.wrong("a vector", other)),
    }
}

fn pop(call: &mut Call<'_>) -> Res {
    if call.arg(0).is_nil() {
        return Ok(Value::Nil);
    }
    if call.want(0, "a vector", Value::as_vector)?.is_empty() {
        return Err(call.invalid("the vector is empty; test it with (seq v) first"));
    }
    let mut items = own(call, 0)?;
    items.drop_last(call.meter())?;
    Ok(Value::Vector(items))
}
