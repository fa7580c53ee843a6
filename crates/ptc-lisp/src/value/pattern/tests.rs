use proptest::prelude::*;

use super::{Pattern, SearchResult};
use crate::limits::meter::Meter;

/// Patterns with and without a maximal length, with groups, boundaries, classes and empty parts.
fn pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        "[ab]".prop_map(|text| text),
        Just("[a-c]".to_owned()),
        Just(".".to_owned()),
        Just(r"\w".to_owned()),
        Just(r"\b".to_owned()),
        Just(r"\B".to_owned()),
        Just("^".to_owned()),
        Just("$".to_owned()),
        Just("é".to_owned()),
        Just("(?m:^)".to_owned()),
        Just("(?m:$)".to_owned()),
        Just("x".to_owned()),
    ];
    let pattern = atom.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["*", "+", "?", "*?", "+?", "{2,3}", "{20}"]))
                .prop_map(|(part, times)| format!("(?:{part}){times}")),
            inner.clone().prop_map(|part| format!("({part})")),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner, 2..3).prop_map(|parts| format!("(?:{})", parts.join("|"))),
        ]
    });
    pattern.prop_filter("too large to be compiled", |pattern| Pattern::new(pattern).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_long_text_has_the_matches_that_one_search_finds(
        pattern in pattern(),
        unit in "[abcé \n]{1,6}",
        mark in "[abx\n ]{0,4}",
        at in 0..200_000_usize,
        from in 0..140_000_usize,
    ) {
        let mut text = unit.repeat(150_000 / unit.len());
        text.insert_str(text.floor_char_boundary(at), &mark);
        let from = text.floor_char_boundary(from);
        let compiled = Pattern::new(&pattern).unwrap();
        let known = compiled.captures_at(&text, from);
        let mut places = compiled.capture_locations();
        compiled.captures_read_at(&mut places, &text, from);
        for groups in [true, false] {
            match compiled.find_long(&text, from, groups, &mut Meter::host()).unwrap() {
                SearchResult::Match { start, end, groups: found } => {
                    let whole = known.as_ref().and_then(|known| known.get(0)).map(|whole| (whole.start(), whole.end()));
                    prop_assert_eq!(Some((start, end)), whole);
                    if groups {
                        prop_assert_eq!(found, (0..places.len()).map(|group| places.get(group)).collect::<Vec<_>>());
                    }
                }
                SearchResult::Nothing => prop_assert!(known.is_none(), "{:?}", known.as_ref().map(|known| known.get(0).map(|m| m.range()))),
                SearchResult::Unknown => prop_assert!(false, "nothing can tell"),
            }
        }
    }
}

/// This includes word boundaries in text beyond ASCII, which the automata cannot decide, and groups in long matches.
#[test]
fn patterns_need_no_other_engine() {
    let text = "some wörds, ".repeat(20_000);
    for pattern in [
        r"\w+",
        r"\w+x",
        r"(\w+) (\w+)",
        r"(?s).*,",
        r"x*",
        r"\bw\w*",
        "wo.{3}",
        r"\d+",
        "[^,]*$",
        r"\b\d+\b",
        r"(?s)(\w|\W)+",
    ] {
        let compiled = Pattern::new(pattern).unwrap();
        let found = compiled.find_long(&text, 0, true, &mut Meter::host()).unwrap();
        assert!(!matches!(found, SearchResult::Unknown), "{pattern}");
    }
}
