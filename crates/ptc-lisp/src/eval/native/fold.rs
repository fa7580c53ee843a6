//! `reduce`, `some`, `group-by`, `run!`: passes that end in one value.

use super::{Begin, Native, Source, Step, check_field_over_one_map, is_lazy, whole};
use crate::error::Res;
use crate::eval::context::Context;
use crate::meter::Meter;
use crate::stdlib::call::PAIR;
use crate::stdlib::known::known;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Batch, BuiltinId, Map, Value, Vector, number, release, room};

/// `reduce`: the accumulator travels through the calls, so it has one owner.
pub(crate) struct Fold {
    pub source: Source,
    /// The first accumulator, until the first call.
    first: Option<Value>,
    /// Elements are `[key value]` pairs that are passed as two arguments.
    pub(super) pairs: bool,
}

impl Fold {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(Value::Reduced(stop)) = returned {
            return Ok(Step::Done(stop.get().clone()));
        }
        let item = self.source.next(cx)?;
        let acc = returned.take().or_else(|| self.first.take()).unwrap_or_default();
        let Some(item) = item else { return Ok(Step::Done(acc)) };
        args.push(acc);
        match (self.pairs, &item) {
            (true, Value::Vector(pair)) => args.extend(pair.iter().cloned()),
            _ => args.push(item),
        }
        Ok(Step::Call)
    }
}

impl Fold {
    /// See [`Native::first`].
    #[inline]
    pub fn first(&mut self, args: &mut [Value]) -> bool {
        let ([acc, element, ..], false) = (args, self.pairs) else { return false };
        let Some(item) = self.source.quick() else { return false };
        acc.set(self.first.take().unwrap_or_default());
        element.set(item);
        true
    }

    /// See [`Native::again`].
    #[inline]
    pub fn again(&mut self, returned: &mut Value, args: &mut [Value]) -> bool {
        let [acc, element, ..] = args else { return false };
        if self.pairs || matches!(returned, Value::Reduced(_)) {
            return false;
        }
        let Some(item) = self.source.quick() else { return false };
        acc.set(std::mem::take(returned));
        element.set(item);
        true
    }
}

fn reduce(call: &mut Call<'_>) -> Res<Begin> {
    if let Some(begin) = reduce_numbers(call)? {
        return Ok(begin);
    }
    let f = call.arg(0).clone();
    let with_init = call.len() == 3;
    let mut source = Source::of(call, call.len() - 1)?;
    let first = if with_init {
        call.take(1)
    } else {
        match source.next(call.cx)? {
            None => return Ok(Begin::Invoke(f, Vec::new())),
            Some(first) => first,
        }
    };
    if let (Value::Builtin(id), Source::Items(items, at)) = (&f, &mut source) {
        let first = fold_numbers(*id, first, items, at, call.meter())?;
        return Ok(if *at >= items.len() { Begin::Value(first) } else { begin_fold(f, source, first) });
    }
    Ok(begin_fold(f, source, first))
}

/// A builtin over a vector: its elements need no further holder while they are plain numbers.
fn reduce_numbers(call: &mut Call<'_>) -> Res<Option<Begin>> {
    let Call { args, cx, .. } = call;
    let (id, first, items, mut at) = match &**args {
        [Value::Builtin(id), Value::Vector(items)] => (id, items.get(0), items, 1),
        [Value::Builtin(id), first, Value::Vector(items)] => (id, Some(first), items, 0),
        _ => return Ok(None),
    };
    let Some(first) = first else { return Ok(None) };
    let first = fold_numbers(*id, first.copy(), items, &mut at, &mut cx.meter)?;
    if at >= items.len() {
        return Ok(Some(Begin::Value(first)));
    }
    Ok(Some(begin_fold(Value::Builtin(*id), Source::Items(items.clone(), at), first)))
}

fn begin_fold(f: Value, source: Source, first: Value) -> Begin {
    Begin::Frame(Native::Fold(Fold { source, first: Some(first), pairs: false }), f)
}

/// Sums and products of plain numbers need no calls: `first` with as many of the elements from place `at` on as are
/// such, for a unit of fuel each.
#[inline]
fn fold_numbers(f: BuiltinId, first: Value, items: &Vector, at: &mut usize, meter: &mut Meter) -> Res {
    let ids = known();
    match f {
        id if id == ids.add => fold_plain(first, items, at, meter, number::add_plain),
        id if id == ids.mul => fold_plain(first, items, at, meter, number::mul_plain),
        _ => Ok(first),
    }
}

