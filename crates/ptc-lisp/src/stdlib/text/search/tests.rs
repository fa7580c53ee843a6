use proptest::prelude::*;

proptest! {
    #[test]
    fn short_texts_are_searched_as_long_ones(text in "[abé]{0,70}", part in "[abé]{0,10}") {
        prop_assert_eq!(super::contains(&text, &part, &mut crate::meter::Meter::host()).unwrap(), text.contains(&part));
    }
}
