//! Java-flavoured names.

use insta::assert_snapshot;

use crate::stdlib::show::tests::check;

#[test]
fn methods() {
    assert_snapshot!(check(r#"[(.indexOf "hello" "q") (.indexOf "pillow" "l" 3) (.lastIndexOf "hello" "l") (.indexOf [1 2.0 2] 2) (.lastIndexOf [1 2 2] 2)]"#), @"[-1 3 3 1 2]");
    assert_snapshot!(check(r#"[(.contains "abc" "b") (.contains [1 2] 3) (.contains #{1} 1) (.length "héé") (.isEmpty []) (.charAt "abc" 2)]"#), @r#"[true false true 3 true "c"]"#);
    assert_snapshot!(check(r#"[(.substring "pillow" 1 3) (.replace "a.b" "." "$1") (.trim " x ") (.toUpperCase "a") (.toString nil) (.equalsIgnoreCase "Ä" "ä")]"#), @r#"["il" "a$1b" "x" "A" "" true]"#);
    assert_snapshot!(check(r#"(.substring "abc" 5)"#), @"! argument_error .substring: 5 to 3 is outside a string of 3 characters; subs clamps");
    assert_snapshot!(check(r#"(.substring "abc" -1 2)"#), @"! argument_error .substring: -1 to 2 is outside a string of 3 characters; subs clamps");
    assert_snapshot!(check(r#"(.charAt "abc" 3)"#), @"! argument_error .charAt: position 3 is outside a string of 3 characters");
    assert_snapshot!(check(r#"(.indexOf nil "a")"#), @"! type_error .indexOf: expected a string, got nil");
    assert_snapshot!(check("(.length nil)"), @"! type_error .length: expected a string, got nil");
}

#[test]
fn classes() {
    assert_snapshot!(check(r#"[(Integer/parseInt "12") (Long/parseLong "-9") (Double/parseDouble "2.5") (Boolean/parseBoolean "true")]"#), @"[12 -9 2.5 true]");
    assert_snapshot!(check(r#"(Integer/parseInt "1x")"#), @r#"! argument_error Integer/parseInt: not an integer: "1x""#);
    assert_snapshot!(check("(Integer/parseInt nil)"), @"! type_error Integer/parseInt: expected a string, got nil");
    assert_snapshot!(check(r#"(Double/parseDouble "abc")"#), @r#"! argument_error Double/parseDouble: not a number: "abc""#);
    assert_snapshot!(check(r#"(map (fn [c] [(Character/isDigit c) (Character/isLetter c) (Character/isUpperCase c)]) "a7É")"#), @"[[false true false] [true false false] [false true true]]");
    assert_snapshot!(check(r#"(Character/isDigit "12")"#), @"! type_error Character/isDigit: expected one character, got string");
}

#[test]
fn numbers_in_other_bases() {
    assert_snapshot!(check(r#"[(Long/parseLong "-ff" 16) (Integer/parseInt "101" 2) (Integer/toString -255 16) (Long/toString 0 2) (Long/toString 7)]"#), @r#"[-255 5 "-ff" "0" "7"]"#);
    assert_snapshot!(check("[(Integer/toBinaryString 5) (Integer/toHexString -1) (Long/toOctalString 8) (Long/toBinaryString 0)]"), @r#"["101" "ffffffff" "10" "0"]"#);
    assert_snapshot!(check("[(Long/toHexString -1) (= (Long/toString Long/MIN_VALUE 36) \"-1y2p0ij32e8e8\")]"), @r#"["ffffffffffffffff" true]"#);
    assert_snapshot!(check(r#"(Long/parseLong "12" 2)"#), @r#"! argument_error Long/parseLong: not an integer in base 2: "12""#);
    assert_snapshot!(check(r#"(Long/parseLong "12" 1)"#), @"! argument_error Long/parseLong: expected a base from 2 to 36, got 1");
    assert_snapshot!(check("(Integer/toHexString 4294967296)"), @"! argument_error Integer/toHexString: 4294967296 is beyond 32 bits; write (Long/toHexString n) or (bit-and n 0xffffffff)");
}

#[test]
fn constants() {
    assert_snapshot!(check("[Double/NaN Double/POSITIVE_INFINITY Double/NEGATIVE_INFINITY Long/MAX_VALUE Integer/MIN_VALUE math/PI math/E]"), @"[##NaN ##Inf ##-Inf 9223372036854775807 -2147483648 3.141592653589793 2.718281828459045]");
}
