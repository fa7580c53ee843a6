//! Sets and relations (sets of maps).

use super::map::entries::select;
use super::map::look;
use super::seq::grow::{add_to_map, put};
use super::{Call, Family, InPlace, rows};
use crate::error::Res;
use crate::stdlib::call::Begin;
use crate::value::{Map, Set, Value, Vector, push};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Sets";
    "set" "[coll]" shallow size(Size::Same(0)) returns(Returns::Table) = set,
        "A set of the elements." "(set [1 1 2])" => "#{1 2}";
    "hash-set" "[& xs]" shallow returns(Returns::Table) alike = hash_set,
        "A set of the arguments." "(hash-set 1 2 1)" => "#{1 2}";
    "union" "[& sets]" shallow alike returns(Returns::TableOfFirst) within(&["set"]) in_place(InPlace::Union) = union,
        "All members of all sets." "(union #{1} #{2 3})" => "#{1 2 3}";
    "intersection" "[s & sets]" shallow alike within(&["set"]) = intersection,
        "The members of s that every other set has." "(intersection #{1 2 3} #{2 3})" => "#{2 3}";
    "difference" "[s & sets]" shallow alike returns(Returns::TableOfFirst)
        within(&["set"]) in_place(InPlace::Union) = difference,
        "The members of s that no other set has." "(difference #{1 2 3} #{2} #{3})" => "#{1}";
    "disj" "[s & xs]" shallow returns(Returns::TableOfFirst) in_place(InPlace::Disj) = disj,
        "The set without the members xs." "(disj #{1 2 3} 1 3)" => "#{2}";
    "disj!" "[s & xs]" shallow returns(Returns::TableOfFirst) owns(Owns::First) = disj,
        "As disj." "(disj! (transient #{1 2}) 1)" => "#{2}";
    "subset?" "[a b]" shallow within(&["set"]) = |call| within(call, false),
        "Whether every member of a is in b." "(subset? #{1} #{1 2})" => "true";
    "superset?" "[a b]" shallow within(&["set"]) = |call| within(call, true),
        "Whether every member of b is in a." "(superset? #{1 2} #{1})" => "true";
    "set/project" "[rel ks]" shallow = project,
        "The set of maps cut down to the keys ks." r#"(set/project [{:id 1 :n "x"}] [:n])"# => r#"#{{:n "x"}}"#;
    "set/index" "[rel ks]" shallow = index,
        "A map from each combination of values under ks to the set of its maps."
        "(set/index [{:k 1 :v 2}] [:k])" => "{{:k 1} #{{:k 1 :v 2}}}";
    "set/join" "[a b]" "[a b kmap]" shallow = join,
        "Merged pairs of maps that agree in their common keys, or in the keys of a and b that kmap names."
        r#"(set/join #{{:id 1 :n "a"}} #{{:id 1 :s 9}})"# => r#"#{{:id 1 :n "a" :s 9}}"#;
    "set/rename" "[rel kmap]" shallow = rename,
        "The set of maps with keys renamed as kmap says." "(set/rename #{{:x 1}} {:x :y})" => "#{{:y 1}}";
    "set/rename-keys" "[m kmap]" shallow = rename_keys,
        "The map with keys renamed as kmap says." "(set/rename-keys {:a 1} {:a :b})" => "{:b 1}";
    "set/select" "[pred s]" native callback(Callback::Each(0, 1)) = |_| Ok(Begin::Delegate("%set-select")),
        "The set of the members that satisfy pred." "(set/select pos? #{-1 2})" => "#{2}";
    "set/map-invert" "[m]" shallow = map_invert,
        "The map with keys and values exchanged." "(set/map-invert {:a 1})" => "{1 :a}";
};

/// Argument `index` as a set: a set unchanged, any other collection by its elements.
fn members(call: &mut Call<'_>, index: usize) -> Res<Set> {
    match call.arg(index) {
        Value::Set(_) => Ok(if let Value::Set(set) = call.take(index) { set } else { Set::new() }),
        Value::Nil | Value::Vector(_) => {
            let items = call.seq(index)?;
            gather(call, items.iter().cloned())
        }
        other => Err(call.wrong("a set", other)),
    }
}

pub(super) fn gather(call: &mut Call<'_>, items: impl ExactSizeIterator<Item = Value>) -> Res<Set> {
    let mut set = Set::new();
    extend(call, &mut set, items)?;
    Ok(set)
}

