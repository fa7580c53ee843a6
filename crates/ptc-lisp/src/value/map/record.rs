//! Small maps that share their keys: the rows of a table, the values of one literal.
//!
//! Bounded: a record has few columns.

use std::sync::Arc;

use crate::value::key::Key;
use crate::value::name::Name;

/// The most keys of a record: they are found by linear search.
const MAX_COLUMNS: usize = 16;
/// The same for the rows of a table, of which there are many: shared keys save more than the search costs.
const MAX_ROW_COLUMNS: usize = 64;

/// The keys of records of one kind: distinct keywords, in order.
#[derive(Debug)]
pub(crate) struct Columns<V> {
    keys: Box<[V]>,
    /// The same keys as names: half the bytes to search.
    names: Box<[Name]>,
}

impl<V: Key> Columns<V> {
    /// The most keys.
    pub const MOST: usize = MAX_ROW_COLUMNS;

    /// Columns with these keys, if a record can have them: at least one, not too many, distinct keywords.
    pub fn of<'k>(keys: impl Iterator<Item = &'k V> + Clone) -> Option<Columns<V>>
    where
        V: 'k,
    {
        Columns::at_most(MAX_COLUMNS, keys)
    }

    /// The same for the rows of a table.
    pub fn of_rows<'k>(keys: impl Iterator<Item = &'k V> + Clone) -> Option<Columns<V>>
    where
        V: 'k,
    {
        Columns::at_most(MAX_ROW_COLUMNS, keys)
    }

    fn at_most<'k>(most: usize, keys: impl Iterator<Item = &'k V> + Clone) -> Option<Columns<V>>
    where
        V: 'k,
    {
        let count = keys.clone().take(most + 1).count();
        if count == 0 || count > most {
            return None;
        }
        let mut names = Vec::with_capacity(count);
        for key in keys.clone() {
            let name = key.keyword_name()?;
            if names.contains(name) {
                return None;
            }
            names.push(name.clone());
        }
        Some(Columns { keys: keys.cloned().collect(), names: names.into() })
    }

    /// Whether these are the keys, in this order.
    pub fn are<'k>(&self, keys: impl ExactSizeIterator<Item = &'k V>) -> bool
    where
        V: 'k,
    {
        let same = |(column, key): (&Name, &V)| key.keyword_name() == Some(column);
        self.names.len() == keys.len() && self.names.iter().zip(keys).all(same)
    }

    /// The keys.
    pub fn keys(&self) -> &[V] {
        &self.keys
    }

    /// The keys as names.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Bytes held, without the names.
    pub fn bytes(&self) -> usize {
        64 + size_of_val(&*self.keys) + size_of_val(&*self.names)
    }
}

/// The entries of a map with these columns.
#[derive(Clone)]
pub(super) struct Record<V> {
    columns: Arc<Columns<V>>,
    pub values: Box<[V]>,
}

impl<V: Key> Record<V> {
    /// `None` when there are not as many values as columns.
    pub fn new(columns: Arc<Columns<V>>, values: Box<[V]>) -> Option<Record<V>> {
        (columns.len() == values.len()).then_some(Record { columns, values })
    }

    pub fn columns(&self) -> &Arc<Columns<V>> {
        &self.columns
    }

    pub fn keys(&self) -> &[V] {
        &self.columns.keys
    }

    /// The index of a keyword.
    #[inline]
    pub fn find(&self, name: &Name) -> Option<usize> {
        self.columns.names.iter().position(|known| known == name)
    }

    /// The value of a keyword.
    #[inline]
    pub fn get(&self, name: &Name) -> Option<&V> {
        self.values.get(self.find(name)?)
    }

    /// The value of a keyword that is probably at index `near`, which is set to the actual index.
    #[inline]
    pub fn get_near(&self, name: &Name, near: &mut usize) -> Option<&V> {
        if self.columns.names.get(*near) != Some(name) {
            *near = self.find(name)?;
        }
        self.values.get(*near)
    }

    /// The value at index `at`, if it is that of this keyword.
    #[inline]
    pub fn get_at(&self, at: usize, name: &Name) -> Option<&V> {
        if self.columns.names.get(at) == Some(name) { self.values.get(at) } else { None }
    }

    pub fn entry_at(&self, index: usize) -> Option<(&V, &V)> {
        Some((self.keys().get(index)?, self.values.get(index)?))
    }

    pub fn iter(&self) -> std::iter::Zip<std::slice::Iter<'_, V>, std::slice::Iter<'_, V>> {
        self.keys().iter().zip(self.values.iter())
    }

    /// Key and value of each entry.
    pub fn into_pairs(self) -> impl ExactSizeIterator<Item = (V, V)> {
        let columns = self.columns;
        self.values
            .into_iter()
            .enumerate()
            .map(move |(at, value)| (columns.keys.get(at).cloned().unwrap_or_default(), value))
    }
}
