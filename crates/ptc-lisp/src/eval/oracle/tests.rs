//! The machine and the oracle give the same answers.

use std::fmt::Write;

use proptest::prelude::*;

use super::run;
use crate::session::host::ToolError;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, Value, format};

const PROGRAMS: &[&str] = &[
    // Arithmetic and comparison, with and without special instructions.
    "(+ 1 2 3)",
    "(let [x 5] [(+ x 1) (- x 1) (* x x) (inc x) (dec x) (< x 5) (<= x 5) (= x 5.0) (- x) (/ x 2)])",
    "(let [x 9223372036854775807] [(inc x) (+ x x) (* x x) (dec (- x)) (- (- x) 2)])",
    "(let [x 1.5 y nil] [(+ x 1) (= y nil) (= x 1.5) (not= x y)])",
    "(let [x :a] (+ x 1))",
    "(let [x nil] (< 1 x))",
    "(let [x 0] (/ 7 x))",
    "(if (< 1 2 3) (if (> 3 2 2) :no :yes) :never)",
    // Branches.
    "[(if nil 1) (if 0 1 2) (when false 1) (if-not nil 3 4) (cond false 1 nil 2) (cond (= 1 1) :one :else :other)]",
    "[(and) (and 1 nil 2) (and 1 2) (or) (or nil false) (or nil 3 (/ 1 0))]",
    "(let [x 2] (cond (= x 1) :a (and (> x 1) (or (= x 3) (= x 2))) :b :else :c))",
    "(case 3 1 :one (2 3) :few :many)",
    "(case :x :y 1)",
    "(if (not (= 1 2)) (do 1 2 3) 4)",
    // Locals.
    "(let [x 1 y (+ x 1) x (* y 10)] [x y])",
    "(let [x 1] (let [x (+ x 1) y x] (let [x [x y]] x)))",
    "(let [[a b & more] [1 2 3 4] {:keys [k] :or {k 7}} {}] [a b more k])",
    "(let [v [1 2] w v u (conj v 3)] [v w u])",
    "(let [m {:a 1} n (assoc m :b 2) o (assoc n :a 9)] [m n o (:a o) (:z o :none) (m :a) (n :z 0)])",
    // Functions.
    "((fn [x y] (- x y)) 10 3)",
    "((fn f [n] (if (< n 2) 1 (* n (f (dec n))))) 20)",
    "(let [make (fn [n] (fn [x] (+ n x))) add2 (make 2) add3 (make 3)] [(add2 10) (add3 10)])",
    "(let [f (fn ([] 0) ([x] x) ([x & more] [x more]))] [(f) (f 1) (f 1 2 3)])",
    "(let [f (fn [x & more] [x more])] [(f 1) (f 1 2)])",
    "(let [f (fn [x] x)] (f 1 2))",
    "(let [x 1 f (fn [] x) x 2] [(f) x])",
    "((((fn [a] (fn [b] (fn [c] [a b c]))) 1) 2) 3)",
    "((fn [n acc] (if (zero? n) acc (recur (dec n) (* acc 2)))) 70 1)",
    "((fn [n & more] (if (= n 0) more (recur (dec n) more))) 3 :a :b)",
    "(let [f (fn [g x] (g (g x)))] (f (fn [y] (* y y)) 3))",
    // Loops.
    "(loop [i 0 total 0] (if (= i 10) total (recur (inc i) (+ total i))))",
    "(loop [a 1 b 2 n 3] (if (= n 0) [a b] (recur b a (dec n))))",
    "(loop [a 0 b 1 n 90] (if (zero? n) a (recur b (+ a b) (dec n))))",
    "(let [fs (fn [f] (f 1))] (loop [i 0 seen []] (if (= i 3) seen (recur (inc i) (conj seen (fs (fn [x] (+ x i))))))))",
    "(loop [i 0] (if (< i 3) (recur (loop [j i] (if (< j 2) (recur (inc j)) (inc j)))) i))",
    "(loop [v [] n 5] (if (pos? n) (let [w (conj v n)] (recur w (- n (count w)))) [v n]))",
    // Definitions.
    "(def a 1) (def b (+ a 1)) (def a 10) [a b]",
    "(defn twice [x] (* 2 x)) (defn again [x] (twice (twice x))) (again 5)",
    "(defn even [n] (if (= n 0) true (odd (dec n)))) (defn odd [n] (if (= n 0) false (even (dec n)))) (even 21)",
    "(defonce a 1) (defonce a (/ 1 0)) a",
    "(def f (fn [] later)) (f) (def later 1)",
    "(def x 1)",
    "(defn id [x] x) (#'id 4)",
    // Collections.
    "(let [x 1] [[x] {:a x x :b} #{x 2}])",
    "(let [x 1] {x :first 1.0 :second})",
    "(let [x 2] [([10 20 30] x) (#{1 2} x) (#{1} x) ({:a 1} :b)])",
    "([1 2 3] 3)",
    "(let [x 5] (x 1))",
    "(:a 1 2 3)",
    // Exceptions and endings.
    "(try (/ 1 0) (catch ArithmeticException e (str \"caught \" (ex-message e))))",
    "(try (+ 1 :a) (catch ArithmeticException e 1) (catch ClassCastException e 2))",
    "(try (throw (ex-info \"no\" {:code 7})) (catch ExceptionInfo e (:code (ex-data e))))",
    "(try (try (/ 1 0) (catch ClassCastException e 1)) (catch Exception e 2))",
    "(let [x 1] (try (let [x 2] (throw (ex-info \"no\" {}))) (catch Exception e x)))",
    "(try (try 1 (finally (throw (ex-info \"late\" {})))) (catch Exception e (ex-message e)))",
    "(try (/ 1 0) (catch Exception e (+ nil 1)) (finally 3))",
    "(let [f (fn [x] (try (if (= x 0) (throw (ex-info \"zero\" {})) (/ 6 x)) (catch Exception e :none)))] [(f 0) (f 3)])",
    "(let [e [1 2] a 3] (try (e a) (catch Exception b b)))",
    "(throw (ex-info \"out\" {}))",
    "(do (return [1 2]) (/ 1 0))",
    "((fn [x] (fail {:why x}) 3) :because)",
    "(try (return 1) (catch Exception e 2) (finally 3))",
    // Refused before anything runs.
    "(let [x] x)",
    "(undefined-here 1)",
    "(recur 1) (if)",
    "(+ 1",
];

