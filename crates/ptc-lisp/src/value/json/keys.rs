//! Object keys of an import: each distinct one is created once.
//!
//! Bounded: the values of a text, whose memory a program pays for before it is read, and those of the host.

use std::collections::HashMap;

use crate::value::Value;

/// Up to this many keys, linear search is used: most imports are the small result of a tool.
const FEW: usize = 8;

/// The keys seen so far. Records of one kind have their fields in the same order, so the key that last followed the
/// previous one is tried before the table.
#[derive(Default)]
pub(super) struct Keys {
    known: Vec<Key>,
    /// Their indexes, once there are many.
    places: HashMap<String, usize, foldhash::fast::RandomState>,
    /// The index of the key that was seen last.
    previous: usize,
}

struct Key {
    value: Value,
    /// The index of the key that came next, the last time.
    next: usize,
}

impl Keys {
    /// The key with this text; `make` creates a new one.
    pub fn value(&mut self, text: &str, make: impl FnOnce() -> Value) -> Value {
        let expected = self.known.get(self.previous).map_or(0, |key| key.next);
        if let Some(key) = self.known.get(expected).filter(|key| key.is(text)) {
            self.previous = expected;
            return key.value.clone();
        }
        let place = self.place(text).unwrap_or_else(|| self.add(text, make()));
        if let Some(previous) = self.known.get_mut(self.previous) {
            previous.next = place;
        }
        self.previous = place;
        self.known.get(place).map_or(Value::Nil, |key| key.value.clone())
    }

    /// How many keys there are.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    fn place(&self, text: &str) -> Option<usize> {
        match self.known.len() {
            0..=FEW => self.known.iter().position(|key| key.is(text)),
            _ => self.places.get(text).copied(),
        }
    }

    fn add(&mut self, text: &str, value: Value) -> usize {
        let place = self.known.len();
        self.known.push(Key { value, next: 0 });
        match place {
            0..FEW => {}
            // From here on the table knows them all.
            FEW => self.places.extend(self.known.iter().enumerate().map(|(place, key)| (key.text().to_owned(), place))),
            _ => _ = self.places.insert(text.to_owned(), place),
        }
        place
    }
}

impl Key {
    fn text(&self) -> &str {
        match &self.value {
            Value::Keyword(name) => name.as_str(),
            other => other.as_str().unwrap_or_default(),
        }
    }

    fn is(&self, text: &str) -> bool {
        self.text() == text
    }
}
