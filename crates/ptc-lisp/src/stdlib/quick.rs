//! What calls of builtins answer at once, for the arguments that they mostly have.
//!
//! A quick answer is that of the row's function, at the same cost in fuel, without all that a call may need: nothing is
//! realised, no comparator runs, nothing large is copied, memory is not counted. Where it takes more than that there is
//! none: the arguments stay as they were, and the call is made.

#[cfg(test)]
mod tests;

use super::row::Quick;
use crate::eval::context::Context;
use crate::value::{CellKind, Map, Value, Vector};

/// What answers most calls of the row with this name.
pub(crate) fn find(name: &str) -> Option<Quick> {
    QUICK.iter().find(|(known, _)| *known == name).map(|(_, quick)| *quick)
}

/// Rows with quick answers.
const QUICK: &[(&str, Quick)] = &[
    ("first", first),
    ("%first-seq", first),
    ("second", second),
    ("rest", rest),
    ("next", next),
    ("last", last),
    ("peek", last),
    ("pop", pop),
    ("seq", seq),
    ("%seq?", has_elements),
    ("empty?", is_empty),
    ("count", count),
    ("nth", nth),
    ("%nth", nth_or_nil),
    ("%rest", next_from),
    ("%seq-pattern", seq_pattern),
    ("%map-pattern", map_pattern),
    ("%get", get),
    ("%has", contains_entry),
    ("get", get_or_default),
    ("contains?", contains),
    ("conj", conj),
    ("assoc", assoc),
    ("%assoc", assoc),
    ("vector", vector),
    ("identity", identity),
    ("nil?", is_nil),
    ("some?", is_some),
    ("associative?", is_associative),
    ("not", not),
    ("zero?", is_zero),
    ("pos?", is_positive),
    ("neg?", is_negative),
    ("even?", is_even),
    ("odd?", is_odd),
    ("quot", quot),
    ("rem", rem),
    ("mod", modulo),
    ("max", max),
    ("min", min),
    ("=", is_equal),
    ("not=", is_unequal),
    ("reset!", reset),
    ("vreset!", vreset),
    ("deref", deref),
];

fn elements(value: &Value) -> Option<usize> {
    match value {
        Value::Nil => Some(0),
        Value::Vector(items) => Some(items.len()),
        Value::Map(map) => Some(map.len()),
        Value::Set(set) => Some(set.len()),
        _ => None,
    }
}

fn element(items: &Vector, index: usize) -> Value {
    items.get(index).map_or(Value::Nil, Value::copy)
}

fn first(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Vector(items)] => Some(element(items, 0)),
        [Value::Nil] => Some(Value::Nil),
        _ => None,
    }
}

fn second(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Vector(items)] => Some(element(items, 1)),
        [Value::Nil] => Some(Value::Nil),
        _ => None,
    }
}

fn rest(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg @ Value::Vector(_)] => without_first(arg).then(|| std::mem::take(arg)),
        _ => None,
    }
}

fn next(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Nil] => Some(Value::Nil),
        [Value::Vector(items)] if items.len() < 2 => Some(Value::Nil),
        [arg @ Value::Vector(_)] => without_first(arg).then(|| std::mem::take(arg)),
        _ => None,
    }
}

/// Drop the first element, if that is in place.
fn without_first(value: &mut Value) -> bool {
    match value {
        Value::Vector(items) => items.drop_first_quickly(),
        _ => false,
    }
}

fn last(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Vector(items)] => Some(items.last().map_or(Value::Nil, Value::copy)),
        [Value::Nil] => Some(Value::Nil),
        _ => None,
    }
}

fn pop(args: &mut [Value], _: &mut Context) -> Option<Value> {
    let [arg] = args else { return None };
    let dropped = match arg {
        Value::Vector(items) => items.drop_last_quickly(),
        _ => false,
    };
    dropped.then(|| std::mem::take(arg))
}

fn seq(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg @ (Value::Vector(_) | Value::Nil)] => {
            Some(if elements(arg) == Some(0) { Value::Nil } else { std::mem::take(arg) })
        }
        _ => None,
    }
}

fn has_elements(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg] => elements(arg).map(|count| Value::Bool(count > 0)),
        _ => None,
    }
}

