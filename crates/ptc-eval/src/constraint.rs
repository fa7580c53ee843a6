//! What an answer must be: its kind, and what holds of it.

#[cfg(test)]
mod tests;

use std::fmt;

use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::text::shortened;
use serde_json::{Number, Value as Json};

/// Characters of an answer that an error quotes.
const MAX_QUOTE: usize = 120;

/// The kind of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A text; keywords count as their names.
    String,
    /// A list or set.
    List,
    /// A map.
    Map,
}

impl Kind {
    /// All of them by name.
    pub const ALL: [(&'static str, Kind); 5] = [
        ("integer", Kind::Integer),
        ("number", Kind::Number),
        ("string", Kind::String),
        ("list", Kind::List),
        ("map", Kind::Map),
    ];

    /// Its name in suites.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::List => "list",
            Kind::Map => "map",
        }
    }

    /// What a model that answers with JSON must write.
    pub(crate) fn as_json(self) -> &'static str {
        match self {
            Kind::Integer => "a whole number",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::List => "an array",
            Kind::Map => "an object",
        }
    }

    /// The signature of an agent whose case declares none; inputs stay undeclared.
    #[must_use]
    pub fn signature(self) -> Signature {
        let result = match self {
            Kind::Integer => Type::Int,
            Kind::Number => Type::Float,
            Kind::String => Type::String,
            Kind::List => Type::List(Box::new(Type::Any)),
            Kind::Map => Type::Map,
        };
        Signature::new(None, result)
    }

    /// Whether the answer, in its plain JSON form, is of this kind; the error says what kind it is instead.
    pub fn judge(self, answer: &Json) -> Result<(), String> {
        let fits = match self {
            Kind::Integer => answer.as_number().is_some_and(|number| !number.is_f64()),
            Kind::Number => answer.is_number(),
            Kind::String => answer.is_string(),
            Kind::List => answer.is_array(),
            Kind::Map => answer.is_object(),
        };
        if fits { Ok(()) } else { Err(format!("wanted {self}, got {}", quoted(answer))) }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Kind::Integer { "an " } else { "a " })?;
        f.write_str(self.as_str())
    }
}

/// One thing that must hold of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// It is this value; 5 and 5.0 are the same, the order of keys does not matter.
    Eq(Json),
    /// It is a number above this one.
    Gt(Number),
    /// It is this number or a larger one.
    Gte(Number),
    /// It is a number below this one.
    Lt(Number),
    /// It is a number from the first to the second, both included.
    Between(Number, Number),
    /// It is a list of this length.
    Length(usize),
    /// It is a longer list.
    GtLength(usize),
    /// It is a text that begins with this.
    StartsWith(String),
    /// It is one of these values.
    OneOf(Vec<Json>),
    /// It is a map that has these keys.
    HasKeys(Vec<String>),
}

impl Constraint {
    /// The names of all constraints in suites.
    pub const NAMES: [&'static str; 10] =
        ["eq", "gt", "gte", "lt", "between", "length", "gt_length", "starts_with", "one_of", "has_keys"];

    /// Whether it holds of an answer in its plain JSON form; the error says what was wanted and what was found:
    /// `wanted 1..100, got 101`.
    pub fn judge(&self, answer: &Json) -> Result<(), String> {
        if let Constraint::HasKeys(keys) = self {
            return has_keys(keys, answer);
        }
        if self.holds(answer) {
            return Ok(());
        }
        Err(match (self, answer) {
            (Constraint::Length(_) | Constraint::GtLength(_), Json::Array(items)) => {
                format!("wanted {self}, got {}: {}", items.len(), quoted(answer))
            }
            _ => format!("wanted {self}, got {}", quoted(answer)),
        })
    }

    fn holds(&self, answer: &Json) -> bool {
        let number = answer.as_f64();
        let compares = |limit: &Number, holds: fn(f64, f64) -> bool| {
            number.zip(limit.as_f64()).is_some_and(|(number, limit)| holds(number, limit))
        };
        let length = answer.as_array().map(Vec::len);
        match self {
            Constraint::Eq(wanted) => same(wanted, answer),
            Constraint::Gt(limit) => compares(limit, |number, limit| number > limit),
            Constraint::Gte(limit) => compares(limit, |number, limit| number >= limit),
            Constraint::Lt(limit) => compares(limit, |number, limit| number < limit),
            Constraint::Between(low, high) => {
                compares(low, |number, low| number >= low) && compares(high, |number, high| number <= high)
            }
            Constraint::Length(wanted) => length == Some(*wanted),
            Constraint::GtLength(limit) => length.is_some_and(|length| length > *limit),
            Constraint::StartsWith(start) => answer.as_str().is_some_and(|text| text.starts_with(start)),
            Constraint::OneOf(choices) => choices.iter().any(|choice| same(choice, answer)),
            Constraint::HasKeys(keys) => has_keys(keys, answer).is_ok(),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constraint::Eq(wanted) => f.write_str(&quoted(wanted)),
            Constraint::Gt(limit) => write!(f, "> {limit}"),
            Constraint::Gte(limit) => write!(f, ">= {limit}"),
            Constraint::Lt(limit) => write!(f, "< {limit}"),
            Constraint::Between(low, high) => write!(f, "{low}..{high}"),
            Constraint::Length(wanted) => write!(f, "a list of length {wanted}"),
            Constraint::GtLength(limit) => write!(f, "a list longer than {limit}"),
            Constraint::StartsWith(start) => write!(f, "a text that starts with {start:?}"),
            Constraint::OneOf(choices) => {
                let choices: Vec<String> = choices.iter().map(quoted).collect();
                write!(f, "one of {}", choices.join(", "))
            }
            Constraint::HasKeys(keys) => write!(f, "a map with {}", keys.join(", ")),
        }
    }
}

fn has_keys(keys: &[String], answer: &Json) -> Result<(), String> {
    let wanted = Constraint::HasKeys(keys.to_vec());
    let Some(map) = answer.as_object() else { return Err(format!("wanted {wanted}, got {}", quoted(answer))) };
    let missing: Vec<&str> = keys.iter().filter(|key| !map.contains_key(*key)).map(String::as_str).collect();
    match missing.as_slice() {
        [] => Ok(()),
        missing => Err(format!("wanted {wanted}, {} missing in {}", missing.join(", "), quoted(answer))),
    }
}

/// Equality of values, where numbers are equal when they have the same value.
///
/// The value was written as JSON before, so its nesting is bounded.
fn same(wanted: &Json, answer: &Json) -> bool {
    match (wanted, answer) {
        (Json::Number(wanted), Json::Number(answer)) => wanted == answer || wanted.as_f64() == answer.as_f64(),
        (Json::Array(wanted), Json::Array(answer)) => {
            wanted.len() == answer.len() && wanted.iter().zip(answer).all(|(wanted, answer)| same(wanted, answer))
        }
        (Json::Object(wanted), Json::Object(answer)) => {
            wanted.len() == answer.len()
                && wanted.iter().all(|(key, wanted)| answer.get(key).is_some_and(|answer| same(wanted, answer)))
        }
        _ => wanted == answer,
    }
}

/// JSON on one line, cut where it is long.
pub(crate) fn quoted(value: &Json) -> String {
    shortened(&value.to_string(), MAX_QUOTE).into_owned()
}
