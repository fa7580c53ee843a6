//! Short strings of an import, shared when they are repeated.

use crate::value::hash::text_hash;
use crate::value::{Text, Value};

/// The most bytes of a string that is worth remembering: ids, states and names repeat, prose does not.
const LONGEST: usize = 24;

/// Places for remembered strings: initially, so that those of a first row last until the next one, and at most.
const FEWEST: usize = 64;
const MOST: usize = 16_384;

/// Short strings of an import, each at one of the two places given by its hash. The first keeps a string that was
/// repeated, so states and names stay among any number of ids; the second has the latest one. Two repeated strings with
/// the same places alternate.
///
/// Constant time and at most 128 KB: a string that has lost its place to another one is created again.
#[derive(Default)]
pub(super) struct Texts {
    /// A power of two, or none before the first string.
    places: Vec<Option<Text>>,
    /// Strings without an equal one since the places last grew.
    made: usize,
}

impl Texts {
    /// How many texts could be remembered.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// `text` as a value.
    pub fn value(&mut self, text: &str) -> Value {
        if text.len() > LONGEST {
            return Value::string(text);
        }
        if self.made >= self.places.len() / 2 && self.places.len() < MOST {
            self.grow();
        }
        let (kept, came) = self.places_of(text);
        for place in [kept, came] {
            if let Some(Some(known)) = self.places.get(place)
                && known.as_str() == text
            {
                let known = known.clone();
                self.places.swap(kept, place);
                return Value::Str(known);
            }
        }
        self.made += 1;
        let made = Text::from(text);
        self.put(kept, came, made.clone());
        Value::Str(made)
    }

    /// The place of a repeated string, and the place of the latest string.
    fn places_of(&self, text: &str) -> (usize, usize) {
        let place = text_hash(text) as usize & (self.places.len() - 1) & !1;
        (place, place + 1)
    }

    fn put(&mut self, kept: usize, came: usize, text: Text) {
        let place = if matches!(self.places.get(kept), Some(None)) { kept } else { came };
        if let Some(place) = self.places.get_mut(place) {
            *place = Some(text);
        }
    }

    /// Add places. Remembered strings stay remembered, or the first rows of a table would have separate strings.
    fn grow(&mut self) {
        let more = vec![None; (self.places.len() * 4).max(FEWEST)];
        self.made = 0;
        for text in std::mem::replace(&mut self.places, more).into_iter().flatten() {
            let (kept, came) = self.places_of(text.as_str());
            self.put(kept, came, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_forgets_nothing() {
        let mut texts = Texts::default();
        for n in 0..40 {
            texts.value(&format!("text {n}"));
        }
        let remembered: Vec<Text> = texts.places.iter().flatten().cloned().collect();
        assert!(remembered.len() > 20, "{}", remembered.len());
        texts.grow();
        for text in remembered {
            let again = texts.value(text.as_str());
            assert!(matches!(&again, Value::Str(other) if other.address() == text.address()), "{again:?}");
        }
    }

    #[test]
    fn states_stay_shared_beside_any_number_of_ids() {
        let mut texts = Texts::default();
        texts.grow();
        // Hashes have another seed in each process: two states with the same places would alternate.
        let mut places = Vec::new();
        let apart: Vec<String> = (0..)
            .map(|n| format!("state {n}"))
            .filter(|name| {
                let place = texts.places_of(name);
                let is_free = !places.contains(&place);
                places.push(place);
                is_free
            })
            .take(3)
            .collect();
        let states: Vec<Value> = apart.iter().map(|state| texts.value(state)).collect();
        let address = |value: &Value| if let Value::Str(text) = value { Some(text.address()) } else { None };
        for n in 0..100_000 {
            texts.value(&format!("order {n}"));
            let state = states.get(n % 3).unwrap();
            let again = texts.value(state.as_str().unwrap());
            assert_eq!(address(&again), address(state), "after {n} orders");
        }
    }
}
