//! Maps in insertion order, keyed by identity (`1` and `1.0` are two keys), and sorted maps, keyed by their order.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use indexmap::map::raw_entry_v1::{RawEntryApiV1, RawEntryMut};

use super::order::{identical, key_hash};
use super::release::{Batch, release};
use super::sorted::{Order, Sorted, SortedEntries};
use super::{Name, Value};
use crate::error::Res;
use crate::meter::Meter;

/// Entries that are found by looking at each of them.
const FLAT: usize = 8;

/// An immutable map in insertion order, or sorted by a comparator; updated in place when nobody else holds it, copied otherwise.
///
/// Lookup is O(1); removing keeps the order and is O(n). Operations that meet a *collection as key* can be long:
/// they charge the meter and fail with `nesting_too_deep` below 512 levels. A sorted map finds, adds and removes with
/// O(log n) comparisons, which fail for keys that have no order together.
#[derive(Clone, Default)]
pub struct Map(Arc<Node>);

#[derive(Default)]
struct Node {
    table: Table,
    external: bool,
}

enum Table {
    Flat(Vec<(Value, Value)>),
    Hashed(IndexMap<Value, Value, ()>),
    Sorted(Sorted),
}

impl Default for Table {
    fn default() -> Self {
        Table::Flat(Vec::new())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        match std::mem::take(&mut self.table) {
            Table::Flat(pairs) if pairs.is_empty() => {}
            Table::Flat(pairs) => release(Batch::Pairs(pairs)),
            Table::Hashed(table) => release(Batch::Table(table)),
            Table::Sorted(table) => release(Batch::Sorted(table)),
        }
    }
}

impl Clone for Table {
    fn clone(&self) -> Table {
        match self {
            Table::Flat(pairs) => {
                let mut copy = Vec::with_capacity(pairs.len() + 1);
                copy.extend_from_slice(pairs);
                Table::Flat(copy)
            }
            Table::Hashed(table) => Table::Hashed(table.clone()),
            Table::Sorted(table) => Table::Sorted(table.clone()),
        }
    }
}

impl Map {
    /// The empty map.
    #[must_use]
    pub fn new() -> Map {
        Map::default()
    }

    /// A map of these entries; a later entry with the same key replaces the value of the earlier one.
    pub(crate) fn from_pairs(pairs: impl IntoIterator<Item = (Value, Value)>, meter: &mut Meter) -> Res<Map> {
        let mut map = Map::new();
        for (key, value) in pairs {
            map.insert(key, value, meter)?;
        }
        Ok(map)
    }

    /// The empty map in this order.
    pub(crate) fn sorted(order: Order) -> Map {
        Map::of(Table::Sorted(Sorted::new(order)))
    }

    fn of(table: Table) -> Map {
        Map(Arc::new(Node { table, external: false }))
    }

    /// The sorted table, when this is a sorted map.
    #[inline]
    pub(crate) fn as_sorted(&self) -> Option<&Sorted> {
        match &self.0.table {
            Table::Sorted(table) => Some(table),
            _ => None,
        }
    }

    /// The empty map of the same kind: a sorted map keeps its order.
    pub(crate) fn emptied(&self) -> Map {
        self.as_sorted().map_or_else(Map::new, |table| Map::sorted(table.order().clone()))
    }

    /// A map of the same kind with these entries, which come in the order of this map: nothing is compared.
    pub(crate) fn rebuilt(&self, pairs: impl IntoIterator<Item = (Value, Value)>, meter: &mut Meter) -> Res<Map> {
        let Some(table) = self.as_sorted() else { return Map::from_pairs(pairs, meter) };
        let mut sorted = Sorted::new(table.order().clone());
        for (key, value) in pairs {
            sorted.append(key, value, meter)?;
        }
        Ok(Map::of(Table::Sorted(sorted)))
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0.table {
            Table::Flat(pairs) => pairs.len(),
            Table::Hashed(table) => table.len(),
            Table::Sorted(table) => table.len(),
        }
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entries in the order of the map.
    #[must_use]
    pub fn iter(&self) -> Entries<'_> {
        match &self.0.table {
            Table::Flat(pairs) => Entries::Flat(pairs.iter()),
            Table::Hashed(table) => Entries::Hashed(table.iter()),
            Table::Sorted(table) => Entries::Sorted(table.iter()),
        }
    }

