//! Printed lines and their limits.

use insta::assert_snapshot;

use crate::limits::Limits;
use crate::stdlib::show::tests::{check, check_with};

#[test]
fn lines() {
    assert_eq!(check("(println)"), "> \nnil");
    assert_snapshot!(check(r#"(do (println 1 2.5 :k "s" nil true) (println ["x" "y"]) (prn "a" :b))"#), @r#"
    > 1 2.5 :k s nil true
    > ["x" "y"]
    > "a" :b
    nil
    "#);
    assert_snapshot!(check(r#"(do (print "a") (print "b") (println "c") (pr "q") (printf "%d" 1))"#), @r#"
    > abc
    > "q"1
    nil
    "#);
    assert_snapshot!(check(r#"(do (print "a") (newline) (print "b"))"#), @"
    > a
    b
    nil
    ");
    assert_snapshot!(check(r#"(tap> {:a "x"})"#), @r#"
    > {:a "x"}
    true
    "#);
    assert_snapshot!(check(r#"[(println-str "a" 1) (prn-str "a") (pr-str) (print-str "a" :b)]"#), @r#"["a 1\n" "\"a\"\n" "" "a :b"]"#);
}

#[test]
fn collected_output() {
    assert_snapshot!(check(r#"[(with-out-str (println "x") (print "y")) (with-out-str (println (with-out-str (print "in"))))]"#), @r#"["x\ny" "in\n"]"#);
}

#[test]
fn values_over_several_lines() {
    assert_snapshot!(check("(pprint {:a [1.5 nil] :_b 2})"), @"
    > {:a [1.5 nil]}
    nil
    ");
    assert_snapshot!(check(r#"(pprint (map (fn [n] {:id n :text (apply str (repeat n "word "))}) [1 6 13 14]))"#), @r#"
    > [{:id 1 :text "word "}
     {:id 6 :text "word word word word word word "}
     {:id 13
      :text "word word word word word word word word word word word word word "}
     {:id 14
      :text "word word word word word word word word word word word word word word "}]
    nil
    "#);
    // Deeper than a line is wide.
    assert_snapshot!(check("(count (with-out-str (pprint (reduce (fn [x n] [x]) [] (range 5000)))))"), @"1108");
}

#[test]
fn limits_of_values_over_several_lines() {
    let limited = |program, limits| check_with(program, Limits { print_chars: 100, ..limits });
    assert_snapshot!(limited("(pprint (range 100))", Limits::default()), @"
    > [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
     28 29 30 31 32 33 34 35 ...
    nil
    ");
    // A value that shares its parts has a text without end.
    let small = Limits { memory: 1 << 20, ..Limits::default() };
    assert_snapshot!(limited("(pprint (reduce (fn [x n] [x x]) [] (range 60)))", small), @"! memory_exceeded memory limit of 1048576 bytes exceeded: keep counts and samples instead of whole collections");
    let few = Limits { fuel: 5_000, ..Limits::default() };
    assert_snapshot!(limited("(pprint (vec (range 3000)))", few), @"! fuel_exceeded stopped after 5000 steps: the program loops too long; work on less data or end the loop");
}

#[test]
fn long_lines_are_cut() {
    let short = || Limits { print_chars: 5, ..Limits::default() };
    assert_snapshot!(check_with(r#"(do (println "12345") (println "123456") (println "äöüßé!"))"#, short()), @"
    > 12345
    > 12345...
    > äöüßé...
    nil
    ");
    assert_snapshot!(check_with(r#"(do (print "123") (print "456") (print "789"))"#, short()), @"
    > 12345...
    nil
    ");
    assert_snapshot!(check_with(r#"(count (with-out-str (println "123456789")))"#, short()), @"10");
}

/// The lines that a program prints, 200 characters of each, and what they lack; ten letters are a wave.
fn long_line(program: &str) -> String {
    let limits = Limits { print_chars: 200, ..Limits::default() };
    let mut session = crate::Session::new(crate::SessionOptions { limits, ..crate::SessionOptions::default() });
    let outcome = session.run(program, &mut |_| unreachable!());
    assert_eq!(outcome.prints.len(), outcome.missing.len());
    format!("{} | {:?}", outcome.prints.join(" / ").replace("abcdefghi ", "~"), outcome.missing)
}

#[test]
fn a_line_that_is_too_long_keeps_its_later_values() {
    let long = r#"(apply str (repeat 300 "abcdefghi "))"#;
    assert_snapshot!(long_line(&format!(r#"(println 43.85 {{:a {long}}} {{:error "needs brake"}})"#)), @r#"43.85 {:a "~~~~~~~~~~~~~~~abcdefgh..."} {:error "needs brake"} | [2842]"#);
    assert_snapshot!(long_line(&format!(r#"(println "first" {long} "and" {long} :last)"#)), @"first ~~~~~~~~abcdefgh... and ~~~~~~~~abcdefgh... :last | [5824]");
    assert_snapshot!(long_line(&format!("(print 1 {long}) (println 2)")), @"1 ~~~~~~~~~~~~~~~~~~~abcde... | [2806]");
    assert_snapshot!(long_line(&format!("(println {long}) (println :short)")), @"~~~~~~~~~~~~~~~~~~~~... / :short | [2800, 0]");
    assert_snapshot!(long_line(&format!("(pmap (fn [i] (println i {long})) [1 2])")), @"1 ~~~~~~~~~~~~~~~~~~~abcde... / 2 ~~~~~~~~~~~~~~~~~~~abcde... | [2805, 2805]");
    assert_snapshot!(long_line("(apply println (range 1000))"), @"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 ... | [3689]");
    assert_snapshot!(long_line(&format!("(count (with-out-str (println {long})))")), @" | []");
}

#[test]
fn the_oldest_lines_are_counted() {
    let few = || Limits { prints: 3, ..Limits::default() };
    assert_snapshot!(check_with("(dotimes [i 20] (println i))", few()), @"
    > (17 earlier lines are not kept)
    > 17
    > 18
    > 19
    nil
    ");
    assert_snapshot!(check_with("(dotimes [i 4] (println i))", few()), @"
    > (1 earlier line is not kept)
    > 1
    > 2
    > 3
    nil
    ");
    let branches = "(count (pmap (fn [b] (dotimes [i 20] (println b i))) (range 3)))";
    assert_snapshot!(check_with(branches, few()), @"
    > (57 earlier lines are not kept)
    > 2 17
    > 2 18
    > 2 19
    3
    ");
    assert_snapshot!(check_with("(println 1)", Limits { prints: 0, ..Limits::default() }), @"
    > (1 earlier line is not kept)
    nil
    ");
}
