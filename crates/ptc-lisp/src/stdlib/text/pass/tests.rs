use proptest::prelude::*;

use super::{STRETCH, push_lower, push_upper, trim_both};
use crate::limits::meter::Meter;

/// Long texts whose pieces end anywhere between these characters.
fn long() -> impl Strategy<Value = String> {
    ("[aΣß. 1é\u{301}\n]{1,12}", "[ aΣß1]{0,9}", STRETCH / 4..STRETCH)
        .prop_map(|(unit, end, times)| unit.repeat(times / unit.len() * 3) + &end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn long_texts_change_as_short_ones_do(text in long()) {
        let mut meter = Meter::host();
        let (mut upper, mut lower) = (String::new(), String::new());
        push_upper(&mut upper, &text, &mut meter).unwrap();
        push_lower(&mut lower, &text, &mut meter).unwrap();
        prop_assert!(upper == text.to_uppercase());
        prop_assert!(lower == text.to_lowercase());
    }

    #[test]
    fn blanks_are_taken_from_long_texts(left in 0..3 * STRETCH, middle in "(a\u{2003}?b)?", right in 0..3 * STRETCH) {
        let text = "\u{2003}\n".repeat(left / 4) + &middle + &" ".repeat(right);
        prop_assert_eq!(trim_both(&text, &mut Meter::host()).unwrap(), middle);
    }
}
