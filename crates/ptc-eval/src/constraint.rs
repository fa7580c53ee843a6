//! What an answer must be: its kind, and what holds of it.

#[cfg(test)]
mod tests;

use std::fmt;

use ptc_lisp::signature::{ExtraFields, Signature, Type, validate};
use ptc_lisp::text::shortened;
use ptc_lisp::{Ending, Import, Outcome, Session, SessionOptions, Value, no_tools, problems_text};
use regex::Regex;
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
    /// True or false.
    Boolean,
}

impl Kind {
    /// All of them by name.
    pub const ALL: [(&'static str, Kind); 6] = [
        ("integer", Kind::Integer),
        ("number", Kind::Number),
        ("string", Kind::String),
        ("list", Kind::List),
        ("map", Kind::Map),
        ("boolean", Kind::Boolean),
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
            Kind::Boolean => "boolean",
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
            Kind::Boolean => "true or false",
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
            Kind::Boolean => Type::Bool,
        };
        Signature::new(None, result)
    }

    /// The kind of the answers of a type; `None` where they may be of several.
    pub(crate) fn of_type(ty: &Type) -> Option<Kind> {
        Some(match ty.to_json_schema().get("type")?.as_str()? {
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "string" => Kind::String,
            "array" => Kind::List,
            "object" => Kind::Map,
            "boolean" => Kind::Boolean,
            _ => return None,
        })
    }

    /// The kind of a value.
    pub(crate) fn of(value: &Json) -> Option<Kind> {
        Some(match value {
            Json::Null => return None,
            Json::Bool(_) => Kind::Boolean,
            Json::Number(number) if number.is_f64() => Kind::Number,
            Json::Number(_) => Kind::Integer,
            Json::String(_) => Kind::String,
            Json::Array(_) => Kind::List,
            Json::Object(_) => Kind::Map,
        })
    }

