//! Work that is refused memory is repeated after garbage was counted: it must not have used up what it works on.

use std::time::Duration;

use ptc_lisp::{Limits, Map, Reason, Session, SessionOptions, Value, no_tools};
use serde_json::json;

/// Work of all kinds over rows, most of it with garbage on the way.
const OVER_ROWS: &[&str] = &[
    "(sort-by :n data/rows)",
    "(sort-by :n > data/rows)",
    "(sort-by :n #(compare %2 %1) data/rows)",
    "(sort-by :text data/rows)",
    "(sort-by :mixed data/rows)",
    "(sort-by :row data/rows)",
    "(sort-by (juxt :k :n) data/rows)",
    "(sort-by #(- (:n %)) data/rows)",
    "(sort-by :n (map #(assoc % :twice (* 2 (:n %))) data/rows))",
    "(sort-by :n < (mapv #(update % :n inc) data/rows))",
    "(sort (map :n data/rows))",
    "(sort > (mapv :n data/rows))",
    "(update-vals (group-by :k data/rows) #(map :n (sort-by :n %)))",
    "(map (fn [[k v]] [k (count (sort-by :text v))]) (group-by :k data/rows))",
    "(frequencies (map :k data/rows))",
    "(into {} (map (juxt :n :text)) data/rows)",
    "(reduce (fn [acc r] (update acc (:k r) (fnil conj []) (:n r))) {} data/rows)",
    "(apply merge-with + (map (fn [r] {(:k r) (:n r)}) data/rows))",
    "(merge-with into {:a (mapv :n data/rows)} {:a (mapv :k data/rows)})",
    "(distinct (map :text data/rows))",
    "(partition-by :k (sort-by :k data/rows))",
    "(loop [rows data/rows acc []] (if (empty? rows) acc (recur (rest rows) (conj acc (:n (first rows))))))",
    "(str/join \",\" (sort (map :text data/rows)))",
    "(let [a (atom {})] (doseq [r data/rows] (swap! a update (:k r) (fnil + 0) (:n r))) @a)",
    "(pmap (fn [rows] (count (sort-by :n rows))) (partition-all 500 data/rows))",
    "(into (sorted-map) (map (juxt :n :k)) data/rows)",
    "(max-key :n {:n 1} (first (sort-by :n data/rows)))",
    "(mapcat (fn [r] [(:n r) (:k r)]) (sort-by :n data/rows))",
    "(vec (reverse (sort-by :text data/rows)))",
];

/// The value of a program under this limit of memory, or why there is none.
fn under_memory(rows: &Map, program: &str, memory: u64) -> Result<String, Reason> {
    let limits = Limits { memory, fuel: 1 << 40, time: Duration::from_secs(3_600), ..Limits::default() };
    let mut session = Session::new(SessionOptions { data: rows.clone(), limits, ..SessionOptions::default() });
    let outcome = session.run(&format!("(hash (doall {program}))"), &mut no_tools);
    match outcome.value() {
        Some(value) => Ok(value.to_string()),
        None => Err(outcome.problems().first().map_or(Reason::InternalError, |problem| problem.reason)),
    }
}

/// What is refused memory is repeated after garbage was counted, or fails; it never works on what is left.
#[test]
fn a_limit_of_memory_ends_a_program_or_changes_nothing() {
    let row = |n: u64| {
        let mixed = if n.is_multiple_of(2) { json!(n) } else { json!(n as f64 / 2.0) };
        let key = n * 7_919 % 2_003;
        json!({"n": key, "k": n % 7, "text": format!("row {key}"), "mixed": mixed, "row": [n % 5, key]})
    };
    let rows: Vec<serde_json::Value> = (0..2_000).map(row).collect();
    let rows = Value::from_json(json!({ "rows": rows }));
    let rows = rows.as_map().unwrap();
    let (mut wrong, mut failed) = (Vec::new(), 0);
    for program in OVER_ROWS {
        let whole = under_memory(rows, program, 1 << 40).unwrap();
        let mut memory = 20_000;
        while memory < 4_000_000 {
            match under_memory(rows, program, memory) {
                Ok(value) if value == whole => {}
                Err(Reason::MemoryExceeded) => failed += 1,
                other => wrong.push(format!("{program} with {memory} bytes: {other:?}")),
            }
            memory = memory * 10 / 9;
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(failed > OVER_ROWS.len(), "the limits are too wide: {failed}");
}
