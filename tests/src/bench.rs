//! The workloads that speed is measured by: programs as a model would write them, their data and their answers.
//!
//! `cargo xtask bench` times and counts them through the driver in `tests/bench/driver`, which uses the same list.

mod answer;
pub mod data;
pub mod styles;
#[cfg(test)]
mod tests;

use std::time::Duration;

use ptc_lisp::{Ending, Limits, Map, Outcome, Session, SessionOptions, ToolCall, ToolResult, ToolSpec, Value};

/// A measured program.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name on the command line and in tables.
    pub id: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// The size at which it is timed.
    pub full: u64,
    source: &'static str,
    sized: Sized,
    answer: fn(u64) -> serde_json::Value,
}

/// What the size of a workload means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sized {
    /// The number of orders under `data/`.
    Orders,
    /// The number under `data/n`.
    Number,
    /// The number in the program.
    Literal,
}

macro_rules! workload {
    ($id:literal, $file:literal, $title:literal, $sized:ident $full:literal, $answer:ident) => {
        Workload {
            id: $id,
            title: $title,
            full: $full,
            source: include_str!(concat!("../bench/programs/", $file, ".clj")),
            sized: Sized::$sized,
            answer: answer::$answer,
        }
    };
}

/// All workloads: those with time targets, those that are only counted, and those that wait for tools.
pub const WORKLOADS: &[Workload] = &[
    workload!("W1", "w1", "parse, compile and run `(+ 1 2)`, a fresh session each time", Literal 1, sum_with_two),
    workload!("W2", "w2", "filter, group, count and sum", Orders 10_000, paid_by_region),
    workload!("W3", "w3", "naive recursive `(fib 27)`", Literal 27, fibonacci),
    workload!("W4", "w4", "`loop`/`recur` over 1,000,000", Literal 1_000_000, sum_to),
    workload!("W5", "w5", "`reduce` into a map of 500 totals", Orders 10_000, totals),
    workload!("W6", "w6", "join, make records, sort, take 10", Orders 10_000, largest),
    workload!("W7", "w7", "write, join, split and search text", Orders 10_000, pieces),
    workload!("queue", "queue", "a map emptied by `first` and `dissoc`", Number 10_000, queued),
    workload!("text", "text", "`(reduce str …)`", Number 10_000, text_length),
    workload!("versions", "versions", "a vector whose every version is kept", Number 10_000, versions),
    workload!("swap", "swap", "an accumulator under `swap!`", Number 10_000, squares),
    workload!("W8-map", "suspend-map", "1,000 tool calls inside `map`", Literal 1_000, echoed),
    workload!("W8-pmap", "suspend-pmap", "1,000 tool calls inside `pmap`", Literal 1_000, echoed),
];

/// The workload of this name.
#[must_use]
pub fn workload(id: &str) -> Option<&'static Workload> {
    WORKLOADS.iter().find(|workload| workload.id == id)
}

impl Workload {
    /// Its program at a size, without the comment above it.
    #[must_use]
    pub fn program(&self, size: u64) -> String {
        let code: Vec<&str> = self.source.lines().filter(|line| !line.starts_with(";;")).collect();
        match self.sized {
            Sized::Literal => code.join("\n").replace(&self.full.to_string(), &size.to_string()),
            Sized::Orders | Sized::Number => code.join("\n"),
        }
    }

    /// The tools that it calls: none, or `echo`.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolSpec> {
        let calls = self.source.contains("tool/echo");
        calls.then(|| ToolSpec::new("echo")).into_iter().collect()
    }

    /// Whether its data is the orders: the same for every such workload of one size.
    #[must_use]
    pub fn reads_orders(&self) -> bool {
        self.sized == Sized::Orders
    }

    /// The data under `data/` at a size; created from JSON like host data.
    #[must_use]
    pub fn data(&self, size: u64) -> Map {
        let text = match self.sized {
            Sized::Orders => data::json(size),
            Sized::Number => format!("{{\"n\": {size}}}"),
            Sized::Literal => return Map::new(),
        };
        match Value::from_json_str(&text) {
            Ok(Value::Map(map)) => map,
            _ => Map::new(),
        }
    }

    /// Its expected answer at a size.
    #[must_use]
    pub fn answer(&self, size: u64) -> serde_json::Value {
        (self.answer)(size)
    }
}

/// A session whose limits no workload reaches.
#[must_use]
pub fn session(data: Map, tools: Vec<ToolSpec>) -> Session {
    let limits = Limits { fuel: 1 << 40, memory: 1 << 40, time: Duration::from_secs(36_000), ..Limits::default() };
    Session::new(SessionOptions { data, tools, limits, ..SessionOptions::default() })
}

/// What the tool `echo` answers: its argument `value`.
pub fn echo(call: &ToolCall) -> ToolResult {
    Ok(call.args.as_map().and_then(|args| args.get_named("value")).cloned().unwrap_or_default())
}

/// The value of a program that ended with one, as JSON.
///
/// Errors with its problems, or with what JSON cannot represent.
pub fn value(outcome: &Outcome) -> Result<serde_json::Value, String> {
    match &outcome.ending {
        Ending::Value(value) => value.to_json().map_err(|error| error.message),
        other => Err(format!("ended with {other:?}")),
    }
}
