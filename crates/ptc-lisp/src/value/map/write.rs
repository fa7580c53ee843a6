//! Changing maps: in place when they are not shared.
//!
//! Bounded: the operations here announce what they add before they add it.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{EntryTrie, FEW, FLAT, Hashed, MAX_COPY, MAX_SHIFT, Map, Node, Table, add_entry, index_bytes, table_bytes};
use crate::error::{Fallible, Res};
use crate::limits::meter::Meter;
use crate::value::Value;
use crate::value::grow::reserve;
use crate::value::key::Key;

impl Map {
    /// Put `value` under exactly this key; a replaced key keeps its place. Charges the growth.
    pub(crate) fn insert(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<Option<Value>> {
        if self.as_sorted().is_some()
            && let Table::Sorted(table) = self.table_mut(meter)?
        {
            return table.insert(key, value, meter);
        }
        let hash = key.key_hash(meter)?;
        let found = match &self.0.table {
            Table::Hashed(table) => table.find(hash, &key, meter)?,
            _ => self.find(&key, meter)?,
        };
        match found.map(|(place, _, _)| place) {
            Some(place) => Ok(self.value_mut(place, meter)?.map(|old| std::mem::replace(old, value))),
            None => self.add_hashed(hash, key, value, meter).map(|()| None),
        }
    }

    /// Put `value` into the entry that `key` means (the exact key, else its counterpart, else a new entry).
    pub(crate) fn assoc(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<()> {
        match self.slot(&key, meter)?.map(|(place, _, _)| place) {
            Some(place) => {
                if let Some(old) = self.value_mut(place, meter)? {
                    *old = value;
                }
                Ok(())
            }
            None => self.add(key, value, meter),
        }
    }

    /// Add an entry whose key is not in the map.
    pub(crate) fn add(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<()> {
        // Keys must be hashable before anything changes.
        let hash = if self.as_sorted().is_none() { key.key_hash(meter)? } else { 0 };
        self.add_hashed(hash, key, value, meter)
    }

    fn add_hashed(&mut self, hash: u64, key: Value, value: Value, meter: &mut Meter) -> Res<()> {
        let table = self.table_mut(meter)?;
        if let Table::Record(record) = table {
            meter.allocate(table_bytes(record.values.len() * 2))?;
            table.widen();
        }
        if let Table::Flat(pairs) = table {
            if pairs.len() < FLAT {
                if pairs.capacity() == 0 {
                    meter.allocate(size_of::<Node>() + 16)?;
                }
                reserve(pairs, 1, meter)?;
                pairs.push((key, value));
                return Ok(());
            }
            meter.allocate(table_bytes(pairs.len() * 2))?;
            let hashes = pairs.iter().map(|(key, _)| key.key_hash(meter)).collect::<Fallible<Vec<u64>>>()?;
            let pairs = std::mem::take(pairs).into_iter().zip(hashes).map(|((key, value), hash)| (hash, key, value));
            *table = Table::Hashed(Box::new(Hashed::of(pairs)));
        }
        match table {
            Table::Hashed(hashed) => {
                if hashed.entries.len() == hashed.entries.capacity() {
                    grow_table(&mut hashed.entries, meter)?;
                }
                add_entry(&mut hashed.entries, hash, key, value);
                Ok(())
            }
            Table::Trie(trie) => Ok(trie.push(hash, key, value, meter)?),
            Table::Sorted(table) => table.insert(key, value, meter).map(drop),
            Table::Record(_) | Table::Flat(_) => Ok(()),
        }
    }

    /// The value at this place (see [`Map::find`]), to be changed.
    pub(crate) fn value_mut(&mut self, place: usize, meter: &mut Meter) -> Res<Option<&mut Value>> {
        Ok(match self.table_mut(meter)? {
            Table::Record(record) => record.values.get_mut(place),
            Table::Flat(pairs) => pairs.get_mut(place).map(|(_, value)| value),
            Table::Hashed(table) => table.entries.get_index_mut(place).map(|(_, value)| value),
            Table::Trie(trie) => trie.value_mut(place, meter)?,
            Table::Sorted(table) => table.value_mut(place, meter)?,
        })
    }

    /// Move a value to this place (see [`Map::find`]), if the map is not shared and its entries are in a table.
    #[inline]
    pub(crate) fn put_quickly(&mut self, place: usize, value: &mut Value) -> bool {
        self.value_quickly(place).map(|slot| slot.take_from(value)).is_some()
    }

    /// Append an entry whose key is not in the map, if the map is not shared and has capacity.
    pub(crate) fn add_quickly(&mut self, key: &mut Value, value: &mut Value, meter: &mut Meter) -> bool {
        let Some(node) = Arc::get_mut(&mut self.0) else { return false };
        match &mut node.table {
            Table::Flat(pairs) if pairs.len() < FLAT.min(pairs.capacity()) => {
                pairs.push((std::mem::take(key), std::mem::take(value)));
            }
            Table::Hashed(table) if table.twin.get().is_none() && table.entries.len() < table.entries.capacity() => {
                let Ok(hash) = key.key_hash(meter) else { return false };
                add_entry(&mut table.entries, hash, std::mem::take(key), std::mem::take(value));
            }
            _ => return false,
        }
        node.external = false;
        true
    }

    /// The value at this place, to be changed, if the map is not shared and its entries are in a table.
    #[inline]
    pub(crate) fn value_quickly(&mut self, place: usize) -> Option<&mut Value> {
        let node = Arc::get_mut(&mut self.0)?;
        node.external = false;
        match &mut node.table {
            Table::Record(record) => record.values.get_mut(place),
            Table::Flat(pairs) => pairs.get_mut(place).map(|(_, value)| value),
            Table::Hashed(table) if table.twin.get().is_none() => {
                table.entries.get_index_mut(place).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The place of a key that is the same text or keyword object, in a small map: elements are usually grouped by few
    /// values, and share them.
    #[inline]
    pub(crate) fn place_of_same(&self, key: &Value) -> Option<usize> {
        let Table::Flat(pairs) = &self.0.table else { return None };
        pairs.iter().position(|(known, _)| match (known, key) {
            (Value::Str(x), Value::Str(y)) => x.address() == y.address(),
            (Value::Keyword(x), Value::Keyword(y)) => x == y,
            _ => false,
        })
    }

    /// Remove the entry that `key` means; the other entries keep their order. Amortised O(log n).
    pub(crate) fn remove(&mut self, key: &Value, meter: &mut Meter) -> Res<Option<(Value, Value)>> {
        let Some(place) = self.slot(key, meter)?.map(|(place, _, _)| place) else { return Ok(None) };
        self.remove_at(place, meter)
    }

    /// Remove exactly this key; the others keep their order. Amortised O(log n).
    pub(crate) fn remove_exact(&mut self, key: &Value, meter: &mut Meter) -> Res<Option<(Value, Value)>> {
        let Some(place) = self.find(key, meter)?.map(|(place, _, _)| place) else { return Ok(None) };
        self.remove_at(place, meter)
    }

    fn remove_at(&mut self, place: usize, meter: &mut Meter) -> Res<Option<(Value, Value)>> {
        if let Table::Hashed(table) = &self.0.table
            && table.entries.len() > MAX_COPY.max(place + MAX_SHIFT)
        {
            // Moving up the other entries each time would make a queue quadratic.
            self.part(meter)?;
        }
        let table = self.table_mut(meter)?;
        table.widen();
        match table {
            Table::Record(_) => Ok(None),
            Table::Flat(pairs) => Ok(Some(pairs.remove(place))),
            Table::Hashed(table) => {
                meter.charge((table.entries.len() - place) / 16)?;
                Ok(table.entries.shift_remove_index(place))
            }
            Table::Trie(trie) => {
                let removed = trie.remove(place, meter)?;
                if trie.len() <= FEW {
                    let left = trie.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>();
                    *self = Map::from_pairs(left, meter)?;
                }
                Ok(removed)
            }
            Table::Sorted(table) => table.remove_at(place, meter),
        }
    }

    /// Whether an update would happen in place.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    fn table_mut(&mut self, meter: &mut Meter) -> Res<&mut Table> {
        if !self.is_unique() || matches!(&self.0.table, Table::Hashed(table) if table.twin.get().is_some()) {
            self.part(meter)?;
        }
        match Arc::get_mut(&mut self.0) {
            Some(node) => {
                node.external = false;
                Ok(&mut node.table)
            }
            None => unreachable!("a fresh map has one holder"),
        }
    }

    /// Replace the shared node with a separate one: this costs work and memory.
    #[cold]
    fn part(&mut self, meter: &mut Meter) -> Res<()> {
        let table = match &self.0.table {
            Table::Hashed(table) if table.entries.len() > MAX_COPY || table.twin.get().is_some() => {
                Table::Trie(Box::new(table.twin(meter)?.clone()))
            }
            Table::Trie(trie) => Table::Trie(trie.clone()),
            table => {
                // A sorted table shares its chunks.
                meter.charge(self.as_sorted().map_or(self.len(), |table| table.chunks().len()) / 8)?;
                meter.allocate(self.bytes())?;
                table.clone()
            }
        };
        meter.allocate(size_of::<Node>() + size_of::<EntryTrie>())?;
        self.0 = Arc::new(Node { table, external: false });
        Ok(())
    }
}

/// Double the capacity of a table that is full.
#[cold]
fn grow_table(entries: &mut IndexMap<Value, Value, ()>, meter: &mut Meter) -> Res<()> {
    let more = entries.len().max(FLAT);
    // The old index exists next to the new one for a moment.
    meter.allocate(more.saturating_mul(40).saturating_add(index_bytes(entries.len().saturating_add(more))))?;
    if entries.len() < LARGE {
        entries.reserve(more);
        return Ok(());
    }
    // In one step this takes milliseconds. So the entries are copied with looks at the clock: until the last one has
    // arrived, the map must stay unchanged.
    let mut larger = IndexMap::with_capacity_and_hasher(entries.len() + more, ());
    for (key, value) in entries.iter() {
        let hash = key.key_hash(meter)?;
        meter.tick()?;
        add_entry(&mut larger, hash, key.clone(), value.clone());
    }
    *entries = larger;
    Ok(())
}

/// From this many entries on, a table grows in portions.
const LARGE: usize = 1 << 16;
