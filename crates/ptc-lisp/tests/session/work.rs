//! A pass over the elements of a collection costs fuel: a program that looks at more of them needs more. What only
//! drops elements at an end looks at none of the others.

use ptc_lisp::{Session, SessionOptions, Value};
use serde_json::json;

/// Functions that look at every element of `xs`, called as `(NAME xs)`.
const OF_ONE: &str = "hash str join .toString json/generate-string shuffle println print prn pr tap> pprint print-str println-str pr-str prn-str \
    sort reverse rseq distinct distinct? dedupe flatten interleave zip set hash-set union \
    intersection difference sum avg frequencies keywordize-keys stringify-keys";

/// Called as `(NAME xs ys)`, where the two differ in their last element only.
const OF_TWO: &str = "= not= compare .indexOf .lastIndexOf .contains .equals conj into concat interleave contains? select-keys zipmap hash-map \
    array-map union intersection difference subset? superset? sorted-set walk/prewalk-replace walk/postwalk-replace";

/// Called as `(NAME odd? xs)`.
const WITH_A_FUNCTION: &str = "map mapv filter filterv remove keep group-by run! sort-by pmap partition-by distinct-by max-by \
    min-by take-while";

/// Others.
const PROGRAMS: &[&str] = &[
    "(apply max data/xs)",
    "(map-indexed vector data/xs)",
    "(keep-indexed vector data/xs)",
    "(reduce + data/xs)",
    "(reductions + data/xs)",
    "(walk/postwalk identity data/xs)",
    "(every? int? data/xs)",
    "(some neg? data/xs)",
    "(drop-while int? data/xs)",
    "(into #{} data/xs)",
    "(for [x data/xs] x)",
    "(doseq [x data/xs] x)",
    "(interpose 0 data/xs)",
    "(cons 0 data/xs)",
    "(list* 0 data/xs)",
    "(str/join \",\" data/xs)",
    "(partition 2 data/xs)",
    "(last (sort-by - data/xs))",
    "(count (take-nth 2 data/xs))",
    "(loop [xs (seq data/xs)] (when xs (recur (next xs))))",
];

/// The fuel of a program over lists of so many odd numbers; nothing when it does not end well.
fn fuel(program: &str, size: usize) -> Option<u64> {
    let numbers = |last: usize| (1..size).map(|n| 2 * n + 1).chain([last]).collect::<Vec<_>>();
    let data = Value::from_json(json!({"xs": numbers(1), "ys": numbers(2)})).as_map().cloned()?;
    let outcome =
        Session::new(SessionOptions { data, ..SessionOptions::default() }).run(program, &mut |_| Ok(Value::Nil));
    outcome.value().map(|_| outcome.usage.fuel)
}

#[test]
fn more_elements_cost_more_fuel() {
    let call =
        |names: &'static str, rest: &'static str| names.split_whitespace().map(move |name| format!("({name} {rest})"));
    let programs =
        call(OF_ONE, "data/xs").chain(call(OF_TWO, "data/xs data/ys")).chain(call(WITH_A_FUNCTION, "odd? data/xs"));
    let mut cheap = Vec::new();
    for program in programs.chain(PROGRAMS.iter().map(|program| (*program).to_owned())) {
        let (few, many) = (fuel(&program, 100), fuel(&program, 1_100));
        // What only copies elements pays for eight of them at once, and the last eight may be fewer.
        if many.zip(few).is_none_or(|(many, few)| many < few + 1_000 / 9) {
            cheap.push(format!("{program}: {few:?} for 100 elements, {many:?} for 1,100"));
        }
    }
    assert_eq!(cheap, [""; 0]);
}
