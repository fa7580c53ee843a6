use genai::adapter::AdapterKind;
use serde_json::{Value, json};

use super::{Format, format};
use crate::spec::{Place, Target};

fn hosted(adapter: AdapterKind, model: &str) -> Target {
    Target { adapter, model: model.into(), place: Place::Provider { key: None, base: None } }
}

fn check(target: &Target, schema: &Value, has_tools: bool) -> &'static str {
    match format(schema, target, has_tools) {
        Format::Adapter(_) => "adapter",
        Format::Field(field) => {
            assert_eq!((&field["json_schema"]["schema"], &field["json_schema"]["strict"]), (schema, &json!(false)));
            "field"
        }
        Format::Words => "words",
    }
}

fn everywhere(schema: &Value) -> [&'static str; 4] {
    [AdapterKind::OpenAI, AdapterKind::OpenAIResp, AdapterKind::Anthropic, AdapterKind::Gemini]
        .map(|adapter| check(&hosted(adapter, "m"), schema, false))
}

#[test]
fn a_schema_that_is_strict_already_goes_to_every_adapter() {
    let item = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    let list = json!({"type": "array", "items": item});
    let schema =
        json!({"type": "object", "properties": {"items": list}, "required": ["items"], "additionalProperties": false});
    assert_eq!(everywhere(&schema), ["adapter"; 4]);
}

#[test]
fn optional_properties_stay_optional() {
    let schema = json!({"type": "object", "properties": {"note": {"type": "string"}}, "required": [], "additionalProperties": false});
    assert_eq!(everywhere(&schema), ["field", "words", "adapter", "adapter"]);
}

#[test]
fn open_objects_stay_open() {
    let properties = json!({"any": {"type": "object"}});
    let schema =
        json!({"type": "object", "properties": properties, "required": ["any"], "additionalProperties": false});
    assert_eq!(everywhere(&schema), ["field", "words", "words", "adapter"]);
}

#[test]
fn calls_of_tools_are_not_held_to_the_schema() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    let with_tools = |target: Target| check(&target, &schema, true);
    let local = Target::parse("http://127.0.0.1:1/v1#qwen3", None, &|_| None).unwrap();
    assert_eq!(with_tools(local), "words");
    assert_eq!(with_tools(hosted(AdapterKind::OpenRouter, "openai/gpt-5")), "words");
    assert_eq!(with_tools(hosted(AdapterKind::Gemini, "gemini-2.5-flash")), "words");
    assert_eq!(with_tools(hosted(AdapterKind::Gemini, "gemini-3-pro-preview")), "adapter");
    assert_eq!(with_tools(hosted(AdapterKind::OpenAI, "gpt-5-mini")), "adapter");
    assert_eq!(with_tools(hosted(AdapterKind::Anthropic, "claude-sonnet-4-5")), "adapter");
}
