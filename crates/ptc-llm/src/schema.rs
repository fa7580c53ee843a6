//! The schema of a JSON answer, in the form that leaves the most to the provider without changing what it allows.

#[cfg(test)]
mod tests;

use genai::chat::{ChatResponseFormat, JsonSpec};
use serde_json::{Value, json};

use crate::adapter::Schema;
use crate::spec::Target;

const NAME: &str = "answer";

/// How a schema is sent.
#[derive(Debug)]
pub(crate) enum Format {
    /// As the adapter writes it, which for most providers is strict decoding.
    Adapter(ChatResponseFormat),
    /// As a `response_format` that replaces what the adapter would write.
    Field(Value),
    /// Not at all: the provider has only strict decoding, and that would not allow what the schema allows, or it would
    /// apply the schema to tool calls, too. The request describes the answer in words, and the answer is validated on
    /// arrival.
    Words,
}

/// Strict decoding closes open objects and makes optional properties required; a schema that this would change is sent
/// without it.
pub(crate) fn format(schema: &Value, target: &Target, has_tools: bool) -> Format {
    if has_tools && !target.row().schema_with_tools.include(&target.model) {
        return Format::Words;
    }
    let as_it_is = match target.row().schema {
        Schema::Any => true,
        Schema::Closed => objects(schema).all(is_closed),
        Schema::Strict => objects(schema).all(|object| is_closed(object) && needs_all(object)),
    };
    if as_it_is {
        return Format::Adapter(ChatResponseFormat::JsonSpec(JsonSpec::new(NAME, schema.clone())));
    }
    if target.row().chat_completions {
        return Format::Field(
            json!({"type": "json_schema", "json_schema": {"name": NAME, "strict": false, "schema": schema}}),
        );
    }
    Format::Words
}

/// Every object type in a schema, the outermost first; without recursion, because a schema may be deep.
fn objects(schema: &Value) -> impl Iterator<Item = &Value> {
    let mut waiting = vec![schema];
    let every = std::iter::from_fn(move || {
        let next = waiting.pop()?;
        match next {
            Value::Object(fields) => waiting.extend(fields.values()),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
        Some(next)
    });
    every.filter(|schema| schema.get("type").is_some_and(|kind| kind == "object"))
}

fn is_closed(object: &Value) -> bool {
    object.get("properties").is_some() && object.get("additionalProperties") == Some(&Value::Bool(false))
}

fn needs_all(object: &Value) -> bool {
    let required = object.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|required| required == name));
    object.get("properties").and_then(Value::as_object).is_some_and(|properties| properties.keys().all(is_required))
}
