//! Sorted maps and sets, and the parts of them between two bounds.

use std::cmp::Ordering;
use std::ops::Range;

use super::seq::grow::put;
use super::seq::{nil_when_empty, realise};
use super::{Call, Family, rows};
use crate::error::Res;
use crate::stdlib::call::{Begin, PAIR};
use crate::stdlib::ordering::order_of;
use crate::stdlib::table::table;
use crate::value::{Map, Order, Set, Sorted, Value, gathered};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Sorted maps and sets";
    "sorted-map" "[& kvs]" lazy returns(Returns::Table) = |call| map_of(call, Map::sorted(Order::Ascending), 0),
        "A map of keys and values in turn that stays in the natural order of its keys."
        "(sorted-map :b 2 :a 1)" => "{:a 1 :b 2}", "(into (sorted-map) {3 :c 1 :a})" => "{1 :a 3 :c}";
    "sorted-map-by" "[comp & kvs]" native returns(Returns::Table) = |call| announce(call, "%sorted-map-by"),
        "As sorted-map, in the order of comp: `>`, `:desc`, a function that gives a number or whether the first goes \
         first."
        "(sorted-map-by > 1 :a 2 :b)" => "{2 :b 1 :a}";
    "sorted-set" "[& xs]" shallow returns(Returns::Table) = |call| set_of(call, Set::sorted(Order::Ascending), 0),
        "A set of the arguments that stays in natural order." "(sorted-set 3 1 2 1)" => "#{1 2 3}";
    "sorted-set-by" "[comp & xs]" native returns(Returns::Table) = |call| announce(call, "%sorted-set-by"),
        "As sorted-set, in the order of comp: members for which it gives 0 are one."
        "(sorted-set-by > 1 3 2)" => "#{3 2 1}",
        r#"(sorted-set-by (fn [a b] (< (count a) (count b))) "ccc" "a")"# => r#"#{"a" "ccc"}"#;
    "sorted?" "[x]" lazy = |call| Ok(is_sorted(call.arg(0)).into()),
        "Whether x is a sorted map or set." "(sorted? (sorted-set 1))" => "true", "(sorted? {})" => "false";
    "subseq" "[sc test key]" "[sc start-test start-key end-test end-key]" shallow callback(Callback::Any)
        = |call| Ok(part(call, false)?.map_or(Value::Nil, Value::vector)),
        "The part of a sorted map or set whose keys pass the tests, which are `<`, `<=`, `>` and `>=`."
        "(subseq (sorted-set 1 2 3 4) > 2)" => "[3 4]", "(subseq (sorted-set 1 2 3 4) >= 2 < 4)" => "[2 3]";
    "rsubseq" "[sc test key]" "[sc start-test start-key end-test end-key]" shallow callback(Callback::Any) = rsubseq,
        "As subseq, the last entry first." "(rsubseq (sorted-set 1 2 3) <= 2)" => "[2 1]";
    "%sorted-map-by" "[comp & kvs]" lazy = |call| map_by(call.named("sorted-map-by")),
        "sorted-map-by, when comparators can be called.";
    "%sorted-set-by" "[comp & xs]" shallow = |call| set_by(call.named("sorted-set-by")),
        "sorted-set-by, when comparators can be called.";
};

fn map_by(call: &mut Call<'_>) -> Res {
    let order = order_of(call, call.arg(0))?;
    map_of(call, Map::sorted(order), 1)
}

/// The map with the keys and values from argument `first` on.
pub(crate) fn map_of(call: &mut Call<'_>, mut map: Map, first: usize) -> Res {
    call.check_pairs(first)?;
    for index in (first..call.len()).step_by(2) {
        realise(call, index)?;
    }
    for index in (first..call.len()).step_by(2) {
        let (key, value) = (call.take(index), call.take(index + 1));
        put(call, &mut map, key, value)?;
    }
    Ok(map.into())
}

fn set_by(call: &mut Call<'_>) -> Res {
    let order = order_of(call, call.arg(0))?;
    set_of(call, Set::sorted(order), 1)
}

