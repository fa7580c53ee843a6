use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A judge's verdict, empty where nothing is wrong.
fn check(constraint: &Constraint, answer: Json) -> String {
    constraint.judge(&answer).err().unwrap_or_default()
}

fn n(number: f64) -> Number {
    Number::from_f64(number).unwrap()
}

fn i(number: i64) -> Number {
    Number::from(number)
}

#[test]
fn kinds() {
    let kind = |kind: Kind, answer: Json| kind.judge(&answer).err().unwrap_or_default();
    assert_eq!(kind(Kind::Integer, json!(3)), "");
    assert_eq!(kind(Kind::Number, json!(3)), "");
    assert_eq!(kind(Kind::Number, json!(3.5)), "");
    assert_eq!(kind(Kind::String, json!("a")), "");
    assert_eq!(kind(Kind::List, json!([])), "");
    assert_eq!(kind(Kind::Map, json!({})), "");
    insta::assert_snapshot!(kind(Kind::Integer, json!(3.0)), @"wanted an integer, got 3.0");
    insta::assert_snapshot!(kind(Kind::Integer, json!("12")), @r#"wanted an integer, got "12""#);
    insta::assert_snapshot!(kind(Kind::Number, json!(true)), @"wanted a number, got true");
    insta::assert_snapshot!(kind(Kind::String, json!(null)), @"wanted a string, got null");
    insta::assert_snapshot!(kind(Kind::List, json!({"a": 1})), @r#"wanted a list, got {"a":1}"#);
    insta::assert_snapshot!(kind(Kind::Map, json!([1, 2])), @"wanted a map, got [1,2]");
}

#[test]
fn kinds_are_types_of_answers() {
    let types: Vec<String> = Kind::ALL.iter().map(|(_, kind)| kind.signature().to_string()).collect();
    assert_eq!(types, [":int", ":float", ":string", "[:any]", ":map", ":bool"]);
    for (name, kind) in Kind::ALL {
        assert_eq!(kind.as_str(), name);
    }
}

#[test]
fn equal() {
    let eq = |wanted: Json, answer: Json| check(&Constraint::Eq(wanted), answer);
    assert_eq!(eq(json!(500), json!(500)), "");
    assert_eq!(eq(json!(500), json!(500.0)), "", "the same number");
    assert_eq!(eq(json!({"a": 1, "b": [2]}), json!({"b": [2.0], "a": 1})), "", "in any order of keys");
    insta::assert_snapshot!(eq(json!(500), json!(499)), @"wanted 500, got 499");
    insta::assert_snapshot!(eq(json!("a"), json!("b")), @r#"wanted "a", got "b""#);
    insta::assert_snapshot!(eq(json!([1, 2]), json!([2, 1])), @"wanted [1,2], got [2,1]");
    insta::assert_snapshot!(eq(json!({"a": 1}), json!({"a": 1, "b": 2})), @r#"wanted {"a":1}, got {"a":1,"b":2}"#);
    insta::assert_snapshot!(eq(json!(1), json!("1")), @r#"wanted 1, got "1""#);
}

#[test]
fn comparing() {
    assert_eq!(check(&Constraint::Gt(i(5)), json!(5.1)), "");
    assert_eq!(check(&Constraint::Gte(i(5)), json!(5)), "");
    assert_eq!(check(&Constraint::Lt(n(5.5)), json!(5)), "");
    assert_eq!(check(&Constraint::Between(i(1), i(100)), json!(1)), "");
    assert_eq!(check(&Constraint::Between(i(1), i(100)), json!(100)), "");
    insta::assert_snapshot!(check(&Constraint::Gt(i(5)), json!(5)), @"wanted > 5, got 5");
    insta::assert_snapshot!(check(&Constraint::Gte(i(5)), json!(4.9)), @"wanted >= 5, got 4.9");
    insta::assert_snapshot!(check(&Constraint::Lt(n(5.5)), json!(5.5)), @"wanted < 5.5, got 5.5");
    insta::assert_snapshot!(check(&Constraint::Between(i(1), i(100)), json!(101)), @"wanted 1..100, got 101");
    insta::assert_snapshot!(check(&Constraint::Gt(i(5)), json!("six")), @r#"wanted > 5, got "six""#);
}

#[test]
fn lengths() {
    assert_eq!(check(&Constraint::Length(2), json!([1, 2])), "");
    assert_eq!(check(&Constraint::GtLength(1), json!([1, 2])), "");
    insta::assert_snapshot!(check(&Constraint::Length(3), json!([1, 2])), @"wanted a list of length 3, got 2: [1,2]");
    insta::assert_snapshot!(check(&Constraint::GtLength(2), json!([1, 2])), @"wanted a list longer than 2, got 2: [1,2]");
    insta::assert_snapshot!(check(&Constraint::Length(3), json!("abc")), @r#"wanted a list of length 3, got "abc""#);
}

#[test]
fn texts_choices_and_keys() {
    let one_of = Constraint::OneOf(vec![json!("a"), json!(2)]);
    let keys = Constraint::HasKeys(vec!["a".to_owned(), "b".to_owned()]);
    assert_eq!(check(&Constraint::StartsWith("DOC-".to_owned()), json!("DOC-007")), "");
    assert_eq!(check(&one_of, json!("a")), "");
    assert_eq!(check(&one_of, json!(2.0)), "");
    assert_eq!(check(&keys, json!({"b": 1, "a": null, "c": 3})), "");
    insta::assert_snapshot!(check(&Constraint::StartsWith("DOC-".to_owned()), json!("7")), @r#"wanted a text that starts with "DOC-", got "7""#);
    insta::assert_snapshot!(check(&one_of, json!("c")), @r#"wanted one of "a", 2, got "c""#);
    insta::assert_snapshot!(check(&keys, json!({"b": 1})), @r#"wanted a map with a, b, a missing in {"b":1}"#);
    insta::assert_snapshot!(check(&keys, json!([1])), @"wanted a map with a, b, got [1]");
}

#[test]
fn long_answers_are_cut() {
    let text = check(&Constraint::Length(1), json!(vec![7; 300]));
    assert!(text.starts_with("wanted a list of length 1, got 300: [7,7,") && text.ends_with("..."), "{text}");
    assert!(text.chars().count() < 170, "{text}");
}

proptest! {
    /// What is between two numbers is neither below the lower one nor above the higher one.
    #[test]
    fn between_is_both_comparisons(low in -50i64..50, width in 0i64..50, answer in -120i64..120) {
        let answer = json!(answer);
        let between = Constraint::Between(i(low), i(low + width)).judge(&answer).is_ok();
        let at_least = Constraint::Gte(i(low)).judge(&answer).is_ok();
        let above = Constraint::Gt(i(low + width)).judge(&answer).is_ok();
        prop_assert_eq!(between, at_least && !above);
        prop_assert_eq!(Constraint::Lt(i(low)).judge(&answer).is_ok(), !at_least);
    }

    /// Every value is equal to itself and one of a list that holds it.
    #[test]
    fn equality_is_reflexive(numbers in proptest::collection::vec(-1e9..1e9, 0..8), key in "[a-z]{1,4}") {
        let value = json!({ key: numbers });
        prop_assert!(Constraint::Eq(value.clone()).judge(&value).is_ok());
        prop_assert!(Constraint::OneOf(vec![json!(0), value.clone()]).judge(&value).is_ok());
    }
}

#[test]
fn near_sets_and_parts() {
    let within = |wanted: Json, answer: Json| check(&Constraint::Within(wanted, n(0.5)), answer);
    assert_eq!(within(json!([1, {"a": 2}]), json!([1.5, {"a": 1.5}])), "");
    insta::assert_snapshot!(within(json!(1), json!(1.6)), @"wanted 1 ± 0.5, got 1.6");
    let set = |answer: Json| check(&Constraint::Set(vec![json!(1), json!("a")]), answer);
    assert_eq!(set(json!(["a", 1, 1.0])), "");
    insta::assert_snapshot!(set(json!(["a"])), @r#"wanted the elements 1, "a", got ["a"]"#);
    insta::assert_snapshot!(set(json!(["a", 1, 2])), @r#"wanted the elements 1, "a", got ["a",1,2]"#);
    let part = |answer: Json| check(&Constraint::Contains(vec![json!("b"), json!(7)]), answer);
    assert_eq!((part(json!("abc 7")), part(json!([7, "b"]))), (String::new(), String::new()));
    insta::assert_snapshot!(part(json!("abc")), @r#"wanted something with "b", 7, got "abc""#);
    insta::assert_snapshot!(part(json!({"b": 7})), @r#"wanted something with "b", 7, got {"b":7}"#);
}

#[test]
fn patterns_types_and_programs() {
    let of = |pattern: &str, answer: Json| check(&Constraint::Matches(pattern.to_owned()), answer);
    assert_eq!(of("^a+$", json!("aaa")), "");
    insta::assert_snapshot!(of("^a+$", json!("ab")), @r#"wanted a text that matches "^a+$", got "ab""#);
    let ty = |answer: Json| check(&Constraint::Schema(Type::parse("{n :int}").unwrap()), answer);
    assert_eq!(ty(json!({"n": 1})), "");
    insta::assert_snapshot!(ty(json!({"n": "1"})), @r#"wanted {n :int}, got {"n":"1"}: [n]: expected int, got string"#);
    insta::assert_snapshot!(ty(json!({"n": 1, "m": 2})), @r#"wanted {n :int}, got {"n":1,"m":2}: [m]: field is not declared"#);
    let program = |source: &str, answer: Json| check(&Constraint::Program(source.to_owned()), answer);
    assert_eq!(program("(apply < data/answer)", json!([1, 2])), "");
    insta::assert_snapshot!(program("(apply < data/answer)", json!([2, 1])), @"the program (apply < data/answer) is not true of [2,1]");
    insta::assert_snapshot!(program("(fail \"odd\")", json!(3)), @r#"the program (fail "odd") failed: "odd""#);
    insta::assert_snapshot!(program("(inc data/answer)", json!("x")), @"the program (inc data/answer) failed: inc: expected a number, got string at line 1, column 1");
    let not = Constraint::Not(vec![Constraint::Contains(vec![json!("sorry")])]);
    assert_eq!(check(&not, json!("fine")), "");
    insta::assert_snapshot!(check(&not, json!("so sorry")), @r#"wanted not (something with "sorry"), got "so sorry""#);
}
