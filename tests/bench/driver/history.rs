//! Histories of agent runs for rendering: every turn calls, prints and defines.

use std::time::Duration;

use ptc_runner::compression::RenderInput;
use ptc_runner::lisp::values::type_of;
use ptc_runner::lisp::{Effect, Map, Memory, MemoryEntry, ToolRecord, ToolSpec, Value};
use ptc_runner::signature::Signature;
use ptc_runner::transcript::{Turn, TurnFields};

/// Tool calls and prints of each turn: 1,000 of both after 100 turns, with 50 definitions.
const PER_TURN: usize = 10;

/// A run as a strategy gets it.
pub struct History {
    pub turns: Vec<Turn>,
    pub memory: Memory,
    tools: Vec<ToolSpec>,
    data: Map,
    signature: Option<Signature>,
}

impl History {
    /// A run of this many turns; every second one defines a name.
    pub fn new(turns: usize) -> History {
        let mut entries = Vec::new();
        let turns = (1..=turns).map(|number| turn(number, &mut entries)).collect();
        let quote = Signature::parse("(room :int, nights :int) -> {total :float}").ok();
        let quote = quote.into_iter().fold(ToolSpec::new("quote-room"), ToolSpec::signature);
        let data = serde_json::json!({"limit": 250, "currency": "EUR", "bookings": [{"guest": "Ines", "nights": 3}]});
        History {
            turns,
            memory: Memory::new(entries),
            tools: vec![quote.description("Price of a stay")],
            data: Value::from_json(data).as_map().cloned().unwrap_or_default(),
            signature: Signature::parse("(limit :int, currency :string) -> {kept :int}").ok(),
        }
    }

    /// What else a strategy may know besides turns and memory.
    pub fn input(&self) -> RenderInput<'_> {
        RenderInput {
            tools: &self.tools,
            signature: self.signature.as_ref(),
            turns_left: 5,
            ..RenderInput::new("Which bookings fit into 250 euros?", &self.data)
        }
    }
}

fn turn(number: usize, entries: &mut Vec<MemoryEntry>) -> Turn {
    if number.is_multiple_of(2) {
        let value = Value::from_json(serde_json::json!({"turn": number, "totals": [1.5, 2.5, 3.5]}));
        let label = type_of(&value);
        entries.push(MemoryEntry {
            name: format!("found-{number}"),
            value,
            doc: None,
            returns: None,
            params: None,
            order: 0,
            label,
        });
    }
    let program = format!("(def found-{number} (tool/quote-room {{:room {number} :nights 3}}))");
    Turn::success(TurnFields {
        program: Some(program.clone()),
        prints: (0..PER_TURN).map(|print| format!("turn {number}, line {print}: 3 of 4 bookings fit")).collect(),
        tool_calls: (0..PER_TURN).map(|call| record(number, call)).collect(),
        memory: Memory::new(entries.clone()),
        ..TurnFields::new(number, format!("Next room.\n```clojure\n{program}\n```"), Value::Nil)
    })
}

fn record(turn: usize, call: usize) -> ToolRecord {
    let args = Value::from_json(serde_json::json!({"room": 100 * turn + call, "nights": 3}));
    ToolRecord {
        name: "quote-room".into(),
        surface: args.clone(),
        args,
        result: Value::from_json(serde_json::json!({"total": 267.0})),
        error: None,
        duration: Duration::ZERO,
        started_micros: 0,
        cached: false,
        edited: false,
        effect: Effect::Write,
        declares_write: false,
        may_have_run: false,
        from_failed_turn: false,
        hidden_fields: Default::default(),
    }
}
