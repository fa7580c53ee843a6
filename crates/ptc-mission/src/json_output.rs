//! What an agent that answers with JSON or text shows of its result type, and the lists of progress.

use indexmap::IndexMap;
use ptc_lisp::signature::{Field, Literal, Signature, Type};
use ptc_lisp::text::{escaped, one_line};
use serde_json::{Map, Value, json};

use crate::section::EXPECTED_OUTPUT_HEADER;

/// The Expected Output part of a mission that is answered with JSON: instruction, fields and one example.
///
/// ```
/// use indexmap::IndexMap;
/// use ptc_lisp::signature::Signature;
///
/// let signature = Signature::parse("{total :float, note :string?}").unwrap();
/// let text = ptc_mission::json_output(&signature, &IndexMap::from([("total".to_owned(), "in euros".to_owned())]));
/// assert!(text.contains("- `total` (number) - in euros\n- `note` (string, optional)\n"));
/// assert!(text.ends_with("```json\n{\"total\":0.0,\"note\":\"...\"}\n```"));
/// ```
pub fn json_output(signature: &Signature, field_descriptions: &IndexMap<String, String>) -> String {
    let result = signature.result();
    let mut text = format!("{EXPECTED_OUTPUT_HEADER}\n\nAnswer with {} and nothing else.\n\n", whole(result));
    if let Some(Type::Record(fields)) = record(result) {
        text.push_str("Fields:\n");
        for field in &fields {
            text.push_str(&field_line(field, field_descriptions));
        }
        text.push('\n');
    }
    let (title, examples) = match result.required() {
        Type::Union(types) => ("Examples, one of each kind", types.iter().map(example).collect()),
        _ => ("Example", vec![json_example(signature)]),
    };
    let lines: Vec<String> = examples.iter().map(|json| escaped(&json.to_string()).into_owned()).collect();
    text.push_str(&format!("{title}:\n\n```json\n{}\n```", lines.join("\n")));
    text
}

/// A JSON answer of the declared type; a list is under `items`, as in [`Signature::result_schema`].
pub fn json_example(signature: &Signature) -> Value {
    let example = example(signature.result());
    match signature.result().required() {
        Type::List(_) => json!({ "items": example }),
        _ => example,
    }
}

fn whole(result: &Type) -> String {
    match result.required() {
        Type::List(element) => format!("one JSON object whose `items` are an array of {}", word(element)),
        Type::MapOf(_, value) => format!("one JSON object with values of type {}", word(value)),
        Type::Record(_) | Type::Map | Type::Any | Type::JsonOrText => "one JSON object".to_owned(),
        Type::Union(_) if result.as_record().is_some() => "one JSON object".to_owned(),
        Type::Union(_) => format!("one JSON value ({})", word(result)),
        scalar => format!("one JSON {}", word(scalar)),
    }
}

/// The fields of the result, or of the elements of a list.
fn record(result: &Type) -> Option<Type> {
    match result.required() {
        Type::List(element) => record(element),
        other => other.as_record(),
    }
}

fn field_line(field: &Field, descriptions: &IndexMap<String, String>) -> String {
    let optional = if field.ty.accepts_absent() { ", optional" } else { "" };
    let about = descriptions.get(&field.name).map(|text| format!(" - {}", one_line(text))).unwrap_or_default();
    format!("- `{}` ({}{optional}){about}\n", escaped(&field.name), word(&field.ty))
}

/// The type in words.
fn word(ty: &Type) -> String {
    match ty {
        Type::String | Type::Keyword => "string".to_owned(),
        Type::Int => "integer".to_owned(),
        Type::Float => "number".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::OneOf(values) => {
            let values: Vec<String> = values.iter().map(|value| value.to_json().to_string()).collect();
            format!("one of {}", values.join(", "))
        }
        Type::Any | Type::JsonOrText => "any".to_owned(),
        Type::Map | Type::Record(_) => "object".to_owned(),
        Type::MapOf(_, value) => format!("object with values of type {}", word(value)),
        Type::Optional(inner) => word(inner),
        Type::List(element) => format!("array of {}", word(element)),
        Type::Union(types) => {
            let mut words: Vec<String> = types.iter().map(word).collect();
            words.dedup();
            words.join(" or ")
        }
    }
}

fn example(ty: &Type) -> Value {
    match ty {
        Type::String => json!("..."),
        Type::Keyword => json!("keyword"),
        Type::Int => json!(0),
        Type::Float => json!(0.0),
        Type::Bool => json!(true),
        Type::OneOf(values) => values.first().map_or(Value::Null, Literal::to_json),
        Type::Any | Type::JsonOrText | Type::Map => json!({}),
        Type::MapOf(_, value) => json!({ "key": example(value) }),
        Type::Optional(inner) => example(inner),
        Type::List(element) => match element.required() {
            // They may be the parts of a tuple.
            Type::Union(_) if element.as_record().is_none() => json!([]),
            element => element.alternatives().iter().map(example).collect(),
        },
        Type::Union(types) => types.first().map_or(Value::Null, example),
        Type::Record(fields) => {
            fields.iter().map(|field| (field.name.clone(), example(&field.ty))).collect::<Map<_, _>>().into()
        }
    }
}

#[cfg(test)]
mod tests;
