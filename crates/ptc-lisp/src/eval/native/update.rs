//! `update`, `update-in`, `swap!`: one call on what is inside something else.

use super::in_place::swapped;
use super::{Begin, Native, Step, whole};
use crate::error::{Res, Signal, argument_error, type_error};
use crate::eval::context::Context;
use crate::meter::Meter;
use crate::stdlib::{Call, Family, rows};
use crate::value::{CellKind, CellRef, Map, Value};

/// The place to update, and the collections around it, outermost first.
pub(crate) struct Update {
    around: Vec<Place>,
    /// Absent when the path was empty: then the value itself is updated.
    place: Option<Place>,
    old: Value,
    extra: Vec<Value>,
}

/// A key of a collection, with the number of the entry when it is in a map already.
struct Place {
    holder: Value,
    key: Value,
    entry: Option<usize>,
}

impl Update {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        let Some(value) = returned.take() else {
            args.push(std::mem::take(&mut self.old));
            args.append(&mut self.extra);
            return Ok(Step::Call);
        };
        let mut value = value;
        if let Some(place) = self.place.take() {
            value = place.put(value, cx)?;
        }
        while let Some(place) = self.around.pop() {
            value = place.put(value, cx)?;
        }
        Ok(Step::Done(value))
    }

    /// The update of what is under `key` in an ordinary map, with the value to call the function with; nothing, and the
    /// arguments stay, when it takes more than that.
    #[inline]
    pub fn of_map(holder: &mut Value, key: &mut Value, meter: &mut Meter) -> Res<Option<(Update, Value)>> {
        let Value::Map(map) = holder else { return Ok(None) };
        if map.as_sorted().is_some()
            || !matches!(key, Value::Str(_) | Value::Keyword(_) | Value::Int(_))
            || !map.is_unique()
        {
            return Ok(None);
        }
        let Some((at, _, _)) = map.slot(key, meter)? else { return Ok(None) };
        let Some(old) = map.value_mut(at, meter)?.map(std::mem::take) else { return Ok(None) };
        let place = Place { holder: std::mem::take(holder), key: std::mem::take(key), entry: Some(at) };
        Ok(Some((Update { around: Vec::new(), place: Some(place), old: Value::Nil, extra: Vec::new() }, old)))
    }

    /// The map with `value` in its place, where that needs nothing else; otherwise nothing happens.
    #[inline]
    pub fn finish(&mut self, value: &mut Value, meter: &mut Meter) -> Option<Value> {
        let (Some(Place { holder: Value::Map(map), entry: Some(at), .. }), true) =
            (&mut self.place, self.around.is_empty())
        else {
            return None;
        };
        if !map.is_unique() {
            return None;
        }
        map.value_mut(*at, meter).ok().flatten()?.set(std::mem::take(value));
        self.place.take().map(|place| place.holder)
    }

    /// See [`Native::first`].
    #[inline]
    pub fn first(&mut self, args: &mut [Value]) -> bool {
        let ([old, ..], true) = (args, self.extra.is_empty()) else { return false };
        old.set(std::mem::take(&mut self.old));
        true
    }

    /// Whether the key of the updated place is itself a vector: mostly a path that was meant for `update-in`.
    pub fn has_vector_key(&self) -> bool {
        matches!(&self.place, Some(Place { key: Value::Vector(_), .. }))
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for place in self.around.iter().chain(&self.place) {
            visit(&place.holder);
            visit(&place.key);
        }
        visit(&self.old);
        self.extra.iter().for_each(visit);
    }
}

