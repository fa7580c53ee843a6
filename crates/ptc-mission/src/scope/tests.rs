//! JSON as template data: truth, inserted text, printed form.

use serde_json::{Value, json};

use super::{Scope, Shape};

fn check(value: Value, printed: &str, inserted: Option<&str>, truthy: bool) {
    assert_eq!(value.printed(), printed);
    assert_eq!(value.shape().inserted(), inserted, "inserted text of {printed}");
    assert_eq!(value.shape().is_truthy(), truthy, "truth of {printed}");
}

#[test]
fn scalars_insert_verbatim() {
    check(json!(null), "nil", Some(""), false);
    check(json!(true), "true", Some("true"), true);
    check(json!(false), "false", Some("false"), false);
    check(json!(0), "0", Some("0"), true);
    check(json!(2.5), "2.5", Some("2.5"), true);
    check(json!(""), "\"\"", Some(""), false);
    check(json!("a\"b"), "\"a\\\"b\"", Some("a\"b"), true);
}

#[test]
fn collections_print_as_clojure() {
    check(json!([]), "[]", None, false);
    check(json!({}), "{}", None, true);
    check(json!([1, [null], "x\n\u{1}"]), r#"[1 [nil] "x\n\u0001"]"#, None, true);
    check(
        json!({"no": 12, "Größe": 1, "2nd": 2, "a b": 3, "a/b": 4}),
        r#"{:no 12 :Größe 1 "2nd" 2 "a b" 3 "a/b" 4}"#,
        None,
        true,
    );
}

#[test]
fn hidden_entries_are_left_out_at_every_depth() {
    check(json!({"_token": "s", "a": {"_b": 1, "c": 2}}), "{:a {:c 2}}", None, true);
}

#[test]
fn deep_values_print_without_overflow() {
    let mut value = json!(1);
    for _ in 0..2_000 {
        value = Value::Array(vec![value]);
    }
    assert!(value.printed().contains("[...]"));
    assert_eq!(value.shape(), Shape::List { empty: false });
}

#[test]
fn program_values_look_like_their_json() {
    let json = json!({"guest": "Ines", "rooms": [1, 2], "total": 2.5, "late": true, "none": null});
    let value = ptc_lisp::Value::from_json(json.clone());
    for template in ["{{guest}}", "{{#rooms}}<{{.}}>{{/rooms}}", "{{total}}", "{{late}}", "{{none}}"] {
        let template = crate::Template::parse(template).unwrap();
        assert_eq!(template.render(&value).unwrap(), template.render(&json).unwrap());
    }
    assert_eq!(value.printed(), json.printed());
}
