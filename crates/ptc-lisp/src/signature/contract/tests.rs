use crate::signature::{Signature, Type};
use insta::assert_snapshot;
use serde_json::json;

use proptest::prelude::*;

use super::*;
use crate::error::Signal;
use crate::value::{FormatOptions, KeyTexts, NoCells, format};

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
    let parameters = Parameters { tool: "search", signature: signature.as_ref(), checks: InputChecks::Coerce };
    match tool_arguments(parameters, &mut args.to_vec(), &mut KeyTexts::default(), &NoCells, &mut Meter::host()) {
        Ok(bound) => format!(
            "{} from {} | {}",
            shown(&Value::Map(bound.args)),
            shown(&Value::Map(bound.surface)),
            lines(&bound.notes)
        ),
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
    assert_snapshot!(check("{rooms [{no :int, view :string?}], total :float}", json!({"rooms": [{"no": 1}, {"no": "2", "view": 3}]})), @"[rooms.1.no]: expected int, got string; [rooms.1.view]: expected string, got int; [total]: required field is missing");
    assert_snapshot!(check("{total :float}", json!({"total": 3, "more": 1})), @"");
    assert_snapshot!(check("{a-b :int}", json!({"a_b": 3})), @"");
    assert_snapshot!(check(":int", json!(3.0)), @"expected int, got float");
    assert_snapshot!(check("[:keyword]", json!(["a", null, true])), @"[0]: expected keyword, got string; [1]: expected keyword, got nil; [2]: expected keyword, got bool");
    assert_snapshot!(check("{a :string}", json!([1])), @"expected map, got list");
    assert_snapshot!(check(":string?", json!(null)), @"");
    let set = crate::value::tests::set([1.into()]);
    assert_snapshot!(lines(&validate(&set, &Type::parse("[:int]").unwrap(), ExtraFields::Allowed)), @"expected list, got set");
    let many = value(json!(vec!["x"; 5_000]));
    assert_eq!(validate(&many, &Type::parse("[:int]").unwrap(), ExtraFields::Allowed).len(), MAX_FINDINGS);
    let strict = validate(
        &value(json!({"a": 1, "b-c": 2, "d": 3})),
        &Type::parse("{a :int, b_c :int}").unwrap(),
        ExtraFields::Rejected,
    );
    assert_snapshot!(lines(&strict), @"[d]: field is not declared");
}

#[test]
fn maps_from_keys_to_values_are_checked_entry_by_entry() {
    assert_snapshot!(check("{:string -> :int}", json!({"a": 1, "two words": 2})), @"");
    assert_snapshot!(check("{:keyword -> :int}", json!({"a": 1, "two words": 2})), @"");
    assert_snapshot!(check("{:string -> {n :int}}", json!({"a": {"n": "1"}, "b c": {}})), @"[a.n]: expected int, got string; [b c.n]: required field is missing");
    assert_snapshot!(check("{:string -> :int}", json!([1])), @"expected map, got list");
    let by_number = crate::value::tests::map([(1.into(), 2.into()), (kw("x"), "y".into())]);
    assert_snapshot!(lines(&validate(&by_number, &Type::parse("{:int -> :int}").unwrap(), ExtraFields::Rejected)), @"[x]: expected int key, got keyword; [x]: expected int, got string");
    assert_snapshot!(lines(&validate(&by_number, &Type::parse("{:any -> :any}").unwrap(), ExtraFields::Rejected)), @"");
    assert_snapshot!(lines(&validate(&by_number, &Type::parse("{:string -> :any}").unwrap(), ExtraFields::Rejected)), @"[1]: expected string key, got int");
    let many = value((0..500).map(|n| (format!("k{n}"), json!("x"))).collect::<serde_json::Map<_, _>>().into());
    assert_eq!(validate(&many, &Type::parse("{:string -> :int}").unwrap(), ExtraFields::Allowed).len(), MAX_FINDINGS);
}

