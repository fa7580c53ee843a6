//! User definitions of a session, by number.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use indexmap::IndexMap;

use crate::parse::program_text::Required;
use crate::value::{Closure, Name, Shape, Value};

/// The `user/` namespace: values and their metadata.
#[derive(Clone, Default)]
pub(crate) struct Globals {
    names: IndexMap<Name, u32, foldhash::fast::RandomState>,
    slots: Vec<Global>,
    /// What the functions bound here returned last.
    returns: Option<Box<Returns>>,
    /// What programs have required so far, if anything.
    required: Option<Arc<Required>>,
    order: u64,
}

/// One definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Global {
    pub value: Option<Value>,
    pub doc: Option<Arc<str>>,
    pub order: u64,
    pub track: u32,
}

/// What functions returned last.
#[derive(Clone, Default)]
struct Returns {
    /// By the number that closures carry, less one.
    records: Vec<Return>,
    /// Indexes of functions that are gone, and how many there are before such are looked for again.
    free: Vec<u32>,
    limit: usize,
}

/// What a function returned last.
#[derive(Clone, Default)]
struct Return {
    shape: Option<Shape>,
    function: Weak<Closure>,
}

/// The number of functions below which none is looked for that is gone.
const FEW: usize = 64;

impl Globals {
    /// Bytes of the tables, without the values.
    pub fn own_bytes(&self) -> usize {
        self.names.capacity() * (size_of::<(Name, u32)>() + 2 * size_of::<usize>())
            + self.slots.capacity() * size_of::<Global>()
            + self.returns.as_ref().map_or(0, |returns| returns.own_bytes())
    }

    /// The number of a name; a new name gets one.
    pub fn slot(&mut self, name: &Name) -> u32 {
        if let Some(slot) = self.names.get(name) {
            return *slot;
        }
        let slot = self.slots.len() as u32;
        self.names.insert(name.clone(), slot);
        self.slots.push(Global::default());
        slot
    }

    /// Go back to earlier definitions. Names keep their numbers: functions that were compiled since may still be in use.
    pub fn go_back(&mut self, earlier: &Globals) {
        self.slots.clone_from(&earlier.slots);
        self.slots.resize_with(self.names.len(), Global::default);
        if let Some(returns) = &mut self.returns {
            let count = returns.records.len();
            returns.records = earlier.returns.as_ref().map_or_else(Vec::new, |earlier| earlier.records.clone());
            returns.records.resize_with(count, Return::default);
        }
        self.required.clone_from(&earlier.required);
        self.order = earlier.order;
    }

