use proptest::prelude::*;

use super::*;

fn newest(entries: usize, characters: usize, prints: &[&str]) -> Vec<String> {
    PrintBudget { entries, characters }.newest(prints.iter().copied()).into_iter().map(Cow::into_owned).collect()
}

#[test]
fn the_oldest_are_left_out_first() {
    assert_eq!(newest(2, 100, &["a", "b", "c"]), ["b", "c"]);
    assert_eq!(newest(9, 5, &["aaa", "bbb", "cc"]), ["bbb", "cc"]);
    assert_eq!(newest(0, 5, &["a"]), Vec::<String>::new());
}

#[test]
fn an_entry_that_does_not_fit_alone_says_what_is_missing() {
    assert_eq!(newest(9, 3, &["a", "äöüß12"]), ["äöü... (3 more characters)"]);
}

proptest! {
    #[test]
    fn entries_are_whole_and_within_the_budget(prints in prop::collection::vec("[a-zß ]{0,9}", 0..12), entries in 0..9_usize, characters in 9..40_usize) {
        let prints: Vec<&str> = prints.iter().map(String::as_str).collect();
        let shown = newest(entries, characters, &prints);
        prop_assert!(prints.ends_with(&shown.iter().map(String::as_str).collect::<Vec<_>>()));
        let length = |print: &str| print.chars().count();
        let total: usize = shown.iter().map(|print| length(print)).sum();
        prop_assert!(shown.len() <= entries && total <= characters);
        let next = prints.len().checked_sub(shown.len() + 1).map(|place| prints[place]);
        prop_assert!(shown.len() == entries || next.is_none_or(|next| total + length(next) > characters));
    }
}
