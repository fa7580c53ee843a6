//! Values and the types of a signature: check, coerce, fold keys.

mod arguments;
mod coerce;
mod literal;
pub(super) mod rules;
mod spelling;
mod union;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use crate::signature::{Field, Literal, Type, kind_of};

use crate::error::advice::nearest;
use crate::error::{Error, Reason};
use crate::limits::meter::Meter;
use crate::value::{Map, Value, compare_numbers, escaped, number_value};

pub use arguments::InputChecks;
pub(crate) use arguments::{Parameters, ToolArguments, plain_arguments, tool_arguments};
pub use coerce::{coerce, respelled};
pub(crate) use literal::{Mistake, Written, mistakes};
pub use spelling::declared_keys;

#[cfg(test)]
mod tests;

/// The most findings that [`validate`] collects.
const MAX_FINDINGS: usize = 100;

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// A field.
    Name(String),
    /// An element.
    Index(usize),
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathStep::Name(name) => f.write_str(name),
            PathStep::Index(index) => write!(f, "{index}"),
        }
    }
}

/// Something noticed at a place inside a value.
///
/// Shown as `[rooms.1.no]: expected int, got string`; a finding about the value itself has no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// From the whole to the part; empty for the value itself.
    pub path: Vec<PathStep>,
    /// `expected int, got string`
    pub message: String,
}

impl Finding {
    /// The path with dots: `rooms.1.no`.
    #[must_use]
    pub fn path_text(&self) -> String {
        self.path.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = escaped(&self.message);
        if self.path.is_empty() {
            f.write_str(&message)
        } else {
            write!(f, "[{}]: {message}", escaped(&self.path_text()))
        }
    }
}

/// What to do with fields that a type does not declare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExtraFields {
    /// Let them pass.
    Allowed,
    /// Report each.
    Rejected,
}

/// Everything in `value` that does not fit `ty`, in the order of the declared fields. Empty when it fits.
///
/// - integers fit `:float`; dates, times and UUIDs fit `:string`; nothing is converted
/// - keys of `{:string -> …}` and `{:keyword -> …}` may be keywords or strings: JSON objects have both
/// - fields are found under keyword or string keys, `-` and `_` alike
/// - at most 100 findings
#[must_use]
pub fn validate(value: &Value, ty: &Type, extra: ExtraFields) -> Vec<Finding> {
    let mut checker = Checker { extra, path: Vec::new(), findings: Vec::new() };
    checker.check(value, ty);
    checker.findings
}

/// Everything in `map` that does not fit the declared fields, as [`validate`] does.
fn validate_fields(map: &Map, fields: &[Field], extra: ExtraFields) -> Vec<Finding> {
    let mut checker = Checker { extra, path: Vec::new(), findings: Vec::new() };
    checker.fields(map, fields);
    checker.findings
}

struct Checker<'t> {
    extra: ExtraFields,
    /// From the whole to the current place; names are copied only when there is something to report.
    path: Vec<Step<'t>>,
    findings: Vec<Finding>,
}

/// A [`PathStep`] whose name is borrowed from the type.
#[derive(Clone)]
enum Step<'t> {
    Name(&'t str),
    Key(Value),
    Index(usize),
}

impl From<Step<'_>> for PathStep {
    fn from(step: Step<'_>) -> PathStep {
        match step {
            Step::Name(name) => PathStep::Name(name.to_owned()),
            Step::Key(key) => PathStep::Name(key_name(&key)),
            Step::Index(index) => PathStep::Index(index),
        }
    }
}

