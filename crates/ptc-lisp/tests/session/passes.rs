//! Passes whose function is a keyword or builtin say what passes over a function of the program say.

use ptc_lisp::text::display_text;
use ptc_lisp::{Ending, Outcome, Session, SessionOptions, Value, Warning, WarningCode};

const PASSES: &[&str] =
    &["map", "mapv", "filter", "remove", "keep", "mapcat", "sort-by", "group-by", "some", "every?", "not-any?", "run!"];
const FUNCTIONS: &[&str] = &[":a", "inc", "str", "count", "first", "vector", "odd?", "nil?", "conj", "println"];
const FOLDS: &[&str] = &["+", "conj", "str", "max", "merge", ":a", "inc"];
const COLLECTIONS: &[&str] = &[
    "[]",
    "[3 1 2]",
    "[{:a 2} {:a 1} nil]",
    "[{:a (range 3)} {:a (take 2 (iterate inc 0))}]",
    "[[2 1] [1] []]",
    "[\"b\" \"a\"]",
    "[:x \"y\" 1.5]",
    "{:a 1 :b 2}",
    "#{4 5}",
    "(map inc (range 4))",
    "(map #(take % (iterate inc 0)) [2 1])",
    // Fields in several places, in maps of other kinds, under the other spelling, and in what has none.
    "[{:a 1 :b 2} {:b 2 :a 1} {:b 3} {\"a\" 1} (sorted-map :a 2) #{:a} (into {} (map (juxt identity str) (range 20))) nil 5]",
    "[{:b 1 :a \"x\"} {:a (str \"x\")} {:a \"y\" :b 1 :c 2} {:b 1 :a \"y\"}]",
    "(map (fn [i] {:b i :a (str :k (mod i 12))}) (range 40))",
    "(map (fn [i] (if (odd? i) {:a (mod i 12)} {:b i :a (- 9.5 i)})) (range 40))",
    "[(sorted-map-by (fn [x y] (compare y x)) :a 1 :b 2) {:a 3}]",
];

fn run(program: &str, slice: Option<u64>) -> Outcome {
    Session::new(SessionOptions::default()).run_sliced(program, slice, &mut |_| Ok(Value::Nil))
}

/// A message without what to write instead of a key, which names the key.
fn cut(message: &str) -> &str {
    match message.starts_with("cannot compare") {
        true => message.split("; ").next().and_then(|text| text.split(" under ").next()).unwrap_or(message),
        false => message,
    }
}

/// What a program answered, printed and warned about, or how it failed.
fn shown(outcome: &Outcome) -> String {
    let ending = match &outcome.ending {
        Ending::Value(value) => display_text(value),
        Ending::Error(problems) => {
            format!("{:?}", problems.iter().map(|problem| (problem.reason, cut(&problem.message))).collect::<Vec<_>>())
        }
        other => format!("{other:?}"),
    };
    // A note on the text of a call, not on what it does.
    let on_text = |warning: &&Warning| warning.code == WarningCode::ListOrder;
    let warnings: Vec<_> =
        outcome.warnings.iter().filter(|warning| !on_text(warning)).map(|warning| &warning.message).collect();
    format!("{ending} {warnings:?} {:?}", outcome.prints)
}

fn agree(program: &str, wrapped: &str) {
    let outcome = run(program, None);
    assert_eq!(shown(&outcome), shown(&run(wrapped, None)), "{program}");
    let sliced = run(program, Some(1));
    assert_eq!((shown(&outcome), outcome.usage.fuel), (shown(&sliced), sliced.usage.fuel), "{program}");
}

#[test]
fn a_pass_does_not_show_how_its_function_is_called() {
    for collection in COLLECTIONS {
        // A keyword over one map is refused as a slip.
        for function in FUNCTIONS.iter().filter(|function| !(function.starts_with(':') && collection.starts_with('{')))
        {
            for pass in PASSES {
                agree(
                    &format!("({pass} {function} {collection})"),
                    &format!("({pass} (fn [x] ({function} x)) {collection})"),
                );
            }
        }
        for function in FOLDS {
            agree(
                &format!("(reduce {function} {collection})"),
                &format!("(reduce (fn [& xs] (apply {function} xs)) {collection})"),
            );
            agree(
                &format!("(reduce {function} nil {collection})"),
                &format!("(reduce (fn [x y] (apply {function} [x y])) nil {collection})"),
            );
        }
    }
}
