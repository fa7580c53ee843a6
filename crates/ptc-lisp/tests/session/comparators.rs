//! Functions of the program that order.

use super::*;

#[test]
fn a_comparator_calls_no_tools() {
    assert_snapshot!(check_calls("(sort (fn [a b] (< (tool/double {:n a}) b)) [2 1])"), @"! argument_error sort: the comparator may not call tools; compute keys with tool/double first, then sort by them at line 1, column 20");
}

#[test]
fn a_sorted_collection_keeps_its_comparator_from_turn_to_turn() {
    assert_snapshot!(check(&[
        "(def step 10) (defn near [a b] (compare (quot a step) (quot b step))) (def seen (sorted-map-by near 25 :b 3 :a))",
        "[(get seen 29) (:k {:k seen}) (assoc seen 40 :c) (subseq seen > 9)]",
        "*1",
        "(def step 100) (assoc seen 99 :one)",
        "(def step 0) (assoc seen 1 :x)",
        "[step (assoc seen 199 :d)]",
        "(pmap (fn [n] (assoc seen n :p)) [5 250])",
    ]), @r"
    #'seen
    [:b {3 :a 25 :b} {3 :a 25 :b 40 :c} [[25 :b]]]
    [:b {3 :a 25 :b} {3 :a 25 :b 40 :c} [[25 :b]]]
    {3 :one 25 :b}
    ! arithmetic_error Divide by zero at line 1, column 14 (in near)
    [100 {3 :a 25 :b 199 :d}]
    [{3 :p 25 :b} {3 :a 25 :b 250 :p}]
    ");
}

#[test]
fn a_comparator_runs_to_its_end_in_any_slice() {
    let mut session = session();
    let program = "(def log (atom [])) (def s (into (sorted-set-by (fn [a b] (swap! log conj a) (println a b) (> a b))) [1 3 2])) [s (s 3) @log]";
    let whole = shown(&session.run(program, &mut host));
    for slice in [1, 7] {
        assert_eq!(shown(&session.run_sliced(program, Some(slice), &mut host)), whole);
    }
    assert_snapshot!(whole, @r"
    > 3 1
    > 2 3
    > 3 2
    > 2 1
    > 3 3
    > 3 3
    [#{3 2 1} 3 [3 2 3 2 3 3]]
    ");
    assert_eq!(
        session.memory().get("s").map(|entry| entry.value.to_json().unwrap().to_string()).as_deref(),
        Some("[3,2,1]")
    );
}

#[test]
fn comparators_of_sorted_collections_call_no_tools() {
    assert_snapshot!(check_calls("(sorted-set-by (fn [a b] (< (tool/double {:n a}) b)) 2 1)"), @"! argument_error the comparator of a sorted collection may not call tools; compute keys with tool/double first, then order by them at line 1, column 29");
    assert_snapshot!(check_calls("(def by (atom compare)) (def s (sorted-set-by (fn [a b] (@by a b)) 1)) (reset! by tool/double) (try (conj s 2) (catch Exception e (ex-message e)))"), @r#""the comparator of a sorted collection may not call tools; compute keys with tool/double first, then order by them""#);
    assert_snapshot!(check_calls("(into (sorted-map) (map (fn [n] [n (tool/double {:n n})])) [2 1])"), @r"
    {1 2 2 4}
    double {:n 2} -> 4
    double {:n 1} -> 2
    ");
}
