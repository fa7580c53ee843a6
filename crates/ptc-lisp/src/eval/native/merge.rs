//! `merge-with` by a builtin: values under the same key change in place, as in [`super::in_place`].

#[cfg(test)]
mod tests;

use super::in_place::{Change, is_map};
use crate::error::Res;
use crate::eval::context::Context;
use crate::stdlib::call::Begin;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Map, Value};

pub(crate) const FAMILY: Family = rows! {
    "Maps by a function";
    "merge-with" "[f & maps]" native callback(Callback::Any) alike carries(0) = merge_with,
        "One map of all entries; values under the same key are joined by f."
        "(merge-with + {:a 1 :b 2} {:a 10})" => "{:a 11 :b 2}";
};

/// Merge as long as the function can change a value in place and live values need not be counted. `%merge-with` does
/// the rest, and everything for other functions.
fn merge_with(call: &mut Call<'_>) -> Res<Begin> {
    let slow = Begin::Delegate("%merge-with");
    if call.len() < 3 || !call.cx.compares_plainly() || !(1..call.len()).all(|at| is_map(call.arg(at))) {
        return Ok(slow);
    }
    let Some(change) = Change::of(call.cx.language.builtins, call.arg(0)) else { return Ok(slow) };
    let mut merged = Value::Nil;
    for at in 1..call.len() {
        match (&mut merged, call.take(at)) {
            (_, Value::Nil) => {}
            (Value::Map(merged), Value::Map(more)) => {
                if let Some(left) = add(&change, merged, &more, call.cx)? {
                    put(call, at, left.into());
                    let merged = Value::Map(std::mem::take(merged));
                    put(call, 1, merged);
                    return Ok(slow);
                }
            }
            (_, first) => merged = first,
        }
    }
    Ok(Begin::Value(merged))
}

fn put(call: &mut Call<'_>, index: usize, value: Value) {
    if let Some(place) = call.args.get_mut(index) {
        *place = value;
    }
}

/// Add the entries of `more`; returns those that were not added.
fn add(change: &Change, merged: &mut Map, more: &Map, cx: &mut Context) -> Res<Option<Map>> {
    let mut left: Option<Map> = None;
    for (key, value) in more {
        cx.meter.charge(1)?;
        match &mut left {
            Some(left) => drop(left.insert(key.clone(), value.clone(), &mut cx.meter)?),
            None if !cx.meter.scan_due() && add_entry(change, merged, key, value, cx)? => {}
            None => {
                let mut first = Map::new();
                first.insert(key.clone(), value.clone(), &mut cx.meter)?;
                left = Some(first);
            }
        }
    }
    Ok(left)
}

fn add_entry(change: &Change, merged: &mut Map, key: &Value, value: &Value, cx: &mut Context) -> Res<bool> {
    let Some((place, _, old)) = merged.find(key, &mut cx.meter)? else {
        cx.meter.allocate(48)?;
        merged.insert(key.clone(), value.clone(), &mut cx.meter)?;
        return Ok(true);
    };
    // Nil takes the slow path, which has a hint for it.
    if old.is_nil() || !change.suits(old, std::slice::from_ref(value)) {
        return Ok(false);
    }
    let Some(slot) = merged.value_mut(place, &mut cx.meter)? else { return Ok(false) };
    let mut args = [std::mem::take(slot), value.clone()];
    let joined = change.make(&mut args, cx)?;
    if let Some(slot) = merged.value_mut(place, &mut cx.meter)? {
        *slot = joined;
    }
    Ok(true)
}
