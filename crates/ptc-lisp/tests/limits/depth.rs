//! Depth as programs show it: each call prints how deep it is. However calls nest, none gets deeper than the limit.

use proptest::prelude::*;
use ptc_lisp::{Limits, Reason, ToolError};

use super::session;

/// Ways to call `g` with `(inc n)` from `f`, and to look at what it gives.
const WAYS: &[&str] = &[
    "(g (inc n))",
    "[(g (inc n))]",
    "(map g [(inc n)])",
    "(mapv (fn [m] (g m)) [(inc n)])",
    "(apply g [(inc n)])",
    "((comp identity g inc) n)",
    "(first (map g (iterate inc (inc n))))",
    "(reduce (fn [_ m] (g m)) nil [(inc n)])",
    "(reduce-kv (fn [_ _ m] (g m)) nil {:a (inc n)})",
    "(sort-by (fn [_] (g (inc n)) 1) [1 2])",
    "(sort (fn [a b] (g (inc n)) 1) [1 2])",
    "(into [] (map g) [(inc n)])",
    "(pmap g [(inc n)])",
    "(pmap (fn [k] (if (= k 2) (g (inc n)) k)) [1 2 3])",
    "(pcalls (fn [] 1) (fn [] (g (inc n))))",
    "(let [a (atom n)] (swap! a (fn [m] (g (inc m)))))",
    "@(delay (g (inc n)))",
    "(first (lazy-seq [(g (inc n))]))",
    "(try (g (inc n)) (finally 1))",
    "(try (throw (ex-info \"no\" {})) (catch Exception e (g (inc n))))",
    "(try 1 (finally (g (inc n))))",
    "(for [m [(inc n)]] (g m))",
    "(doseq [m [(inc n)]] (g m))",
    "(update {:a (inc n)} :a g)",
    "(walk/postwalk (fn [x] (if (number? x) (g x) x)) [(inc n)])",
    "(str/replace \"a\" #\"a\" (fn [_] (str (g (inc n)))))",
    "((memoize g) (inc n))",
    "(task (str n) (g (inc n)))",
    "(time (g (inc n)))",
    "(group-by g [(inc n)])",
    "(max-key g (inc n) (inc n))",
];

/// Ways on which comparators lead: an inner machine runs them.
const COMPARING: &[&str] =
    &["(sorted-set-by (fn [a b] (g (inc n)) 1) 1 2)", "(get (sorted-map-by (fn [a b] (g (inc n)) 0) 1 2) 1)"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_is_deeper_than_the_limit(
        ways in prop::collection::vec(prop::sample::select(WAYS), 1..6),
        comparing in prop::sample::select(COMPARING),
        turns in 1..9_usize,
        depth in 3..150_usize,
    ) {
        let last = ways.len();
        let of = |way: &str, next: usize| way.split_inclusive(|c: char| !c.is_alphanumeric() && c != '-').map(|word| {
            let (name, rest) = word.split_at(word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '-').len());
            if name == "g" { format!("f{next}{rest}") } else { word.to_owned() }
        }).collect::<String>();
        let mut program = format!("(declare {}) ", (0..=last).map(|at| format!("f{at}")).collect::<Vec<_>>().join(" "));
        for (at, way) in ways.iter().enumerate() {
            program += &format!("(defn f{at} [n] (println n) {}) ", of(way, at + 1));
        }
        program += &format!("(defn f{last} [n] (println n) (if (= 0 (mod n {turns})) {} (f0 (inc n)))) (f0 1)", of(comparing, 0));
        let limits = Limits { depth, fuel: 300_000, memory: 16 << 20, time: std::time::Duration::from_secs(3_600), ..Limits::default() };
        let outcome = session(limits).run(&program, &mut |_| Err(ToolError::new("no tools")));
        let deepest = outcome.prints.iter().filter_map(|line| line.parse::<usize>().ok()).max().unwrap_or(0);
        prop_assert!(deepest <= depth, "{deepest} calls deep, the limit is {depth}: {program}");
        let reason = outcome.problems().first().map(|problem| problem.reason);
        prop_assert!(matches!(reason, Some(Reason::RecursionLimitExceeded | Reason::FuelExceeded)), "{reason:?}: {program}");
    }
}
