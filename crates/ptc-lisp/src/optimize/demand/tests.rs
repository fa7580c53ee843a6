use proptest::prelude::*;

use crate::{Limits, Outcome, Session, SessionOptions, no_tools};

fn run(program: &str) -> Outcome {
    let limits = Limits { fuel: 10_000_000, ..Limits::default() };
    Session::new(SessionOptions { limits, ..SessionOptions::default() }).run(program, &mut no_tools)
}

/// The value, or the message of the problem.
fn ending(program: &str) -> String {
    let outcome = run(program);
    let message = || outcome.problems().iter().map(|problem| problem.message.clone()).collect();
    outcome.value().map_or_else(message, ToString::to_string)
}

/// What a program costs over a vector of this many integers.
fn fuel(program: &str, elements: u32) -> u64 {
    let setup = format!("(def xs (vec (range {elements})))");
    run(&format!("{setup} {program}")).usage.fuel - run(&format!("{setup} nil")).usage.fuel
}

/// Programs that read a prefix, by what they read it through.
const PREFIXES: &[&str] = &[
    // Locals.
    "(let [ys (map inc xs)] (first ys))",
    "(let [ys (filter #(> % 3) xs)] (take 5 ys))",
    "(let [ys (remove #(< % 3) xs) zs (map dec ys)] (second zs))",
    "(let [ys (keep #(when (> % 7) %) xs)] (nth ys 4))",
    "(let [ys (map-indexed vector xs)] (some (fn [[i x]] (when (> (+ i x) 20) i)) ys))",
    "(let [ys (filter #(> % 5) xs)] (if (empty? ys) 0 (first ys)))",
    "(let [ys (filter #(> % 5) xs)] (when-let [s (seq ys)] (first s)))",
    "(if-let [[x] (not-empty (filter #(> % 5) xs))] x 0)",
    "(let [[a b] (map inc xs)] (+ a b))",
    "(let [[a & more] (map inc xs)] (+ a (first more)))",
    "(let [ys (map #(* 2 %) xs)] (count (take-while #(< % 100) ys)))",
    // Functions.
    "(defn squares [ys] (map #(* % %) ys)) (first (squares xs))",
    "(defn evens [] (filter even? xs)) (defn two [] (take 2 (evens))) (two)",
    "(defn a [ys] (map inc ys)) (defn b [ys] (a (filter odd? ys))) (first (b xs))",
    "(defn firsts [n ys] (take n ys)) (firsts 3 (map inc xs))",
    "(let [evens (fn [ys] (filter even? ys))] (first (evens xs)))",
    "(defn search [pred ys] (first (filter pred ys))) (search #(> % 9) xs)",
    "(defn small? [x] (< x 5)) (first (remove small? xs))",
    "(defn step [x] (+ x 1)) (defn twice [x] (step (step x))) (let [ys (map twice xs)] (first ys))",
    "(first (filter (complement even?) (map (comp inc inc) xs)))",
    "(let [ys (map (partial + 5) xs)] (first ys))",
    // Calls in calls.
    "(first (rest (map inc xs)))",
    "(first (drop 3 (map inc xs)))",
    "(first (mapcat #(vector % %) xs))",
    "(first (apply concat (map vector xs)))",
    "(take 3 (concat (map inc xs) (map dec xs)))",
    "(take 2 (partition 3 xs))",
    "(take 2 (partition-all 3 (map inc xs)))",
    "(take 2 (partition-by #(quot % 3) xs))",
    "(take 3 (distinct xs))",
    "(take 3 (dedupe (map #(quot % 2) xs)))",
    "(take 3 (reductions + xs))",
    "(take 3 (interleave (map inc xs) (map dec xs)))",
    "(take 3 (interpose 0 (map inc xs)))",
    "(take 3 (take-nth 2 (map inc xs)))",
    "(take 3 (map + (map inc xs) xs))",
    "(first (cond->> xs true (map inc) true (filter odd?)))",
    "(->> xs (map inc) (filter odd?) (take 3) (map dec))",
    "(every? #(< % 5) (map inc xs))",
    "(reduce (fn [sum x] (if (> x 10) (reduced sum) (+ sum x))) 0 (map inc xs))",
    "(let [ys (map inc xs)] (reduce (fn [sum x] (if (> x 10) (reduced sum) (+ sum x))) 0 ys))",
    "(let [ys (map str xs)] (first (filter #(str/starts-with? % \"12\") ys)))",
    "(let [ys (map (fn [x] {:id x :root (sqrt x)}) xs)] (:root (first (filter #(> (:root %) 5) ys))))",
    "(let [ys (map inc xs)] (when (some? ys) (first ys)))",
    "(first (sequence (map inc) (take 1 xs)))",
    // Loops.
    "(count (for [t (range 10)] (take 5 (filter #(> % t) xs))))",
    "(first (for [x xs] (* x x)))",
    "(let [ys (for [x xs :when (odd? x)] (* x x))] (take 3 ys))",
    "(first (for [x xs y [1 2]] (* x y)))",
];

