use proptest::prelude::*;

use super::{STRETCH, each_match, find, rfind};
use crate::limits::meter::Meter;

fn check(text: &str, part: &str) -> Result<(), TestCaseError> {
    let mut meter = Meter::host();
    prop_assert_eq!(find(text, part, &mut meter).unwrap(), text.find(part));
    prop_assert_eq!(rfind(text, part, &mut meter).unwrap(), text.rfind(part));
    let mut places = Vec::new();
    let mut note = |at, _: &mut Meter| {
        places.push(at);
        Ok(())
    };
    let count = each_match(text, part, usize::MAX, &mut meter, &mut note).unwrap();
    let few = each_match(text, part, 3, &mut meter, &mut note).unwrap();
    let known: Vec<usize> = text.match_indices(part).map(|(at, _)| at).collect();
    prop_assert_eq!(count, known.len());
    prop_assert!(places.get(..count) == Some(known.as_slice()));
    prop_assert!(places.get(count..) == known.get(..few));
    prop_assert_eq!(few, known.len().min(3));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn windows_find_what_one_search_finds(unit in "[abé]{1,5}", mark in "[abéc]{0,3}", at in 0..3 * STRETCH, part in "[abéc]{0,6}") {
        let mut text = unit.repeat(3 * STRETCH / unit.len());
        text.insert_str(text.floor_char_boundary(at), &mark);
        check(&text, &part)?;
    }

    #[test]
    fn long_parts_are_found(unit in "[abé]{1,5}", mark in "[bc]", at in 0..4 * STRETCH, start in 0..2 * STRETCH, extra in 1..STRETCH) {
        let mut text = unit.repeat(4 * STRETCH / unit.len());
        text.insert_str(text.floor_char_boundary(at), &mark);
        let start = text.floor_char_boundary(start);
        let end = text.floor_char_boundary(start + STRETCH + extra);
        let part = text[start..end].to_owned();
        check(&text, &part)?;
        check(&text, &(part + "d"))?;
    }
}
