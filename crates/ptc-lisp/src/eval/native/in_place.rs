//! `swap!` with builtins: the content is taken out of its cell while it changes, so that it changes in place.
//!
//! The empty cell is never visible: the builtins called here call no functions, read no cells, and after taking the
//! content cannot fail in a way that a program could catch. Everything else takes the slow path, with the content still
//! in the cell.

use crate::error::{Res, Signal};
use crate::eval::context::Context;
use crate::stdlib::call::Begin;
use crate::stdlib::known::known;
use crate::stdlib::registry::{Entry, Table};
use crate::stdlib::sorted::is_sorted;
use crate::stdlib::{Call, InPlace, Run};
use crate::value::{CellRef, Value};

#[cfg(test)]
mod tests;

/// The most keys of a path that is followed here; longer paths take the slow path.
const LONGEST_PATH: usize = 8;

/// A function that can change its first argument in place.
pub(super) struct Change {
    entry: &'static Entry,
    kind: InPlace,
    /// What replaces nil.
    default: Value,
}

impl Change {
    /// The change that calling `f` makes: `f` is a builtin, or one with a default from `fnil`.
    pub(super) fn of(builtins: &'static Table, f: &Value) -> Option<Change> {
        let (id, default) = match f {
            Value::Builtin(id) => (*id, Value::Nil),
            Value::Function(closure) => {
                // A function that fills a record of return types has to return.
                if closure.track.load(std::sync::atomic::Ordering::Relaxed) != 0 || !closure.is_of_prelude(known().fnil)
                {
                    return None;
                }
                let named = |name: &str| {
                    let place = closure.proto.capture_names.iter().position(|known| &**known == name)?;
                    closure.captured().get(place)
                };
                let (Some(Value::Builtin(id)), Some(default), 2) = (named("f"), named("d"), closure.captured().len())
                else {
                    return None;
                };
                (*id, default.clone())
            }
            _ => return None,
        };
        let entry = builtins.entry(id);
        Some(Change { entry, kind: entry.row.in_place?, default })
    }

    /// Whether a call on `content` with these further arguments either succeeds or is stopped by a limit, and cannot
    /// fail otherwise.
    pub(super) fn suits(&self, content: &Value, extra: &[Value]) -> bool {
        if !self.entry.accepts(1 + extra.len()) {
            return false;
        }
        let content = if content.is_nil() { &self.default } else { content };
        // Its comparator might have to run.
        if is_sorted(content) {
            return false;
        }
        match (self.kind, content) {
            (InPlace::Compute, Value::Bool(_)) => self.entry.row.name == "not",
            (InPlace::Compute, content) => {
                content.is_number() && self.entry.row.name != "not" && extra.iter().all(Value::is_number)
            }
            // A value that holds cells is printed with their contents.
            (InPlace::Append, Value::Str(_)) => extra.iter().all(is_plain),
            (InPlace::Shorten, Value::Vector(items)) => !items.is_empty(),
            (InPlace::Conj, Value::Nil | Value::Vector(_)) => true,
            (InPlace::Conj, Value::Map(_)) => extra.iter().all(is_entries),
            (InPlace::Conj | InPlace::Disj, Value::Set(_)) | (InPlace::Dissoc, Value::Map(_)) => {
                extra.iter().all(is_key)
            }
            (InPlace::Into, Value::Vector(_)) => {
                extra.iter().all(|more| matches!(more, Value::Nil | Value::Vector(_) | Value::Set(_)))
            }
            (InPlace::Into | InPlace::Union, Value::Set(_)) => {
                extra.iter().all(|more| matches!(more, Value::Set(_)) && !is_sorted(more))
            }
            (InPlace::Into | InPlace::Merge, Value::Map(_)) | (InPlace::Merge, Value::Nil) => extra.iter().all(is_map),
            (InPlace::Assoc, Value::Nil | Value::Map(_)) => {
                extra.iter().step_by(2).all(is_key) && extra.len().is_multiple_of(2)
            }
            (InPlace::Assoc, Value::Vector(items)) => {
                matches!(extra, [Value::Int(at), _] if usize::try_from(*at).is_ok_and(|at| at <= items.len()))
            }
            (InPlace::Put, Value::Map(_)) => extra.first().is_some_and(is_key),
            _ => false,
        }
    }

