//! What models are taught is true: every example of the language texts returns the value next to it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

use ptc_lisp::signature::Signature;
use ptc_lisp::text::{FormatOptions, format as text_of};
use ptc_lisp::{Ending, Import, Session, SessionOptions, ToolCall, ToolError, ToolResult, ToolSpec, Value};
use ptc_mission::LanguageSpec;

/// The parcels and the scales in the examples.
fn session() -> Session {
    let world: serde_json::Value = serde_json::from_str(include_str!("spec_world.json")).unwrap();
    let data = Import::uncounted().value(world["data"].clone());
    let signature = world["tools"]["weigh"]["signature"].as_str().unwrap();
    let weigh = ToolSpec::new("weigh").signature(Signature::parse(signature).unwrap());
    Session::new(SessionOptions {
        data: data.as_map().unwrap().clone(),
        tools: vec![weigh],
        ..SessionOptions::default()
    })
}

fn weigh(call: &ToolCall) -> ToolResult {
    match call.args.as_map().and_then(|args| args.get_named("id")) {
        Some(Value::Int(id)) if *id >= 0 => {
            Ok(Value::map_from([(Value::keyword("id"), Value::Int(*id)), (Value::keyword("kg"), Value::Float(2.5))]))
        }
        _ => Err(ToolError::new("no such parcel")),
    }
}

#[test]
fn every_example_gives_the_value_beside_it() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for key in LanguageSpec::list() {
        let mut session = session();
        for example in LanguageSpec::examples(key).unwrap() {
            tried += 1;
            let outcome = session.run(&example.program, &mut |call| weigh(call));
            let found = match &outcome.ending {
                Ending::Value(value) | Ending::Return(value) => text_of(value, &FormatOptions::full()).text,
                other => format!("{other:?}"),
            };
            if found != example.value {
                wrong.push(format!("{key}: {} ;=> {}\n    gave {found}", example.program, example.value));
            }
        }
    }
    assert!(tried > 30, "only {tried} examples were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
