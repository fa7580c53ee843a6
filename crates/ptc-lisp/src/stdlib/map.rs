//! Looking things up: keys, paths, fields of items.

pub(crate) mod entries;
#[cfg(test)]
mod tests;
pub(crate) mod write;

use super::call::many_maps_expected;
use super::seq::reaches;
use super::{Call, Family, rows};
use crate::error::warning::WarningCode;
use crate::error::{Res, type_error, with_article};
use crate::eval::context::Context;
use crate::stdlib::quick::calls::{self, Quick};
use crate::value::{Value, Vector, shortened};

pub(crate) const FAMILY: Family = rows! {
    "Lookup";
    "get" "[m k]" "[m k default]" lazy quick(Quick::Item(calls::get)) = get,
        "The value under k (keyword or string spelling), the element at index k, the member k; default (nil) when \
         absent."
        "(get {:a 1} :a)" => "1", "(get [5 6] 9 :none)" => ":none";
    "get-in" "[m path]" "[m path default]" lazy = get_in,
        "get along a vector of keys; default (nil) when a step is absent." "(get-in {:xs [{:n 1}]} [:xs 0 :n])" => "1";
    "contains?" "[coll x]" shallow size(Size::Scalar) quick(Quick::Ask(calls::contains)) = contains,
        "Whether a map has the key x, a set the member x, a vector an element equal to x, a string the text x."
        "(contains? {:a nil} :a)" => "true", "(contains? [10 20] 20)" => "true";
    "%replace" "[smap coll]" shallow = |call| replace(call.named("replace")),
        "The elements of coll, each one found in smap replaced by its value there.";
    "%entry" "[m k]" shallow = entry,
        "The entry of m under k as [k value], nil when absent: find with a map.";
    "%field" "[item key]" lazy = field,
        "The field of an item, nil and a warning when the item is not a map.";
    "%path" "[item path]" lazy = path,
        "The value along a path of keys, nil and a warning when the item is not a map.";
    "%check-many" "[name key coll]" shallow = check_many,
        "An error when key names a field and coll is a single map: name wants many maps.";
    "%has?" "[m k]" shallow = has_exact,
        "Whether the map has exactly the key k, or the vector the index.";
};

/// What `get` finds: flexible for maps, by index for vectors and strings, the member for sets. Requests an element of a
/// generator when it is not realised.
pub(crate) fn look(value: &Value, key: &Value, cx: &mut Context) -> Res<Option<Value>> {
    Ok(match value {
        Value::Map(_) | Value::Set(_) => value.look_up(key, &mut cx.meter)?.cloned(),
        Value::Vector(items) => index(key).and_then(|index| items.get(index).cloned()),
        Value::Str(text) => index(key).and_then(|index| text.char_at(index)).map(Value::string),
        Value::LazySeq(view) => match index(key) {
            Some(index) => {
                reaches(cx, *view, index.saturating_add(1))?;
                cx.cells.get(*view, index).cloned()
            }
            None => None,
        },
        _ => None,
    })
}

/// The value along `path`; `None` when a step is absent.
pub(crate) fn look_along(value: &Value, path: &Vector, cx: &mut Context) -> Res<Option<Value>> {
    cx.meter.charge(path.len() / 4)?;
    let mut here = value.clone();
    for key in path {
        match look(&here, key, cx)? {
            Some(next) => here = next,
            None => return Ok(None),
        }
    }
    Ok(Some(here))
}

fn index(key: &Value) -> Option<usize> {
    match key {
        Value::Int(index) => usize::try_from(*index).ok(),
        _ => None,
    }
}

pub(in crate::stdlib) fn get(call: &mut Call<'_>) -> Res {
    // These common keys hold nothing that must be realised.
    if let [Value::Map(map), key @ (Value::Str(_) | Value::Keyword(_)), ..] = &*call.args {
        let found = map.lookup(key, &mut call.cx.meter)?.map(Value::copy);
        return Ok(found.unwrap_or_else(|| call.take(2)));
    }
    call.settle(1)?;
    let found = match &*call.args {
        [coll, key, ..] => look(coll, key, call.cx)?,
        _ => None,
    };
    Ok(found.unwrap_or_else(|| call.take(2)))
}

fn get_in(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    call.check_path(1)?;
    let path = call.seq(1)?;
    let found = match call.args.first() {
        Some(coll) => look_along(coll, &path, call.cx)?,
        None => None,
    };
    Ok(found.unwrap_or_else(|| call.take(2)))
}

