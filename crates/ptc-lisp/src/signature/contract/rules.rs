//! Values and the rules of a parameter or field.

use std::cmp::Ordering;

use super::Finding;
use crate::limits::meter::Meter;
use crate::signature::{Limit, Limits, Measure, Rule};
use crate::value::{Pattern, Set, Value, compare_numbers, number, number_value, shown};

/// The first thing that breaks a rule, with the path to it from the value: `expected 1 to 50, got 51`.
///
/// Formats and other hints are not checked, and neither are patterns that our engine cannot hold: the tool decides.
pub(in crate::signature) fn broken(value: &Value, rules: &[Rule]) -> Option<Finding> {
    rules.iter().find_map(|rule| broken_by(value, rule))
}

fn broken_by(value: &Value, rule: &Rule) -> Option<Finding> {
    let found = match rule {
        Rule::Within(limits) => outside(value, limits)?,
        Rule::MultipleOf(step) => Some(shown(value)).filter(|_| !is_multiple(value, &number_value(step)))?,
        Rule::Distinct => format!("{} twice", shown(&repeated(value)?)),
        Rule::Matches(pattern) => Some(shown(value)).filter(|_| !matches(value, pattern))?,
        Rule::Hint(_) => return None,
    };
    let noun = if matches!(rule, Rule::Matches(_)) { "a text that " } else { "" };
    Some(Finding { path: Vec::new(), message: format!("expected {noun}{rule}, got {found}") })
}

/// What is outside of the limits, as the message says it.
fn outside(value: &Value, limits: &Limits) -> Option<String> {
    let size = |count: usize| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let measured = match (limits.of, value) {
        (Measure::Number, number) if number.is_number() => number.clone(),
        (Measure::Characters, Value::Str(text)) => size(text.as_str().chars().count()),
        (Measure::Items, Value::Vector(items)) => size(items.len()),
        (Measure::Entries, Value::Map(map)) => size(map.len()),
        _ => return None,
    };
    let is_beyond = |limit: &Option<Limit>, side: Ordering| {
        limit.as_ref().is_some_and(|limit| match compare_numbers(&measured, &number_value(&limit.number)) {
            Some(Ordering::Equal) => limit.is_excluded,
            other => other == Some(side),
        })
    };
    let is_outside = is_beyond(&limits.least, Ordering::Less) || is_beyond(&limits.most, Ordering::Greater);
    is_outside.then(|| match limits.of {
        Measure::Number => shown(value),
        _ => format!("{}: {}", shown(&measured), shown(value)),
    })
}

/// Whether a number is a multiple of the step, as far as floats can tell.
fn is_multiple(value: &Value, step: &Value) -> bool {
    let is_whole = |number: &Value| matches!(number, Value::Int(_) | Value::Big(_));
    if !value.is_number() {
        return true;
    }
    if is_whole(value) && is_whole(step) {
        let rest = number::rem(value, step, "", &mut Meter::host());
        return !matches!(rest, Ok(rest) if compare_numbers(&rest, &Value::Int(0)) != Some(Ordering::Equal));
    }
    let (Some(value), Some(step)) = (number::to_f64(value), number::to_f64(step)) else { return true };
    let times = value / step;
    !times.is_finite() || (times - times.round()).abs() <= 1e-9 * times.abs().max(1.0)
}

/// An element that a list has twice.
fn repeated(value: &Value) -> Option<Value> {
    let (items, mut meter) = (value.as_vector()?, Meter::host());
    let mut met = Set::new();
    items.iter().find(|item| matches!(met.insert((*item).clone(), &mut meter), Ok(false))).cloned()
}

fn matches(value: &Value, pattern: &str) -> bool {
    let Value::Str(text) = value else { return true };
    let Some(pattern) = translated(pattern).and_then(|pattern| Pattern::new(&pattern).ok()) else { return true };
    text.len() > pattern.stretch() || pattern.is_match(text.as_str())
}

/// A pattern in the dialect of JSON Schema (ECMA-262) as one of ours; `None` where they differ.
pub(in crate::signature) fn translated(pattern: &str) -> Option<String> {
    let mut made = String::with_capacity(pattern.len());
    let (mut is_in_class, mut rest) = (false, pattern.chars().peekable());
    while let Some(c) = rest.next() {
        match (c, is_in_class) {
            ('\\', _) => match rest.next()? {
                'd' => made.push_str("[0-9]"),
                'D' => made.push_str("[^0-9]"),
                'w' => made.push_str("[0-9A-Za-z_]"),
                'W' => made.push_str("[^0-9A-Za-z_]"),
                other => made.extend(['\\', other]),
            },
            // Nothing, and anything.
            ('[', false) if rest.peek() == Some(&']') => return None,
            ('[', false) => {
                made.push('[');
                is_in_class = true;
                if rest.next_if_eq(&'^').is_some() {
                    made.push('^');
                    if rest.peek() == Some(&']') {
                        return None;
                    }
                }
            }
            (']', true) => {
                made.push(']');
                is_in_class = false;
            }
            // Operators of our classes.
            ('[' | '&' | '~', true) => made.extend(['\\', c]),
            ('-', true) if rest.peek() == Some(&'-') => return None,
            _ => made.push(c),
        }
    }
    Some(made)
}
