//! Conversions and parsing.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

proptest! {
    #[test]
    fn an_integer_survives_its_text(n in any::<i64>()) {
        prop_assert!(matches!(call("parse-long", &[Value::from(n.to_string())]), Ok(Value::Int(back)) if back == n));
    }

    #[test]
    fn a_float_survives_its_text(x in any::<f64>()) {
        let text = call("str", &[Value::Float(x)]).unwrap();
        let Ok(Value::Float(back)) = call("parse-double", std::slice::from_ref(&text)) else { panic!("{text:?}") };
        prop_assert!(back == x || (back.is_nan() && x.is_nan()));
    }

    #[test]
    fn parsing_never_fails(text in ".{0,12}") {
        for name in ["parse-long", "parse-double", "parse-boolean", "parse-uuid"] {
            prop_assert!(call(name, &[Value::from(text.as_str())]).is_ok());
        }
    }

    #[test]
    fn characters_and_code_points(c in any::<char>()) {
        let point = Value::Int(i64::from(u32::from(c)));
        let text = call("char", std::slice::from_ref(&point)).unwrap();
        prop_assert_eq!(text.as_str().unwrap_or_default(), c.to_string());
        prop_assert!(matches!((call("int", &[text]), point), (Ok(Value::Int(back)), Value::Int(point)) if back == point));
    }
}

#[test]
fn numbers() {
    assert_snapshot!(check(r#"[(int 3.9) (int -3.9) (int \a) (int "5") (long 2.0) (double 3) (num 7) (bigint 1e20) (bigint "12")]"#), @"[3 -3 97 53 2 3.0 7 100000000000000000000 12]");
    assert_snapshot!(check("(int 1e300)"), @"! arithmetic_error int: no integer value for 1.0e300");
    assert_snapshot!(check("(int ##Inf)"), @"! arithmetic_error int: no integer value for ##Inf");
    assert_snapshot!(check("(int 9223372036854775808)"), @"! arithmetic_error int: the integer does not fit 64 bits");
    assert_snapshot!(check(r#"(int "12")"#), @"! type_error int: expected a number or one character (parse-long reads text), got string");
    assert_snapshot!(check(r#"(long "5")"#), @"! type_error long: expected a number (parse-long reads text), got string");
    assert_snapshot!(check("(char 55296)"), @"! argument_error char: 55296 is not the code point of a character");
    assert_snapshot!(check("(char -1)"), @"! argument_error char: -1 is not the code point of a character");
    assert_snapshot!(check(r#"(bigint "x")"#), @r#"! argument_error bigint: not an integer: "x""#);
}

#[test]
fn texts() {
    assert_snapshot!(check(r#"(map parse-long ["42" "+7" "-7" "" "1.5" "12abc" " 1" "9223372036854775808" 42 nil])"#), @"[42 7 -7 nil nil nil nil nil nil nil]");
    assert_snapshot!(check(r#"(map parse-double ["42" "1e3" ".5" "5." "1.5e" "-Infinity" "NaN" "inf" " 1" 1.5])"#), @"[42.0 1000.0 nil nil nil ##-Inf ##NaN nil nil nil]");
    assert_snapshot!(check(r#"(map parse-boolean ["true" "false" "TRUE" nil])"#), @"[true false nil nil]");
    assert_snapshot!(check(r#"(map parse-uuid ["6F9619FF-8B86-D011-B42D-00C04FC964FF" "6f96" "" nil])"#), @r#"["6f9619ff-8b86-d011-b42d-00c04fc964ff" nil nil nil]"#);
}

#[test]
fn names() {
    assert_snapshot!(check(r#"[(keyword "a") (keyword "n" "a") (keyword 'b) (keyword nil) (symbol "n" "a") (symbol :k)]"#), @"[:a :n/a :b nil n/a k]");
    assert_snapshot!(check(r#"[(name :a/b) (name 'c) (name "x/y") (namespace :a/b) (namespace :b) (name '/)]"#), @r#"["b" "c" "x/y" "a" nil "/"]"#);
    assert_snapshot!(check("(keyword 5)"), @"! type_error keyword: expected a string, keyword or symbol, got number");
    assert_snapshot!(check("(name 5)"), @"! type_error name: expected a keyword, symbol or string, got number");
}
