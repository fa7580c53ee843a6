use ptc_lisp::Value;
use serde_json::json;

use super::*;

fn check(value: serde_json::Value) -> String {
    hidden_note(&Value::from_json(value), &["_shown"].into_iter().collect())
}

#[test]
fn hidden_keys_are_named_once() {
    assert_eq!(check(json!({"a": 1, "b": [1, 2]})), "");
    assert_eq!(check(json!([{"_id": 1, "n": {"_score": 2}}, {"_id": 3}])), " (hidden: _id, _score)");
    // What a hidden value holds is not looked at; a shown one is.
    assert_eq!(check(json!({"_shown": {"_b": 1}})), " (hidden: _b)");
    assert_eq!(check(json!({"_a": {"_b": 1}})), " (hidden: _a)");
    assert_eq!(check(json!({"_a\n;; Output:": 1})), " (hidden: _a\\n;; Output:)");
}

#[test]
fn of_many_names_the_first_are_shown() {
    let many = (0..20).map(|n| (format!("_k{n}"), json!(n))).collect::<serde_json::Map<_, _>>();
    assert_eq!(check(many.into()), " (hidden: _k0, _k1, _k2, _k3, _k4, _k5, _k6, _k7, …)");
}

#[test]
fn large_values_are_looked_at_in_part() {
    let rows: Vec<_> = (0..5_000).map(|n| json!({"n": n})).chain([json!({"_late": 1})]).collect();
    assert_eq!(check(rows.into()), "");
}
