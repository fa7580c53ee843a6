//! Laws of integer arithmetic, and errors.

use insta::assert_snapshot;
use num_bigint::BigInt;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

fn integers() -> impl Strategy<Value = BigInt> {
    prop_oneof![
        any::<i64>().prop_map(BigInt::from),
        (-3_i64..3).prop_map(BigInt::from),
        (any::<i64>(), any::<i64>()).prop_map(|(a, b)| BigInt::from(a) * BigInt::from(b)),
        (-3_i64..3).prop_map(|near| BigInt::from(i64::MIN) + near),
    ]
}

fn ints(values: &[&BigInt]) -> Vec<Value> {
    values.iter().map(|n| Value::integer((*n).clone())).collect()
}

fn text(result: Result<Value, String>) -> String {
    result.map_or_else(|error| error, |value| crate::value::display_text(&value))
}

proptest! {
    #[test]
    fn integers_never_wrap(a in integers(), b in integers(), c in integers()) {
        prop_assert_eq!(text(call("+", &ints(&[&a, &b, &c]))), (&a + &b + &c).to_string());
        prop_assert_eq!(text(call("-", &ints(&[&a, &b, &c]))), (&a - &b - &c).to_string());
        prop_assert_eq!(text(call("*", &ints(&[&a, &b, &c]))), (&a * &b * &c).to_string());
    }

    #[test]
    fn quotient_and_remainder_belong_together(a in integers(), b in integers().prop_filter("not zero", |b| *b != BigInt::ZERO)) {
        let part = |name: &str| text(call(name, &ints(&[&a, &b]))).parse::<BigInt>().unwrap();
        let (quot, rem, modulo) = (part("quot"), part("rem"), part("mod"));
        prop_assert_eq!(&quot * &b + &rem, a.clone());
        prop_assert!(rem.magnitude() < b.magnitude());
        prop_assert!(modulo == BigInt::ZERO || modulo.sign() == b.sign());
        prop_assert_eq!((&modulo - &rem) % &b, BigInt::ZERO);
    }

    #[test]
    fn an_exact_division_is_an_integer(a in integers(), b in integers().prop_filter("not zero", |b| *b != BigInt::ZERO)) {
        prop_assert_eq!(text(call("/", &ints(&[&(&a * &b), &b]))), a.to_string());
    }
}

#[test]
fn what_is_no_number() {
    assert_snapshot!(check(r#"(+ 1 "2")"#), @"! type_error +: expected numbers, got number and string; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts");
    assert_snapshot!(check(r#"(+ "x")"#), @"! type_error +: expected numbers, got string");
    assert_snapshot!(check("(- nil)"), @"! type_error -: expected numbers, got nil");
    assert_snapshot!(check("(inc nil)"), @"! type_error inc: expected a number, got nil");
    assert_snapshot!(check("(max [1 2])"), @"! type_error max: expected numbers, got vector; use (apply max coll)");
    assert_snapshot!(check("(min :a 1)"), @"! type_error min: expected numbers, got keyword");
    assert_snapshot!(check("(/ 1 0)"), @"! arithmetic_error Divide by zero");
    assert_snapshot!(check("(mod 1.0 0)"), @"! arithmetic_error Divide by zero");
}

#[test]
fn floats_follow_ieee() {
    assert_snapshot!(check("[(/ 1.0 0) (/ 0.0 0) (- ##Inf ##Inf) (* 0 ##Inf) (+ 1 ##NaN) (/ 10 4 5)]"), @"[##Inf ##NaN ##NaN ##NaN ##NaN 0.5]");
    assert_snapshot!(check("[(max 1 ##NaN 2) (min ##NaN 1) (max 3 3.0) (min 3 3.0) (max 1 2.5) (- 0.0)]"), @"[##NaN ##NaN 3.0 3.0 2.5 -0.0]");
}
