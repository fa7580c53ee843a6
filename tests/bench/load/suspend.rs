//! What one suspension of a program costs: in `map`, and in `pmap`, where each call has its own branch.

use std::time::{Duration, Instant};

use ptc_runner::lisp::{Ending, Session, SessionOptions, ToolSpec, Value};
use serde_json::json;

use crate::Res;

const CALLS: u32 = 1_000;
const SUM: i64 = 499_500;
const RUNS: usize = 301;

pub(crate) fn measure() -> Res<serde_json::Value> {
    let per_call = |function: &str| -> Res<f64> {
        let calls =
            median(&format!("(reduce + ({function} (fn [id] (get (tool/echo {{:id id}}) \"id\")) (range 1000)))"))?;
        let plain = median(&format!("(reduce + ({function} (fn [id] (get (identity {{:id id}}) :id)) (range 1000)))"))?;
        Ok(calls.saturating_sub(plain).as_nanos() as f64 / f64::from(CALLS))
    };
    let whole = median("(reduce + (pmap (fn [id] (get (tool/echo {:id id}) \"id\")) (range 1000)))")?.as_nanos() as f64
        / f64::from(CALLS);
    Ok(
        json!({"calls": CALLS, "map_ns_per_call": per_call("map")?, "pmap_ns_per_call": per_call("pmap")?, "pmap_ns_per_fiber": whole}),
    )
}

/// The median time of a program from start to end; the host answers every call with its arguments.
fn median(program: &str) -> Res<Duration> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let tools = vec![ToolSpec::new("echo")];
        let mut session = Session::new(SessionOptions { tools, ..SessionOptions::default() });
        let began = Instant::now();
        let outcome = session.run(program, &mut |call| Ok(call.args.clone()));
        times.push(began.elapsed());
        let Ending::Value(Value::Int(SUM)) = outcome.ending else {
            return Err(format!("{program} ended with {:?}", outcome.ending).into());
        };
    }
    times.sort_unstable();
    Ok(times.get(RUNS / 2).copied().unwrap_or_default())
}
