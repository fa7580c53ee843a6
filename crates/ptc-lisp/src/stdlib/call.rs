//! One call of a builtin: its arguments and what it may use.

use crate::error::{Res, Signal, type_error};
use crate::eval::cells::SLOT;
use crate::eval::context::Context;
use crate::eval::realise::holds_values;
use crate::meter::Meter;
use crate::pace::gathered;
use crate::stdlib::usage;
use crate::value::{GeneratorRef, Map, Text, Value, Vector, room, shown};

/// Bytes of a vector beside its elements.
pub(crate) const VECTOR: usize = 96;

/// Bytes of a string beside its text.
pub(crate) const TEXT: usize = 80;

/// Bytes of a vector of two elements, and of its place in a vector.
pub(crate) const PAIR: usize = VECTOR + 3 * size_of::<Value>();

/// The arguments of a builtin call (their number already fits the row) and the run around it.
///
/// Check and read first; take an argument out (`take`) only when nothing can fail any more that would need it.
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

    /// Argument `index`; nil when it was not given.
    pub fn arg(&self, index: usize) -> &Value {
        const NIL: &Value = &Value::Nil;
        self.args.get(index).unwrap_or(NIL)
    }

    /// Move argument `index` out, so that it may be updated in place.
    pub fn take(&mut self, index: usize) -> Value {
        self.args.get_mut(index).map(std::mem::take).unwrap_or_default()
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

    /// Announce a cell; the old table of cells stands beside the new one for a moment when it grows.
    pub fn allocate_cell(&mut self) -> Res<()> {
        let growth = self.cx.cells.growth();
        self.cx.meter.allocate_briefly(growth)?;
        self.allocate(SLOT)
    }

    /// A new vector; charges its memory. For few elements: many are charged before they are made.
    pub fn vector(&mut self, items: Vec<Value>) -> Res {
        self.allocate(VECTOR + items.capacity() * size_of::<Value>())?;
        Ok(Value::vector(items))
    }

    /// Add an element to a vector in the making; charges the growth.
    pub fn push(&mut self, items: &mut Vec<Value>, item: Value) -> Res<()> {
        self.tick()?;
        room(items, 1, self.meter())?;
        items.push(item);
        Ok(())
    }

    /// One element of many that are paid for already: looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Res<()> {
        Ok(self.cx.meter.tick()?)
    }

    /// These elements in a vector of their own; charges their memory, of as many as the iterator promises.
    pub fn gathered(&mut self, items: impl Iterator<Item = Value>) -> Res<Vec<Value>> {
        self.allocate(items.size_hint().0.saturating_mul(size_of::<Value>()))?;
        gathered(items, self.meter())
    }

    /// The elements of `items`: moved out when nobody else holds them, else copied.
    pub fn owned(&mut self, mut items: Vector) -> Res<Vec<Value>> {
        if items.is_unique() && items.side_by_side().is_some() {
            Ok(items.into_vec())
        } else {
            self.gathered(items.iter().cloned())
        }
    }

    /// A vector whose elements are charged already.
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
                let usage = usage::reordered(name, self.args);
                let remark = match got {
                    Value::Regex(_) if usage.is_empty() => "; patterns are for re-find, replace and split",
                    _ => "",
                };
                format!("{name}: expected {what}, got {}{usage}{remark}", got.kind())
            }
        })
    }

    /// Argument `index` as an integer that fits 64 bits.
    pub fn int(&self, index: usize) -> Res<i64> {
        match self.arg(index) {
            Value::Int(n) => Ok(*n),
            other => Err(self.wrong("an integer", other)),
        }
    }

    /// Argument `index` as a string.
    pub fn text(&self, index: usize) -> Res<Text> {
        match self.arg(index) {
            Value::Str(text) => Ok(text.clone()),
            other => Err(self.wrong("a string", other)),
        }
    }

    /// Argument `index` as a map; nil is the empty map.
    pub fn map(&self, index: usize) -> Res<Map> {
        match self.arg(index) {
            Value::Map(map) => Ok(map.clone()),
            Value::Nil => Ok(Map::new()),
            other => Err(self.wrong("a map", other)),
        }
    }

    /// A copy of what is realised of a generator.
    pub fn realised(&mut self, view: GeneratorRef) -> Res<Vector> {
        let count = self.cx.cells.realised(view).len();
        self.charge(count / 8)?;
        self.allocate(VECTOR + size_of_val(self.cx.cells.realised(view)))?;
        Ok(Vector::from(self.cx.cells.realised(view).to_vec()))
    }

    /// Realise argument `index` with all that is in it, because it is compared or becomes a key.
    ///
    /// Comes before anything is taken out: the call runs again when something must be realised first.
    pub fn settle(&mut self, index: usize) -> Res<()> {
        match self.args.get_mut(index) {
            // Members of sets are realised already.
            None | Some(Value::Set(_)) => Ok(()),
            Some(arg) => self.cx.settle(arg),
        }
    }

    /// As [`Call::settle`], for every argument from `first` on.
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

    /// As [`Call::settle_entry`], for every element of the vector in argument `index`.
    pub fn settle_entries(&mut self, index: usize) -> Res<()> {
        let Some(Value::Vector(entries)) = self.args.get_mut(index) else { return Ok(()) };
        if !self.cx.cells.has_generators() || !entries.iter().any(may_hold_generators) {
            return Ok(());
        }
        self.cx.meter.charge(entries.len())?;
        self.cx.meter.allocate(entries.len() * 16)?;
        let mut settled: Vec<Value> = entries.iter().cloned().collect();
        settled.iter_mut().try_for_each(|entry| settle_entry(entry, self.cx))?;
        *entries = Vector::from(settled);
        Ok(())
    }

    /// Refuse a keyword where a path belongs.
    pub fn check_path(&self, index: usize) -> Res<()> {
        match self.arg(index) {
            Value::Keyword(key) => {
                let text =
                    format!("{0}: expected a path such as [:{1}], got the keyword :{1}", self.name, key.as_str());
                Err(type_error(text))
            }
            _ => Ok(()),
        }
    }

    /// Argument `index` as a sequence of elements: nil, vector, string (characters), map (`[key value]`), set.
    ///
    /// A vector is shared, not copied; the others are built, one unit of fuel per element.
    pub fn seq(&mut self, index: usize) -> Res<Vector> {
        let value = self.arg(index).clone();
        match elements(&value, &mut self.cx.meter)? {
            Some(items) => Ok(items),
            None => Err(self.wrong("a collection", &value)),
        }
    }
}