    /// The values of all definitions, in no order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.slots.iter().filter_map(|global| global.value.as_ref())
    }

    /// What programs have required so far.
    pub fn required(&self) -> Required {
        self.required.as_deref().cloned().unwrap_or_default()
    }

    /// Note everything that programs have required so far.
    pub fn require(&mut self, required: &Required) {
        let is_known = match &self.required {
            None => *required == Required::default(),
            Some(known) => **known == *required,
        };
        if !is_known {
            self.required = Some(Arc::new(required.clone()));
        }
    }

    /// The number of a name, if it has one.
    pub fn number(&self, name: &Name) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// The definition of a name, if it is bound.
    pub fn named(&self, name: &Name) -> Option<&Global> {
        self.names.get(name).and_then(|slot| self.slots.get(*slot as usize)).filter(|global| global.value.is_some())
    }

    /// Whether a name is bound.
    pub fn is_defined(&self, name: &str) -> bool {
        // A name that is not interned is not bound either.
        !self.names.is_empty() && Name::known(name).is_some_and(|name| self.named(&name).is_some())
    }

    /// The value of a definition; `None` while it is unbound.
    #[inline]
    pub fn get(&self, slot: u32) -> Option<&Value> {
        self.slots.get(slot as usize).and_then(|global| global.value.as_ref())
    }

    /// The name of a number.
    pub fn name(&self, slot: u32) -> Option<&Name> {
        self.names.get_index(slot as usize).map(|(name, _)| name)
    }

    /// Bind a definition; a function gets a record for what it returns.
    pub fn define(&mut self, slot: u32, value: Value, doc: Option<Arc<str>>) {
        let track =
            if let Value::Function(closure) = &value { self.returns.get_or_insert_default().track(closure) } else { 0 };
        self.order += 1;
        let order = self.order;
        if let Some(global) = self.slots.get_mut(slot as usize) {
            *global = Global { value: Some(value), doc, order, track };
        }
    }

    /// Bind a definition of an earlier session with its metadata; `order` must leave numbers for more definitions.
    pub fn restore(&mut self, slot: u32, value: Value, doc: Option<Arc<str>>, returns: Option<Shape>, order: u64) {
        let latest = self.order;
        self.define(slot, value, doc);
        if let Some(global) = self.slots.get_mut(slot as usize) {
            global.order = order;
            if let Some(record) = self.returns.as_mut().and_then(|known| known.record_mut(global.track)) {
                record.shape = returns;
            }
        }
        self.order = latest.max(order);
    }

    /// Note what a tracked function returned. A sequence of which only a prefix is read says less than what is known.
    #[inline]
    pub fn returned(&mut self, track: u32, value: &Value, in_part: bool) {
        if let Some(record) = self.returns.as_mut().and_then(|known| known.record_mut(track))
            && (record.shape.is_none() || !in_part || !matches!(value, Value::LazySeq(_)))
        {
            record.shape = Some(Shape::of(value));
        }
    }

    /// The label of the value that the function bound to this definition returned last.
    pub fn return_label(&self, global: &Global) -> Option<String> {
        self.returns.as_ref()?.record(global.track)?.shape.map(Shape::label)
    }

    /// Bound definitions with their names, in order of definition.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Global)> {
        let mut bound: Vec<_> = self
            .names
            .iter()
            .filter_map(|(name, slot)| self.slots.get(*slot as usize).map(|global| (name, global)))
            .filter(|(_, global)| global.value.is_some())
            .collect();
        bound.sort_by_key(|(_, global)| global.order);
        bound.into_iter()
    }
}

impl Returns {
    fn own_bytes(&self) -> usize {
        size_of::<Returns>() + self.records.capacity() * size_of::<Return>() + self.free.capacity() * size_of::<u32>()
    }

    /// The record of a number; 0 has none.
    fn record(&self, track: u32) -> Option<&Return> {
        self.records.get((track as usize).checked_sub(1)?)
    }

    fn record_mut(&mut self, track: u32) -> Option<&mut Return> {
        self.records.get_mut((track as usize).checked_sub(1)?)
    }

    /// The number of a function.
    fn track(&mut self, closure: &Arc<Closure>) -> u32 {
        let known = closure.track.load(Ordering::Relaxed);
        let is_known = |record: &Return| std::ptr::eq(record.function.as_ptr(), Arc::as_ptr(closure));
        if self.record(known).is_some_and(is_known) {
            return known;
        }
        if self.free.is_empty() && self.records.len() >= self.limit.max(FEW) {
            self.look_for_free();
        }
        let record = Return { shape: None, function: Arc::downgrade(closure) };
        let index = self.free.pop().unwrap_or(self.records.len() as u32);
        match self.records.get_mut(index as usize) {
            Some(place) => *place = record,
            None => self.records.push(record),
        }
        closure.track.store(index + 1, Ordering::Relaxed);
        index + 1
    }

    /// Find the indexes of functions that are gone.
    fn look_for_free(&mut self) {
        let indexed = (0..).zip(&self.records);
        self.free = indexed.filter(|(_, record)| record.function.strong_count() == 0).map(|(at, _)| at).collect();
        self.limit = 2 * (self.records.len() - self.free.len());
    }
}
