//! Texts that keep rules: of a format, a length, a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::{bounds, limits, named};
use crate::signature::contract::rules::translated;
use crate::signature::formats::FORMATS;
use crate::signature::{Measure, Rule};
use crate::value::Value;

/// Characters of a text that is made for a length.
const MOST: f64 = 1_000.0;

/// Parts of a pattern that an example may have.
const STEPS: u32 = 1_000;

/// How often a part of a pattern is repeated beyond the least.
const MORE: u32 = 24;

/// Texts among which one keeps the rules, and others for further numbers.
pub(super) fn candidates(rules: &[Rule], number: usize) -> Vec<Value> {
    let digits = || (0..=number).map(|at| (at % 9 + 1).to_string());
    let mut found: Vec<String> = Vec::new();
    for rule in rules {
        match rule {
            Rule::Hint(name) => {
                let known = FORMATS.iter().find(|(known, _)| known == name);
                found.extend(known.into_iter().flat_map(|(_, text)| digits().map(|digit| text.replace('#', &digit))));
            }
            Rule::Matches(pattern) => found.extend(matching(pattern)),
            _ => {}
        }
    }
    found.extend((0..=number).map(|at| named("result", at)));
    found.extend(limits(rules, Measure::Characters).flat_map(|limits| {
        let (least, most) = bounds(limits);
        [least, most].into_iter().flatten().filter(|size| (0.0..=MOST).contains(size)).flat_map(|size| {
            let letters = ('a'..='z').take(number + 1);
            letters.flat_map(move |letter| of_length(letter, size.ceil() as usize))
        })
    }));
    found.into_iter().map(Value::string).collect()
}

/// Texts of about this length.
fn of_length(letter: char, size: usize) -> [String; 3] {
    let usual: String = "result ".chars().cycle().take(size).collect();
    [usual, letter.to_string().repeat(size), letter.to_string().repeat(size + 1)]
}

/// Texts that match a pattern in the dialect of JSON Schema, the shortest first.
fn matching(pattern: &str) -> Vec<String> {
    let read = translated(pattern).and_then(|pattern| regex_syntax::parse(&pattern).ok());
    let Some(read) = read else { return Vec::new() };
    let mut found = Vec::new();
    for more in 0..=MORE {
        let mut made = Made { text: String::new(), left: STEPS };
        if made.write(&read, more).is_some() && !found.contains(&made.text) {
            found.push(made.text);
        }
    }
    found
}

/// What a part of a pattern matches.
struct Made {
    text: String,
    /// Parts that may still be written: a server's pattern may repeat nothing a billion times.
    left: u32,
}

impl Made {
    /// Append a part, with this many repetitions more than the least. `None` when it matches nothing, or only something long.
    fn write(&mut self, part: &Hir, more: u32) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        match part.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.text.push_str(std::str::from_utf8(&literal.0).ok()?),
            HirKind::Class(class) => self.text.push(shown_character(class)?),
            HirKind::Repetition(repeated) => {
                let times = repeated.min.saturating_add(more).min(repeated.max.unwrap_or(u32::MAX));
                (0..times).try_for_each(|_| self.write(&repeated.sub, 0))?;
            }
            HirKind::Capture(group) => self.write(&group.sub, more)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part, more))?,
            HirKind::Alternation(parts) => self.write(parts.first()?, more)?,
        }
        Some(())
    }
}

/// A character of a class: a letter or digit if it has one.
fn shown_character(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let has = |c: &char| ranges.iter().any(|(first, last)| (*first..=*last).contains(c));
    let plain = ('a'..='z').chain('A'..='Z').chain('0'..='9').find(has);
    plain.or_else(|| ranges.first().map(|(first, _)| *first))
}
