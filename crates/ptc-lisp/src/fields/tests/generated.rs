//! Random pipelines over random records: no finding is about a key that some record in its place has.

use proptest::prelude::*;

use super::super::SAMPLE;
use super::found_in;
use crate::session::host::no_tools;
use crate::session::{Session, SessionOptions};
use crate::value::Value;

const KEYS: [&str; 5] = ["aa", "bb", "cc", "dd", "ee"];

fn record() -> impl Strategy<Value = String> {
    let field =
        (0..4_usize, prop_oneof![Just("1"), Just("2"), Just("null"), Just(r#"{"aa": 1}"#), Just(r#"[{"bb": 2}]"#)]);
    prop::collection::vec(field, 0..4).prop_map(|fields| {
        let fields: std::collections::BTreeMap<_, _> =
            fields.into_iter().map(|(at, value)| (KEYS[at], value)).collect();
        let fields: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{{}}}", fields.join(", "))
    })
}

/// A step of a pipeline; `K` is a key.
fn step() -> impl Strategy<Value = String> {
    let steps = prop_oneof![
        Just("(filter :K)"),
        Just("(remove :K)"),
        Just("(map #(assoc % :K 1))"),
        Just("(map #(dissoc % :K))"),
        Just("(map #(select-keys % [:K :bb]))"),
        Just("(map #(merge % {:K (:aa %)}))"),
        Just("(map #(update % :K (fnil identity 0)))"),
        Just("(map #(set/rename-keys % {:K :ee}))"),
        Just("(map (fn [r] {:K (:bb r) :aa r}))"),
        Just("(map (fn [r] (if (:K r) r {:ee (:aa r)})))"),
        Just("(mapcat (fn [r] [r {:K 1}]))"),
        Just("(keep #(when (map? (:K %)) (:K %)))"),
        Just("(map #(if (map? %) (into % [[:K 2]]) %))"),
        Just("(map (fn [r] (or (:K r) r)))"),
        Just("(filter map?)"),
        Just("(take 2)"),
        Just("(reverse)"),
        Just("(concat data/rows)"),
        Just("(group-by :K) (vals) (apply concat)"),
        Just("(reduce (fn [acc r] (conj acc (assoc r :K (count acc)))) [])"),
        Just("(map-indexed (fn [i r] (assoc r :K i)))"),
        Just("(sort-by #(str (:K % 0)))"),
    ];
    (steps, 0..KEYS.len()).prop_map(|(step, at)| step.replace('K', KEYS[at]))
}

proptest! {
    #[test]
    fn no_finding_is_about_a_key_that_is_there(
        records in prop::collection::vec(record(), 0..5),
        steps in prop::collection::vec(step(), 0..5),
        key in 0..KEYS.len(),
    ) {
        let key = KEYS[key];
        let mut session = session_over(&records);
        let pipeline = format!("(->> data/rows {})", steps.join(" "));
        // The last lookup is alone in its line.
        let found = found_in(&session, &format!("(let [rows {pipeline}]\n(pr-str (mapv :{key} rows)))"));
        let is_found = found.split(" | ").any(|one| one.ends_with("line 2, column 15") && one.contains("has"));
        let outcome = session.run(&format!("(boolean (some #(contains? % :{key}) (filter map? {pipeline})))"), &mut no_tools);
        // Pipelines that go wrong when they run, or that are refused, say nothing.
        if let Some(Value::Bool(is_there)) = outcome.value() {
            prop_assert!(!(is_found && *is_there), "{pipeline} has :{key}\n{found}");
        }
    }
}

fn session_over(records: &[String]) -> Session {
    let Ok(Value::Map(data)) = Value::from_json_str(&format!("{{\"rows\": [{}]}}", records.join(", "))) else {
        panic!("a map")
    };
    Session::new(SessionOptions { data, ..SessionOptions::default() })
}

/// The last lookups of a program; `K` is a key.
fn last() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("(pr-str (mapv :K rows))"),
        Just("(reduce + (map (comp count :K) rows))"),
        Just("(mapv (comp :bb first :K) rows)"),
        Just("(mapv #(+ 1 (get-in % [:aa :K])) rows)"),
        Just("(for [{:keys [K] :as r} rows, x (:bb r)] [K (:K x)])"),
        Just("(doseq [r rows] (when (contains? r :K) (println (:aaa r))))"),
    ]
}

proptest! {
    #[test]
    fn elements_after_many_others_are_looked_at_where_they_matter(
        first in record(),
        others in prop::collection::vec(record(), 0..4),
        steps in prop::collection::vec(step(), 0..4),
        last in last(),
        key in 0..KEYS.len(),
    ) {
        let last = last.replace('K', KEYS[key]);
        let program = format!("(let [rows (->> data/rows {})]\n{last})", steps.join(" "));
        let records = |count| [vec![first.clone(); count], others.clone()].concat();
        let (many, few) = (session_over(&records(SAMPLE)), session_over(&records(2)));
        prop_assert_eq!(found_in(&many, &program), found_in(&few, &program), "{}", program);
    }
}
