//! What a count of live values keeps: addresses, and places in collections.
//!
//! Bounded: as the count is.

use std::collections::HashMap;

use crate::value::{Entries, Value};

/// A set of addresses. Nodes are close together, so it keeps one bit for each place that a node can have in a kilobyte:
/// two bytes for each of 21,000 shared strings, where a plain set of addresses takes 14.
#[derive(Default)]
pub(crate) struct Addresses(HashMap<usize, [u64; 2], foldhash::fast::RandomState>);

impl Addresses {
    /// Whether this address is in the set.
    pub fn has(&self, address: usize) -> bool {
        let place = address / 8;
        let word = self.0.get(&(place / 128)).and_then(|bits| bits.get(place / 64 % 2));
        word.is_some_and(|word| word & (1 << (place % 64)) != 0)
    }

    /// Add an address; returns whether it is new. Different nodes are at least eight bytes apart.
    pub fn insert(&mut self, address: usize) -> bool {
        let place = address / 8;
        let bits = self.0.entry(place / 128).or_default();
        let Some(word) = bits.get_mut(place / 64 % 2) else { return true };
        let bit = 1 << (place % 64);
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }
}

/// An element of a collection, with its key in a map.
pub(super) type Element<'v> = (Option<&'v Value>, &'v Value);

/// A place in a collection.
#[derive(Clone)]
pub(super) enum Cursor<'v> {
    Items(std::slice::Iter<'v, Value>),
    /// Items of a trie.
    Node(std::slice::Iter<'v, Value>),
    Entries(Entries<'v>),
    /// Entries of a trie, and places of removed ones.
    Slots(std::slice::Iter<'v, Option<(Value, Value)>>),
}

impl<'v> Cursor<'v> {
    pub fn one(value: &'v Value) -> Cursor<'v> {
        Cursor::Items(std::slice::from_ref(value).iter())
    }

    pub fn is_node(&self) -> bool {
        matches!(self, Cursor::Node(_) | Cursor::Slots(_))
    }

    pub fn next(&mut self) -> Option<Element<'v>> {
        match self {
            Cursor::Items(items) | Cursor::Node(items) => items.next().map(|item| (None, item)),
            Cursor::Entries(entries) => entries.next().map(|(key, value)| (Some(key), value)),
            Cursor::Slots(slots) => slots.by_ref().flatten().next().map(|(key, value)| (Some(key), value)),
        }
    }

    pub fn is_done(&self) -> bool {
        match self {
            Cursor::Items(items) | Cursor::Node(items) => items.len() == 0,
            Cursor::Entries(entries) => entries.len() == 0,
            Cursor::Slots(slots) => slots.len() == 0,
        }
    }
}
