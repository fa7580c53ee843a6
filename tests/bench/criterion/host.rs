//! What the host does around programs: data in, tools answered, one program after another.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use ptc_runner::lisp::{
    Limits, Map, Outcome, Program, Progress, Session, SessionOptions, ToolCall, ToolResult, Value, to_value,
};
use ptc_tests::bench::{data, echo, session, workload};
use serde::Serialize;

/// Advance to the end, answering calls with `tools`.
pub fn finish(session: &mut Session, tools: &mut dyn FnMut(&ToolCall) -> ToolResult) -> Outcome {
    loop {
        match session.advance(None) {
            Progress::Slice => {}
            Progress::Calls(calls) => {
                let answers = calls.iter().map(&mut *tools).collect();
                session.answer(answers);
            }
            Progress::Done(outcome) => return outcome,
        }
    }
}

/// JSON as values, compared with the JSON library and its own values.
pub fn imports(c: &mut Criterion) {
    let text = data::json(1_000);
    let mut group = c.benchmark_group("import");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("values", |b| b.iter(|| black_box(Value::from_json_str(&text)).is_ok()));
    group.bench_function("serde_json", |b| {
        b.iter(|| black_box(serde_json::from_str::<serde_json::Value>(&text)).is_ok())
    });
    group.finish();
}

/// W8: 1,000 suspensions.
pub fn suspensions(c: &mut Criterion) {
    let mut group = c.benchmark_group("suspend");
    group.throughput(Throughput::Elements(1_000));
    for workload in ["W8-map", "W8-pmap"].into_iter().filter_map(workload) {
        let source = workload.program(workload.full);
        group.bench_function(workload.id, |b| b.iter(|| session(Map::new(), workload.tools()).run(&source, &mut echo)));
    }
    group.finish();
}

#[derive(Serialize)]
struct Order {
    id: u32,
    country: &'static str,
    total: f64,
    items: u32,
    express: bool,
}

const SCORE: &str = "
    (def base 10)
    (defn score [{:keys [country total items express]}]
      (+ base
         (if (> total 1000) 50 0)
         (* 2 items)
         (if express 5 0)
         (if (= country \"Atlantis\") 40 0)))";

/// A function of a compiled program, called from Rust with a record of five fields; the same by the text of a call; and
/// what a session of the program costs.
pub fn calls(c: &mut Criterion) {
    let program = Program::compile(SCORE, SessionOptions::default()).unwrap();
    let (score, limits) = (program.function("score").unwrap(), Limits::default());
    let order = Order { id: 7, country: "Italy", total: 1_200.0, items: 3, express: true };
    let mut group = c.benchmark_group("score");
    let mut session = program.session();
    group.bench_function("call", |b| {
        b.iter(|| session.call(&score, (&order,), &limits, &mut echo).into_typed::<f64>().unwrap());
    });
    let value = to_value(&order).unwrap();
    group.bench_function("call/value", |b| {
        b.iter(|| session.call(&score, vec![value.clone()], &limits, &mut echo).into_typed::<f64>().unwrap());
    });
    group.bench_function("text", |b| {
        b.iter(|| {
            session.define("order", to_value(&order).unwrap(), None).unwrap();
            session.run("(score order)", &mut echo).into_typed::<f64>().unwrap()
        });
    });
    group.bench_function("session", |b| b.iter(|| program.session()));
    group.finish();
}

/// What a turn of a long session costs besides its program: the hundredth after 99 definitions.
pub fn turns(c: &mut Criterion) {
    let mut long = session(Map::new(), Vec::new());
    for number in 0..99 {
        long.run(&format!("(def found-{number} [{number} {{:total {number}}}])"), &mut echo);
    }
    c.bench_function("turn/hundredth", |b| b.iter(|| long.run("(+ 1 2)", &mut echo)));
    c.bench_function("turn/memory", |b| b.iter(|| black_box(long.memory())));
}
