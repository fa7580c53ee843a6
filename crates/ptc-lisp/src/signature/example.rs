//! Values of a type, as answers and inputs are shown.

#[cfg(test)]
mod tests;
mod texts;

use std::cell::Cell;

use serde_json::Value as Json;

use crate::limits::meter::Meter;
use crate::signature::contract::rules::broken;
use crate::signature::types::is_name;
use crate::signature::{Limit, Limits, Literal, Measure, Rule, Type};
use crate::value::{FormatOptions, Set, Value, format, number_value};

/// Elements and entries of an example: a longer one says no more.
const MOST: usize = 20;

/// Values that are made for one example, also those that it then has no place for: the type may be one of a foreign server, with
/// lists of many lists of many lists.
const VALUES: u32 = 10_000;

impl Type {
    /// A value of this type in Clojure notation, as the Expected Output section shows it: `{:total 3.14, :rooms []}`.
    ///
    /// - it is a value of the type and keeps its rules, where those can be kept by fewer than 20 elements or entries, lists of
    ///   lists have a few thousand values at most, and a pattern is one of ours
    /// - a list has elements where these say more than their type: values of sets, rules, places of a tuple
    ///
    /// ```
    /// use ptc_lisp::signature::Type;
    ///
    /// let example = |text: &str| Type::parse(text).unwrap().example();
    /// assert_eq!(example("{day :string (date), stars :int (1 to 5)}"), r#"{:day "2024-03-01", :stars 1}"#);
    /// assert_eq!(example(r#"[:string (matches "^[A-Z]{2}-[0-9]+$"), :float?]"#), r#"["AA-0" 3.14]"#);
    /// ```
    pub fn example(&self) -> String {
        written(&Examples::new(Value::string("..."), false).of(self, 0))
    }

    /// A value of this type as JSON; lists have an element, and what can be anything is an object.
    pub fn example_json(&self) -> Json {
        let example = Examples::new(Value::map_from([]), true).of(self, 0);
        example.to_json().unwrap_or_default()
    }
}

struct Examples {
    /// What stands for anything.
    any: Value,
    /// Whether lists have elements that say no more than their type.
    fills_lists: bool,
    /// Values that may still be made.
    left: Cell<u32>,
}

impl Examples {
    fn new(any: Value, fills_lists: bool) -> Examples {
        Examples { any, fills_lists, left: Cell::new(VALUES) }
    }

    /// The example of this number: others are other values, as far as the type has them.
    fn of(&self, ty: &Type, number: usize) -> Value {
        let Some(left) = self.left.get().checked_sub(1) else { return Value::Nil };
        self.left.set(left);
        match ty {
            Type::Optional(inner) => self.of(inner, number),
            Type::Ruled(inner, rules) => self.ruled(inner, rules, number),
            Type::Any | Type::JsonOrText if number == 0 => self.any.clone(),
            Type::List(element) => self.list(element, &[], number),
            Type::Tuple(parts) => Value::vector(parts.iter().map(|part| self.of(part, number)).collect()),
            Type::MapOf(key, value) => self.map_of(key, value, &[], number),
            Type::Record(fields) => Value::map_from(
                fields.iter().filter(|field| !(field.ty.accepts_absent() && is_open(&field.ty))).map(|field| {
                    let is_name = is_name(&field.name);
                    let key = if is_name { Value::keyword(&field.name) } else { Value::string(field.name.as_str()) };
                    (key, self.of(&field.ty, number))
                }),
            ),
            Type::OneOf(values) => nth(values, number).map_or(Value::Nil, |(value, _)| literal(value)),
            Type::Union(types) => nth(types, number).map_or(Value::Nil, |(ty, number)| self.of(ty, number)),
            Type::Map => Value::map_from((0..number).map(|at| (Value::keyword(&named("key", at)), Value::Int(42)))),
            scalar => plain(scalar, number),
        }
    }

