//! The functions to which destructuring compiles.

use super::{Call, Family, rows, seq};
use crate::error::{Reason, Res, Signal, err};
use crate::stdlib::argument::Pattern;
use crate::stdlib::quick::calls::{self, Quick};
use crate::value::{Map, Value, Vector, shown};

fn cannot_match(pattern: &str, value: &Value) -> Box<Signal> {
    err(Reason::DestructureError, format!("{pattern} pattern cannot match {}", shown(value)))
}

fn seq_pattern(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Vector(_) | Value::Generator(_) => Ok(call.take(0)),
        Value::Str(_) | Value::Map(_) | Value::Set(_) => Ok(Value::Vector(call.seq(0)?)),
        other => Err(cannot_match("vector", other)),
    }
}

fn index(call: &Call<'_>) -> Res<usize> {
    Ok(usize::try_from(call.int(1)?).unwrap_or(usize::MAX))
}

fn map_pattern(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Map(_) => Ok(call.take(0)),
        other => Err(cannot_match("map", other)),
    }
}

/// `& {:keys …}`: key–value arguments, or one trailing map.
fn key_args(call: &mut Call<'_>) -> Res {
    let items: Vector = match call.arg(0) {
        Value::Nil => return Ok(Value::Nil),
        Value::Map(_) => return Ok(call.take(0)),
        Value::Vector(items) => items.clone(),
        other => return Err(cannot_match("map", other)),
    };
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
    let [Value::Map(map), key] = &**args else { return Ok(None) };
    Ok(map.lookup(key, &mut cx.meter)?.cloned())
}

pub(crate) const FAMILY: Family = rows! {
    "Destructuring";
    "%seq-pattern" "[v]" lazy quick(Quick::Pattern(Pattern::Sequence)) = seq_pattern;
    "%nth" "[s i]" lazy quick(Quick::Item(calls::nth_or_nil))
        = |call| Ok(seq::at(call, call.arg(0), index(call)?)?.unwrap_or_default());
    "%rest" "[s i]" lazy quick(Quick::Value(calls::next_from))
        = |call| index(call).and_then(|index| seq::dropped_or_nil(call, 0, index));
    "%map-pattern" "[v]" shallow quick(Quick::Pattern(Pattern::Map)) = map_pattern;
    "%key-args" "[v]" shallow = key_args;
    "%get" "[m k]" shallow quick(Quick::Value(calls::get)) = |call| Ok(found(call)?.unwrap_or_default());
    "%has" "[m k]" shallow quick(calls::HAS) = |call| Ok(Value::Bool(found(call)?.is_some()));
};