impl<'t> Checker<'t> {
    fn check(&mut self, value: &Value, ty: &'t Type) {
        let fits = match ty {
            Type::Any | Type::JsonOrText => true,
            Type::Optional(inner) => {
                if !value.is_nil() {
                    self.check(value, inner);
                }
                true
            }
            Type::String => matches!(
                value,
                Value::Str(_) | Value::Date(_) | Value::Instant(_) | Value::Temporal(_) | Value::Uuid(_)
            ),
            Type::Int => matches!(value, Value::Int(_) | Value::Big(_)),
            Type::Float => value.is_number(),
            Type::Bool => matches!(value, Value::Bool(_)),
            Type::Keyword => matches!(value, Value::Keyword(_)),
            Type::Map => value.as_map().is_some(),
            Type::OneOf(values) => {
                if let Some(other) = not_one_of(value, values) {
                    self.report(other);
                }
                true
            }
            Type::List(element) => self.list(value, element),
            Type::Tuple(parts) => self.tuple(value, parts),
            Type::Ruled(inner, rules) => {
                let known = self.findings.len();
                self.check(value, inner);
                if let Some(broken) = rules::broken(value, rules).filter(|_| self.findings.len() == known) {
                    self.report_below(broken);
                }
                true
            }
            Type::MapOf(key, item) => self.map_of(value, key, item),
            Type::Record(fields) => self.record(value, fields),
            Type::Union(types) => {
                if union::fitting(value, types, self.extra).is_none() {
                    let findings = union::closest(value, types, self.extra);
                    findings.into_iter().for_each(|finding| self.report_below(finding));
                }
                true
            }
        };
        if !fits {
            self.report(format!("expected {}, got {}", wanted(ty), found(value)));
        }
    }

    fn list(&mut self, value: &Value, element: &'t Type) -> bool {
        let Some(items) = value.as_vector() else { return false };
        for (index, item) in items.iter().enumerate() {
            self.inside(Step::Index(index), |checker| checker.check(item, element));
        }
        true
    }

    fn tuple(&mut self, value: &Value, parts: &'t [Type]) -> bool {
        let Some(items) = value.as_vector() else { return false };
        if let Some(other) = other_length(items.len(), parts) {
            self.report(other);
        }
        for (index, (item, part)) in items.iter().zip(parts).enumerate() {
            self.inside(Step::Index(index), |checker| checker.check(item, part));
        }
        true
    }

    fn map_of(&mut self, value: &Value, key_type: &'t Type, item_type: &'t Type) -> bool {
        let Some(map) = value.as_map() else { return false };
        for (key, item) in map {
            self.inside(Step::Key(key.clone()), |checker| {
                if let Some(problem) = unfit_key(key, key_type) {
                    checker.report(problem);
                }
                checker.check(item, item_type);
            });
        }
        true
    }

    fn record(&mut self, value: &Value, fields: &'t [Field]) -> bool {
        value.as_map().map(|map| self.fields(map, fields)).is_some()
    }

    fn fields(&mut self, map: &Map, fields: &'t [Field]) {
        for field in fields {
            self.inside(Step::Name(&field.name), |checker| match field_of(map, &field.name) {
                Some((_, item)) => checker.check(item, &field.ty),
                None if field.ty.accepts_absent() => {}
                None => checker.report("required field is missing".to_owned()),
            });
        }
        if self.extra == ExtraFields::Rejected {
            self.undeclared(map, fields);
        }
    }

    fn undeclared(&mut self, map: &Map, fields: &[Field]) {
        for (key, _) in map {
            let name = key_name(key);
            if !fields.iter().any(|field| same_name(&field.name, &name)) {
                self.inside(Step::Key(key.clone()), |checker| checker.report("field is not declared".to_owned()));
            }
        }
    }

    fn inside(&mut self, step: Step<'t>, check: impl FnOnce(&mut Checker<'t>)) {
        if self.findings.len() < MAX_FINDINGS {
            self.path.push(step);
            check(self);
            self.path.pop();
        }
    }

    fn report(&mut self, message: String) {
        self.report_below(Finding { path: Vec::new(), message });
    }

    /// Report what was found below the current place.
    fn report_below(&mut self, Finding { path: below, message }: Finding) {
        if self.findings.len() < MAX_FINDINGS {
            let path = self.path.iter().cloned().map(PathStep::from).chain(below).collect();
            self.findings.push(Finding { path, message });
        }
    }
}

