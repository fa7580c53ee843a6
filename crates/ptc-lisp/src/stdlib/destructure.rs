//! What destructuring compiles to.

use super::{Call, Family, rows, seq};
use crate::error::{Reason, Res, Signal, err};
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

fn nth(call: &mut Call<'_>) -> Res {
    let index = index(call)?;
    Ok(seq::at(call, call.arg(0), index)?.unwrap_or_default())
}

fn rest(call: &mut Call<'_>) -> Res {
    let index = index(call)?;
    seq::dropped_or_nil(call, 0, index)
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

fn get(call: &mut Call<'_>) -> Res {
    let key = call.arg(1).clone();
    match call.arg(0).clone() {
        Value::Map(map) => Ok(map.lookup(&key, call.meter())?.cloned().unwrap_or_default()),
        _ => Ok(Value::Nil),
    }
}

fn has(call: &mut Call<'_>) -> Res {
    let key = call.arg(1).clone();
    match call.arg(0).clone() {
        Value::Map(map) => Ok(Value::Bool(map.lookup(&key, call.meter())?.is_some())),
        _ => Ok(Value::Bool(false)),
    }
}

pub(crate) const FAMILY: Family = rows! {
    "Destructuring";
    "%seq-pattern" "[v]" lazy = seq_pattern;
    "%nth" "[s i]" lazy = nth;
    "%rest" "[s i]" lazy = rest;
    "%map-pattern" "[v]" shallow = map_pattern;
    "%key-args" "[v]" shallow = key_args;
    "%get" "[m k]" shallow = get;
    "%has" "[m k]" shallow = has;
};