/// `acc` with as many elements from place `at` on as `step` takes in.
#[inline]
fn fold_plain(
    mut acc: Value,
    items: &Vector,
    at: &mut usize,
    meter: &mut Meter,
    step: impl Fn(&mut Value, &Value) -> bool,
) -> Res {
    let mut taken = 0;
    for item in items.iter_from(*at) {
        if !step(&mut acc, item) {
            break;
        }
        meter.charge(1)?;
        taken += 1;
    }
    *at += taken;
    Ok(acc)
}

fn reduce_kv(call: &mut Call<'_>) -> Res<Begin> {
    let f = call.arg(0).clone();
    let entries = match call.arg(2) {
        Value::Vector(items) => {
            let items = items.clone();
            call.charge(items.len())?;
            call.allocate(items.len() * PAIR)?;
            items.iter().enumerate().map(|(at, item)| Value::vector(vec![Value::from(at), item.clone()])).collect()
        }
        Value::Nil | Value::Map(_) => whole(call, 2)?,
        other => return Err(call.wrong("a map", other)),
    };
    let first = call.take(1);
    Ok(Begin::Frame(Native::Fold(Fold { source: Source::Items(entries, 0), first: Some(first), pairs: true }), f))
}

/// `some`, `every?` and their negations: stop at the first decision.
pub(crate) struct Search {
    pub source: Source,
    /// The truthiness that ends the search.
    stop_at: bool,
    /// The answer when it ended early; the returned value itself when absent.
    found: Option<bool>,
    /// The answer when nothing ended it.
    exhausted: Value,
}

impl Search {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(value) = returned
            && value.is_truthy() == self.stop_at
        {
            let found = self.found.map_or_else(|| std::mem::take(value), Value::Bool);
            return Ok(Step::Done(found));
        }
        match self.source.next(cx)? {
            Some(item) => {
                *returned = None;
                args.push(item);
                Ok(Step::Call)
            }
            None => Ok(Step::Done(self.exhausted.clone())),
        }
    }
}

impl Search {
    /// See [`Native::again`].
    #[inline]
    pub fn again(&mut self, returned: &Value, args: &mut [Value]) -> bool {
        let [element, ..] = args else { return false };
        if returned.is_truthy() == self.stop_at {
            return false;
        }
        let Some(item) = self.source.quick() else { return false };
        element.set(item);
        true
    }
}

fn search(call: &mut Call<'_>, stop_at: bool, found: Option<bool>, exhausted: Value) -> Res<Begin> {
    let f = call.arg(0).clone();
    check_field_over_one_map(call, &f, 1, false)?;
    let source = Source::of(call, 1)?;
    Ok(Begin::Frame(Native::Search(Search { source, stop_at, found, exhausted }), f))
}

fn some(call: &mut Call<'_>) -> Res<Begin> {
    search(call, true, None, Value::Nil)
}

fn every(call: &mut Call<'_>) -> Res<Begin> {
    search(call, false, Some(false), Value::Bool(true))
}

fn not_any(call: &mut Call<'_>) -> Res<Begin> {
    search(call, true, Some(false), Value::Bool(true))
}

fn not_every(call: &mut Call<'_>) -> Res<Begin> {
    search(call, false, Some(true), Value::Bool(false))
}

/// `group-by`: elements by what the function says of them, in order of first appearance.
pub(crate) struct Group {
    items: Vector,
    at: usize,
    places: Map,
    groups: Vec<(Value, Vec<Value>)>,
    /// Bytes of the groups.
    held: usize,
}

/// Bytes of a group of one element, and of the vector that it becomes.
const NEW_GROUP: usize = 128;

