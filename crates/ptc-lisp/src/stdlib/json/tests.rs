//! JSON text inside programs.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::limits::Limits;
use crate::stdlib::show::tests::{call, check, check_with};
use crate::value::Value;

fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-1e300..1e300_f64).prop_map(Value::Float),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::vector),
            proptest::collection::vec(("[a-z]{1,3}".prop_map(|key| Value::keyword(&key)), inner), 0..4)
                .prop_map(Value::map_from),
        ]
    })
}

proptest! {
    #[test]
    fn data_survives_its_json(value in data()) {
        let text = call("json/generate-string", std::slice::from_ref(&value)).unwrap();
        let back = call("json/parse-string", &[text]).unwrap();
        prop_assert!(matches!(call("=", &[value, back]), Ok(Value::Bool(true))));
    }
}

#[test]
fn texts() {
    assert_snapshot!(check(r#"[(json/parse-string "{\"a\": [1, null, 2.5]}") (json/parse-string "{") (json/parse-string nil) (json/parse-string "[1]" true)]"#), @"[{:a [1 nil 2.5]} nil nil [1]]");
    assert_snapshot!(check(r#"(json/parse-lines "1\n\n{\"a\":2}\nnope\n")"#), @"[1 {:a 2} nil]");
    assert_snapshot!(check(r#"(json/generate-string {:a [1 nil "x"] "b" ##NaN :c #{:k} 3 1.0})"#), @r#""{\"a\":[1,null,\"x\"],\"b\":null,\"c\":[\"k\"],\"3\":1.0}""#);
    assert_snapshot!(check("(json/generate-string {:f [inc]})"), @"! type_error json/generate-string: expected data, got a function");
    assert_snapshot!(check("(json/generate-string (map inc (range 3)))"), @r#""[1,2,3]""#);
    assert_snapshot!(check_with("(count (json/generate-string (reduce (fn [v _] [v v]) [1] (range 60))))", Limits { fuel: 100_000, ..Limits::default() }), @"! fuel_exceeded stopped after 100000 steps: the program loops too long; work on less data or end the loop");
}
