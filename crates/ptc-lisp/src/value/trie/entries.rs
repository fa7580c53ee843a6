//! A persistent map in insertion order: hashes lead to positions, positions to entries.
//!
//! Bounded: a change adds nodes on one path, and reports their bytes to its caller, who announced the path before.

use super::index::{Index, Mark};
use super::{Part, Slot, Trie, paid};
use crate::error::{Error, Fallible};
use crate::limits::meter::Meter;
use crate::limits::pace::Paced;
use crate::limits::release::{Batch, Contents, Held};
use crate::value::key::Key;

/// An entry; `None` where one was removed.
type Entry<V> = Option<(V, V)>;

impl<V: Clone> Slot for Entry<V> {
    fn is_hole(&self) -> bool {
        self.is_none()
    }
}

/// Entries in insertion order, found by the hash of their keys.
///
/// Finding, replacing, adding and removing are O(log n). A removed entry leaves a hole. Holes at the front are dropped
/// immediately, and when the others are more than half, the entries are compacted, which makes removing O(log n)
/// amortised. A *place* is the index of an entry among entries and holes. [`Index`] keeps positions, which
/// [`Trie::start`] converts to places, so dropping holes at the front changes none of them.
#[derive(Clone)]
pub(crate) struct EntryTrie<V> {
    index: Index,
    entries: Trie<Entry<V>>,
    len: usize,
}

impl<V: Key> EntryTrie<V> {
    /// A trie of entries with distinct keys. O(n), charged in advance.
    pub fn of<'e>(
        entries: impl ExactSizeIterator<Item = (&'e V, &'e V)> + Clone,
        meter: &mut Meter,
    ) -> Fallible<EntryTrie<V>>
    where
        V: 'e,
    {
        let len = entries.len();
        announce::<V>(len, meter)?;
        let mut index = Index::default();
        for (position, (key, _)) in entries.clone().enumerate() {
            meter.tick()?;
            index.insert(Mark { hash: folded(key.key_hash(meter)?), position }, &mut 0);
        }
        let mut paced = Paced::new(entries.map(|(key, value)| Some((key.clone(), value.clone()))), meter);
        let entries = Trie::of(paced.by_ref());
        paced.finish()?;
        Ok(EntryTrie { index, entries, len })
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Entries in insertion order.
    pub fn iter(&self) -> Slots<'_, V> {
        Slots { entries: &self.entries, chunk: [].iter(), next: 0, left: self.len }
    }

    /// Entry number `index` in insertion order. O(log n).
    pub fn entry_at(&self, index: usize) -> Option<(&V, &V)> {
        // The first slot is never a hole.
        let direct = index == 0 || self.len == self.entries.len();
        let slot = if direct { self.entries.get(index) } else { self.entries.select(index) };
        slot?.as_ref().map(|(key, value)| (key, value))
    }

    /// Place, key and value of the key with this hash that `test` accepts. Costs one unit for each key tried.
    pub fn find<E: From<Box<Error>>>(
        &self,
        hash: u64,
        meter: &mut Meter,
        mut test: impl FnMut(&V, &mut Meter) -> Result<bool, E>,
    ) -> Result<Option<(usize, &V, &V)>, E> {
        for position in self.index.positions(folded(hash)) {
            let place = position - self.entries.start();
            if let Some(Some((key, value))) = self.entries.get(place)
                && test(key, meter)?
            {
                meter.charge(1)?;
                return Ok(Some((place, key, value)));
            }
        }
        Ok(None)
    }

    /// Like [`EntryTrie::find`], free of charge: for keys that are compared in one step.
    pub fn find_plain(&self, hash: u64, test: impl Fn(&V) -> bool) -> Option<(usize, &V, &V)> {
        self.index.positions(folded(hash)).find_map(|position| {
            let place = position - self.entries.start();
            let (key, value) = self.entries.get(place)?.as_ref()?;
            test(key).then_some((place, key, value))
        })
    }

    /// The value at this place, to be changed; copied nodes are charged.
    pub fn value_mut(&mut self, place: usize, meter: &mut Meter) -> Fallible<Option<&mut V>> {
        let slot = paid(meter, |made| self.entries.get_mut(place, made))?;
        Ok(slot.and_then(Option::as_mut).map(|(_, value)| value))
    }

    /// Add an entry with a new key; copied nodes are charged.
    pub fn push(&mut self, hash: u64, key: V, value: V, meter: &mut Meter) -> Fallible {
        self.len += 1;
        paid(meter, |made| {
            self.index.insert(Mark { hash: folded(hash), position: self.entries.start() + self.entries.len() }, made);
            self.entries.push(Some((key, value)), made);
        })
    }

    /// Remove the entry at this place; copied nodes are charged.
    pub fn remove(&mut self, place: usize, meter: &mut Meter) -> Fallible<Entry<V>> {
        let Some(Some((key, _))) = self.entries.get(place) else { return Ok(None) };
        let hash = folded(key.key_hash(meter)?);
        self.len -= 1;
        let removed = paid(meter, |made| {
            self.index.remove(Mark { hash, position: self.entries.start() + place }, made);
            let removed = self.entries.clear(place, made).flatten();
            if place == 0 {
                self.entries.keep(self.holes_in_front(), usize::MAX, made);
            }
            removed
        })?;
        if self.len < self.entries.len() / 2 {
            self.close_up(meter)?;
        }
        Ok(removed)
    }

    fn holes_in_front(&self) -> usize {
        let mut holes = 0;
        loop {
            let chunk = self.entries.chunk(holes);
            let more = chunk.iter().take_while(|slot| slot.is_hole()).count();
            holes += more;
            if more == 0 || more < chunk.len() {
                return holes;
            }
        }
    }

    /// Compact the entries. O(n).
    fn close_up(&mut self, meter: &mut Meter) -> Fallible {
        announce::<V>(self.len, meter)?;
        meter.allocate(self.entries.len() * size_of::<usize>())?;
        let mut places = Vec::with_capacity(self.entries.len());
        let mut next = 0;
        while places.len() < self.entries.len() {
            for slot in self.entries.chunk(places.len()) {
                places.push(next);
                next += usize::from(!slot.is_hole());
            }
        }
        let mut index = Index::default();
        self.index.for_each(&mut |mark| {
            if let Some(place) = places.get(mark.position - self.entries.start()) {
                index.insert(Mark { position: *place, ..mark }, &mut 0);
            }
        });
        let entries = Trie::of(self.iter().map(|(key, value)| Some((key.clone(), value.clone()))));
        *self = EntryTrie { index, entries, len: self.len };
        Ok(())
    }

    /// Show every node to `visit`; see [`Trie::parts`]. The slots of the leaves are the entries.
    pub fn parts<'t>(&'t self, visit: &mut dyn FnMut(Part<'t, Entry<V>>) -> bool) {
        self.index.parts(&mut |address, shared, bytes| visit(Part { address, shared, bytes, items: &[] }));
        self.entries.parts(visit);
    }
}

