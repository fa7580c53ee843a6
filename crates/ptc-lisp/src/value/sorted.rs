//! Entries in the order of a comparator: the table of sorted maps and sets.
//!
//! Bounded: the operations here announce what they add before they add it.

mod comparator;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::sync::Arc;

use super::Value;
use super::grow::reserve;
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::release::{Batch, Contents, SOME};

pub(crate) use comparator::{Comparators, Lent, Order};

/// The most entries of one chunk: a change moves or copies no more than these.
const CHUNK: usize = 128;

type Pairs = Vec<(Value, Value)>;

/// Entries in order: O(log n) comparisons to find, add or remove one; a copy shares all chunks except the changed ones.
///
/// A comparator that contradicts itself can hide entries or repeat keys, nothing worse.
#[derive(Clone)]
pub(crate) struct Sorted {
    order: Order,
    /// Never empty inside, at most `CHUNK` entries each.
    chunks: Vec<Arc<Pairs>>,
    len: usize,
}

/// The place of a key, or where it would go.
struct Place {
    chunk: usize,
    at: usize,
    found: bool,
}

impl Sorted {
    /// No entries in this order.
    pub fn new(order: Order) -> Sorted {
        Sorted { order, chunks: Vec::new(), len: 0 }
    }

    pub fn order(&self) -> &Order {
        &self.order
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The entries in order.
    pub fn iter(&self) -> SortedEntries<'_> {
        SortedEntries { chunks: self.chunks.iter(), pairs: [].iter(), left: self.len }
    }

