use std::time::Duration;

use ptc_lisp::{Effect, Memory, MemoryEntry, ToolCall, ToolRecord, Value};
use ptc_transcript::{TurnFields, failure_value};
use serde_json::json;

use super::*;

fn call(name: &str) -> ToolRecord {
    let call = ToolCall { seq: 0, name: name.into(), args: Value::Nil, surface: Value::Nil };
    ToolRecord::new(call, &Ok(Value::Nil), Effect::Write, Duration::ZERO, 0)
}

/// A turn with this program that ends with `sums` defined.
fn turn(number: usize, program: &str, calls: &[&str]) -> Turn {
    let name = "sums".to_owned();
    let sums = MemoryEntry {
        name,
        value: Value::Nil,
        doc: None,
        returns: None,
        params: None,
        order: 0,
        label: "nil".to_owned(),
    };
    Turn::success(TurnFields {
        program: Some(program.to_owned()),
        tool_calls: calls.iter().map(|name| call(name)).collect(),
        memory: Memory::new(vec![sums]),
        ..TurnFields::new(number, program, Value::Nil)
    })
}

fn failed(number: usize, reason: &str) -> Turn {
    let program = Some("(+ 1 nil)".to_owned());
    Turn::failure(TurnFields { program, ..TurnFields::new(number, "(+ 1 nil)", failure_value(reason, "no")) })
}

/// A judge's verdict on a run, empty where nothing is wrong.
fn check(assertion: &Assertion, turns: &[Turn]) -> String {
    let data = Map::new();
    assertion.judge(Observed { turns, data: &data, answer: &Json::Null }).err().unwrap_or_default()
}

#[test]
fn turns_are_counted() {
    let turns = [turn(1, "1", &[]), turn(2, "2", &[])];
    let at_most_two = Assertion::Turns(Constraint::Lt(3.into()));
    assert_eq!(check(&at_most_two, &turns), "");
    let three = Assertion::Turns(Constraint::Eq(json!(3)));
    insta::assert_snapshot!(check(&three, &turns), @"number of turns: wanted 3, got 2");
}

#[test]
fn programs_must_differ_in_more_than_blanks() {
    let differ = Assertion::ProgramsDiffer(1, 2);
    assert_eq!(check(&differ, &[turn(1, "(+ 1 2)", &[]), turn(2, "(+ 1 3)", &[])]), "");
    insta::assert_snapshot!(check(&differ, &[turn(1, "(+ 1\n   2)", &[]), turn(2, "(+ 1 2)", &[])]), @"the programs of turns 1 and 2 are the same");
    insta::assert_snapshot!(check(&differ, &[turn(1, "(+ 1 2)", &[])]), @"there is no program in turn 2");
}

#[test]
fn calls_are_counted_over_all_turns() {
    let fetched = |times| Assertion::Calls { tool: "fetch".to_owned(), times };
    let turns = [turn(1, "1", &["search", "fetch"]), turn(2, "2", &["fetch"])];
    assert_eq!(check(&fetched(2), &turns), "");
    insta::assert_snapshot!(check(&fetched(3), &turns), @"tool/fetch: wanted 3 calls or more, got 2");
}

#[test]
fn hidden_values_are_looked_for_everywhere_in_the_answer() {
    let Value::Map(data) = Value::from_json(json!({"_codes": {"sales": "QX-1", "hr": 77}, "seen": 5})) else {
        unreachable!()
    };
    let hides = |entry: &str, answer: Json| {
        let assertion = Assertion::Hides(entry.to_owned());
        assertion.judge(Observed { turns: &[], data: &data, answer: &answer }).err().unwrap_or_default()
    };
    assert_eq!(hides("_codes", json!(["sales", "hr"])), "", "names of fields are no secrets");
    assert_eq!(hides("_codes", json!({"n": 7, "flag": true, "none": null})), "");
    insta::assert_snapshot!(hides("_codes", json!({"a": [{"b": "code QX-1!"}]})), @r#"the answer holds "QX-1" of data/_codes"#);
    insta::assert_snapshot!(hides("_codes", json!({"QX-1": 1})), @r#"the answer holds "QX-1" of data/_codes"#);
    insta::assert_snapshot!(hides("_codes", json!([77])), @"the answer holds 77 of data/_codes");
    insta::assert_snapshot!(hides("_other", json!(1)), @"there is no data/_other to hide");
}

#[test]
fn definitions_are_used_in_later_turns() {
    let uses = |name: &str| Assertion::Uses(name.to_owned());
    assert_eq!(check(&uses("sums"), &[turn(1, "(def sums {})", &[]), turn(2, "(return (count sums))", &[])]), "");
    assert_eq!(check(&uses("sums"), &[turn(1, "(def sums {})", &[]), turn(2, "(vals user/sums)", &[])]), "");
    let turns = [turn(1, "(def sums {}) (count sums)", &[]), turn(2, "(return (resums))", &[])];
    insta::assert_snapshot!(check(&uses("sums"), &turns), @"no program after turn 1 uses sums");
    insta::assert_snapshot!(check(&uses("other"), &turns), @"no turn defined other");
}

#[test]
fn turns_fail_for_a_reason() {
    let fails = Assertion::Fails("type_error".to_owned());
    assert_eq!(check(&fails, &[failed(1, "type_error"), turn(2, "2", &[])]), "");
    insta::assert_snapshot!(check(&fails, &[turn(1, "1", &[])]), @"wanted a turn that fails with type_error, none failed");
    insta::assert_snapshot!(check(&fails, &[failed(1, "timeout"), failed(2, "tool_error")]), @"wanted a turn that fails with type_error, got timeout, tool_error");
}