impl Place {
    /// The collection with `value` at this place, changed where it is when nobody else holds it.
    fn put(self, value: Value, cx: &mut Context) -> Res {
        let Place { holder, key, entry } = self;
        match holder {
            Value::Map(mut map) => {
                let slot = match entry {
                    Some(entry) => map.value_mut(entry, &mut cx.meter)?,
                    None => None,
                };
                match slot {
                    Some(slot) => slot.set(value),
                    None => {
                        cx.meter.allocate(48)?;
                        map.assoc(key, value, &mut cx.meter)?;
                    }
                }
                Ok(Value::Map(map))
            }
            Value::Vector(mut items) => {
                let at = index_of(&key, items.len())?;
                if at == items.len() {
                    items.push(value, &mut cx.meter)?;
                } else if let Some(slot) = items.get_mut(at, &mut cx.meter)? {
                    *slot = value;
                }
                Ok(Value::Vector(items))
            }
            other => Err(type_error(format!("update: expected a map or a vector, got {}", other.kind()))),
        }
    }

    /// The place under `key` in `holder`, and its value: moved out when nobody else holds the collection, so that the
    /// call may update it in place, else copied.
    fn lift(name: &str, mut holder: Value, key: Value, must_exist: bool, cx: &mut Context) -> Res<(Place, Value)> {
        let mut entry = None;
        let old = match &mut holder {
            Value::Nil => {
                holder = Value::Map(Map::new());
                Value::Nil
            }
            Value::Map(map) => {
                let unique = map.is_unique();
                match map.slot(&key, &mut cx.meter)? {
                    None => Value::Nil,
                    Some((at, _, value)) => {
                        entry = Some(at);
                        if unique {
                            map.value_mut(at, &mut cx.meter)?.map(std::mem::take).unwrap_or_default()
                        } else {
                            value.copy()
                        }
                    }
                }
            }
            Value::Vector(items) => {
                let length = items.len();
                let at = index_of(&key, length)?;
                if at >= length && must_exist {
                    return Err(argument_error(format!("index {at} is outside a vector of length {length}")));
                }
                if items.is_unique() {
                    items.get_mut(at, &mut cx.meter)?.map(std::mem::take).unwrap_or_default()
                } else {
                    items.get(at).cloned().unwrap_or_default()
                }
            }
            other => return Err(no_holder(name, other)),
        };
        Ok((Place { holder, key, entry }, old))
    }
}

fn no_holder(name: &str, got: &Value) -> Box<Signal> {
    type_error(format!("{name}: expected a map or a vector, got {}", got.kind()))
}

fn index_of(key: &Value, length: usize) -> Res<usize> {
    match key {
        Value::Int(at) => usize::try_from(*at)
            .ok()
            .filter(|at| *at <= length)
            .ok_or_else(|| argument_error(format!("index {at} is outside a vector of length {length}"))),
        other => Err(type_error(format!("update: the index of a vector must be an integer, got {}", other.kind()))),
    }
}

fn update(call: &mut Call<'_>) -> Res<Begin> {
    call.settle(1)?;
    let name = call.name;
    match (call.arg(0), call.arg(1)) {
        (Value::Nil | Value::Map(_), _) => {}
        (Value::Vector(items), Value::Int(at)) if usize::try_from(*at).is_ok_and(|at| at < items.len()) => {}
        (Value::Vector(items), Value::Int(at)) => {
            return Err(argument_error(format!("{name}: index {at} is outside a vector of length {}", items.len())));
        }
        (Value::Vector(_), other) => {
            return Err(type_error(format!("{name}: the index of a vector must be an integer, got {}", other.kind())));
        }
        (other, _) => return Err(no_holder(name, other)),
    }
    let (holder, key, f) = (call.take(0), call.take(1), call.take(2));
    let extra = (3..call.len()).map(|at| call.take(at)).collect();
    let (place, old) = Place::lift(name, holder, key, true, call.cx)?;
    Ok(Begin::Frame(Native::Update(Update { around: Vec::new(), place: Some(place), old, extra }), f))
}

