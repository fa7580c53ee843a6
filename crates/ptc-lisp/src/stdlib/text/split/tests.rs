//! Splitting long texts.

use std::sync::Arc;

use proptest::prelude::*;

use super::{find, literal, split};
use crate::eval::context::{Context, SystemClock};
use crate::limits::meter::Meter;
use crate::reference::language;
use crate::stdlib::Call;
use crate::value::{Pattern, Value, display_text};

#[test]
fn patterns_with_operators_are_no_literals() {
    for pattern in [
        "", ".", "a+", "a*", "a?", "(a)", "a|b", "[ab]", "a{2}", "^a", "a$", r"\d", r"\s", r"\b", r"\<", r"\x41",
        r"\Qa\E", "(?i)a",
    ] {
        assert_eq!(literal(pattern), None, "{pattern}");
    }
}

/// The pieces, and the fuel used.
fn split_by(pattern: &str, text: &str, limit: i64) -> (String, u64) {
    let mut cx = Context::new(language(), Meter::host(), Arc::new(SystemClock), 0);
    let args = &mut [Value::from(text), Value::Regex(Arc::new(Pattern::new(pattern).unwrap())), Value::Int(limit)];
    let pieces = split(&mut Call { name: "split", args, cx: &mut cx }).unwrap();
    (display_text(&pieces), cx.meter.fuel_used())
}

proptest! {
    #[test]
    fn separators_are_found_near_and_far(before in "[aé]{0,40}", part in "[,;]{1,2}", after in "[,;é]{0,3}") {
        let text = before + &part + &after;
        prop_assert_eq!(find(&text, &part), text.find(&part));
        prop_assert_eq!(find(&text, "|"), None);
        prop_assert_eq!(find(&text, ";,"), text.find(";,"));
    }

    #[test]
    fn a_literal_pattern_splits_as_the_engine_does(text in "[ab,;]{0,24}", separator in "[,;]{1,2}", limit in -1..4_i64) {
        let (literal, engine) = (split_by(&separator, &text, limit), split_by(&format!("(?:{separator})"), &text, limit));
        prop_assert_eq!(literal, engine);
    }

    #[test]
    fn a_literal_matches_what_the_engine_matches(
        pattern in r"([,;:#&~<> -]|\\[|.,$*+?{}()\[\]^#&~/-]|\\[tnr]|é|ab){1,3}",
        text in r"([,;:#&~<>|.$*+?{}()\[\]^/ab\t\n\\-]|é){0,20}",
    ) {
        let found = literal(&pattern);
        prop_assert!(found.is_some(), "{}", pattern);
        let literal = found.unwrap().into_owned();
        let engine = regex::Regex::new(&pattern).unwrap();
        for text in [format!("{text}{literal}{text}"), text] {
            let by_engine: Vec<_> = engine.find_iter(&text).map(|found| found.range()).collect();
            let by_search: Vec<_> = text.match_indices(&literal).map(|(at, found)| at..at + found.len()).collect();
            prop_assert_eq!(by_engine, by_search);
        }
    }
}