fn contains(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    if matches!(call.arg(0), Value::Vector(_)) {
        call.settle(0)?;
    }
    let (coll, x) = (call.arg(0).clone(), call.arg(1).clone());
    let found = match &coll {
        Value::Nil => false,
        Value::Map(map) => map.lookup(&x, call.meter())?.is_some(),
        Value::Set(set) => set.contains(&x, call.meter())?,
        Value::Vector(items) => {
            if matches!(x, Value::Int(_)) {
                call.cx.warn(
                    WarningCode::ContainsOnVector,
                    "contains? looks for an element of a vector, not for an index; compare with (count v) for an index",
                );
            }
            has_element(call, items, &x)?
        }
        Value::Str(text) => {
            call.charge(text.len() / 16)?;
            x.as_str().is_some_and(|part| text.contains(part))
        }
        other => return Err(call.wrong("a map, set, vector or string", other)),
    };
    Ok(found.into())
}

fn has_element(call: &mut Call<'_>, items: &Vector, x: &Value) -> Res<bool> {
    call.charge(items.len() / 4)?;
    for item in items {
        if item.equals(x, call.meter())? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn replace(call: &mut Call<'_>) -> Res {
    let source = call.arg(0).clone();
    if !matches!(source, Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(call.mismatch(format_args!("expected a map, got {}", source.kind())).about_value(&source));
    }
    let items = call.settled(1)?;
    call.charge(items.len())?;
    let mut replaced = Vec::new();
    for item in &items {
        let new = exact(&source, item, call)?.unwrap_or_else(|| item.clone());
        call.push(&mut replaced, new)?;
    }
    call.paid_vector(replaced)
}

fn entry(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let (source, key) = (call.arg(0).clone(), call.arg(1).clone());
    if matches!(source, Value::Vector(_)) && matches!(key, Value::Function(_) | Value::Builtin(_)) {
        return Err(type_error(format!("find: expected a collection, got {}; write (find pred coll)", key.kind())));
    }
    let entry = match &source {
        // The key as spelled in the map.
        Value::Map(map) => map.slot(&key, call.meter())?.map(|(_, known, value)| vec![known.clone(), value.clone()]),
        Value::Nil | Value::Vector(_) => look(&source, &key, call.cx)?.map(|value| vec![key, value]),
        other => return Err(type_error(format!("find: expected a map, got {}", other.kind())).about_value(other)),
    };
    match entry {
        Some(entry) => call.vector(entry),
        None => Ok(Value::Nil),
    }
}

fn field(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    warn_without_fields(call);
    let (item, key) = (call.arg(0).clone(), call.arg(1).clone());
    match item {
        Value::Map(_) | Value::Set(_) => Ok(look(&item, &key, call.cx)?.unwrap_or_default()),
        _ => Ok(Value::Nil),
    }
}

fn path(call: &mut Call<'_>) -> Res {
    let path = call.settled(1)?;
    if path.get(0).is_some_and(|key| !matches!(key, Value::Int(_))) {
        warn_without_fields(call);
    }
    Ok(look_along(&call.arg(0).clone(), &path, call.cx)?.unwrap_or_default())
}

/// Warn of a field of a value without fields: it is nil, and nearly always a mistake.
pub(crate) fn warn_without_fields(call: &mut Call<'_>) {
    let item = call.arg(0);
    if !matches!(item, Value::Map(_) | Value::Set(_) | Value::Nil) {
        let message = format!("a field of {} is always nil; fields belong to maps", with_article(item.kind()));
        call.cx.warn(WarningCode::KeywordOnNonMap, message);
    }
}

pub(super) fn check_many(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    let read = match call.arg(1) {
        Value::Keyword(key) => format!("(:{} m)", shortened(key.as_str(), 60)),
        Value::Str(key) => format!("(get m \"{}\")", shortened(key.as_str(), 60)),
        Value::Vector(_) => "(get-in m path)".to_owned(),
        _ => return Ok(Value::Nil),
    };
    if call.arg(2).as_map().is_some_and(|map| !map.is_empty()) {
        return Err(many_maps_expected(&name, &read));
    }
    Ok(Value::Nil)
}

fn has_exact(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let (source, key) = (call.arg(0).clone(), call.arg(1).clone());
    Ok(exact(&source, &key, call)?.is_some().into())
}

/// The value under exactly this key of a map, at this index of a vector.
fn exact(source: &Value, key: &Value, call: &mut Call<'_>) -> Res<Option<Value>> {
    match source {
        Value::Map(map) => Ok(map.get(key, call.meter())?.cloned()),
        other => look(other, key, call.cx),
    }
}
