use insta::assert_snapshot;
use ptc_signature::{Signature, Type};
use serde_json::json;

use super::*;
use crate::error::Signal;
use crate::value::{FormatOptions, NoCells, format};

fn shown(value: &Value) -> String {
    format(value, &FormatOptions { hide: false, ..FormatOptions::full() }).text
}

fn value(json: serde_json::Value) -> Value {
    Value::from_json(json)
}

fn lines(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn check(ty: &str, json: serde_json::Value) -> String {
    lines(&validate(&value(json), &Type::parse(ty).unwrap(), ExtraFields::Allowed))
}

fn coerced(ty: &str, json: serde_json::Value) -> String {
    match coerce(&value(json), &Type::parse(ty).unwrap()) {
        Ok((value, notes)) => format!("{} | {}", shown(&value), lines(&notes)),
        Err(finding) => finding.to_string(),
    }
}

fn call(signature: &str, args: &[Value]) -> String {
    let signature = (!signature.is_empty()).then(|| Signature::parse_tool(signature).unwrap());
    match tool_arguments("search", signature.as_ref(), args, InputChecks::Coerce, &NoCells, &mut Meter::host()) {
        Ok(bound) => format!("{} from {} | {}", shown(&bound.args), shown(&bound.surface), lines(&bound.notes)),
        Err(signal) => match *signal {
            Signal::Error(error) => format!("{}: {}", error.reason, error.message),
            other => format!("{other:?}"),
        },
    }
}

fn kw(name: &str) -> Value {
    Value::keyword(name)
}

#[test]
fn all_findings_in_field_order() {
    assert_snapshot!(check("{rooms [{no :int, view :string?}], total :float}", json!({"rooms": [{"no": 1}, {"no": "2", "view": 3}]})), @"[rooms.1.no]: expected int, got string; [rooms.1.view]: expected string, got int; [total]: expected field, got nil");
    assert_snapshot!(check("{total :float}", json!({"total": 3, "more": 1})), @"");
    assert_snapshot!(check("{a-b :int}", json!({"a_b": 3})), @"");
    assert_snapshot!(check(":int", json!(3.0)), @"root: expected int, got float");
    assert_snapshot!(check("[:keyword]", json!(["a", null, true])), @"[0]: expected keyword, got string; [1]: expected keyword, got nil; [2]: expected keyword, got bool");
    assert_snapshot!(check("{a :string}", json!([1])), @"root: expected map, got list");
    assert_snapshot!(check(":string?", json!(null)), @"");
    let set = crate::value::tests::set([1.into()]);
    assert_snapshot!(lines(&validate(&set, &Type::parse("[:int]").unwrap(), ExtraFields::Allowed)), @"root: expected list, got set");
    let many = value(json!(vec!["x"; 5_000]));
    assert_eq!(validate(&many, &Type::parse("[:int]").unwrap(), ExtraFields::Allowed).len(), MAX_FINDINGS);
    let strict = validate(&value(json!({"a": 1, "b-c": 2, "d": 3})), &Type::parse("{a :int, b_c :int}").unwrap(), ExtraFields::Rejected);
    assert_snapshot!(lines(&strict), @"[d]: field is not declared");
}

#[test]
fn coercion() {
    assert_snapshot!(coerced("{n :int, x :float, ok :bool}", json!({"n": "42", "x": " 4.5 ", "ok": "true", "extra": "1"})), @r#"{:n 42 :x 4.5 :ok true :extra "1"} | [n]: coerced string "42" to integer; [x]: coerced string " 4.5 " to float; [ok]: coerced string "true" to boolean"#);
    assert_snapshot!(coerced("[:float]", json!([1, 2.5, "3"])), @r#"[1.0 2.5 3.0] | [2]: coerced string "3" to float"#);
    assert_snapshot!(coerced(":int", json!(42.0)), @"root: cannot coerce to integer, got float");
    assert_snapshot!(coerced(":float", json!("4.5kg")), @r#"root: cannot coerce string "4.5kg" to float"#);
    assert_snapshot!(coerced(":float", json!("inf")), @r#"root: cannot coerce string "inf" to float"#);
    assert_snapshot!(coerced(":bool", json!("yes")), @r#"root: cannot coerce string "yes" to boolean"#);
    assert_snapshot!(coerced(":keyword", json!("a/b")), @r#":a/b | root: coerced string "a/b" to keyword"#);
    assert_snapshot!(coerced(":keyword", json!("two words")), @r#"root: cannot coerce string "two words" to keyword"#);
    assert_snapshot!(coerced("{a {b :int}}", json!({"a": {}})), @r#"[a]: missing required field "b""#);
    assert_snapshot!(coerced("{a :int?}", json!({"a": null})), @"{:a nil} | ");
}

#[test]
fn keys_fold_where_the_type_declares_them() {
    let fold = |json, ty: Option<&str>| {
        let ty = ty.map(|ty| Type::parse(ty).unwrap());
        fold_keys(&value(json), ty.as_ref()).map_or_else(|error| format!("{}: {}", error.reason, error.message), |value| shown(&value))
    };
    let data = || json!({"order-id": {"a-b": 1}, "by day-1": 2});
    assert_snapshot!(fold(data(), None), @r#"{:order_id {:a-b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(data(), Some("{order-id {a_b :int}}")), @r#"{:order_id {:a_b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(data(), Some("{order_id :map}")), @r#"{:order_id {:a-b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(data(), Some(":map")), @r#"{:order-id {:a-b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(json!([{"a-b": 1}]), Some("[{a_b :int}]")), @"[{:a_b 1}]");
    assert_snapshot!(fold(json!([{"a-b": 1}]), None), @"[{:a-b 1}]");
    assert_snapshot!(fold(json!({"a-b": 1, "a_b": 2}), None), @r#"validation_error: two keys become "a_b" outside of the program: keep one of :a_b and :a-b"#);
}

#[test]
fn arguments_are_bound() {
    const SEARCH: &str = "(query :string, limit :int?) -> [:map]";
    assert_snapshot!(call(SEARCH, &["tin".into(), 2.into()]), @r#"{"query" "tin" "limit" 2} from {:query "tin" :limit 2} | "#);
    assert_snapshot!(call(SEARCH, &[kw("query"), "tin".into()]), @r#"{"query" "tin"} from {:query "tin"} | "#);
    assert_snapshot!(call(SEARCH, &[value(json!({"query": "tin", "limit": "3"}))]), @r#"{"query" "tin" "limit" 3} from {:query "tin" :limit "3"} | [limit]: coerced string "3" to integer"#);
    assert_snapshot!(call(SEARCH, &["a".into(), 1.into(), 2.into()]), @"invalid_tool_args: tool/search takes at most 2 arguments, got 3; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})");
    assert_snapshot!(call(SEARCH, &[]), @r#"invalid_tool_args: tool/search root: missing required field "query"; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})"#);
    assert_snapshot!(call(SEARCH, &["a".into(), "x".into()]), @r#"invalid_tool_args: tool/search [limit]: cannot coerce string "x" to integer; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})"#);
    assert_snapshot!(call("(a :int, b :int) -> :int", &[1.into()]), @r#"invalid_tool_args: tool/search misses the argument "b"; it takes (a :int, b :int), e.g. (tool/search {:a ... :b ...})"#);
    assert_snapshot!(call("() -> :int", &[1.into()]), @"invalid_tool_args: tool/search takes no arguments, got 1");
    assert_snapshot!(call("", &["a".into()]), @"invalid_tool_args: tool/search needs named arguments, e.g. (tool/search {:name ...})");
    assert_snapshot!(call("-> :map", &["a".into()]), @"invalid_tool_args: tool/search needs named arguments, e.g. (tool/search {:name ...})");
    assert_snapshot!(call("", &[]), @"{} from {} | ");
}

#[test]
fn arguments_become_json_with_folded_keys() {
    let tags = crate::value::tests::set([kw("b"), kw("a")]);
    let named =
        crate::value::tests::map([(kw("item-id"), 1.into()), (kw("tags"), tags), (kw("at"), Value::Date(jiff::civil::date(2024, 3, 9)))]);
    assert_snapshot!(call("", &[named]), @r#"{"item_id" 1 "tags" ["b" "a"] "at" "2024-03-09"} from {:item-id 1 :tags #{:b :a} :at "2024-03-09"} | "#);
    assert_snapshot!(call("(order-id :int) -> :any", &[7.into()]), @r#"{"order_id" 7} from {:order-id 7} | "#);
    assert_snapshot!(call("(tags [:string]) -> :any", &[crate::value::tests::set(["a".into()])]), @r#"{"tags" ["a"]} from {:tags #{"a"}} | "#);
    // One parameter that is a map: the map is its value unless it names the parameter.
    assert_snapshot!(call("(item :map) -> :any", &[value(json!({"id": 1}))]), @r#"{"item" {"id" 1}} from {:item {:id 1}} | "#);
    assert_snapshot!(call("(item {id :int}) -> :any", &[value(json!({"item": {"id": 1}}))]), @r#"{"item" {"id" 1}} from {:item {:id 1}} | "#);
    assert_snapshot!(call("", &[value(json!({"a-b": 1, "a_b": 1}))]), @r#"invalid_tool_args: tool/search two keys become "a_b" outside of the program: keep one of :a_b and :a-b"#);
    assert_snapshot!(call("", &[crate::value::tests::map([(kw("x"), crate::value::tests::nested(600))])]), @"nesting_too_deep: tool/search: cannot write JSON nested more than 512 deep");
}