    fn ruled(&self, ty: &Type, rules: &[Rule], number: usize) -> Value {
        let fitting = |candidates: Vec<Value>| {
            let first = candidates.first().cloned();
            let mut kept = candidates.into_iter().filter(|value| broken(value, rules).is_none());
            kept.nth(number).or(first)
        };
        let made = match ty {
            Type::List(element) => Some(self.list(element, rules, number)),
            Type::MapOf(key, value) => Some(self.map_of(key, value, rules, number)),
            Type::Map => {
                let key = |at| (Value::keyword(&named("key", at)), Value::Int(42));
                Some(Value::map_from((0..count(rules, Measure::Entries, 0) + number).map(key)))
            }
            Type::String => fitting(texts::candidates(rules, number)),
            Type::Int => fitting(numbers(rules, number, true)),
            Type::Float => fitting(numbers(rules, number, false)),
            Type::OneOf(values) => fitting(values.iter().map(literal).collect()),
            _ => None,
        };
        made.unwrap_or_else(|| self.of(ty, number))
    }

    fn list(&self, element: &Type, rules: &[Rule], number: usize) -> Value {
        let usual = if (self.fills_lists && !is_open(element)) || says_more(element) {
            element.required().alternatives().len()
        } else {
            0
        };
        let (length, is_distinct) = (count(rules, Measure::Items, usual), rules.contains(&Rule::Distinct));
        let (mut items, mut met) = (Vec::new(), Met::default());
        let numbers = (0..).map(|at| at + number).take(4 * MOST);
        for item in numbers.map(|at| self.of(element, if is_distinct { at } else { at % usual.max(1) + number })) {
            if items.len() == length {
                break;
            }
            if !is_distinct || met.is_new(&item) {
                items.push(item);
            }
        }
        Value::vector(items)
    }

    fn map_of(&self, key: &Type, value: &Type, rules: &[Rule], number: usize) -> Value {
        let length = count(rules, Measure::Entries, usize::from(!is_open(value)));
        let entries = (0..4 * MOST).map(|at| (self.key(key, at + number), self.of(value, number)));
        let (mut made, mut met) = (Vec::new(), Met::default());
        for entry in entries {
            if made.len() == length {
                break;
            }
            if met.is_new(&entry.0) {
                made.push(entry);
            }
        }
        Value::map_from(made)
    }

    fn key(&self, ty: &Type, number: usize) -> Value {
        match ty.required() {
            Type::String => Value::string(named("key", number)),
            Type::Keyword | Type::Any => Value::keyword(&named("key", number)),
            other => self.of(other, number),
        }
    }
}

/// The value of this place, where they begin again after the last; and how often they did.
fn nth<T>(values: &[T], number: usize) -> Option<(&T, usize)> {
    let rounds = number.checked_div(values.len())?;
    Some((values.get(number % values.len())?, rounds))
}

/// `key`, `key2`, …
fn named(name: &str, number: usize) -> String {
    if number == 0 { name.to_owned() } else { format!("{name}{}", number + 1) }
}

#[allow(clippy::approx_constant, reason = "an example, not the circle")]
fn plain(ty: &Type, number: usize) -> Value {
    let step = i64::try_from(number).unwrap_or_default();
    match ty {
        Type::Int => Value::Int(42 + step),
        Type::Float => Value::Float(3.14 + step as f64),
        Type::Bool => Value::Bool(number.is_multiple_of(2)),
        Type::Keyword => Value::keyword(&named("ok", number)),
        _ => Value::string(named("result", number)),
    }
}

fn literal(literal: &Literal) -> Value {
    match literal {
        Literal::String(text) => Value::string(text.as_str()),
        Literal::Keyword(name) => Value::keyword(name),
        Literal::Number(number) => number_value(number),
        Literal::Bool(flag) => Value::Bool(*flag),
        Literal::Nil => Value::Nil,
    }
}

/// How many elements or entries an example has: as many as usual, within the limits.
fn count(rules: &[Rule], of: Measure, usual: usize) -> usize {
    limits(rules, of).fold(usual, |count, limits| {
        let sized = |number: f64| if number > MOST as f64 { MOST } else { number.max(0.0) as usize };
        let (least, most) = bounds(limits);
        let least = least.map_or(0, |least| sized(least.ceil()));
        count.max(least).min(most.map_or(MOST, |most| sized(most.floor())))
    })
}

