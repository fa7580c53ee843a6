//! What the host does around programs: data in, tools answered, one program after another.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use ptc_runner::lisp::{Map, Outcome, Progress, Session, ToolCall, ToolResult, Value};
use ptc_tests::bench::{data, echo, session, workload};

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

/// What a turn of a long session costs besides its program: the hundredth after 99 definitions.
pub fn turns(c: &mut Criterion) {
    let mut long = session(Map::new(), Vec::new());
    for number in 0..99 {
        long.run(&format!("(def found-{number} [{number} {{:total {number}}}])"), &mut echo);
    }
    c.bench_function("turn/hundredth", |b| b.iter(|| long.run("(+ 1 2)", &mut echo)));
    c.bench_function("turn/memory", |b| b.iter(|| black_box(long.memory())));
}
