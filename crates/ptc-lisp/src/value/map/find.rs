//! Finding entries of a map.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use indexmap::map::raw_entry_v1::RawEntryApiV1;

use super::{Map, Table, matches};
use crate::error::Res;
use crate::hash::text_hash;
use crate::meter::Meter;
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
            Table::Flat(pairs) => pairs
                .iter()
                .find(|(key, _)| matches!(key, Value::Keyword(known) if known == name))
                .map(|(_, value)| value),
            Table::Hashed(table) => table
                .entries
                .raw_entry_v1()
                .from_hash(name.keyword_hash(), |key| matches!(key, Value::Keyword(known) if known == name))
                .map(|(_, value)| value),
            Table::Trie(trie) => {
                trie.find_plain(name.keyword_hash(), |key| matches!(key, Value::Keyword(known) if known == name))
            }
            Table::Sorted(table) => table.get_keyword(name),
        }
    }

    /// The value under this keyword, when this is a record that has it where `hint` says.
    #[inline]
    pub(crate) fn get_at_hint(&self, name: &Name, hint: &AtomicU8) -> Option<&Value> {
        match &self.0.table {
            Table::Record(record) => record.get_at(usize::from(hint.load(Relaxed)), name),
            _ => None,
        }
    }

    /// The value under this keyword, when it is the entry at `hint` of a map that is not sorted.
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

    /// As [`Map::get_keyword`] for maps that are not sorted; `hint` is kept up to date.
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

    /// The value under this keyword, when this is a record that has it; `near` is the place where the last record had
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
            Table::Flat(pairs) => pairs
                .iter()
                .find(|(key, _)| matches!(key, Value::Str(known) if known.as_str() == text))
                .map(|(_, value)| value),
            Table::Hashed(table) => table
                .entries
                .raw_entry_v1()
                .from_hash(text_hash(text), |key| matches!(key, Value::Str(known) if known.as_str() == text))
                .map(|(_, value)| value),
            Table::Trie(trie) => {
                trie.find_plain(text_hash(text), |key| matches!(key, Value::Str(known) if known.as_str() == text))
            }
            Table::Sorted(table) => table.get_text(text),
        }
    }

    /// The value under the keyword or the string of this name, keyword first.
    #[must_use]
    pub fn get_named(&self, name: &str) -> Option<&Value> {
        let is_keyword = |key: &Value| matches!(key, Value::Keyword(known) if known.as_str() == name);
        let under_keyword = match &self.0.table {
            Table::Record(record) => {
                record.keys().iter().position(is_keyword).and_then(|place| record.values.get(place))
            }
            Table::Flat(pairs) => pairs.iter().find(|(key, _)| is_keyword(key)).map(|(_, value)| value),
            // A name that nobody holds is no key.
            _ => Name::known(name).and_then(|name| self.get_keyword(&name)),
        };
        under_keyword.or_else(|| self.get_text(name))
    }

    /// Place, key and value of exactly this key.
    ///
    /// A place is good for [`Map::value_mut`] until an entry is removed; it is the index as long as nothing was
    /// removed.
    #[inline]
    pub(crate) fn find(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        // The common keys need no walk, and cannot fail.
        match key {
            Value::Keyword(name) if self.as_sorted().is_none() => {
                if let Table::Record(record) = &self.0.table {
                    return Ok(record
                        .find(name)
                        .and_then(|place| record.entry_at(place).map(|(key, value)| (place, key, value))));
                }
                return self.find_text(
                    || name.keyword_hash(),
                    |known| matches!(known, Value::Keyword(other) if other == name),
                    meter,
                );
            }
            Value::Str(text) if self.as_sorted().is_none() => {
                if let Table::Hashed(table) = &self.0.table {
                    return Ok(table.find_text(text, meter));
                }
                return self.find_text(
                    || text_hash(text.as_str()),
                    |known| matches!(known, Value::Str(other) if other == text),
                    meter,
                );
            }
            _ => {}
        }
        match &self.0.table {
            // Its keys are keywords: what they are was answered above.
            Table::Record(_) => Ok(None),
            Table::Flat(pairs) => {
                for (index, (known, value)) in pairs.iter().enumerate() {
                    if known.is_identical(key, meter)? {
                        return Ok(Some((index, known, value)));
                    }
                }
                Ok(None)
            }
            Table::Hashed(table) => {
                let hash = key.key_hash(meter)?;
                let mut failed = None;
                let found =
                    table.entries.raw_entry_v1().from_hash_full(hash, |known| matches(known, key, meter, &mut failed));
                match failed {
                    Some(signal) => Err(signal),
                    None => Ok(found),
                }
            }
            Table::Trie(trie) => trie.find(key.key_hash(meter)?, meter, |known, meter| known.is_identical(key, meter)),
            Table::Sorted(table) => table.find(key, meter),
        }
    }

    /// Lookup as programs see it: the exact key, else its counterpart (keyword and string of the same name).
    #[inline]
    pub(crate) fn lookup(&self, key: &Value, meter: &mut Meter) -> Res<Option<&Value>> {
        Ok(self.slot(key, meter)?.map(|(_, _, value)| value))
    }

    /// The place and value under a text of a large table.
    #[inline]
    pub(crate) fn slot_of_text(&self, text: &Text, meter: &mut Meter) -> Option<(usize, &Value)> {
        match &self.0.table {
            Table::Hashed(table) => table.find_text(text, meter).map(|(place, _, value)| (place, value)),
            _ => None,
        }
    }

    /// The entry that `key` means: the exact key, else its counterpart.
    pub(crate) fn slot(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        match (&self.0.table, key) {
            (Table::Hashed(table), Value::Str(text)) => {
                if let Some(found) = table.find_text(text, meter) {
                    return Ok(Some(found));
                }
                return self.find_other_spelling(key, meter);
            }
            (Table::Sorted(table), _) => return table.slot(key, meter),
            _ => {}
        }
        if let Some(found) = self.find(key, meter)? {
            return Ok(Some(found));
        }
        self.find_other_spelling(key, meter)
    }

    /// The entry whose key is the string for a keyword, or the keyword for a string. Not for sorted maps.
    fn find_other_spelling(&self, key: &Value, meter: &mut Meter) -> Res<Option<(usize, &Value, &Value)>> {
        match key {
            Value::Keyword(name) => {
                let text = name.as_str();
                self.find_text(
                    || text_hash(text),
                    |known| matches!(known, Value::Str(other) if other.as_str() == text),
                    meter,
                )
            }
            Value::Str(text) => {
                let text = text.as_str();
                self.find_text(
                    || Name::keyword_hash_of(text),
                    |known| matches!(known, Value::Keyword(other) if other.as_str() == text),
                    meter,
                )
            }
            _ => Ok(None),
        }
    }

    /// As [`Map::find`], for a keyword or string that `test` knows. Not for sorted maps.
    #[inline]
    fn find_text(
        &self,
        hash: impl FnOnce() -> u64,
        test: impl Fn(&Value) -> bool,
        meter: &mut Meter,
    ) -> Res<Option<(usize, &Value, &Value)>> {
        match &self.0.table {
            Table::Record(record) => Ok(record
                .iter()
                .enumerate()
                .find(|(_, (key, _))| test(key))
                .map(|(place, (key, value))| (place, key, value))),
            Table::Flat(pairs) => Ok(pairs
                .iter()
                .enumerate()
                .find(|(_, (key, _))| test(key))
                .map(|(index, (key, value))| (index, key, value))),
            Table::Hashed(table) => Ok(table.entries.raw_entry_v1().from_hash_full(hash(), test)),
            Table::Trie(trie) => trie.find(hash(), meter, |known, _| Ok(test(known))),
            Table::Sorted(_) => Ok(None),
        }
    }
}
