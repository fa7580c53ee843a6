use crate::session::outcome::problems_text;
use crate::value::{FormatOptions, format};
use crate::{Session, SessionOptions};

/// The value of a program, or its problem without its place, and the fuel that it used.
fn ending(source: &str) -> (String, u64) {
    let outcome = Session::new(SessionOptions::default()).run(source, &mut |_| unreachable!());
    let text = match outcome.value() {
        Some(value) => format(value, &FormatOptions::full()).text,
        None => problems_text(outcome.problems()).split(" at line").next().unwrap_or_default().to_owned(),
    };
    (text, outcome.usage.fuel)
}

const FUNCTIONS: &[&str] =
    &["+", "-", "max", "into", "conj", "concat", "str", "merge", "set/union", "(fnil + 0)", "compare", "vector"];

const VALUES: &[&str] = &["1", "2.5", "nil", "[1 2]", "[:a 1]", "#{1}", "{:x 1}", "\"t\"", "(list 3)", "{}", "\"\""];

#[test]
fn a_builtin_joins_as_a_function_around_it_does() {
    for function in FUNCTIONS {
        for (one, other) in VALUES.iter().flat_map(|one| VALUES.iter().map(move |other| (one, other))) {
            let maps = [
                format!("{{:a {one} :b {other}}} {{:a {other} :c {one}}}"),
                format!("{{:a {one}}} nil {{:a {other} :b {other}}} {{:b {one} :a {one}}}"),
                format!("nil {{\"a\" {one}}} {{:a {other}}} {{\"a\" {other}}}"),
                format!("(sorted-map 1 {one}) {{1 {other}}}"),
            ];
            for maps in maps {
                let program = |f: &str| {
                    format!("(let [m {{:a {one}}}] (try [(merge-with {f} {maps}) m] (catch Exception e :error)))")
                };
                let around = format!("(fn [x y] ({function} x y))");
                assert_eq!(ending(&program(function)).0, ending(&program(&around)).0, "{function} {maps}");
            }
        }
    }
    assert_eq!(ending("[(merge-with +) (merge-with + {:a 1}) (merge-with + nil nil)]").0, "[nil {:a 1} nil]");
    assert!(ending("(merge-with + {:a 1} 5)").0.contains("merge-with: expected a map"));
}

#[test]
fn values_grow_in_place() {
    let cost = |f: &str| {
        let program = |n: usize| {
            format!(
                "(count (:k (reduce (fn [m x] (merge-with {f} m {{:k [x]}})) {{:k (vec (range 200))}} (range {n}))))"
            )
        };
        assert_eq!(ending(&program(20)).0, "220");
        ending(&program(60)).1 - ending(&program(20)).1
    };
    assert!(2 * cost("into") < cost("(fn [x y] (let [z [x]] (into x y)))"), "a copy costs fuel");
}

#[test]
fn little_memory_is_enough_for_many_maps() {
    let program = "(count (apply merge-with into (map (fn [i] {(mod i 10) [i]}) (range 20000))))";
    assert_eq!(ending(program).0, "10");
}