fn extend(call: &mut Call<'_>, set: &mut Set, items: impl ExactSizeIterator<Item = Value>) -> Res<()> {
    call.charge(items.len())?;
    for item in items {
        add(call, set, item)?;
    }
    Ok(())
}

fn add(call: &mut Call<'_>, set: &mut Set, item: Value) -> Res<()> {
    call.tick()?;
    set.insert(item, call.meter())?;
    Ok(())
}

fn set(call: &mut Call<'_>) -> Res {
    if matches!(call.arg(0), Value::Set(_)) {
        return Ok(call.take(0));
    }
    let items = call.settled(0)?;
    gather(call, items.iter().cloned()).map(Value::Set)
}

fn hash_set(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    let items = call.taken(0)?;
    gather(call, items.into_iter()).map(Value::Set)
}

fn union(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    if call.len() > 0 && call.args.iter().all(Value::is_nil) {
        return Ok(Value::Nil);
    }
    let mut all = if call.len() == 0 { Set::new() } else { members(call, 0)? };
    for index in 1..call.len() {
        let more = members(call, index)?;
        extend(call, &mut all, more.iter().cloned())?;
    }
    Ok(Value::Set(all))
}

fn intersection(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    if call.args.iter().any(Value::is_nil) {
        return Ok(Value::Nil);
    }
    let mut kept = members(call, 0)?;
    for index in 1..call.len() {
        let other = members(call, index)?;
        kept = if is_few(&other, &kept) {
            shared(call, &kept, &other)?
        } else {
            filtered(call, &kept, |member, call| other.contains(member, call.meter()))?
        };
    }
    Ok(Value::Set(kept))
}

fn difference(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    if call.arg(0).is_nil() {
        return Ok(Value::Nil);
    }
    let mut kept = members(call, 0)?;
    for index in 1..call.len() {
        let other = members(call, index)?;
        if is_few(&other, &kept) {
            call.charge(other.len())?;
            for member in other.iter() {
                call.tick()?;
                kept.remove(member, call.meter())?;
            }
        } else if !other.is_empty() {
            kept = filtered(call, &kept, |member, call| Ok(!other.contains(member, call.meter())?))?;
        }
    }
    Ok(Value::Set(kept))
}

/// Whether working on each of `few` is less than working on each of `many`, with the same result: a sorted set has a
/// different notion of membership.
fn is_few(few: &Set, many: &Set) -> bool {
    few.len() < many.len() / 4 && few.as_sorted().is_none() && many.as_sorted().is_none()
}

/// The members of `many` that are in `few` as well, in the order of `many`.
fn shared(call: &mut Call<'_>, many: &Set, few: &Set) -> Res<Set> {
    call.charge(few.len())?;
    let mut found = Vec::new();
    for member in few.iter() {
        call.tick()?;
        if let Some((place, known, _)) = many.as_map().find(member, call.meter())? {
            push(&mut found, (place, known.clone()), call.meter())?;
        }
    }
    found.sort_unstable_by_key(|(place, _)| *place);
    many.rebuilt(found.into_iter().map(|(_, member)| member), call.meter())
}

fn filtered(call: &mut Call<'_>, set: &Set, keep: impl Fn(&Value, &mut Call<'_>) -> Res<bool>) -> Res<Set> {
    call.charge(set.len())?;
    let mut kept = Vec::new();
    for member in set.iter() {
        call.tick()?;
        if keep(member, call)? {
            call.push(&mut kept, member.clone())?;
        }
    }
    set.rebuilt(kept, call.meter())
}

fn disj(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    if call.arg(0).is_nil() {
        return Ok(Value::Nil);
    }
    call.want(0, "a set", |value| matches!(value, Value::Set(_)).then_some(()))?;
    let mut set = members(call, 0)?;
    for item in call.args.iter().skip(1) {
        set.remove(item, &mut call.cx.meter)?;
    }
    Ok(Value::Set(set))
}

/// Whether all members of the first set are in the second one, or the reverse.
fn within(call: &mut Call<'_>, turned: bool) -> Res {
    call.settle_from(0)?;
    let (a, b) = (members(call, 0)?, members(call, 1)?);
    let (small, large) = if turned { (b, a) } else { (a, b) };
    if small.len() > large.len() {
        return Ok(false.into());
    }
    call.charge(small.len())?;
    for member in small.iter() {
        call.tick()?;
        if !large.contains(member, call.meter())? {
            return Ok(false.into());
        }
    }
    Ok(true.into())
}

