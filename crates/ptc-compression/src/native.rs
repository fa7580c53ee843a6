//! Tools in the format of providers: their definitions, and what a model reads about a result.
//!
//! The loop sends them to a model that calls tools itself instead of writing programs; a replay compares with them.

use crate::words::ASKS_FOR_APPROVAL;
use ptc_chat::ToolDefinition;
use ptc_lisp::signature::Signature;
use ptc_lisp::{ToolResult, ToolSpec};
use ptc_transcript::without_hidden;
use serde_json::json;

/// A tool as providers see it.
pub fn tool_definition(spec: &ToolSpec) -> ToolDefinition {
    // Providers want an object on top, and some refuse the key that names the dialect.
    let own = spec.schema.as_ref().and_then(|schema| schema.input.clone());
    let own = own.filter(|schema| schema.get("type").is_some_and(|kind| kind == "object")).map(|mut schema| {
        schema.as_object_mut().map(|fields| fields.shift_remove("$schema"));
        schema
    });
    let declared = || spec.signature.as_ref().map(Signature::params_schema);
    let parameters = own.or_else(declared).unwrap_or_else(|| json!({"type": "object", "properties": {}}));
    let approval = spec.approve.then_some(ASKS_FOR_APPROVAL);
    let description: Vec<&str> = spec.description.as_deref().into_iter().chain(approval).collect();
    ToolDefinition { name: provider_name(&spec.name), description: description.join(" ; "), parameters }
}

/// The name of a tool in the format of providers.
pub fn provider_name(name: &str) -> String {
    name.replace('-', "_")
}

/// What the model reads about a result: JSON without hidden fields.
pub fn tool_answer(result: &ToolResult) -> String {
    let json = match result {
        Ok(value) => value.to_json().map(without_hidden).unwrap_or_else(|error| json!({ "error": error.message })),
        Err(failure) => json!({ "error": failure.message }),
    };
    json.to_string()
}

#[cfg(test)]
mod tests {
    use ptc_lisp::signature::ToolSchema;

    use super::*;

    #[test]
    fn definitions_are_the_schemas_of_their_source_where_providers_take_them() {
        let defined = |input| {
            let schema = ToolSchema { input: Some(input), ..ToolSchema::default() };
            let signature = "(n :int) -> :any".parse().unwrap();
            tool_definition(&ToolSpec::new("a").signature(signature).schema(schema)).parameters.to_string()
        };
        let whole = json!({"$schema": "draft-07", "type": "object", "properties": {"n": {"description": "How many"}}});
        assert_eq!(defined(whole), r#"{"type":"object","properties":{"n":{"description":"How many"}}}"#);
        let declared = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
        assert_eq!(defined(json!({"oneOf": []})), declared);
    }
}
