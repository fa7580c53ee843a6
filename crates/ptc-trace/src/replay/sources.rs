//! Where the value of an argument can come from: read by the model, part of a result, or the model's own.

use std::collections::HashSet;

use serde_json::Value as Json;

/// A key or a position in a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A key of an object.
    Key(String),
    /// A position in an array, from 0.
    Index(usize),
}

/// Where a text or number of an argument can come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The model has read it.
    Read,
    /// A result has it at this place: a program can take it from there without anybody reading it.
    Value {
        /// The result, counted from 0.
        call: usize,
        /// Where it is in the result, from the outside in.
        path: Vec<Place>,
    },
    /// A text of a result contains it: the model must read that text first.
    Within {
        /// The result, counted from 0.
        call: usize,
    },
    /// None of these. The model knows or computes it.
    Own,
}

/// What a model has read, and the results that calls have returned.
///
/// Texts are compared without case; numbers by their value, also where a text contains them (`1,050.00` is 1050). `true`,
/// `false`, `null` and the empty text can always be the model's own.
///
/// ```
/// use ptc_trace::replay::{Place, Source, Sources};
/// use serde_json::json;
///
/// let mut sources = Sources::default();
/// sources.read("Cancel the order of Ines.");
/// sources.returned(json!({"orders": [{"id": 7, "note": "for Ines, 30 euros"}]}));
/// assert_eq!(sources.of(&json!("ines")), Source::Read);
/// let path = vec![Place::Key("orders".into()), Place::Index(0), Place::Key("id".into())];
/// assert_eq!(sources.of(&json!(7)), Source::Value { call: 0, path });
/// assert_eq!(sources.of(&json!(30)), Source::Within { call: 0 });
/// assert_eq!(sources.of(&json!("reason unknown")), Source::Own);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sources {
    texts: Vec<String>,
    numbers: HashSet<u64>,
    results: Vec<Json>,
}

impl Sources {
    /// The model reads a text.
    pub fn read(&mut self, text: &str) {
        self.numbers.extend(numbers_in(text));
        self.texts.push(text.to_lowercase());
    }

    /// A call returns a value, which is not read by that alone.
    pub fn returned(&mut self, result: Json) {
        self.results.push(result);
    }

    /// Where this text or number can come from: what was read comes first, then the newest result.
    ///
    /// Cost: linear in all texts and results.
    #[must_use]
    pub fn of(&self, leaf: &Json) -> Source {
        if self.has_read(leaf) {
            return Source::Read;
        }
        let newest_first = || self.results.iter().enumerate().rev();
        let value = newest_first().find_map(|(call, result)| {
            let mut path = Vec::new();
            leads_to(result, leaf, &mut path).then_some(Source::Value { call, path })
        });
        let within = || {
            let call = newest_first().find(|(_, result)| contains(result, leaf));
            call.map(|(call, _)| Source::Within { call })
        };
        value.filter(|_| needs_source(leaf)).or_else(|| within().filter(|_| needs_source(leaf))).unwrap_or(Source::Own)
    }

    fn has_read(&self, leaf: &Json) -> bool {
        match leaf {
            Json::String(text) if needs_source(leaf) => {
                let text = text.to_lowercase();
                self.texts.iter().any(|read| read.contains(&text))
            }
            Json::Number(_) => bits(leaf).is_some_and(|bits| self.numbers.contains(&bits)),
            _ => false,
        }
    }
}

/// The texts, numbers and other leaves of a value, in order.
pub fn leaves(value: &Json) -> Vec<&Json> {
    match value {
        Json::Array(items) => items.iter().flat_map(leaves).collect(),
        Json::Object(entries) => entries.values().flat_map(leaves).collect(),
        leaf => vec![leaf],
    }
}

/// Whether anybody would ask where it comes from.
fn needs_source(leaf: &Json) -> bool {
    match leaf {
        Json::String(text) => !text.trim().is_empty(),
        leaf => leaf.is_number(),
    }
}

/// Extend the path to the first equal leaf; `false` leaves it as it was.
fn leads_to(value: &Json, leaf: &Json, path: &mut Vec<Place>) -> bool {
    let mut below = |place: Place, inner: &Json| {
        path.push(place);
        let is_there = leads_to(inner, leaf, path);
        if !is_there {
            path.pop();
        }
        is_there
    };
    match value {
        Json::Array(items) => items.iter().enumerate().any(|(index, item)| below(Place::Index(index), item)),
        Json::Object(entries) => entries.iter().any(|(key, item)| below(Place::Key(key.clone()), item)),
        found => is_same(found, leaf),
    }
}

fn is_same(one: &Json, other: &Json) -> bool {
    one == other || bits(one).is_some_and(|bits| Some(bits) == self::bits(other))
}

/// Whether a text of this value contains the leaf.
fn contains(value: &Json, leaf: &Json) -> bool {
    let texts = leaves(value).into_iter().filter_map(Json::as_str);
    match leaf {
        Json::String(wanted) => {
            let wanted = wanted.to_lowercase();
            texts.into_iter().any(|text| text.to_lowercase().contains(&wanted))
        }
        leaf => {
            bits(leaf).is_some_and(|bits| texts.into_iter().any(|text| numbers_in(text).any(|found| found == bits)))
        }
    }
}

/// A number in a form that can be compared: 5 and 5.0 are the same.
fn bits(leaf: &Json) -> Option<u64> {
    leaf.as_f64().map(|number| (number + 0.0).to_bits())
}

/// The numbers in a text: digits with commas between thousands and one point, not part of a longer word.
fn numbers_in(text: &str) -> impl Iterator<Item = u64> {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '.' | ',' | '_');
    text.split(move |char| !is_part(char)).filter_map(|word| {
        let word = word.trim_matches(|char: char| matches!(char, '.' | ',' | '_'));
        let plain: String = word.chars().filter(|char| *char != ',').collect();
        let is_number = plain.starts_with(|char: char| char.is_ascii_digit());
        plain.parse().ok().filter(|_| is_number).map(|number: f64| number.to_bits())
    })
}

#[cfg(test)]
mod tests;