/// `-` in keyword keys becomes `_`, at the levels that `ty` declares.
///
/// String keys, the keys of a map type such as `{:string -> …}`, and everything below `:map` and `:any` stay as they
/// are. Errors with `validation_error` when two keys of a map become the same.
pub fn fold_keys(value: &Value, ty: &Type) -> Result<Value, Error> {
    match (value, ty.shape()) {
        (Value::Map(map), Type::Record(fields)) => fold_map(map, fields).map(|map| Value::Map(map.into_owned())),
        (Value::Map(map), Type::MapOf(_, item_type)) => {
            let folded = map.iter().map(|(key, item)| Ok((key.clone(), fold_keys(item, item_type)?)));
            folded.collect::<Result<Vec<_>, _>>().map(Value::map_from)
        }
        (_, Type::Union(types)) => match union::fitting(value, types, ExtraFields::Allowed) {
            Some(ty) => fold_keys(value, ty),
            None => Ok(value.clone()),
        },
        (Value::Vector(items), Type::List(element)) => {
            let folded = items.iter().map(|item| fold_keys(item, element));
            folded.collect::<Result<Vec<_>, _>>().map(Value::vector)
        }
        (Value::Vector(items), Type::Tuple(parts)) if items.len() == parts.len() => {
            let folded = items.iter().zip(parts).map(|(item, part)| fold_keys(item, part));
            folded.collect::<Result<Vec<_>, _>>().map(Value::vector)
        }
        _ => Ok(value.clone()),
    }
}

fn fold_map<'m>(map: &'m Map, fields: &[Field]) -> Result<Cow<'m, Map>, Error> {
    if is_folded(map, fields) {
        return Ok(Cow::Borrowed(map));
    }
    let mut meter = Meter::host();
    let mut folded = Map::new();
    for (key, item) in map {
        let name = key_text(key);
        let declared = name.as_deref().and_then(|name| fields.iter().find(|field| same_name(&field.name, name)));
        let item = declared.map_or_else(|| Ok(item.clone()), |field| fold_keys(item, &field.ty))?;
        let key = match key {
            Value::Keyword(name) if name.as_str().contains('-') => Value::keyword(&name.as_str().replace('-', "_")),
            other => other.clone(),
        };
        let twin = match &key {
            Value::Keyword(name) => folded.get_named(name.as_str()).is_some(),
            Value::Str(text) => folded.get_keyword(&text.as_str().into()).is_some(),
            _ => false,
        };
        if twin {
            let name = key_text(&key).unwrap_or_default();
            let dashed = name.replace('_', "-");
            let text = format!("two keys become \"{name}\" outside of the program: keep one of :{name} and :{dashed}");
            return Err(Error::new(Reason::ValidationError, text));
        }
        folded
            .insert(key, item, &mut meter)
            .map_err(|_| Error::new(Reason::NestingTooDeep, "a map key is nested too deep"))?;
    }
    Ok(Cow::Owned(folded))
}

/// Whether nothing in the map needs folding: the usual arguments of a tool.
fn is_folded(map: &Map, fields: &[Field]) -> bool {
    let has_levels = |item: &Value| matches!(item, Value::Map(_) | Value::Vector(_));
    map.iter().all(|(key, item)| match key {
        Value::Keyword(name) => !name.as_str().contains('-') && (fields.is_empty() || !has_levels(item)),
        _ => false,
    })
}

/// The entry of a declared field: keyword or string key, `-` and `_` alike.
fn field_of<'m>(map: &'m Map, name: &str) -> Option<(&'m Value, &'m Value)> {
    let exact = |key: &Value| matches!(key, Value::Keyword(known) if known.as_str() == name);
    map.iter()
        .find(|(key, _)| exact(key))
        .or_else(|| map.iter().find(|(key, _)| key_text(key).is_some_and(|text| same_name(name, &text))))
}

fn same_name(declared: &str, written: &str) -> bool {
    declared.len() == written.len()
        && declared
            .bytes()
            .zip(written.bytes())
            .all(|(one, other)| one == other || matches!((one, other), (b'-', b'_') | (b'_', b'-')))
}

