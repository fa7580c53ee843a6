//! Anything too large is replaced by its size.

use proptest::prelude::*;
use ptc_lisp::Value;
use serde_json::{Value as Json, json};

use super::TraceLimits;
use crate::sample::value;

fn check(limits: TraceLimits, json: Json) -> Json {
    limits.value(&value(json))
}

fn small() -> TraceLimits {
    TraceLimits {
        string_bytes: 8,
        kept_characters: 3,
        list_items: 2,
        map_entries: 2,
        depth: 4,
        nodes: 10,
        result_characters: 12,
    }
}

#[test]
fn large_values_are_cut_and_say_so() {
    assert_eq!(check(small(), json!({"a": [1, 2], "b": "12345678"})), json!({"a": [1, 2], "b": "12345678"}));
    assert_eq!(check(small(), json!("123456789")), json!("123... [9 bytes]"));
    assert_eq!(check(small(), json!([1, 2, 3])), json!("List(3 items)"));
    assert_eq!(check(small(), json!({"a": 1, "b": 2, "c": 3})), json!("Map(3 entries)"));
    assert_eq!(check(small(), json!([[[[1]]]])), json!([[[["..."]]]]));
    assert_eq!(
        check(small(), json!([[[1, 2], [1, 2]], [[1, 2], 3]])),
        json!([[[1, 2], [1, 2]], [["...", "..."], "..."]])
    );
}

#[test]
fn the_documented_bounds() {
    let long = "é".repeat(40_000);
    let cut = TraceLimits::default().text(&long);
    assert_eq!(cut, format!("{}... [80000 bytes]", "é".repeat(200)));
    let exact = "a".repeat(65_536);
    assert_eq!(TraceLimits::default().text(&exact), exact);
    let list = |length: usize| Value::vector(vec![Value::Nil; length]);
    assert_eq!(TraceLimits::default().value(&list(101)), json!("List(101 items)"));
    assert_eq!(TraceLimits::default().value(&list(100)), Json::from(vec![Json::Null; 100]));
}

#[test]
fn hidden_values_stay_hidden() {
    let shown = check(TraceLimits::default(), json!({"_token": "very secret", "in": {"_deep": [1]}}));
    assert_eq!(shown, json!({"_token": "[hidden]", "in": {"_deep": "[hidden]"}}));
}

#[test]
fn summaries_name_kind_and_size() {
    let summary = |json: Json| small().summary(&value(json));
    assert_eq!(summary(json!({"total": 2})), "{:total 2}");
    assert_eq!(summary(json!("a long text that goes on")), "String(24 bytes)");
    assert_eq!(summary(json!([1, 2, 3])), "List(3)");
    assert_eq!(summary(json!({"a": "long enough"})), "Map(1)");
}

proptest! {
    #[test]
    fn what_is_shown_is_bounded(depth in 0..200_usize, width in 1..5_usize) {
        let mut nested = Value::Int(1);
        for _ in 0..depth {
            nested = Value::vector(vec![nested; width]);
        }
        let limits = TraceLimits { nodes: 50, ..TraceLimits::default() };
        let text = limits.value(&nested).to_string();
        prop_assert!(text.len() < 2_000, "{}", text.len());
    }
}
