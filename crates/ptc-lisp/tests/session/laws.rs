//! Laws of the language, for random inputs: each law is a program that must answer true.

use std::time::Duration;

use proptest::prelude::*;
use ptc_lisp::values::{NoCells, to_tagged};
use ptc_lisp::{Import, Limits, Outcome, Reason, Session, SessionOptions, Value};
use serde_json::json;

use super::text;

/// Over `data/xs` and `data/ys` (integers, some of them equal), `data/n`, and `data/words`.
const LAWS: &[&str] = &[
    // sort
    "(= (frequencies (sort data/xs)) (frequencies data/xs))",
    "(or (empty? data/xs) (apply <= (sort data/xs)))",
    "(= (sort > data/xs) (reverse (sort data/xs)))",
    "(= (sort data/xs) (sort (shuffle data/xs)))",
    "(= (sort-by - data/xs) (sort > data/xs))",
    "(= (map second (sort-by first (map-indexed (fn [i x] [(mod x 3) i]) data/xs))) (mapcat (fn [r] (keep-indexed (fn [i x] (when (= r (mod x 3)) i)) data/xs)) [0 1 2]))",
    "(= (seq (into (sorted-set) data/xs)) (seq (sort (distinct data/xs))))",
    "(= (keys (into (sorted-map) (zipmap data/words (range)))) (seq (sort (distinct data/words))))",
    // group
    "(= (frequencies (mapcat val (group-by odd? data/xs))) (frequencies data/xs))",
    "(every? (fn [[k group]] (every? #(= k (mod % 3)) group)) (group-by #(mod % 3) data/xs))",
    "(= (update-vals (group-by identity data/xs) count) (frequencies data/xs))",
    "(= data/xs (apply concat (partition-by even? data/xs)))",
    "(= data/xs (vec (apply concat (partition-all data/n data/xs))))",
    "(let [[a b] (split-at data/n data/xs)] (= data/xs (vec (concat a b))))",
    "(let [[a b] (split-with even? data/xs)] (and (every? even? a) (= data/xs (vec (concat a b)))))",
    // set
    "(let [a (set data/xs) b (set data/ys)] (= (set/union a b) (set/union b a)))",
    "(let [a (set data/xs) b (set data/ys)] (= a (set/union (set/intersection a b) (set/difference a b))))",
    "(let [a (set data/xs) b (set data/ys)] (and (set/subset? (set/intersection a b) a) (set/superset? (set/union a b) b)))",
    "(= (count (set data/xs)) (count (distinct data/xs)) (count (frequencies data/xs)))",
    "(= (set data/xs) (reduce conj #{} (reverse data/xs)))",
    "(let [m (zipmap data/words (range))] (= m (into {} (shuffle (seq m)))))",
    "(let [m (zipmap data/xs data/xs)] (and (= m (set/map-invert m)) (= (set (keys m)) (set (vals m)))))",
    // sequences
    "(= data/xs (reverse (reverse data/xs)))",
    "(= (count (concat data/xs data/ys)) (+ (count data/xs) (count data/ys)))",
    "(= (map inc data/xs) (mapv inc data/xs) (for [x data/xs] (inc x)) (into [] (map inc) data/xs) (sequence (map inc) data/xs))",
    "(= (filter odd? data/xs) (remove even? data/xs) (keep #(when (odd? %) %) data/xs))",
    "(= (reduce + data/xs) (apply + data/xs) (last (reductions + 0 data/xs)) (transduce identity + data/xs))",
    "(= (take data/n (concat data/xs data/ys)) (take data/n (lazy-cat data/xs data/ys)) (take data/n (map identity (lazy-seq (concat data/xs data/ys)))))",
    "(= data/xs (concat (take data/n data/xs) (drop data/n data/xs)))",
    "(= (seq (distinct data/xs)) (keys (group-by identity data/xs)) (keys (frequencies data/xs)))",
    "(= (interleave data/xs data/xs) (mapcat #(vector % %) data/xs))",
    "(= (mapcat identity (map vector data/xs data/ys)) (interleave data/xs data/ys))",
    "(= (butlast data/xs) (seq (drop-last data/xs)))",
    "(= (some #{data/n} data/xs) (when (contains? (set data/xs) data/n) data/n))",
    // text
    "(= data/words (if (seq data/words) (str/split (str/join \",\" data/words) #\",\") []))",
    "(= (str/join data/words) (apply str data/words) (reduce str \"\" data/words))",
    "(every? (fn [w] (= w (str/reverse (str/reverse w)) (apply str (seq w)))) data/words)",
    "(= data/xs (map parse-long (map str data/xs)))",
    // printing and JSON
    "(= data/xs (json/parse-string (json/generate-string data/xs)))",
    "(= {:xs data/xs :words data/words} (json/parse-string (json/generate-string {:xs data/xs :words data/words})))",
];

