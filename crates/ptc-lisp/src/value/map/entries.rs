//! Entries of maps, one after another.

use crate::value::trie::Slots;
use crate::value::{SortedEntries, Value};

/// Entries of a map, in order.
#[derive(Clone)]
pub enum Entries<'a> {
    /// A small map that shares its keys with others.
    Record(std::iter::Zip<std::slice::Iter<'a, Value>, std::slice::Iter<'a, Value>>),
    /// A small map.
    Flat(std::slice::Iter<'a, (Value, Value)>),
    /// A large map.
    Hashed(indexmap::map::Iter<'a, Value, Value>),
    /// A map with versions.
    Trie(Slots<'a, Value>),
    /// A sorted map.
    Sorted(SortedEntries<'a>),
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Entries::Record(pairs) => pairs.next(),
            Entries::Flat(pairs) => pairs.next().map(|(key, value)| (key, value)),
            Entries::Hashed(table) => table.next(),
            Entries::Trie(trie) => trie.next(),
            Entries::Sorted(table) => table.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Entries::Record(pairs) => pairs.size_hint(),
            Entries::Flat(pairs) => pairs.size_hint(),
            Entries::Hashed(table) => table.size_hint(),
            Entries::Trie(trie) => trie.size_hint(),
            Entries::Sorted(table) => table.size_hint(),
        }
    }
}

impl ExactSizeIterator for Entries<'_> {}
