//! Calls of builtins that return immediately, for the usual arguments.
//!
//! A quick call does what the row's function does, at the same cost in fuel, on operands in place, without the overhead
//! of a call: nothing is realised, no comparator runs, nothing large is copied, memory is not counted. Where more is
//! needed, it returns no value, the operands stay unchanged, and the row's function is called.

use crate::eval::context::Context;
use crate::index::addressable;
use crate::stdlib::argument::{Argument, Arithmetic, MOST_ARGUMENTS, Pattern, Relation, Test, elements, equal};
use crate::stdlib::known::known;
use crate::value::{CellKind, Map, Value, Vector};

/// The operands of a quick call, with the registers and constants that they name.
pub(crate) struct Arguments<'a> {
    pub registers: &'a mut [Value],
    pub constants: &'a [Value],
    pub operands: &'a [Argument],
    /// The register of the value.
    pub d: u16,
}

impl Arguments<'_> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.operands.len()
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "what every quick call begins with")]
    pub(super) fn get(&self, at: usize) -> &Value {
        match self.operands.get(at) {
            Some(operand) => operand.of(self.registers, self.constants),
            None => &Value::Nil,
        }
    }

    /// The register of an operand that is emptied: a value that only this register holds may change in place.
    #[inline]
    fn own(&mut self, at: usize) -> Option<&mut Value> {
        let operand = self.operands.get(at).filter(|operand| operand.is_last())?;
        self.registers.get_mut(operand.index())
    }

    /// The value, moved out of a register that is emptied. Nothing may fail afterwards, unless it is given back.
    #[inline]
    fn take(&mut self, at: usize) -> Value {
        match self.own(at) {
            Some(Value::Int(n)) => Value::Int(*n),
            Some(value) => std::mem::take(value),
            None => self.get(at).copy(),
        }
    }

    /// Whether the value goes to the register of this operand, which is emptied.
    #[inline]
    fn is_in_place(&self, at: usize) -> bool {
        self.operands.get(at).is_some_and(|operand| operand.is_last() && operand.index() == usize::from(self.d))
    }

    /// Undo [`Arguments::take`].
    fn give_back(&mut self, at: usize, value: Value) {
        if let Some(register) = self.own(at) {
            *register = value;
        }
    }

    /// Finish with a value.
    #[inline]
    pub(super) fn put(&mut self, value: Value) -> bool {
        if let Some(register) = self.registers.get_mut(usize::from(self.d)) {
            register.set(value);
        }
        true
    }

    /// Finish with an integer.
    #[inline]
    pub(super) fn put_int(&mut self, n: i64) -> bool {
        if let Some(register) = self.registers.get_mut(usize::from(self.d)) {
            register.set_int(n);
        }
        true
    }

    /// Finish with an operand.
    #[inline]
    fn put_operand(&mut self, at: usize) -> bool {
        if self.is_in_place(at) {
            return true;
        }
        let value = self.take(at);
        self.put(value)
    }

    /// Finish with a copy of `found`, else of operand `at`.
    #[inline]
    fn put_found(&mut self, found: Option<Value>, at: usize) -> bool {
        match found {
            Some(Value::Int(n)) => self.put_int(n),
            Some(value) => self.put(value),
            None => self.put_operand(at),
        }
    }

    /// Finish with the vector after `change`, which says whether it changed it.
    #[inline]
    fn put_changed(&mut self, at: usize, change: impl FnOnce(&mut Vector) -> bool) -> bool {
        let change = |value: &mut Value| if let Value::Vector(items) = value { change(items) } else { false };
        match self.own(at) {
            Some(value) => {
                if !change(value) {
                    return false;
                }
                if self.is_in_place(at) {
                    return true;
                }
                let Some(value) = self.own(at) else { return false };
                let value = std::mem::take(value);
                self.put(value)
            }
            None => {
                let mut value = self.get(at).copy();
                change(&mut value) && self.put(value)
            }
        }
    }

    /// Finish with an element of the vector in operand 0, nil when there is none.
    #[inline]
    fn put_element(&mut self, element: impl FnOnce(&Vector) -> Option<&Value>) -> bool {
        let found = match self.get(0) {
            Value::Vector(items) => element(items).map_or(Value::Nil, Value::copy),
            Value::Nil => Value::Nil,
            _ => return false,
        };
        self.put(found)
    }
}

