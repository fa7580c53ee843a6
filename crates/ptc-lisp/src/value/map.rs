//! Maps in insertion order, keyed by identity (`1` and `1.0` are two keys), and sorted maps, keyed by their order.
//!
//! Bounded: the operations here announce what they add before they add it.

mod entries;
mod find;
mod record;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use indexmap::map::raw_entry_v1::{RawEntryApiV1, RawEntryMut};

use super::sorted::{Order, Sorted};
use super::trie;
use super::{Text, Value, made_once};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::release::release;
use crate::value::hash::text_hash;

pub use entries::Entries;

/// The keys of records.
pub(crate) type Columns = record::Columns<Value>;
type Record = record::Record<Value>;
type EntryTrie = trie::EntryTrie<Value>;

/// Up to this many entries, linear search is used.
const FLAT: usize = 8;

/// Bytes of a table for `capacity` entries: the entries, and an index with a power of two of places.
fn table_bytes(capacity: usize) -> usize {
    120 + capacity * 40 + index_bytes(capacity)
}

fn index_bytes(capacity: usize) -> usize {
    (capacity * 8 / 7).next_power_of_two() * 9 + 16
}

/// The most entries that a write to a shared map copies; a larger map becomes a trie.
const MAX_COPY: usize = 256;

/// The most entries that move up after a removed one in a large table; when there are more, it becomes a trie.
const MAX_SHIFT: usize = 64;

/// A trie with this many entries or fewer becomes a table again.
const FEW: usize = 32;

/// An immutable map in insertion order, or sorted by a comparator; updated in place when it is not shared.
///
/// The entries are in a table: lookup is O(1), removing moves up the entries after the removed one. A write to a
/// *shared* map copies up to 256 entries; a larger map becomes a persistent trie, whose versions share their common
/// parts, and stays one: then everything is O(log n), with amortised removing. Removing early entries of a large map
/// also makes it a trie. A sorted map finds, adds and removes with O(log n) comparisons, which fail for keys that
/// cannot be ordered with each other. Operations that meet a *collection as key* can take long: they charge the meter
/// and fail with `nesting_too_deep` beyond 512 levels. Writes charge for what they copy.
#[derive(Clone, Default)]
pub struct Map(Arc<Node>);

#[derive(Default)]
struct Node {
    table: Table,
    external: bool,
}

enum Table {
    Record(Record),
    Flat(Vec<(Value, Value)>),
    Hashed(Box<Hashed>),
    Trie(Box<EntryTrie>),
    Sorted(Box<Sorted>),
}

/// Entries in one table.
struct Hashed {
    entries: IndexMap<Value, Value, ()>,
    /// The same entries as a trie, created by the first write while the map was shared. Further writes to the same map
    /// start there, so a thousand versions of it cost one conversion.
    twin: OnceLock<Box<EntryTrie>>,
}

impl Hashed {
    /// A table of these entries with distinct keys, each with the hash of its key, and capacity for twice as many.
    fn of(pairs: impl ExactSizeIterator<Item = (u64, Value, Value)>) -> Hashed {
        let mut entries = IndexMap::with_capacity_and_hasher(pairs.len() * 2, ());
        for (hash, key, value) in pairs {
            add_entry(&mut entries, hash, key, value);
        }
        Hashed { entries, twin: OnceLock::new() }
    }

    /// Index, key and value of the entry for the key with this hash.
    fn find(&self, hash: u64, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        let mut failed = None;
        let is_key = |known: &Value| {
            known.is_same_key(key, meter).unwrap_or_else(|signal| {
                failed = Some(signal);
                false
            })
        };
        let found = self.entries.raw_entry_v1().from_hash_full(hash, is_key);
        failed.map_or(Ok(found), Err)
    }

    /// Index, key and value of the entry for a text; first tries the index at which the text with this address was last
    /// found.
    #[inline]
    fn find_text(&self, text: &Text, meter: &mut Meter) -> Option<(usize, &Value, &Value)> {
        let guess = meter.guess(text.address());
        let place = usize::from(*guess);
        if let Some((key @ Value::Str(known), value)) = self.entries.get_index(place)
            && known == text
        {
            return Some((place, key, value));
        }
        let same = |key: &Value| matches!(key, Value::Str(known) if known == text);
        let found = self.entries.raw_entry_v1().from_hash_full(text_hash(text.as_str()), same)?;
        *guess = found.0 as u16;
        Some(found)
    }

