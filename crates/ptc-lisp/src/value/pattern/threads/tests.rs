use proptest::prelude::*;
use regex::Regex;

use super::Threads;
use crate::limits::meter::Meter;

const PATTERNS: &[&str] = &[
    "a",
    "(a)|(b)",
    "(a|ab)(c|bcd)?(d*)",
    "(\\w)+",
    "\\b\\w+\\b",
    "\\B",
    "(?:)",
    "a*?",
    "(a*)*b",
    "^(é|e)+$",
    "(?m)^(.*)$",
    "(?s).+?c",
    "([ab]{2,4})(c)?",
    "(?i)É",
    "\\bé",
    "x|",
    "(a+)(b+)?",
    "[^a]+",
    "$",
    "(?P<n>b)\\b",
];

proptest! {
    #[test]
    fn threads_find_what_the_engine_finds(
        pattern in proptest::sample::select(PATTERNS),
        text in "[abcdeéÉ \n\u{10000}]{0,24}",
        from in 0_usize..8,
    ) {
        let regex = Regex::new(pattern).unwrap();
        let threads = Threads::new(pattern, 1 << 20).unwrap();
        let from = text.ceil_char_boundary(from.min(text.len()));
        let expected = regex.captures_at(&text, from);
        let expected: Option<Vec<_>> = expected.map(|found| found.iter().map(|group| group.map(|group| (group.start(), group.end()))).collect());
        let mut meter = Meter::host();
        let found = threads.find(&text, from..text.len(), false, true, &mut meter).unwrap();
        prop_assert_eq!(&found, &expected);
        let bounds = threads.find(&text, from..text.len(), false, false, &mut meter).unwrap();
        prop_assert_eq!(bounds, expected.as_ref().map(|groups| vec![groups[0]]));
        if let Some(Some((start, end))) = expected.as_ref().and_then(|groups| groups.first()) {
            let inside = threads.find(&text, *start..*end, true, true, &mut meter).unwrap();
            prop_assert_eq!(inside, expected);
        }
    }
}
