//! Elements side by side: the form of every vector that is short or has one holder.

use std::sync::OnceLock;

use crate::error::Res;
use crate::meter::Meter;
use crate::value::Value;
use crate::value::trie::Trie;

/// Elements side by side.
#[derive(Default)]
pub(super) struct Flat {
    /// Free places (nil) first, then the elements.
    pub items: Vec<Value>,
    /// How many places at the front are free.
    pub start: usize,
    /// The same elements as a trie, made by the first write while the vector was shared: further writes to the same
    /// vector begin there, so that a thousand versions of it cost one conversion.
    pub twin: OnceLock<Box<Trie<Value>>>,
}

impl Flat {
    pub fn live(&self) -> &[Value] {
        self.items.get(self.start..).unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.items.len() - self.start
    }

    /// Close the gap at the front. O(n).
    pub fn close_gap(&mut self) {
        if self.start > 0 {
            self.items.drain(..self.start);
            self.start = 0;
        }
    }

    pub fn push(&mut self, value: Value) {
        // A queue (`conj` at the end, `rest` at the front) must not grow for ever.
        if self.items.len() == self.items.capacity() && self.start > self.items.len() / 2 {
            self.close_gap();
        }
        self.items.push(value);
    }

    pub fn push_front(&mut self, value: Value) {
        if self.start == 0 {
            let room = self.items.len() + 1;
            let mut items = Vec::with_capacity(2 * room);
            items.resize(room, Value::Nil);
            items.append(&mut self.items);
            self.items = items;
            self.start = room;
        }
        self.start -= 1;
        if let Some(place) = self.items.get_mut(self.start) {
            *place = value;
        }
    }

    pub fn keep(&mut self, from: usize, to: usize) {
        self.items.truncate(self.start + to);
        for place in self.items.iter_mut().skip(self.start).take(from) {
            *place = Value::Nil;
        }
        self.start += from;
    }

    /// A copy with `room` free places at the front.
    pub fn copy(&self, room: usize, meter: &mut Meter) -> Res<Flat> {
        let length = self.len();
        charge_copy(room + length, meter)?;
        // Room for one more: most copies are made to grow.
        let mut items = Vec::with_capacity(room + length + 1);
        items.resize(room, Value::Nil);
        items.extend_from_slice(self.live());
        Ok(Flat { items, start: room, twin: OnceLock::new() })
    }

    /// The elements as a trie, made once.
    pub fn twin(&self, meter: &mut Meter) -> Res<&Trie<Value>> {
        if self.twin.get().is_none() {
            meter.charge(self.len() / 8)?;
            meter.allocate(Trie::<Value>::bytes_of(self.len()))?;
        }
        Ok(self.twin.get_or_init(|| Box::new(Trie::of(self.live().iter().cloned()))))
    }
}

/// Charge the copy of `length` elements.
pub(super) fn charge_copy(length: usize, meter: &mut Meter) -> Res<()> {
    meter.charge(length / 8)?;
    Ok(meter.allocate(length.saturating_mul(size_of::<Value>()))?)
}
