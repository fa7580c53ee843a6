//! Runs for tests: the worked example of a booking agent.

use std::time::Duration;

use ptc_chat::{Message, Repeats};
use ptc_lisp::signature::Signature;
use ptc_lisp::values::type_of;
use ptc_lisp::{Effect, Map, Memory, MemoryEntry, ToolCall, ToolRecord, ToolSpec, Value};
use ptc_transcript::{Turn, TurnFields, failure_value};
use serde_json::json;

use crate::RenderInput;

pub(crate) fn map(json: serde_json::Value) -> Map {
    Value::from_json(json).as_map().unwrap().clone()
}

pub(crate) fn call(name: &str, args: serde_json::Value) -> ToolRecord {
    let args = Value::from_json(args);
    let call = ToolCall { seq: 0, name: name.into(), surface: args.clone(), args };
    ToolRecord::new(call, &Ok(Value::from_json(json!({"total": 267.0}))), Effect::Write, Duration::ZERO, 0)
}

pub(crate) fn define(name: &str, value: serde_json::Value) -> MemoryEntry {
    let value = Value::from_json(value);
    let label = type_of(&value);
    MemoryEntry { name: name.into(), value, doc: None, returns: None, params: None, order: 0, label }
}

pub(crate) fn memory(entries: &[(&str, serde_json::Value)]) -> Memory {
    Memory::new(entries.iter().map(|(name, value)| define(name, value.clone())).collect())
}

pub(crate) fn fields(number: usize, program: &str) -> TurnFields {
    TurnFields {
        program: Some(program.to_owned()),
        ..TurnFields::new(number, format!("Let me see.\n```clojure\n{program}\n```"), Value::Nil)
    }
}

pub(crate) fn failure(fields: TurnFields, reason: &str, message: &str) -> Turn {
    Turn::failure(TurnFields { result: failure_value(reason, message), ..fields })
}

/// The parts of a request marked as repeated, with the numbers of their messages.
pub(crate) fn repeated(messages: &[Message]) -> Vec<(usize, &str)> {
    let parts =
        messages.iter().enumerate().flat_map(|(number, message)| message.parts.iter().map(move |part| (number, part)));
    parts.filter(|(_, part)| part.repeats < Repeats::No).map(|(number, part)| (number, part.text.as_str())).collect()
}

/// An agent that fits bookings into a limit.
pub(crate) struct Agent {
    pub(crate) data: Map,
    pub(crate) tools: Vec<ToolSpec>,
    pub(crate) signature: Signature,
}

impl Agent {
    pub(crate) fn bookings() -> Agent {
        let signature = |text: &str| Signature::parse(text).unwrap();
        let guests = [("Ines", 3), ("Oto", 1), ("Rui", 9), ("Ana", 2)];
        let bookings: serde_json::Value =
            guests.iter().map(|(guest, nights)| json!({"guest": guest, "nights": nights})).collect();
        Agent {
            data: map(json!({"bookings": bookings, "currency": "EUR", "limit": 250})),
            tools: vec![
                ToolSpec::new("quote-room")
                    .signature(signature("(room :int, nights :int) -> {total :float}"))
                    .description("Price of a stay"),
                ToolSpec::new("list-rooms").signature(signature("() -> [{no :int, beds :int}]")),
            ],
            signature: signature(
                "(bookings [{guest :string, nights :int}], limit :int, currency :string) -> {kept :int}",
            ),
        }
    }

    pub(crate) fn input(&self, turns_left: usize) -> RenderInput<'_> {
        RenderInput {
            tools: &self.tools,
            signature: Some(&self.signature),
            turns_left,
            ..RenderInput::new("Which bookings fit into 250 euros?", &self.data)
        }
    }
}

/// A turn that defines and calls, one that fails, one that prints.
pub(crate) fn worked_example() -> Vec<Turn> {
    let rate = memory(&[("rate", json!(89.5))]);
    let first = TurnFields {
        tool_calls: vec![call("quote-room", json!({"room": 12, "nights": 3}))],
        memory: rate.clone(),
        ..fields(1, "(def rate 89.5)\n(tool/quote-room {:room 12 :nights 3})")
    };
    let second = TurnFields { memory: rate.clone(), ..fields(2, "(filter #(fits % rate) bookings)") };
    let third = TurnFields { memory: rate, prints: vec!["3 fit".into()], ..fields(3, "(println \"3 fit\")") };
    vec![
        Turn::success(first),
        failure(second, "undefined_symbol", "undefined symbol 'fits' at line 1, column 10"),
        Turn::success(third),
    ]
}
