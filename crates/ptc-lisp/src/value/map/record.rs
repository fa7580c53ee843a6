//! Small maps that share their keys: the rows of a table, the values of one literal.

use std::sync::Arc;

use crate::value::{Name, Value};

/// Keys of a record at most: they are found by looking at each of them.
const MAX_COLUMNS: usize = 16;

/// The keys of records of one kind: different keywords, in their order.
#[derive(Debug)]
pub(crate) struct Columns(Box<[Value]>);

impl Columns {
    /// Columns with these keys, when a record can have them: at least one, not too many, different keywords.
    pub fn of<'k>(keys: impl Iterator<Item = &'k Value> + Clone) -> Option<Columns> {
        let count = keys.clone().take(MAX_COLUMNS + 1).count();
        if count == 0 || count > MAX_COLUMNS {
            return None;
        }
        let mut columns = Vec::with_capacity(count);
        for key in keys {
            let Value::Keyword(name) = key else { return None };
            if find(&columns, name).is_some() {
                return None;
            }
            columns.push(key.clone());
        }
        Some(Columns(columns.into()))
    }

    /// Whether these are the keys, in this order.
    pub fn are<'k>(&self, keys: impl ExactSizeIterator<Item = &'k Value>) -> bool {
        let same = |(column, key): (&Value, &Value)| matches!((column, key), (Value::Keyword(x), Value::Keyword(y)) if x == y);
        self.0.len() == keys.len() && self.0.iter().zip(keys).all(same)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Bytes held, without the names.
    pub fn bytes(&self) -> usize {
        48 + size_of_val(&*self.0)
    }
}

#[inline]
fn find(keys: &[Value], name: &Name) -> Option<usize> {
    keys.iter().position(|key| matches!(key, Value::Keyword(known) if known == name))
}

/// The entries of a map with these columns.
#[derive(Clone)]
pub(super) struct Record {
    columns: Arc<Columns>,
    pub values: Box<[Value]>,
}

impl Record {
    /// Nothing when there are not as many values as columns.
    pub fn new(columns: Arc<Columns>, values: Box<[Value]>) -> Option<Record> {
        (columns.len() == values.len()).then_some(Record { columns, values })
    }

    pub fn columns(&self) -> &Arc<Columns> {
        &self.columns
    }

    pub fn keys(&self) -> &[Value] {
        &self.columns.0
    }

    /// The place of a keyword.
    #[inline]
    pub fn find(&self, name: &Name) -> Option<usize> {
        find(&self.columns.0, name)
    }

    /// The value of a keyword.
    #[inline]
    pub fn get(&self, name: &Name) -> Option<&Value> {
        self.values.get(self.find(name)?)
    }

    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        Some((self.keys().get(index)?, self.values.get(index)?))
    }

    pub fn iter(&self) -> std::iter::Zip<std::slice::Iter<'_, Value>, std::slice::Iter<'_, Value>> {
        self.keys().iter().zip(self.values.iter())
    }

    /// Key and value of each entry.
    pub fn into_pairs(self) -> impl ExactSizeIterator<Item = (Value, Value)> {
        let columns = self.columns;
        self.values.into_iter().enumerate().map(move |(at, value)| (columns.0.get(at).cloned().unwrap_or_default(), value))
    }
}