/// The answer of the oracle, in the words of both.
fn oracle(source: &str) -> Result<String, String> {
    run(source).map(|text| without_messages(&text))
}

/// The text without what printed exceptions say: the oracle knows reasons, not messages.
fn without_messages(text: &str) -> String {
    const ERROR: &str = "#<error \"";
    let mut parts = text.split(ERROR);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("#<error ");
        plain.push_str(part.split_once("\">").map_or(part, |(_, rest)| rest));
    }
    plain
}

/// The answer of the machine, in the oracle's words.
fn machine(source: &str, slice: Option<u64>) -> String {
    let mut session = Session::new(SessionOptions::default());
    let outcome = session.run_sliced(source, slice, &mut |_| Err(ToolError::new("no tools here")));
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => without_messages(&text(value)),
        Ending::Fail(value) => format!("! fail {}", without_messages(&text(value))),
        Ending::Error(problems) => {
            problems.iter().map(|problem| format!("! {}", problem.reason)).collect::<Vec<_>>().join("\n")
        }
    }
}

fn text(value: &Value) -> String {
    format(value, &FormatOptions::full()).text
}

#[test]
fn the_machine_agrees_on_chosen_programs() {
    let mut findings = String::new();
    for source in PROGRAMS {
        let (walked, ran) = (oracle(source), machine(source, None));
        if walked.as_ref() != Ok(&ran) {
            let _ = writeln!(findings, "{source}\n  oracle {walked:?}\n  machine {ran:?}");
        }
    }
    assert!(findings.is_empty(), "{findings}");
}

