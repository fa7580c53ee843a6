//! What the request of a late turn costs: rendered from the whole history, and with the renderer that a run keeps.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ptc_runner::compression::{
    Compression, PlainHistory, PlainOptions, Redactor, RenderInput, SingleUserCoalesced, renderer_of,
};
use ptc_runner::lisp::values::type_of;
use ptc_runner::lisp::{Effect, Map, Memory, MemoryEntry, ToolRecord, Value};
use ptc_runner::transcript::{Turn, TurnFields};
use serde_json::json;

use crate::{Res, agents};

const TURNS: usize = 100;
/// Calls and prints of a turn: 1,000 of each in all.
const EACH: usize = 10;
const DEFINITIONS: usize = 50;
const RUNS: usize = 101;

pub(crate) fn measure() -> Res<serde_json::Value> {
    let (agent, _) = agents::agent()?;
    let (turns, memory, data) = (history(), definitions(DEFINITIONS), Map::new());
    let tools = agent.tools();
    let input = RenderInput { tools: &tools, turns_left: 1, ..RenderInput::new(&agent.spec().mission, &data) };
    let strategy = SingleUserCoalesced::default();
    let pure = median(|| strategy.to_messages(&turns, &memory, &input).messages.len());
    let mut kept = renderer_of(&(std::sync::Arc::new(strategy) as std::sync::Arc<dyn Compression>));
    turns.iter().for_each(|turn| kept.push(turn));
    let incremental = median(|| kept.render(&memory, &input).messages.len());
    let mut plain = PlainHistory::start(&input, PlainOptions::new(TURNS, 0));
    turns.iter().for_each(|turn| plain.push(turn, ""));
    let mut redactor = Redactor::new(&data, &Memory::default());
    turns.iter().for_each(|turn| redactor.observe(turn));
    let dialogue = median(|| {
        let mut messages = plain.messages().to_vec();
        redactor.redact_messages(&mut messages);
        messages.len()
    });
    Ok(json!({
        "turns": TURNS,
        "coalesced_ms": millis(pure),
        "coalesced_kept_ms": millis(incremental),
        "plain_ms": millis(dialogue),
    }))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn median(mut render: impl FnMut() -> usize) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            black_box(render());
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times.get(RUNS / 2).copied().unwrap_or_default()
}

/// Turns as agents leave them: each calls and prints, and defines names until there are enough.
fn history() -> Vec<Turn> {
    let turn = |number: usize| {
        let calls = (0..EACH).map(|at| call(number * EACH + at)).collect();
        let prints = (0..EACH)
            .map(|at| format!("order {} of turn {number} costs {} cents", at + 1, number * EACH + at))
            .collect();
        let answer = format!(
            "```clojure\n(def part-{number} (mapv (fn [id] (tool/find-order {{:id id}})) ids))\n(println (count part-{number}))\n```"
        );
        Turn::success(TurnFields {
            tool_calls: calls,
            prints,
            memory: definitions(number.min(DEFINITIONS)),
            ..TurnFields::new(number, answer, Value::Nil)
        })
    };
    (1..=TURNS).map(turn).collect()
}

fn call(id: usize) -> ToolRecord {
    let surface = Value::from_json(json!({"id": id}));
    ToolRecord {
        name: "find-order".into(),
        args: surface.clone(),
        surface,
        result: Value::from_json(json!({"id": id, "customer": format!("customer {}", id % 7), "cents": id})),
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

fn definitions(count: usize) -> Memory {
    let entry = |number: usize| {
        let rows: Vec<_> = (0..EACH)
            .map(|id| json!({"id": id, "customer": format!("customer {}", id % 7), "cents": id * number}))
            .collect();
        let value = Value::from_json(json!(rows));
        let label = type_of(&value);
        let order = number as u64;
        MemoryEntry { name: format!("part-{number}"), value, doc: None, returns: None, params: None, order, label }
    };
    Memory::new((1..=count).map(entry).collect())
}
