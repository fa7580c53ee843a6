//! Sets where a type says lists.

use ptc_lisp::Value;
use ptc_lisp::signature::Type;
use ptc_lisp::signature::{ExtraFields, validate};
use ptc_lisp::values::key_name;

/// The value with lists for its sets where the type says so: as JSON, they are the same. Its keys are as declared, or with `_`
/// for `-`.
pub(crate) fn with_lists(value: &Value, ty: &Type) -> Value {
    match (ty.required(), value) {
        (Type::List(element), Value::Set(members)) => {
            Value::vector(members.iter().map(|member| with_lists(member, element)).collect())
        }
        (Type::List(element), Value::Vector(items)) => {
            Value::vector(items.iter().map(|item| with_lists(item, element)).collect())
        }
        (Type::MapOf(_, element), Value::Map(map)) => {
            Value::map_from(map.iter().map(|(key, item)| (key.clone(), with_lists(item, element))))
        }
        (Type::Record(fields), Value::Map(map)) => Value::map_from(map.iter().map(|(key, item)| {
            let name = key_name(key).unwrap_or_default();
            let field = fields.iter().find(|field| field.name == name || field.name.replace('-', "_") == name);
            (key.clone(), field.map_or_else(|| item.clone(), |field| with_lists(item, &field.ty)))
        })),
        (Type::Union(types), Value::Set(_) | Value::Vector(_) | Value::Map(_)) => {
            let mut made = types.iter().map(|ty| (with_lists(value, ty), ty));
            let fitting = made.find(|(made, ty)| validate(made, ty, ExtraFields::Allowed).is_empty());
            fitting.map_or_else(|| value.clone(), |(made, _)| made)
        }
        _ => value.clone(),
    }
}