fn limits(rules: &[Rule], of: Measure) -> impl Iterator<Item = &Limits> {
    rules.iter().filter_map(move |rule| match rule {
        Rule::Within(limits) if limits.of == of => Some(limits),
        _ => None,
    })
}

/// The limits as floats.
fn bounds(limits: &Limits) -> (Option<f64>, Option<f64>) {
    let bound = |limit: &Option<Limit>| limit.as_ref().and_then(|limit| limit.number.as_f64());
    (bound(&limits.least), bound(&limits.most))
}

/// Numbers among which one keeps the rules: the usual one, those near limits, and multiples.
fn numbers(rules: &[Rule], number: usize, is_whole: bool) -> Vec<Value> {
    let steps = || (0..=number + 1).map(|at| at as f64);
    let mut found = Vec::new();
    let step = rules.iter().find_map(|rule| if let Rule::MultipleOf(step) = rule { step.as_f64() } else { None });
    let usual = if let Value::Float(usual) = plain(&Type::Float, 0) { usual } else { 0.0 };
    let near: Vec<f64> = std::iter::once(if is_whole { 42.0 } else { usual })
        .chain(limits(rules, Measure::Number).flat_map(|limits| {
            let (least, most) = bounds(limits);
            let middle = least.zip(most).map(|(least, most)| least / 2.0 + most / 2.0);
            [least, middle, most].into_iter().flatten()
        }))
        .collect();
    for near in near {
        let size = step.map_or(1.0, f64::abs);
        let first = step.map_or(near, |_| (near / size).ceil() * size);
        found.extend(steps().flat_map(|at| [first + at * size, first - at * size]));
        if !is_whole && step.is_none() {
            found.extend(steps().flat_map(|at| [near + at / 100.0, near - at / 100.0]));
        }
    }
    // The limits themselves, which floats may not hold.
    let exact = limits(rules, Measure::Number).flat_map(|limits| [&limits.least, &limits.most]).flatten();
    let exact = exact.map(|limit| number_value(&limit.number));
    let as_value = |number: f64| match is_whole {
        true => whole(number.ceil()),
        false => number.is_finite().then_some(Value::Float(number)),
    };
    let exact = exact.filter(|value| !is_whole || !matches!(value, Value::Float(_)));
    let mut met = Met::default();
    found.into_iter().filter_map(as_value).chain(exact).filter(|value| met.is_new(value)).collect()
}

/// The values so far.
#[derive(Default)]
struct Met(Set);

impl Met {
    fn is_new(&mut self, value: &Value) -> bool {
        matches!(self.0.insert(value.clone(), &mut Meter::host()), Ok(true))
    }
}

fn whole(number: f64) -> Option<Value> {
    (number.abs() < 9e15).then_some(Value::Int(number as i64))
}

/// Whether nothing is known of its values: it may be a type inside itself, of which no short example is one.
fn is_open(ty: &Type) -> bool {
    matches!(ty.shape(), Type::Map | Type::Any | Type::JsonOrText)
}

/// Whether an element says more than its type: a model would make others up.
fn says_more(ty: &Type) -> bool {
    match ty {
        Type::OneOf(_) | Type::Tuple(_) => true,
        Type::Ruled(inner, rules) => rules.iter().any(|rule| !rule.is_unlisted()) || says_more(inner),
        Type::Optional(inner) | Type::List(inner) => says_more(inner),
        Type::MapOf(key, value) => says_more(key) || says_more(value),
        Type::Record(fields) => fields.iter().any(|field| says_more(&field.ty)),
        Type::Union(types) => types.iter().any(says_more),
        _ => false,
    }
}

/// As programs write it, with commas between entries.
fn written(value: &Value) -> String {
    match value {
        Value::Map(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{} {}", written(key), written(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Vector(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(" ")),
        Value::Str(text) => Json::from(text.as_str()).to_string(),
        other => format(other, &FormatOptions { hide: false, ..FormatOptions::full() }).text,
    }
}
