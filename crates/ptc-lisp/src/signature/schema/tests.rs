use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::signature::parse::tests::any_type;
use crate::signature::{Enums, Signature, Type};

/// The type that a schema becomes, with enums as keywords.
fn check(schema: Value) -> String {
    Type::from_json_schema(&schema, Enums::Keyword).to_string()
}

#[test]
fn to_schema() {
    let signature =
        Signature::parse("(room :int, note :string?) -> {b [:float], a {c :keyword}?, d :any, e :map}").unwrap();
    assert_snapshot!(signature.result_schema(), @r#"{"type":"object","properties":{"b":{"type":"array","items":{"type":"number"}},"a":{"type":"object","properties":{"c":{"type":"string"}},"required":["c"],"additionalProperties":false},"d":{"type":"object"},"e":{"type":"object"}},"required":["b","d","e"],"additionalProperties":false}"#);
    assert_snapshot!(Type::parse("{:string -> [:int]?}").unwrap().to_json_schema(), @r#"{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}"#);
    assert_snapshot!(signature.params_schema(), @r#"{"type":"object","properties":{"room":{"type":"integer"},"note":{"type":"string"}},"required":["room"]}"#);
    assert_snapshot!(Signature::parse("[:bool]").unwrap().result_schema(), @r#"{"type":"object","properties":{"items":{"type":"array","items":{"type":"boolean"}}},"required":["items"],"additionalProperties":false}"#);
    assert_snapshot!(Signature::parse(":int").unwrap().result_schema(), @r#"{"type":"integer"}"#);
}

#[test]
fn from_plain_schemas() {
    assert_snapshot!(check(json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "number"}}, "required": ["a"]})), @"{a :int, b :float?}");
    assert_snapshot!(check(json!({"type": "array", "items": {"type": "boolean"}})), @"[:bool]");
    assert_snapshot!(check(json!({"type": "array"})), @"[:any]");
    assert_snapshot!(check(json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false})), @"[:any]");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": {"type": "string"}})), @"{:string -> :string}");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"n": {"type": "integer"}}}})), @"{:string -> {n :int?}}");
    assert_snapshot!(check(json!({"type": "object", "patternProperties": {"^\\d+$": {"type": "number"}}, "additionalProperties": false})), @"{:string -> :float}");
    assert_snapshot!(check(json!({"type": "object", "patternProperties": {"^a": {"type": "number"}, "^b": {}}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "patternProperties": {"^a": {"type": "number"}}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": {}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": true})), @":map");
    assert_snapshot!(check(json!({"additionalProperties": {"type": "string"}})), @"{:string -> :string}");
    assert_snapshot!(check(json!({"type": ["string", "null"]})), @":string?");
    assert_snapshot!(check(json!({"type": ["string", "integer"]})), @":any");
    assert_snapshot!(check(json!({"type": "null"})), @":any");
    assert_snapshot!(check(json!(true)), @":any");
    assert_snapshot!(check(json!({"type": "string", "nullable": true})), @":string?");
}

#[test]
fn constraints_beside_a_type_do_not_hide_it() {
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "anyOf": [{"required": ["a"]}, {}]});
    assert_snapshot!(check(schema), @"{a :int?}");
}

#[test]
fn names_that_no_program_can_write_widen_to_a_map() {
    assert_snapshot!(check(json!({"type": "object", "properties": {"first name": {"type": "integer"}}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "properties": {"x": {"properties": {"$f": {}}}}})), @"{x :map?}");
}

#[test]
fn enums_follow_their_origin() {
    let schemas = [
        json!({"type": "string", "enum": ["open", "done"]}),
        json!({"enum": ["open", "done"]}),
        json!({"oneOf": [{"type": "string", "const": "open", "description": "d"}, {"type": "string", "enum": ["done"]}]}),
        json!({"type": "string", "oneOf": [{"const": "open"}]}),
    ];
    for schema in schemas {
        assert_eq!(Type::from_json_schema(&schema, Enums::Keyword), Type::Keyword, "{schema}");
        assert_eq!(Type::from_json_schema(&schema, Enums::String), Type::String, "{schema}");
    }
    assert_snapshot!(check(json!({"enum": ["a", 1]})), @":any");
}

#[test]
fn references_are_followed() {
    let schema = json!({
        "$ref": "#/$defs/Stay",
        "$defs": {
            "Stay": {"type": "object", "required": ["room"], "properties": {
                "room": {"$ref": "#/$defs/Room"},
                "other": {"anyOf": [{"$ref": "#/$defs/Room"}, {"type": "null"}]},
                "next": {"$ref": "#/$defs/Stay"},
                "lost": {"$ref": "#/$defs/Nowhere"},
                "far": {"$ref": "https://example.org/schema"}
            }},
            "Room": {"allOf": [{"type": "object", "properties": {"no": {"type": "integer"}}, "required": ["no"]}]}
        }
    });
    assert_snapshot!(check(schema), @"{room {no :int}, other {no :int}?, next :any?, lost :any?, far :any?}");
}

#[test]
fn hostile_references_stay_small() {
    let mut definitions = serde_json::Map::new();
    for level in 0..60 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        definitions.insert(format!("L{level}"), json!({"properties": {"a": next, "b": next}}));
    }
    let schema = json!({"$ref": "#/$defs/L0", "$defs": definitions});
    let ty = Type::from_json_schema(&schema, Enums::String);
    assert!(ty.to_string().len() < 1_000_000);
    assert_eq!(Type::parse(&ty.to_string()), Ok(ty));
}

#[test]
fn tool_schemas() {
    let tool = |params: Value, result: Option<Value>| {
        Signature::from_json_schemas(Some(&params), result.as_ref(), Enums::String).to_string()
    };
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    assert_snapshot!(tool(path, Some(json!({"type": "array", "items": {"type": "string"}}))), @"(path :string) -> [:string]");
    assert_snapshot!(tool(json!({"type": "object", "properties": {}}), None), @"() -> :any");
    assert_snapshot!(tool(json!({"type": "object"}), None), @"() -> :any");
    assert_snapshot!(tool(json!({"type": "object", "additionalProperties": true}), None), @":any");
    assert_snapshot!(tool(json!({"properties": {"a b": {}}}), None), @":any");
    assert_snapshot!(Signature::from_json_schemas(None, None, Enums::String), @":any");
}

/// What survives a trip through JSON Schema: keywords become strings, `:any` becomes `:map`, `?` stays in fields only.
fn through_schema(ty: &Type) -> Type {
    match ty {
        Type::Keyword => Type::String,
        Type::Any => Type::Map,
        Type::Optional(inner) => through_schema(inner),
        Type::List(element) => Type::List(Box::new(through_schema(element))),
        Type::MapOf(_, value) => Type::MapOf(Box::new(Type::String), Box::new(through_schema(value))),
        Type::Record(fields) => Type::Record(
            fields
                .iter()
                .map(|field| {
                    let ty = through_schema(&field.ty);
                    crate::signature::Field::new(
                        &field.name,
                        if field.ty.accepts_absent() { ty.optional() } else { ty },
                    )
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn schemas_read_back(ty in any_type()) {
        prop_assert_eq!(Type::from_json_schema(&ty.to_json_schema(), Enums::Keyword), through_schema(&ty));
    }
}
