//! Growing collections: one element, many, or several sequences joined.

use super::{Place, lazily, own, realise, sized, unless_short};
use crate::error::{Res, counted};
use crate::eval::cells::{SLOT, Tail};
use crate::stdlib::call::{Begin, is_lazy};
use crate::stdlib::quick::calls::{self, Quick};
use crate::stdlib::{Call, Family, InPlace, Sequences, rows};
use crate::value::{Map, Value, Vector};

pub(crate) const FAMILY: Family = rows! {
    "Adding elements";
    "conj" "[]" "[coll & xs]" lazy returns(Returns::TableOfFirst) alike
        in_place(InPlace::Conj) quick(Quick::Value(calls::conj)) = conj,
        "The collection with each x added: at the end of a vector, into a set, as [key value] or map into a map."
        "(conj [1] 2 3)" => "[1 2 3]", "(conj {:a 1} [:b 2])" => "{:a 1 :b 2}";
    "into" "[]" "[to]" "[to from]" "[to xform from]" native
        callback(Callback::Through(1, 3)) size(Size::Both) returns(Returns::TableOfFirst)
        pure in_place(InPlace::Into)
        = |call| unless_short(call, 3, "%into-xf", |call| into(call).map(Begin::Value)),
        "The collection to with each element of from added by conj, through the transducer xform if given."
        "(into #{0} [1 1])" => "#{0 1}", "(into [] (map inc) [1 2])" => "[2 3]";
    "cons" "[x coll]" lazy owns(Owns::Last) passes(Sequences::From(1)) = cons,
        "A sequence with x in front of the elements of coll." "(cons 0 [1 2])" => "[0 1 2]";
    "concat" "[& colls]" native returns(Returns::Sequence) size(Size::Together) owns(Owns::Last) alike
        steps(Sequences::From(0)) pure in_place(InPlace::Into) = concat,
        "The elements of all colls, one after the other." "(concat [1] nil [2 3])" => "[1 2 3]";
    "transient" "[coll]" shallow = transient,
        "The collection itself: updates are in place already where that is possible."
        "(persistent! (conj! (transient [1]) 2))" => "[1 2]";
    "persistent!" "[coll]" shallow = transient,
        "The collection itself." "(persistent! (transient #{1}))" => "#{1}";
    "conj!" "[]" "[coll & xs]" lazy returns(Returns::TableOfFirst) owns(Owns::First) = conj,
        "As conj." "(persistent! (conj! (transient #{}) 1))" => "#{1}";
    "%add" "[]" "[coll]" "[coll x]" lazy = |call| conj(call.named("into")),
        "As (conj coll x), named into in errors: the step of into with a transducer.";
};

fn conj(call: &mut Call<'_>) -> Res {
    if call.len() == 0 {
        return call.vector(Vec::new());
    }
    // The elements may be endless sequences; only the collection must be realised.
    realise(call, 0)?;
    for index in 1..call.len() {
        match call.arg(0) {
            Value::Set(_) => call.settle(index)?,
            Value::Map(_) => call.settle_entry(index)?,
            _ => {}
        }
    }
    let items = call.taken(1)?;
    let target = call.take(0);
    if target.is_nil() && items.is_empty() {
        return Ok(Value::Nil);
    }
    add_all(call, target, items.into_iter())
}

fn into(call: &mut Call<'_>) -> Res {
    for index in 0..call.len() {
        realise(call, index)?;
    }
    match (call.len(), call.arg(0), call.arg(1)) {
        (0, ..) => return call.vector(Vec::new()),
        (1, ..) => return Ok(call.take(0)),
        (_, Value::Map(_), Value::Map(_)) => {
            let more = call.take(1);
            let target = call.take(0);
            return add_all(call, target, std::iter::once(more));
        }
        (_, Value::Vector(front), Value::Vector(from)) if front.len() < from.len() => {
            let front = front.clone();
            call.charge(front.len())?;
            let mut items = own(call, 1)?;
            prepend(call, &mut items, &front)?;
            return Ok(items.into());
        }
        (_, Value::Set(_), _) => call.settle(1)?,
        (_, Value::Map(_), _) => call.settle_entries(1)?,
        _ => {}
    }
    let from = call.seq(1)?;
    let target = call.take(0);
    add_all(call, target, from.iter().cloned())
}

