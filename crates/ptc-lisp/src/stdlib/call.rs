//! One call of a builtin: its arguments and what it may use.

use std::convert::Infallible;
use std::fmt::Display;

use super::show::quoted;
use crate::error::advice::argument_order;
use crate::error::{Reason, Res, Signal, argument_error, err, type_error};
use crate::eval::cells::SLOT;
use crate::eval::context::Context;
use crate::eval::realise::holds_values;
use crate::limits::meter::Meter;
use crate::value::{LazySeq, Map, Name, Text, Value, Vector, gathered, push, shown};

pub(crate) use crate::value::{PAIR, TEXT, VECTOR};

/// The arguments of a builtin call (their number already fits the row) and the state of the run.
///
/// Check and read first; take an argument out (`take`) only when nothing that needs it can fail any more.
pub(crate) struct Call<'a> {
    /// The name to show in messages.
    pub name: &'static str,
    pub args: &'a mut [Value],
    pub cx: &'a mut Context,
}

impl Call<'_> {
    /// Number of arguments.
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// The same call, of a function with this name in messages.
    pub fn named(&mut self, name: &'static str) -> &mut Self {
        self.name = name;
        self
    }

    /// Refuse arguments from `first` on that are not alternating keys and values.
    pub fn check_pairs(&self, first: usize) -> Res<()> {
        let text = || format!("{}: expected key value pairs, the last key has no value", self.name);
        if (self.len() - first).is_multiple_of(2) { Ok(()) } else { Err(err(Reason::ArityError, text())) }
    }

    /// Argument `index`; nil when it was not given.
    pub fn arg(&self, index: usize) -> &Value {
        const NIL: &Value = &Value::Nil;
        self.args.get(index).unwrap_or(NIL)
    }

    /// Move argument `index` out, so it may be updated in place.
    pub fn take(&mut self, index: usize) -> Value {
        self.args.get_mut(index).map(std::mem::take).unwrap_or_default()
    }

    /// Replace argument `index` with a value.
    pub fn set(&mut self, index: usize, value: Value) {
        if let Some(place) = self.args.get_mut(index) {
            *place = value;
        }
    }

    /// The meter of the run.
    pub fn meter(&mut self) -> &mut Meter {
        &mut self.cx.meter
    }

    /// Use fuel: one unit per element handled.
    pub fn charge(&mut self, units: usize) -> Res<()> {
        Ok(self.cx.meter.charge(units)?)
    }

    /// Announce bytes before allocating them.
    pub fn allocate(&mut self, bytes: usize) -> Res<()> {
        Ok(self.cx.meter.allocate(bytes)?)
    }

    /// Announce a cell; the old table of cells exists next to the new one for a moment when it grows.
    pub fn allocate_cell(&mut self) -> Res<()> {
        let growth = self.cx.cells.growth();
        self.cx.meter.allocate_briefly(growth)?;
        self.allocate(SLOT)
    }

    /// A new vector; charges its memory. For few elements: many are charged before they are created.
    pub fn vector(&mut self, items: Vec<Value>) -> Res {
        self.allocate(VECTOR + items.capacity() * size_of::<Value>())?;
        Ok(Value::vector(items))
    }

    /// Add an element to a vector under construction; charges the growth.
    pub fn push(&mut self, items: &mut Vec<Value>, item: Value) -> Res<()> {
        self.tick()?;
        Ok(push(items, item, self.meter())?)
    }

    /// Count one of many elements that are already paid for: looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Res<()> {
        Ok(self.cx.meter.tick()?)
    }

    /// These elements in a new vector; charges its memory.
    pub fn gathered(&mut self, items: impl Iterator<Item = Value>) -> Res<Vec<Value>> {
        Ok(gathered(items, self.meter())?)
    }

    /// The arguments from `first` on, moved out; charges the memory of their vector.
    pub fn taken(&mut self, first: usize) -> Res<Vec<Value>> {
        let Call { args, cx, .. } = self;
        Ok(gathered(args.iter_mut().skip(first).map(std::mem::take), &mut cx.meter)?)
    }

    /// The elements of `items`: moved out when they are not shared, else copied.
    pub fn owned(&mut self, items: Vector) -> Res<Vec<Value>> {
        if items.is_unique() && items.side_by_side().is_some() {
            Ok(items.into_vec())
        } else {
            self.gathered(items.iter().cloned())
        }
    }

    /// A vector whose elements are already charged.
    pub fn paid_vector(&mut self, items: Vec<Value>) -> Res {
        self.allocate(VECTOR)?;
        Ok(Value::vector(items))
    }

    /// A new string; charges its memory.
    pub fn string(&mut self, text: String) -> Res {
        self.allocate(64 + text.len())?;
        Ok(Value::string(text))
    }

    /// `name: expected WHAT, got KIND`, as `type_error`.
    pub fn wrong(&self, what: &str, got: &Value) -> Box<Signal> {
        let name = self.name;
        type_error(match got {
            Value::Float(_) if what.contains("integer") => {
                format!(
                    "{name}: expected {what}, got the float {}; (int x), (round x) or quot gives an integer",
                    shown(got)
                )
            }
            Value::Big(_) if what.contains("integer") => {
                format!("{name}: expected {what}, got {}, which is beyond 64 bits", shown(got))
            }
            _ => {
                let usage = argument_order::reordered(self.cx.language.builtins, name, self.args);
                let remark = match got {
                    Value::Regex(_) if usage.is_empty() => "; patterns are for re-find, replace and split",
                    _ => "",
                };
                format!("{name}: expected {what}, got {}{usage}{remark}", got.kind())
            }
        })
        .about_value(got)
    }

    /// `name: text`, as `argument_error`.
    pub fn invalid(&self, text: impl Display) -> Box<Signal> {
        argument_error(format!("{}: {text}", self.name))
    }

    /// `name: text`, as `type_error`.
    pub fn mismatch(&self, text: impl Display) -> Box<Signal> {
        type_error(format!("{}: {text}", self.name))
    }

    /// The result of `read` for argument `index`, else the error that `what` was expected.
    pub fn want<'c, T>(&'c self, index: usize, what: &str, read: impl FnOnce(&'c Value) -> Option<T>) -> Res<T> {
        let value = self.arg(index);
        read(value).ok_or_else(|| self.wrong(what, value))
    }

    /// The result of `read` for the string in argument 0, else the error that it is not `what`.
    pub fn parsed<T>(&self, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Res<T> {
        let text = self.text(0)?;
        read(&text).ok_or_else(|| self.invalid(format_args!("not {what}: {}", quoted(&text))))
    }

    /// Argument `index` as an integer that fits 64 bits.
    pub fn int(&self, index: usize) -> Res<i64> {
        self.want(index, "an integer", |value| if let Value::Int(n) = value { Some(*n) } else { None })
    }

    /// Argument `index` as a string.
    pub fn text(&self, index: usize) -> Res<Text> {
        self.text_of(index, "a string")
    }

    /// Like [`Call::text`]; errors say that `what` was expected.
    pub fn text_of(&self, index: usize, what: &str) -> Res<Text> {
        self.want(index, what, |value| if let Value::Str(text) = value { Some(text.clone()) } else { None })
    }

    /// Argument `index` as a map; nil is the empty map.
    pub fn map(&self, index: usize) -> Res<Map> {
        match self.arg(index) {
            Value::Map(map) => Ok(map.clone()),
            Value::Nil => Ok(Map::new()),
            other => Err(self.wrong("a map", other)),
        }
    }

    /// A copy of the realised part of a generator.
    pub fn realised(&mut self, view: LazySeq) -> Res<Vector> {
        let count = self.cx.cells.realised(view).len();
        self.charge(count / 8)?;
        self.allocate(VECTOR)?;
        Ok(Vector::from(self.cx.with_cells(|cells, meter| gathered(cells.realised(view).iter().cloned(), meter))?))
    }

    /// Realise argument `index` and everything in it, because it is compared or becomes a key.
    ///
    /// Must come before anything is taken out: the call runs again when something must be realised first.
    pub fn settle(&mut self, index: usize) -> Res<()> {
        match self.args.get_mut(index) {
            // Members of sets are already realised.
            None | Some(Value::Set(_)) => Ok(()),
            Some(arg) => self.cx.settle(arg),
        }
    }

    /// Argument `index`, settled, as a sequence of elements.
    pub fn settled(&mut self, index: usize) -> Res<Vector> {
        self.settle(index)?;
        self.seq(index)
    }

    /// Like [`Call::settle`], for every argument from `first` on.
    pub fn settle_from(&mut self, first: usize) -> Res<()> {
        (first..self.len()).try_for_each(|index| self.settle(index))
    }

    /// Realise the `[key value]` pair in argument `index` and the key in it; anything else stays.
    pub fn settle_entry(&mut self, index: usize) -> Res<()> {
        match self.args.get_mut(index) {
            Some(entry) => settle_entry(entry, self.cx),
            None => Ok(()),
        }
    }

    /// Like [`Call::settle_entry`], for every element of the vector in argument `index`.
    pub fn settle_entries(&mut self, index: usize) -> Res<()> {
        let Some(Value::Vector(entries)) = self.args.get_mut(index) else { return Ok(()) };
        if !self.cx.cells.has_generators() || !entries.iter().any(may_hold_generators) {
            return Ok(());
        }
        self.cx.meter.charge(entries.len())?;
        let mut settled = gathered(entries.iter().cloned(), &mut self.cx.meter)?;
        settled.iter_mut().try_for_each(|entry| settle_entry(entry, self.cx))?;
        *entries = Vector::from(settled);
        Ok(())
    }

    /// Refuse a keyword where a path is expected.
    pub fn check_path(&self, index: usize) -> Res<()> {
        match self.arg(index) {
            Value::Keyword(key) => {
                Err(self.mismatch(format_args!("expected a path such as [:{key}], got the keyword :{key}")))
            }
            _ => Ok(()),
        }
    }

    /// Argument `index` as a sequence of elements: nil, vector, string (characters), map (`[key value]`), set.
    ///
    /// A vector is shared, not copied; the others are built, one unit of fuel per element.
    pub fn seq(&mut self, index: usize) -> Res<Vector> {
        let value = self.arg(index).clone();
        match value.elements(&mut self.cx.meter)? {
            Some(items) => Ok(items),
            None => Err(self.wrong("a collection", &value)),
        }
    }
}