fn run(source: &str, data: serde_json::Value, limits: Limits) -> Outcome {
    let data = Import::counted().value(data).as_map().cloned().unwrap_or_default();
    Session::new(SessionOptions { data, limits, seed: 5, ..SessionOptions::default() })
        .run(source, &mut |call| Ok(call.args.clone()))
}

/// A literal as a program writes it.
fn literal() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("nil".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        (-10_000..10_000_i32).prop_map(|n| format!("{:.3}", f64::from(n) / 8.0)),
        "[1-9][0-9]{18,30}",
        // Entries under keys that begin with `_` are hidden: they do not print.
        "([ -^`-~äß日][ -~äß日]{0,5})?".prop_map(|s| format!("{s:?}")),
        "[a-z][a-z0-9?!*-]{0,6}".prop_map(|s| format!(":{s}")),
        "[a-z]{1,3}/[a-z]{1,3}".prop_map(|s| format!(":{s}")),
        "[a-z][a-z0-9]{0,4}".prop_map(|s| format!("sym-{s}")),
        Just("##Inf".to_owned()),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" "))),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("({})", items.join(" "))),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("#{{{}}}", items.join(" "))),
            prop::collection::vec((inner.clone(), inner), 0..4).prop_map(|items| format!(
                "{{{}}}",
                items.iter().map(|(k, v)| format!("{k} {v}")).collect::<Vec<_>>().join(" ")
            )),
        ]
    })
}

/// Words of the language in any order, mostly nonsense.
#[expect(clippy::too_many_lines, reason = "a list of words")]
fn scraps() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "(",
        ")",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "#{",
        "#(",
        "'",
        "@",
        "def",
        "defn",
        "fn",
        "let",
        "loop",
        "recur",
        "if",
        "map",
        "reduce",
        "+",
        "-",
        "x",
        "y",
        "f",
        "xs",
        "1",
        "-1",
        "0",
        "2.5",
        ":k",
        "\"s\"",
        "nil",
        "range",
        "iterate",
        "inc",
        "str",
        "apply",
        "for",
        "%",
        "&",
        "conj",
        "into",
        "sort",
        "lazy-seq",
        "cons",
        "atom",
        "swap!",
        "try",
        "catch",
        "Exception",
        "e",
        "finally",
        "throw",
        "->",
        "->>",
        "pmap",
        "sorted-map",
        "assoc",
        "get",
        "tool/echo",
        "data/xs",
        "return",
        "fail",
        "#_",
        "##Inf",
        "#\"a+\"",
        "\\a",
        "repeat",
        "cycle",
        "partition",
        "comp",
        "partial",
        "update",
        "case",
        "cond",
        "while",
        "true",
        "vec",
        "set",
        "keys",
        "nth",
        "subs",
        "format",
        "json/parse-string",
        "re-seq",
        "delay",
        "force",
        "memoize",
        "where",
        "*1",
    ]);
    prop::collection::vec(word, 1..40).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn laws_of_sort_group_set_and_sequence_functions_hold(
        xs in prop::collection::vec(-5..20_i64, 0..40),
        ys in prop::collection::vec(-5..20_i64, 0..10),
        n in 1..12_i64,
        words in prop::collection::vec("[a-zä]{1,4}", 0..8),
    ) {
        for law in LAWS {
            let outcome = run(law, json!({"xs": xs, "ys": ys, "n": n, "words": words}), Limits::default());
            prop_assert!(matches!(outcome.value(), Some(Value::Bool(true))), "{law}: {:?} {:?}", outcome.value().map(text), outcome.problems());
        }
    }

    /// What is printed for a readable value reads back as that value.
    #[test]
    fn printed_values_read_back(source in literal()) {
        let first = run(&format!("'{source}"), json!({}), Limits::default());
        let Some(value) = first.value() else {
            return Err(TestCaseError::fail(format!("{source}: {:?}", first.problems())));
        };
        let printed = text(value);
        let again = run(&format!("'{printed}"), json!({}), Limits::default());
        let tagged = |value: &Value| to_tagged(value, &NoCells).expect("no cells").to_string();
        prop_assert_eq!(again.value().map(tagged), Some(tagged(value)), "{}", printed);
        // And as a program sees it: `pr-str` gives the same text.
        let shown = run(&format!("(pr-str '{source})"), json!({}), Limits::default());
        prop_assert_eq!(shown.value().and_then(Value::as_str).map(str::to_owned), Some(printed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// Whatever the text, a run ends in a value, an error or a limit, and the same with any slice.
    #[test]
    fn any_text_ends(source in scraps()) {
        let limits = Limits { fuel: 20_000, memory: 4_000_000, time: Duration::from_secs(20), ..Limits::default() };
        let outcome = run(&source, json!({"xs": [1, 2, 3]}), limits);
        prop_assert!(outcome.problems().iter().all(|problem| problem.reason != Reason::InternalError), "{source}: {:?}", outcome.problems());
    }
}
