use genai::adapter::AdapterKind;
use serde_json::{Value, json};

use super::{Format, format};
use crate::spec::{Place, Target};

fn check(adapter: AdapterKind, schema: &Value) -> &'static str {
    let target = Target { adapter, model: "m".into(), place: Place::Provider { key: None, base: None } };
    match format(schema, &target) {
        Format::Adapter(_) => "adapter",
        Format::Field(field) => {
            assert_eq!((&field["json_schema"]["schema"], &field["json_schema"]["strict"]), (schema, &json!(false)));
            "field"
        }
        Format::Words => "words",
    }
}

fn everywhere(schema: &Value) -> [&'static str; 4] {
    [AdapterKind::OpenAI, AdapterKind::OpenAIResp, AdapterKind::Anthropic, AdapterKind::Gemini].map(|adapter| check(adapter, schema))
}

#[test]
fn a_schema_that_is_strict_already_goes_to_every_adapter() {
    let item = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    let list = json!({"type": "array", "items": item});
    let schema = json!({"type": "object", "properties": {"items": list}, "required": ["items"], "additionalProperties": false});
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
    let schema = json!({"type": "object", "properties": properties, "required": ["any"], "additionalProperties": false});
    assert_eq!(everywhere(&schema), ["field", "words", "words", "adapter"]);
}
