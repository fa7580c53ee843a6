//! Regular expressions: shapes of matches, Java's ways, refusals.

use insta::assert_snapshot;
use proptest::prelude::*;

use std::sync::Arc;
use std::time::Duration;

use crate::error::{Reason, Signal};
use crate::eval::context::Context;
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::reference::language;
use crate::stdlib::Call;
use crate::stdlib::regex::matches::Matches;
use crate::stdlib::regex::{compile, regex_problem};
use crate::stdlib::show::tests::{Noon, call, check};
use crate::value::Pattern;
use crate::value::Value;

/// Iterate over all matches of a pattern under these limits; returns the number of matches, why it stopped, and the
/// fuel used.
fn all_matches(pattern: &str, text: &str, limits: Limits) -> (usize, Option<Reason>, u64) {
    let mut cx = Context::new(language(), Meter::new(limits), Arc::new(Noon), 7);
    let pattern = Pattern::new(pattern).unwrap();
    let (mut matches, mut found) = (Matches::new(&pattern, text), 0);
    let stopped = loop {
        match matches.next(&mut Call { name: "re-seq", args: &mut [], cx: &mut cx }) {
            Ok(Some(_)) => found += 1,
            Ok(None) => break None,
            Err(signal) => match *signal {
                Signal::Error(error) => break Some(error.reason),
                other => panic!("{other:?}"),
            },
        }
    };
    (found, stopped, cx.meter.fuel_used())
}

#[test]
fn a_timeout_is_a_timeout_with_little_fuel_left() {
    let text = "ab".repeat(200);
    let late = Limits { fuel: 50, time: Duration::ZERO, ..Limits::default() };
    for (pattern, text) in [("a", text.as_str()), ("(a)(b)?", &text), ("x", &text.repeat(1_000))] {
        assert_eq!(all_matches(pattern, text, late.clone()), (0, Some(Reason::Timeout), 1), "{pattern}");
    }
}

#[test]
fn matching_takes_one_unit_of_fuel_for_each_search() {
    let limits = |fuel| Limits { fuel, ..Limits::default() };
    let text = "ab".repeat(200);
    assert_eq!(all_matches("a", &text, limits(201)), (200, None, 201));
    assert_eq!(all_matches("a", &text, limits(100)), (100, Some(Reason::FuelExceeded), 100));
}

proptest! {
    #[test]
    fn any_pattern_ends_in_a_value_or_an_error(pattern in "[ab(|)*+?{}\\[\\]\\\\^$.<>=!:12]{0,10}", text in "[ab12]{0,6}") {
        for name in ["re-find", "re-matches", "re-seq", "re-split", "extract", "extract-int"] {
            let _ = call(name, &[Value::from(pattern.as_str()), Value::from(text.as_str())]);
        }
    }

    #[test]
    fn pieces_and_matches_make_the_text(text in "[ab1 ]{0,10}") {
        let args = [Value::from("[1 ]"), Value::from(text.as_str())];
        let (pieces, found) = (call("re-split", &args).unwrap(), call("re-seq", &args).unwrap());
        let (pieces, found) = (pieces.as_vector().unwrap(), found.as_vector().cloned().unwrap_or_default());
        prop_assert_eq!(pieces.len(), found.len() + 1);
        let mut back = String::new();
        for (at, piece) in pieces.iter().enumerate() {
            back.push_str(piece.as_str().unwrap_or_default());
            back.push_str(found.get(at).and_then(Value::as_str).unwrap_or_default());
        }
        prop_assert_eq!(back, text);
    }
}

