//! Scenarios 1 to 6: runs whose messages are not compressed.

use serde_json::json;

use super::{FINAL, agent, data, play, play_on};
use ptc_runner::prelude::*;

#[test]
fn s01_single_shot_value() {
    let single = Agent::builder("How many bookings are there?").max_turns(1).compression(true);
    let played = play(single, &["(count data/bookings)"]);
    assert_eq!(played.end(), "value 4");
    assert_eq!(played.step.turns().len(), 1);
    assert_eq!(played.turn(1).raw_response(), "```clojure\n(count data/bookings)\n```");
    assert_eq!((played.requests.len(), played.requests[0].messages.len()), (1, 1));
    assert!(
        played.message(1).starts_with("How many bookings are there?\n\n;; === data/ ===\n"),
        "{}",
        played.message(1)
    );
    assert_eq!(played.step.usage.compression, None);
}

#[test]
fn s02_single_shot_without_code() {
    let played = play_on(Agent::builder("How many?").max_turns(1), data(), ["There are four of them."]);
    assert!(played.end().starts_with("error no_code_found: the LLM answer contains no program"), "{}", played.end());
}

#[test]
fn s03_tool_call_then_return() {
    let played = play(agent(), &["(def q (tool/quote-room {:room 12 :nights 3}))", "(return {:total (:total q)})"]);
    assert_eq!(played.end(), r#"return {"total":268.5}"#);
    assert_eq!(played.step.turns().len(), 2);
    let [call] = played.turn(1).tool_calls() else { panic!("one call") };
    assert_eq!((&*call.name, call.args.to_json().unwrap()), ("quote-room", json!({"room": 12, "nights": 3})));
    assert!(played.turn(2).tool_calls().is_empty());
}

#[test]
fn s04_only_prints_are_fed_back() {
    let played = play(agent(), &["(+ 1 2)", "(println \"n\" 4)", "(return 4)"]);
    assert_eq!(played.end(), "return 4");
    assert!(!played.message(2).contains('3'), "{}", played.message(2));
    assert!(played.message(3).contains("n 4"), "{}", played.message(3));
}

#[test]
fn s05_stored_names() {
    let played = play(agent(), &["(def b 2) (def a 1)", "(return a)"]);
    assert_eq!(played.end(), "return 1");
    assert_eq!(played.line(2, "Stored"), "Stored names: a, b");
}

#[test]
fn s06_turn_lines() {
    let played = play(agent().max_turns(5), &["1", "2", "3", "4", "(return 5)"]);
    let lines: Vec<String> = (2..=5).map(|number| played.last_line(number)).collect();
    let hint = "The turn after this one is the last: prepare the return.";
    let wanted = [
        "Turn 2 of 5 (4 remaining)",
        "Turn 3 of 5 (3 remaining)",
        &format!("Turn 4 of 5 (2 remaining). {hint}"),
        FINAL,
    ];
    assert_eq!(lines, wanted);
    assert_eq!(played.step.usage.turns, 5);
}
