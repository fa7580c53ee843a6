//! Tools in the format of providers: their definitions, and what a model reads about a result.
//!
//! The loop sends them to a model that calls tools itself instead of writing programs; a replay compares with them.

use crate::words::ASKS_FOR_APPROVAL;
use ptc_chat::ToolDefinition;
use ptc_lisp::signature::Signature;
use ptc_lisp::{HiddenFields, ToolResult, ToolSpec};
use ptc_transcript::without_hidden;
use serde_json::json;

/// A tool as providers see it.
pub fn tool_definition(spec: &ToolSpec) -> ToolDefinition {
    let declared = spec.signature.as_ref().map(Signature::params_schema);
    let parameters = declared.unwrap_or_else(|| json!({"type": "object", "properties": {}}));
    let approval = spec.approve.then_some(ASKS_FOR_APPROVAL);
    let description: Vec<&str> = spec.description.as_deref().into_iter().chain(approval).collect();
    ToolDefinition { name: provider_name(&spec.name), description: description.join(" ; "), parameters }
}

/// The name of a tool in the format of providers.
pub fn provider_name(name: &str) -> String {
    name.replace('-', "_")
}

/// What the model reads about a result: JSON without these fields.
pub fn tool_answer(result: &ToolResult, hidden: &HiddenFields) -> String {
    let json = match result {
        Ok(value) => match value.to_json() {
            Ok(json) => without_hidden(json, &|name| hidden.hides(name)),
            Err(error) => json!({ "error": error.message }),
        },
        Err(failure) => json!({ "error": failure.message }),
    };
    json.to_string()
}

#[cfg(test)]
mod tests {
    use ptc_lisp::signature::Enums;

    use super::*;

    #[test]
    fn definitions_are_the_schemas_of_their_source_where_providers_take_them() {
        let defined = |input| {
            let signature = Signature::from_json_schemas(Some(input), None, Enums::String);
            tool_definition(&ToolSpec::new("a").signature(signature)).parameters.to_string()
        };
        let whole = json!({"$schema": "draft-07", "type": "object", "properties": {"n": {"description": "How many"}}});
        assert_eq!(defined(whole), r#"{"type":"object","properties":{"n":{"description":"How many"}}}"#);
        let cases = json!({"oneOf": [{"properties": {"n": {"type": "integer"}}}]});
        assert_eq!(defined(cases), r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":[]}"#);
    }
}
