//! Lenient coercion of inputs to their declared types.

use crate::signature::{Field, Literal, Type, kind_of};

use super::rules::broken;
use super::union::{fitting, meant};
use super::{
    ExtraFields, Finding, PathStep, field_of, key_name, key_text, not_one_of, other_length, unfit_key, validate, wanted,
};
use crate::limits::meter::Meter;
use crate::parse::is_keyword_name;
use crate::value::{Map, Value, number, shown};

/// `value` as a `ty`, with a finding for each coercion that was not silent.
///
/// - numeric strings become numbers, `"true"` and `"false"` booleans, strings keywords
/// - string keys of `{:int -> …}` become integers, as values do
/// - keywords and symbols become strings, integers become floats and sets lists silently; undeclared fields are kept
///
/// Errors with the first thing that cannot be coerced.
pub fn coerce(value: &Value, ty: &Type) -> Result<(Value, Vec<Finding>), Finding> {
    let mut coercer = Coercer { path: Vec::new(), notes: Vec::new() };
    let value = coercer.value(value, ty)?;
    Ok((value, coercer.notes))
}

/// The value in the spelling of its type, at all declared levels: keywords and texts as the type has them, and lists for sets.
/// What fits no spelling stays; numbers are not converted.
///
/// Arguments, results of tools and answers are spelled by the same rules. [`coerce`] also reads numbers in texts.
///
/// ```
/// use ptc_lisp::Value;
/// use ptc_lisp::signature::{Type, respelled};
///
/// let ty = Type::parse(r#"{level #{"low" "high"}, tags [:keyword]}"#).unwrap();
/// let value = Value::map_from([
///     (Value::keyword("level"), Value::keyword("low")),
///     (Value::keyword("tags"), Value::set_from([Value::string("new")]).unwrap()),
/// ]);
/// assert_eq!(respelled(&value, &ty).to_string(), r#"{:level "low" :tags [:new]}"#);
/// ```
#[must_use]
pub fn respelled(value: &Value, ty: &Type) -> Value {
    let spelled = spelled(value, ty.shape());
    let value = spelled.as_ref().unwrap_or(value);
    match (ty.shape(), value) {
        (Type::List(element), Value::Vector(items)) => {
            Value::vector(items.iter().map(|item| respelled(item, element)).collect())
        }
        (Type::Tuple(parts), Value::Vector(items)) if items.len() == parts.len() => {
            Value::vector(items.iter().zip(parts).map(|(item, part)| respelled(item, part)).collect())
        }
        (Type::MapOf(_, element), Value::Map(map)) => {
            Value::map_from(map.iter().map(|(key, item)| (key.clone(), respelled(item, element))))
        }
        (Type::Record(fields), Value::Map(map)) => {
            let (mut made, mut meter) = (map.clone(), Meter::host());
            for (field, (key, item)) in fields.iter().filter_map(|field| Some((field, field_of(map, &field.name)?))) {
                // The key is already in a map, so it can be hashed.
                let _ = made.insert(key.clone(), respelled(item, &field.ty), &mut meter);
            }
            Value::Map(made)
        }
        (Type::Union(types), value) => {
            let mut made = types.iter().map(|ty| (respelled(value, ty), ty));
            let fitting = made.find(|(made, ty)| validate(made, ty, ExtraFields::Allowed).is_empty());
            fitting.map_or_else(|| value.clone(), |(made, _)| made)
        }
        _ => value.clone(),
    }
}

/// The value in the spelling of a type without `?`, rules and alternatives, when that is another one.
fn spelled(value: &Value, ty: &Type) -> Option<Value> {
    match (ty, value) {
        (Type::String, Value::Keyword(name) | Value::Symbol(name)) => Some(Value::string(name.as_str())),
        (Type::Keyword, Value::Str(text)) => is_keyword_name(text.as_str()).then(|| Value::keyword(text.as_str())),
        (Type::List(_), Value::Set(members)) => Some(Value::vector(members.iter().cloned().collect())),
        (Type::OneOf(values), _) if not_one_of(value, values).is_some() => {
            let other = match value {
                Value::Keyword(name) | Value::Symbol(name) => Value::string(name.as_str()),
                Value::Str(text) => Value::keyword(text.as_str()),
                _ => return None,
            };
            Some(other).filter(|other| not_one_of(other, values).is_none())
        }
        _ => None,
    }
}