fn update_in(call: &mut Call<'_>) -> Res<Begin> {
    call.settle(1)?;
    let name = call.name;
    call.check_path(1)?;
    let keys = whole(call, 1)?;
    if !matches!(call.arg(0), Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(call.wrong("a map or a vector", call.arg(0)));
    }
    let f = call.arg(2).clone();
    let mut old = call.take(0);
    let extra = (3..call.len()).map(|at| call.take(at)).collect();
    call.charge(keys.len())?;
    let mut around = Vec::new();
    let mut place = None;
    for key in &keys {
        let (inner, value) = Place::lift(name, old, key.clone(), false, call.cx)?;
        around.extend(place.replace(inner));
        old = value;
    }
    Ok(Begin::Frame(Native::Update(Update { around, place, old, extra }), f))
}

/// What is on the way says nothing about how the call was written.
fn inner_update_in(call: &mut Call<'_>) -> Res<Begin> {
    call.name = "update-in";
    if !matches!(call.arg(0), Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(no_holder(call.name, call.arg(0)));
    }
    update_in(call)
}

/// `swap!` and its kin: call, then store, again when the content changed meanwhile.
pub(crate) struct Swap {
    cell: CellRef,
    extra: Vec<Value>,
    seen: u64,
    /// Answer both the old and the new content.
    both: bool,
}

impl Swap {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(value) = returned.take()
            && cx.cells.version(self.cell.id) == self.seen
        {
            let old = cx.cells.content(self.cell.id).cloned().unwrap_or_default();
            cx.cells.store(self.cell.id, value.clone());
            return Ok(Step::Done(if self.both { Value::vector(vec![old, value]) } else { value }));
        }
        self.seen = cx.cells.version(self.cell.id);
        args.push(cx.cells.content(self.cell.id).cloned().unwrap_or_default());
        args.extend(self.extra.iter().cloned());
        Ok(Step::Call)
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Cell(self.cell));
        self.extra.iter().for_each(visit);
    }
}

fn swap_cell(call: &mut Call<'_>, kind: CellKind, word: &str, both: bool) -> Res<Begin> {
    let cell = match call.arg(0) {
        Value::Cell(cell) if cell.kind == kind => *cell,
        other => return Err(call.wrong(word, other)),
    };
    if !both && let Some(value) = swapped(call, cell)? {
        return Ok(Begin::Value(value));
    }
    let f = call.arg(1).clone();
    let extra = (2..call.len()).map(|at| call.take(at)).collect();
    Ok(Begin::Frame(Native::Swap(Swap { cell, extra, seen: 0, both }), f))
}

fn swap(call: &mut Call<'_>) -> Res<Begin> {
    swap_cell(call, CellKind::Atom, "an atom", false)
}

fn swap_vals(call: &mut Call<'_>) -> Res<Begin> {
    swap_cell(call, CellKind::Atom, "an atom", true)
}

fn vswap(call: &mut Call<'_>) -> Res<Begin> {
    swap_cell(call, CellKind::Volatile, "a volatile", false)
}

pub(crate) const FAMILY: Family = rows! {
    "Updating";
    "update" "[m key f & args]" native update
        "`m` with `(f old & args)` under `key`; old is nil when absent." "(update {:n 1} :n + 10)" => "{:n 11}";
    "update-in" "[m path f & args]" native update_in
        "Like `update` along a path, making maps on the way." "(update-in {:a {:n 1}} [:a :n] inc)" => "{:a {:n 2}}";
    "%update-in" "[m path f & args]" native inner_update_in
        "As update-in, on the way of one.";
    "swap!" "[atom f & args]" native swap
        "Set the atom to `(f content & args)`; the new content." "(let [a (atom 1)] (swap! a + 2) @a)" => "3";
    "swap-vals!" "[atom f & args]" native swap_vals
        "Like `swap!`; old and new content." "(swap-vals! (atom 1) inc)" => "[1 2]";
    "vswap!" "[vol f & args]" native vswap
        "Set the volatile to `(f content & args)`; the new content." "(vswap! (volatile! 1) inc)" => "2";
};
