//! Scenarios 26 to 32: what names reach, what stays hidden, and errors of tools.

use std::sync::{Arc, Mutex};

use ptc_runner::agent::SubagentOptions;
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{Nothing, agent, fail_now, play, play_on};

#[test]
fn s26_bare_names() {
    assert_eq!(play(agent(), &["(return (count bookings))"]).end(), "return 4");
    assert_eq!(play(agent(), &["(return (quote-room {:room 1 :nights 2}))"]).end(), r#"return {"total":179.0}"#);
}

#[test]
fn s27_an_ambiguous_name() {
    let limit = FnTool::new("limit", "Another limit", |_: Nothing| Ok::<_, ToolError>(1));
    let played = play(agent().tool(limit), &["(println limit)", "(return data/limit)"]);
    assert_eq!((played.end().as_str(), played.outcomes().as_str()), ("return 250", "ambiguous_reference ok"));
    assert!(played.turn(1).prints().is_empty());
    assert!(
        played.message(2).contains("Symbol 'limit' exists in both tool/ and data/ namespaces."),
        "{}",
        played.message(2)
    );
}

#[test]
fn s28_definitions_shadow_data() {
    assert_eq!(
        play(agent(), &["(def bookings []) (return [(count bookings) (count data/bookings)])"]).end(),
        "return [0,4]"
    );
}

#[derive(Deserialize, JsonSchema)]
struct Unlock {
    #[serde(rename = "_api_key")]
    key: String,
}

#[test]
fn s29_hidden_data() {
    let heard = Arc::new(Mutex::new(String::new()));
    let tool =
        FnTool::with_state("unlock", "Opens the ledger", heard.clone(), |heard: Arc<Mutex<String>>, unlock: Unlock| {
            *heard.lock().unwrap() = unlock.key;
            Ok::<_, ToolError>(true)
        });
    // A-37 redacts strings of 8 characters or more wherever they turn up; shorter ones stay out by their names alone.
    for (secret, slip) in [("s3cret", ""), ("s3cret-canary", "(println data/_api_key (str \"key=\" data/_api_key))")] {
        for compression in [true, false] {
            let programs = [
                &format!(
                    "(tool/unlock {{:_api_key data/_api_key}}) (println {{:_x data/_api_key :n 7}}) (def m {{:_x data/_api_key}}) {slip}"
                ),
                "(return (count data/_api_key))",
            ];
            let played =
                play_on(agent().tool(tool.clone()).compression(compression), json!({"_api_key": secret}), programs);
            assert_eq!(played.end(), format!("return {}", secret.len()));
            assert_eq!(*heard.lock().unwrap(), secret, "the tool gets it");
            assert!(!played.sent().contains(secret), "{}", played.sent());
            assert_eq!(
                played.line(1, "data/_api_key"),
                "data/_api_key                 ; string, [Hidden] [Firewalled]"
            );
            assert!(played.message(2).contains("{:n 7}"), "{}", played.message(2));
        }
    }
}

#[test]
fn s30_hidden_result_field() {
    let child = Agent::builder("Find the guests")
        .signature("() -> {n :int, _ids [:int]}")
        .description("Finds the guests")
        .build()
        .unwrap();
    let parent =
        Agent::builder("Who was here?").tool(child.as_tool(SubagentOptions::named("find")).unwrap()).compression(true);
    let answers = ["(def found (tool/find))", "(return {:n 1 :_ids [4711]})", "(return found)"];
    let played = play_on(parent, json!({}), answers);
    assert_eq!(played.line(3, "found "), "found                         ; = map[2], sample: {:n 1} (hidden: _ids)");
    assert!(!played.message(3).contains("4711"), "{}", played.message(3));
    assert_eq!(played.end(), r#"return {"n":1,"_ids":[4711]}"#);
    assert_eq!(played.step.child_steps[0].value::<Json>().unwrap(), json!({"n": 1, "_ids": [4711]}));
}

#[test]
fn s31_a_tool_error_is_recovered_from() {
    let played =
        play(agent().tool(fail_now()), &["(tool/fail-now {})", "(return [(:reason data/fail) (:message data/fail)])"]);
    assert_eq!(played.outcomes(), "tool_error ok");
    let message = "tool 'fail-now' failed: the desk is closed at line 1, column 1";
    assert_eq!(played.end(), format!(r#"return ["tool_error","{message}"]"#));
    assert!(played.message(2).starts_with(&format!("Error: {message}\n")), "{}", played.message(2));
    // A-39: the name is there in any case, nil after a good turn.
    assert_eq!(play(agent().tool(fail_now()), &["(tool/fail-now {})", "1", "(return data/fail)"]).end(), "return null");
}

#[test]
fn s32_an_unknown_tool_has_no_side_effects() {
    let called = Arc::new(Mutex::new(0));
    let count = FnTool::with_state("count-up", "Counts", called.clone(), |called: Arc<Mutex<u32>>, _: Nothing| {
        *called.lock().unwrap() += 1;
        Ok::<_, ToolError>(1)
    });
    let played = play(agent().tool(count), &["(tool/count-up {}) (tool/nope {})", "(return 1)"]);
    // L-22: the reason is `tool_not_found`.
    assert_eq!((played.end().as_str(), played.outcomes().as_str()), ("return 1", "tool_not_found ok"));
    assert_eq!((*called.lock().unwrap(), played.turn(1).tool_calls().len()), (0, 0));
    assert!(played.message(2).contains("count-up, quote-room"), "{}", played.message(2));
}