/// Whether `entry` is a generator, or a pair whose key may hold one.
fn may_hold_generators(entry: &Value) -> bool {
    match entry {
        Value::Generator(_) => true,
        Value::Vector(pair) => pair.len() == 2 && pair.get(0).is_some_and(holds_values),
        _ => false,
    }
}

fn settle_entry(entry: &mut Value, cx: &mut Context) -> Res<()> {
    if !cx.cells.has_generators() || !may_hold_generators(entry) {
        return Ok(());
    }
    if let Value::Generator(view) = *entry {
        if !cx.cells.is_finished(view) {
            return Err(Box::new(Signal::Need { cell: view.cell, count: usize::MAX }));
        }
        cx.meter.allocate(VECTOR + cx.cells.realised(view).len() * 16)?;
        let items = cx.cells.realised(view).to_vec();
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

/// The elements of any seqable value as a vector; `None` for what has no elements. A generator has none here:
/// it is realised before the call.
pub(crate) fn elements(value: &Value, meter: &mut Meter) -> Res<Option<Vector>> {
    Ok(Some(match value {
        Value::Nil => Vector::new(),
        Value::Vector(items) => items.clone(),
        Value::Str(text) => {
            meter.charge(text.chars())?;
            meter.allocate(VECTOR + text.chars() * (TEXT + size_of::<Value>() + 4))?;
            let mut chars = Vec::with_capacity(text.chars());
            for c in text.as_str().chars() {
                meter.tick()?;
                chars.push(Value::string(c));
            }
            Vector::from(chars)
        }
        Value::Map(map) => {
            meter.charge(map.len())?;
            meter.allocate(VECTOR + map.len() * PAIR)?;
            Vector::from(gathered(map.iter().map(|(key, item)| Value::vector(vec![key.clone(), item.clone()])), meter)?)
        }
        Value::Set(set) => {
            meter.charge(set.len())?;
            meter.allocate(VECTOR + set.len() * 16)?;
            Vector::from(gathered(set.iter().cloned(), meter)?)
        }
        _ => return Ok(None),
    }))
}
