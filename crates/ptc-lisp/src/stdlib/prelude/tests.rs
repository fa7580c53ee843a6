use super::{SOURCE, families};
use crate::parse::parse;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, Value, format};

fn answer(program: &str) -> String {
    let outcome = Session::new(SessionOptions::default()).run(program, &mut |_| Ok(Value::Nil));
    match outcome.ending {
        Ending::Value(value) => format(&value, &FormatOptions::full()).text,
        other => format!("{other:?}"),
    }
}

#[test]
fn a_form_is_a_row_or_begins_a_family() {
    assert!(!SOURCE.contains('\\'), "strings are taken as they are written");
    let forms = parse(SOURCE).unwrap().forms.len();
    let families = families();
    assert_eq!(families.iter().map(|family| 1 + family.rows.len()).sum::<usize>(), forms);
    for row in families.iter().flat_map(|family| family.rows) {
        assert!(row.name.starts_with('%') || !row.examples.is_empty(), "{}: no example", row.name);
    }
}

/// Calls with this many arguments return the same as the calls that they replace.
#[test]
fn functions_from_functions_are_the_same_for_any_number() {
    for (made, count, meant) in [
        ("(comp str)", 3, "(apply str xs)"),
        ("(comp vector str)", 3, "(vector (apply str xs))"),
        ("(comp list vector str)", 3, "(list (vector (apply str xs)))"),
        ("(comp count list vector str)", 3, "(count (list (vector (apply str xs))))"),
        ("(partial str)", 4, "(apply str xs)"),
        ("(partial str 1)", 4, "(apply str 1 xs)"),
        ("(partial str 1 2)", 4, "(apply str 1 2 xs)"),
        ("(partial str 1 2 3)", 4, "(apply str 1 2 3 xs)"),
        ("(juxt)", 3, "[]"),
        ("(juxt str)", 4, "[(apply str xs)]"),
        ("(juxt str vector)", 4, "[(apply str xs) (apply vector xs)]"),
        ("(juxt str vector list)", 4, "[(apply str xs) (apply vector xs) (apply list xs)]"),
        (
            "(juxt str vector list hash-set)",
            4,
            "[(apply str xs) (apply vector xs) (apply list xs) (apply hash-set xs)]",
        ),
        ("(every-pred int?)", 4, "(every? int? xs)"),
        ("(every-pred int? pos?)", 4, "(every? (fn [x] (and (int? x) (pos? x))) xs)"),
        ("(every-pred int? pos? odd?)", 4, "(every? (fn [x] (and (int? x) (pos? x) (odd? x))) xs)"),
        ("(some-fn neg?)", 4, "(if (empty? xs) nil (or (some neg? xs) false))"),
        ("(some-fn neg? #{2})", 4, "(if (empty? xs) nil (some #{2} xs))"),
        ("(some-fn neg? zero? #{2})", 4, "(if (empty? xs) nil (some #{2} xs))"),
        ("(some-fn neg? zero? :k #{2})", 4, "(if (empty? xs) nil (some #{2} xs))"),
        ("(memoize str)", 5, "(apply str xs)"),
    ] {
        let program = format!(
            "(let [f {made}] (mapv (fn [n] (let [xs (mapv inc (range n))] (= [(apply f xs) (apply f xs)] [{meant} {meant}]))) (range {count})))"
        );
        assert_eq!(answer(&program), format!("[{}]", vec!["true"; count].join(" ")), "{made}");
    }
}

#[test]
fn defaults_stand_for_nil() {
    assert_eq!(
        answer("(let [f (fnil vector 1 2)] [(f) (f nil) (f nil nil) (f nil 5 nil) (f 7 nil nil nil)])"),
        "[[] [1] [1 2] [1 5 nil] [7 2 nil nil]]"
    );
    assert_eq!(
        answer("(let [f (fnil vector 1 2 3)] [(f) (f nil) (f nil nil) (f nil 5 nil) (f 7 nil nil nil)])"),
        "[[] [1] [1 2] [1 5 3] [7 2 3 nil]]"
    );
}

#[test]
fn the_last_of_equals_has_the_key() {
    assert_eq!(
        answer(
            "[(max-key abs 1) (max-key abs -3 2) (max-key abs 2 -2) (max-key abs 1 -2 2) (max-key :n {:n 1} {:n 2})]"
        ),
        "[1 -3 -2 2 {:n 2}]"
    );
    assert_eq!(
        answer(
            "[(min-key abs 1) (min-key abs -3 2) (min-key abs 2 -2) (min-key abs 1 -1 2) (apply min-key val {:a 2 :b 1})]"
        ),
        "[1 2 -2 -1 [:b 1]]"
    );
    assert!(answer("(max-key :n {:n 1} {})").contains("max-key: expected numbers, got nil"));
}

#[test]
fn what_is_remembered_is_told_apart() {
    let program = "(let [calls (atom []) f (memoize (fn [& xs] (swap! calls conj xs) (first xs)))] \
        [(f 1) (f 1.0) (f :a) (f \"a\") (f nil) (f nil) (f [1 2]) (f 1 2) (f 1 2) (f) (f) (f 1 2 3) (f 1 2 3) (f false) (f false) (count @calls)])";
    assert_eq!(answer(program), "[1 1.0 :a \"a\" nil nil [1 2] 1 1 nil nil 1 1 false false 10]");
    assert_eq!(
        answer("(let [f (memoize (fn [s] (first s)))] [(f (map inc (range 5))) (f (take 3 (iterate inc 2)))])"),
        "[1 2]"
    );
    assert_eq!(
        answer("(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))) (fib 80)"),
        "23416728348467685"
    );
}

#[test]
fn maps_are_merged_with_a_function() {
    for (call, expected) in [
        ("(merge-with +)", "nil"),
        ("(merge-with + nil)", "nil"),
        ("(merge-with + {:a 1})", "{:a 1}"),
        ("(merge-with + nil {:a 1})", "{:a 1}"),
        ("(merge-with + {:a 1} nil)", "{:a 1}"),
        ("(merge-with + {:a 1 :b 2} {:b 3 :c 4})", "{:a 1 :b 5 :c 4}"),
        ("(merge-with into {:a [1]} nil {:a [2]} {:a [3] :b [4]})", "{:a [1 2 3] :b [4]}"),
        ("(let [m {:a 1}] [(merge-with + m {:a 2}) m])", "[{:a 3} {:a 1}]"),
    ] {
        assert_eq!(answer(call), expected, "{call}");
    }
    for call in ["(merge-with + 1)", "(merge-with + 1 nil)", "(merge-with + {} [1])", "(merge-with + {} {} [1])"] {
        assert!(answer(call).contains("merge-with: expected a map"), "{call}: {}", answer(call));
    }
}