fn set_of(call: &mut Call<'_>, mut set: Set, first: usize) -> Res {
    for index in first..call.len() {
        let member = call.take(index);
        if set.insert(member, call.meter())? {
            call.allocate(52)?;
        }
    }
    Ok(Value::Set(set))
}

/// Note a comparator: from the next call on, the machine is ready to run it if it is a function of the program.
fn announce(call: &mut Call<'_>, by: &'static str) -> Res<Begin> {
    call.cx.has_comparators |= matches!(order_of(call, call.arg(0))?, Order::By(_));
    Ok(Begin::Delegate(by))
}

pub(crate) fn is_sorted(value: &Value) -> bool {
    entries_of(value).is_some_and(|map| map.as_sorted().is_some())
}

/// The entries of a map; the members of a set as keys.
fn entries_of(value: &Value) -> Option<&Map> {
    match value {
        Value::Map(map) => Some(map),
        Value::Set(set) => Some(set.as_map()),
        _ => None,
    }
}

/// Whether a test of `subseq` passes above its key or below it, and whether the key itself does.
fn bound(call: &Call<'_>, index: usize) -> Res<(bool, bool)> {
    call.want(index, "one of < <= > >= as test", |test| match test {
        Value::Builtin(id) => {
            table().entry(*id).row.relation().map(|relation| (relation.descends(), relation.accepts(Ordering::Equal)))
        }
        _ => None,
    })
}

/// The numbers of the entries that the tests select. `None` for the nil that Clojure returns when nothing is where the
/// sequence starts: with one test, no entry that passes; with two, none beyond the key.
fn chosen(call: &mut Call<'_>, table: &Sorted, backwards: bool) -> Res<Option<Range<usize>>> {
    let pair = call.len() == 5;
    let (mut range, mut nothing) = (0..table.len(), false);
    for index in (1..call.len()).step_by(2) {
        let (above, with_key) = bound(call, index)?;
        if pair && above != (index == 1) {
            return Err(call.invalid("the start test must be > or >=, the end test < or <="));
        }
        let key = call.arg(index + 1).clone();
        let (place, found) = table.boundary(&key, call.meter())?;
        let behind = place + usize::from(found);
        if above {
            range.start = if with_key { place } else { behind };
            nothing |= !backwards && if pair { place == table.len() } else { range.is_empty() };
        } else {
            range.end = if with_key { behind } else { place };
            nothing |= backwards && if pair { behind == 0 } else { range.is_empty() };
        }
    }
    Ok((!nothing).then_some(range))
}

/// The chosen part of argument 0; nil for `None`.
fn part(call: &mut Call<'_>, backwards: bool) -> Res<Option<Vec<Value>>> {
    let entries = entries_of(call.arg(0)).cloned().unwrap_or_default();
    let Some(table) = entries.as_sorted() else { return Err(call.wrong("a sorted map or set", call.arg(0))) };
    let Some(range) = chosen(call, table, backwards)? else { return Ok(None) };
    let count = range.len();
    call.charge(count)?;
    let chosen = table.iter_from(range.start).take(count);
    Ok(Some(match call.arg(0) {
        Value::Map(_) => {
            call.allocate(count * (PAIR - size_of::<Value>()))?;
            gathered(chosen.map(|(key, value)| Value::vector(vec![key.clone(), value.clone()])), call.meter())?
        }
        _ => gathered(chosen.map(|(key, _)| key.clone()), call.meter())?,
    }))
}

fn rsubseq(call: &mut Call<'_>) -> Res {
    let mut items = part(call, true)?;
    items.iter_mut().for_each(|items| items.reverse());
    Ok(items.map_or(Value::Nil, Value::vector))
}

/// `rseq` of a sorted map or set; `None` for anything else.
pub(crate) fn reversed(call: &mut Call<'_>) -> Res<Option<Value>> {
    if !is_sorted(call.arg(0)) {
        return Ok(None);
    }
    // Just created from the entries, so not shared.
    let mut items = call.seq(0)?.into_vec();
    items.reverse();
    Ok(Some(nil_when_empty(items.into())))
}
