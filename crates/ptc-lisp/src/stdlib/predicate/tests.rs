//! Predicates of kinds and numbers.

use insta::assert_snapshot;

use crate::stdlib::show::tests::check;

#[test]
fn numbers() {
    assert_snapshot!(check("(map int? [1 1.0 nil \"1\" 9223372036854775808])"), @"[true false false false false]");
    assert_snapshot!(check("(map integer? [1 1.0 9223372036854775808])"), @"[true false true]");
    assert_snapshot!(check("(map zero? [0 0.0 -0.0 1 nil \"0\" ##NaN])"), @"[true true true false false false false]");
    assert_snapshot!(check("(map pos? [1 0 -1 ##Inf nil 9223372036854775808])"), @"[true false false true false true]");
    assert_snapshot!(check("(map even? [0 4.0 -2 9223372036854775808 1e300])"), @"[true true true true true]");
    assert_snapshot!(check("(even? 1.5)"), @"! type_error even?: expected an integer, got the float 1.5; (int x), (round x) or quot gives an integer");
    assert_snapshot!(check("(odd? ##Inf)"), @"! type_error odd?: expected an integer, got the float ##Inf; (int x), (round x) or quot gives an integer");
    assert_snapshot!(check("(NaN? nil)"), @"! type_error NaN?: expected a number, got nil");
}

#[test]
fn names() {
    assert_snapshot!(check("(map qualified-keyword? [:a :a/b 'c/d])"), @"[false true false]");
    assert_snapshot!(check("(map simple-ident? [:a :a/b 'c \"d\"])"), @"[true false true false]");
    assert_snapshot!(check("(map char? [\\a \"ab\" nil \"\"])"), @"[true false false false]");
}

/// Asking for the kind of an endless sequence must not realise it.
#[test]
fn endless_sequences() {
    assert_snapshot!(check("[(nil? (range)) (some? (range)) (number? (iterate inc 0)) (string? (cycle [1]))]"), @"[false true false false]");
}
