//! Creating and changing maps, and vectors by index.

use crate::error::{Res, argument_error, type_error};
use crate::stdlib::call::{Begin, cut_endless};
use crate::stdlib::quick::calls::{self, Quick};
use crate::stdlib::seq::grow::{add_to_map, put};
use crate::stdlib::seq::{Place, lazily, realise};
use crate::stdlib::sorted::map_of;
use crate::stdlib::{Call, Family, InPlace, rows};
use crate::value::{Map, Value, Vector, push};

pub(crate) const FAMILY: Family = rows! {
    "Maps";
    "%assoc" "[m key value]" lazy quick(Quick::Value(calls::assoc)) = |call| assoc(call.named("assoc-in")),
        "As assoc, at the end of a path.";
    "assoc" "[m k v & kvs]" lazy returns(Returns::TableOfFirst)
        in_place(InPlace::Assoc) quick(Quick::Value(calls::assoc)) = assoc,
        "The map with each value put under its key; a vector with the element at an index replaced or appended."
        "(assoc {:a 1} :b 2)" => "{:a 1 :b 2}", "(assoc [1 2] 0 9)" => "[9 2]";
    "assoc!" "[m k v & kvs]" lazy returns(Returns::TableOfFirst) owns(Owns::First) = assoc,
        "As assoc." "(assoc! (transient {}) :a 1)" => "{:a 1}";
    "assoc-in" "[m path v]" lazy returns(Returns::TableOfFirst) owns(Owns::First) = assoc_in,
        "The map with v put at the end of a path of keys; missing maps are made."
        "(assoc-in nil [:a :b] 1)" => "{:a {:b 1}}";
    "dissoc" "[m & ks]" shallow returns(Returns::TableOfFirst) in_place(InPlace::Dissoc) = dissoc,
        "The map without the keys." "(dissoc {:a 1 :b 2} :a)" => "{:b 2}";
    "dissoc!" "[m & ks]" shallow returns(Returns::TableOfFirst) owns(Owns::First) = dissoc,
        "As dissoc." "(dissoc! (transient {:a 1}) :a)" => "{}";
    "merge" "[& maps]" shallow size(Size::Together) returns(Returns::TableOfFirst) alike
        in_place(InPlace::Merge) = merge,
        "One map of all entries; later ones win, nil counts as empty."
        "(merge {:a 1} nil {:a 2 :b 3})" => "{:a 2 :b 3}";
    "zipmap" "[ks vs]" native size(Size::Shortest(0)) returns(Returns::Table) pure = zipmap,
        "A map of the keys to the values at the same position." "(zipmap [:a :b] [1 2])" => "{:a 1 :b 2}";
    "hash-map" "[& kvs]" lazy returns(Returns::Table) = hash_map,
        "A map of the arguments, keys and values in turn." "(hash-map :a 1 :b 2)" => "{:a 1 :b 2}";
    "array-map" "[& kvs]" lazy returns(Returns::Table) = hash_map,
        "A map of the arguments, keys and values in turn." "(array-map :z 1 :a 2)" => "{:z 1 :a 2}";
    "empty" "[coll]" shallow returns(Returns::TableOfFirst) = empty,
        "An empty collection of the same kind, nil for anything else." "(empty {:a 1})" => "{}";
    "%put" "[m k v]" lazy in_place(InPlace::Put) quick(Quick::Value(calls::put_exact)) = put_exact,
        "The map with v under exactly the key k.";
    "%to-update" "[m key name]" lazy = to_update,
        "What m has under key, which an update is about to replace; nil when absent.";
    "%path-to-update" "[m path]" lazy = |call| path_to_update(call.named("update-in")),
        "The keys of a path in m as a vector.";
};

fn assoc(call: &mut Call<'_>) -> Res {
    call.check_pairs(1)?;
    realise(call, 0)?;
    for index in (1..call.len()).step_by(2) {
        call.settle(index)?;
    }
    if !matches!(call.arg(0), Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(call.wrong("a map or vector", call.arg(0)));
    }
    if let [target, key, value] = &mut *call.args {
        let (target, key, value) = (std::mem::take(target), std::mem::take(key), std::mem::take(value));
        return assoc_one(call, target, key, value);
    }
    let mut pairs = call.taken(1)?.into_iter();
    let mut target = call.take(0);
    while let (Some(key), Some(value)) = (pairs.next(), pairs.next()) {
        target = assoc_one(call, target, key, value)?;
    }
    Ok(target)
}

/// Put one value into a map (nil counts as one) or vector, in place when it is not shared.
fn assoc_one(call: &mut Call<'_>, target: Value, key: Value, value: Value) -> Res {
    match target {
        Value::Nil => assoc_one(call, Map::new().into(), key, value),
        Value::Map(mut map) => {
            map.assoc(key, value, call.meter())?;
            Ok(map.into())
        }
        Value::Vector(mut items) => {
            let place = vector_place(call, &items, &key)?;
            if place == items.len() {
                items.push(value, call.meter())?;
            } else if let Some(old) = items.get_mut(place, call.meter())? {
                *old = value;
            }
            Ok(items.into())
        }
        other => Err(call.wrong("a map or vector", &other)),
    }
}

/// The index that `key` means for writing: an element, or the place after the last one.
fn vector_place(call: &Call<'_>, items: &Vector, key: &Value) -> Res<usize> {
    let Value::Int(n) = key else { return Err(call.wrong("an integer index for a vector", key)) };
    let place = usize::try_from(*n).ok().filter(|place| *place <= items.len());
    place.ok_or_else(|| call.invalid(format_args!("index {n} is outside a vector of length {}", items.len())))
}

