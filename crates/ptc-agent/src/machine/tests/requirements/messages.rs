//! The order of texts in the messages of a request.

use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, format};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::super::{agent, check, check_raw};
use crate::{Agent, FnTool, RunOptions, ToolError};

/// Proves: NS-010, NS-011, CHG-010.
#[test]
fn definitions_stand_in_one_section_from_the_second_request_on() {
    let seen = check(agent().compression(true), &["(def x 1) (defn twice [a] (* 2 a))", "(return x)"]);
    assert!(!seen.last(1).contains("user/"), "{}", seen.last(1));
    let message = seen.last(2);
    let sections: Vec<&str> = message.split(";; === user/ (your prelude) ===\n").collect();
    let [_, rest] = sections.as_slice() else { panic!("no or several sections in {message}") };
    insta::assert_snapshot!(rest.split("\n\n").next().unwrap_or_default(), @r"
    (twice [a])
    x                             ; = integer, sample: 1
    ");
    assert!(!message.contains("Defined:") && !message.contains("Function:"), "{message}");
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only what programs call the tool with counts")]
struct Anything {
    v: Json,
}

/// Proves: TRN-001.
#[test]
fn every_value_that_models_read_is_written_alike() {
    let odd = json!({"k": [1.5, null, "é\n\"x\""]});
    let text = format(&Value::from_json(odd.clone()), &FormatOptions::full()).text;
    let keep = FnTool::new("keep", "Keeps", |_: Anything| Ok::<_, ToolError>(1));
    let agent = Agent::builder("Look").tool(keep).signature("(odd :map) -> {n :int}").compression(true);
    let programs =
        ["(def same data/odd) (tool/keep {:v data/odd})", "(println data/odd)", "(return data/odd)", "(return {:n 1})"];
    let seen =
        check_raw(agent, programs.map(|program| Ok(program.into())).into(), json!({"odd": odd}), RunOptions::default());
    let second = seen.last(2);
    for place in
        [format!("; map, sample: {text}"), format!("; = map[1], sample: {text}"), format!(";   keep({{:v {text}}})")]
    {
        assert!(second.contains(&place), "{place} in {second}");
    }
    let fourth = seen.last(4);
    assert!(
        fourth.contains(&format!(";; Output:\n{text}\n")) && fourth.contains(&format!("\nGot: {text}\n")),
        "{fourth}"
    );
}

/// Proves: SS-001.
#[test]
fn a_single_turn_is_asked_as_without_compression() {
    let asked = |compression, retries| {
        let one = Agent::builder("How many?").max_turns(1).retry_turns(retries).compression(compression);
        check(one, &["(return 1)"]).requests.swap_remove(0).messages
    };
    assert_eq!(asked(true, 0), asked(false, 0));
    assert_ne!(asked(true, 1), asked(false, 1), "retries are turns to compress");
}
