//! Rounding and the functions of `clojure.math`.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

proptest! {
    #[test]
    fn rounding_stays_near(x in -1e15..1e15_f64) {
        for (name, most) in [("floor", 1.0), ("ceil", 1.0), ("trunc", 1.0), ("round", 0.5)] {
            let Ok(Value::Int(n)) = call(name, &[Value::Float(x)]) else { panic!("{name}") };
            prop_assert!((n as f64 - x).abs() <= most);
        }
    }

    #[test]
    fn floor_division_belongs_together(x in any::<i64>(), y in any::<i64>().prop_filter("not zero", |y| *y != 0)) {
        let args = [Value::Int(x), Value::Int(y)];
        let (Ok(quotient), Ok(Value::Int(rest))) = (call("math/floor-div", &args), call("math/floor-mod", &args)) else { panic!("{args:?}") };
        let product = call("*", &[quotient, Value::Int(y)]).unwrap();
        prop_assert!(matches!(call("+", &[product, Value::Int(rest)]), Ok(Value::Int(back)) if back == x));
        prop_assert!(rest == 0 || (rest < 0) == (y < 0));
    }

    #[test]
    fn the_ieee_remainder_is_at_most_half(x in -1e6..1e6_f64, y in 0.001..1e3_f64) {
        let Ok(Value::Float(rest)) = call("math/IEEE-remainder", &[Value::Float(x), Value::Float(y)]) else { panic!("{x} {y}") };
        prop_assert!(rest.abs() <= y / 2.0);
        let multiple = (x - rest) / y;
        prop_assert!((multiple - multiple.round()).abs() < 1e-6);
    }
}

#[test]
fn rounding() {
    assert_snapshot!(check("[(floor -0.5) (ceil 0.5) (round 2.5) (round -2.5) (trunc -3.9) (floor 7) (round ##Inf)]"), @"[-1 1 3 -3 -3 7 ##Inf]");
    assert_snapshot!(check("(floor 1e300)"), @"! arithmetic_error floor: no integer value for 1.0e300");
    assert_snapshot!(check(r#"(sqrt "x")"#), @"! type_error sqrt: expected a number, got string");
    assert_snapshot!(check("[(sqrt -1) (pow 2 10) (pow 0 0) (Math/floor 3.7) (Math/round -2.5) (math/floor 3.7) (math/round -2.5)]"), @"[##NaN 1024.0 1.0 3 -2 3.0 -2]");
}

#[test]
fn clojure_math() {
    assert_snapshot!(check("(mapv math/round [0.5 1.5 -0.5 -1.5 2.4999 ##NaN ##Inf 0.49999999999999994])"), @"[1 2 0 -1 2 0 9223372036854775807 0]");
    assert_snapshot!(check("[(math/rint 0.5) (math/rint -0.5) (math/rint 1.5) (math/signum -0.0) (math/ulp 1.0) (math/scalb 1.0 -1074)]"), @"[0.0 -0.0 2.0 -0.0 2.220446049250313e-16 5.0e-324]");
    assert_snapshot!(check("[(math/IEEE-remainder 7.5 2.0) (math/IEEE-remainder -5 3) (math/IEEE-remainder 1 0) (math/get-exponent 0.1)]"), @"[-0.5 1.0 ##NaN -4]");
    assert_snapshot!(check("[(math/next-up 1.0) (math/next-after 0.0 -1) (math/to-degrees math/PI) (math/to-radians 180)]"), @"[1.0000000000000002 -5.0e-324 180.0 3.141592653589793]");
    assert_snapshot!(check("(math/add-exact 9223372036854775807 1)"), @"! arithmetic_error math/add-exact: the result does not fit 64 bits");
    assert_snapshot!(check("(math/floor-div 1 0)"), @"! arithmetic_error Divide by zero");
    assert_snapshot!(check("(math/floor-div -9223372036854775808 -1)"), @"9223372036854775808");
    assert_snapshot!(check("(math/increment-exact 1.5)"), @"! type_error math/increment-exact: expected an integer, got the float 1.5; (int x), (round x) or quot gives an integer");
}

#[test]
fn bits() {
    assert_snapshot!(check("[(bit-and 255 15 7) (bit-shift-left 1 63) (bit-shift-right -16 2) (unsigned-bit-shift-right -1 60) (bit-not 0)]"), @"[7 -9223372036854775808 -4 15 -1]");
    assert_snapshot!(check("(bit-shift-left 1 64)"), @"! argument_error bit-shift-left: the bit number must be 0 to 63, got 64");
    assert_snapshot!(check("(bit-test 1 -1)"), @"! argument_error bit-test: bits are counted from 0, got -1");
    assert_snapshot!(check("(bit-and 1.5 1)"), @"! type_error bit-and: expected integers, got the float 1.5; (int x), (round x) or quot gives an integer");
    assert_snapshot!(check("(bit-or 9223372036854775808 1)"), @"9223372036854775809");
}