/// The entries of `map` as the declared fields, like [`coerce`].
pub(super) fn coerce_fields(map: &Map, fields: &[Field]) -> Result<(Map, Vec<Finding>), Finding> {
    let mut coercer = Coercer { path: Vec::new(), notes: Vec::new() };
    let map = coercer.fields(map, fields)?;
    Ok((map, coercer.notes))
}

struct Coercer {
    path: Vec<PathStep>,
    notes: Vec<Finding>,
}

impl Coercer {
    fn value(&mut self, value: &Value, ty: &Type) -> Result<Value, Finding> {
        match (ty, value) {
            (Type::Any | Type::JsonOrText, _)
            | (Type::Optional(_), Value::Nil)
            | (Type::Map, Value::Map(_))
            | (
                Type::String,
                Value::Str(_) | Value::Date(_) | Value::Instant(_) | Value::Temporal(_) | Value::Uuid(_),
            )
            | (Type::Int, Value::Int(_) | Value::Big(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Keyword, Value::Keyword(_)) => Ok(value.clone()),
            (Type::Optional(inner), _) => self.value(value, inner),
            (Type::Ruled(inner, rules), _) => {
                let made = self.value(value, inner)?;
                match broken(&made, rules) {
                    None => Ok(made),
                    Some(Finding { path, message }) => {
                        Err(Finding { path: [self.path.clone(), path].concat(), message })
                    }
                }
            }
            (Type::Union(types), _) => self.union(value, types),
            (ty, _) if let Some(made) = spelled(value, ty) => self.spelled_as(value, made, ty),
            (Type::OneOf(values), _) => self.one_of(value, values),
            (Type::Float, _) if value.is_number() => Ok(number::to_f64(value).map_or(Value::Nil, Value::Float)),
            (Type::List(element), Value::Vector(items)) => self.list(items.iter().map(|item| (item, &**element))),
            (Type::Tuple(parts), Value::Vector(items)) => match other_length(items.len(), parts) {
                None => self.list(items.iter().zip(parts)),
                Some(other) => Err(self.finding(other)),
            },
            (Type::Record(fields), Value::Map(map)) => self.fields(map, fields).map(Value::Map),
            (Type::MapOf(key, item), Value::Map(map)) => self.entries(map, key, item).map(Value::map_from),
            (Type::Int | Type::Float | Type::Bool, Value::Str(text)) => self.text(text.as_str(), ty),
            _ => Err(self.refuse(value, ty)),
        }
    }

    /// A value in the spelling of its type; that of a keyword is noted.
    fn spelled_as(&mut self, value: &Value, made: Value, ty: &Type) -> Result<Value, Finding> {
        if matches!((value, &made), (Value::Str(_), Value::Keyword(_))) {
            self.note(format!("coerced string {} to keyword", shown(value)));
        }
        self.value(&made, ty)
    }

    /// A value of the set, which may be written as another kind that becomes that of the set.
    fn one_of(&mut self, value: &Value, values: &[Literal]) -> Result<Value, Finding> {
        if not_one_of(value, values).is_none() {
            return Ok(value.clone());
        }
        let (notes, kind) = (self.notes.len(), kind_of(values));
        let made = self.value(value, &kind).unwrap_or_else(|_| value.clone());
        match not_one_of(&made, values) {
            None => Ok(made),
            Some(message) => {
                self.notes.truncate(notes);
                Err(self.finding(message))
            }
        }
    }

    /// A value of the first of the types that it has, else of the first that it can become.
    fn union(&mut self, value: &Value, types: &[Type]) -> Result<Value, Finding> {
        match fitting(value, types, ExtraFields::Allowed) {
            // An integer stays one where floats are allowed, too.
            Some(_) if value.is_number() => return Ok(value.clone()),
            Some(ty) => return self.value(value, ty),
            None => {}
        }
        for ty in types {
            let notes = self.notes.len();
            match self.value(value, ty) {
                Ok(made) => return Ok(made),
                Err(_) => self.notes.truncate(notes),
            }
        }
        match meant(value, types) {
            Ok(ty) => self.value(value, ty),
            Err(Finding { path, message }) => Err(Finding { path: [self.path.clone(), path].concat(), message }),
        }
    }

    fn text(&mut self, text: &str, ty: &Type) -> Result<Value, Finding> {
        let read = match ty {
            Type::Int => number::parse_integer(text, &mut Meter::host()).ok().flatten(),
            Type::Float => plain_float(text.trim()).map(Value::Float),
            _ => text.parse().ok().map(Value::Bool),
        };
        let Some(read) = read else { return Err(self.refuse(&Value::string(text), ty)) };
        self.note(format!("coerced string {} to {}", shown(&Value::string(text)), noun(ty)));
        Ok(read)
    }

    fn list<'v>(&mut self, items: impl Iterator<Item = (&'v Value, &'v Type)>) -> Result<Value, Finding> {
        let item = |(index, (item, ty))| self.inside(PathStep::Index(index), |coercer| coercer.value(item, ty));
        items.enumerate().map(item).collect::<Result<Vec<_>, _>>().map(Value::vector)
    }

