//! Typographic quotes: content inside strings, repaired outside, and only where the text does not read otherwise.

use super::*;

#[test]
fn programs_that_read_are_left_alone() {
    assert_snapshot!(check("(str \"it’s “fine”\")"), @r#"(str "it’s “fine”")"#);
    assert_snapshot!(check("; “note\n(f \"a\")"), @r#"(f "a")"#);
}

#[test]
fn curly_quotes_around_strings_count_as_quotes() {
    assert_snapshot!(check("(println “hello” 1)"), @r#"(println "hello" 1)"#);
    assert_snapshot!(check("(println ”hello“ „low‟ “a\\nb”)"), @r#"(println "hello" "low" "a\nb")"#);
    assert_snapshot!(check("(str/split s #\",\") (f “a”)"), @r#"(str//split s #/,/) (f "a")"#);
    assert_snapshot!(check("(str “say \"hi\"” \"and ‘bye’\")"), @r#"(str "say \"hi\"" "and ‘bye’")"#);
    assert_snapshot!(check("{“a”:b “c”1}"), @r#"{"a" :b "c" 1}"#);
}

#[test]
fn quotes_of_mixed_kinds_pair_up_when_nothing_else_helps() {
    assert_snapshot!(check("(str “a\" “b\")"), @r#"(str "a" "b")"#);
    assert_snapshot!(check("(str \"abc”)"), @r#"(str "abc")"#);
}

#[test]
fn curly_single_quotes_quote_a_form() {
    assert_snapshot!(check("(f ‘a ’(1 2))"), @"(f 'a '(1 2))");
}

#[test]
fn the_error_of_the_attempt_that_got_further_is_reported() {
    assert_snapshot!(check("(str “a” 1/3)"), @"!! invalid number '1/3' (ratios are not supported; write (/ 1 3)) at line 1, column 10");
    assert_snapshot!(check("(str 1/3 “a”)"), @"!! invalid number '1/3' (ratios are not supported; write (/ 1 3)) at line 1, column 6");
    assert_snapshot!(check("(str “a)"), @"!! unexpected character '“' (write strings in straight quotes \"...\") at line 1, column 6");
}
