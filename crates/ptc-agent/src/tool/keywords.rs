//! Texts in tool results that are keywords by their type.

use ptc_lisp::Value;
use ptc_lisp::signature::{ExtraFields, Finding, validate};
use ptc_lisp::signature::{Literal, Type};
use ptc_lisp::values::key_name;

use super::with_lists;

/// The result of a tool as programs see it, when it has the declared type; else the first thing that does not fit.
///
/// ```
/// use ptc_agent::rules;
/// use ptc_lisp::Value;
/// use ptc_lisp::signature::{Literal, Type};
///
/// let tone = Type::parse("{tone :keyword}")?;
/// assert!(rules::tool_result(Value::from_json_str(r#"{"tone": "angry"}"#)?, &tone).is_ok());
/// let finding = rules::tool_result(Value::from_json_str(r#"{"tone": 3}"#)?, &tone).unwrap_err();
/// assert_eq!(finding.to_string(), "[tone]: expected keyword, got int");
/// // A function of the host may give a set where its type says list.
/// let tags = Value::set_from([Value::string("a")]).unwrap();
/// assert_eq!(rules::tool_result(tags, &Type::parse("[:string]")?).unwrap().to_string(), r#"["a"]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tool_result(value: Value, ty: &Type) -> Result<Value, Finding> {
    let value = with_keywords(value, ty);
    let finding = |value: &Value| validate(value, ty, ExtraFields::Allowed).into_iter().next();
    if finding(&value).is_none() {
        return Ok(value);
    }
    let value = with_lists(&value, ty);
    finding(&value).map_or(Ok(value), Err)
}

/// The result of a tool as the program sees it: texts become keywords where the type is keyword.
pub(crate) fn with_keywords(value: Value, ty: &Type) -> Value {
    match (ty.required(), &value) {
        (Type::Keyword, Value::Str(text)) => Value::keyword(text.as_str()),
        (Type::OneOf(values), Value::Str(text)) if values.contains(&Literal::Keyword(text.as_str().to_owned())) => {
            Value::keyword(text.as_str())
        }
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
        (Type::Union(types), _) if mentions_keyword(ty) => {
            let mut made = types.iter().map(|ty| (with_keywords(value.clone(), ty), ty));
            let fitting = made.find(|(made, ty)| validate(made, ty, ExtraFields::Allowed).is_empty());
            fitting.map_or(value, |(made, _)| made)
        }
        _ => value,
    }
}

fn mentions_keyword(ty: &Type) -> bool {
    match ty.required() {
        Type::Keyword => true,
        Type::OneOf(values) => values.iter().any(|value| matches!(value, Literal::Keyword(_))),
        Type::List(element) | Type::MapOf(_, element) => mentions_keyword(element),
        Type::Record(fields) => fields.iter().any(|field| mentions_keyword(&field.ty)),
        Type::Union(types) => types.iter().any(mentions_keyword),
        _ => false,
    }
}