/// Add `items` to `target` like `conj`.
fn add_all(call: &mut Call<'_>, target: Value, items: impl ExactSizeIterator<Item = Value>) -> Res {
    let target = if target.is_nil() { Vector::new().into() } else { target };
    call.charge(items.len())?;
    match target {
        Value::Vector(mut target) => {
            if items.len() > 0 {
                target.extend(items, call.meter())?;
            }
            Ok(target.into())
        }
        Value::Set(mut target) => {
            for item in items {
                call.tick()?;
                target.insert(item, call.meter())?;
            }
            Ok(Value::Set(target))
        }
        Value::Map(mut target) => {
            for item in items {
                add_to_map(call, &mut target, item)?;
            }
            Ok(target.into())
        }
        Value::Str(_) => Err(call.mismatch("expected a collection, got string; (str a b) joins texts")),
        other => Err(call.wrong("a collection", &other)),
    }
}

/// Add a `[key value]` pair, a map or nil to a map: keys are taken exactly.
pub(crate) fn add_to_map(call: &mut Call<'_>, target: &mut Map, item: Value) -> Res<()> {
    match &item {
        Value::Nil => Ok(()),
        Value::Map(more) => {
            call.charge(more.len())?;
            for (key, value) in more {
                put(call, target, key.clone(), value.clone())?;
            }
            Ok(())
        }
        Value::Vector(pair) => {
            let size = pair.len();
            let (key, value) = pair.pair().ok_or_else(|| {
                call.mismatch(format_args!("a vector of {} is not a [key value] pair", counted(size, "element")))
            })?;
            put(call, target, key.clone(), value.clone())
        }
        other => Err(call.mismatch(format_args!("{} is not a [key value] pair", shown(other)))),
    }
}

/// Put a value under exactly this key.
pub(crate) fn put(call: &mut Call<'_>, target: &mut Map, key: Value, value: Value) -> Res<()> {
    call.tick()?;
    target.insert(key, value, call.meter())?;
    Ok(())
}

/// A scalar as written, anything else by its kind.
fn shown(value: &Value) -> String {
    let is_scalar = matches!(value, Value::Int(_) | Value::Bool(_) | Value::Keyword(_));
    if is_scalar { crate::value::shown(value) } else { format!("a {}", value.kind()) }
}

fn cons(call: &mut Call<'_>) -> Res {
    if let Value::LazySeq(view) = *call.arg(1) {
        call.allocate(SLOT + 64)?;
        let first = vec![call.take(0)];
        return Ok(Value::LazySeq(call.cx.cells.generator(first, Tail::Seq(view))));
    }
    let mut items = own(call, 1)?;
    let first = call.take(0);
    items.push_front(first, call.meter())?;
    Ok(items.into())
}

fn concat(call: &mut Call<'_>) -> Res<Begin> {
    let last = call.len().saturating_sub(1);
    let in_front = (0..last).any(|index| is_lazy(call, index));
    match *call.arg(last) {
        Value::LazySeq(view) if !in_front && is_lazy(call, last) => {
            for index in 0..last {
                realise(call, index)?;
            }
            call.args = std::mem::take(&mut call.args).get_mut(..last).unwrap_or_default();
            let front = joined(call)?;
            let front = call.gathered(front.iter().cloned())?;
            call.allocate(SLOT)?;
            Ok(Begin::Value(Value::LazySeq(call.cx.cells.generator(front, Tail::Seq(view)))))
        }
        _ => lazily(call, Place::All, "%lazy-concat", |call| joined(call).map(Value::Vector)),
    }
}

/// The elements of all arguments.
fn joined(call: &mut Call<'_>) -> Res<Vector> {
    if call.len() == 0 {
        return Ok(Vector::new());
    }
    let (mut longest, mut most, mut all) = (0, 0, 0_usize);
    for index in 0..call.len() {
        let size = sized(call, index)?;
        all = all.saturating_add(size);
        if size > most {
            (longest, most) = (index, size);
        }
    }
    call.charge((all - most) / 4 + 1)?;
    // The longest one grows at both ends, so only the elements of the others are copied.
    let mut joined = own(call, longest)?;
    for index in (0..longest).rev() {
        let items = call.seq(index)?;
        prepend(call, &mut joined, &items)?;
    }
    for index in longest + 1..call.len() {
        let items = call.seq(index)?;
        joined.extend(items.iter().cloned(), call.meter())?;
    }
    Ok(joined)
}

/// Insert `front` before the elements of `items`.
fn prepend(call: &mut Call<'_>, items: &mut Vector, front: &Vector) -> Res<()> {
    for index in (0..front.len()).rev() {
        items.push_front(front.get(index).cloned().unwrap_or_default(), call.meter())?;
    }
    Ok(())
}

fn transient(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => Ok(call.take(0)),
        other => Err(call.wrong("a vector, map or set", other)),
    }
}
