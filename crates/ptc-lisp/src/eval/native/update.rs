//! `update`, `update-in`, `swap!`: one call on what is inside something else.

use super::{Begin, Native, Step, whole};
use crate::error::{Res, argument_error, type_error};
use crate::eval::context::Context;
use crate::stdlib::{Builtin, Call};
use crate::value::{CellKind, CellRef, Map, Value};

/// Collections on the way to the updated place, outermost first, each with the key that leads on.
pub(crate) struct Update {
    path: Vec<(Value, Value)>,
    old: Value,
    extra: Vec<Value>,
}

impl Update {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        let Some(value) = returned.take() else {
            args.push(std::mem::take(&mut self.old));
            args.append(&mut self.extra);
            return Ok(Step::Call);
        };
        let mut value = value;
        while let Some((holder, key)) = self.path.pop() {
            value = put(holder, key, value, cx)?;
        }
        Ok(Step::Done(value))
    }

    /// Whether the key of the updated place is itself a vector: mostly a path that was meant for `update-in`.
    pub fn has_vector_key(&self) -> bool {
        matches!(self.path.last(), Some((_, Value::Vector(_))))
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for (holder, key) in &self.path {
            visit(holder);
            visit(key);
        }
        visit(&self.old);
    }
}

/// `holder` with `value` under `key`, in place when nobody else holds it.
fn put(holder: Value, key: Value, value: Value, cx: &mut Context) -> Res {
    match holder {
        Value::Map(mut map) => {
            cx.meter.allocate(48)?;
            map.assoc(key, value, &mut cx.meter)?;
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

fn index_of(key: &Value, length: usize) -> Res<usize> {
    match key {
        Value::Int(at) => usize::try_from(*at)
            .ok()
            .filter(|at| *at <= length)
            .ok_or_else(|| argument_error(format!("index {at} is outside a vector of length {length}"))),
        other => Err(type_error(format!("update: the index of a vector must be an integer, got {}", other.kind()))),
    }
}

/// Move the value under `key` out of `holder` when nobody else holds it, else copy it: the call may then update in place.
fn lift(name: &str, holder: &mut Value, key: &Value, must_exist: bool, cx: &mut Context) -> Res {
    match holder {
        Value::Nil => {
            *holder = Value::Map(Map::new());
            Ok(Value::Nil)
        }
        Value::Map(map) => {
            let unique = map.is_unique();
            let Some((at, _, value)) = map.slot(key, &mut cx.meter)? else { return Ok(Value::Nil) };
            if !unique {
                return Ok(value.clone());
            }
            Ok(map.value_mut(at, &mut cx.meter)?.map(std::mem::take).unwrap_or_default())
        }
        Value::Vector(items) => {
            let length = items.len();
            let at = index_of(key, length)?;
            if at >= length {
                if must_exist {
                    return Err(argument_error(format!("index {at} is outside a vector of length {length}")));
                }
                return Ok(Value::Nil);
            }
            if items.is_unique() {
                return Ok(items.get_mut(at, &mut cx.meter)?.map(std::mem::take).unwrap_or_default());
            }
            Ok(items.get(at).cloned().unwrap_or_default())
        }
        other => Err(type_error(format!("{name}: expected a map or a vector, got {}", other.kind()))),
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
        (other, _) => return Err(type_error(format!("{name}: expected a map or a vector, got {}", other.kind()))),
    }
    let mut holder = call.take(0);
    let key = call.take(1);
    let f = call.take(2);
    let extra = (3..call.len()).map(|at| call.take(at)).collect();
    let old = lift(name, &mut holder, &key, true, call.cx)?;
    Ok(Begin::Frame(Native::Update(Update { path: vec![(holder, key)], old, extra }), f))
}

fn update_in(call: &mut Call<'_>) -> Res<Begin> {
    call.settle(1)?;
    let name = call.name;
    let keys = whole(call, 1)?;
    if !matches!(call.arg(0), Value::Nil | Value::Map(_) | Value::Vector(_)) {
        return Err(call.wrong("a map or a vector", call.arg(0)));
    }
    let f = call.arg(2).clone();
    let mut holder = call.take(0);
    let extra = (3..call.len()).map(|at| call.take(at)).collect();
    let mut path = Vec::with_capacity(keys.len());
    call.charge(keys.len())?;
    for key in &keys {
        let inner = lift(name, &mut holder, key, false, call.cx)?;
        path.push((holder, key.clone()));
        holder = inner;
    }
    Ok(Begin::Frame(Native::Update(Update { path, old: holder, extra }), f))
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

/// The rows of this file.
pub(crate) const ROWS: &[Builtin] = &[
    Builtin::native(
        "update",
        &["[m key f & args]"],
        "`m` with `(f old & args)` under `key`; old is nil when absent.",
        &[("(update {:n 1} :n + 10)", "{:n 11}")],
        update,
    ),
    Builtin::native(
        "update-in",
        &["[m path f & args]"],
        "Like `update` along a path, making maps on the way.",
        &[("(update-in {:a {:n 1}} [:a :n] inc)", "{:a {:n 2}}")],
        update_in,
    ),
    Builtin::native(
        "swap!",
        &["[atom f & args]"],
        "Set the atom to `(f content & args)`; the new content.",
        &[("(let [a (atom 1)] (swap! a + 2) @a)", "3")],
        swap,
    ),
    Builtin::native(
        "swap-vals!",
        &["[atom f & args]"],
        "Like `swap!`; old and new content.",
        &[("(swap-vals! (atom 1) inc)", "[1 2]")],
        swap_vals,
    ),
    Builtin::native(
        "vswap!",
        &["[vol f & args]"],
        "Set the volatile to `(f content & args)`; the new content.",
        &[("(vswap! (volatile! 1) inc)", "2")],
        vswap,
    ),
];