#[test]
fn a_prefix_costs_the_same_of_any_length() {
    for program in PREFIXES {
        let (few, many) = (fuel(program, 1_000), fuel(program, 100_000));
        assert!(many <= few + few / 8, "{program}: {few} for 1,000 elements, {many} for 100,000");
    }
}

#[test]
fn an_element_that_nobody_reads_has_no_error() {
    for (program, expected) in [
        ("(let [ys (map #(/ 10 %) [5 0])] (first ys))", "2"),
        ("(let [ys (map #(/ 10 %) [5 2 0])] [(first ys) (second ys)])", "[2 5]"),
        ("(let [ys (map #(/ 10 %) [5 0])] (second ys))", "Divide by zero"),
        ("(let [ys (map #(/ 10 %) [5 0])] [(first ys) (second ys)])", "Divide by zero"),
        ("(let [ys (filter odd? (map #(/ 30 %) [6 2 3 0 1]))] (take 2 ys))", "[5 15]"),
        ("(let [xs (map #(/ 30 %) [6 2 3 0 1]) ys (filter odd? xs)] [(first ys) (nth ys 1) (nth xs 2)])", "[5 15 10]"),
        ("(let [ys (map #(/ 30 %) [6 2 0 1])] (some #(when (> % 9) %) ys))", "15"),
        ("(defn f [xs] (map #(/ 30 %) xs)) (try (nth (f [1 2 0]) 1) (catch Exception e :caught))", "15"),
        ("(defn f [xs] (map #(/ 30 %) xs)) (try (nth (f [1 2 0]) 2) (catch Exception e :caught))", ":caught"),
        ("(let [ys (map #(/ 10 %) [5 0])] (count ys))", "Divide by zero"),
        ("(defn halves [xs] (map #(/ 10 %) xs)) (first (halves [5 0]))", "2"),
        ("(defn halves [xs] (map #(/ 10 %) xs)) (count (halves [5 0]))", "Divide by zero"),
        ("(try (let [ys (map #(/ 10 %) [5 0])] (second ys)) (catch Exception e :caught))", ":caught"),
        ("(declare later) (defn f [xs] (let [ys (map (fn [x] (later x)) xs)] (first ys))) (f [])", "nil"),
        ("(declare later) (defn f [xs] (let [ys (map (fn [x] (later x)) xs)] (first ys))) (f [1])", "later"),
        ("(let [ys (try (map #(/ 10 %) [5 0]) (catch Exception e [:caught]))] (first ys))", ":caught"),
    ] {
        let found = ending(program);
        assert!(found.contains(expected), "{program}: {found}");
    }
}

#[test]
fn functions_with_effects_run_for_every_element_in_order() {
    for program in [
        "(let [ys (map (fn [x] (println x) x) [1 2 3])] (first ys))",
        "(defn shown [x] (println x) x) (let [ys (map shown [1 2 3])] (first ys))",
        "(defn shown [x] (println x) x) (defn f [x] (shown x)) (let [ys (map f [1 2 3])] (first ys))",
        "(defn each [f xs] (map f xs)) (first (each (fn [x] (println x) x) [1 2 3]))",
        "(let [ys (map (fn [x] (println x) x) (map inc [0 1 2]))] (first ys))",
        "(let [a (atom 0) ys (map (fn [x] (swap! a inc) x) [1 2 3])] (first ys) (println 1) (println 2) (println @a))",
        "(let [ys (map (fn [g] (sort-by first (fn [a b] (println a) (compare a b)) g)) [[[1] [1]] [[2] [2]] [[3] [3]]])]
           (first ys))",
    ] {
        assert_eq!(run(program).prints, ["1", "2", "3"], "{program}");
    }
    // The value of an atom is that of the moment.
    let program = "(let [a (atom 1) ys (map (fn [x] (+ x @a)) [1 2])] (reset! a 10) (first ys))";
    assert_eq!(ending(program), "2");
}

