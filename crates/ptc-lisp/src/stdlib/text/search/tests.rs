use proptest::prelude::*;

use crate::session::{Session, SessionOptions};

proptest! {
    #[test]
    fn short_texts_are_searched_as_long_ones(text in "[abé]{0,70}", part in "[abé]{0,10}") {
        prop_assert_eq!(super::contains(&text, &part, &mut crate::limits::meter::Meter::host()).unwrap(), text.contains(&part));
    }
}

/// Iterating over the matches reads each place once.
#[test]
fn all_matches_of_a_long_text_cost_what_the_text_costs() {
    let fuel = |count: usize, search: &str| {
        let program = format!("(let [s (apply str (repeat {count} \"añb\"))] {search})");
        Session::new(SessionOptions::default()).run(&program, &mut |_| unreachable!()).usage.fuel
    };
    for search in [
        "(loop [from 0 c 0] (if-let [i (index-of s \"b\" from)] (recur (inc i) (inc c)) c))",
        "(loop [from 900000 c 0] (if-let [i (last-index-of s \"b\" from)] (recur (dec i) (inc c)) c))",
    ] {
        let (few, many) = (fuel(1_000, search), fuel(10_000, search));
        assert!(many < 11 * few, "{search}: {few} and {many}");
    }
}