fn is_empty(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg] => elements(arg).map(|count| Value::Bool(count == 0)),
        _ => None,
    }
}

fn count(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Str(text)] => Some(text.chars().into()),
        [arg] => elements(arg).map(Value::from),
        _ => None,
    }
}

fn nth(args: &mut [Value], _: &mut Context) -> Option<Value> {
    let (items, at, default) = match args {
        [Value::Vector(items), Value::Int(at)] => (items, at, None),
        [Value::Vector(items), Value::Int(at), default] => (items, at, Some(default)),
        _ => return None,
    };
    let found = usize::try_from(*at).ok().and_then(|at| items.get(at)).map(Value::copy);
    Some(found.or_else(|| default.map(std::mem::take)).unwrap_or_default())
}

fn nth_or_nil(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Vector(items), Value::Int(at @ 0..)] => Some(element(items, *at as usize)),
        [Value::Nil, Value::Int(_)] => Some(Value::Nil),
        _ => None,
    }
}

fn next_from(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Nil, Value::Int(_)] => Some(Value::Nil),
        [Value::Vector(items), Value::Int(from @ 0..)] if items.len() <= *from as usize => Some(Value::Nil),
        [arg, Value::Int(1)] => next(std::slice::from_mut(arg), cx),
        _ => None,
    }
}

fn seq_pattern(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg @ (Value::Vector(_) | Value::Nil)] => Some(std::mem::take(arg)),
        _ => None,
    }
}

fn map_pattern(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg @ (Value::Map(_) | Value::Nil)] => Some(std::mem::take(arg)),
        _ => None,
    }
}

/// What a map has under a key that is compared without a look inside it. Outside: whether that is known at once.
fn entry<'m>(map: &'m Map, key: &Value, cx: &mut Context) -> Option<Option<&'m Value>> {
    if !matches!(key, Value::Str(_) | Value::Keyword(_) | Value::Int(_)) || map.as_sorted().is_some() {
        return None;
    }
    map.lookup(key, &mut cx.meter).ok()
}

fn get(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Nil, _] => Some(Value::Nil),
        [Value::Map(map), key] => Some(entry(map, key, cx)?.map_or(Value::Nil, Value::copy)),
        _ => None,
    }
}

fn get_or_default(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Map(map), key, default] => {
            Some(entry(map, key, cx)?.map(Value::copy).unwrap_or_else(|| std::mem::take(default)))
        }
        [Value::Nil, _, default] => Some(std::mem::take(default)),
        [_, _, _] => None,
        _ => get(args, cx),
    }
}

fn contains_entry(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Map(map), key] => entry(map, key, cx).map(|found| Value::Bool(found.is_some())),
        _ => None,
    }
}

fn contains(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Set(set), key] => entry(set.as_map(), key, cx).map(|found| Value::Bool(found.is_some())),
        _ => contains_entry(args, cx),
    }
}

fn conj(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Vector(items), item] => {
            if !items.has_room() || !cx.meter.charge_quickly(1) {
                return None;
            }
            items.push_quickly(item);
            args.first_mut().map(std::mem::take)
        }
        _ => None,
    }
}

/// Entries that are put at once.
const ENTRIES: usize = 4;

fn assoc(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Map(map), pairs @ ..] if pairs.len() > 1 && map.as_sorted().is_none() => {
            put_entries(map, pairs, cx)?;
        }
        [Value::Vector(items), Value::Int(at @ 0..), value] => {
            let at = *at as usize;
            if !(items.put_quickly(at, value) || at == items.len() && items.push_quickly(value)) {
                return None;
            }
        }
        _ => return None,
    }
    args.first_mut().map(std::mem::take)
}

/// Replace the values of keys that are all there.
fn put_entries(map: &mut Map, pairs: &mut [Value], cx: &mut Context) -> Option<()> {
    if pairs.len() > 2 * ENTRIES || pairs.len() % 2 == 1 {
        return None;
    }
    let mut places = [0; ENTRIES];
    for (pair, place) in pairs.chunks_exact(2).zip(&mut places) {
        let key @ (Value::Str(_) | Value::Keyword(_) | Value::Int(_)) = pair.first()? else { return None };
        (*place, ..) = map.slot(key, &mut cx.meter).ok()??;
    }
    // The first one that is put shows that the others can be.
    let put = pairs.chunks_exact_mut(2).zip(places).all(|(pair, place)| match pair {
        [_, value] => map.put_quickly(place, value),
        _ => false,
    });
    put.then_some(())
}