/// Whether `entry` is a generator, or a pair whose key may hold one.
fn may_hold_generators(entry: &Value) -> bool {
    match entry {
        Value::LazySeq(_) => true,
        Value::Vector(pair) => pair.len() == 2 && pair.get(0).is_some_and(holds_values),
        _ => false,
    }
}

fn settle_entry(entry: &mut Value, cx: &mut Context) -> Res<()> {
    if !cx.cells.has_generators() || !may_hold_generators(entry) {
        return Ok(());
    }
    if let Value::LazySeq(view) = *entry {
        if !cx.cells.is_finished(view) {
            return Err(Box::new(Signal::Need { cell: view.cell, count: usize::MAX }));
        }
        cx.meter.allocate(VECTOR)?;
        let items = cx.with_cells(|cells, meter| gathered(cells.realised(view).iter().cloned(), meter))?;
        *entry = Value::vector(items);
    }
    let pair = match entry {
        Value::Vector(items) => items.pair().map(|(key, value)| (key.clone(), value.clone())),
        _ => None,
    };
    if let Some((mut key, value)) = pair {
        cx.settle(&mut key)?;
        *entry = Value::vector(vec![key, value]);
    }
    Ok(())
}

/// What a builtin decides after looking at its arguments; only those above the standard library have frames.
pub(crate) enum Begin<F = Infallible> {
    /// Step this frame; it calls `f`.
    Frame(F, Value),
    /// The result is already known.
    Value(Value),
    /// Call this prelude function with the same arguments.
    Delegate(&'static str),
    /// The value that this name is defined as.
    Var(Name),
    /// Call `f` with these arguments instead.
    Invoke(Value, Vec<Value>),
}

impl Begin {
    /// The same, among those that may start frames.
    pub fn within<F>(self) -> Begin<F> {
        match self {
            Begin::Frame(never, _) => match never {},
            Begin::Value(value) => Begin::Value(value),
            Begin::Delegate(name) => Begin::Delegate(name),
            Begin::Var(name) => Begin::Var(name),
            Begin::Invoke(f, args) => Begin::Invoke(f, args),
        }
    }
}

/// The whole collection in argument `index`; requests an unrealised generator.
pub(crate) fn whole(call: &mut Call<'_>, index: usize) -> Res<Vector> {
    if let Value::LazySeq(view) = call.arg(index) {
        let view = *view;
        if !call.cx.cells.is_finished(view) {
            return Err(Box::new(Signal::Need { cell: view.cell, count: usize::MAX }));
        }
        return call.realised(view);
    }
    call.seq(index)
}

/// Cut endless sequences that call nothing, where the other arguments from `from` on are realised collections, to the
/// length of the shortest collection. The arguments stay unchanged when anything else is among them.
pub(crate) fn cut_endless(call: &mut Call<'_>, from: usize) -> Res<()> {
    if !call.cx.cells.has_generators() {
        return Ok(());
    }
    let (mut shortest, mut endless) = (None, 0);
    for at in from..call.len() {
        let size = match call.arg(at) {
            Value::LazySeq(view) if call.cx.cells.is_direct(*view) => {
                endless += 1;
                continue;
            }
            Value::LazySeq(view) if !call.cx.cells.is_finished(*view) => return Ok(()),
            Value::LazySeq(view) => call.cx.cells.realised(*view).len(),
            other => match other.size() {
                Some(size) => size,
                None => return Ok(()),
            },
        };
        shortest = Some(shortest.map_or(size, |least: usize| least.min(size)));
    }
    let (Some(count), 1..) = (shortest, endless) else { return Ok(()) };
    for at in from..call.len() {
        if let Value::LazySeq(view) = *call.arg(at)
            && let Some(steps) = call.cx.cells.direct(view)
        {
            call.charge(count / 4)?;
            let items = call.gathered(steps.take(count))?;
            let items = call.paid_vector(items)?;
            call.set(at, items);
        }
    }
    Ok(())
}

/// Whether argument `index` is a generator with something left to run.
pub(crate) fn is_lazy(call: &Call<'_>, index: usize) -> bool {
    matches!(call.arg(index), Value::LazySeq(view) if !call.cx.cells.is_finished(*view))
}

pub(super) fn many_maps_expected(name: &str, read: &str) -> Box<Signal> {
    type_error(format!("{name}: field access over a collection expects many maps, got one map; use {read}"))
}

/// Refuse a keyword, string or path over a single map, which is a mistake: it needs many maps.
pub(crate) fn check_field_over_one_map(call: &Call<'_>, f: &Value, collection: usize, field: bool) -> Res<()> {
    let accesses = matches!(f, Value::Keyword(_)) || (field && matches!(f, Value::Str(_) | Value::Vector(_)));
    if accesses && matches!(call.arg(collection), Value::Map(map) if !map.is_empty()) {
        let read = if let Value::Keyword(name) = f { format!("(:{name} m)") } else { "(field m)".to_owned() };
        return Err(many_maps_expected(call.name, &read));
    }
    Ok(())
}