/// How calls of a row are made without its function, for most arguments. Where more is needed, nothing has changed, and
/// the row's function is called.
#[derive(Copy, Clone)]
pub(crate) enum Quick {
    /// An instruction for two numbers.
    Arithmetic(Arithmetic),
    /// An instruction that compares two numbers.
    Compare(Relation),
    /// An instruction that asks whether two values are equal.
    Equal,
    /// An instruction that tests one value.
    Test(Test),
    /// An instruction that finds an element by its index; for other cases a function, as in [`Quick::Value`].
    Item(fn(&mut Arguments<'_>, &mut Context) -> bool),
    /// An instruction that finds the first element.
    First,
    /// An instruction that drops the first element.
    Rest,
    /// An instruction that returns what a pattern destructures.
    Pattern(Pattern),
    /// Puts the value into its register. False when the function has to be called.
    Value(fn(&mut Arguments<'_>, &mut Context) -> bool),
    /// A test. `None` when the function has to be called.
    Ask(fn(&Arguments<'_>, &mut Context) -> Option<bool>),
}

impl Quick {
    /// Whether there is a quick call for this many arguments.
    pub fn takes(&self, count: usize) -> bool {
        match self {
            Quick::Test(_) | Quick::First | Quick::Rest | Quick::Pattern(_) => count == 1,
            Quick::Arithmetic(_) | Quick::Compare(_) | Quick::Equal => count == 2,
            Quick::Ask(_) => (1..=2).contains(&count),
            Quick::Item(_) | Quick::Value(_) => (1..=MOST_ARGUMENTS).contains(&count),
        }
    }

    /// Put the value into its register, whichever kind of instruction it is. False when the function has to be called.
    pub fn call(&self, on: &mut Arguments<'_>, cx: &mut Context) -> bool {
        let value = match (self, on.get(0), on.get(1)) {
            (Quick::Item(quick) | Quick::Value(quick), ..) => return quick(on, cx),
            (Quick::Compare(relation), x, y) => relation.of(x, y).map(Value::Bool),
            (Quick::Equal, x, y) => equal(x, y).map(Value::Bool),
            (Quick::Test(test), a, _) => test.of(a).map(Value::Bool),
            (Quick::Ask(ask), ..) => ask(on, cx).map(Value::Bool),
            (Quick::Arithmetic(function), x, y) => function.of_values(x, y),
            (Quick::First, Value::Vector(items), _) => Some(items.get(0).map_or(Value::Nil, Value::copy)),
            (Quick::First, Value::Nil, _) => Some(Value::Nil),
            (Quick::Rest, ..) => return on.put_changed(0, Vector::drop_first_quickly),
            (Quick::Pattern(pattern), a, _) => return pattern.takes(a) && on.put_operand(0),
            _ => None,
        };
        value.is_some_and(|value| on.put(value))
    }

    /// Whether it jumps instead of computing a value.
    pub fn is_test(&self) -> bool {
        matches!(self, Quick::Compare(_) | Quick::Equal | Quick::Test(_) | Quick::Ask(_))
    }
}

pub(crate) const SECOND: Quick = Quick::Value(|o, _| o.put_element(|items| items.get(1)));
pub(crate) const LAST: Quick = Quick::Value(|o, _| o.put_element(Vector::last));
pub(crate) const POP: Quick = Quick::Value(|o, _| o.put_changed(0, Vector::drop_last_quickly));
pub(crate) const VEC: Quick = Quick::Value(|o, _| matches!(o.get(0), Value::Vector(_)) && o.put_operand(0));
pub(crate) const IDENTITY: Quick = Quick::Value(|o, _| !matches!(o.get(0), Value::LazySeq(_)) && o.put_operand(0));
pub(crate) const HAS: Quick =
    Quick::Ask(|o, cx| if matches!(o.get(0), Value::Map(_)) { contains(o, cx) } else { None });
pub(crate) const IS_ASSOCIATIVE: Quick =
    Quick::Ask(|o, _| matches!(o.get(0), Value::Map(_) | Value::Vector(_)).then_some(true));
pub(crate) const ARE_NOT_EQUAL: Quick =
    Quick::Ask(|o, _| (o.len() == 2).then(|| equal(o.get(0), o.get(1)))?.map(|equal| !equal));
pub(crate) const RESET: Quick = Quick::Value(|o, cx| store(o, CellKind::Atom, cx));
pub(crate) const RESET_VOLATILE: Quick = Quick::Value(|o, cx| store(o, CellKind::Volatile, cx));

pub(crate) fn next(o: &mut Arguments<'_>, _: &mut Context) -> bool {
    match o.get(0) {
        Value::Nil => o.put(Value::Nil),
        Value::Vector(items) if items.len() < 2 => o.put(Value::Nil),
        _ => o.put_changed(0, Vector::drop_first_quickly),
    }
}

pub(crate) fn seq(o: &mut Arguments<'_>, _: &mut Context) -> bool {
    match o.get(0) {
        Value::Nil => o.put(Value::Nil),
        Value::Vector(items) if items.is_empty() => o.put(Value::Nil),
        Value::Vector(_) => o.put_operand(0),
        _ => false,
    }
}

pub(crate) fn count(o: &mut Arguments<'_>, _: &mut Context) -> bool {
    let count = match o.get(0) {
        Value::Str(text) => Some(text.chars()),
        value => elements(value),
    };
    count.and_then(|count| i64::try_from(count).ok()).is_some_and(|count| o.put_int(count))
}

pub(crate) fn nth(o: &mut Arguments<'_>, _: &mut Context) -> bool {
    let Value::Int(at) = o.get(1) else { return false };
    let at = usize::try_from(*at).ok();
    let found = match o.get(0) {
        Value::Vector(items) => at.and_then(|at| items.get(at)).map(Value::copy),
        Value::Str(text) => at.and_then(|at| text.char_at(at)).map(Value::string),
        _ => return false,
    };
    o.put_found(found, 2)
}

pub(crate) fn nth_or_nil(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    match (o.get(0), o.get(1)) {
        (Value::Vector(_), Value::Int(0..)) => nth(o, cx),
        (Value::Nil, Value::Int(_)) => o.put(Value::Nil),
        _ => false,
    }
}

pub(crate) fn next_from(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    match (o.get(0), o.get(1)) {
        (Value::Nil, Value::Int(_)) => o.put(Value::Nil),
        (Value::Vector(items), Value::Int(from @ 0..)) if items.len() <= addressable(*from) => o.put(Value::Nil),
        (_, Value::Int(1)) => next(o, cx),
        _ => false,
    }
}

/// Whether a key is compared without looking inside.
fn is_plain_key(key: &Value) -> bool {
    matches!(key, Value::Str(_) | Value::Keyword(_) | Value::Int(_))
}

/// What a map has under a plain key. The outer `Option` says whether that is known immediately.
fn entry<'m>(map: &'m Map, key: &Value, cx: &mut Context) -> Option<Option<&'m Value>> {
    if !key.is_plain_key() || map.as_sorted().is_some() {
        return None;
    }
    map.lookup(key, &mut cx.meter).ok()
}

pub(crate) fn get(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let found = match (o.get(0), o.get(1)) {
        (Value::Map(map), key) => {
            let Some(found) = entry(map, key, cx) else { return false };
            found
        }
        (Value::Set(set), key) if key.is_plain_key() && set.as_map().as_sorted().is_none() => {
            let Ok(found) = set.get(key, &mut cx.meter) else { return false };
            found
        }
        (Value::Vector(items), Value::Int(at)) => usize::try_from(*at).ok().and_then(|at| items.get(at)),
        (Value::Nil, _) => None,
        _ => return false,
    };
    let found = found.map(Value::copy);
    o.put_found(found, 2)
}

pub(crate) fn contains(o: &Arguments<'_>, cx: &mut Context) -> Option<bool> {
    let map = match o.get(0) {
        Value::Set(set) => set.as_map(),
        Value::Map(map) => map,
        _ => return None,
    };
    entry(map, o.get(1), cx).map(|found| found.is_some())
}

pub(crate) fn conj(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let Some(Value::Vector(items)) = o.own(0) else { return false };
    if !items.has_capacity() || o.len() != 2 || !cx.meter.charge_quickly(1) {
        return false;
    }
    let mut item = o.take(1);
    o.put_changed(0, |items| items.push_quickly(&mut item))
}

/// The most elements that are added at once.
const FEW: usize = 8;

/// Add the elements of the second vector to the first, if that is at least as long and not shared.
pub(crate) fn append(o: &mut Arguments<'_>, cx: &mut Context, cost: fn(usize) -> usize) -> bool {
    let more = match (o.get(0), o.get(1)) {
        (Value::Vector(items), Value::Vector(more)) if o.len() == 2 && more.len() <= items.len().min(FEW) => {
            more.clone()
        }
        _ => return false,
    };
    let mark = cx.meter.mark();
    if o.own(0).is_none() || !cx.meter.charge_quickly(cost(more.len())) {
        return false;
    }
    let added = o.put_changed(0, |items| items.extend_quickly(&more));
    if !added {
        cx.meter.rewind(&mark);
    }
    added
}

pub(crate) fn assoc(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    // A shared collection is copied by the row's function.
    if o.len().is_multiple_of(2) || o.own(0).is_none() {
        return false;
    }
    if o.len() == 3 {
        return match place_of(o, 1, cx) {
            Some(place) => replace(o, 2, place) && o.put_operand(0),
            None => add(o, cx),
        };
    }
    let mut places = [0; (MOST_ARGUMENTS - 1) / 2];
    for (key, place) in (1..o.len()).step_by(2).zip(&mut places) {
        match place_of(o, key, cx) {
            Some(found) => *place = found,
            None => return false,
        }
    }
    // If the first one can be put, the others can be, too.
    let put = (2..o.len()).step_by(2).zip(places).all(|(value, place)| replace(o, value, place));
    put && o.put_operand(0)
}

/// Put the second operand exactly under the key in the first.
pub(crate) fn put_exact(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let (Value::Map(map), key) = (o.get(0), o.get(1)) else { return false };
    let mark = cx.meter.mark();
    if o.len() != 3 || map.as_sorted().is_some() || !is_plain_key(key) || !cx.meter.charge_quickly(1) {
        return false;
    }
    let put = match map.find(key, &mut cx.meter).ok().flatten().map(|(place, ..)| place) {
        Some(place) => o.own(0).is_some() && replace(o, 2, place) && o.put_operand(0),
        None => add(o, cx),
    };
    if !put {
        cx.meter.rewind(&mark);
    }
    put
}

/// Add an entry to a map that certainly does not have the key.
fn add(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let (Value::Map(map), key) = (o.get(0), o.get(1)) else { return false };
    if map.as_sorted().is_some() || !is_plain_key(key) || o.own(0).is_none() {
        return false;
    }
    let (mut key, mut value) = (o.take(1), o.take(2));
    if let Some(Value::Map(map)) = o.own(0)
        && map.add_quickly(&mut key, &mut value, &mut cx.meter)
    {
        return o.put_operand(0);
    }
    o.give_back(1, key);
    o.give_back(2, value);
    false
}

/// The index at which the collection has the entry with the key in operand `at`.
#[inline]
fn place_of(o: &Arguments<'_>, at: usize, cx: &mut Context) -> Option<usize> {
    match (o.get(0), o.get(at)) {
        (Value::Map(map), key) if is_plain_key(key) && map.as_sorted().is_none() => {
            map.slot(key, &mut cx.meter).ok().flatten().map(|(place, ..)| place)
        }
        (Value::Vector(_), Value::Int(at @ 0..)) if o.len() == 3 => Some(addressable(*at)),
        _ => None,
    }
}

/// Put the value in operand `at` into its place; otherwise leave it in its register.
#[inline]
fn replace(o: &mut Arguments<'_>, at: usize, place: usize) -> bool {
    let mut value = o.take(at);
    let put = match o.own(0) {
        Some(Value::Map(map)) => map.put_quickly(place, &mut value),
        Some(Value::Vector(items)) => {
            items.put_quickly(place, &mut value) || place == items.len() && items.push_quickly(&mut value)
        }
        _ => false,
    };
    if !put {
        o.give_back(at, value);
    }
    put
}

pub(crate) fn vector(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let bytes = crate::stdlib::call::VECTOR + o.len() * size_of::<Value>();
    if o.len() > 3 || !cx.meter.allocate_quickly(bytes) {
        return false;
    }
    // Bounded: three elements.
    let items = (0..o.len()).map(|at| o.take(at)).collect();
    o.put(Value::vector(items))
}

fn store(o: &mut Arguments<'_>, kind: CellKind, cx: &mut Context) -> bool {
    match *o.get(0) {
        Value::Cell(cell) if cell.kind == kind => {
            let value = o.take(1);
            cx.cells.store(cell.id, value.copy());
            o.put(value)
        }
        _ => false,
    }
}

/// Fuel of a change, in addition to that of the function.
const CHANGE: usize = 2;

/// Let a builtin change the content of a cell: an integer, or a vector, which is taken out of the cell in the meantime.
pub(crate) fn change(o: &mut Arguments<'_>, kind: CellKind, cx: &mut Context) -> bool {
    let (Value::Cell(cell), Value::Builtin(function)) = (o.get(0), o.get(1)) else { return false };
    let (cell, function, known) = (*cell, *function, known());
    if cell.kind != kind || !cx.compares_plainly() {
        return false;
    }
    match (cx.cells.content(cell.id), o.get(2), o.len()) {
        (Some(Value::Int(n)), _, 2) if function == known.inc || function == known.dec => {
            let changed = if function == known.inc { n.checked_add(1) } else { n.checked_sub(1) };
            let Some(n) = changed.filter(|_| cx.meter.charge_quickly(CHANGE)) else { return false };
            cx.cells.store(cell.id, Value::Int(n));
            o.put_int(n)
        }
        (Some(content @ (Value::Int(_) | Value::Float(_))), more, 3) => {
            let Some(Quick::Arithmetic(function)) = cx.language.builtins.entry(function).row.quick else {
                return false;
            };
            let changed = function.of_values(content, more);
            let Some(number) = changed.filter(|_| cx.meter.charge_quickly(CHANGE)) else { return false };
            cx.cells.store(cell.id, number.copy());
            o.put(number)
        }
        (Some(Value::Vector(_)), _, 3) if function == known.conj => {
            let mut content = cx.cells.take(cell.id);
            if let Value::Vector(items) = &mut content
                && items.has_capacity()
                && cx.meter.charge_quickly(CHANGE + 1)
            {
                items.push_quickly(&mut o.take(2));
                cx.cells.store(cell.id, content.copy());
                return o.put(content);
            }
            cx.cells.give_back(cell.id, content);
            false
        }
        _ => false,
    }
}

pub(crate) fn deref(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    match *o.get(0) {
        Value::Cell(cell) if cell.kind != CellKind::Delay => {
            cx.cells.content(cell.id).is_some_and(|content| o.put(content.copy()))
        }
        _ => false,
    }
}
