//! The functions to which destructuring compiles.

use super::{Call, Family, Sequences, rows, seq};
use crate::error::{Reason, Res, Signal, err};
use crate::stdlib::argument::Pattern;
use crate::stdlib::quick::calls::{self, Quick};
use crate::value::{Map, Value, Vector, shown};

fn cannot_match(pattern: &str, value: &Value) -> Box<Signal> {
    err(Reason::DestructureError, format!("{pattern} pattern cannot match {}", shown(value)))
}

fn seq_pattern(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Vector(_) | Value::LazySeq(_) => Ok(call.take(0)),
        Value::Str(_) | Value::Map(_) | Value::Set(_) => Ok(Value::Vector(call.seq(0)?)),
        other => Err(cannot_match("vector", other)),
    }
}

fn index(call: &Call<'_>) -> Res<usize> {
    Ok(usize::try_from(call.int(1)?).unwrap_or(usize::MAX))
}

/// `{:keys …}`: a map, or a list of names and values.
fn map_pattern(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Map(_) => Ok(call.take(0)),
        Value::Vector(items) if are_pairs(items) => paired(call, &items.clone()),
        other => Err(cannot_match("map", other)),
    }
}

fn are_pairs(items: &Vector) -> bool {
    items.len().is_multiple_of(2) && items.iter().step_by(2).all(|key| matches!(key, Value::Keyword(_)))
}

/// `{x 0 y 2}`: a vector, or a map with such keys.
fn index_pattern(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Map(_) | Value::Vector(_) => Ok(call.take(0)),
        other => Err(cannot_match("map", other)),
    }
}

/// `& {:keys …}`: key–value arguments, or one trailing map.
fn key_args(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Map(_) => Ok(call.take(0)),
        Value::Vector(items) => paired(call, &items.clone()),
        other => Err(cannot_match("map", other)),
    }
}

/// A map of keys and values that follow each other, and perhaps one map at the end.
fn paired(call: &mut Call<'_>, items: &Vector) -> Res {
    call.charge(items.len())?;
    let mut map = Map::new();
    let mut rest = items.iter();
    while let Some(key) = rest.next() {
        match (rest.next(), key) {
            (Some(value), _) => {
                map.insert(key.clone(), value.clone(), call.meter())?;
            }
            (None, Value::Map(more)) => {
                for (key, value) in more {
                    map.insert(key.clone(), value.clone(), call.meter())?;
                }
            }
            (None, other) => {
                return Err(err(
                    Reason::DestructureError,
                    format!("key arguments need pairs, got {} without a value", shown(other)),
                ));
            }
        }
    }
    Ok(Value::Map(map))
}

fn found(call: &mut Call<'_>) -> Res<Option<Value>> {
    let Call { args, cx, .. } = call;
    Ok(match &**args {
        [Value::Map(map), key] => map.lookup(key, &mut cx.meter)?.cloned(),
        [Value::Vector(items), Value::Int(at)] => usize::try_from(*at).ok().and_then(|at| items.get(at)).cloned(),
        _ => None,
    })
}

pub(crate) const FAMILY: Family = rows! {
    "Destructuring";
    "%seq-pattern" "[v]" lazy size(Size::Same(0))
        passes(Sequences::First) quick(Quick::Pattern(Pattern::Sequence)) = seq_pattern;
    "%nth" "[s i]" lazy prefix(Sequences::First) quick(Quick::Item(calls::nth_or_nil))
        = |call| Ok(seq::at(call, call.arg(0), index(call)?)?.unwrap_or_default());
    "%rest" "[s i]" lazy size(Size::Same(0)) passes(Sequences::First) quick(Quick::Value(calls::next_from))
        = |call| index(call).and_then(|index| seq::dropped_or_nil(call, 0, index));
    "%map-pattern" "[v]" shallow size(Size::Same(0)) quick(Quick::Pattern(Pattern::Map)) = map_pattern;
    "%index-pattern" "[v]" shallow size(Size::Same(0)) = index_pattern;
    "%key-args" "[v]" shallow = key_args;
    "%get" "[m k]" shallow quick(Quick::Value(calls::get)) = |call| Ok(found(call)?.unwrap_or_default());
    "%has" "[m k]" shallow quick(calls::HAS) = |call| Ok(Value::Bool(found(call)?.is_some()));
};