fn project(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    let (rows, keys) = (call.seq(0)?, call.seq(1)?);
    each_row(call, &rows, |call, row| select(call, row, &keys))
}

/// The set of the results of `make` for each row.
fn each_row(call: &mut Call<'_>, rows: &Vector, make: impl Fn(&mut Call<'_>, &Value) -> Res<Map>) -> Res {
    let mut made = Set::new();
    for row in rows {
        let row = make(call, row)?;
        add(call, &mut made, row.into())?;
    }
    Ok(Value::Set(made))
}

fn index(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    let (rows, keys) = (call.seq(0)?, call.seq(1)?);
    indexed(call, &rows, &keys).map(Value::Map)
}

/// A map from the values of each row under `keys` to the set of rows that have them.
fn indexed(call: &mut Call<'_>, rows: &Vector, keys: &Vector) -> Res<Map> {
    let mut index = Map::new();
    for row in rows {
        let key = Value::Map(select(call, row, keys)?);
        if index.find(&key, call.meter())?.is_none() {
            put(call, &mut index, key.clone(), Value::Set(Set::new()))?;
        }
        let Some((place, ..)) = index.find(&key, call.meter())? else { continue };
        if let Some(Value::Set(group)) = index.value_mut(place, call.meter())? {
            add(call, group, row.clone())?;
        }
    }
    Ok(index)
}

fn join(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    let (left, right) = (call.seq(0)?, call.seq(1)?);
    let pairs = if call.len() > 2 { call.map(2)? } else { common_keys(call, &left, &right)? };
    let left_keys = Vector::from(call.gathered(pairs.iter().map(|(key, _)| key.clone()))?);
    let right_keys = Vector::from(call.gathered(pairs.iter().map(|(_, key)| key.clone()))?);
    let index = indexed(call, &right, &right_keys)?;
    let mut joined = Set::new();
    for row in &left {
        let key = select(call, row, &left_keys)?;
        let key = Value::Map(renamed(call, key, &pairs)?);
        let Some(Value::Set(partners)) = index.get(&key, call.meter())?.cloned() else { continue };
        let Value::Map(row) = row else { return Err(call.wrong("maps to join", row)) };
        for partner in partners.iter() {
            let mut merged = row.clone();
            add_to_map(call, &mut merged, partner.clone())?;
            add(call, &mut joined, merged.into())?;
        }
    }
    Ok(Value::Set(joined))
}

/// The keys that the first rows of both sides have, each paired with itself.
fn common_keys(call: &mut Call<'_>, left: &Vector, right: &Vector) -> Res<Map> {
    let mut common = Map::new();
    let (Some(Value::Map(one)), Some(Value::Map(other))) = (left.get(0), right.get(0)) else { return Ok(common) };
    for (key, _) in one {
        if other.get(key, call.meter())?.is_some() {
            put(call, &mut common, key.clone(), key.clone())?;
        }
    }
    Ok(common)
}

fn rename(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    let (rows, kmap) = (call.seq(0)?, call.map(1)?);
    each_row(call, &rows, |call, row| match row {
        Value::Map(row) => renamed(call, row.clone(), &kmap),
        _ => Err(call.wrong("a collection of maps", row)),
    })
}

fn rename_keys(call: &mut Call<'_>) -> Res {
    if call.arg(0).is_nil() {
        return Ok(Value::Nil);
    }
    call.settle(1)?;
    let (map, kmap) = (call.map(0)?, call.map(1)?);
    renamed(call, map, &kmap).map(Value::Map)
}

/// First remove all old keys, so that keys can be exchanged; then add the new ones.
fn renamed(call: &mut Call<'_>, map: Map, kmap: &Map) -> Res<Map> {
    call.charge(kmap.len())?;
    let source = Value::Map(map.clone());
    let mut result = map;
    let mut moved = Vec::new();
    for (old, new) in kmap {
        if let Some(value) = look(&source, old, call.cx)? {
            result.remove(old, call.meter())?;
            push(&mut moved, (new.clone(), value), call.meter())?;
        }
    }
    for (key, value) in moved {
        put(call, &mut result, key, value)?;
    }
    Ok(result)
}

fn map_invert(call: &mut Call<'_>) -> Res {
    call.settle(0)?;
    let map = call.map(0)?;
    call.charge(map.len())?;
    let mut inverted = Map::new();
    for (key, value) in &map {
        put(call, &mut inverted, value.clone(), key.clone())?;
    }
    Ok(inverted.into())
}
