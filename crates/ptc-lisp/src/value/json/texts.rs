//! Short strings of an import that are shared when they come again.

#[cfg(test)]
mod tests;

use crate::hash::text_hash;
use crate::value::{Text, Value};

/// Bytes of the longest string that is worth remembering: ids, states and names repeat, prose does not.
const LONGEST: usize = 24;

/// Places for remembered strings, at most.
const MOST: usize = 4_096;

/// The short strings of an import that came last, each at one of the two places that its hash names.
///
/// Constant time and at most 32 KB: a string that has lost its place to another one is made again.
#[derive(Default)]
pub(super) struct Texts {
    /// A power of two, or none before the first string.
    places: Vec<Option<Text>>,
    /// Strings that found no equal since the places grew.
    made: usize,
}

impl Texts {
    /// `text` as a value.
    pub fn value(&mut self, text: &str) -> Value {
        if text.len() > LONGEST {
            return Value::string(text);
        }
        if self.made >= self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let places = [self.place(text), self.place(text) ^ 1];
        let mut free = places[0];
        for place in places {
            match self.places.get(place) {
                Some(Some(known)) if known.as_str() == text => return Value::Str(known.clone()),
                Some(None) => {
                    free = place;
                    break;
                }
                _ => {}
            }
        }
        self.made += 1;
        let made = Text::from(text);
        if let Some(place) = self.places.get_mut(free) {
            *place = Some(made.clone());
        }
        Value::Str(made)
    }

    fn place(&self, text: &str) -> usize {
        text_hash(text) as usize & (self.places.len() - 1)
    }

    /// More places. What is remembered stays so, or the first rows of a table would have separate strings.
    fn grow(&mut self) {
        let more = vec![None; (self.places.len() * 8).max(8)];
        self.made = 0;
        for text in std::mem::replace(&mut self.places, more).into_iter().flatten() {
            let place = self.place(text.as_str());
            let free = if matches!(self.places.get(place), Some(None)) { place } else { place ^ 1 };
            if let Some(free) = self.places.get_mut(free) {
                *free = Some(text);
            }
        }
    }
}
