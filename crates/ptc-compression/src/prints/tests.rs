use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn newest(entries: usize, characters: usize, prints: &[&str]) -> Vec<String> {
    let prints = prints.iter().map(|text| Print { text, missing: 0 });
    PrintBudget { entries, characters }.newest(prints).into_iter().map(Cow::into_owned).collect()
}

#[test]
fn the_oldest_are_left_out_first() {
    assert_eq!(newest(2, 100, &["a", "b", "c"]), ["b", "c"]);
    assert_eq!(newest(9, 5, &["aaa", "bbb", "cc"]), ["bbb", "cc"]);
    assert_eq!(newest(0, 5, &["a"]), Vec::<String>::new());
}

#[test]
fn an_entry_that_does_not_fit_alone_says_what_is_missing() {
    assert_eq!(newest(9, 3, &["a", "äöüß12"]), ["äöü... (3 more characters not shown: print less)"]);
    assert_eq!(newest(9, 5, &["äöüß12"]), ["äöüß1... (1 more character not shown: print less)"]);
}

#[test]
fn each_entry_gets_its_share() {
    let [long, longer] = [1_500, 9_000].map(|length| "x".repeat(length));
    let shown = newest(9, 2_000, &["first", &longer, &long, "last"]);
    assert_snapshot!(shown.iter().map(|print| format!("{} {}", print.matches('x').count(), print.trim_matches('x'))).collect::<Vec<_>>().join("\n"), @"
    0 first
    995 ... (8,005 more characters not shown: print less)
    995 ... (505 more characters not shown: print less)
    0 last
    ");
}

#[test]
fn what_the_record_lacks_is_counted_too() {
    let print = |text| Print { text, missing: 1_200 };
    assert_eq!(print("abc...").within(10), "abc... (1,200 more characters not shown: print less)");
    assert_eq!(print("abc...").within(2), "ab... (1,204 more characters not shown: print less)");
    assert_eq!(print("{:a \"x...\"}").within(20), "{:a \"x...\"} ... (1,200 more characters not shown: print less)");
}

proptest! {
    #[test]
    fn entries_are_the_newest_and_within_the_budget(prints in prop::collection::vec("[a-zß ]{0,9}", 0..12), entries in 0..9_usize, characters in 9..40_usize) {
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
