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
    assert!(check(one_turn().returns::<u8>(), &["300"]).end().contains("expected 0 to 255, got 300"));
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

#[test]
fn answers_in_json_and_text_keep_the_rules_of_their_type() {
    let json = |max_turns| Agent::builder("Rate.").output(OutputMode::Json).max_turns(max_turns);
    let stars = "{stars :int (1 to 5), code :string (matches \"^[A-Z]{2}$\") \"Of the country\"}";
    let answers = [r#"{"stars": 9, "code": "FI"}"#, r#"{"stars": 5, "code": "fi"}"#, r#"{"stars": 5, "code": "FI"}"#];
    let answered = |agent: AgentBuilder, answers: &[&str]| {
        let replies = answers.iter().map(|answer| Ok((*answer).into())).collect();
        super::check_raw(agent, replies, serde_json::json!({}), crate::RunOptions::default())
    };
    let seen = answered(json(3).signature(stars), &answers);
    assert_eq!(seen.end(), r#"value {"stars":5,"code":"FI"}"#);
    assert!(
        seen.last(1)
            .contains("- `stars` (integer (1 to 5))\n- `code` (string (matches \"^[A-Z]{2}$\")) - Of the country")
    );
    assert!(seen.last(2).contains("Error: [stars]: expected 1 to 5, got 9"), "{}", seen.last(2));
    assert!(seen.last(3).contains("Error: [code]: expected a text that matches"), "{}", seen.last(3));
    let text = Agent::builder("Which country?").output(OutputMode::Text).max_turns(2);
    let seen = answered(text.signature(":string (2 characters)"), &["Finland", "FI"]);
    assert_eq!(seen.end(), r#"value "FI""#);
    assert!(seen.last(1).contains("Answer with one text (2 characters) and nothing else."), "{}", seen.last(1));
    assert!(seen.last(2).contains("expected 2 characters, got 7"), "{}", seen.last(2));
}

#[test]
fn a_misspelt_name_of_an_optional_field_is_sent_back() {
    let typed = || agent().signature("{changed [:int], summary :string?, first-name :string?, rows [{kg :float?}]?}");
    let seen = check(typed(), &["(return {:changed [] :sumary \"a\"})", "(return {:changed [] :summary \"a\"})"]);
    assert_snapshot!(seen.end(), @r#"return {"changed":[],"summary":"a"}"#);
    assert_snapshot!(seen.last(2), @r#"
    Error: The returned value does not fit the signature.
    Wanted: {changed [:int], summary :string?, first-name :string?, rows [{kg :float?}]?}
    Got: {:changed [] :sumary "a"}
    Problems:
    - [sumary]: no such field; did you mean summary? If not, give summary as well
    Correct the value and return it again.

    Turn 2 of 5 (4 remaining)
    "#);
    let told = |program: &str| {
        let seen = check(typed().max_turns(2), &[program, "(return {:changed [1]})"]);
        if seen.requests.len() == 1 {
            "taken".to_owned()
        } else {
            seen.last(2).lines().nth(4).unwrap_or_default().to_owned()
        }
    };
    let kg = "(return {:changed [] :rows [{:kg 1.0} {:gk 2.0}]})";
    assert_eq!(told(kg), "- [rows.1.gk]: no such field; did you mean kg? If not, give kg as well");
    let styled = "(return {:changed [] :firstName \"b\"})";
    assert!(told(styled).starts_with("- [firstName]: no such field; did you mean first-name?"), "{}", told(styled));
    for taken in [
        "(return {:changed [] :other 1})",
        "(return {:changed [] :sumary \"a\" :summary nil})",
        "(return {:changed [] \"summary\" \"a\" :first_name \"b\"})",
    ] {
        assert_eq!(told(taken), "taken", "{taken}");
    }
    let json = Agent::builder("Rate.").output(OutputMode::Json).max_turns(2).signature("{n :int, note :string?}");
    let replies = [r#"{"n": 1, "noet": "a"}"#, r#"{"n": 1, "note": "a"}"#];
    let replies = replies.iter().map(|answer| Ok((*answer).into())).collect();
    let seen = super::check_raw(json, replies, serde_json::json!({}), crate::RunOptions::default());
    assert_eq!(seen.end(), r#"value {"n":1,"note":"a"}"#);
    assert!(seen.last(2).contains("[noet]: no such field; did you mean note?"), "{}", seen.last(2));
}

#[test]
fn a_function_is_no_answer() {
    let data = "(return {:rule \"admin\"})";
    for kind in [agent(), agent().signature("{rule :any}"), agent().signature(":any")] {
        let seen = check(kind, &["(defn allowed? [user] (= user \"admin\"))\n(return {:rule allowed?})", data]);
        assert_eq!(seen.end(), r#"return {"rule":"admin"}"#);
        let told = seen.last(2);
        let line = told.lines().find(|line| line.starts_with("- ")).unwrap_or_default();
        assert_eq!(
            line, "- #fn[user] is a function, which stays in its session: send data, such as what it returns",
            "{told}"
        );
    }
    let one = check(one_turn(), &["(return [inc])"]);
    assert!(one.end().starts_with("error validation_error: "), "{}", one.end());
    assert!(check(one_turn(), &["(fn [x] x)"]).end().contains("is a function, which stays in its session"));
    assert_eq!(check(one_turn(), &["(defn f [x] x)"]).end(), "value \"#'f\"");
}

/// A rate.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Rate {
    /// How good
    /// it was.
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    /// The first night.
    #[schemars(extend("format" = "date"))]
    on: String,
}

#[test]
fn a_type_of_rust_says_its_limits_and_comments() {
    let seen = check(agent().returns::<Rate>(), &["(return {:stars 6 :on \"x\"})", "(return {:stars 5 :on \"x\"})"]);
    assert_snapshot!(seen.last(2), @r#"
    Error: The returned value does not fit the signature.
    Wanted: {stars :int (1 to 5) "How good it was.", on :string (date) "The first night."}
    Got: {:stars 6 :on "x"}
    Problems:
    - [stars]: expected 1 to 5, got 6
    Correct the value and return it again.

    Turn 2 of 5 (4 remaining)
    "#);
    let first = seen.last(1);
    assert!(first.contains("Finish with `(return {:stars 1, :on \"2024-03-01\"})`."), "{first}");
}

/// Contains itself.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only read")]
struct Tree {
    name: String,
    next: Option<Box<Tree>>,
    kids: Vec<Tree>,
    by_name: std::collections::BTreeMap<String, Tree>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(dead_code, reason = "only read")]
enum Choice {
    Nothing,
    Both { rate: Rate, at: (u8, Option<char>) },
}

/// The example that a model is shown of an answer is one that is taken.
fn example_is_taken<T: JsonSchema + serde::de::DeserializeOwned>() {
    for output in [OutputMode::PtcLisp, OutputMode::Json] {
        let agent = || Agent::builder("x").max_turns(1).returns::<T>().output(output);
        let preview = agent().build().and_then(|agent| agent.preview_prompt(())).expect("a prompt");
        let asked = preview.messages[0].content().into_owned();
        let lisp = asked.rsplit_once("Finish with `").and_then(|(_, rest)| rest.strip_suffix("`."));
        let json = asked.rsplit_once("```json\n").and_then(|(_, rest)| rest.lines().next());
        let example = lisp.or(json).expect("an example").to_owned();
        let seen =
            super::check_raw(agent(), vec![Ok(example.into())], serde_json::json!({}), crate::RunOptions::default());
        assert!(seen.step.value::<T>().is_ok(), "{}: {asked}", seen.end());
    }
}

#[test]
fn examples_of_rust_types_are_taken() {
    example_is_taken::<Rate>();
    example_is_taken::<Tree>();
    example_is_taken::<Vec<Choice>>();
    example_is_taken::<(u8, String, Option<bool>)>();
    example_is_taken::<std::collections::BTreeMap<String, [u8; 2]>>();
    example_is_taken::<Option<Vec<char>>>();
    example_is_taken::<std::num::NonZeroU8>();
}
