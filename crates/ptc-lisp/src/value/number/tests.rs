use super::*;
use crate::limits::Limits;
use crate::value::{FormatOptions, format};
use insta::assert_snapshot;
use proptest::prelude::*;

type Operator = fn(&Value, &Value, &str, &mut Meter) -> Res;

fn shown(result: Res) -> String {
    match result {
        Ok(value) => format(&value, &FormatOptions::full()).text,
        Err(signal) => match *signal {
            Signal::Error(error) => format!("{}: {}", error.reason, error.message),
            other => format!("{other:?}"),
        },
    }
}

fn check(name: &str, a: impl Into<Value>, b: impl Into<Value>) -> String {
    let operator: Operator = match name {
        "+" => add,
        "-" => sub,
        "*" => mul,
        "/" => div,
        "quot" => quot,
        "rem" => rem,
        "mod" => modulo,
        other => panic!("no operator {other}"),
    };
    shown(operator(&a.into(), &b.into(), name, &mut Meter::host()))
}

fn big(text: &str) -> Value {
    parse_integer(text, &mut Meter::host()).unwrap().unwrap()
}

#[test]
fn integers_grow_when_they_must() {
    assert_snapshot!(check("+", i64::MAX, 1), @"9223372036854775808");
    assert_snapshot!(check("-", big("9223372036854775808"), 1), @"9223372036854775807");
    assert_snapshot!(check("*", i64::MAX, i64::MAX), @"85070591730234615847396907784232501249");
    assert_snapshot!(check("quot", i64::MIN, -1), @"9223372036854775808");
    assert_snapshot!(check("rem", i64::MIN, -1), @"0");
    assert_snapshot!(check("mod", i64::MIN, -1), @"0");
    assert_snapshot!(check("/", i64::MIN, -1), @"9223372036854775808");
    let mut meter = Meter::host();
    assert_snapshot!(shown(neg(&Value::Int(i64::MIN), "-", &mut meter)), @"9223372036854775808");
    assert_snapshot!(shown(neg(&big("9223372036854775808"), "-", &mut meter)), @"-9223372036854775808");
    assert_snapshot!(shown(abs(&Value::Int(i64::MIN), "abs", &mut meter)), @"9223372036854775808");
    assert_snapshot!(shown(dec(&Value::Int(i64::MIN), "dec", &mut meter)), @"-9223372036854775809");
}

#[test]
fn division() {
    assert_snapshot!(check("/", 6, 3), @"2");
    assert_snapshot!(check("/", 7, 2), @"3.5");
    assert_snapshot!(check("/", 7, 0), @"arithmetic_error: Divide by zero");
    assert_snapshot!(check("/", 7.0, 0), @"##Inf");
    assert_snapshot!(check("/", 0.0, 0), @"##NaN");
    assert_snapshot!(check("quot", 7.5, 2), @"3");
    assert_snapshot!(check("quot", -7, 2), @"-3");
    assert_snapshot!(check("quot", 1e300, 1e-300), @"arithmetic_error: quot: no integer value for ##Inf");
    assert_snapshot!(check("quot", f64::INFINITY, 2), @"##NaN");
    assert_snapshot!(check("mod", 1.0, 0), @"arithmetic_error: Divide by zero");
    assert_snapshot!(check("mod", -7, 3), @"2");
    assert_snapshot!(check("mod", 7, -3), @"-2");
    assert_snapshot!(check("mod", -5.5, 2), @"0.5");
    assert_snapshot!(check("rem", -7, 3), @"-1");
    assert_snapshot!(check("rem", -5.5, 2), @"-1.5");
    assert_snapshot!(check("mod", big("-36893488147419103233"), 4), @"3");
}

#[test]
fn quotients_of_integers_beyond_floats() {
    let huge = Value::integer((BigInt::from(3) << 5_000_u32) + 1);
    let half = Value::integer(BigInt::from(1) << 5_001_u32);
    assert_snapshot!(check("/", huge.clone(), half), @"1.5");
    assert_snapshot!(check("/", huge.clone(), 7), @"##Inf");
    assert_snapshot!(check("/", 7, huge), @"0.0");
}

#[test]
fn what_is_not_a_number_is_named() {
    assert_snapshot!(check("+", 1, Value::Nil), @"type_error: +: expected numbers, got number and nil");
    assert_snapshot!(check("quot", "1", 2), @"type_error: quot: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts");
    assert_snapshot!(shown(inc(&Value::Nil, "inc", &mut Meter::host())), @"type_error: inc: expected a number, got nil");
}

#[test]
fn growing_without_end_meets_a_limit() {
    let mut meter = Meter::new(Limits { fuel: 1_000_000, memory: u64::MAX >> 2, ..Limits::default() });
    let mut square = Value::Int(3);
    let reason = loop {
        match mul(&square, &square, "*", &mut meter) {
            Ok(next) => square = next,
            Err(signal) => break shown(Err(signal)),
        }
    };
    assert!(reason.starts_with("fuel_exceeded"), "{reason}");
}

proptest! {
    #[test]
    fn agrees_with_wide_integers(a: i64, b: i64) {
        prop_assert_eq!(check("+", a, b), (i128::from(a) + i128::from(b)).to_string());
        prop_assert_eq!(check("-", a, b), (i128::from(a) - i128::from(b)).to_string());
        prop_assert_eq!(check("*", a, b), (i128::from(a) * i128::from(b)).to_string());
        prop_assume!(b != 0);
        prop_assert_eq!(check("quot", a, b), (i128::from(a) / i128::from(b)).to_string());
        prop_assert_eq!(check("rem", a, b), (i128::from(a) % i128::from(b)).to_string());
    }

    #[test]
    fn quotient_and_remainder_belong_together(a in any::<i128>(), b in any::<i128>()) {
        prop_assume!(b != 0);
        let mut meter = Meter::host();
        let (x, y) = (Value::integer(a.into()), Value::integer(b.into()));
        let whole = quot(&x, &y, "quot", &mut meter).unwrap();
        let rest = rem(&x, &y, "rem", &mut meter).unwrap();
        let product = mul(&whole, &y, "*", &mut meter).unwrap();
        prop_assert_eq!(shown(add(&product, &rest, "+", &mut meter)), a.to_string());
        let modulo = modulo(&x, &y, "mod", &mut meter).unwrap();
        prop_assert!(sign(&modulo) == Some(0) || sign(&modulo) == sign(&y));
    }
}

proptest! {
    /// Adding and multiplying in place gives what the operators give; where they would not return a plain number, the
    /// value stays.
    #[test]
    fn plain_numbers_change_in_place_as_the_operators_say(x in crate::value::tests::any_value(), y in crate::value::tests::any_value()) {
        let meter = &mut Meter::host();
        for (in_place, operator) in [(add_plain as fn(&mut Value, &Value) -> bool, add as Operator), (mul_plain, mul)] {
            let mut acc = x.clone();
            let expected = operator(&x, &y, "", meter);
            if in_place(&mut acc, &y) {
                prop_assert_eq!(shown(Ok(acc)), shown(expected));
            } else {
                prop_assert_eq!(shown(Ok(acc)), shown(Ok(x.clone())));
                prop_assert!(!matches!(expected, Ok(Value::Int(_) | Value::Float(_))) || matches!(x, Value::Big(_)) || matches!(y, Value::Big(_)));
            }
        }
    }
}
