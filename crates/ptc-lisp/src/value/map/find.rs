//! Finding entries of a map.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use indexmap::map::raw_entry_v1::RawEntryApiV1;

use super::{Map, Table};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::value::hash::text_hash;
use crate::value::key::Key;
use crate::value::{Name, Text, Value};

impl Map {
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
            Table::Record(record) => record.get(name),
            Table::Sorted(table) => table.get_exactly(&Value::Keyword(name.clone())),
            _ => {
                let is_name = |key: &Value| matches!(key, Value::Keyword(known) if known == name);
                self.find_plain(|| name.keyword_hash(), is_name).map(|(_, _, value)| value)
            }
        }
    }

    /// The value under this keyword, if this is a record that has it at index `hint`.
    #[inline]
    pub(crate) fn get_at_hint(&self, name: &Name, hint: &AtomicU8) -> Option<&Value> {
        match &self.0.table {
            Table::Record(record) => record.get_at(usize::from(hint.load(Relaxed)), name),
            _ => None,
        }
    }

    /// The value under this keyword, if it is the entry at index `hint` of a map that is not sorted.
    #[inline]
    pub(crate) fn get_at_place(&self, name: &Name, hint: &AtomicU8) -> Option<&Value> {
        let at = usize::from(hint.load(Relaxed));
        let (key, value) = match &self.0.table {
            Table::Record(record) => return record.get_at(at, name),
            Table::Flat(pairs) => pairs.get(at).map(|(key, value)| (key, value)),
            Table::Hashed(table) => table.entries.get_index(at),
            _ => None,
        }?;
        matches!(key, Value::Keyword(known) if known == name).then_some(value)
    }

    /// Like [`Map::get_keyword`], for maps that are not sorted; keeps `hint` up to date.
    #[inline(never)]
    pub(crate) fn get_keyword_near(&self, name: &Name, hint: &AtomicU8) -> Option<&Value> {
        let record = match &self.0.table {
            Table::Record(record) => record,
            Table::Sorted(_) => return None,
            _ => return self.get_keyword(name),
        };
        let guess = usize::from(hint.load(Relaxed));
        let mut near = guess;
        let value = record.get_near(name, &mut near);
        if near != guess {
            hint.store(near as u8, Relaxed);
        }
        value
    }

    /// The value under this keyword, if this is a record that has it; `near` is the index at which the last record had
    /// it.
    #[inline]
    pub(crate) fn get_near(&self, name: &Name, near: &mut usize) -> Option<&Value> {
        match &self.0.table {
            Table::Record(record) => record.get_near(name, near),
            _ => None,
        }
    }

    /// The value under this string key.
    #[must_use]
    pub fn get_text(&self, text: &str) -> Option<&Value> {
        match &self.0.table {
            Table::Record(_) => None,
            Table::Sorted(table) => table.get_exactly(&Value::string(text)),
            _ => self.find_plain(|| text_hash(text), |key| key.as_str() == Some(text)).map(|(_, _, value)| value),
        }
    }

    /// The value under the keyword or the string with this name; the keyword comes first.
    #[must_use]
    pub fn get_named(&self, name: &str) -> Option<&Value> {
        let is_keyword = |key: &Value| matches!(key, Value::Keyword(known) if known.as_str() == name);
        let under_keyword = match &self.0.table {
            // A name that is not interned is not a key.
            Table::Sorted(table) => Name::known(name).and_then(|name| table.get_exactly(&Value::Keyword(name))),
            _ => self.find_plain(|| Name::keyword_hash_of(name), is_keyword).map(|(_, _, value)| value),
        };
        under_keyword.or_else(|| self.get_text(name))
    }

    /// Place, key and value of exactly this key.
    ///
    /// A place is valid for [`Map::value_mut`] until an entry is removed; it is the index as long as nothing was
    /// removed.
    #[inline]
    pub(crate) fn find(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        // The common keys need no deep comparison, and cannot fail.
        match (key, &self.0.table) {
            (_, Table::Sorted(table)) => table.find(key, meter),
            (Value::Keyword(name), Table::Record(record)) => {
                let entry = |place| record.entry_at(place).map(|(key, value)| (place, key, value));
                Ok(record.find(name).and_then(entry))
            }
            (Value::Keyword(name), _) => {
                let is_name = |known: &Value| matches!(known, Value::Keyword(other) if other == name);
                Ok(self.find_plain(|| name.keyword_hash(), is_name))
            }
            (Value::Str(text), Table::Hashed(table)) => Ok(table.find_text(text, meter)),
            (Value::Str(text), _) => {
                let is_text = |known: &Value| matches!(known, Value::Str(other) if other == text);
                Ok(self.find_plain(|| text_hash(text), is_text))
            }
            _ => self.find_any(key, meter),
        }
    }

    fn find_any(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        match &self.0.table {
            // `find` handles these.
            Table::Record(_) | Table::Sorted(_) => Ok(None),
            Table::Flat(pairs) => {
                for (index, (known, value)) in pairs.iter().enumerate() {
                    if known.is_identical(key, meter)? {
                        return Ok(Some((index, known, value)));
                    }
                }
                Ok(None)
            }
            Table::Hashed(table) => table.find(key.key_hash(meter)?, key, meter),
            Table::Trie(trie) => trie.find(key.key_hash(meter)?, meter, |known, meter| known.is_same_key(key, meter)),
        }
    }

    /// Lookup as programs see it: the exact key, else its counterpart (keyword and string of the same name).
    #[inline]
    pub(crate) fn lookup(&self, key: &Value, meter: &mut Meter) -> Res<Option<&Value>> {
        Ok(self.slot(key, meter)?.map(|(_, _, value)| value))
    }

    /// The place and value under a text key of a large table.
    #[inline]
    pub(crate) fn slot_of_text(&self, text: &Text, meter: &mut Meter) -> Option<(usize, &Value)> {
        match &self.0.table {
            Table::Hashed(table) => table.find_text(text, meter).map(|(place, _, value)| (place, value)),
            _ => None,
        }
    }

    /// The entry that `key` means: the exact key, else its counterpart.
    pub(crate) fn slot(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        let found = match (&self.0.table, key) {
            (Table::Sorted(table), _) => return table.slot(key, meter),
            (Table::Hashed(table), Value::Str(text)) => table.find_text(text, meter),
            _ => self.find(key, meter)?,
        };
        Ok(found.or_else(|| self.find_other_spelling(key)))
    }

    /// The entry whose key is the string for a keyword, or the keyword for a string. Not for sorted maps.
    fn find_other_spelling(&self, key: &Value) -> Option<(usize, &Value, &Value)> {
        match key {
            Value::Keyword(name) => {
                let text = name.as_str();
                self.find_plain(|| text_hash(text), |known| known.as_str() == Some(text))
            }
            Value::Str(text) => {
                let is_name = |known: &Value| matches!(known, Value::Keyword(name) if name.as_str() == text.as_str());
                self.find_plain(|| Name::keyword_hash_of(text), is_name)
            }
            _ => None,
        }
    }

    /// Like [`Map::find`], for a keyword or string that `test` recognises. Not for sorted maps.
    #[inline]
    fn find_plain(&self, hash: impl FnOnce() -> u64, test: impl Fn(&Value) -> bool) -> Option<(usize, &Value, &Value)> {
        match &self.0.table {
            Table::Record(record) => {
                let mut entries = record.iter().enumerate();
                entries.find(|(_, (key, _))| test(key)).map(|(place, (key, value))| (place, key, value))
            }
            Table::Flat(pairs) => {
                let mut entries = pairs.iter().enumerate();
                entries.find(|(_, (key, _))| test(key)).map(|(place, (key, value))| (place, key, value))
            }
            Table::Hashed(table) => table.entries.raw_entry_v1().from_hash_full(hash(), test),
            Table::Trie(trie) => trie.find_plain(hash(), test),
            Table::Sorted(_) => None,
        }
    }
}
