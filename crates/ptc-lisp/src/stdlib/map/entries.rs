//! Keys, values and entries of maps.

use super::look;
use crate::error::{Res, counted};
use crate::stdlib::seq::grow::put;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Map, Value, Vector};

pub(crate) const FAMILY: Family = rows! {
    "Entries";
    "select-keys" "[m ks]" shallow size(Size::Same(0)) returns(Returns::TableOfFirst) = select_keys,
        "The entries of m whose keys are among ks." "(select-keys {:a 1 :b 2} [:a :z])" => "{:a 1}";
    "keys" "[m]" shallow returns(Returns::Sequence) size(Size::Same(0)) = |call| parts(call, |key, _| key),
        "The keys, nil when there are none." "(keys {:b 1 :a 2})" => "[:b :a]";
    "vals" "[m]" shallow returns(Returns::Sequence) size(Size::Same(0)) = |call| parts(call, |_, value| value),
        "The values, nil when there are none." "(vals {:b 1 :a 2})" => "[1 2]";
    "%first-key" "[m]" shallow = |call| first_part(call.named("keys"), |key, _| key),
        "The first of the keys, without the others.";
    "%first-val" "[m]" shallow = |call| first_part(call.named("vals"), |_, value| value),
        "The first of the values, without the others.";
    "entries" "[m]" shallow = entries,
        "The entries as [key value] vectors." "(entries {:q 1})" => "[[:q 1]]";
    "key" "[entry]" shallow = |call| pair(call).map(|(key, _)| key),
        "The first part of a [key value] vector." "(key [:a 1])" => ":a";
    "val" "[entry]" shallow = |call| pair(call).map(|(_, value)| value),
        "The second part of a [key value] vector." "(val [:a 1])" => "1";
};

fn select_keys(call: &mut Call<'_>) -> Res {
    let keys = call.settled(1)?;
    let source = call.arg(0).clone();
    if !matches!(source, Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(call.wrong("a map", &source));
    }
    select(call, &source, &keys).map(Value::Map)
}

/// The entries of `source` under `keys`, with the keys spelled as in `keys`.
pub(crate) fn select(call: &mut Call<'_>, source: &Value, keys: &Vector) -> Res<Map> {
    let mut selected = Map::new();
    call.charge(keys.len())?;
    for key in keys {
        if let Some(value) = look(source, key, call.cx)? {
            put(call, &mut selected, key.clone(), value)?;
        }
    }
    Ok(selected)
}

fn first_part(call: &mut Call<'_>, part: for<'v> fn(&'v Value, &'v Value) -> &'v Value) -> Res {
    if let Value::Map(map) = call.arg(0) {
        return Ok(map.entry_at(0).map(|(key, value)| part(key, value).clone()).unwrap_or_default());
    }
    let found = parts(call, part)?;
    Ok(found.as_vector().and_then(|found| found.get(0)).cloned().unwrap_or_default())
}

/// One part of every entry: of a map, or of a sequence of pairs such as `(filter f m)`.
fn parts(call: &mut Call<'_>, part: for<'v> fn(&'v Value, &'v Value) -> &'v Value) -> Res {
    let found = match call.arg(0).clone() {
        Value::Nil => Vec::new(),
        Value::Map(map) => {
            call.charge(map.len() / 4)?;
            call.gathered(map.iter().map(|(key, value)| part(key, value).clone()))?
        }
        Value::Vector(pairs) => {
            call.charge(pairs.len() / 4)?;
            let mut found = Vec::new();
            for pair in &pairs {
                match pair.as_vector().and_then(Vector::pair) {
                    Some((key, value)) => call.push(&mut found, part(key, value).clone())?,
                    None => return Err(call.wrong("a map", call.arg(0))),
                }
            }
            found
        }
        other => return Err(call.wrong("a map", &other)),
    };
    if found.is_empty() { Ok(Value::Nil) } else { call.paid_vector(found) }
}

fn entries(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Nil | Value::Map(_) => call.seq(0).map(Value::Vector),
        other => Err(call.wrong("a map", other)),
    }
}

fn pair(call: &Call<'_>) -> Res<(Value, Value)> {
    let Value::Vector(items) = call.arg(0) else { return Err(call.wrong("a [key value] pair", call.arg(0))) };
    match items.pair() {
        Some((key, value)) => Ok((key.clone(), value.clone())),
        None => {
            let found = counted(items.len(), "element");
            Err(call.mismatch(format_args!("expected a [key value] pair, got a vector of {found}")))
        }
    }
}
