use proptest::prelude::*;

use super::{PARTS, TESTS};

/// The value of a program, or its problem without its place.
fn ending(source: &str) -> String {
    crate::optimize::tests::ending(source).0
}

/// A collection of small values, or something that is not a collection.
fn coll() -> impl Strategy<Value = String> {
    let items =
        prop::collection::vec(prop::sample::select(vec!["1", "nil", ":a", "\"é\"", "[1 2]", "[3 4]", "{:b 1}"]), 0..5);
    (items, prop::sample::select(vec!["vec", "set", "seq", "%str", "%map", "%sorted", "%rest", "%lazy"])).prop_map(
        |(items, kind)| {
            let items = items.join(" ");
            match kind {
                "%str" => format!("(apply str [{items}])"),
                "%map" => format!("(zipmap [{items}] (range))"),
                "%sorted" => format!("(into (sorted-map) (map vector (range) [{items}]))"),
                "%rest" => format!("(rest [{items}])"),
                "%lazy" => format!("(concat [{items}] (iterate inc 5))"),
                kind => format!("({kind} [{items}])"),
            }
        },
    )
}

proptest! {
    #[test]
    fn a_part_is_what_both_calls_give(coll in coll().prop_filter("ends", |coll| !coll.contains("iterate"))) {
        for (outside, inside, _) in PARTS {
            let plain = format!("(let [g {inside} made (g {coll})] ({outside} made))");
            prop_assert_eq!(ending(&format!("({outside} ({inside} {coll}))")), ending(&plain), "{} of {}", inside, coll);
        }
    }

    #[test]
    fn a_test_decides_as_the_value_does(coll in coll()) {
        for (asked, _) in TESTS {
            let plain = format!("(let [made ({asked} {coll})] (if made :yes :no))");
            let plain = ending(&plain);
            prop_assert_eq!(&ending(&format!("(if ({asked} {coll}) :yes :no)")), &plain);
            prop_assert_eq!(&ending(&format!("(cond (not ({asked} {coll})) :no :else :yes)")), &plain);
            prop_assert_eq!(&ending(&format!("(when-not (or nil ({asked} {coll})) :no)")), if plain == ":no" { ":no" } else if plain == ":yes" { "nil" } else { &plain });
        }
    }
}

#[test]
fn errors_name_the_call_that_was_written() {
    for (outside, inside, _) in PARTS {
        for coll in ["5", ":a", "(atom 1)", "[1]"] {
            let plain = ending(&format!("(let [g {inside} made (g {coll})] ({outside} made))"));
            assert_eq!(ending(&format!("({outside} ({inside} {coll}))")), plain);
        }
    }
    assert_eq!(ending("(if (seq 5) 1 2)"), ending("(let [made (seq 5)] (if made 1 2))"));
}