fn assoc_in(call: &mut Call<'_>) -> Res {
    realise(call, 0)?;
    call.settle(1)?;
    call.check_path(1)?;
    let path = call.seq(1)?;
    call.charge(path.len() / 4)?;
    let mut built = call.take(2);
    let mut here = call.take(0);
    let mut open = Vec::new();
    for key in &path {
        let (holder, child) = open_slot(call, here, key)?;
        push(&mut open, (holder, key.clone()), call.meter())?;
        here = child;
    }
    for (holder, key) in open.into_iter().rev() {
        built = assoc_one(call, holder, key, built)?;
    }
    Ok(built)
}

/// Take the value under `key` out of its holder, so it can be changed in place; nil when there is none.
fn open_slot(call: &mut Call<'_>, holder: Value, key: &Value) -> Res<(Value, Value)> {
    match holder {
        Value::Nil => Ok((Map::new().into(), Value::Nil)),
        Value::Map(mut map) => {
            let place = map.slot(key, call.meter())?.map(|(place, _, _)| place);
            let child = match place {
                Some(place) => map.value_mut(place, call.meter())?.map(std::mem::take).unwrap_or_default(),
                None => Value::Nil,
            };
            Ok((map.into(), child))
        }
        Value::Vector(mut items) => {
            let place = vector_place(call, &items, key)?;
            let child = items.get_mut(place, call.meter())?.map(std::mem::take).unwrap_or_default();
            Ok((items.into(), child))
        }
        other => Err(call.wrong("a map or vector on the way", &other)),
    }
}

/// Argument `index` as a map to be changed, moved out of the call; nil is the empty map.
fn own_map(call: &mut Call<'_>, index: usize) -> Res<Map> {
    match call.take(index) {
        Value::Map(map) => Ok(map),
        Value::Nil => Ok(Map::new()),
        other => Err(call.wrong("a map", &other)),
    }
}

fn dissoc(call: &mut Call<'_>) -> Res {
    if call.arg(0).is_nil() {
        return Ok(Value::Nil);
    }
    call.settle_from(1)?;
    let mut map = own_map(call, 0)?;
    for key in call.args.iter().skip(1) {
        map.remove(key, &mut call.cx.meter)?;
    }
    Ok(map.into())
}

fn merge(call: &mut Call<'_>) -> Res {
    let Some(first) = call.args.iter().position(|arg| !arg.is_nil()) else { return Ok(Value::Nil) };
    for index in first + 1..call.len() {
        call.settle_entry(index)?;
    }
    let mut merged = own_map(call, first)?;
    for index in first + 1..call.len() {
        let more = call.take(index);
        add_to_map(call, &mut merged, more)?;
    }
    Ok(merged.into())
}

fn zipmap(call: &mut Call<'_>) -> Res<Begin> {
    cut_endless(call, 0)?;
    lazily(call, Place::All, "%lazy-zipmap", zipped)
}

fn zipped(call: &mut Call<'_>) -> Res {
    let keys = call.settled(0)?;
    let values = call.seq(1)?;
    call.charge(keys.len().min(values.len()))?;
    let mut map = Map::new();
    for (key, value) in keys.iter().zip(values.iter()) {
        put(call, &mut map, key.clone(), value.clone())?;
    }
    Ok(map.into())
}

fn hash_map(call: &mut Call<'_>) -> Res {
    call.check_pairs(0)?;
    call.charge(call.len() / 2)?;
    for index in (0..call.len()).step_by(2) {
        call.settle(index)?;
    }
    map_of(call, Map::new(), 0)
}

fn empty(call: &mut Call<'_>) -> Res {
    Ok(match call.arg(0) {
        Value::Vector(_) => Vector::new().into(),
        Value::Map(map) => map.emptied().into(),
        Value::Set(set) => Value::Set(set.emptied()),
        _ => Value::Nil,
    })
}

fn put_exact(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let (key, value) = (call.arg(1).clone(), call.take(2));
    let mut map = own_map(call, 0)?;
    put(call, &mut map, key, value)?;
    Ok(map.into())
}

/// The value under a key that `update` or `update-in` is about to replace. A vector must have the index; for
/// `update-in` the index may also be its length.
fn to_update(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let name = call.text(2)?;
    let name = name.as_str();
    match (call.arg(0).clone(), call.arg(1).clone()) {
        (Value::Nil, _) => Ok(Value::Nil),
        (Value::Map(map), key) => Ok(map.lookup(&key, call.meter())?.cloned().unwrap_or_default()),
        (Value::Vector(items), Value::Int(at)) => match usize::try_from(at) {
            Ok(at) if at < items.len() => Ok(items.get(at).cloned().unwrap_or_default()),
            Ok(at) if at == items.len() && name != "update" => Ok(Value::Nil),
            _ => Err(argument_error(format!("{name}: index {at} is outside a vector of length {}", items.len()))),
        },
        (Value::Vector(_), key) => {
            Err(type_error(format!("{name}: the index of a vector must be an integer, got {}", key.kind())))
        }
        (other, _) => {
            Err(type_error(format!("{name}: expected a map or a vector, got {}", other.kind())).about_value(&other))
        }
    }
}

fn path_to_update(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    call.check_path(1)?;
    if !matches!(call.arg(0), Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(call.wrong("a map or a vector", call.arg(0)));
    }
    Ok(call.seq(1)?.into())
}