impl<V: Key + Held> Contents for EntryTrie<V> {
    fn elements(&self) -> usize {
        self.len
    }

    fn drop_some(self: Box<Self>, list: &mut Vec<Batch>) {
        list.push(Box::new(self.index.with_about(self.len)));
        Box::new(self.entries).drop_some(list);
    }
}

/// Charge the memory that `len` entries will take.
fn announce<V: Clone>(len: usize, meter: &mut Meter) -> Fallible {
    meter.charge(len / 4)?;
    // An entry, its mark and its share of the nodes above.
    meter.allocate(Trie::<Entry<V>>::bytes_of(len).saturating_add(len.saturating_mul(56)))
}

/// Half of the bits distinguish keys well enough; the keys themselves are compared afterwards.
fn folded(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// Entries of a trie in insertion order.
#[derive(Clone)]
pub struct Slots<'t, V> {
    entries: &'t Trie<Entry<V>>,
    chunk: std::slice::Iter<'t, Entry<V>>,
    next: usize,
    left: usize,
}

impl<'t, V: Clone> Iterator for Slots<'t, V> {
    type Item = (&'t V, &'t V);

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 {
            if let Some((key, value)) = self.chunk.by_ref().flatten().next() {
                self.left -= 1;
                return Some((key, value));
            }
            let chunk = self.entries.chunk(self.next);
            if chunk.is_empty() {
                break;
            }
            self.next += chunk.len();
            self.chunk = chunk.iter();
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<V: Clone> ExactSizeIterator for Slots<'_, V> {}