    /// Call it on the first of `args`, which suit it. They stay when the call is refused before it has taken them.
    pub(super) fn make(&self, args: &mut [Value], cx: &mut Context) -> Res {
        if let Some(content) = args.first_mut()
            && content.is_nil()
        {
            content.set(self.default.clone());
        }
        let mut call = Call { name: self.entry.row.name, args, cx };
        match &self.entry.row.run {
            Run::Plain(run) => run(&mut call),
            Run::Native(start) => match start(&mut call)? {
                Begin::Value(value) => Ok(value),
                _ => Err(unsuited()),
            },
            Run::Frame | Run::Prelude(_) => Err(unsuited()),
        }
    }
}

#[cold]
fn unsuited() -> Box<Signal> {
    crate::error::err(crate::error::Reason::InternalError, "a function was called in place that calls others")
}

/// Whether this is a scalar key that is compared and written without looking inside.
fn is_plain(value: &Value) -> bool {
    value.is_scalar() || matches!(value, Value::Symbol(_))
}

/// The same, or a short vector of them, like the arguments that `memoize` remembers.
fn is_key(value: &Value) -> bool {
    match value {
        Value::Vector(parts) => parts.len() <= LONGEST_PATH && parts.iter().all(is_plain),
        other => is_plain(other),
    }
}

pub(super) fn is_map(value: &Value) -> bool {
    matches!(value, Value::Nil | Value::Map(_)) && !is_sorted(value)
}

fn is_entries(value: &Value) -> bool {
    match value {
        Value::Vector(pair) => pair.pair().is_some_and(|(key, _)| is_key(key)),
        other => is_map(other),
    }
}

/// `(swap! cell f & extra)` for the arguments of the call, with `f` at index 1. `None`, with nothing changed, where
/// that takes the slow path. Before the call the machine has counted the content among the arguments that may be
/// copied.
pub(super) fn swapped(call: &mut Call<'_>, cell: CellRef) -> Res<Option<Value>> {
    if !call.cx.compares_plainly() {
        return Ok(None);
    }
    let Some(plan) = Plan::of(call.cx.language.builtins, call.args) else { return Ok(None) };
    let Some(content) = call.cx.cells.content(cell.id) else { return Ok(None) };
    if !plan.begins_well(content, call.args) {
        return Ok(None);
    }
    call.charge(plan.fuel)?;
    let mut content = call.cx.cells.take(cell.id);
    let changed = plan.change(&mut content, call.args, call.cx);
    if let Ok(true) = changed {
        call.cx.cells.store(cell.id, content.clone());
        return Ok(Some(content));
    }
    call.cx.cells.give_back(cell.id, content);
    changed.map(|_| None)
}

/// What to do with the content.
struct Plan {
    /// The keys of the path that is changed; empty for the whole.
    path: Vec<Value>,
    /// The index of the function, or of the new value, among the arguments.
    at: usize,
    /// The change that the function makes.
    change: Option<Change>,
    /// Fuel that the frames of the slow path would cost.
    fuel: usize,
}

impl Plan {
    /// For `(f content & extra)`, `(update content key f & extra)`, `(update-in content path f & extra)` and
    /// `(assoc-in content path value)`.
    fn of(builtins: &'static Table, args: &[Value]) -> Option<Plan> {
        let (f, ids) = (args.get(1)?, known());
        let change = |at| Some(Some(Change::of(builtins, args.get(at)?)?));
        Some(match f {
            Value::Builtin(id) if *id == ids.update => {
                let key = args.get(2).filter(|key| is_key(key))?;
                Plan { path: vec![key.clone()], at: 3, change: change(3)?, fuel: 4 }
            }
            Value::Builtin(id) if *id == ids.update_in => {
                let path = path(args.get(2)?)?;
                Plan { fuel: 4 + path.len(), path, at: 3, change: change(3)? }
            }
            Value::Builtin(id) if *id == ids.assoc_in => {
                let path = path(args.get(2)?).filter(|_| args.len() == 4)?;
                Plan { fuel: 2 + path.len() / 4, path, at: 3, change: None }
            }
            _ => Plan { path: Vec::new(), at: 1, change: change(1)?, fuel: 2 },
        })
    }

