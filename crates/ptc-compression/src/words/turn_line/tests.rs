//! What the model reads about its turns, turn by turn.

use insta::assert_snapshot;

use super::{turn_line, turns_indicator};

/// The lines after each turn, one per line, `-` for none.
fn lines(max_turns: usize, retry_turns: usize) -> String {
    let line = |used| turn_line(max_turns, retry_turns, used).unwrap_or_else(|| "-".to_owned());
    (1..=max_turns + retry_turns).map(line).collect::<Vec<_>>().join("\n")
}

/// Proves: CHG-007.
#[test]
fn work_turns() {
    assert_snapshot!(lines(5, 0), @r"
    Turn 2 of 5 (4 remaining)
    Turn 3 of 5 (3 remaining)
    Turn 4 of 5 (2 remaining). The turn after this one is the last: prepare the return.
    FINAL TURN - you must call (return result) or (fail reason) now.
    -
    ");
}

/// Proves: CHG-007.
#[test]
fn retry_turns() {
    assert_snapshot!(lines(3, 2), @r"
    Turn 2 (2 work turns + 2 retry turns remaining)
    FINAL TURN - you must call (return result) or (fail reason) now. 2 correction attempt(s) will follow if the value is rejected.
    Turn 4: retry 1 of 2 (2 retries remaining)
    FINAL RETRY (2 of 2) - you must call (return result) or (fail reason) now.
    -
    ");
}

#[test]
fn single_turn_agents() {
    assert_snapshot!(lines(1, 0), @"-");
    assert_eq!(turn_line(1, 0, 0), None);
    assert_snapshot!(lines(1, 1), @r"
    FINAL RETRY (1 of 1) - you must call (return result) or (fail reason) now.
    -
    ");
}

/// Proves: MSG-005, AMB-003, CHG-007.
#[test]
fn indicator_of_compressed_messages() {
    assert_snapshot!(turns_indicator(4, 0), @"Turns left: 4");
    assert_snapshot!(turns_indicator(2, 3), @"Turns left: 2");
    assert_snapshot!(turns_indicator(1, 3), @"FINAL TURN - you must call (return result) or (fail reason) now.");
    assert_snapshot!(turns_indicator(0, 3), @"Retries left: 3");
    assert_snapshot!(turns_indicator(0, 2), @"Retries left: 2");
    assert_eq!(turns_indicator(0, 1), turns_indicator(1, 0));
    assert_eq!(turns_indicator(0, 0), turns_indicator(1, 0));
}
