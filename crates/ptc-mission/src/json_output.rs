//! What an agent that answers with JSON or text shows of its result type, and the lists of progress.

use indexmap::IndexMap;
use ptc_lisp::signature::{Field, Rule, Signature, Type};
use ptc_lisp::text::{escaped, one_line};
use serde_json::{Value, json};

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
/// assert!(text.ends_with("```json\n{\"total\":3.14,\"note\":\"result\"}\n```"));
/// ```
pub fn json_output(signature: &Signature, field_descriptions: &IndexMap<String, String>) -> String {
    let result = signature.result();
    let mut text = format!("{EXPECTED_OUTPUT_HEADER}\n\nAnswer with {} and nothing else.\n\n", whole(result));
    let mut lines = String::new();
    field_lines(result, "", field_descriptions, &mut lines);
    if !lines.is_empty() {
        text.push_str(&format!("Fields:\n{lines}\n"));
    }
    let (title, examples) = match result.required() {
        Type::Union(types) => ("Examples, one of each kind", types.iter().map(Type::example_json).collect()),
        _ => ("Example", vec![json_example(signature)]),
    };
    let lines: Vec<String> = examples.iter().map(|json| escaped(&json.to_string()).into_owned()).collect();
    text.push_str(&format!("{title}:\n\n```json\n{}\n```", lines.join("\n")));
    text
}

/// The Expected Output part of a mission that is answered with a text for which rules hold; `None` for any other text.
pub fn text_output(signature: &Signature) -> Option<String> {
    let Type::Ruled(text, rules) = signature.result().required() else { return None };
    let example = signature.result().example_json();
    let example = example.as_str().filter(|_| **text == Type::String)?;
    let rules = in_brackets(rules);
    let (header, example) = (EXPECTED_OUTPUT_HEADER, escaped(example));
    Some(format!("{header}\n\nAnswer with one text{rules} and nothing else.\n\nExample:\n\n{example}"))
}

/// A JSON answer of the declared type; a list is under `items`, as in [`Signature::result_schema`].
pub fn json_example(signature: &Signature) -> Value {
    let example = signature.result().example_json();
    match signature.result().shape() {
        Type::List(_) | Type::Tuple(_) => json!({ "items": example }),
        _ => example,
    }
}

fn whole(result: &Type) -> String {
    match result.required() {
        Type::Ruled(inner, rules) => format!("{}{}", whole(inner), in_brackets(rules)),
        Type::List(element) => format!("one JSON object whose `items` are an array of {}", word(element)),
        Type::Tuple(_) => format!("one JSON object whose `items` are an {}", word(result)),
        Type::MapOf(..) => format!("one JSON {}", word(result)),
        Type::Record(_) | Type::Map | Type::Any | Type::JsonOrText => "one JSON object".to_owned(),
        Type::Union(_) if result.as_record().is_some() => "one JSON object".to_owned(),
        Type::Union(_) => format!("one JSON value ({})", word(result)),
        scalar => format!("one JSON {}", word(scalar)),
    }
}

/// A line for each field, those inside others with their places: `rooms[].no`.
fn field_lines(ty: &Type, place: &str, descriptions: &IndexMap<String, String>, lines: &mut String) {
    if let Some(Type::Record(fields)) = ty.as_record() {
        for field in &fields {
            let name = match place {
                "" => field.name.clone(),
                place => format!("{place}.{}", field.name),
            };
            let about = descriptions.get(&name).or(field.description.as_ref());
            lines.push_str(&field_line(&name, field, about.map(String::as_str)));
            field_lines(&field.ty, &name, descriptions, lines);
        }
        return;
    }
    // The elements of the answer itself are meant without a place.
    let below = |step: &str| if place.is_empty() { String::new() } else { format!("{place}{step}") };
    match ty.shape() {
        Type::List(element) => field_lines(element, &below("[]"), descriptions, lines),
        Type::MapOf(_, value) => field_lines(value, &below(".*"), descriptions, lines),
        Type::Tuple(parts) => {
            parts
                .iter()
                .enumerate()
                .for_each(|(at, part)| field_lines(part, &below(&format!("[{at}]")), descriptions, lines));
        }
        Type::Union(types) => types.iter().for_each(|ty| field_lines(ty, place, descriptions, lines)),
        _ => {}
    }
}

fn field_line(name: &str, field: &Field, about: Option<&str>) -> String {
    let optional = if field.ty.accepts_absent() { ", optional" } else { "" };
    let about = about.map(|text| format!(" - {}", one_line(text))).unwrap_or_default();
    format!("- `{}` ({}{optional}){about}\n", escaped(name), word(&field.ty))
}

/// The type in words, with its rules in brackets.
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
        Type::MapOf(key, value) => match key.required() {
            key @ (Type::OneOf(_) | Type::Ruled(..)) => {
                format!("object with keys {} and values of type {}", word(key), word(value))
            }
            _ => format!("object with values of type {}", word(value)),
        },
        Type::Optional(inner) => word(inner),
        Type::Ruled(inner, rules) => format!("{}{}", word(inner), in_brackets(rules)),
        Type::List(element) => format!("array of {}", word(element)),
        Type::Tuple(parts) => {
            format!("array of {} items: {}", parts.len(), parts.iter().map(word).collect::<Vec<_>>().join(", then "))
        }
        Type::Union(types) => {
            let mut words: Vec<String> = types.iter().map(word).collect();
            words.dedup();
            words.join(" or ")
        }
    }
}

/// ` (1 to 5; a multiple of 2)`
fn in_brackets(rules: &[Rule]) -> String {
    format!(" ({})", rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests;