    /// Whether it is worth taking the content out.
    fn begins_well(&self, content: &Value, args: &[Value]) -> bool {
        match &self.change {
            Some(change) if self.path.is_empty() => change.suits(content, args.get(2..).unwrap_or_default()),
            _ => is_map(content) || matches!(content, Value::Vector(_)),
        }
    }

    /// Make the change; returns whether it was made. Otherwise `content` and `args` are unchanged.
    fn change(&self, content: &mut Value, args: &mut [Value], cx: &mut Context) -> Res<bool> {
        let rest = args.get_mut(self.at..).unwrap_or_default();
        under(&self.path, content, cx, &mut |old, cx| match (&self.change, &mut *rest) {
            (Some(change), rest) => call_at(change, old, rest, cx),
            (None, [value, ..]) => {
                *old = std::mem::take(value);
                Ok(true)
            }
            (None, []) => Ok(false),
        })
    }
}

/// The keys of a short path.
fn path(keys: &Value) -> Option<Vec<Value>> {
    let Value::Vector(keys) = keys else { return None };
    ((1..=LONGEST_PATH).contains(&keys.len()) && keys.iter().all(is_key)).then(|| keys.iter().cloned().collect())
}

/// Call `change` on `old` with the arguments after the function, which is the first of `places`.
fn call_at(change: &Change, old: &mut Value, places: &mut [Value], cx: &mut Context) -> Res<bool> {
    let [_, extra @ ..] = &*places else { return Ok(false) };
    if !change.suits(old, extra) {
        return Ok(false);
    }
    let Some(place) = places.first_mut() else { return Ok(false) };
    let f = std::mem::replace(place, std::mem::take(old));
    match change.make(places, cx) {
        Ok(value) => {
            *old = value;
            Ok(true)
        }
        Err(signal) => {
            if let Some(place) = places.first_mut() {
                // A nil there shows that the call cannot be repeated.
                *old = std::mem::take(place);
                if !old.is_nil() {
                    *place = f;
                }
            }
            Err(signal)
        }
    }
}

/// Make a change to the value under these keys in `holder`, from map to map; returns whether it was made.
fn under(
    keys: &[Value],
    holder: &mut Value,
    cx: &mut Context,
    change: &mut dyn FnMut(&mut Value, &mut Context) -> Res<bool>,
) -> Res<bool> {
    let Some((key, inner)) = keys.split_first() else { return change(holder, cx) };
    let place = match (&mut *holder, key) {
        (Value::Nil, _) => None,
        (Value::Map(map), _) if map.as_sorted().is_none() => map.slot(key, &mut cx.meter)?.map(|(place, _, _)| place),
        (Value::Vector(items), Value::Int(at)) => match usize::try_from(*at) {
            Ok(at) if at < items.len() => Some(at),
            _ => return Ok(false),
        },
        _ => return Ok(false),
    };
    let Some(place) = place else {
        let mut value = Value::Nil;
        if !under(inner, &mut value, cx, change)? {
            return Ok(false);
        }
        cx.meter.allocate(48)?;
        let mut map = if let Value::Map(map) = std::mem::take(holder) { map } else { crate::value::Map::new() };
        let added = map.assoc(key.clone(), value, &mut cx.meter);
        *holder = Value::Map(map);
        return added.map(|()| true);
    };
    let Some(mut value) = slot(holder, place, cx)?.map(std::mem::take) else { return Ok(false) };
    let changed = under(inner, &mut value, cx, change);
    if let Some(slot) = slot(holder, place, cx)? {
        *slot = value;
    }
    changed
}

/// The value at this index of a map or vector, to be changed.
fn slot<'h>(holder: &'h mut Value, place: usize, cx: &mut Context) -> Res<Option<&'h mut Value>> {
    match holder {
        Value::Map(map) => map.value_mut(place, &mut cx.meter),
        Value::Vector(items) => Ok(items.get_mut(place, &mut cx.meter)?),
        _ => Ok(None),
    }
}