fn vector(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    let bytes = super::call::VECTOR + size_of_val(args);
    (args.len() < 4 && cx.meter.allocate_quickly(bytes))
        .then(|| Value::vector(args.iter_mut().map(std::mem::take).collect()))
}

fn identity(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [arg] if !matches!(arg, Value::Generator(_)) => Some(std::mem::take(arg)),
        _ => None,
    }
}

fn is_nil(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Generator(_)] => None,
        [arg] => Some(Value::Bool(arg.is_nil())),
        _ => None,
    }
}

fn is_some(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Generator(_)] => None,
        [arg] => Some(Value::Bool(!arg.is_nil())),
        _ => None,
    }
}

fn is_associative(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Map(_) | Value::Vector(_)] => Some(Value::Bool(true)),
        _ => None,
    }
}

fn not(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Generator(_)] => None,
        [arg] => Some(Value::Bool(!arg.is_truthy())),
        _ => None,
    }
}

/// A test of one number.
fn of_number(args: &[Value], int: fn(i64) -> bool, float: fn(f64) -> bool) -> Option<Value> {
    match args {
        [Value::Int(n)] => Some(Value::Bool(int(*n))),
        [Value::Float(x)] => Some(Value::Bool(float(*x))),
        _ => None,
    }
}

fn is_zero(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_number(args, |n| n == 0, |x| x == 0.0)
}

fn is_positive(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_number(args, |n| n > 0, |x| x > 0.0)
}

fn is_negative(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_number(args, |n| n < 0, |x| x < 0.0)
}

fn is_even(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Int(n)] => Some(Value::Bool(*n % 2 == 0)),
        _ => None,
    }
}

fn is_odd(args: &mut [Value], _: &mut Context) -> Option<Value> {
    match args {
        [Value::Int(n)] => Some(Value::Bool(*n % 2 != 0)),
        _ => None,
    }
}

/// An operation on two integers, where it has a result.
fn of_integers(args: &[Value], result: fn(i64, i64) -> Option<i64>) -> Option<Value> {
    match args {
        [Value::Int(x), Value::Int(y)] => result(*x, *y).map(Value::Int),
        _ => None,
    }
}

fn quot(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_integers(args, i64::checked_div)
}

fn rem(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_integers(args, i64::checked_rem)
}

fn modulo(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_integers(args, |x, y| {
        x.checked_rem(y).map(|rest| if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest })
    })
}

fn max(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_integers(args, |x, y| Some(x.max(y)))
}

fn min(args: &mut [Value], _: &mut Context) -> Option<Value> {
    of_integers(args, |x, y| Some(x.min(y)))
}

fn is_equal(args: &mut [Value], _: &mut Context) -> Option<Value> {
    are_equal(args).map(Value::Bool)
}

fn is_unequal(args: &mut [Value], _: &mut Context) -> Option<Value> {
    are_equal(args).map(|equal| Value::Bool(!equal))
}

fn are_equal(args: &[Value]) -> Option<bool> {
    match args {
        [Value::Int(x), Value::Int(y)] => Some(x == y),
        [Value::Keyword(x), Value::Keyword(y)] => Some(x == y),
        [Value::Str(x), Value::Str(y)] if !x.is_long() => Some(x == y),
        [Value::Nil, Value::Nil] => Some(true),
        [Value::Nil, _] | [_, Value::Nil] => Some(false),
        _ => None,
    }
}

fn reset(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    store(args, CellKind::Atom, cx)
}

fn vreset(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    store(args, CellKind::Volatile, cx)
}

fn store(args: &mut [Value], kind: CellKind, cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Cell(cell), value] if cell.kind == kind => {
            let value = std::mem::take(value);
            cx.cells.store(cell.id, value.copy());
            Some(value)
        }
        _ => None,
    }
}

fn deref(args: &mut [Value], cx: &mut Context) -> Option<Value> {
    match args {
        [Value::Cell(cell)] if cell.kind != CellKind::Delay => cx.cells.content(cell.id).map(Value::copy),
        _ => None,
    }
}