/// A key as a step of a path.
fn key_name(key: &Value) -> String {
    key_text(key).unwrap_or_else(|| crate::value::shown(key))
}

/// Why a key has not this type. JSON objects get keyword keys where the name allows it, else string keys.
fn unfit_key(key: &Value, ty: &Type) -> Option<String> {
    let as_text = key_text(key).map(Value::string);
    match ty {
        Type::Optional(inner) => unfit_key(key, inner),
        Type::Ruled(inner, rules) => unfit_key(key, inner)
            .or_else(|| rules::broken(as_text.as_ref().unwrap_or(key), rules).map(|broken| broken.message)),
        Type::OneOf(values) => {
            let as_text = as_text.filter(|text| not_one_of(text, values).is_none());
            if as_text.is_some() { None } else { not_one_of(key, values) }
        }
        Type::Any => None,
        Type::String | Type::Keyword if as_text.is_some() => None,
        Type::String | Type::Keyword => Some(format!("expected {} key, got {}", wanted(ty), found(key))),
        other => validate(key, other, ExtraFields::Allowed)
            .first()
            .map(|_| format!("expected {} key, got {}", wanted(ty), found(key))),
    }
}

/// What is wrong with the length of a list that has these parts.
fn other_length(length: usize, parts: &[Type]) -> Option<String> {
    (length != parts.len()).then(|| format!("expected {} items, got {length}", parts.len()))
}

fn key_text(key: &Value) -> Option<String> {
    crate::value::key_name(key).map(str::to_owned)
}

/// The name of a type in messages.
fn wanted(ty: &Type) -> &'static str {
    match ty {
        Type::String => "string",
        Type::Int => "int",
        Type::Float => "float",
        Type::Bool => "bool",
        Type::Keyword => "keyword",
        Type::Any | Type::JsonOrText => "any",
        Type::Map | Type::MapOf(..) | Type::Record(_) => "map",
        Type::Optional(inner) | Type::Ruled(inner, _) => wanted(inner),
        Type::OneOf(values) => wanted(&kind_of(values)),
        Type::List(_) | Type::Tuple(_) => "list",
        Type::Union(_) => "one of several types",
    }
}

/// What is wrong with a value that is not in this set, in the spelling of the value; `None` when it is.
fn not_one_of(value: &Value, values: &[Literal]) -> Option<String> {
    let is_it = |literal: &Literal| match (literal, value) {
        (Literal::String(one), Value::Str(other)) => one == other.as_str(),
        (Literal::Keyword(one), Value::Keyword(other)) => one == other.as_str(),
        (Literal::Number(one), _) => compare_numbers(&number_value(one), value) == Some(Ordering::Equal),
        (Literal::Bool(one), Value::Bool(other)) => one == other,
        (Literal::Nil, value) => value.is_nil(),
        _ => false,
    };
    if values.iter().any(is_it) {
        return None;
    }
    // Keywords may be given as strings, and JSON has no others.
    let spelled = |literal: &Literal| match (literal, value) {
        (Literal::Keyword(_), Value::Str(_)) => literal.to_json().to_string(),
        _ => literal.to_string(),
    };
    let texts: Vec<String> = values.iter().map(spelled).collect();
    let written = crate::value::shown(value);
    let close = nearest(&written, texts.iter().map(String::as_str));
    let hint = close.map(|close| format!("; did you mean {close}?")).unwrap_or_default();
    let more = texts.len().saturating_sub(MAX_LISTED);
    let listed = texts.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    let rest = if more > 0 { format!(", ... ({more} more)") } else { String::new() };
    Some(format!("expected one of {listed}{rest}, got {written}{hint}"))
}

/// Values of a closed set that an error lists.
const MAX_LISTED: usize = 40;

/// The kind of a value in the words of signatures.
fn found(value: &Value) -> &'static str {
    match value {
        Value::Int(_) | Value::Big(_) => "int",
        Value::Float(_) => "float",
        Value::Bool(_) => "bool",
        Value::Vector(_) | Value::LazySeq(_) => "list",
        other => other.kind(),
    }
}