#[test]
fn other_code_sees_a_vector() {
    for (program, expected) in [
        ("(let [ys (take-while #(< % 3) (map inc [0 1 2 3]))] [(vector? ys) (get ys 1) (ys 0)])", "[true 2 1]"),
        ("(defn f [xs] (map inc xs)) (let [ys (f [1 2])] [(first ys) (vector? ys) (conj ys 9)])", "[2 true [2 3 9]]"),
        (
            "(defn g [xs] (first xs)) (defn f [] (g (map inc [1 2]))) (defn g [xs] [(vector? xs) (xs 1)]) (f)",
            "[true 3]",
        ),
        ("(def all (map inc [1 2])) [(vector? all) (first all)]", "[true 2]"),
    ] {
        assert_eq!(ending(program), expected, "{program}");
    }
    // A definition that is made again after its caller.
    let mut session = Session::new(SessionOptions::default());
    for program in
        ["(defn g [xs] (first xs)) (defn f [] (g (map inc [1 2])))", "(defn g [xs] [(vector? xs) (xs 1) (count xs)])"]
    {
        session.run(program, &mut no_tools);
    }
    assert_eq!(session.run("(f)", &mut no_tools).value().map(ToString::to_string).as_deref(), Some("[true 3 2]"));
    assert_eq!(session.run("(f)", &mut no_tools).value().map(ToString::to_string).as_deref(), Some("[true 3 2]"));
}

/// A step of a chain, over `(range n)` or the results of other steps.
fn steps() -> impl Strategy<Value = Vec<&'static str>> {
    let step = prop::sample::select(vec![
        "map inc",
        "filter odd?",
        "remove (fn [x] (= 0 (mod x 3)))",
        "keep (fn [x] (when (< x 9) (* x x)))",
        "mapcat (fn [x] [x x])",
        "take-while (fn [x] (< x 40))",
        "drop 2",
        "map-indexed +",
        "drop-while odd?",
        "partition 2",
        "map vector",
        "distinct",
        "cons 7",
        "reductions conj []",
        "interpose 1",
        "take-nth 2",
    ]);
    prop::collection::vec(step, 0..5)
}

proptest! {
    /// What is read of a lazy sequence is what a vector would have had there, or the same error.
    #[test]
    fn a_lazy_sequence_has_the_elements_of_the_vector(
        steps in steps(), n in 0..12, read in prop::sample::select(vec!["first", "second", "take 3", "empty?", "some odd?", "rest"]),
    ) {
        let chain = |source: &str| {
            steps.iter().fold(source.to_owned(), |made, step| format!("({step} {made})"))
        };
        let source = format!("(range {n})");
        // What an atom holds is read whole.
        let made = run(&format!("(vec {})", chain(&source)));
        prop_assume!(made.value().is_some());
        let whole = ending(&format!("(let [ys @(atom (vec {}))] ({read} ys))", chain(&source)));
        for program in [
            format!("(let [ys {}] ({read} ys))", chain(&source)),
            format!("({read} {})", chain(&source)),
            format!("(defn f [xs] {}) ({read} (f {source}))", chain("xs")),
        ] {
            prop_assert_eq!(&ending(&program), &whole, "{}", program);
        }
    }
}

#[test]
fn what_a_function_returned_is_told_by_whole_values() {
    let label = |program: &str| {
        let mut session = Session::new(SessionOptions::default());
        session.run(program, &mut no_tools);
        session.memory().entries().first().and_then(|entry| entry.returns.clone())
    };
    assert_eq!(label("(defn f [] (map inc [1 2])) (count (f)) (first (f))").as_deref(), Some("list[2]"));
    assert_eq!(label("(defn f [] (map inc [1 2])) (first (f))").as_deref(), Some("list[...]"));
}
