//! Contiguous elements: the form of every vector that is short or has one holder.
//!
//! Bounded: the operations here announce what they add before they add it.

use std::sync::OnceLock;

use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::limits::pace::Paced;
use crate::value::grow::reserve;
use crate::value::made_once;
use crate::value::trie::{Slot, Trie};

/// Bytes of a vector without its elements.
const HEADER: usize = 80;

/// Contiguous elements.
#[derive(Default)]
pub(super) struct Flat<T> {
    /// Free places (nil) first, then the elements.
    pub items: Vec<T>,
    /// How many places at the front are free.
    pub start: usize,
    /// The same elements as a trie, created by the first write while the vector was shared. Further writes to the same
    /// vector start there, so a thousand versions of it cost one conversion.
    pub twin: OnceLock<Box<Trie<T>>>,
}

impl<T: Slot> Flat<T> {
    pub fn live(&self) -> &[T] {
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

    #[inline]
    pub fn push(&mut self, value: T, meter: &mut Meter) -> Fallible<()> {
        if self.items.len() == self.items.capacity() {
            self.reserve(1, meter)?;
        }
        self.items.push(value);
        Ok(())
    }

    /// Reserve capacity for `more` elements after the last one.
    #[cold]
    pub fn reserve(&mut self, more: usize, meter: &mut Meter) -> Fallible<()> {
        // A queue (`conj` at the end, `rest` at the front) must not grow forever.
        if self.start > self.items.len() / 2 {
            self.close_gap();
        }
        if self.items.capacity() == 0 {
            meter.allocate(HEADER)?;
        }
        reserve(&mut self.items, more, meter)
    }

    pub fn push_front(&mut self, value: T, meter: &mut Meter) -> Fallible<()> {
        if self.start == 0 {
            let length = self.items.len();
            // Large vectors hold little more than they use.
            let spare = if length < 1 << 16 { length + 1 } else { length / 8 };
            // Old and new elements exist side by side for a moment.
            meter.allocate((length + spare).saturating_mul(size_of::<T>()))?;
            let mut items = Vec::with_capacity(length + spare);
            items.resize_with(spare, T::default);
            items.append(&mut self.items);
            self.items = items;
            self.start = spare;
        }
        self.start -= 1;
        if let Some(place) = self.items.get_mut(self.start) {
            *place = value;
        }
        Ok(())
    }

    pub fn keep(&mut self, from: usize, to: usize) {
        self.items.truncate(self.start + to);
        for place in self.items.iter_mut().skip(self.start).take(from) {
            *place = T::default();
        }
        self.start += from;
    }

    /// A copy of these elements with `spare` free places at the front.
    pub fn copy_of(elements: &[T], spare: usize, meter: &mut Meter) -> Fallible<Flat<T>> {
        charge_copy::<T>(spare + elements.len(), meter)?;
        // Capacity for one more: most copies are made to grow.
        let mut items = Vec::with_capacity(spare + elements.len() + 1);
        items.resize_with(spare, T::default);
        items.extend_from_slice(elements);
        Ok(Flat { items, start: spare, twin: OnceLock::new() })
    }

    /// The elements as a trie, created once.
    pub fn twin(&self, meter: &mut Meter) -> Fallible<&Trie<T>> {
        let twin = made_once(&self.twin, || {
            meter.charge(self.len() / 8)?;
            meter.allocate(Trie::<T>::bytes_of(self.len()))?;
            let mut paced = Paced::new(self.live().iter().cloned(), meter);
            let twin = Box::new(Trie::of(paced.by_ref()));
            paced.finish().map(|()| twin)
        });
        Ok(twin?)
    }
}

/// Charge the copy of `length` elements.
pub(super) fn charge_copy<T>(length: usize, meter: &mut Meter) -> Fallible<()> {
    meter.charge(length / 8)?;
    meter.allocate(length.saturating_mul(size_of::<T>()))
}