    /// The entries as a trie, created once.
    fn twin(&self, meter: &mut Meter) -> Res<&EntryTrie> {
        Ok(made_once(&self.twin, || EntryTrie::of(self.entries.iter(), meter).map(Box::new))?)
    }
}

impl Default for Table {
    fn default() -> Self {
        Table::Flat(Vec::new())
    }
}

impl Table {
    /// Turn a record into a table with separate keys, so that other keys can be added.
    fn widen(&mut self) {
        *self = match std::mem::take(self) {
            Table::Record(record) => {
                let pairs = record.into_pairs();
                if pairs.len() <= FLAT {
                    let mut flat = Vec::with_capacity(FLAT);
                    flat.extend(pairs);
                    Table::Flat(flat)
                } else {
                    Table::Hashed(Box::new(Hashed::of(pairs.map(|(key, value)| (column_hash(&key), key, value)))))
                }
            }
            other => other,
        };
    }
}

/// The hash of a key of a record.
fn column_hash(key: &Value) -> u64 {
    match key {
        Value::Keyword(name) => name.keyword_hash(),
        _ => 0,
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        match &self.table {
            Table::Record(record) if Value::are_shallow(record.values.iter()) => return,
            Table::Flat(pairs) if pairs.is_empty() => return,
            _ => {}
        }
        match std::mem::take(&mut self.table) {
            Table::Record(record) => release(record.values.into_vec()),
            Table::Flat(pairs) => release(pairs),
            Table::Hashed(hashed) => {
                if let Some(twin) = hashed.twin.into_inner() {
                    release(*twin);
                }
                release(hashed.entries);
            }
            Table::Trie(trie) => release(*trie),
            Table::Sorted(table) => release(*table),
        }
    }
}

impl Clone for Table {
    fn clone(&self) -> Table {
        match self {
            Table::Record(record) => Table::Record(record.clone()),
            Table::Flat(pairs) => {
                let mut copy = Vec::with_capacity(pairs.len() + 1);
                copy.extend_from_slice(pairs);
                Table::Flat(copy)
            }
            Table::Hashed(table) => {
                Table::Hashed(Box::new(Hashed { entries: table.entries.clone(), twin: OnceLock::new() }))
            }
            Table::Trie(trie) => Table::Trie(trie.clone()),
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
            meter.tick()?;
            map.insert(key, value, meter)?;
        }
        Ok(map)
    }

    /// The map of these values under the keys of `columns`; `None` when their numbers differ.
    pub(crate) fn record(columns: &Arc<Columns>, values: Box<[Value]>) -> Option<Map> {
        Record::new(columns.clone(), values).map(|record| Map::of(Table::Record(record)))
    }

    /// The keys that it shares with other maps.
    pub(crate) fn columns(&self) -> Option<&Arc<Columns>> {
        match &self.0.table {
            Table::Record(record) => Some(record.columns()),
            _ => None,
        }
    }

    /// A map of these entries, like [`Map::from_pairs`]; a small one keeps `pairs` unchanged, without spare capacity.
    pub(crate) fn of_pairs(pairs: Vec<(Value, Value)>, meter: &mut Meter) -> Res<Map> {
        if pairs.len() > FLAT {
            return Map::from_pairs(pairs, meter);
        }
        for (index, (key, _)) in pairs.iter().enumerate() {
            for (earlier, _) in pairs.iter().take(index) {
                if earlier.is_identical(key, meter)? {
                    return Map::from_pairs(pairs, meter);
                }
            }
        }
        Ok(Map::of(Table::Flat(pairs)))
    }

    /// The most entries that [`Map::of_few`] takes.
    pub(crate) const FEW: usize = FLAT;

    /// The map of these entries, which are few and have distinct keys.
    pub(crate) fn of_few(pairs: impl ExactSizeIterator<Item = (Value, Value)>) -> Map {
        Map::of(Table::Flat(pairs.collect()))
    }

    /// The empty map in this order.
    pub(crate) fn sorted(order: Order) -> Map {
        Map::of(Table::Sorted(Box::new(Sorted::new(order))))
    }