    /// Entry number `index` in the order of the map.
    #[must_use]
    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        match &self.0.table {
            Table::Flat(pairs) => pairs.get(index).map(|(key, value)| (key, value)),
            Table::Hashed(table) => table.get_index(index),
            Table::Sorted(table) => table.entry_at(index),
        }
    }

    /// The value under exactly this key.
    #[inline]
    pub(crate) fn get(&self, key: &Value, meter: &mut Meter) -> Res<Option<&Value>> {
        Ok(self.find(key, meter)?.map(|(_, _, value)| value))
    }

    /// The value under this keyword.
    #[must_use]
    #[inline]
    pub fn get_keyword(&self, name: &Name) -> Option<&Value> {
        match &self.0.table {
            Table::Flat(pairs) => {
                pairs.iter().find(|(key, _)| matches!(key, Value::Keyword(known) if known == name)).map(|(_, value)| value)
            }
            Table::Hashed(table) => table
                .raw_entry_v1()
                .from_hash(super::order::keyword_hash(name), |key| matches!(key, Value::Keyword(known) if known == name))
                .map(|(_, value)| value),
            Table::Sorted(table) => table.get_keyword(name),
        }
    }

    /// The value under this string key.
    #[must_use]
    pub fn get_text(&self, text: &str) -> Option<&Value> {
        match &self.0.table {
            Table::Flat(pairs) => {
                pairs.iter().find(|(key, _)| matches!(key, Value::Str(known) if known.as_str() == text)).map(|(_, value)| value)
            }
            Table::Hashed(table) => table
                .raw_entry_v1()
                .from_hash(super::order::string_hash(text), |key| matches!(key, Value::Str(known) if known.as_str() == text))
                .map(|(_, value)| value),
            Table::Sorted(table) => table.get_text(text),
        }
    }

    /// The value under the keyword or the string of this name, keyword first.
    #[must_use]
    pub fn get_named(&self, name: &str) -> Option<&Value> {
        self.get_keyword(&Name::new(name)).or_else(|| self.get_text(name))
    }

    /// Position, key and value of exactly this key; in a sorted map, of the key that compares equal.
    #[inline]
    pub(crate) fn find(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        match &self.0.table {
            Table::Flat(pairs) => {
                for (index, (known, value)) in pairs.iter().enumerate() {
                    if identical(known, key, meter)? {
                        return Ok(Some((index, known, value)));
                    }
                }
                Ok(None)
            }
            Table::Hashed(table) => {
                let hash = key_hash(key, meter)?;
                let mut failed = None;
                let found = table.raw_entry_v1().from_hash_full(hash, |known| matches(known, key, meter, &mut failed));
                match failed {
                    Some(signal) => Err(signal),
                    None => Ok(found),
                }
            }
            Table::Sorted(table) => table.find(key, meter),
        }
    }

    /// Lookup as programs see it: the exact key, else its counterpart (keyword and string of the same name).
    #[inline]
    pub(crate) fn lookup(&self, key: &Value, meter: &mut Meter) -> Res<Option<&Value>> {
        Ok(self.slot(key, meter)?.map(|(_, _, value)| value))
    }

    /// The entry that `key` means: the exact key, else its counterpart.
    pub(crate) fn slot(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        if let Table::Sorted(table) = &self.0.table {
            return table.slot(key, meter);
        }
        if let Some(found) = self.find(key, meter)? {
            return Ok(Some(found));
        }
        match key {
            Value::Keyword(name) => self.find(&Value::string(name.as_str()), meter),
            Value::Str(text) => self.find(&Value::keyword(text.as_str()), meter),
            _ => Ok(None),
        }
    }

    /// Put `value` under exactly this key; a replaced key keeps its place.
    pub(crate) fn insert(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<Option<Value>> {
        if self.as_sorted().is_some()
            && let Table::Sorted(table) = self.table_mut(meter)?
        {
            return table.insert(key, value, meter);
        }
        // Keys must be hashable before anything changes.
        let hash = key_hash(&key, meter)?;
        let table = self.table_mut(meter)?;
        if let Table::Flat(pairs) = table {
            let mut place = None;
            for (index, (known, _)) in pairs.iter().enumerate() {
                if identical(known, &key, meter)? {
                    place = Some(index);
                    break;
                }
            }
            if let Some((_, old)) = place.and_then(|index| pairs.get_mut(index)) {
                return Ok(Some(std::mem::replace(old, value)));
            }
            if pairs.len() < FLAT {
                pairs.push((key, value));
                return Ok(None);
            }
            let mut hashed = IndexMap::with_capacity_and_hasher(pairs.len() * 2, ());
            for (known, old) in std::mem::take(pairs) {
                let known_hash = key_hash(&known, meter)?;
                if let RawEntryMut::Vacant(free) = hashed.raw_entry_mut_v1().from_hash(known_hash, |_| false) {
                    free.insert_hashed_nocheck(known_hash, known, old);
                }
            }
            *table = Table::Hashed(hashed);
        }
        let Table::Hashed(hashed) = table else { return Ok(None) };
        let mut failed = None;
        let entry = hashed.raw_entry_mut_v1().from_hash(hash, |known| matches(known, &key, meter, &mut failed));
        if let Some(signal) = failed {
            return Err(signal);
        }
        match entry {
            RawEntryMut::Occupied(mut entry) => Ok(Some(entry.insert(value))),
            RawEntryMut::Vacant(free) => {
                free.insert_hashed_nocheck(hash, key, value);
                Ok(None)
            }
        }
    }

    /// Put `value` into the slot that `key` means (exact key, else counterpart, else a new entry).
    pub(crate) fn assoc(&mut self, key: Value, value: Value, meter: &mut Meter) -> Res<()> {
        let place = self.slot(&key, meter)?.map(|(index, _, _)| index);
        match place {
            Some(index) => {
                if let Some(old) = self.value_mut(index, meter)? {
                    *old = value;
                }
            }
            None => {
                self.insert(key, value, meter)?;
            }
        }
        Ok(())
    }

    /// The value of entry number `index`, for change.
    pub(crate) fn value_mut(&mut self, index: usize, meter: &mut Meter) -> Res<Option<&mut Value>> {
        Ok(match self.table_mut(meter)? {
            Table::Flat(pairs) => pairs.get_mut(index).map(|(_, value)| value),
            Table::Hashed(table) => table.get_index_mut(index).map(|(_, value)| value),
            Table::Sorted(table) => table.value_mut(index, meter)?,
        })
    }

    /// Remove the entry that `key` means; the others keep their order. O(n).
    pub(crate) fn remove(&mut self, key: &Value, meter: &mut Meter) -> Res<Option<(Value, Value)>> {
        let Some(index) = self.slot(key, meter)?.map(|(index, _, _)| index) else { return Ok(None) };
        meter.charge(self.len() / 16)?;
        Ok(match self.table_mut(meter)? {
            Table::Flat(pairs) => Some(pairs.remove(index)),
            Table::Hashed(table) => table.shift_remove_index(index),
            Table::Sorted(table) => table.remove_at(index, meter)?,
        })
    }

    /// Remove exactly this key; the others keep their order. O(n).
    pub(crate) fn remove_exact(&mut self, key: &Value, meter: &mut Meter) -> Res<Option<(Value, Value)>> {
        let Some(index) = self.find(key, meter)?.map(|(index, _, _)| index) else { return Ok(None) };
        meter.charge(self.len() / 16)?;
        Ok(match self.table_mut(meter)? {
            Table::Flat(pairs) => Some(pairs.remove(index)),
            Table::Hashed(table) => table.shift_remove_index(index),
            Table::Sorted(table) => table.remove_at(index, meter)?,
        })
    }

    /// Whether an update would happen in place.
    #[must_use]
    pub fn is_unique(&mut self) -> bool {
        Arc::get_mut(&mut self.0).is_some()
    }

    fn table_mut(&mut self, meter: &mut Meter) -> Res<&mut Table> {
        if Arc::get_mut(&mut self.0).is_none() {
            // A shared map is copied: that is work and memory. A sorted one shares its chunks.
            meter.charge(self.as_sorted().map_or(self.len(), |table| table.chunks().len()) / 8)?;
            meter.allocate(self.bytes())?;
            self.0 = Arc::new(Node { table: self.0.table.clone(), external: false });
        }
        match Arc::get_mut(&mut self.0) {
            Some(node) => Ok(&mut node.table),
            None => unreachable!("a fresh map has one holder"),
        }
    }

    /// The same map marked as host data: free of charge for the memory limit.
    #[must_use]
    pub(crate) fn into_external(mut self) -> Map {
        if let Some(node) = Arc::get_mut(&mut self.0) {
            node.external = true;
        }
        self
    }

    pub(crate) fn is_external(&self) -> bool {
        self.0.external
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Bytes held by the map itself, without what its keys and values hold, and without the chunks of a sorted map.
    pub(crate) fn bytes(&self) -> usize {
        match &self.0.table {
            Table::Flat(pairs) => 56 + pairs.capacity() * 32,
            Table::Hashed(table) => 80 + table.capacity() * 52,
            Table::Sorted(table) => table.bytes(),
        }
    }
}

fn matches(known: &Value, key: &Value, meter: &mut Meter, failed: &mut Option<Box<crate::error::Signal>>) -> bool {
    match identical(known, key, meter) {
        Ok(same) => same,
        Err(signal) => {
            failed.get_or_insert(signal);
            false
        }
    }
}

/// Entries of a map in its order.
pub enum Entries<'a> {
    /// A small map.
    Flat(std::slice::Iter<'a, (Value, Value)>),
    /// A large one.
    Hashed(indexmap::map::Iter<'a, Value, Value>),
    /// A sorted one.
    Sorted(SortedEntries<'a>),
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Entries::Flat(pairs) => pairs.next().map(|(key, value)| (key, value)),
            Entries::Hashed(table) => table.next(),
            Entries::Sorted(table) => table.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Entries::Flat(pairs) => pairs.size_hint(),
            Entries::Hashed(table) => table.size_hint(),
            Entries::Sorted(table) => table.size_hint(),
        }
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a Value, &'a Value);
    type IntoIter = Entries<'a>;
    fn into_iter(self) -> Entries<'a> {
        self.iter()
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map({} entries)", self.len())
    }
}
