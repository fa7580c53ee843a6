//! Names of arguments in another style than declared: `:first-number` and `:first_number` for `firstNumber`.

use std::borrow::Cow;

use crate::signature::{Field, Type};

use super::{coerce, key_text, same_name};
use crate::error::{Error, Reason};
use crate::limits::meter::Meter;
use crate::value::{Map, Value, key_name};

/// The value with its keys as `ty` declares them, at all declared levels.
///
/// - an equal name wins, then one that differs only in `-` and `_`; then a name of the same letters and digits in any
///   case (`first-number`, `firstNumber`), when a single field has one
/// - keys that no field has stay, and so does everything below `:map` and `:any`
/// - cost: linear in keys times fields; a value whose keys are as declared is not copied
///
/// Errors with `validation_error` when two keys of a map are for the same field.
///
/// ```
/// use ptc_lisp::Value;
/// use ptc_lisp::signature::declared_keys;
/// use ptc_lisp::signature::Type;
///
/// let ty = Type::parse("{firstNumber :int}").unwrap();
/// let written = Value::from_json_str(r#"{"first-number": 1}"#).unwrap();
/// let declared = declared_keys(&written, &ty).unwrap();
/// assert_eq!(declared.to_json().unwrap().to_string(), r#"{"firstNumber":1}"#);
/// ```
pub fn declared_keys<'v>(value: &'v Value, ty: &Type) -> Result<Cow<'v, Value>, Error> {
    if is_as_declared(value, ty) { Ok(Cow::Borrowed(value)) } else { renamed(value, ty).map(Cow::Owned) }
}

/// The entries with the keys of the declared fields, as [`declared_keys`] does.
pub(super) fn declared_fields<'m>(map: &'m Map, fields: &[Field]) -> Result<Cow<'m, Map>, Error> {
    if are_as_declared(map, fields) { Ok(Cow::Borrowed(map)) } else { renamed_fields(map, fields).map(Cow::Owned) }
}

/// The field that a key with this text is for.
pub(super) fn field_for<'f>(fields: &'f [Field], written: &str) -> Option<&'f Field> {
    let found = fields.iter().find(|field| field.name == written);
    let found = found.or_else(|| fields.iter().find(|field| same_name(&field.name, written)));
    found.or_else(|| {
        let mut close = fields.iter().filter(|field| is_other_style(&field.name, written));
        close.next().filter(|_| close.next().is_none())
    })
}

/// The key as declared.
pub(super) fn declared_key(key: &Value, field: &Field) -> Value {
    match key {
        Value::Keyword(_) => Value::keyword(&field.name),
        Value::Str(_) => Value::string(field.name.as_str()),
        other => other.clone(),
    }
}

/// The message that two keys are for one field.
pub(super) fn twins(field: &Field, first: &str, second: &str) -> String {
    let name = &field.name;
    format!("two keys are for \"{name}\": keep one of :{first} and :{second}")
}

fn is_other_style(declared: &str, written: &str) -> bool {
    fn plain(name: &str) -> impl Iterator<Item = char> + '_ {
        name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase)
    }
    plain(declared).eq(plain(written))
}

fn is_as_declared(value: &Value, ty: &Type) -> bool {
    match (value, ty.shape()) {
        (Value::Map(map), Type::Record(fields)) => are_as_declared(map, fields),
        (Value::Map(map), Type::MapOf(_, item)) => map.iter().all(|(_, value)| is_as_declared(value, item)),
        (Value::Vector(items), Type::List(element)) => items.iter().all(|item| is_as_declared(item, element)),
        (Value::Vector(items), Type::Tuple(parts)) => {
            items.iter().zip(parts).all(|(item, part)| is_as_declared(item, part))
        }
        (Value::Map(_) | Value::Vector(_), Type::Union(_)) => false,
        _ => true,
    }
}

fn are_as_declared(map: &Map, fields: &[Field]) -> bool {
    map.iter().all(|(key, value)| {
        let Some(name) = key_name(key) else { return true };
        let Some(field) = field_for(fields, name) else { return true };
        field.name == name && is_as_declared(value, &field.ty)
    })
}

fn renamed(value: &Value, ty: &Type) -> Result<Value, Error> {
    Ok(match (value, ty.shape()) {
        (Value::Map(map), Type::Record(fields)) => Value::Map(renamed_fields(map, fields)?),
        (Value::Map(map), Type::MapOf(_, item)) => {
            let entry = |(key, value): (&Value, &Value)| renamed(value, item).map(|value| (key.clone(), value));
            map.iter().map(entry).collect::<Result<Vec<_>, _>>().map(Value::map_from)?
        }
        (Value::Vector(items), Type::List(element)) => {
            items.iter().map(|item| renamed(item, element)).collect::<Result<Vec<_>, _>>().map(Value::vector)?
        }
        (Value::Vector(items), Type::Tuple(parts)) if items.len() == parts.len() => {
            let part = |(item, part)| renamed(item, part);
            items.iter().zip(parts).map(part).collect::<Result<Vec<_>, _>>().map(Value::vector)?
        }
        (Value::Map(_) | Value::Vector(_), Type::Union(types)) => {
            let as_one = |ty: &Type| renamed(value, ty).ok().filter(|value| coerce(value, ty).is_ok());
            types.iter().find_map(as_one).unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    })
}

fn renamed_fields(map: &Map, fields: &[Field]) -> Result<Map, Error> {
    let mut made = Map::new();
    // The fields seen so far, and their keys.
    let mut met: Vec<(&Field, String)> = Vec::new();
    for (key, value) in map {
        let entry = match key_text(key).and_then(|text| Some((field_for(fields, &text)?, text))) {
            None => (key.clone(), value.clone()),
            Some((field, text)) => {
                if let Some((_, first)) = met.iter().find(|(known, _)| std::ptr::eq(*known, field)) {
                    return Err(Error::new(Reason::ValidationError, twins(field, first, &text)));
                }
                met.push((field, text));
                (declared_key(key, field), renamed(value, &field.ty)?)
            }
        };
        made.insert(entry.0, entry.1, &mut Meter::host())
            .map_err(|_| Error::new(Reason::NestingTooDeep, "a map key is nested too deep"))?;
    }
    Ok(made)
}
