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
    let own = spec.schema.as_ref().and_then(|schema| schema.input.clone());
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
