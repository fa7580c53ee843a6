//! Sequences that the machine computes element by element equal those of `lazy-seq`.

use proptest::prelude::*;

use crate::error::Reason;
use crate::limits::Limits;
use crate::session::host::ToolError;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, format};

/// The same by `lazy-seq` and `cons`.
const MODEL: &str = "
    (defn it [f x] (lazy-seq (cons x (lazy-seq (it f (f x))))))
    (defn around [v i] (lazy-seq (cons (nth v i) (around v (mod (inc i) (count v))))))
    (defn over [keep i f & ss]
      (lazy-seq
        (loop [i i ss ss]
          (if (every? seq ss)
            (let [xs (map first ss) made (keep (apply f (concat (if i [i] []) xs)) (last xs))
                  i (if i (inc i) i) following (map rest ss)]
              (cond (= made :end) nil
                    (= made :skip) (recur i following)
                    :else (cons (first made) (apply over keep i f following))))
            nil))))
    (def both (fn [y _] [y]))
    (def passing (fn [y x] (if y [x] :skip)))
    (def failing (fn [y x] (if y :skip [x])))
    (def some-of (fn [y _] (if (nil? y) :skip [y])))
    (def until (fn [y x] (if y [x] :end)))";

/// An endless sequence, and its model.
const ENDLESS: &[(&str, &str)] = &[
    ("(range)", "(it inc 0)"),
    ("(repeat 3)", "(it identity 3)"),
    ("(cycle [1 2 3])", "(around [1 2 3] 0)"),
    ("(cycle (rest (cycle [1 2 3])))", "(around [2 3 1] 0)"),
    ("(drop 4 (cycle [1 2 3]))", "(drop 4 (around [1 2 3] 0))"),
    ("(iterate F 1)", "(it F 1)"),
    ("(iterate inc 1)", "(it inc 1)"),
    ("(rest (iterate F 2))", "(rest (it F 2))"),
    ("(cons 9 (range))", "(cons 9 (it inc 0))"),
    ("(concat [5 6] (iterate F 0))", "(concat [5 6] (it F 0))"),
];

/// A sequence derived from another one at S, and its model.
const PASSES: &[(&str, &str)] = &[
    ("(map F S)", "(over both nil F S)"),
    ("(map inc S)", "(over both nil inc S)"),
    ("(map F S (lazy-seq [4 5 6 7]))", "(over both nil F S [4 5 6 7])"),
    ("(map F S (iterate F 2))", "(over both nil F S (it F 2))"),
    ("(filter P S)", "(over passing nil P S)"),
    ("(filter odd? S)", "(over passing nil odd? S)"),
    ("(remove P S)", "(over failing nil P S)"),
    ("(keep K S)", "(over some-of nil K S)"),
    ("(keep-indexed (fn [i x] (if (odd? i) (F x))) S)", "(over some-of 0 (fn [i x] (if (odd? i) (F x))) S)"),
    ("(map-indexed F S)", "(over both 0 F S)"),
    ("(take-while P S)", "(over until nil P S)"),
    ("(for [x S :when (P x) :while (< x 50)] (F x))", "(for [x S :when (P x) :while (< x 50)] (F x))"),
    ("(drop-while P S)", "((fn behind [s] (lazy-seq (if (and (seq s) (P (first s))) (behind (rest s)) s))) S)"),
    (
        "(reductions (fn [n x] (if (> x 40) (reduced :last) (F x))) 0 S)",
        "(lazy-seq ((fn go [n s] (cons n (lazy-seq (if (or (= n :last) (empty? s)) nil (let [x (first s)] (go (if (> x 40) :last (F x)) (rest s))))))) 0 S))",
    ),
    ("S", "S"),
];