    /// The empty map with capacity for this many entries, up to the size of a flat map.
    pub(crate) fn with_capacity(entries: usize) -> Map {
        Map::of(Table::Flat(Vec::with_capacity(entries.min(FLAT))))
    }

    /// The empty map with capacity for exactly this many entries, which it charges: a table when they are many.
    pub(crate) fn with_exactly(entries: usize, meter: &mut Meter) -> Res<Map> {
        if entries <= FLAT {
            meter.allocate(64 + entries * 32)?;
            return Ok(Map::with_capacity(entries));
        }
        meter.allocate(table_bytes(entries))?;
        let entries = IndexMap::with_capacity_and_hasher(entries, ());
        Ok(Map::of(Table::Hashed(Box::new(Hashed { entries, twin: OnceLock::new() }))))
    }

    fn of(table: Table) -> Map {
        Map(Arc::new(Node { table, external: false }))
    }

    /// The sorted table, if this is a sorted map.
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

    /// A map of the same kind with these entries, which are in the order of this map: nothing is compared.
    pub(crate) fn rebuilt(&self, pairs: impl IntoIterator<Item = (Value, Value)>, meter: &mut Meter) -> Res<Map> {
        let Some(table) = self.as_sorted() else { return Map::from_pairs(pairs, meter) };
        let mut sorted = Sorted::new(table.order().clone());
        for (key, value) in pairs {
            sorted.append(key, value, meter)?;
        }
        Ok(Map::of(Table::Sorted(Box::new(sorted))))
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0.table {
            Table::Record(record) => record.values.len(),
            Table::Flat(pairs) => pairs.len(),
            Table::Hashed(table) => table.entries.len(),
            Table::Trie(trie) => trie.len(),
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
            Table::Record(record) => Entries::Record(record.iter()),
            Table::Flat(pairs) => Entries::Flat(pairs.iter()),
            Table::Hashed(table) => Entries::Hashed(table.entries.iter()),
            Table::Trie(trie) => Entries::Trie(trie.iter()),
            Table::Sorted(table) => Entries::Sorted(table.iter()),
        }
    }

    /// Entry number `index` in the order of the map.
    #[must_use]
    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        match &self.0.table {
            Table::Record(record) => record.entry_at(index),
            Table::Flat(pairs) => pairs.get(index).map(|(key, value)| (key, value)),
            Table::Hashed(table) => table.entries.get_index(index),
            Table::Trie(trie) => trie.entry_at(index),
            Table::Sorted(table) => table.entry_at(index),
        }
    }

    /// The same map marked as host data, which does not count towards the memory limit.
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

    /// Bytes held by the map itself, without those held by its keys and values, and without the chunks of a sorted map.
    pub(crate) fn bytes(&self) -> usize {
        match &self.0.table {
            Table::Record(record) => 64 + size_of_val(&*record.values),
            Table::Flat(pairs) => 64 + pairs.capacity() * 32,
            Table::Hashed(table) => table_bytes(table.entries.capacity()),
            Table::Trie(_) => 56 + size_of::<EntryTrie>(),
            Table::Sorted(table) => table.bytes(),
        }
    }

    /// Whether the entries are in a table.
    pub(crate) fn is_table(&self) -> bool {
        !matches!(self.0.table, Table::Trie(_))
    }

    /// The trie with the entries, whether it is the main form or a second one.
    pub(crate) fn trie(&self) -> Option<&EntryTrie> {
        match &self.0.table {
            Table::Record(_) | Table::Flat(_) => None,
            Table::Hashed(table) => table.twin.get().map(|twin| &**twin),
            Table::Trie(trie) => Some(trie),
            Table::Sorted(_) => None,
        }
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a Value, &'a Value);
    type IntoIter = Entries<'a>;
    fn into_iter(self) -> Entries<'a> {
        self.iter()
    }
}

/// Add an entry whose key is not in the map.
fn add_entry(entries: &mut IndexMap<Value, Value, ()>, hash: u64, key: Value, value: Value) {
    if let RawEntryMut::Vacant(free) = entries.raw_entry_mut_v1().from_hash(hash, |_| false) {
        free.insert_hashed_nocheck(hash, key, value);
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Value::from(self.clone()), f)
    }
}
