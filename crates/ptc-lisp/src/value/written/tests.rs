use proptest::prelude::*;

use super::*;
use crate::value::tests::any_value;
use crate::{Import, Session, SessionOptions};

/// Levels of the value, of 100.
fn levels(program: &str) -> usize {
    let Value::Map(data) = Import::uncounted().value(serde_json::json!({ "rows": vec!["a row"; 5_000] })) else {
        unreachable!("an object")
    };
    let outcome =
        Session::new(SessionOptions { data, ..SessionOptions::default() }).run(program, &mut |_| unreachable!());
    writable_levels(outcome.value().expect("a value"), 100)
}

#[test]
fn what_repeats_its_parts_is_not_written_whole() {
    for program in [
        "(loop [v [1] n 0] (if (< n 70) (recur [v v] (inc n)) v))",
        "(loop [v {:a 1} n 0] (if (< n 70) (recur {:a v :b v} (inc n)) v))",
        "(loop [v (sorted-map :a 1) n 0] (if (< n 70) (recur {:a v :b [v]} (inc n)) v))",
        "(loop [v [1] n 0] (if (< n 70) (recur [(ex-info \"x\" {:a v :b [v v]})] (inc n)) v))",
        "(let [text (apply str (repeat 100000 \"ab\"))] (vec (repeat 1000 text)))",
        "(loop [v [data/rows] n 0] (if (< n 70) (recur [v v] (inc n)) v))",
        "(vec (reductions conj [] (range 10000)))",
    ] {
        assert!((0..30).contains(&levels(program)), "{program}: {}", levels(program));
    }
}

#[test]
fn what_programs_usually_leave_is_written_whole() {
    for program in [
        "nil",
        "[]",
        "#{[]}",
        "(range 10000)",
        "(mapv (fn [n] {:id n :name (str \"row \" n)}) (range 5000))",
        "(let [rows (mapv (fn [n] {:id n :kind (mod n 7)}) (range 500))] {:rows rows :by-kind (group-by :kind rows) :top (take 9 rows)})",
        "(vec (repeat 1000 :same))",
        "(let [row {:a 1 :b \"text\"}] [row row row row])",
        "data/rows",
        "{:first data/rows :again [data/rows data/rows]}",
        "(mapv str data/rows)",
    ] {
        assert_eq!(levels(program), 100, "{program}");
    }
}

proptest! {
    #[test]
    fn a_tree_is_written_whole(value in any_value()) {
        prop_assert_eq!(writable_levels(&value, 100), 100);
    }
}

#[test]
fn what_has_no_end_is_known_to_be_too_long_before_it_is_written() {
    let session = || Session::new(SessionOptions::default());
    let endless = session().run("(nth (iterate (fn [v] {:a v :b v}) 1) 60)", &mut |_| unreachable!());
    assert!(is_surely_longer(endless.value().expect("a value"), 1 << 20));
}

proptest! {
    #[test]
    fn nothing_that_fits_is_taken_for_too_long(value in any_value()) {
        if let Ok(text) = crate::values::to_tagged(&value, &crate::values::NoCells) {
            prop_assert!(!is_surely_longer(&value, text.get().len() as u64));
        }
    }
}
