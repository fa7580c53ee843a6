//! Texts of tool results that their type calls keywords.

use ptc_lisp::{Value, key_name};
use ptc_signature::Type;

/// The result of a tool as the program sees it: texts become keywords where the type says so.
pub(crate) fn with_keywords(value: Value, ty: &Type) -> Value {
    match (ty.required(), &value) {
        (Type::Keyword, Value::Str(text)) => Value::keyword(text.as_str()),
        (Type::List(element), Value::Vector(items)) if mentions_keyword(element) => {
            Value::vector(items.iter().map(|item| with_keywords(item.clone(), element)).collect())
        }
        (Type::MapOf(_, element), Value::Map(map)) if mentions_keyword(element) => {
            Value::map_from(map.iter().map(|(key, item)| (key.clone(), with_keywords(item.clone(), element))))
        }
        (Type::Record(fields), Value::Map(map)) if fields.iter().any(|field| mentions_keyword(&field.ty)) => {
            Value::map_from(map.iter().map(|(key, item)| {
                let field = fields.iter().find(|field| key_name(key) == Some(field.name.as_str()));
                let item = field.map_or_else(|| item.clone(), |field| with_keywords(item.clone(), &field.ty));
                (key.clone(), item)
            }))
        }
        _ => value,
    }
}

fn mentions_keyword(ty: &Type) -> bool {
    match ty.required() {
        Type::Keyword => true,
        Type::List(element) | Type::MapOf(_, element) => mentions_keyword(element),
        Type::Record(fields) => fields.iter().any(|field| mentions_keyword(&field.ty)),
        _ => false,
    }
}