/// Uses of a sequence.
const USES: &[&str] = &[
    "(take 5 s)",
    "(first s)",
    "(nth s 3 :none)",
    "[(take 2 s) (take 4 s) (realized? s)]",
    "(loop [s s n 0 sum 0] (if (and (seq s) (< n 4)) (recur (rest s) (inc n) (+ sum (first s))) sum))",
    "[(try (take 6 s) (catch Exception _ :caught)) (try (take 3 s) (catch Exception _ :again)) (try (take 6 s) (catch Exception _ :last))]",
    "(reduce (fn [n x] (if (> n 20) (reduced n) (+ n x 1))) 0 (take 9 s))",
    "(take 3 (map vector s (drop 2 s)))",
    "(reduce + (take 9 s))",
    "[(some (fn [x] (if (= x 4) [x])) (take 40 s)) (every? (fn [x] (not= x 5)) (take 40 s)) (not-any? #{6} (take 40 s)) (not-every? int? (take 3 s))]",
];

/// Functions that say when they are called; some fail, and one only at first.
const FUNCTIONS: &[&str] = &[
    "(let [F (fn ([x] (println \"F\" x) (+ x 2)) ([x y] (println \"F\" x y) (+ x y)))
           P (fn [x] (println \"P\" x) (not= 1 (mod x 3))) K (fn [x] (println \"K\" x) (if (odd? x) x))]",
    "(let [F (fn [& xs] (if (> (last xs) 3) (throw (ex-info \"too large\" {})) (apply + 1 xs))) P (fn [x] (F x)) K F]",
    "(let [calls (atom 0) count-up (fn [] (if (= 3 (swap! calls inc)) (throw (ex-info \"the third\" {}))))
           F (fn [& xs] (count-up) (apply + 2 xs)) P (fn [x] (count-up) (even? x)) K (fn [x] (count-up) (if (even? x) x))]",
];

/// Endless sequences, and a sufficient part of each.
const CUT: &[(&str, &str)] = &[
    ("(range)", "(range 50)"),
    ("(drop 2 (range))", "(range 2 50)"),
    ("(repeat :x)", "(repeat 50 :x)"),
    ("(rest (cycle [1 2 3]))", "(rest (take 50 (cycle [1 2 3])))"),
    ("s", "(drop 3 (take 50 (cycle [:a :b])))"),
];

/// Calls with such a sequence at E.
const BESIDE: &[&str] = &[
    "(map vector E xs)",
    "(map (fn [x y] [y x]) xs E)",
    "(mapv list E xs)",
    "(zipmap E xs)",
    "(zipmap xs E)",
    "(interleave E xs)",
    "(interleave xs E [1 2])",
    "(map str E E xs)",
    "(mapcat vector xs E)",
    "(zip E xs)",
];

const COLLECTIONS: &[&str] =
    &["[]", "nil", "[7 8 9 10]", "\"abc\"", "{:a 1 :b 2}", "#{5}", "(map inc [1 2])", "(sorted-set 3 1 2)"];

fn shown(program: &str, slice: Option<u64>) -> String {
    shown_within(&Limits::default(), program, slice)
}

fn shown_within(limits: &Limits, program: &str, slice: Option<u64>) -> String {
    let mut session = Session::new(SessionOptions { limits: limits.clone(), ..SessionOptions::default() });
    let outcome = session.run_sliced(program, slice, &mut |_| Err(ToolError::new("no tools")));
    if outcome.problems().iter().any(|problem| problem.reason == Reason::FuelExceeded) {
        return "a limit".to_owned();
    }
    let value = match &outcome.ending {
        Ending::Value(value) => format(value, &FormatOptions::full()).text,
        _ => outcome.problems().iter().map(|problem| problem.message.clone()).collect(),
    };
    format!("{}\n{value}", outcome.prints.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_made_sequence_is_that_of_cons(
        endless in prop::sample::select(ENDLESS),
        passes in prop::collection::vec(prop::sample::select(PASSES), 0..3),
        asked in prop::sample::select(USES),
        functions in prop::sample::select(FUNCTIONS),
    ) {
        let text = |pick: fn(&(&'static str, &'static str)) -> &'static str| {
            let s = passes.iter().fold(pick(&endless).to_owned(), |s, pass| pick(pass).replace('S', &s));
            format!("{MODEL} {functions} (let [s {s}] {asked}))")
        };
        let (made, model) = (text(|pair| pair.0), text(|pair| pair.1));
        let few = Limits { fuel: 100_000, ..Limits::default() };
        let expected = shown_within(&few, &model, None);
        // Where nothing passes a test, the search is endless.
        prop_assume!(expected != "a limit");
        for slice in [None, Some(1), Some(7)] {
            prop_assert_eq!(&shown(&made, slice), &expected, "{}", made);
        }
    }

    #[test]
    fn what_has_no_end_goes_as_far_as_what_has(
        endless in prop::sample::select(CUT),
        call in prop::sample::select(BESIDE),
        xs in prop::sample::select(COLLECTIONS),
    ) {
        let text = |with: &str| {
            let call = call.replace('E', with);
            shown(&format!("(let [c (cycle [:a :b]) _ (take 5 c) s (drop 3 c) xs {xs}] {call})"), None)
        };
        prop_assert_eq!(text(endless.0), text(endless.1), "{} {} {}", call, endless.0, xs);
    }
}

#[test]
fn sequences_may_read_themselves_behind() {
    let fibs = "(do (def fibs (lazy-seq (cons 0 (cons 1 (lazy-seq (map + fibs (rest fibs))))))) (take 10 fibs))";
    assert_eq!(shown(fibs, None), "\n[0 1 1 2 3 5 8 13 21 34]");
    let primes = "(do (def primes (cons 2 (lazy-seq (filter (fn [n] (not-any? #(zero? (mod n %)) (take-while #(<= (* % %) n) primes))) \
                  (iterate inc 3))))) (take 8 primes))";
    assert_eq!(shown(primes, None), "\n[2 3 5 7 11 13 17 19]");
    let ahead = "(do (def s (lazy-seq (map inc (rest s)))) (take 2 s))";
    assert!(shown(ahead, None).contains("a sequence that depends on itself"), "{}", shown(ahead, None));
    let itself = "(do (def s (iterate (fn [x] (nth s (inc x))) 0)) (nth s 3))";
    assert!(shown(itself, None).contains("a sequence that depends on itself"), "{}", shown(itself, None));
}

#[test]
fn branches_wait_for_each_other() {
    let program = "(let [s (map inc (iterate #(* 2 %) 1))] (pmap (fn [n] (nth s n)) [5 3 9 1]))";
    for slice in [None, Some(1), Some(7)] {
        assert_eq!(shown(program, slice), "\n[33 9 513 3]");
    }
}

#[test]
fn what_has_no_end_ends_in_a_limit() {
    for endless in [
        "(range)",
        "(repeat 1)",
        "(cycle [1 2])",
        "(iterate inc 0)",
        "(map inc (range))",
        "(filter (fn [_] true) (range))",
    ] {
        let shown = shown(&format!("(count {endless})"), None);
        assert!(
            shown.contains("all of a lazy sequence was asked for; if it has no end, write (take n coll)"),
            "{endless}: {shown}"
        );
    }
    // Nothing is kept of a sequence that is not referenced.
    assert_eq!(shown("(loop [i 0] (if (< i 300) (do (nth (range) 20000) (recur (inc i))) i))", None), "\n300");
}

#[test]
fn an_unrealised_sequence_elsewhere_changes_no_answer() {
    let program = "(let [held (iterate inc 1) rows [{:k [1] :n 1} {:k (lazy-seq [1]) :n 2} {:k (map inc (lazy-seq [0])) :n 3}]]
        [(first held) (map :n rows) (count (group-by :k rows)) (= (:k (rows 0)) (:k (rows 1))) (frequencies (map :k rows))
         (reduce (fn [m r] (update m (:k r) (fnil + 0) (:n r))) {} rows) (map count (map :k rows)) (map str (map :k rows))
         (map first [[1] (iterate inc 5)]) (get {[1] :found} (:k (rows 2))) (filter empty? [(lazy-seq nil) (lazy-seq [1])])])";
    let expected = "\n[1 [1 2 3] 1 true {[1] 3} {[1] 6} [1 1 1] [\"[1]\" \"[1]\" \"[1]\"] [1 5] :found [[]]]";
    for slice in [None, Some(1)] {
        assert_eq!(shown(program, slice), expected);
    }
}