impl Group {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(key) = returned {
            cx.settle(key)?;
        }
        if let (Some(key), Some(item)) =
            (returned.as_ref(), self.at.checked_sub(1).and_then(|at| self.items.get(at).cloned()))
        {
            self.take_in(key, item, cx)?;
            *returned = None;
        }
        match self.items.get(self.at) {
            Some(item) => {
                self.at += 1;
                args.push(item.clone());
                Ok(Step::Call)
            }
            None => {
                let mut map = std::mem::take(&mut self.places);
                for (at, (_, group)) in std::mem::take(&mut self.groups).into_iter().enumerate() {
                    if let Some(slot) = map.value_mut(at, &mut cx.meter)? {
                        *slot = Value::vector(group);
                    }
                }
                Ok(Step::Done(Value::Map(map)))
            }
        }
    }

    /// Put an element into the group of `key`; nothing is changed when it does not fit the memory limit.
    #[inline]
    fn take_in(&mut self, key: &Value, item: Value, cx: &mut Context) -> Res<()> {
        let place = match self.known(key) {
            Some(place) => place,
            None => self.place_of(key, cx)?,
        };
        if let Some((_, group)) = self.groups.get_mut(place) {
            let before = group.capacity();
            room(group, 1, &mut cx.meter)?;
            self.held += (group.capacity() - before) * size_of::<Value>();
            group.push(item);
        }
        Ok(())
    }

    /// The place of the group whose last key was the very text or keyword `key`, among the first groups: the values
    /// that rows are grouped by are few, and rows share them.
    #[inline]
    fn known(&self, key: &Value) -> Option<usize> {
        const FIRST: usize = 8;
        self.groups.get(..FIRST).unwrap_or(&self.groups).iter().position(|(known, _)| known.is_same(key))
    }

    /// The place of the group of `key`, which is a new one with room for an element when there is none.
    #[inline(never)]
    fn place_of(&mut self, key: &Value, cx: &mut Context) -> Res<usize> {
        if let Some(Value::Int(place)) = self.places.get(key, &mut cx.meter)? {
            let place = *place as usize;
            if let Some((known, _)) = self.groups.get_mut(place) {
                // The next row probably shares this one.
                known.clone_from(key);
            }
            return Ok(place);
        }
        cx.meter.allocate(NEW_GROUP)?;
        room(&mut self.groups, 1, &mut cx.meter)?;
        let place = self.groups.len();
        self.places.insert(key.clone(), Value::from(place), &mut cx.meter)?;
        self.groups.push((key.clone(), Vec::with_capacity(1)));
        self.held += NEW_GROUP;
        Ok(place)
    }

    /// As [`Collect::run`](super::Collect::run). `key` says what an element is grouped by where that is quick to see.
    pub fn run(
        &mut self,
        most: usize,
        done: &mut usize,
        cx: &mut Context,
        mut key: impl for<'v> FnMut(&'v Value) -> Option<&'v Value>,
        mut answer: impl FnMut(&Value, &mut Context) -> Res<Option<Value>>,
    ) {
        let start = self.at.saturating_sub(1);
        let items = self.items.clone();
        for item in items.iter_from(start).take(most) {
            if let Some(place) = key(item).and_then(|key| self.known(key))
                && let Some((_, group)) = self.groups.get_mut(place)
                && group.len() < group.capacity()
            {
                group.push(item.clone());
                *done += 1;
                continue;
            }
            let Ok(Some(key)) = answer(item, cx) else { break };
            if self.take_in(&key, item.clone(), cx).is_err() {
                break;
            }
            *done += 1;
        }
        self.at = start + (*done).max(1);
    }

    /// Let go of what was grouped.
    pub fn abandon(&mut self) {
        release(Batch::Groups(std::mem::take(&mut self.groups)));
    }

    /// Bytes of groups and keys, without the values.
    pub fn own_bytes(&self) -> usize {
        self.held + self.groups.capacity() * size_of::<(Value, Vec<Value>)>() + self.places.bytes()
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Vector(self.items.clone()));
        for (key, group) in &self.groups {
            visit(key);
            group.iter().for_each(&mut *visit);
        }
    }
}

fn group_by(call: &mut Call<'_>) -> Res<Begin> {
    let f = call.arg(0).clone();
    check_field_over_one_map(call, &f, 1, true)?;
    let items = whole(call, 1)?;
    Ok(Begin::Frame(Native::Group(Group { items, at: 0, places: Map::new(), groups: Vec::new(), held: 0 }), f))
}

/// `run!` and `doseq`: for the effects.
pub(crate) struct Each {
    pub source: Source,
}

impl Each {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        match returned {
            Some(Value::Builtin(id)) if *id == known().stop => return Ok(Step::Done(Value::Nil)),
            Some(Value::Reduced(_)) => return Ok(Step::Done(Value::Nil)),
            _ => {}
        }
        match self.source.next(cx)? {
            Some(item) => {
                *returned = None;
                args.push(item);
                Ok(Step::Call)
            }
            None => Ok(Step::Done(Value::Nil)),
        }
    }
}

