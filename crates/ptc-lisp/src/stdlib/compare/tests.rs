//! Equality, order, and the hash that agrees with them.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        (-3_i64..3).prop_map(Value::Int),
        (-3_i64..3).prop_map(|n| Value::Float(n as f64)),
        any::<f64>().prop_map(Value::Float),
        any::<i64>().prop_map(Value::Int),
        "[ab]{0,2}".prop_map(Value::from),
        "[ab]".prop_map(|name| Value::keyword(&name)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::vector),
            proptest::collection::vec((inner.clone(), inner), 0..4).prop_map(Value::map_from),
        ]
    })
}

fn holds(name: &str, args: &[Value]) -> bool {
    matches!(call(name, args), Ok(Value::Bool(true)))
}

proptest! {
    #[test]
    fn equal_values_share_their_hash(a in values(), b in values()) {
        if holds("=", &[a.clone(), b.clone()]) {
            prop_assert!(holds("=", &[call("hash", &[a]).unwrap(), call("hash", &[b]).unwrap()]));
        }
    }

    #[test]
    fn a_map_hashes_the_same_in_any_order(entries in proptest::collection::btree_map("[a-d]", any::<i64>(), 0..4)) {
        let pairs: Vec<_> = entries.into_iter().map(|(key, n)| (Value::from(key), Value::Int(n))).collect();
        let forward = Value::map_from(pairs.clone());
        let backward = Value::map_from(pairs.into_iter().rev());
        prop_assert!(holds("=", &[call("hash", &[forward]).unwrap(), call("hash", &[backward]).unwrap()]));
    }

    #[test]
    fn order_of_numbers_is_that_of_rust(a in any::<f64>(), b in any::<f64>(), n in any::<i64>()) {
        let (x, y) = (Value::Float(a), Value::Float(b));
        prop_assert_eq!(holds("<", &[x.clone(), y.clone()]), a < b);
        prop_assert_eq!(holds(">=", &[x, y]), a >= b);
        prop_assert!(holds("<=", &[Value::Int(n), Value::Int(n), Value::Float(f64::INFINITY)]));
    }
}

#[test]
fn chains_and_kinds() {
    assert_snapshot!(check("[(< 1 2 3) (< 1 3 2) (<= 1 1 2) (> ##NaN 1) (== 1 1.0) (= 1 1.0 1) (not= 5) (< 1)]"), @"[true false true false true true false true]");
    assert_snapshot!(check("(< 3 2 nil)"), @"! type_error <: expected numbers, got nil");
    assert_snapshot!(check(r#"(== 1 "1")"#), @"! type_error ==: expected numbers, got string");
    assert_snapshot!(check(r#"(< (LocalDate/parse "2024-01-01") 5)"#), @"! type_error <: expected dates, got number");
    assert_snapshot!(check(r#"(< (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-02-01"))"#), @"true");
    assert_snapshot!(check(r#"(compare "a" 1)"#), @"! type_error cannot compare string with number");
    assert_snapshot!(check("[(compare [1 2] [3]) (compare nil 1) (compare 2 1.5)]"), @"[1 -1 1]");
}

#[test]
fn identity_is_not_equality() {
    assert_snapshot!(check("(let [x [1 2]] [(identical? x x) (identical? [1 2] [1 2]) (identical? :a :a) (identical? 1 1.0)])"), @"[true false true false]");
}
