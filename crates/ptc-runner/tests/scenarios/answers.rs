//! Scenarios 17 to 25: what becomes the answer of a run, and what a refused one costs.

use super::{agent, play};

const BAD: &str = r#"(return {:total "x"})"#;
const GOOD: &str = "(return {:total 1})";

#[test]
fn s17_a_refused_return_is_repaired() {
    let played = play(agent().signature("{total :float}"), &[BAD, GOOD]);
    assert_eq!(played.end(), r#"return {"total":1}"#);
    assert_eq!(played.outcomes(), "return_validation_failed ok");
    // A-10: the form of a problem.
    assert_eq!(played.line(2, "- "), "- [total]: expected float, got string");
    assert!(played.message(2).contains("Wanted: {total :float}\nGot: {:total \"x\"}\n"), "{}", played.message(2));
}

#[test]
fn s18_retry_turns() {
    let played = play(agent().signature("{total :float}").max_turns(1).retry_turns(2), &[BAD, BAD, GOOD]);
    assert_eq!(played.end(), r#"return {"total":1}"#);
    assert_eq!(played.kinds(), "must_return retry retry");
    assert_eq!(played.requests.len(), 3);
    assert!(played.requests.iter().all(|request| request.tool_names.is_empty()));
    // A-10: a run of one work turn has retry lines nevertheless.
    assert_eq!(played.last_line(2), "Turn 2: retry 1 of 2 (2 retries remaining)");
    assert_eq!(played.last_line(3), "FINAL RETRY (2 of 2) - you must call (return result) or (fail reason) now.");
}

#[test]
fn s19_all_retries_are_used() {
    let played = play(agent().signature("{total :float}").max_turns(1).retry_turns(1), &[BAD, BAD, GOOD]);
    // A-11: such an ending is a limit.
    assert!(played.end().starts_with("limit budget_exhausted: "), "{}", played.end());
    assert_eq!((played.step.turns().len(), played.requests.len()), (2, 2));
}

#[test]
fn s20_an_early_bad_return_costs_a_work_turn() {
    let played = play(agent().signature("{total :float}").max_turns(5).retry_turns(1), &[BAD, GOOD]);
    assert_eq!((played.end().as_str(), played.kinds().as_str()), (r#"return {"total":1}"#, "normal normal"));
}

#[test]
fn s21_explicit_fail() {
    let played = play(agent().retry_turns(2), &[r#"(fail {:reason :no_rooms :message "full"})"#, GOOD]);
    assert_eq!(played.end(), "fail no_rooms: full");
    assert_eq!((played.step.turns().len(), played.requests.len()), (1, 1));
}

#[test]
fn s22_a_signal_in_a_branch_not_taken() {
    assert_eq!(play(agent(), &[r#"(if true (return "yes") (fail "no"))"#]).end(), r#"return "yes""#);
}

#[test]
fn s23_fallback() {
    let played = play(agent().max_turns(2).signature(":int"), &["(+ 20 1)", "(println \"hm\")"]);
    // A-11: the ending says it, too.
    assert_eq!((played.end().as_str(), played.step.usage.fallback_used), ("fallback 21", true));
}

#[test]
fn s24_no_fallback() {
    let played = play(agent().max_turns(2).signature("{a :string}"), &["1", "2"]);
    assert_eq!(
        played.end(),
        "limit max_turns_exceeded: limit of 2 turns reached: turns 1-2 ran without calling return"
    );
    assert_eq!((played.step.turns().len(), played.step.usage.fallback_used), (2, false));
}

#[test]
fn s25_result_history() {
    assert_eq!(play(agent(), &["10", "20", "(return [*1 *2 *3])"]).end(), "return [20,10,null]");
}
