//! Object keys of an import: each distinct one is made once.

use std::collections::HashMap;

use crate::value::Value;

/// The keys met so far. Records of one kind name their fields in one order, so the key that followed the previous one
/// the last time is tried before the table.
#[derive(Default)]
pub(super) struct Keys {
    known: Vec<Key>,
    places: HashMap<String, usize, foldhash::fast::RandomState>,
    /// The place of the key that was met last.
    previous: usize,
}

struct Key {
    text: String,
    value: Value,
    /// The place of the key that came next, the last time.
    next: usize,
}

impl Keys {
    /// The key of this text; `make` makes a new one.
    pub fn value(&mut self, text: &str, make: impl FnOnce() -> Value) -> Value {
        let expected = self.known.get(self.previous).map_or(0, |key| key.next);
        if let Some(key) = self.known.get(expected).filter(|key| key.text == text) {
            self.previous = expected;
            return key.value.clone();
        }
        let place = match self.places.get(text) {
            Some(place) => *place,
            None => {
                self.places.insert(text.to_owned(), self.known.len());
                self.known.push(Key { text: text.to_owned(), value: make(), next: 0 });
                self.known.len() - 1
            }
        };
        if let Some(previous) = self.known.get_mut(self.previous) {
            previous.next = place;
        }
        self.previous = place;
        self.known.get(place).map_or(Value::Nil, |key| key.value.clone())
    }
}
