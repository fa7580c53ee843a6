use proptest::prelude::*;

use super::Text;
use crate::limits::meter::Meter;

proptest! {
    #[test]
    fn characters_are_counted_and_texts_compared_by_content(text in "[a-cé\u{10000}]{0,40}", other in "[a-cé\u{0}]{0,5}", third in "[a-cé\u{0}]{0,5}") {
        let (made, same) = (Text::from(text.as_str()), Text::from(text.clone()));
        prop_assert_eq!(made.chars(), text.chars().count());
        prop_assert_eq!(made.is_ascii(), text.is_ascii());
        prop_assert_eq!(&made, &same);
        prop_assert_eq!(made == Text::from(other.as_str()), text == other);
        prop_assert_eq!(Text::from(other.as_str()) == Text::from(third.as_str()), other == third);
        let mut meter = Meter::host();
        let grown = Text::from(other.as_str()).push_str(&third, &mut meter);
        prop_assert_eq!(grown.map_err(|_| TestCaseError::fail("refused"))?, Text::from(format!("{other}{third}")));
    }

    #[test]
    fn places_are_found_whatever_the_length(
        pieces in prop::collection::vec(("[a-cé€\u{10000}]{1,3}", 0..400_usize), 0..6),
        asked in prop::collection::vec(0..4_000_usize, 1..12),
        ask_first in any::<bool>(),
    ) {
        let mut meter = Meter::host();
        let (mut text, mut whole) = (Text::from(""), String::new());
        for (piece, times) in &pieces {
            let more = piece.repeat(*times);
            whole.push_str(&more);
            // Also on a text with a second holder, which stays unchanged.
            let before = (times % 3 == 0).then(|| text.clone());
            let shown = text.to_string();
            text = text.push_str(&more, &mut meter).map_err(|_| TestCaseError::fail("refused"))?;
            prop_assert_eq!(before.map_or(shown.clone(), |before| before.to_string()), shown);
            if ask_first {
                let _ = text.offset(1);
            }
        }
        prop_assert_eq!(text.as_str(), &whole);
        prop_assert_eq!(&text, &Text::from(whole.as_str()));
        let starts: Vec<(usize, char)> = whole.char_indices().collect();
        prop_assert_eq!(text.chars(), starts.len());
        for index in asked.into_iter().chain([0, starts.len().saturating_sub(1), starts.len(), starts.len() + 1]) {
            let found = starts.get(index);
            prop_assert_eq!(text.char_at(index), found.map(|(_, c)| *c));
            let byte = found.map_or(whole.len(), |(at, _)| *at);
            prop_assert_eq!(text.offset(index), byte);
            prop_assert_eq!(text.index_at(byte), index.min(starts.len()));
        }
    }
}

#[test]
fn places_count_once_they_are_made() {
    let text = Text::from("é".repeat(10_000));
    let before = text.bytes();
    assert_eq!(text.char_at(9_999), Some('é'));
    let noted = text.bytes() - before;
    assert!((4 * 10_000 / 128..1_100).contains(&noted), "{noted}");
    assert_eq!(text.clone().bytes(), before + noted);
    let plain = Text::from("a".repeat(10_000));
    let before = plain.bytes();
    assert_eq!((plain.offset(9_000), plain.bytes()), (9_000, before));
}
