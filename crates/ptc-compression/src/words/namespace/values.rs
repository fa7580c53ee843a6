//! What the values at one place are besides their types: ranges, the few different ones, gaps, examples.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::BuildHasher;

use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, format_within};
use ptc_lisp::values::compare_numbers;

/// Different texts that are counted one by one.
const FEW: usize = 6;
/// Different texts that are distinguished at all.
const MOST_DIFFERENT: usize = 10_000;
/// Characters of a text that is shown.
const TEXT_CHARS: usize = 40;
/// What people write where nothing is known.
const MISSING: [&str; 9] = ["", "-", "?", "N/A", "NA", "NULL", "NaN", "n/a", "null"];
/// Bytes of the longest of these.
const LONGEST_MISSING: usize = 4;

/// The scalars at one place.
#[derive(Debug, Default)]
pub(super) struct Values<'v> {
    /// Values that are not nil.
    count: usize,
    nil: usize,
    /// The smallest and the largest number.
    numbers: Option<(&'v Value, &'v Value)>,
    yes: usize,
    no: usize,
    texts: Texts<'v>,
    keywords: Texts<'v>,
    /// The first value of another kind.
    other: Option<&'v Value>,
}

/// Texts at one place.
#[derive(Debug, Default)]
struct Texts<'v> {
    count: usize,
    first: Option<&'v str>,
    /// The first different ones with their numbers.
    few: Vec<(&'v str, usize)>,
    /// The hashes of the different ones: of ten thousand no two share one of 64 bits.
    different: HashSet<u64, foldhash::fast::RandomState>,
    /// The first that marks a gap, and how many do.
    missing: Option<(&'v str, usize)>,
    /// The earliest and the latest date, while all texts are dates.
    dates: Option<(&'v str, &'v str)>,
    has_others: bool,
}

impl<'v> Values<'v> {
    pub fn add(&mut self, value: &'v Value) {
        match value {
            Value::Nil => {
                self.nil += 1;
                return;
            }
            Value::Int(_) | Value::Big(_) | Value::Float(_) => self.add_number(value),
            Value::Bool(true) => self.yes += 1,
            Value::Bool(false) => self.no += 1,
            Value::Str(text) => self.texts.add(text.as_str()),
            Value::Keyword(name) => self.keywords.add(name.as_str()),
            Value::Vector(_) | Value::Map(_) => {}
            other => drop(self.other.get_or_insert(other)),
        }
        self.count += 1;
    }

    fn add_number(&mut self, number: &'v Value) {
        let (least, most) = self.numbers.get_or_insert((number, number));
        if compare_numbers(number, least) == Some(Ordering::Less) {
            *least = number;
        }
        if compare_numbers(number, most) == Some(Ordering::Greater) {
            *most = number;
        }
    }

    /// Whether nothing but nil was there.
    pub fn is_nil(&self) -> bool {
        self.count == 0 && self.nil > 0
    }

    /// What the scalars are, one text for each kind.
    pub fn kinds(&self) -> Vec<String> {
        let numbers = self.numbers.map(|(least, most)| match compare_numbers(least, most) {
            Some(Ordering::Equal) => shown(least),
            _ => format!("{}..{}", shown(least), shown(most)),
        });
        let flags = [("true", self.yes), ("false", self.no)].into_iter().filter(|(_, count)| *count > 0);
        let flags: Vec<String> = flags.map(|(name, count)| format!("{name} {}", grouped(count))).collect();
        let flags = (!flags.is_empty()).then(|| flags.join(" | "));
        let texts = self.texts.summary(|text| shown(&Value::string(text)));
        let keywords = self.keywords.summary(|name| format!(":{name}"));
        let other = self.other.map(shown);
        [numbers, flags, texts, keywords, other].into_iter().flatten().collect()
    }

    /// ` (12 nil, 3 "NA")`: what is missing, also in the `absent` maps that have no such field.
    pub fn gaps(&self, absent: usize) -> String {
        let nil = self.nil + absent;
        let nil = (nil > 0).then(|| format!("{} nil", grouped(nil)));
        let missing = self.texts.missing.filter(|_| !self.texts.are_few());
        let missing = missing.map(|(text, count)| format!("{} {}", grouped(count), quoted(text)));
        let gaps: Vec<String> = [nil, missing].into_iter().flatten().collect();
        if gaps.is_empty() { String::new() } else { format!(" ({})", gaps.join(", ")) }
    }
}

impl<'v> Texts<'v> {
    fn add(&mut self, text: &'v str) {
        self.count += 1;
        if self.different.len() < MOST_DIFFERENT {
            self.different.insert(self.different.hasher().hash_one(text));
        }
        // Those of more than are listed need no numbers.
        if self.different.len() <= FEW {
            match self.few.iter_mut().find(|(known, _)| *known == text) {
                Some((_, count)) => *count += 1,
                None => self.few.push((text, 1)),
            }
        }
        if text.len() <= LONGEST_MISSING && MISSING.contains(&text) {
            self.missing = Some((self.missing.map_or(text, |(first, _)| first), self.missing.map_or(0, |it| it.1) + 1));
            return;
        }
        self.first.get_or_insert(text);
        if self.has_others || !is_date(text) {
            self.has_others = true;
            return;
        }
        let (first, last) = self.dates.unwrap_or((text, text));
        self.dates = Some((first.min(text), last.max(text)));
    }

    /// Whether all are listed: there are few different ones, and most occur more than once.
    fn are_few(&self) -> bool {
        self.different.len() <= FEW && self.count > 2 * self.different.len()
    }

    /// `"Bonn" 200 | "Ulm" 150`, `"2024-01-02".."2024-12-30"`, or the first one and how many are different.
    fn summary(&self, shown: impl Fn(&str) -> String) -> Option<String> {
        if self.are_few() {
            let mut few = self.few.clone();
            few.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let few: Vec<String> =
                few.iter().map(|(text, count)| format!("{} {}", shown(text), grouped(count))).collect();
            return (!few.is_empty()).then(|| few.join(" | "));
        }
        match self.dates.filter(|_| !self.has_others) {
            Some((first, last)) if first != last => return Some(format!("{}..{}", shown(first), shown(last))),
            _ => {}
        }
        let different = match self.different.len() {
            1 => return self.first.map(shown),
            all if all == self.count => "all different".to_owned(),
            MOST_DIFFERENT.. => "many different".to_owned(),
            some => format!("{} different", grouped(some)),
        };
        self.first.map(|first| format!("{} … {different}", shown(first)))
    }
}

/// A number for people: `10,000`.
pub fn grouped(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a text begins as ISO 8601 writes dates: `2024-03-01`.
fn is_date(text: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        text.as_bytes().get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let dash = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    digits(0..4) && dash(4) && digits(5..7) && dash(7) && digits(8..10) && text.len() <= 35
}

fn quoted(text: &str) -> String {
    shown(&Value::string(text))
}

pub(super) fn shown(value: &Value) -> String {
    let options = FormatOptions { printable_limit: Some(TEXT_CHARS), ..FormatOptions::sample() };
    format_within(value, &options, 2 * TEXT_CHARS).text
}

#[cfg(test)]
mod tests;
