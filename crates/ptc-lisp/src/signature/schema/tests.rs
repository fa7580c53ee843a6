use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::signature::parse::tests::{any_rule, any_shape};
use crate::signature::{Enums, Field, Limit, Limits, Literal, Measure, Rule, Signature, Type};

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
    let ruled = "(n :int = 3 (1 to 5), pay :float (above 0; in euros), day :string (date)) -> {n :int (1 to 5)}";
    let ruled = Signature::parse(ruled).unwrap();
    assert_snapshot!(ruled.params_schema()["properties"], @r#"{"n":{"type":"integer","minimum":1,"maximum":5,"default":3},"pay":{"type":"number","exclusiveMinimum":0,"description":"in euros"},"day":{"type":"string","format":"date"}}"#);
    assert_snapshot!(ruled.result_schema()["properties"], @r#"{"n":{"type":"integer","description":"1 to 5"}}"#);
    assert_snapshot!(Signature::parse("[:bool]").unwrap().result_schema(), @r#"{"type":"object","properties":{"items":{"type":"array","items":{"type":"boolean"}}},"required":["items"],"additionalProperties":false}"#);
    assert_snapshot!(Signature::parse(":int").unwrap().result_schema(), @r#"{"type":"integer"}"#);
}

#[test]
fn from_plain_schemas() {
    assert_snapshot!(check(json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "number"}}, "required": ["a"]})), @"{a :int, b :float?}");
    assert_snapshot!(check(json!({"type": "array", "items": {"type": "boolean"}})), @"[:bool]");
    assert_snapshot!(check(json!({"type": "array"})), @"[:any]");
    assert_snapshot!(check(json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false})), @"[:string]");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": {"type": "string"}})), @"{:string -> :string}");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"n": {"type": "integer"}}}})), @"{:string -> {n :int?}}");
    assert_snapshot!(check(json!({"type": "object", "patternProperties": {"^\\d+$": {"type": "number"}}, "additionalProperties": false})), @"{:string -> :float}");
    assert_snapshot!(check(json!({"type": "object", "patternProperties": {"^a": {"type": "number"}, "^b": {}}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "patternProperties": {"^a": {"type": "number"}}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": {}})), @":map");
    assert_snapshot!(check(json!({"type": "object", "additionalProperties": true})), @":map");
    assert_snapshot!(check(json!({"additionalProperties": {"type": "string"}})), @"{:string -> :string}");
    assert_snapshot!(check(json!({"type": ["string", "null"]})), @":string?");
    assert_snapshot!(check(json!({"type": ["string", "integer"]})), @":string | :int");
    assert_snapshot!(check(json!({"type": "null"})), @"#{nil}");
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
fn names_are_kept_as_declared() {
    assert_snapshot!(check(json!({"type": "object", "properties": {"first name": {"type": "integer"}}})), @r#"{"first name" :int?}"#);
    assert_snapshot!(check(json!({"type": "object", "properties": {"x": {"properties": {"$f": {}}}}})), @r#"{x {"$f" :any?}?}"#);
}

#[test]
fn enums_follow_their_origin() {
    let schemas = [
        json!({"type": "string", "enum": ["open", "done"]}),
        json!({"enum": ["open", "done"]}),
        json!({"oneOf": [{"type": "string", "const": "open", "description": "d"}, {"type": "string", "enum": ["done"]}]}),
        json!({"type": "string", "oneOf": [{"const": "open"}]}),
    ];
    let read = |enums| schemas.each_ref().map(|schema| Type::from_json_schema(schema, enums).to_string());
    assert_eq!(read(Enums::Keyword), ["#{:open :done}", "#{:open :done}", "#{:open :done}", "#{:open}"]);
    assert_eq!(
        read(Enums::String),
        [r#"#{"open" "done"}"#, r#"#{"open" "done"}"#, r#"#{"open" "done"}"#, r#"#{"open"}"#]
    );
    assert_snapshot!(check(json!({"enum": ["a", 1, 0.5, true, null]})), @"#{:a 1 0.5 true}?");
    assert_snapshot!(check(json!({"type": "integer", "const": 3})), @"#{3}");
    assert_snapshot!(check(json!({"enum": ["a", {}]})), @":any");
    assert_snapshot!(check(json!({"enum": []})), @":any");
}

#[test]
fn parts_and_cases_of_an_object_are_its_fields() {
    let add =
        json!({"properties": {"mode": {"const": "add"}, "title": {"type": "string"}}, "required": ["mode", "title"]});
    let drop =
        json!({"properties": {"mode": {"const": "drop"}, "id": {"type": "integer"}}, "required": ["mode", "id"]});
    assert_snapshot!(check(json!({"type": "object", "oneOf": [add, drop], "required": ["mode"]})), @"{mode #{:add :drop}, title :string?, id :int?}");
    assert_snapshot!(check(json!({"oneOf": [add, drop]})), @"{mode #{:add}, title :string} | {mode #{:drop}, id :int}");
    let foreign = |schema: Value| Type::from_json_schema(&schema, Enums::String).to_string();
    assert_snapshot!(foreign(json!({"oneOf": [add, drop]})), @r#"{mode #{"add" "drop"}, title :string?, id :int?}"#);
    assert_snapshot!(foreign(json!({"type": "object", "anyOf": [add, {"required": ["mode"]}]})), @r#"{mode #{"add"}, title :string?}"#);
    assert_snapshot!(foreign(json!({"anyOf": [add, {"type": "string"}]})), @":any");
    assert_snapshot!(check(json!({"allOf": [add, {"properties": {"at": {"type": "string"}}}]})), @"{mode #{:add}, title :string, at :string?}");
    let branches =
        json!({"properties": {"a": {}}, "if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "integer"}}}});
    assert_snapshot!(check(branches), @"{a :any?, b :int?}");
}

#[test]
fn kinds_of_rust_values_are_alternatives() {
    let circle = json!({"type": "object", "properties": {"circle": {"type": "object", "properties": {"r": {"type": "number"}}, "required": ["r"]}}, "required": ["circle"], "additionalProperties": false});
    assert_snapshot!(check(json!({"oneOf": [{"type": "string", "enum": ["dot", "line"]}, circle]})), @"#{:dot :line} | {circle {r :float}}");
    assert_snapshot!(check(json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})), @":int | [:int]?");
    assert_snapshot!(check(json!({"prefixItems": [{"type": "string"}, {"type": "number"}]})), @"[:string | :float]");
    let tagged =
        |name: &str| json!({"$ref": "#/$defs/Size", "properties": {"kind": {"const": name}}, "required": ["kind"]});
    let size = json!({"Size": {"type": "object", "properties": {"cm": {"type": "integer"}}, "required": ["cm"]}});
    assert_snapshot!(check(json!({"oneOf": [tagged("a"), tagged("b")], "$defs": size})), @"{kind #{:a :b}, cm :int}");
    assert_snapshot!(check(json!({"oneOf": [tagged("a")], "$defs": size})), @"{kind #{:a}, cm :int}");
    let params = |ty: Value| {
        let schema = json!({"type": "object", "properties": {"at": ty}, "required": ["at"]});
        Signature::from_json_schemas(Some(schema), None, Enums::Keyword).to_string()
    };
    assert_snapshot!(params(json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2})), @"(at [:float, :float]) -> :any");
    assert_snapshot!(params(json!({"type": "array", "items": {"prefixItems": [{"type": "string"}, {"type": "integer"}]}})), @"(at [[:string | :int]]) -> :any");
    let whole = Signature::parse("{kind #{:dot}} | {kind #{:circle}, r :float}").unwrap();
    assert_snapshot!(whole.result_schema(), @r#"{"type":"object","properties":{"kind":{"type":"string","enum":["dot","circle"]},"r":{"type":"number"}},"required":["kind"],"additionalProperties":false}"#);
    assert_snapshot!(Type::parse(":int | [:int]").unwrap().to_json_schema(), @r#"{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]}"#);
}

#[test]
fn schemas_of_types_say_formats_keys_and_comments() {
    let exact = |schema: Value| Type::from_json_schema(&schema, Enums::Exact).to_string();
    assert_snapshot!(exact(json!({"additionalProperties": {"type": "number"}, "propertyNames": {"format": "date"}})), @"{:string (date) -> :float}");
    assert_snapshot!(exact(json!({"additionalProperties": {"type": "number"}, "propertyNames": {"enum": ["a", "b"]}})), @r#"{#{"a" "b"} -> :float}"#);
    assert_snapshot!(exact(json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "time"}, {"type": "null"}]})), @":string (date) | :string? (time)");
    assert_snapshot!(exact(json!({"properties": {"a": {"type": ["string", "null"], "format": "date", "description": " The\n first "}}})), @r#"{a :string? (date) "The first"}"#);
    assert_snapshot!(exact(json!({"prefixItems": [{"type": "null"}, {"type": "integer", "minimum": 1}], "minItems": 2, "maxItems": 2})), @"[#{nil}, :int (at least 1)]");
    // What others write of kinds is often wrong: what holds for all of them stays.
    let both =
        json!({"anyOf": [{"type": "string", "maxLength": 9, "format": "date"}, {"type": "string", "maxLength": 9}]});
    assert_snapshot!(Type::from_json_schema(&both, Enums::String), @":string (at most 9 characters)");
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
fn rules_of_values_are_kept_at_every_level() {
    let params = |properties: Value| {
        let schema = json!({"properties": properties, "$defs": {"Page": {"type": "integer", "minimum": 1}}});
        Signature::from_json_schemas(Some(schema), None, Enums::String).to_string()
    };
    assert_snapshot!(params(json!({
        "a": {"type": "integer", "minimum": 1, "maximum": 50},
        "b": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5},
        "c": {"type": "number", "minimum": 0, "exclusiveMinimum": true, "multipleOf": 0.5},
        "d": {"type": "string", "minLength": 1, "maxLength": 20, "pattern": "^a", "format": "email"},
    })), @r#"(a :int? (1 to 50), b :float? (above 0 and below 1.5), c :float? (above 0; a multiple of 0.5), d :string? (1 to 20 characters; matches "^a"; email)) -> :any"#);
    assert_snapshot!(params(json!({
        "tags": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"type": "string", "maxLength": 9}},
        "grid": {"type": "array", "items": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/Page"}}},
        "by": {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "integer", "maximum": 9}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}}},
    })), @"(tags [:string (at most 9 characters)]? (at least 1 item; distinct items), grid [[:int (at least 1)] (at most 2 items)]?, by {:string -> :int (at most 9)}? (at most 3 entries), rows [{n :int? (at most 9)}]?) -> :any");
    assert_snapshot!(params(json!({
        "page": {"anyOf": [{"$ref": "#/$defs/Page"}, {"type": "null"}]},
        "all": {"allOf": [{"$ref": "#/$defs/Page"}, {"maximum": 9}]},
        "one": {"oneOf": [{"type": "integer", "minimum": 5}, {"type": "string"}]},
        "long": {"type": "string", "pattern": "a".repeat(5_000)},
        "size": {"type": "integer", "format": "uint8"},
    })), @"(page :int? (at least 1), all :any? (at least 1; at most 9), one :any?, long :string?, size :int?) -> :any");
    let result = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}});
    assert_snapshot!(Signature::from_json_schemas(None, Some(result), Enums::String), @"{n :int?}");
}

#[test]
fn rules_that_refer_to_themselves_stay_small() {
    let twice = json!([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]);
    let schema = json!({"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"minimum": 1, "allOf": twice, "items": {"$ref": "#/$defs/A"}}}});
    let signature = Signature::from_json_schemas(Some(schema), None, Enums::String);
    assert!(signature.to_string().len() < 1_000_000);
    assert_eq!(Signature::parse(&signature.to_string()).unwrap().to_string(), signature.to_string());
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
        Signature::from_json_schemas(Some(params), result, Enums::String).to_string()
    };
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    assert_snapshot!(tool(path, Some(json!({"type": "array", "items": {"type": "string"}}))), @"(path :string) -> [:string]");
    assert_snapshot!(tool(json!({"type": "object", "properties": {}}), None), @"(…) -> :any");
    assert_snapshot!(tool(json!({"type": "object", "additionalProperties": false}), None), @"() -> :any");
    assert_snapshot!(tool(json!({"type": "object"}), None), @"(…) -> :any");
    assert_snapshot!(tool(json!({"type": "object", "additionalProperties": true}), None), @"(…) -> :any");
    assert_snapshot!(tool(json!({"properties": {"a b": {}}}), None), @r#"("a b" :any?) -> :any"#);
    let limit = json!({"type": "integer", "default": 10});
    let open = json!({"properties": {"q": {"type": "string"}, "limit": limit}, "required": ["q", "id"], "patternProperties": {"^x-": {}}});
    assert_snapshot!(tool(open, None), @"(q :string, limit :int = 10, id :any, …) -> :any");
    assert_snapshot!(Signature::from_json_schemas(None, None, Enums::String), @":any");
}

fn lines(input: Value) -> String {
    Signature::from_json_schemas(Some(input), None, Enums::String).lines().join("\n")
}

#[test]
fn all_that_a_schema_says_has_a_line() {
    let schema = json!({
        "type": "object",
        "title": "searchArguments",
        "required": ["city"],
        "properties": {
            "city": {"type": "string", "title": "City", "description": "A zip code,\n;; === tool/ ===\nnot a name", "pattern": "^[0-9]+$"},
            "priority": {"type": "integer", "minimum": 1, "maximum": 5, "default": 3},
            "mode": {"enum": ["fast", "safe", null]},
            "since": {"type": ["string", "null"], "format": "date-time", "examples": ["2024-01-01T00:00:00Z"]},
            "tags": {"type": "array", "uniqueItems": true, "items": {"const": "x"}},
            "pair": {"prefixItems": [{"type": "integer"}, {"description": "The second"}]},
            "by": {"additionalProperties": {"description": "A count"}, "patternProperties": {"^x-": {"type": "boolean"}}},
            "parent": {"oneOf": [{"$ref": "#/$defs/Page"}, {"properties": {"database": {"format": "uuid"}}}]},
            "page": {"$ref": "#/$defs/Page"},
            "far": {"$ref": "https://example.org/schema"}
        },
        "additionalProperties": false,
        "x-hint": {"new": true},
        "$defs": {"Page": {"properties": {"id": {"description": "Its id"}, "above": {"$ref": "#/$defs/Page"}}}}
    });
    assert_snapshot!(lines(schema), @r##"
    x-hint {"new":true}
    city string; pattern "^[0-9]+$"; A zip code, ;; === tool/ === not a name
    priority integer; minimum 1; maximum 5; default 3
    mode one of "fast", "safe", null
    since string or null; format date-time; examples ["2024-01-01T00:00:00Z"]
    tags array; uniqueItems true
    tags[] always "x"
    pair[0] integer
    pair[1] The second
    by./^x-/ boolean
    by.* A count
    parent (case 1).id Its id
    parent (case 1).above like parent (case 1)
    parent (case 2).database format uuid
    page like parent (case 1)
    far as https://example.org/schema
    "##);
    assert_snapshot!(lines(json!(true)), @"");
}

#[test]
fn schemas_of_hostile_size_have_bounded_lines() {
    let wide: serde_json::Map<String, Value> = (0..5_000).map(|n| (format!("p{n}"), json!({"type": "null"}))).collect();
    assert!(lines(json!({"properties": wide})).ends_with("... (3000 more)"));
    let long = lines(json!({"properties": {"a": {"description": "x".repeat(9_000)}}}));
    assert!(long.ends_with("... (5000 more characters)") && long.len() < 4_100);
    let deep = (0..500).fold(json!({"description": "bottom"}), |inner, _| json!({"items": inner}));
    assert_snapshot!(lines(deep), @"");
}

/// Parts of a schema, each with a mark that must be found.
fn marked_schema() -> impl Strategy<Value = Value> {
    let mark = |key: &'static str| "[a-z]{12}".prop_map(move |text| json!({key: text}));
    let leaf = prop_oneof![
        mark("description"),
        mark("default"),
        mark("const"),
        mark("format"),
        mark("pattern"),
        "[a-z]{12}".prop_map(|text| json!({"enum": [text, 1]})),
        (0..1_000_000_000_u64).prop_map(|least| json!({"minimum": least})),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list =
            |key: &'static str| prop::collection::vec(inner.clone(), 1..3).prop_map(move |parts| json!({key: parts}));
        let named = |key: &'static str| {
            prop::collection::btree_map("[a-z$ ]{1,6}", inner.clone(), 1..3).prop_map(move |parts| json!({key: parts}))
        };
        let one = |key: &'static str| inner.clone().prop_map(move |part| json!({key: part}));
        prop_oneof![
            list("allOf"),
            list("anyOf"),
            list("oneOf"),
            list("prefixItems"),
            named("properties"),
            named("patternProperties"),
            named("dependentSchemas"),
            one("items"),
            one("additionalProperties"),
            one("if"),
            one("then"),
            one("else"),
            one("not"),
            one("contains"),
        ]
    })
}

/// The marks of a schema.
fn marks(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::String(text) => found.push(text.clone()),
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| marks(item, found)),
        Value::Object(fields) => fields.values().for_each(|item| marks(item, found)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn nothing_that_a_schema_says_is_lost(schema in marked_schema()) {
        let (text, mut all) = (lines(schema.clone()), Vec::new());
        marks(&schema, &mut all);
        for mark in all {
            prop_assert!(text.contains(&mark), "{mark} in {text}");
        }
    }
}

/// What survives a trip through JSON Schema: keywords become strings, `:any` becomes `:map`, `?` stays in fields only.
fn through_schema(ty: &Type) -> Type {
    match ty {
        Type::Keyword => Type::String,
        Type::OneOf(values) => {
            let mut read = Vec::new();
            for value in values {
                let value = match value {
                    Literal::String(text) => Literal::Keyword(text.clone()),
                    other => other.clone(),
                };
                if !read.contains(&value) {
                    read.push(value);
                }
            }
            Type::OneOf(read)
        }
        Type::Any | Type::JsonOrText => Type::Map,
        Type::Optional(inner) => through_schema(inner),
        Type::List(element) => Type::List(Box::new(through_schema(element))),
        Type::Union(types) => Type::union(types.iter().map(through_schema)),
        Type::MapOf(_, value) => Type::MapOf(Box::new(Type::String), Box::new(through_schema(value))),
        Type::Record(fields) => Type::Record(
            fields
                .iter()
                .map(|field| {
                    let ty = through_schema(&field.ty);
                    Field::new(&field.name, if field.ty.accepts_absent() { ty.optional() } else { ty })
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

/// The rule as a schema can have it: no size is excluded, a step is above 0, and elements have keys elsewhere.
fn as_written(rule: Rule) -> Rule {
    match rule {
        Rule::Within(Limits { of, least, most }) => {
            let included = |limit: Option<Limit>| {
                limit.map(|limit| Limit { is_excluded: limit.is_excluded && of == Measure::Number, ..limit })
            };
            Rule::Within(Limits { of, least: included(least), most: included(most) })
        }
        Rule::MultipleOf(step) if step.as_f64() <= Some(0.0) => Rule::MultipleOf(1.into()),
        other => other,
    }
}

proptest! {
    #[test]
    fn rules_read_back_from_schemas(rule in any_rule().prop_map(as_written)) {
        let ty = |ty: Type| ty.ruled([rule.clone()]);
        let [int, text, map] = [Type::Int, Type::String, Type::Map].map(ty);
        let list = Type::List(Box::new(int.clone()));
        let list = if matches!(rule, Rule::Hint(_)) { list } else { list.ruled([rule.clone()]) };
        let by_name = Type::MapOf(Box::new(text.clone()), Box::new(list));
        let types = if matches!(rule, Rule::Hint(_)) { vec![text] } else { vec![int, text, map, by_name] };
        let types = types.clone().into_iter().chain([Type::tuple(types.clone()), Type::union(types)]);
        for ty in types {
            let signature = Signature::new(Some(vec![Field::new("a", ty)]), Type::Any);
            let read = Signature::from_json_schemas(Some(signature.params_schema()), None, Enums::Exact);
            prop_assert_eq!(read.to_string(), signature.to_string());
        }
    }

    #[test]
    fn schemas_read_back(ty in any_shape()) {
        prop_assert_eq!(Type::from_json_schema(&ty.to_json_schema(), Enums::Keyword), through_schema(&ty));
    }
}

#[test]
fn lines_say_how_a_description_wants_a_value_written() {
    let written = |text: &str| {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "description": text}}});
        let signature = Signature::from_json_schemas(Some(schema), None, Enums::String);
        assert_eq!(Signature::parse_tool(&signature.to_string()).unwrap().to_string(), signature.to_string());
        signature.plain_params().to_string()
    };
    assert_eq!(written("Start. Must be in format YYYY-MM-DD HH:MM."), "a string? (YYYY-MM-DD HH:MM)");
    assert_eq!(written("The card's expiry (format: 'MM/YYYY')"), "a string? (MM/YYYY)");
    assert_eq!(written("When, as %Y-%m-%d %H:%M"), "a string? (%Y-%m-%d %H:%M)");
    assert_eq!(written("An ISO 8601 date"), "a string? (ISO 8601)");
    assert_eq!(written("How long to wait in seconds, at most 30"), "a string? (in seconds)");
    assert_eq!(written("My DD of Mss in the hh of a day in a format"), "a string?");
    assert_eq!(written("The mode. [Enum]: [\"engage\", \"release\"]"), "a string? (\"engage\", \"release\")");
    assert_eq!(written("The currency. [Enum]: USD, RMB, EUR"), "a string? (\"USD\", \"RMB\", \"EUR\")");
    assert_eq!(written("The class. Options are: economy, first."), "a string? (\"economy\", \"first\")");
    assert_eq!(written("One of: `asc` or `desc` (the newest first)"), "a string? (\"asc\", \"desc\")");
    assert_eq!(written("Level (either \"r\" for read or \"rw\" for both)."), "a string? (\"r\", \"rw\")");
    assert_eq!(written("Order by 'date', 'name' or 'size'"), "a string? (\"date\", \"name\", \"size\")");
    assert_eq!(written("Speed from 0 to 100. Default is 50."), "a string? (from 0 to 100)");
    assert_eq!(written("Pedal, between 0 (not pressed) and 1 (fully)."), "a string? (from 0 to 1)");
    assert_eq!(written("Latitude, from -90 to 90."), "a string? (from -90 to 90)");
    assert_eq!(written("The user's mode: either 'on' or 'off'"), "a string? (\"on\", \"off\")");
    let places = (0..40).map(|at| format!("place-{at}")).collect::<Vec<_>>().join(", ");
    let long = written(&format!("Possible values: {places}"));
    assert!(long.starts_with("a string? (\"place-0\", \"place-1\"") && long.ends_with(", ...)"), "{long}");
    for examples in [
        "The sector (e.g., 'Technology' or 'Energy')",
        "A name such as 'a' or 'b'",
        "One of the files in the current folder",
        "Either the name of a file, or that of a folder with files in it",
        "The 'id' of 'room'",
        "A user's name or the user's id",
        "Either the user's id, the owner's name or the group's tag",
        "One of the labels, e.g. 'red', 'green' or 'blue'",
        "Distance from 5 points, with 3 to 7 of them",
        "Moves a file from 1 folder to another",
    ] {
        assert_eq!(written(examples), "a string?", "{examples}");
    }
    let bounded = json!({"properties": {"n": {"type": "integer", "maximum": 30, "description": "Wait in seconds"}}});
    let signature = Signature::from_json_schemas(Some(bounded), None, Enums::String);
    assert_eq!(signature.plain_params().to_string(), "n int? (at most 30; in seconds)");
}

#[test]
fn what_is_said_of_types_and_their_values_is_kept() {
    let shipping = json!({
        "description": "How it travels",
        "oneOf": [
            {"type": "string", "enum": ["pigeon", "drone"]},
            {"type": "string", "const": "express", "description": "On the next\n day"},
            {"type": "object", "properties": {"van": {"$ref": "#/$defs/Van"}}, "required": ["van"], "description": "With a driver"},
        ],
    });
    let by_tag = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"type": "string", "const": "card"}, "no": {"type": "string"}}, "required": ["kind", "no"], "description": "By card"},
        {"type": "object", "properties": {"kind": {"type": "string", "const": "cash"}}, "required": ["kind"]},
    ]});
    let defs = json!({"Shipping": shipping, "Paid": by_tag, "Van": {"type": "object", "properties": {"wheels": {"type": "integer"}}, "required": ["wheels"]}});
    let with = |properties: Value| {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        check(json!({"type": "object", "properties": properties, "required": required, "$defs": defs}))
    };
    let shipping = json!({"$ref": "#/$defs/Shipping"});
    assert_snapshot!(with(json!({"by": shipping})), @r#"{by #{:pigeon :drone :express} | {van {wheels :int} "With a driver"} "How it travels; express: On the next day"}"#);
    assert_snapshot!(with(json!({"by": {"$ref": "#/$defs/Shipping", "description": "What was asked for"}})), @r#"{by #{:pigeon :drone :express} | {van {wheels :int} "With a driver"} "What was asked for; express: On the next day"}"#);
    assert_snapshot!(with(json!({"by": {"anyOf": [shipping, {"type": "null"}]}})), @r#"{by #{:pigeon :drone :express} | {van {wheels :int} "With a driver"}? "How it travels; express: On the next day"}"#);
    let sentences = json!({"description": "How fast. Or not.", "oneOf": [{"const": "air", "description": "Fast."}, {"const": "sea", "description": "Slow."}, {"const": 3, "description": "Three\ndays."}]});
    assert_snapshot!(with(json!({"by": sentences})), @r#"{by #{:air :sea 3} "How fast. Or not; air: Fast; sea: Slow; 3: Three days."}"#);
    assert_snapshot!(with(json!({"paid": {"$ref": "#/$defs/Paid"}})), @r#"{paid {kind #{:card} "By card", no :string} | {kind #{:cash}}}"#);
    // JSON mode has it in the schema of the answer.
    let root = json!({"oneOf": defs["Shipping"]["oneOf"], "$defs": defs});
    assert_snapshot!(check(root.clone()), @r#"#{:pigeon :drone :express} | {van {wheels :int} "With a driver"}"#);
    assert_snapshot!(Type::from_json_schema(&root, Enums::Keyword).to_json_schema(), @r#"{"anyOf":[{"type":"string","enum":["pigeon","drone","express"]},{"type":"object","properties":{"van":{"type":"object","properties":{"wheels":{"type":"integer"}},"required":["wheels"],"additionalProperties":false,"description":"With a driver"}},"required":["van"],"additionalProperties":false}]}"#);
}
