//! Programs that keep every version of a growing or shrinking collection: time and memory grow with n log n.

use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Limits, Outcome, Session, SessionOptions, Value};

/// Each keeps about `n` versions of a collection of about `n` elements; the value tells that nothing was lost.
const PROGRAMS: [(&str, &str, &str); 15] = [
    (
        "conj",
        "(let [all (reductions conj [] (range n))] [(count all) (last (last all)) (count (nth all 700))])",
        "[n+1 n-1 700]",
    ),
    (
        "assoc in a vector",
        "(let [base (vec (range n)) all (mapv #(assoc base % :x) (range n))] [(count all) (nth (nth all 3) 4) (nth (last all) (dec n))])",
        "[n 4 :x]",
    ),
    (
        "update in a vector",
        "(let [all (reductions #(update %1 %2 inc) (vec (range n)) (range n))] [(count all) (reduce + (last all))])",
        "[n+1 n(n+1)/2]",
    ),
    (
        "pop",
        "(let [all (vec (take n (iterate pop (vec (range n)))))] [(count all) (peek (nth all 10)) (count (last all))])",
        "[n n-11 1]",
    ),
    (
        "rest",
        "(loop [v (vec (range n)) all []] (if (seq v) (recur (rest v) (conj all v)) [(count all) (first (nth all 900))]))",
        "[n 900]",
    ),
    (
        "cons",
        "(let [all (reductions #(cons %2 %1) [] (range n))] [(count all) (first (last all)) (last (last all))])",
        "[n+1 n-1 0]",
    ),
    (
        "subvec",
        "(let [base (vec (range n)) all (mapv #(subvec base %) (range n))] [(count all) (first (nth all 7))])",
        "[n 7]",
    ),
    ("concat", "(let [all (reductions #(concat %1 [%2]) [] (range n))] [(count all) (last (last all))])", "[n+1 n-1]"),
    (
        "assoc in a map",
        "(loop [i 0 m {} all []] (if (< i n) (let [m (assoc m i (inc i))] (recur (inc i) m (conj all m))) [(count all) (get (nth all 500) 400) (get (last all) (dec n))]))",
        "[n 401 n]",
    ),
    (
        "one key of a map",
        "(let [base (zipmap (range n) (range n)) all (mapv #(assoc base % :x) (range n))] [(count all) (get (nth all 5) 6) (get (nth all 5) 5)])",
        "[n 6 :x]",
    ),
    (
        "dissoc",
        "(let [all (reductions dissoc (zipmap (range n) (range n)) (range n))] [(count all) (first (nth all 10)) (count (last all))])",
        "[n+1 [10 10] 0]",
    ),
    (
        "dissoc of one base",
        "(let [base (zipmap (range n) (range n)) all (mapv #(dissoc base %) (range n))] [(count all) (first (nth all 0)) (count (last all))])",
        "[n [1 1] n-1]",
    ),
    (
        "conj to a set",
        "(let [all (reductions conj #{} (range n))] [(count all) (contains? (last all) 77) (contains? (nth all 70) 77)])",
        "[n+1 true false]",
    ),
    (
        "an atom",
        "(let [a (atom {}) all (atom [])] (dotimes [i n] (swap! a assoc i i) (swap! all conj @a)) [(count @all) (count (nth @all 600))])",
        "[n 601]",
    ),
    (
        "a definition",
        "(def v []) (def all []) (dotimes [i n] (def v (conj v i)) (def all (conj all v))) [(count all) (count (nth all 800))]",
        "[n 801]",
    ),
];

fn run(program: &str, n: usize) -> Outcome {
    run_within(Limits::default(), program, n)
}

fn run_within(limits: Limits, program: &str, n: usize) -> Outcome {
    let program = program.replace("(range n)", &format!("(range {n})")).replace(" n ", &format!(" {n} "));
    let program = program
        .replace("[i n]", &format!("[i {n}]"))
        .replace("(dec n)", &format!("(dec {n})"))
        .replace("i n)", &format!("i {n})"));
    Session::new(SessionOptions { limits, ..SessionOptions::default() }).run(&program, &mut |_| unreachable!())
}

fn shown(outcome: &Outcome) -> String {
    let problem = outcome.problems().first().map(|problem| problem.text());
    problem.unwrap_or_else(|| format(outcome.value().unwrap_or(&Value::Nil), &FormatOptions::full()).text)
}

#[test]
fn every_version_of_ten_thousand_fits_the_default_limits() {
    for (name, program, expected) in PROGRAMS {
        let n = 10_000;
        let expected = expected
            .replace("n(n+1)/2", &(n * (n + 1) / 2).to_string())
            .replace("n+1", &(n + 1).to_string())
            .replace("n-11", &(n - 11).to_string())
            .replace("n-1", &(n - 1).to_string())
            .replace("[n", &format!("[{n}"))
            .replace(" n]", &format!(" {n}]"));
        assert_eq!(shown(&run(program, n)), expected, "{name}");
    }
}

#[test]
fn fuel_and_memory_grow_with_n_log_n() {
    for (name, program, _) in PROGRAMS {
        let (small, large) = (run(program, 4_000).usage, run(program, 40_000).usage);
        assert!(large.fuel < 14 * small.fuel, "{name}: fuel {} and {}", small.fuel, large.fuel);
        assert!(large.memory < 14 * small.memory, "{name}: memory {} and {}", small.memory, large.memory);
    }
}

#[test]
fn a_map_is_a_queue() {
    let drain = "(loop [m (zipmap (range n) (range n)) sum 0]
                   (if (empty? m) sum (let [[k v] (first m)] (recur (dissoc m k) (+ sum v)))))";
    assert_eq!(shown(&run(drain, 20_000)), "199990000");
    let (small, large) = (run(drain, 2_000).usage, run(drain, 20_000).usage);
    assert!(large.fuel < 12 * small.fuel, "fuel {} and {}", small.fuel, large.fuel);
    let turn = "(loop [i 0 m (zipmap (range n) (range n))]
                  (if (< i 50000) (let [[k v] (first m)] (recur (inc i) (assoc (dissoc m k) (+ k 1000000) v))) [(count m) (first m)]))";
    let outcome = run_within(Limits { memory: 1 << 20, ..Limits::default() }, turn, 1_000);
    assert_eq!(shown(&outcome), "[1000 [50000000 0]]");
}

#[test]
fn a_vector_is_a_queue() {
    let turn = "(let [start (vec (range n))]
                  (loop [i 0 q start] (if (< i 100000) (recur (inc i) (conj (vec (rest q)) (first q))) [(count q) (count start) (first q)])))";
    let outcome = run_within(Limits { memory: 1 << 20, ..Limits::default() }, turn, 1_000);
    assert_eq!(shown(&outcome), "[1000 1000 0]");
}

#[test]
fn generators_do_not_make_versions_expensive() {
    let program = "(let [lazy (map inc (iterate inc 0)) all (reductions conj [] (range n))] [(first lazy) (count (filterv seq all))])";
    let (small, large) = (run(program, 2_000), run(program, 20_000));
    assert_eq!(shown(&large), "[1 20000]");
    assert!(large.usage.fuel < 14 * small.usage.fuel, "fuel {} and {}", small.usage.fuel, large.usage.fuel);
}
