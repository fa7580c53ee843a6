use proptest::prelude::*;

use super::*;

const KNOWN: &[&str] =
    &["filter", "filterv", "map", "mapv", "reduce", "user-count", "str", "sort", "sort-by", "rest", "first"];

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

/// The nearest of `known`.
fn among(name: &str, known: &[&'static str]) -> &'static str {
    nearest(name, known.iter().copied()).unwrap_or("-")
}

#[test]
fn one_slip_beats_what_only_looks_alike() {
    assert_eq!(check("mapp"), "map");
    assert_eq!(check("redduce"), "reduce");
    assert_eq!(check("srt"), "str");
    assert_eq!(check("mp"), "map");
    assert_eq!(among("filterr", &["filterv", "filter"]), "filter");
    assert_eq!(among("foor", &["floor", "for"]), "for");
    assert_eq!(among("df", &["dec", "def"]), "def");
}

#[test]
fn a_slip_that_leaves_too_little_is_none() {
    assert_eq!(among("a", &["b", "ab"]), "-");
    assert_eq!(among("ab", &["cb", "a"]), "-");
}

#[test]
fn ties_go_to_the_lower_rank_then_to_the_first_in_alphabetical_order() {
    assert_eq!(nearest_ranked("nt", [(3, "nth"), (0, "nxt")]), Some("nxt"));
    assert_eq!(among("abx", &["abz", "aby"]), "aby");
    assert_eq!(among("abx", &["aby", "abz"]), "aby");
}

/// The name with one letter dropped, doubled or swapped with the next.
fn slipped(name: &str, at: usize, kind: u8) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    match kind {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        _ => letters.swap(at, (at + 1).min(name.len() - 1)),
    }
    letters.into_iter().collect()
}

proptest! {
    /// Among names that have nothing in common, a typing mistake always leads back.
    #[test]
    fn a_slip_leads_back(name in "[a-f]{3,8}", at in 0_usize..8, kind in 0_u8..3) {
        let typed = slipped(&name, at % name.len(), kind);
        prop_assume!(typed != name);
        let found = nearest(&typed, [name.as_str(), "xyz", "uvw-xyz"]);
        prop_assert_eq!(found, Some(name.as_str()), "{}", typed);
    }

    #[test]
    fn similarity_is_symmetric_and_bounded(left in "[a-d]{0,12}", right in "[a-d]{0,12}") {
        let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        let (one, other) = (jaro(&left, &right), jaro(&right, &left));
        prop_assert!((0.0..=1.0).contains(&one));
        prop_assert!((one - other).abs() < 0.2, "{one} {other}");
        prop_assert!((jaro(&left, &left) - 1.0).abs() < 1e-9);
    }
}