    /// The entries from number `start` on.
    pub fn iter_from(&self, start: usize) -> SortedEntries<'_> {
        let (chunk, at) = self.locate(start);
        SortedEntries {
            chunks: self.chunks.get(chunk + 1..).unwrap_or_default().iter(),
            pairs: self.chunks.get(chunk).and_then(|pairs| pairs.get(at..)).unwrap_or_default().iter(),
            left: self.len.saturating_sub(start),
        }
    }

    /// The chunks, which several maps may share.
    pub fn chunks(&self) -> &[Arc<Pairs>] {
        &self.chunks
    }

    /// Entry number `index` in order. O(n / 32).
    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        let (chunk, at) = self.locate(index);
        self.pair(chunk, at)
    }

    fn pair(&self, chunk: usize, at: usize) -> Option<(&Value, &Value)> {
        self.chunks.get(chunk)?.get(at).map(|(key, value)| (key, value))
    }

    /// Chunk and place of entry number `index`; after the last chunk when there is none.
    fn locate(&self, index: usize) -> (usize, usize) {
        let mut left = index;
        for (number, chunk) in self.chunks.iter().enumerate() {
            if left < chunk.len() {
                return (number, left);
            }
            left -= chunk.len();
        }
        (self.chunks.len(), left)
    }

    fn index_of(&self, place: &Place) -> usize {
        self.chunks.iter().take(place.chunk).map(|chunk| chunk.len()).sum::<usize>() + place.at
    }

    /// Binary search; `side` returns the order of the wanted key relative to its argument.
    fn search(&self, mut side: impl FnMut(&Value) -> Res<Ordering>) -> Res<Place> {
        let (mut low, mut high) = (0, self.chunks.len());
        while low < high {
            let chunk = low + (high - low) / 2;
            let Some((first, _)) = self.pair(chunk, 0) else { break };
            match side(first)? {
                Ordering::Equal => return Ok(Place { chunk, at: 0, found: true }),
                Ordering::Less => high = chunk,
                Ordering::Greater => low = chunk + 1,
            }
        }
        // In the previous chunk, after its first key; before everything when there is none.
        let Some(chunk) = low.checked_sub(1) else { return Ok(Place { chunk: 0, at: 0, found: false }) };
        let (mut low, mut high) = (1, self.chunks.get(chunk).map_or(1, |pairs| pairs.len()));
        while low < high {
            let at = low + (high - low) / 2;
            let Some((known, _)) = self.pair(chunk, at) else { break };
            match side(known)? {
                Ordering::Equal => return Ok(Place { chunk, at, found: true }),
                Ordering::Less => high = at,
                Ordering::Greater => low = at + 1,
            }
        }
        Ok(Place { chunk, at: low, found: false })
    }

    fn place(&self, key: &Value, meter: &mut Meter) -> Res<Place> {
        self.search(|known| self.order.compare(key, known, meter))
    }

    /// Index, key and value of the key that compares equal.
    pub fn find(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        let place = self.place(key, meter)?;
        if !place.found {
            return Ok(None);
        }
        meter.charge(place.chunk / 16)?;
        Ok(self.pair(place.chunk, place.at).map(|(known, value)| (self.index_of(&place), known, value)))
    }

    /// The entry that `key` means: the key that compares equal, else its counterpart (keyword and string of one name).
    ///
    /// The keys at both ends decide which spellings are tried, because a string and a keyword cannot be ordered with
    /// each other.
    pub fn slot(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        let (spelled, exactly) = match key {
            Value::Keyword(name) => (Value::string(name.as_str()), self.ends(|known| !matches!(known, Value::Str(_)))),
            Value::Str(text) => (Value::keyword(text.as_str()), self.ends(|known| !matches!(known, Value::Keyword(_)))),
            _ => return self.find(key, meter),
        };
        if exactly != Ends::Neither
            && let Some(found) = self.find(key, meter)?
        {
            return Ok(Some(found));
        }
        if exactly == Ends::Both { Ok(None) } else { self.find(&spelled, meter) }
    }

    /// For how many of the keys at both ends this holds; nil, which can be ordered with everything, does not count.
    fn ends(&self, holds: fn(&Value) -> bool) -> Ends {
        let first = self.iter().map(|(key, _)| key).take(2).find(|key| !key.is_nil());
        let backwards = self.chunks.iter().rev().flat_map(|chunk| chunk.iter().rev());
        let last = backwards.map(|(key, _)| key).take(2).find(|key| !key.is_nil());
        match (first.is_none_or(holds), last.is_none_or(holds)) {
            (true, true) => Ends::Both,
            (false, false) => Ends::Neither,
            _ => Ends::One,
        }
    }

    /// The value under exactly this key, a keyword or a string, without a running program: by binary search in natural
    /// order, else by linear search.
    pub fn get_exactly(&self, key: &Value) -> Option<&Value> {
        let mut meter = Meter::host();
        let found = match self.order {
            Order::By(_) => self.iter().find(|(known, _)| known.is_identical(key, &mut meter).unwrap_or(false)),
            // A key that cannot be ordered with the others is not among them.
            _ => self.find(key, &mut meter).ok()?.map(|(_, known, value)| (known, value)),
        };
        found.map(|(_, value)| value)
    }

    /// The index where `key` is or would go, and whether it is there.
    pub fn boundary(&self, key: &Value, meter: &mut Meter) -> Res<(usize, bool)> {
        let place = self.place(key, meter)?;
        meter.charge(place.chunk / 16)?;
        Ok((self.index_of(&place), place.found))
    }

    /// Put `value` under `key`; a key that compares equal stays and gets the new value. Returns the old value, if any.
    pub fn insert(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<Option<Value>> {
        let place = self.place(&key, meter)?;
        if place.found {
            return Ok(self
                .own(place.chunk, meter)?
                .and_then(|pairs| pairs.get_mut(place.at))
                .map(|(_, old)| std::mem::replace(old, value)));
        }
        reserve(&mut self.chunks, 1, meter)?;
        if self.chunks.is_empty() {
            meter.allocate(56)?;
            self.chunks.push(Arc::new(Vec::new()));
        }
        let at_end = place.chunk + 1 == self.chunks.len() && place.at == CHUNK;
        let Some(pairs) = self.own(place.chunk, meter)? else { return Ok(None) };
        if pairs.len() < CHUNK {
            reserve(pairs, 1, meter)?;
            pairs.insert(place.at.min(pairs.len()), (key, value));
        } else {
            // Keys that arrive in order leave full chunks.
            let cut = if at_end { CHUNK } else { CHUNK / 2 };
            meter.allocate(56 + CHUNK * size_of::<(Value, Value)>())?;
            let mut tail = pairs.split_off(cut);
            let (half, at) = if place.at < cut { (pairs, place.at) } else { (&mut tail, place.at - cut) };
            half.insert(at, (key, value));
            self.chunks.insert(place.chunk + 1, Arc::new(tail));
        }
        self.len += 1;
        Ok(None)
    }

    /// Append an entry without calling the comparator: for entries that come in order.
    pub fn append(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<()> {
        if self.chunks.last().is_none_or(|chunk| chunk.len() >= CHUNK) {
            reserve(&mut self.chunks, 1, meter)?;
            meter.allocate(56)?;
            self.chunks.push(Arc::new(Vec::new()));
        }
        if let Some(pairs) = self.own(self.chunks.len() - 1, meter)? {
            reserve(pairs, 1, meter)?;
            pairs.push((key, value));
            self.len += 1;
        }
        Ok(())
    }

    /// The value of entry number `index`, to be changed.
    pub fn value_mut(&mut self, index: usize, meter: &mut Meter) -> Res<Option<&mut Value>> {
        let (chunk, at) = self.locate(index);
        Ok(self.own(chunk, meter)?.and_then(|pairs| pairs.get_mut(at)).map(|(_, value)| value))
    }

    /// Remove entry number `index`.
    pub fn remove_at(&mut self, index: usize, meter: &mut Meter) -> Res<Option<(Value, Value)>> {
        let (chunk, at) = self.locate(index);
        let Some(pairs) = self.own(chunk, meter)?.filter(|pairs| at < pairs.len()) else { return Ok(None) };
        let removed = pairs.remove(at);
        let emptied = pairs.is_empty();
        self.len -= 1;
        if emptied {
            self.chunks.remove(chunk);
        } else {
            self.join_next(chunk, meter)?;
        }
        if let Some(before) = chunk.checked_sub(1) {
            self.join_next(before, meter)?;
        }
        Ok(Some(removed))
    }

    /// Merge small neighbours, so that two neighbours always hold more than half a chunk.
    fn join_next(&mut self, chunk: usize, meter: &mut Meter) -> Res<()> {
        let (Some(one), Some(next)) = (self.chunks.get(chunk), self.chunks.get(chunk + 1)) else { return Ok(()) };
        if one.len() + next.len() <= CHUNK / 2 {
            let next = self.chunks.remove(chunk + 1);
            if let Some(pairs) = self.own(chunk, meter)? {
                pairs.extend(next.iter().cloned());
            }
        }
        Ok(())
    }

    /// A chunk to be changed: copied when another map shares it, which costs work and memory.
    fn own(&mut self, chunk: usize, meter: &mut Meter) -> Res<Option<&mut Pairs>> {
        let Some(shared) = self.chunks.get_mut(chunk) else { return Ok(None) };
        if Arc::get_mut(shared).is_none() {
            meter.charge(shared.len() / 8 + 1)?;
            meter.allocate(chunk_bytes(shared))?;
            let mut copy = Vec::with_capacity(shared.len() + 1);
            copy.extend_from_slice(shared);
            *shared = Arc::new(copy);
        }
        Ok(Arc::get_mut(shared))
    }

    /// Bytes of the list of chunks, without the chunks.
    pub fn bytes(&self) -> usize {
        120 + self.chunks.capacity() * size_of::<Arc<Pairs>>()
    }
}

impl Contents for Sorted {
    fn elements(&self) -> usize {
        self.len
    }

    fn drop_some(mut self: Box<Self>, list: &mut Vec<Batch>) {
        let mut dropped = 0;
        while dropped < SOME
            && let Some(chunk) = self.chunks.pop()
        {
            dropped += chunk.len();
        }
        self.len = self.len.saturating_sub(dropped);
        list.push(self);
    }
}

/// How many of the keys at both ends.
#[derive(PartialEq, Eq)]
enum Ends {
    Neither,
    One,
    Both,
}

/// Bytes of a chunk, without what its keys and values hold.
pub(crate) fn chunk_bytes(chunk: &Arc<Pairs>) -> usize {
    56 + chunk.capacity() * size_of::<(Value, Value)>()
}

/// Entries in the order of a comparator.
#[derive(Clone)]
pub struct SortedEntries<'a> {
    chunks: std::slice::Iter<'a, Arc<Pairs>>,
    pairs: std::slice::Iter<'a, (Value, Value)>,
    left: usize,
}

impl<'a> Iterator for SortedEntries<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.pairs.next() {
                self.left -= 1;
                return Some((key, value));
            }
            self.pairs = self.chunks.next()?.iter();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}