impl Each {
    /// See [`Native::again`].
    #[inline]
    pub fn again(&mut self, returned: &Value, args: &mut [Value]) -> bool {
        let [element, ..] = args else { return false };
        if matches!(returned, Value::Builtin(_) | Value::Reduced(_)) {
            return false;
        }
        let Some(item) = self.source.quick() else { return false };
        element.set(item);
        true
    }
}

fn run_each(call: &mut Call<'_>) -> Res<Begin> {
    let f = call.arg(0).clone();
    let source = Source::of(call, 1)?;
    Ok(Begin::Frame(Native::Each(Each { source }), f))
}

fn doseq(call: &mut Call<'_>) -> Res<Begin> {
    let f = call.arg(1).clone();
    call.name = "doseq";
    let source = Source::of(call, 0)?;
    Ok(Begin::Frame(Native::Each(Each { source }), f))
}

fn apply(call: &mut Call<'_>) -> Res<Begin> {
    if call.len() == 2 && is_lazy(call, 1) && matches!(call.arg(0), Value::Builtin(id) if *id == known().concat) {
        // The sequences to join may have no end.
        return Ok(Begin::Invoke(Value::Builtin(known().joined), vec![call.take(1)]));
    }
    let last = whole(call, call.len() - 1)?;
    if let (Value::Builtin(id), Some(first @ (Value::Int(_) | Value::Float(_))), 2) =
        (call.arg(0), last.get(0), call.len())
        && (*id == known().add || *id == known().mul)
    {
        // A sum of plain numbers needs no registers for them.
        let (id, mut at) = (*id, 1);
        let sum = fold_numbers(id, first.clone(), &last, &mut at, call.meter())?;
        if at >= last.len() {
            return Ok(Begin::Value(sum));
        }
    }
    let f = call.take(0);
    let count = call.len();
    let mut args: Vec<Value> = (1..count - 1).map(|at| call.take(at)).collect();
    call.charge(last.len())?;
    // A copy, unless nobody else holds the arguments; and room for those in front.
    call.allocate(last.len() * if args.is_empty() { 16 } else { 32 })?;
    // The arguments lose their holder here, so that the callee may update in place.
    drop(call.take(count - 1));
    if args.is_empty() {
        args = last.into_vec();
    } else {
        args.extend(last.into_vec());
    }
    Ok(Begin::Invoke(f, args))
}

pub(crate) const FAMILY: Family = rows! {
    "Folding and grouping";
    "reduce" "[f coll]" "[f init coll]" native reduce
        "`f` of accumulator and element, from left to right; `(reduced x)` stops."
        "(reduce + [1 2 3])" => "6", "(reduce conj #{} [1 1])" => "#{1}";
    "reduce-kv" "[f init m]" native reduce_kv
        "`(f acc key value)` over the entries of a map, or index and element of a vector."
        "(reduce-kv (fn [a k v] (+ a v)) 0 {:x 1 :y 2})" => "3";
    "some" "[pred coll]" native some
        "The first truthy result of `pred`, else nil." "(some #{3 4} [1 3])" => "3";
    "every?" "[pred coll]" native every
        "Whether `pred` is truthy for every element." "(every? odd? [1 3])" => "true";
    "not-any?" "[pred coll]" native not_any
        "Whether `pred` is truthy for no element." "(not-any? odd? [2 4])" => "true";
    "not-every?" "[pred coll]" native not_every
        "Whether `pred` is falsy for some element." "(not-every? odd? [1 2])" => "true";
    "group-by" "[key coll]" native group_by
        "Map of key value to the elements that have it, in order of first appearance."
        "(group-by odd? [1 2 3])" => "{true [1 3] false [2]}", "(group-by :k [{:k 1}])" => "{1 [{:k 1}]}";
    "run!" "[f coll]" native run_each
        "Call `f` with each element for its effects; nil." "(run! println [])" => "nil";
    "%doseq" "[coll f]" native doseq;
    "apply" "[f coll]" "[f & args]" native apply
        "Call `f` with the elements of the last argument, after the arguments before it." "(apply + 1 [2 3])" => "6";
};
