use serde_json::json;

use crate::stdlib::Purity;
use crate::stdlib::table::{Entry, table};
use crate::testing::is_tried;
use crate::{Session, SessionOptions, Value};

fn run(source: &str) -> String {
    let data = Value::from_json(json!({"xs": [1, 2, 3, 4, 5], "s": "abc"})).as_map().cloned().unwrap();
    let outcome =
        Session::new(SessionOptions { data, ..SessionOptions::default() }).run(source, &mut |_| Ok(Value::Nil));
    match outcome.value() {
        Some(value) => crate::value::format(value, &crate::value::FormatOptions::full()).text,
        None => format!("{:?}", outcome.problems()),
    }
}

#[test]
fn arguments_of_recur_read_what_the_round_began_with() {
    let programs = [
        ("(loop [a 1 b 2 n 0] (if (< n 5) (recur b a (inc n)) [a b]))", "[2 1]"),
        ("(loop [a 1 b 1 n 0] (if (< n 5) (recur (+ a b) a (inc n)) [a b]))", "[13 8]"),
        ("(loop [xs data/xs sum 0] (if (seq xs) (recur (rest xs) (+ sum (first xs))) sum))", "15"),
        (
            "(loop [xs data/xs ys [] n 0] (if (seq xs) (recur (next xs) (conj ys (first xs) (count xs)) (+ n (count ys))) [ys n]))",
            "[[1 5 2 4 3 3 4 2 5 1] 20]",
        ),
        ("(loop [x nil n 0] (if (< n 4) (recur (or (seq (take n data/xs)) x) (inc n)) x))", "[1 2 3]"),
        ("(loop [x true y 1 n 0] (if (< n 4) (recur (and x (< y 3) x) (inc y) (inc n)) [x y]))", "[false 5]"),
        (
            "(loop [x [1] n 0] (if (< n 3) (recur (if (odd? n) (or (first []) x) (conj x (count x))) (inc n)) x))",
            "[1 1 2]",
        ),
        (
            "(let [a #{1} b #{2}] [(= a (set/union (set/intersection a b) (set/difference a b))) (- (count a) (count (conj a 3)))])",
            "[true -1]",
        ),
        ("(let [n 5 m {5 :a}] [(get m (inc (count m)) n) (< n (+ n (* n 2))) (get m n)])", "[5 true :a]"),
        (
            "(loop [m {:n 0} n 0] (if (< n 3) (recur (let [k (:n m)] (assoc m :n (inc k) n k)) (inc n)) m))",
            "{:n 3 0 0 1 1 2 2}",
        ),
    ];
    for (program, wanted) in programs {
        assert_eq!(run(program), wanted, "{program}");
    }
}

#[test]
fn effects_of_arguments_stay_in_order() {
    assert_eq!(
        run("(with-out-str (loop [n 0 a nil b nil] (when (< n 2) (recur (inc n) (println :a n) (println :b n)))))"),
        "\":a 0\\n:b 0\\n:a 1\\n:b 1\\n\""
    );
    assert_eq!(run("(let [a (atom 0) x @a] [x (vector (swap! a inc) x @a (swap! a inc) @a)])"), "[0 [1 0 1 2 2]]");
}

#[test]
fn a_value_that_is_also_read_elsewhere_is_not_changed() {
    assert_eq!(run("(let [v (vec data/xs) f (fn [v w] [v w])] (f v (conj v 6)))"), "[[1 2 3 4 5] [1 2 3 4 5 6]]");
    assert_eq!(run("(let [v (vec data/xs)] [(conj v (count v)) v])"), "[[1 2 3 4 5 5] [1 2 3 4 5]]");
    assert_eq!(run("(reduce (fn [m x] (assoc m x (count m) :last m)) {} [1 2])"), "{1 0 :last {1 0 :last {}} 2 2}");
}

/// A call whose arguments change a local in place and read it, in any order: the local has the value that it had.
#[test]
fn what_one_argument_changes_the_other_reads_unchanged() {
    // What changes a local, and an equal value that is made without a change.
    let locals = [
        (
            "(vec (range 3))",
            [
                ("(conj s 4)", "(mapv identity (concat s [4]))"),
                ("(into s [5])", "(vec (concat s [5]))"),
                ("(rest s)", "(mapv identity (drop 1 s))"),
            ],
        ),
        (
            "(set (range 3))",
            [
                ("(conj s 4)", "(set (concat s [4]))"),
                ("(disj s 1)", "(set (remove #{1} s))"),
                ("(difference s #{0})", "(count s)"),
            ],
        ),
        (
            "(zipmap [:a :b] [1 2])",
            [
                ("(assoc s :c 3)", "(into {} (conj (vec s) [:c 3]))"),
                ("(dissoc s :a)", "(into {} (remove (fn [[k _]] (= k :a)) s))"),
                ("(update s :a inc)", "(:a s)"),
            ],
        ),
    ];
    let mut compared = 0;
    let rows = table().iter().filter(|(_, entry)| entry.accepts(2) && entry.row.purity == Purity::Pure);
    // A comparison is where the law was broken once.
    let is_tried = |(at, (_, entry)): &(usize, (_, &Entry))| is_tried(*at) || entry.row.name == "=";
    for (_, (_, entry)) in rows.enumerate().filter(is_tried) {
        let name = entry.row.name;
        if name.starts_with('%') {
            continue;
        }
        for (init, changes) in &locals {
            for (change, read) in changes {
                for call in [format!("({name} {change} {read})"), format!("({name} {read} {change})")] {
                    let kept =
                        run(&format!("(let [s {init} value {call} test (if {call} 1 2)] [value test (count s)])"));
                    if kept.contains("Problem {") {
                        continue;
                    }
                    let value = run(&format!("(let [s {init}] {call})"));
                    let test = run(&format!("(let [s {init}] (if {call} 1 2))"));
                    let size = run(&format!("(count {init})"));
                    assert_eq!(format!("[{value} {test} {size}]"), kept, "{call} with s {init}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn a_let_that_only_names_a_choice_does_not_write_over_what_it_reads() {
    for (program, value) in [
        ("(loop [acc 10 n 0] (if (< n 3) (recur (let [x (and true acc)] x) (inc n)) acc))", "10"),
        ("(loop [acc {:v 10} n 0] (if (< n 3) (recur (let [x (or (:nope acc) acc)] x) (inc n)) acc))", "{:v 10}"),
        ("((fn [acc n] (if (< n 3) (recur (let [y 1 x (or (:nope acc) acc)] x) (inc n)) acc)) {:v 1} 0)", "{:v 1}"),
    ] {
        assert_eq!(run(program), value, "{program}");
    }
}
