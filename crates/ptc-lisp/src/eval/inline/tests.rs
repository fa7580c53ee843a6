//! A function literal in its place does what the same function does through a name.

use proptest::prelude::*;

use crate::eval::oracle::tests::{LOCALS, program};
use crate::host::ToolFailure;
use crate::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, Value, format};

/// Calls with a function of one parameter in the place of `F`.
const CALLS: &[&str] = &[
    "(map F xs)",
    "(mapv F xs)",
    "(filter F xs)",
    "(filterv F xs)",
    "(remove F xs)",
    "(keep F xs)",
    "(some F xs)",
    "(every? F xs)",
    "(reduce + (map F xs))",
    "(reduce * (mapv F xs))",
    "(reduce + a (map F xs))",
    "(update xs :a F)",
    "(update xs \"k\" F)",
    "(update xs 0 F)",
    "(update nil a F)",
    "[(update g :a F) g]",
    "(map (fn [y] (map F [y a])) xs)",
    "(map (fn [y] (filter F [y {:a y}])) xs)",
    "(loop [i 0 m {}] (if (< i 3) (recur (inc i) (update m (mod i 2) F)) m))",
    "(reduce (fn [m y] (update m (:k y) F)) {} rows)",
    "(reduce (fn [m y] (update m (:k y) F)) (zipmap (map str (range 12)) (range)) rows)",
    "(try (map F xs) (catch Exception _ [:caught a]))",
    "(map (fn [y] (try (some F [y 1]) (catch Exception _ [:caught y]))) xs)",
];

/// Calls with a function of two.
const FOLDS: &[&str] = &[
    "(reduce F xs)",
    "(reduce F a xs)",
    "(reduce F {} rows)",
    "(map (fn [y] (reduce F [] [y 2 3])) xs)",
    "(reduce (fn [acc y] (conj acc (reduce F [y 1]))) [] xs)",
];

/// What they go over.
const COLLECTIONS: &[&str] = &[
    "[1 2 3]",
    "[]",
    "[5]",
    "nil",
    "{:a 1 :b 2}",
    "{\"k\" 1}",
    "#{7}",
    "\"ab\"",
    "5",
    "(map inc (range 3))",
    "(take 3 (iterate inc 1))",
    "(sorted-map :b 1 :a 2)",
    "[1.5 nil :a \"s\" 9223372036854775807]",
    "rows",
];

const ROWS: &str = "[{:a 1 :k \"x\"} {:a 200.5 :k \"y\"} {:k \"x\" :a -3} {:k \"10\"} {:k \"10\" :a :b} {:a 1 :k \"x\"}]";

fn ending(source: &str, slice: Option<u64>) -> String {
    let mut session = Session::new(SessionOptions::default());
    let outcome = session.run_sliced(source, slice, &mut |_| Err(ToolFailure::new("no tools here")));
    let text = |value: &Value| format(value, &FormatOptions::full()).text;
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => text(value),
        Ending::Fail(value) => format!("! fail {}", text(value)),
        Ending::Error(problems) => {
            problems.iter().map(|problem| format!("! {}: {}", problem.reason, problem.message)).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The call with the function as a literal, in slices and whole, against the call with its name.
fn agree(call: &str, function: &str, collection: &str) -> Result<(), TestCaseError> {
    let around = |call: &str| format!("(let {LOCALS} (let [rows {ROWS} xs {collection} the-function {function}] {call}))");
    let named = ending(&around(&call.replace('F', "the-function")), None);
    let literal = around(&call.replace('F', function));
    for slice in [None, Some(1), Some(7)] {
        prop_assert_eq!(&ending(&literal, slice), &named, "{}", literal);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_literal_in_its_place_does_what_a_named_function_does(
        call in proptest::sample::select(CALLS),
        collection in proptest::sample::select(COLLECTIONS),
        parameter in proptest::sample::select(&["a", "x", "[a b]", "{:keys [a k]}"][..]),
        body in program(),
    ) {
        agree(call, &format!("(fn [{parameter}] {body})"), collection)?;
    }

    #[test]
    fn so_does_the_function_of_a_reduce(
        call in proptest::sample::select(FOLDS),
        collection in proptest::sample::select(COLLECTIONS),
        body in program(),
        ends in any::<bool>(),
    ) {
        let body = if ends { format!("(if (= a 2) (reduced b) {body})") } else { body };
        agree(call, &format!("(fn [b a] {body})"), collection)?;
    }

    #[test]
    fn fields_of_elements_are_read_where_they_are(
        call in proptest::sample::select(CALLS),
        field in proptest::sample::select(&["(:a o)", "(:k o)", "(:none o)", "[(:a o) o]"][..]),
        test in proptest::sample::select(&["(> {} 100)", "(< {} 1)", "(>= 200.5 {})", "(= {} \"x\")", "(and (= {} :b) (:k o))", "(or {} 0)", "(let [z 1] (fn [] {}) {})"][..]),
    ) {
        agree(call, &format!("(fn [o] {})", test.replace("{}", field)), "rows")?;
    }
}