#[test]
fn transducers_over_sequences_go_as_far_as_they_are_asked() {
    let say = "(fn [x] (println x) x)";
    for (program, expected) in [
        (format!("(take 2 (sequence (comp (map {say}) (filter odd?)) (iterate inc 0)))"), "0\n1\n2\n3\n[1 3]"),
        (format!("(first (eduction (mapcat (fn [x] [x ({say} (- x))])) [1 2 3]))"), "-1\n1"),
        ("(vec (eduction (partition-all 2) [1 2 3]))".to_owned(), "\n[[1 2] [3]]"),
        ("(vec (eduction (take 2) (map inc) (iterate inc 0)))".to_owned(), "\n[1 2]"),
        ("(take 3 (sequence (map +) (range) [10 20]))".to_owned(), "\n[10 21]"),
        ("(vec (eduction (filter neg?) [1 2]))".to_owned(), "\n[]"),
        (
            "(let [n (atom 0) s (eduction (map (fn [x] (if (= 2 (swap! n inc)) (throw (ex-info \"once\" {})) x))) [1 2 3])]
               [(try (vec s) (catch Exception _ :caught)) (vec s)])"
                .to_owned(),
            "\n[:caught [1 2 3]]",
        ),
    ] {
        for slice in [None, Some(1)] {
            assert_eq!(shown(&program, slice), expected, "{program}");
        }
    }
}