#[test]
fn coercion() {
    assert_snapshot!(coerced("{n :int, x :float, ok :bool}", json!({"n": "42", "x": " 4.5 ", "ok": "true", "extra": "1"})), @r#"{:n 42 :x 4.5 :ok true :extra "1"} | [n]: coerced string "42" to integer; [x]: coerced string " 4.5 " to float; [ok]: coerced string "true" to boolean"#);
    assert_snapshot!(coerced("[:float]", json!([1, 2.5, "3"])), @r#"[1.0 2.5 3.0] | [2]: coerced string "3" to float"#);
    assert_snapshot!(coerced(":int", json!(42.0)), @"cannot coerce to integer, got float");
    assert_snapshot!(coerced(":float", json!("4.5kg")), @r#"cannot coerce string "4.5kg" to float"#);
    assert_snapshot!(coerced(":float", json!("inf")), @r#"cannot coerce string "inf" to float"#);
    assert_snapshot!(coerced(":bool", json!("yes")), @r#"cannot coerce string "yes" to boolean"#);
    assert_snapshot!(coerced(":keyword", json!("a/b")), @r#":a/b | coerced string "a/b" to keyword"#);
    assert_snapshot!(coerced(":keyword", json!("two words")), @r#"cannot coerce string "two words" to keyword"#);
    assert_snapshot!(coerced("{a {b :int}}", json!({"a": {}})), @r#"[a]: missing required field "b""#);
    assert_snapshot!(coerced("{a :int?}", json!({"a": null})), @"{:a nil} | ");
    assert_snapshot!(coerced("{:string -> :float}", json!({"a": 1, "b c": "2.5"})), @r#"{:a 1.0 "b c" 2.5} | [b c]: coerced string "2.5" to float"#);
    assert_snapshot!(coerced("{:int -> :keyword}", json!({"1": "x"})), @r#"{1 :x} | [1]: coerced string "1" to integer; [1]: coerced string "x" to keyword"#);
    assert_snapshot!(coerced("{:int -> :any}", json!({"one": 1})), @r#"[one]: cannot coerce string "one" to integer"#);
    assert_snapshot!(coerced("{:int -> :any}", json!({"-1": 1})), @r#"{-1 1} | [-1]: coerced string "-1" to integer"#);
    assert_snapshot!(coerced("{:bool -> :any}", json!({"true": 1})), @r#"{true 1} | [true]: coerced string "true" to boolean"#);
    assert_snapshot!(coerced("{:string -> {n :int}}", json!({"a": {}})), @r#"[a]: missing required field "n""#);
}

#[test]
fn values_of_unions_have_one_of_the_types() {
    const SHAPE: &str = "#{:dot} | {kind #{:circle}, radius :float} | {kind #{:box}, wide :float, high :float}";
    assert_snapshot!(coerced(SHAPE, json!({"kind": "circle", "radius": "2"})), @r#"{:kind :circle :radius 2.0} | [kind]: coerced string "circle" to keyword; [radius]: coerced string "2" to float"#);
    assert_snapshot!(coerced(SHAPE, json!("dot")), @r#":dot | coerced string "dot" to keyword"#);
    assert_snapshot!(coerced(SHAPE, json!({"kind": "circel", "radius": 2})), @r#"[kind]: expected one of "circle", "box", got "circel"; did you mean "circle"?"#);
    assert_snapshot!(coerced(SHAPE, json!({"kind": "box", "wide": 2})), @r#"missing required field "high""#);
    assert_snapshot!(coerced(SHAPE, json!({"radius": 2})), @"[kind]: required field is missing");
    assert_snapshot!(coerced(SHAPE, json!(7)), @"expected #{:dot} | {kind #{:circle}, radius float} | {kind #{:box}, wide float, high float}, got 7");
    assert_snapshot!(coerced("[:int | :float]", json!([1, 2.5, "x"])), @r#"[2]: expected int | float, got "x""#);
    assert_snapshot!(coerced("[:float | :int]", json!([1, 2.5])), @"[1 2.5] | ");
    assert_snapshot!(coerced("{at {x :int} | {y {z :int}}}", json!({"at": {"y": {"z": "a"}}})), @r#"[at.y.z]: cannot coerce string "a" to integer"#);
    let folded = fold_keys(
        &crate::value::tests::map([(kw("a-b"), Value::Int(1))]),
        &Type::parse("[:int] | {a-b :int}").unwrap(),
    );
    assert_snapshot!(shown(&folded.unwrap()), @"{:a_b 1}");
    let tagged = |kind: &str| crate::value::tests::map([(kw("kind"), kw(kind)), (kw("wide"), 2.into())]);
    let found = |value: &Value| lines(&validate(value, &Type::parse(SHAPE).unwrap(), ExtraFields::Rejected));
    assert_snapshot!(found(&tagged("box")), @"[high]: required field is missing");
    assert_snapshot!(found(&tagged("bos")), @"[kind]: expected one of :circle, :box, got :bos; did you mean :box?");
    assert_snapshot!(found(&kw("dot")), @"");
    // Under a parameter, a lone map and names in other styles are understood as without alternatives.
    assert_snapshot!(call("(at :int | {itemId :int}) -> :any", &[value(json!({"item-id": 1}))]), @r#"{"at" {"itemId" 1}} from {:at {:item-id 1}} | "#);
}

#[test]
fn keys_fold_where_the_type_declares_them() {
    let fold = |json, ty: &str| {
        fold_keys(&value(json), &Type::parse(ty).unwrap())
            .map_or_else(|error| format!("{}: {}", error.reason, error.message), |value| shown(&value))
    };
    let data = || json!({"order-id": {"a-b": 1}, "by day-1": 2});
    assert_snapshot!(fold(data(), "{order-id {a_b :int}}"), @r#"{:order_id {:a_b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(data(), "{order_id :map}"), @r#"{:order_id {:a-b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(data(), ":map"), @r#"{:order-id {:a-b 1} "by day-1" 2}"#);
    assert_snapshot!(fold(json!({"a-b": {"c-d": 1}}), "{:string -> {c_d :int}}"), @"{:a-b {:c_d 1}}");
    assert_snapshot!(fold(json!([{"a-b": 1}]), "[{a_b :int}]"), @"[{:a_b 1}]");
    assert_snapshot!(fold(json!({"a-b": 1, "a_b": 2}), "{a_b :int}"), @r#"validation_error: two keys become "a_b" outside of the program: keep one of :a_b and :a-b"#);
}

#[test]
fn arguments_are_bound() {
    const SEARCH: &str = "(query :string, limit :int?) -> [:map]";
    assert_snapshot!(call(SEARCH, &["tin".into(), 2.into()]), @r#"{"query" "tin" "limit" 2} from {:query "tin" :limit 2} | "#);
    assert_snapshot!(call(SEARCH, &[kw("query"), "tin".into()]), @r#"{"query" "tin"} from {:query "tin"} | "#);
    assert_snapshot!(call(SEARCH, &[value(json!({"query": "tin", "limit": "3"}))]), @r#"{"query" "tin" "limit" 3} from {:query "tin" :limit "3"} | [limit]: coerced string "3" to integer"#);
    assert_snapshot!(call(SEARCH, &["a".into(), 1.into(), 2.into()]), @"invalid_tool_args: tool/search takes at most 2 arguments, got 3; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})");
    assert_snapshot!(call(SEARCH, &[]), @r#"invalid_tool_args: tool/search missing required field "query"; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})"#);
    assert_snapshot!(call(SEARCH, &["a".into(), "x".into()]), @r#"invalid_tool_args: tool/search [limit]: cannot coerce string "x" to integer; it takes (query :string, limit :int?), e.g. (tool/search {:query ... :limit ...})"#);
    assert_snapshot!(call("(a :int, b :int) -> :int", &[1.into()]), @r#"invalid_tool_args: tool/search is missing the argument "b"; it takes (a :int, b :int), e.g. (tool/search {:a ... :b ...})"#);
    assert_snapshot!(call("() -> :int", &[1.into()]), @"invalid_tool_args: tool/search takes no arguments, got 1");
    assert_snapshot!(call("", &["a".into()]), @"invalid_tool_args: tool/search needs named arguments, e.g. (tool/search {:name ...})");
    assert_snapshot!(call("-> :map", &["a".into()]), @"invalid_tool_args: tool/search needs named arguments, e.g. (tool/search {:name ...})");
    assert_snapshot!(call("", &[]), @"{} from {} | ");
}

#[test]
fn arguments_become_json() {
    let tags = crate::value::tests::set([kw("b"), kw("a")]);
    let named = crate::value::tests::map([
        (kw("item-id"), 1.into()),
        (kw("tags"), tags),
        (kw("at"), Value::Date(jiff::civil::date(2024, 3, 9))),
    ]);
    assert_snapshot!(call("", &[named]), @r#"{"item_id" 1 "tags" ["b" "a"] "at" "2024-03-09"} from {:item-id 1 :tags #{:b :a} :at #date "2024-03-09"} |"#);
    assert_snapshot!(call("(order-id :int) -> :any", &[7.into()]), @r#"{"order-id" 7} from {:order-id 7} | "#);
    assert_snapshot!(call("(tags [:string]) -> :any", &[crate::value::tests::set(["a".into()])]), @r#"{"tags" ["a"]} from {:tags #{"a"}} | "#);
    // One parameter that is a map: the map is its value unless it names the parameter.
    assert_snapshot!(call("(item :map) -> :any", &[value(json!({"id": 1}))]), @r#"{"item" {"id" 1}} from {:item {:id 1}} | "#);
    assert_snapshot!(call("(rates {:string -> :float}) -> :any", &[value(json!({"a-b": 1}))]), @r#"{"rates" {"a-b" 1.0}} from {:rates {:a-b 1}} |"#);
    assert_snapshot!(call("(item {id :int}) -> :any", &[value(json!({"item": {"id": 1}}))]), @r#"{"item" {"id" 1}} from {:item {:id 1}} | "#);
    assert_snapshot!(call("", &[value(json!({"a-b": 1, "a_b": 1}))]), @r#"invalid_tool_args: tool/search two keys become "a_b" outside of the program: keep one of :a_b and :a-b"#);
    assert_snapshot!(call("", &[crate::value::tests::map([(kw("x"), crate::value::tests::nested(600))])]), @"nesting_too_deep: tool/search: cannot write JSON nested more than 512 deep");
}

#[test]
fn arguments_are_sent_by_their_declared_names() {
    let all = "(\"$top\" :int, \"page[size]\" :int?, dry-run :bool?, lines [{item-id :int}]?, by {:string -> {n-1 :int}}?, rest :map?, …) -> :any";
    let args = json!({"$top": 3, "dry_run": true, "lines": [{"itemId": 1}], "by": {"a_b": {"n_1": 2}}, "rest": {"x_y": 3}, "more-of": 4});
    let sent = call(all, &[value(args)]);
    assert_snapshot!(sent.split(" from ").next().unwrap(), @r#"{"$top" 3 "dry-run" true "lines" [{"item-id" 1}] "by" {"a_b" {"n-1" 2}} "rest" {"x_y" 3} "more-of" 4}"#);
    assert_snapshot!(call("(\"page[size]\" :int) -> :any", &[value(json!({"page size": 1}))]), @r#"invalid_tool_args: tool/search missing required field "page[size]"; it takes ("page[size]" :int), e.g. (tool/search {"page[size]" ...})"#);
}

#[test]
fn open_signatures_take_any_name_and_need_names() {
    assert_snapshot!(call("(…) -> :any", &[value(json!({"z": 3}))]), @r#"{"z" 3} from {:z 3} |"#);
    assert_snapshot!(call("(x :int?, …) -> :any", &[value(json!({"z": 3}))]), @r#"{"z" 3} from {:z 3} |"#);
    assert_snapshot!(call("(item :map?, …) -> :any", &[value(json!({"z": 3}))]), @r#"{"z" 3} from {:z 3} |"#);
    assert_snapshot!(call("(…) -> :any", &[7.into()]), @"invalid_tool_args: tool/search needs named arguments, e.g. (tool/search {:name ...})");
    assert_snapshot!(call("(x :int, …) -> :any", &[value(json!({"x": "a"}))]), @r#"invalid_tool_args: tool/search [x]: cannot coerce string "a" to integer; it takes (x :int, …), e.g. (tool/search {:x ...})"#);
    assert_snapshot!(call("(x :int, y :int?, …) -> :any", &[7.into()]), @r#"{"x" 7} from {:x 7} |"#);
}

#[test]
fn only_values_of_a_closed_set_are_taken() {
    let set = |json| call(r#"(s #{"todo" "in_progress" 3 true}?, k #{:low :high}?) -> :any"#, &[value(json)]);
    assert_snapshot!(set(json!({"s": "todo", "k": "high"})), @r#"{"s" "todo" "k" "high"} from {:s "todo" :k "high"} | [k]: coerced string "high" to keyword"#);
    assert_snapshot!(set(json!({"s": 3})), @r#"{"s" 3} from {:s 3} |"#);
    assert_snapshot!(set(json!({"s": "in-progress"})), @r#"invalid_tool_args: tool/search [s]: expected one of "todo", "in_progress", 3, true, got "in-progress"; did you mean "in_progress"?; it takes (s #{"todo" "in_progress" 3 true}?, k #{:low :high}?), e.g. (tool/search {:s ... :k ...})"#);
    assert_snapshot!(set(json!({"k": 1})), @r#"invalid_tool_args: tool/search [k]: expected one of :low, :high, got 1; it takes (s #{"todo" "in_progress" 3 true}?, k #{:low :high}?), e.g. (tool/search {:s ... :k ...})"#);
    assert_snapshot!(call(r#"(n #{1 2}) -> :any"#, &[value(json!({"n": "2"}))]), @r#"{"n" 2} from {:n "2"} | [n]: coerced string "2" to integer"#);
    assert_snapshot!(call(r#"(n #{1 2}) -> :any"#, &[value(json!({"n": 2.0}))]), @r#"{"n" 2.0} from {:n 2.0} |"#);
    assert_snapshot!(call(r#"(s #{"low" "high"}) -> :any"#, &[value(json!({"s": "hgih"}))]), @r#"invalid_tool_args: tool/search [s]: expected one of "low", "high", got "hgih"; did you mean "high"?; it takes (s #{"low" "high"}), e.g. (tool/search {:s ...})"#);
    let many: Vec<String> = (0..50).map(|n| format!("\"v{n}\"")).collect();
    let told = call(&format!("(s #{{{}}}) -> :any", many.join(" ")), &[value(json!({"s": "x"}))]);
    assert!(told.contains("\"v39\", ... (10 more), got \"x\""), "{told}");
}

#[test]
fn numbers_of_a_closed_set_are_compared_exactly() {
    let set = |n: Value| {
        call("(n #{9007199254740993 18446744073709551615}) -> :any", &[crate::value::tests::map([(kw("n"), n)])])
    };
    assert_snapshot!(set(9_007_199_254_740_992_i64.into()), @"invalid_tool_args: tool/search [n]: expected one of 9007199254740993, 18446744073709551615, got 9007199254740992; did you mean 9007199254740993?; it takes (n #{9007199254740993 18446744073709551615}), e.g. (tool/search {:n ...})");
    assert_snapshot!(set(9_007_199_254_740_993_i64.into()), @r#"{"n" 9007199254740993} from {:n 9007199254740993} |"#);
    assert_snapshot!(set(value(json!(u64::MAX))), @r#"{"n" "18446744073709551615"} from {:n 18446744073709551615} |"#);
}

#[test]
fn rules_are_checked_before_the_call() {
    let number = |json| {
        call("(n :int? (1 to 50), f :float? (above 0 and at most 1.5; a multiple of 0.1)) -> :any", &[value(json)])
    };
    assert_snapshot!(number(json!({"n": 50, "f": 0.3})), @r#"{"n" 50 "f" 0.3} from {:n 50 :f 0.3} |"#);
    assert_snapshot!(number(json!({"n": null})), @r#"{"n" nil} from {:n nil} |"#);
    assert_snapshot!(number(json!({"n": 51})), @"invalid_tool_args: tool/search [n]: expected 1 to 50, got 51; it takes (n :int? (1 to 50), f :float? (above 0 and at most 1.5; a multiple of 0.1)), e.g. (tool/search {:n ... :f ...})");
    assert_snapshot!(number(json!({"n": "0"})), @"invalid_tool_args: tool/search [n]: expected 1 to 50, got 0; it takes (n :int? (1 to 50), f :float? (above 0 and at most 1.5; a multiple of 0.1)), e.g. (tool/search {:n ... :f ...})");
    assert_snapshot!(number(json!({"f": 0})), @"invalid_tool_args: tool/search [f]: expected above 0 and at most 1.5, got 0.0; it takes (n :int? (1 to 50), f :float? (above 0 and at most 1.5; a multiple of 0.1)), e.g. (tool/search {:n ... :f ...})");
    assert_snapshot!(number(json!({"f": 0.25})), @"invalid_tool_args: tool/search [f]: expected a multiple of 0.1, got 0.25; it takes (n :int? (1 to 50), f :float? (above 0 and at most 1.5; a multiple of 0.1)), e.g. (tool/search {:n ... :f ...})");
    let text = |json| {
        call(
            r#"(zip :string? (matches "^\\d{5}$"), name :string? (1 to 3 characters), mail :string? (email)) -> :any"#,
            &[value(json)],
        )
    };
    assert_snapshot!(text(json!({"zip": "53111", "name": "äöü", "mail": "none"})), @r#"{"zip" "53111" "name" "äöü" "mail" "none"} from {:zip "53111" :name "äöü" :mail "none"} |"#);
    assert_snapshot!(text(json!({"zip": "Bonn"})), @r#"invalid_tool_args: tool/search [zip]: expected a text that matches "^\\d{5}$", got "Bonn"; it takes (zip :string? (matches "^\\d{5}$"), name :string? (1 to 3 characters), mail :string? (email)), e.g. (tool/search {:zip ... :name ... :mail ...})"#);
    assert_snapshot!(text(json!({"zip": "٣٣٣٣٣"})), @r#"invalid_tool_args: tool/search [zip]: expected a text that matches "^\\d{5}$", got "٣٣٣٣٣"; it takes (zip :string? (matches "^\\d{5}$"), name :string? (1 to 3 characters), mail :string? (email)), e.g. (tool/search {:zip ... :name ... :mail ...})"#);
    assert_snapshot!(text(json!({"name": ""})), @r#"invalid_tool_args: tool/search [name]: expected 1 to 3 characters, got 0: ""; it takes (zip :string? (matches "^\\d{5}$"), name :string? (1 to 3 characters), mail :string? (email)), e.g. (tool/search {:zip ... :name ... :mail ...})"#);
    let inside = |json| {
        call(
            "(tags [:string]? (1 to 2 items; distinct items; each at most 3 characters), by {:string -> :int}? (at most 1 entry; each above 0), rows [{n :int (a multiple of 5)}]?) -> :any",
            &[value(json)],
        )
    };
    assert_snapshot!(inside(json!({"tags": []})), @"invalid_tool_args: tool/search [tags]: expected 1 to 2 items, got 0: []; it takes (tags [:string (at most 3 characters)]? (1 to 2 items; distinct items), by {:string -> :int (above 0)}? (at most 1 entry), rows [{n :int (a multiple of 5)}]?), e.g. (tool/search {:tags ... :by ... :rows ...})");
    assert_snapshot!(inside(json!({"tags": ["a", "a"]})), @r#"invalid_tool_args: tool/search [tags]: expected distinct items, got "a" twice; it takes (tags [:string (at most 3 characters)]? (1 to 2 items; distinct items), by {:string -> :int (above 0)}? (at most 1 entry), rows [{n :int (a multiple of 5)}]?), e.g. (tool/search {:tags ... :by ... :rows ...})"#);
    assert_snapshot!(inside(json!({"tags": ["a", "long"]})), @r#"invalid_tool_args: tool/search [tags.1]: expected at most 3 characters, got 4: "long"; it takes (tags [:string (at most 3 characters)]? (1 to 2 items; distinct items), by {:string -> :int (above 0)}? (at most 1 entry), rows [{n :int (a multiple of 5)}]?), e.g. (tool/search {:tags ... :by ... :rows ...})"#);
    assert_snapshot!(inside(json!({"by": {"x": 0}})), @"invalid_tool_args: tool/search [by.x]: expected above 0, got 0; it takes (tags [:string (at most 3 characters)]? (1 to 2 items; distinct items), by {:string -> :int (above 0)}? (at most 1 entry), rows [{n :int (a multiple of 5)}]?), e.g. (tool/search {:tags ... :by ... :rows ...})");
    assert_snapshot!(inside(json!({"by": {"x": 1, "y": 2}})), @"invalid_tool_args: tool/search [by]: expected at most 1 entry, got 2: {:x 1 :y 2}; it takes (tags [:string (at most 3 characters)]? (1 to 2 items; distinct items), by {:string -> :int (above 0)}? (at most 1 entry), rows [{n :int (a multiple of 5)}]?), e.g. (tool/search {:tags ... :by ... :rows ...})");
    assert_snapshot!(inside(json!({"rows": [{"n": 5}, {"n": 7}]})), @"invalid_tool_args: tool/search [rows.1.n]: expected a multiple of 5, got 7; it takes (tags [:string (at most 3 characters)]? (1 to 2 items; distinct items), by {:string -> :int (above 0)}? (at most 1 entry), rows [{n :int (a multiple of 5)}]?), e.g. (tool/search {:tags ... :by ... :rows ...})");
}

#[test]
fn patterns_that_our_engine_cannot_hold_are_left_to_the_tool() {
    for pattern in ["(?=a)b", "(a)\\\\1", "[]", "[^]", "a{1000}{1000}{1000}"] {
        let told = call(&format!("(s :string (matches \"{pattern}\")) -> :any"), &[value(json!({"s": "z"}))]);
        assert!(told.starts_with("{\"s\" \"z\"}"), "{told}");
    }
    // Classes as ECMA-262 reads them.
    for (pattern, text) in [("^[[&&~~]+$", "[&~"), ("^[^\\\\d]$", "٣"), ("^\\\\W$", "é")] {
        let told = call(&format!("(s :string (matches \"{pattern}\")) -> :any"), &[value(json!({"s": text}))]);
        assert!(told.starts_with("{\"s\" "), "{told}");
    }
}

/// Scalars, lists and maps as a program might write them.
fn literal() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        (-5..5_i64).prop_map(Value::Int),
        Just(Value::Float(1.5)),
        prop_oneof!["a", "7", "1.5", "true"].prop_map(Value::from),
        Just(Value::keyword("k")),
    ];
    scalar.prop_recursive(2, 6, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Value::vector))
}

proptest! {
    /// Limits are compared as whole numbers, however large.
    #[test]
    fn only_numbers_within_the_limits_are_taken(
        least in -20_i128..20, width in 0_i128..20, at in -5_i128..45, shift in prop::sample::select(vec![0, 1_i128 << 53, i128::from(i64::MAX), -(1_i128 << 62)]),
    ) {
        let (least, most, value) = (shift + least, shift + least + width, shift + least + at);
        let in_json = |number: i128| i64::try_from(number).is_ok() || u64::try_from(number).is_ok();
        prop_assume!([least, most].into_iter().all(in_json));
        let signature = Signature::parse_tool(&format!("(n :int ({least} to {most})) -> :any")).unwrap();
        let arg = crate::value::tests::map([(kw("n"), Value::integer(value.into()))]);
        let parameters = Parameters { tool: "t", signature: Some(&signature), checks: InputChecks::Coerce };
        let run = tool_arguments(parameters, &mut [arg], &mut KeyTexts::default(), &NoCells, &mut Meter::host());
        prop_assert_eq!(run.is_ok(), (least..=most).contains(&value));
    }

    /// What is refused before a run would be refused during it, except for undeclared arguments; what is accepted runs.
    #[test]
    fn literal_arguments_are_judged_as_the_run_judges_them(
        signature in prop::sample::select(vec![
            "(id :int) -> :any", "(a :string, b :float?) -> :any", "(rows [:int], flag :bool) -> :any", "(row :map) -> :any", "() -> :any",
            "(at {x :int, y :int?}) -> :any", "(a :int (0 to 3), rows [:int] (at most 1 item; each above 0)) -> :any",
        ]),
        named in prop::collection::vec((prop::sample::select(vec!["id", "a", "b", "rows", "flag", "row", "at", "x"]), literal()), 0..4),
        places in prop::collection::vec(literal(), 0..4),
        as_map in any::<bool>(),
    ) {
        let signature = Signature::parse_tool(signature).unwrap();
        let mut meter = Meter::host();
        let args = if as_map {
            vec![Value::Map(Map::from_pairs(named.into_iter().map(|(name, value)| (Value::keyword(name), value)), &mut meter).unwrap())]
        } else {
            places
        };
        let written: Vec<Written> = args.iter().cloned().map(Written::Known).collect();
        let found = mistakes("t", &signature, &written, InputChecks::Coerce, &mut meter);
        let parameters = Parameters { tool: "t", signature: Some(&signature), checks: InputChecks::Coerce };
        let run = tool_arguments(parameters, &mut args.clone(), &mut KeyTexts::default(), &NoCells, &mut meter);
        let undeclared = |mistake: &Mistake| mistake.message.contains("has no argument") || mistake.message.contains("takes no arguments");
        let (extra, real): (Vec<_>, Vec<_>) = found.iter().partition(|mistake| undeclared(mistake));
        // One map parameter takes any map: nothing is said about it before the run.
        let one_map = matches!(signature.params(), [only] if matches!(only.ty.required(), Type::Map | Type::Record(_)));
        if real.is_empty() && extra.is_empty() && !one_map {
            prop_assert!(run.is_ok(), "{args:?}: {run:?}");
        }
        if !real.is_empty() {
            prop_assert!(run.is_err(), "{args:?}: {found:?}");
        }
        // Nothing is known: nothing is said.
        let computed: Vec<Written> = args.iter().map(|_| Written::Computed).collect();
        if args.len() == 1 {
            prop_assert!(mistakes("t", &signature, &computed, InputChecks::Coerce, &mut meter).is_empty());
        }
    }
}

#[test]
fn arguments_meet_parameters_in_any_style() {
    const ADD: &str = "(firstNumber :int, second_number :int?) -> :any";
    let named = |pairs: &[(&str, i64)]| {
        crate::value::tests::map(pairs.iter().map(|(name, value)| (kw(name), Value::Int(*value))))
    };
    assert_snapshot!(call(ADD, &[named(&[("first-number", 1), ("secondNumber", 2)])]), @r#"{"firstNumber" 1 "second_number" 2} from {:first-number 1 :secondNumber 2} | "#);
    assert_snapshot!(call(ADD, &[kw("first_number"), 1.into()]), @r#"{"firstNumber" 1} from {:first_number 1} | "#);
    assert_snapshot!(call(ADD, &[value(json!({"FirstNumber": 1, "other-number": 3}))]), @r#"{"firstNumber" 1 "other-number" 3} from {:FirstNumber 1 :other-number 3} | "#);
    assert_snapshot!(call(ADD, &[named(&[("first-number", 1), ("firstNumber", 2)])]), @r#"invalid_tool_args: tool/search two keys are for "firstNumber": keep one of :first-number and :firstNumber; it takes (firstNumber :int, second_number :int?), e.g. (tool/search {:firstNumber ... :second_number ...})"#);
    assert_snapshot!(call("(userID :int, user_id :int, userId :int) -> :any", &[named(&[("userID", 1), ("user-id", 2), ("userId", 3)])]), @r#"{"userID" 1 "user_id" 2 "userId" 3} from {:userID 1 :user-id 2 :userId 3} | "#);
    assert_snapshot!(call("(userID :int, userId :int?) -> :any", &[named(&[("user-id", 1)])]), @r#"invalid_tool_args: tool/search missing required field "userID"; it takes (userID :int, userId :int?), e.g. (tool/search {:userID ... :userId ...})"#);
    // Below a parameter as well, and a lone map is taken for its parameter.
    assert_snapshot!(call("(orderLines [{itemId :int}], byName {:string -> {unitPrice :float}}) -> :any", &[value(json!({"order-lines": [{"item-id": 1}], "by-name": {"a-b": {"unit_price": 2}}}))]), @r#"{"orderLines" [{"itemId" 1}] "byName" {"a-b" {"unitPrice" 2.0}}} from {:order-lines [{:item-id 1}] :by-name {:a-b {:unit_price 2}}} | "#);
    assert_snapshot!(call("(orderItem {itemId :int}) -> :any", &[value(json!({"order-item": {"item-id": 1}}))]), @r#"{"orderItem" {"itemId" 1}} from {:order-item {:item-id 1}} | "#);
    assert_snapshot!(call("(orderItem {itemId :int}) -> :any", &[value(json!({"item-id": 1}))]), @r#"{"orderItem" {"itemId" 1}} from {:orderItem {:item-id 1}} | "#);
    assert_snapshot!(call("(orderItem :map) -> :any", &[value(json!({"orderItem": {"item-id": 1}}))]), @r#"{"orderItem" {"item-id" 1}} from {:orderItem {:item-id 1}} | "#);
}

/// A name of these words in snake case, kebab case or camel case.
fn styled(words: &[String], style: usize) -> String {
    match style {
        0 => words.join("_"),
        1 => words.join("-"),
        _ => {
            let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
            words[..1].iter().cloned().chain(words[1..].iter().map(capital)).collect()
        }
    }
}

proptest! {
    /// Each argument reaches the parameter that it names, whatever the styles of both.
    #[test]
    fn a_parameter_is_met_in_every_style(
        names in prop::collection::btree_map("[a-c]{1,3}", (prop::collection::vec("[a-c]{1,2}", 0..3), 0_usize..3, 0_usize..3), 1..4),
    ) {
        // The first word distinguishes names, since it has digits that no other one has.
        let words = names.iter().enumerate().map(|(at, (first, (rest, ..)))| [vec![format!("{first}{at}")], rest.clone()].concat());
        let words: Vec<Vec<String>> = words.collect();
        let styles: Vec<(usize, usize)> = names.values().map(|(_, declared, written)| (*declared, *written)).collect();
        let fields: Vec<Field> = words.iter().zip(&styles).map(|(words, (style, _))| Field::new(styled(words, *style), Type::Int)).collect();
        let signature = Signature::new(Some(fields.clone()), Type::Any);
        let entries = words.iter().zip(&styles).zip(1..).map(|((words, (_, style)), value)| (kw(&styled(words, *style)), Value::Int(value)));
        let arg = crate::value::tests::map(entries);
        let written = [Written::Known(arg.clone())];
        for checks in [InputChecks::Coerce, InputChecks::Strict, InputChecks::WarnOnly, InputChecks::Off] {
            prop_assert_eq!(mistakes("t", &signature, &written, checks, &mut Meter::host()), Vec::new());
            let parameters = Parameters { tool: "t", signature: Some(&signature), checks };
            let made = tool_arguments(parameters, &mut [arg.clone()], &mut KeyTexts::default(), &NoCells, &mut Meter::host()).unwrap();
            prop_assert!(made.notes.is_empty());
            prop_assert_eq!(made.args.len(), fields.len());
            for (field, value) in fields.iter().zip(1..) {
                let got = made.args.get_named(&field.name);
                prop_assert!(matches!(got, Some(Value::Int(got)) if *got == value), "{}: {:?}", field.name, got);
            }
        }
    }

    /// Parameters whose names differ only in style match by their exact names; no argument reaches two of them.
    #[test]
    fn parameters_of_one_name_in_two_styles_are_never_confused(
        words in prop::collection::vec("[a-c]{1,3}", 2..4), styles in prop::sample::select(vec![[0, 2], [1, 2], [2, 0], [2, 1]]), written in 0_usize..3,
    ) {
        let declared = styles.map(|style| styled(&words, style));
        let fields = declared.clone().map(|name| Field::new(name, Type::Int.optional())).to_vec();
        let signature = Signature::new(Some(fields), Type::Any);
        let args = |pairs: Vec<(Value, Value)>| {
            let parameters = Parameters { tool: "t", signature: Some(&signature), checks: InputChecks::Coerce };
            tool_arguments(parameters, &mut [crate::value::tests::map(pairs)], &mut KeyTexts::default(), &NoCells, &mut Meter::host()).unwrap().args
        };
        let both = args(vec![(kw(&declared[0]), Value::Int(1)), (kw(&declared[1]), Value::Int(2))]);
        prop_assert!(matches!((both.get_named(&declared[0]), both.get_named(&declared[1])), (Some(Value::Int(1)), Some(Value::Int(2)))));
        // Camel case names one parameter, the other two styles the other one.
        let one = args(vec![(kw(&styled(&words, written)), Value::Int(1))]);
        let meant = usize::from((styles[0] == 2) != (written == 2));
        prop_assert_eq!((one.len(), one.get_named(&declared[meant]).is_some()), (1, true));
    }

    /// The style of an argument does not change what is found before the run and during it.
    #[test]
    fn arguments_in_other_styles_are_judged_as_the_run_judges_them(
        named in prop::collection::vec((prop::sample::select(vec!["order-id", "orderId", "order_id", "rowOne", "row-one", "rows"]), literal()), 0..4),
    ) {
        let signature = Signature::parse_tool("(orderId :int, row_one {itemId :int?}, Rows [:int]?) -> :any").unwrap();
        let arg = crate::value::tests::map(named.into_iter().map(|(name, value)| (kw(name), value)));
        let found = mistakes("t", &signature, &[Written::Known(arg.clone())], InputChecks::Coerce, &mut Meter::host());
        let parameters = Parameters { tool: "t", signature: Some(&signature), checks: InputChecks::Coerce };
        let run = tool_arguments(parameters, &mut [arg.clone()], &mut KeyTexts::default(), &NoCells, &mut Meter::host());
        prop_assert_eq!(found.is_empty(), run.is_ok(), "{:?}: {:?}", arg, found);
    }
}

#[test]
fn rules_tuples_and_keys_are_checked_where_they_stand() {
    assert_snapshot!(check(":int (1 to 5)", json!(7)), @"expected 1 to 5, got 7");
    assert_snapshot!(check("[:int (1 to 5)?]", json!([1, null, 9])), @"[2]: expected 1 to 5, got 9");
    assert_snapshot!(check("[:int? (1 to 5)]", json!([1, null, 9])), @"[2]: expected 1 to 5, got 9");
    assert_snapshot!(check(":int (1 to 5)", json!("7")), @"expected int, got string");
    assert_snapshot!(check("[:int, :string (at most 2 characters)]", json!(["a", "abc"])), @r#"[0]: expected int, got string; [1]: expected at most 2 characters, got 3: "abc""#);
    assert_snapshot!(check("[:int, :string]", json!([1])), @"expected 2 items, got 1");
    assert_snapshot!(check("[:int, :string] | :int (above 5)", json!(3)), @"expected [int, string] | int (above 5), got 3");
    assert_snapshot!(check(r#"{#{"a" "b"} -> :int}"#, json!({"a": 1, "c": 2})), @r#"[c]: expected one of "a", "b", got :c"#);
    assert_snapshot!(check(r#"{:string (matches "^[0-9]+$") -> :int}"#, json!({"12": 1, "c": 2})), @r#"[c]: expected a text that matches "^[0-9]+$", got "c""#);
    assert_snapshot!(check("#{nil}", json!(1)), @"expected one of nil, got 1");
    assert_snapshot!(coerced("[:float, :keyword]", json!([1, "a"])), @r#"[1.0 :a] | [1]: coerced string "a" to keyword"#);
    assert_snapshot!(coerced(":int (at most 5) | :string", json!("7")), @r#""7" |"#);
    assert_snapshot!(coerced("{n :int (1 to 5)}", json!({"n": "7"})), @"[n]: expected 1 to 5, got 7");
    assert_snapshot!(shown(&fold_keys(&value(json!([{"a-b": 1}, 2])), &Type::parse("[{a-b :int}, :int]").unwrap()).unwrap()), @"[{:a_b 1} 2]");
}

#[test]
fn values_take_the_spelling_of_their_type() {
    let spelled = |ty: &str, value: &Value| shown(&respelled(value, &Type::parse(ty).unwrap()));
    assert_snapshot!(spelled(r#"{level #{"low" 1}, on :keyword?, x :string}"#, &value(json!({"level": "low", "on": "a b", "x": 1}))), @r#"{:level "low" :on "a b" :x 1}"#);
    let written = crate::value::tests::map([(kw("level"), kw("low")), (kw("x"), kw("y")), (kw("z"), kw("z"))]);
    assert_snapshot!(spelled(r#"{level #{"low" 1}, x :string (at most 3 characters)}"#, &written), @r#"{:level "low" :x "y" :z :z}"#);
    assert_snapshot!(spelled("[#{:a}, [:float]] | :string", &Value::vector(vec!["a".into(), crate::value::tests::set([1.into()])])), @"[:a [1]]");
    assert_snapshot!(spelled(":int | :string", &kw("a")), @r#""a""#);
    assert_snapshot!(spelled("#{:a}", &kw("b")), @":b");
    // What fits is as it was.
    assert_snapshot!(spelled(r#"#{"a" :a}"#, &kw("a")), @":a");
}
