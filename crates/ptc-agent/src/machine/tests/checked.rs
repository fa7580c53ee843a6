//! Answers that fit their signature and are still wrong: by their Rust type, or by a check of the host.

use insta::assert_snapshot;
use ptc_chat::OutputMode;
use ptc_lisp::Value;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{agent, check};
use crate::{Agent, AgentBuilder, SignatureValidation};

/// Fits its signature with any number of litres, and deserialises only from even ones.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "AnyPaint")]
struct Paint {
    color: String,
    litres: u8,
}

#[derive(Deserialize, JsonSchema)]
struct AnyPaint {
    color: String,
    litres: u8,
}

impl TryFrom<AnyPaint> for Paint {
    type Error = String;

    fn try_from(AnyPaint { color, litres }: AnyPaint) -> Result<Paint, String> {
        if litres % 2 == 0 { Ok(Paint { color, litres }) } else { Err(format!("cans have 2 litres, got {litres}")) }
    }
}

fn even(value: &Value) -> Result<(), String> {
    match value {
        Value::Int(n) if n % 2 == 0 => Ok(()),
        _ => Err("wanted an even number".to_owned()),
    }
}

fn one_turn() -> AgentBuilder {
    Agent::builder("How many bookings are there?").max_turns(1)
}

#[test]
fn an_answer_that_does_not_deserialise_is_repaired() {
    let seen = check(
        agent().returns::<Paint>(),
        &[
            "(return {:color \"red\" :litres 3})",
            "(return {:color \"red\" :litres 2.5})",
            "(return {:color \"red\" :litres 4})",
        ],
    );
    assert_eq!(seen.step.value::<Paint>().expect("an answer"), Paint { color: "red".to_owned(), litres: 4 });
    assert_eq!(seen.outcomes(), "return_validation_failed return_validation_failed ok");
    assert_snapshot!(seen.last(2), @r#"
    Error: The returned value does not fit the signature.
    Wanted: {color :string, litres :int (0 to 255)}
    Got: {:color "red" :litres 3}
    Problems:
    - cans have 2 litres, got 3
    Correct the value and return it again.

    Turn 2 of 5 (4 remaining)
    "#);
    // The signature is asked first: its words have a path.
    assert!(seen.last(3).contains("- [litres]: expected int, got float"), "{}", seen.last(3));
}

#[test]
fn a_named_type_holds_in_a_single_turn() {
    let seen = check(one_turn().returns::<u8>(), &["(return \"zzz\")"]);
    assert!(
        seen.end().starts_with("error validation_error: The returned value does not fit the signature."),
        "{}",
        seen.end()
    );
    assert!(check(one_turn().returns::<u8>(), &["300"]).end().contains("expected u8"));
    assert_eq!(check(one_turn().returns::<u8>(), &["(count data/bookings)"]).end(), "value 4");
    // With tools, the last value was never checked.
    let seen = check(agent().max_turns(1).returns::<u8>(), &["300"]);
    assert_eq!((seen.outcomes().as_str(), seen.step.is_ok()), ("return_validation_failed", false));
    // Without a type of the host, the option decides.
    assert_eq!(check(one_turn().signature(":int"), &["\"zzz\""]).end(), "value \"zzz\"");
    let strict = check(one_turn().signature(":int").validate_single_shot(true), &["\"zzz\""]);
    assert!(strict.end().starts_with("error validation_error"), "{}", strict.end());
}

#[test]
fn a_check_of_the_host_is_asked_of_every_kind_of_answer() {
    let seen = check(agent().check_answer(even), &["(return 3)", "(return 4)"]);
    assert_eq!((seen.end().as_str(), seen.outcomes().as_str()), ("return 4", "return_validation_failed ok"));
    assert!(seen.last(2).contains("Wanted: :any\nGot: 3\nProblems:\n- wanted an even number\n"), "{}", seen.last(2));
    // The value of the last good turn is not an answer either.
    let seen = check(agent().max_turns(2).check_answer(even), &["3", "5"]);
    assert!(seen.end().starts_with("limit max_turns_exceeded"), "{}", seen.end());
    assert_eq!(check(agent().max_turns(2).check_answer(even), &["4", "6"]).end(), "fallback 6");
    let lax = agent().check_answer(even).signature_validation(SignatureValidation::Disabled);
    assert_eq!(check(lax, &["(return 3)"]).end(), "return 3");
}

#[test]
fn a_check_belongs_to_the_type_it_was_given_with() {
    let first = Agent::builder("x").max_turns(2).returns::<u8>().build().expect("an agent");
    let ends = |agent: AgentBuilder| check(agent, &["(return 300)", "(return 301)"]).end();
    assert!(ends(first.to_builder().name("other")).starts_with("limit "));
    assert_eq!(ends(first.to_builder().signature(":int")), "return 300");
    assert_eq!(ends(first.to_builder().returns::<u16>()), "return 300");
    assert!(
        ends(Agent::builder("x").max_turns(2).returns::<u8>().signature("(bookings [:map]) -> :any"))
            .starts_with("limit ")
    );
}

#[test]
fn answers_in_json_are_checked() {
    let json = |max_turns| Agent::builder("Rate.").output(OutputMode::Json).max_turns(max_turns).returns::<Paint>();
    let answers = [r#"{"color": "blue", "litres": 1}"#, r#"{"color": "blue", "litres": 2}"#];
    let seen = super::check_raw(
        json(2),
        answers.map(|answer| Ok(answer.into())).to_vec(),
        serde_json::json!({}),
        crate::RunOptions::default(),
    );
    assert_eq!(seen.step.value::<Paint>().expect("an answer"), Paint { color: "blue".to_owned(), litres: 2 });
    assert_eq!(seen.outcomes(), "validation_error ok");
    assert!(seen.last(2).contains("cans have 2 litres, got 1"), "{}", seen.last(2));
}

#[test]
fn a_set_is_a_list_where_one_is_declared() {
    let seen = check(
        agent().signature("{room-ids [:int], by {:string -> [[:int]]}}"),
        &["(return {:room-ids #{1 2} :by {\"a\" [#{3}]}})"],
    );
    assert_eq!(seen.end(), r#"return {"room_ids":[1,2],"by":{"a":[[3]]}}"#);
    let seen = check(agent().signature("[:int]"), &["(return #{1 \"a\"})", "(return #{})"]);
    assert_eq!(seen.end(), "return []");
    assert!(seen.last(2).contains("- [1]: expected int, got string"), "{}", seen.last(2));
}
