use proptest::prelude::*;

use super::*;

const KNOWN: &[&str] = &["filter", "filterv", "map", "mapv", "reduce", "user-count", "str", "sort", "sort-by", "rest", "first"];

fn check(name: &str) -> &'static str {
    nearest(name, KNOWN.iter().copied()).unwrap_or("-")
}

#[test]
fn slips_of_the_finger_are_found() {
    assert_eq!(check("fliter"), "filter");
    assert_eq!(check("user_count"), "user-count");
    assert_eq!(check("usercount"), "user-count");
    assert_eq!(check("sotr"), "sort");
    assert_eq!(check("reduse"), "reduce");
}

#[test]
fn strangers_are_not() {
    assert_eq!(check("xyz"), "-");
    assert_eq!(check(""), "-");
    assert_eq!(check("a-name-that-is-longer-than-anything-anyone-would-write"), "-");
}

#[test]
fn ties_go_to_the_first_in_alphabetical_order() {
    assert_eq!(nearest("abx", ["abz", "aby"]), nearest("abx", ["aby", "abz"]));
}

proptest! {
    #[test]
    fn similarity_is_symmetric_and_bounded(left in "[a-d]{0,12}", right in "[a-d]{0,12}") {
        let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        let (one, other) = (jaro(&left, &right), jaro(&right, &left));
        prop_assert!((0.0..=1.0).contains(&one));
        prop_assert!((one - other).abs() < 0.2, "{one} {other}");
        prop_assert!((jaro(&left, &left) - 1.0).abs() < 1e-9);
    }
}