/// The fuel of the second half of the elements.
fn fuel_of_half(program: &str) -> u64 {
    let fuel = |count: usize| {
        let mut session = Session::new(SessionOptions::default());
        let outcome = session.run(&program.replace("N", &count.to_string()), &mut |_| Err(ToolError::new("no tools")));
        assert!(outcome.value().is_some(), "{program}: {:?}", outcome.problems());
        outcome.usage.fuel
    };
    fuel(4_000) - fuel(2_000)
}

#[test]
fn a_sequence_is_read_by_all_that_is_ready_of_it() {
    // For each element: to make it, to ask whether it belongs to the others, to call, and to look at what came.
    for program in [
        "(let [ys (map inc (vec (range N)))] (some neg? ys))",
        "(let [ys (map inc (vec (range N)))] (every? pos? ys))",
        "(let [ys (map inc (vec (range N)))] (not-any? neg? ys))",
        "(let [ys (map inc (vec (range N)))] (not-every? pos? ys))",
        "(reduce + (take N (iterate inc 2)))",
        "(reduce + (take-while (fn [x] (< x N)) (iterate inc 2)))",
    ] {
        let fuel = fuel_of_half(program);
        assert!(fuel < 5 * 2_000, "{program}: {fuel}");
    }
}

#[test]
fn only_what_is_read_of_reductions_is_computed() {
    let program = "(let [ys (map inc (vec (range N)))] (first (filter (fn [x] (> x 100)) (reductions + ys))))";
    assert!(fuel_of_half(program) < 2 * 2_000 + 500, "{}", fuel_of_half(program));
    assert_eq!(shown("(let [ys (reductions + (vec (range 100)))] (take 4 ys))", None), "\n[0 1 3 6]");
    assert_eq!(shown("(take 3 (reductions (fn [_ x] (reduced x)) 0 (range)))", None), "\n[0 0]");
    assert_eq!(shown("[(reductions + []) (reductions + [5]) (reductions + 1 nil)]", None), "\n[[0] [5] [1]]");
}
