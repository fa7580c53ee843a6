use super::*;

#[test]
fn a_pattern_is_kept_when_it_comes_again() {
    let mut recent = Recent::default();
    let program = Regex::new("a+").unwrap();
    recent.remember("a+", &program, 100);
    assert!(recent.kept.is_empty());
    recent.remember("a+", &program, 100);
    recent.remember("a+", &program, 100);
    assert_eq!((recent.kept.len(), recent.bytes), (1, 100));
}

#[test]
fn what_was_not_used_for_long_makes_way() {
    let mut recent = Recent::default();
    let program = Regex::new("a+").unwrap();
    for text in ["a", "b", "c", "d"].iter().flat_map(|text| [text, text]) {
        recent.remember(text, &program, BYTES / 3);
    }
    assert_eq!((recent.kept.len(), recent.bytes), (3, BYTES / 3 * 3));
    assert!(!recent.kept.contains_key("a"));
}

#[test]
fn texts_that_came_once_are_forgotten_in_their_turn() {
    let mut recent = Recent::default();
    assert!(!recent.came_before(0));
    assert!((1..=ONCE as u64).all(|hash| !recent.came_before(hash)));
    assert!(!recent.came_before(0));
    assert!(recent.came_before(ONCE as u64));
}