#[test]
fn matches() {
    assert_snapshot!(check(r#"[(re-find #"(a)?(b)" "b") (re-find #"\d+" "v42") (re-find #"x" "") (re-find "a" "cat") (re-find #"a" nil)]"#), @r#"[["b" nil "b"] "42" nil "a" nil]"#);
    assert_snapshot!(check(r#"[(re-matches #"a|ab" "ab") (re-matches #"(\d+)-(\d+)" "10-20") (re-matches #"a" "ab") (re-matches #"(?x) a # end" "a")]"#), @r#"["ab" ["10-20" "10" "20"] nil "a"]"#);
    assert_snapshot!(check(r#"[(re-seq #"\d" "a1b2") (re-seq #"z" "abc") (re-seq #"" "ab") (re-seq #"x*" "aaxx") (re-seq #"(\w)=(\d)" "a=1 b=2")]"#), @r#"[["1" "2"] nil ["" "" ""] ["" "" "xx" ""] [["a=1" "a" "1"] ["b=2" "b" "2"]]]"#);
    assert_snapshot!(check(r#"[(re-split #"\s*;\s*" "k ; v;w") (re-split #"," nil) (re-pattern #"a") (re-seq #"a" nil)]"#), @r#"[["k" "v" "w"] [] #"a" nil]"#);
    assert_snapshot!(check(r#"[(extract "user=(\\w+)" "user=ida;") (extract "user=\\w+" "user=ida;") (extract "(a)" "b") (extract "(a)" "a" -1) (extract #"a" nil)]"#), @r#"["ida" nil nil nil nil]"#);
    assert_snapshot!(check(r#"[(extract-int "(\\d+)x(\\d+)" "3x40" 2) (extract-int "n=(\\d+)" "n=x" 1 0) (extract-int "(\\w+)" "ab")]"#), @"[40 0 nil]");
}

proptest! {
    /// The check before a program runs finds what the engine reports, and nothing else.
    #[test]
    fn the_check_agrees_with_the_engine(
        pattern in "([ab(|)*+?{}\\[\\]\\\\^$.<>=!:,&~1-3kpuxGLQEZPhR -]|\\\\p\\{[LNZGx]u?\\}|\\(\\?[:=!<x]|\\[:alpha:\\]){0,8}",
    ) {
        let engine = Pattern::new(&compile::translated(&pattern));
        prop_assert_eq!(regex_problem(&pattern).is_some(), matches!(engine, Err(::regex::Error::Syntax(_))), "{:?}", engine);
    }
}

#[test]
fn refusals() {
    let mut lines = Vec::new();
    assert_snapshot!(check(r#"(re-pattern "[unclosed")"#), @"! argument_error invalid regex: unclosed character class");
    assert_snapshot!(check(r#"(re-pattern "a(?=b)")"#), @r#"! argument_error invalid regex: look-ahead (?=...) is not supported; match what follows too and take a group: (second (re-find #"(\d+) kg" s))"#);
    assert_snapshot!(check(r#"(re-pattern "(a)\\1")"#), @r"! argument_error invalid regex: the back-reference \1 is not supported; for a doubled character write (some (fn [[a b]] (= a b)) (partition 2 1 s))");
    for pattern in [
        r"(.)\1",
        r"([a-z])\1+",
        r"(\w+) \1",
        r"(?<q>.)\k<q>",
        r"\2",
        "a(?=b)",
        "(?<=b)a",
        "a(?!b)",
        "(?<!b)a",
        "(?>a+)b",
        r"a\Z",
        r"\p{Foo}",
        r"[\p{Greek}\p{Foo}]",
        "(a",
        "*",
    ] {
        assert!(Pattern::new(&compile::translated(pattern)).is_err());
        lines.push(format!("{pattern} => {}", regex_problem(pattern).unwrap()));
    }
    assert_snapshot!(lines.join("\n"), @r#"
    (.)\1 => invalid regex: the back-reference \1 is not supported; for a doubled character write (some (fn [[a b]] (= a b)) (partition 2 1 s))
    ([a-z])\1+ => invalid regex: the back-reference \1 is not supported; for a doubled character write (some (fn [[a b]] (= a b)) (partition 2 1 s))
    (\w+) \1 => invalid regex: the back-reference \1 is not supported; match both parts and compare them: (let [[_ a b] (re-find #"(\w+) (\w+)" s)] (= a b))
    (?<q>.)\k<q> => invalid regex: the back-reference \k<name> is not supported; match both parts and compare them: (let [[_ a b] (re-find #"(\w+) (\w+)" s)] (= a b))
    \2 => invalid regex: the back-reference \2 is not supported; match both parts and compare them: (let [[_ a b] (re-find #"(\w+) (\w+)" s)] (= a b))
    a(?=b) => invalid regex: look-ahead (?=...) is not supported; match what follows too and take a group: (second (re-find #"(\d+) kg" s))
    (?<=b)a => invalid regex: look-behind (?<=...) is not supported; match what comes before too and take a group: (second (re-find #"id=(\d+)" s))
    a(?!b) => invalid regex: negative look-ahead (?!...) is not supported; match without it and drop what is unwanted: (remove #(str/starts-with? % "tmp") (re-seq #"\w+" s))
    (?<!b)a => invalid regex: negative look-behind (?<!...) is not supported; match the character before too and drop what is unwanted: (remove #(str/starts-with? % "-") (re-seq #"-?\d+" s))
    (?>a+)b => invalid regex: an atomic group (?>...) is not supported; write (?:...), the engine never tries one text twice
    a\Z => invalid regex: unrecognized escape sequence \Z; for the end of the text write \z
    \p{Foo} => invalid regex: Unicode property not found: \p{Foo}
    [\p{Greek}\p{Foo}] => invalid regex: Unicode property not found: \p{Foo}
    (a => invalid regex: unclosed group
    * => invalid regex: repetition operator missing expression
    "#);
    assert_snapshot!(check(r#"(re-pattern "((a{1,100}){1,100}){1,100}")"#), @"! argument_error invalid regex: it repeats too much; lower the counts in {}");
    assert_snapshot!(check(r#"(re-pattern (join (repeat 5000 "a")))"#), @"! argument_error invalid regex: 5000 bytes long, at most 4096 are allowed");
    assert_snapshot!(check("(re-pattern 5)"), @"! type_error re-pattern: expected a string, got number");
    assert_snapshot!(check(r#"(re-find #"a" 5)"#), @"! type_error re-find: expected a string, got number");
    assert_snapshot!(check(r#"(re-find :a "a")"#), @"! type_error re-find: expected a regex, got keyword");
}

/// Every attempt of this pattern reads to the end of the text; the run must still end in time.
#[test]
fn searches_that_read_on_and_on_end() {
    let source = r#"(count (re-seq #"(a)|a*b" (join (repeat 30000 "a"))))"#;
    let limits = Limits { time: Duration::from_millis(50), ..Default::default() };
    let answer = crate::stdlib::show::tests::check_with(source, limits);
    assert!(answer == "30000" || answer.starts_with("! timeout"), "{answer}");
}