#[test]
fn what_the_oracle_does_not_know_is_out_of_scope() {
    for source in
        ["(map inc [1])", "(letfn [(f [] 1)] (f))", "[inc (fn [] 1)]", "((fn f [n] (f (inc n))) 0)", "*1", "(range)"]
    {
        assert!(run(source).is_err(), "{source}: {:?}", run(source));
    }
}

/// Locals that are bound around every generated program.
pub(crate) const LOCALS: &str = "[a 3 b -2 c 2.5 d nil e [1 2] f :a g {:a 4} h 9223372036854775807]";

fn leaf() -> impl Strategy<Value = String> {
    let literals =
        ["0", "1", "-1", "7", "2.5", "nil", "true", "false", ":a", "\"s\"", "[1 2]", "{:a 1}", "9007199254740993"];
    prop_oneof![3 => proptest::sample::select(&["a", "b", "c", "d", "e", "f", "g", "h"][..]), 2 => proptest::sample::select(literals.to_vec())]
        .prop_map(str::to_owned)
}

/// A program of the core over the locals; many of them end in errors, some of them caught.
pub(crate) fn program() -> impl Strategy<Value = String> {
    leaf().prop_recursive(5, 40, 4, |inner| {
        let local = || proptest::sample::select(&["a", "b", "c", "d"][..]);
        let operator = proptest::sample::select(
            &[
                "+", "-", "*", "/", "<", "<=", ">", ">=", "=", "not=", "max", "quot", "and", "or", "do", "vector", "if", "get", "conj",
                "if-not",
            ][..],
        );
        let single =
            proptest::sample::select(&["inc", "dec", "-", "not", "nil?", "count", "first", ":a", "str", "zero?", "f", "g", "e"][..]);
        prop_oneof![
            4 => (operator, inner.clone(), inner.clone()).prop_map(|(op, x, y)| format!("({op} {x} {y})")),
            3 => (single, inner.clone()).prop_map(|(op, x)| format!("({op} {x})")),
            2 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(x, y, z)| format!("(if {x} {y} {z})")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(x, y, z)| format!("(cond (< {x} 2) {y} {x} {z})")),
            2 => (local(), inner.clone(), inner.clone()).prop_map(|(x, init, body)| format!("(let [{x} {init}] {body})")),
            1 => (local(), local(), inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(x, y, one, two, body)| format!("(let [{x} {one} {y} {two}] {body})")),
            2 => (local(), inner.clone(), inner.clone()).prop_map(|(x, body, arg)| format!("((fn [{x}] {body}) {arg})")),
            1 => (local(), local(), inner.clone(), inner.clone())
                .prop_map(|(x, y, body, arg)| format!("(((fn [{x}] (fn [{y}] {body})) {arg}) {x})")),
            1 => (local(), local(), inner.clone(), inner.clone(), inner.clone()).prop_map(|(x, y, one, two, next)| {
                format!("(loop [i 0 {x} {one} {y} {two}] (if (< i 3) (recur (inc i) {next} {x}) [{x} {y}]))")
            }),
            1 => (inner.clone(), local(), inner.clone()).prop_map(|(body, x, other)| format!("(try {body} (catch Exception {x} {other}))")),
            1 => (inner.clone(), inner.clone()).prop_map(|(body, other)| format!("(try {body} (catch ArithmeticException _ {other}))")),
            1 => (inner.clone(), inner).prop_map(|(x, y)| format!("[{x} {{:k {y}}} #{{{x}}}]")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_machine_agrees_on_generated_programs(body in program()) {
        let source = format!("(let {LOCALS} {body})");
        let walked = oracle(&source);
        prop_assert_eq!(walked.as_ref(), Ok(&machine(&source, None)), "{}", source);
        prop_assert_eq!(walked.as_ref(), Ok(&machine(&source, Some(1))), "{}", source);
    }
}