    fn entries(&mut self, map: &Map, key_type: &Type, item_type: &Type) -> Result<Vec<(Value, Value)>, Finding> {
        let entry = |(key, item)| {
            self.inside(PathStep::Name(key_name(key)), |coercer| {
                // `"-1"` and `"true"` of a JSON object are keywords.
                let text = || key_text(key).map_or_else(|| key.clone(), Value::string);
                let fits = unfit_key(key, key_type).is_none();
                let key = if fits { key.clone() } else { coercer.value(&text(), key_type)? };
                Ok((key, coercer.value(item, item_type)?))
            })
        };
        map.iter().map(entry).collect()
    }

    fn fields(&mut self, map: &Map, fields: &[Field]) -> Result<Map, Finding> {
        let mut made = map.clone();
        let mut meter = Meter::host();
        for field in fields {
            let (key, item) = match field_of(map, &field.name) {
                Some((_, item)) if is_as_declared(item, &field.ty) => continue,
                Some(entry) => entry,
                None if field.ty.accepts_absent() => continue,
                None => return Err(self.finding(format!("missing required field \"{}\"", field.name))),
            };
            let item = self.inside(PathStep::Name(field.name.clone()), |coercer| coercer.value(item, &field.ty))?;
            // The key is already in a map, so it can be hashed.
            let _ = made.insert(key.clone(), item, &mut meter);
        }
        Ok(made)
    }

    fn inside<T>(&mut self, step: PathStep, work: impl FnOnce(&mut Self) -> Result<T, Finding>) -> Result<T, Finding> {
        self.path.push(step);
        let made = work(self);
        self.path.pop();
        made
    }

    fn note(&mut self, message: String) {
        let note = self.finding(message);
        self.notes.push(note);
    }

    fn refuse(&self, value: &Value, ty: &Type) -> Finding {
        self.finding(match value {
            Value::Str(_) => format!("cannot coerce string {} to {}", shown(value), noun(ty)),
            _ => format!("cannot coerce to {}, got {}", noun(ty), super::found(value)),
        })
    }

    fn finding(&self, message: String) -> Finding {
        Finding { path: self.path.clone(), message }
    }
}

/// Whether coercion would return the value unchanged: a map of such values needs no copy.
fn is_as_declared(value: &Value, ty: &Type) -> bool {
    matches!(
        (ty.required(), value),
        (Type::Any, _)
            | (Type::String, Value::Str(_))
            | (Type::Int, Value::Int(_))
            | (Type::Float, Value::Float(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Keyword, Value::Keyword(_))
    )
}

fn noun(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "integer",
        Type::Bool => "boolean",
        Type::Optional(inner) | Type::Ruled(inner, _) => noun(inner),
        other => wanted(other),
    }
}

/// Digits with an optional point and exponent, but not the other texts that Rust parses.
fn plain_float(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if plain && text.bytes().any(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