    /// Whether the answer, in its plain JSON form, is of this kind; the error says what kind it is instead.
    pub fn judge(self, answer: &Json) -> Result<(), String> {
        let fits = match self {
            Kind::Integer => answer.as_number().is_some_and(|number| !number.is_f64()),
            Kind::Number => answer.is_number(),
            Kind::String => answer.is_string(),
            Kind::List => answer.is_array(),
            Kind::Map => answer.is_object(),
            Kind::Boolean => answer.is_boolean(),
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
    /// It is this value, and none of its numbers is further away than this.
    Within(Json, Number),
    /// It is a list of these elements, in any order and as often as it likes.
    Set(Vec<Json>),
    /// It is a text in which each of these is, or a list that has each of these elements.
    Contains(Vec<Json>),
    /// It is a text in which this regular expression is found.
    Matches(String),
    /// It is of this type.
    Schema(Type),
    /// This program, which reads it as `data/answer`, has a true value.
    Program(String),
    /// One of these does not hold.
    Not(Vec<Constraint>),
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
    pub const NAMES: [&'static str; 16] = [
        "eq",
        "set",
        "contains",
        "matches",
        "schema",
        "program",
        "not",
        "gt",
        "gte",
        "lt",
        "between",
        "length",
        "gt_length",
        "starts_with",
        "one_of",
        "has_keys",
    ];

    /// Whether it holds of an answer in its plain JSON form; the error says what was wanted and what was found:
    /// `wanted 1..100, got 101`.
    pub fn judge(&self, answer: &Json) -> Result<(), String> {
        match self {
            Constraint::HasKeys(keys) => return has_keys(keys, answer),
            Constraint::Schema(ty) => return of_type(ty, answer),
            Constraint::Program(source) => return run(source, answer),
            _ => {}
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
            Constraint::Eq(wanted) => same(wanted, answer, 0.0),
            Constraint::Within(wanted, most) => same(wanted, answer, most.as_f64().unwrap_or_default()),
            Constraint::Set(wanted) => answer.as_array().is_some_and(|answer| {
                wanted.iter().all(|wanted| holds(answer, wanted)) && answer.iter().all(|one| holds(wanted, one))
            }),
            Constraint::Contains(wanted) => wanted.iter().all(|wanted| contains(answer, wanted)),
            Constraint::Matches(pattern) => {
                answer.as_str().is_some_and(|text| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)))
            }
            Constraint::Not(constraints) => constraints.iter().any(|one| one.judge(answer).is_err()),
            Constraint::Schema(ty) => of_type(ty, answer).is_ok(),
            Constraint::Program(source) => run(source, answer).is_ok(),
            Constraint::Gt(limit) => compares(limit, |number, limit| number > limit),
            Constraint::Gte(limit) => compares(limit, |number, limit| number >= limit),
            Constraint::Lt(limit) => compares(limit, |number, limit| number < limit),
            Constraint::Between(low, high) => {
                compares(low, |number, low| number >= low) && compares(high, |number, high| number <= high)
            }
            Constraint::Length(wanted) => length == Some(*wanted),
            Constraint::GtLength(limit) => length.is_some_and(|length| length > *limit),
            Constraint::StartsWith(start) => answer.as_str().is_some_and(|text| text.starts_with(start)),
            Constraint::OneOf(choices) => holds(choices, answer),
            Constraint::HasKeys(keys) => has_keys(keys, answer).is_ok(),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constraint::Eq(wanted) => f.write_str(&quoted(wanted)),
            Constraint::Within(wanted, most) => write!(f, "{} ± {most}", quoted(wanted)),
            Constraint::Set(wanted) => write!(f, "the elements {}", listed(wanted)),
            Constraint::Contains(wanted) => write!(f, "something with {}", listed(wanted)),
            Constraint::Matches(pattern) => write!(f, "a text that matches {pattern:?}"),
            Constraint::Schema(ty) => write!(f, "{ty}"),
            Constraint::Program(source) => write!(f, "a true value of {}", shortened(source, MAX_QUOTE)),
            Constraint::Not(constraints) => {
                let parts: Vec<String> = constraints.iter().map(ToString::to_string).collect();
                write!(f, "not ({})", parts.join(", "))
            }
            Constraint::Gt(limit) => write!(f, "> {limit}"),
            Constraint::Gte(limit) => write!(f, ">= {limit}"),
            Constraint::Lt(limit) => write!(f, "< {limit}"),
            Constraint::Between(low, high) => write!(f, "{low}..{high}"),
            Constraint::Length(wanted) => write!(f, "a list of length {wanted}"),
            Constraint::GtLength(limit) => write!(f, "a list longer than {limit}"),
            Constraint::StartsWith(start) => write!(f, "a text that starts with {start:?}"),
            Constraint::OneOf(choices) => write!(f, "one of {}", listed(choices)),
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

/// Whether a list has this value.
fn holds(list: &[Json], wanted: &Json) -> bool {
    list.iter().any(|one| same(one, wanted, 0.0))
}

/// Whether a text has this part, or a list this element.
fn contains(answer: &Json, wanted: &Json) -> bool {
    match (answer, wanted) {
        (Json::String(text), Json::String(part)) => text.contains(part.as_str()),
        (Json::String(text), part) => text.contains(&part.to_string()),
        (Json::Array(items), wanted) => holds(items, wanted),
        _ => false,
    }
}

fn of_type(ty: &Type, answer: &Json) -> Result<(), String> {
    match validate(&Import::uncounted().value(answer.clone()), ty, ExtraFields::Rejected).first() {
        None => Ok(()),
        Some(finding) => Err(format!("wanted {ty}, got {}: {finding}", quoted(answer))),
    }
}

/// Whether a program has a true value with this answer under `data/answer`.
fn run(source: &str, answer: &Json) -> Result<(), String> {
    let answered = Import::uncounted().value(answer.clone());
    let data = Value::map_from([(Value::keyword("answer"), answered)]).as_map().cloned().unwrap_or_default();
    let mut session = Session::new(SessionOptions { data, ..SessionOptions::default() });
    let outcome = session.run(source, &mut no_tools);
    match outcome.value() {
        Some(Value::Nil | Value::Bool(false)) => {
            Err(format!("the program {} is not true of {}", shortened(source, MAX_QUOTE), quoted(answer)))
        }
        Some(_) => Ok(()),
        None => Err(format!("the program {} failed: {}", shortened(source, MAX_QUOTE), why(&outcome))),
    }
}

/// What is wrong with a program before it runs.
pub(crate) fn checked(source: &str) -> Result<(), String> {
    let data = Value::map_from([(Value::keyword("answer"), Value::Nil)]).as_map().cloned().unwrap_or_default();
    let session = Session::new(SessionOptions { data, ..SessionOptions::default() });
    session.check(source).map(drop).map_err(|problems| problems_text(&problems))
}

/// Why a program has no value.
fn why(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Fail(value) => value.to_string(),
        _ => problems_text(outcome.problems()),
    }
}

/// Equality of values, where numbers are equal when they differ by `most` or less.
///
/// The value was written as JSON before, so its nesting is bounded.
fn same(wanted: &Json, answer: &Json, most: f64) -> bool {
    match (wanted, answer) {
        (Json::Number(wanted), Json::Number(answer)) => {
            let far = wanted.as_f64().zip(answer.as_f64()).map(|(wanted, answer)| (wanted - answer).abs());
            wanted == answer || far.is_some_and(|far| far <= most)
        }
        (Json::Array(wanted), Json::Array(answer)) => {
            wanted.len() == answer.len() && wanted.iter().zip(answer).all(|(wanted, answer)| same(wanted, answer, most))
        }
        (Json::Object(wanted), Json::Object(answer)) => {
            wanted.len() == answer.len()
                && wanted.iter().all(|(key, wanted)| answer.get(key).is_some_and(|answer| same(wanted, answer, most)))
        }
        _ => wanted == answer,
    }
}

fn listed(values: &[Json]) -> String {
    values.iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// JSON on one line, cut where it is long.
pub(crate) fn quoted(value: &Json) -> String {
    shortened(&value.to_string(), MAX_QUOTE).into_owned()
}
