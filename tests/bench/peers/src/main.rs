//! The workloads in other embeddable languages: `ptc-bench-peers ENGINE NAME SIZE SECONDS DATA`.
//!
//! ENGINE is one of lua, starlark, rhai, quickjs; DATA a JSON file with `orders` and `customers`. Prints one JSON
//! object like the other measuring programs: samples_ns and answer. Data is in the engine before the clock starts; W1
//! creates a new state and compiles each time, the others call what is already compiled.

mod lua;
mod quickjs;
mod rhai_engine;
mod starlark_engine;

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// Errors here are for the reader of a terminal.
pub type Res<T> = Result<T, Box<dyn std::error::Error>>;

/// What to run, on which data, for how long.
pub struct Job {
    pub name: String,
    pub size: i64,
    pub seconds: Duration,
    /// JSON text with `orders` and `customers`.
    pub data: String,
}

/// Times of single runs, and their answer.
pub type Measured = (Vec<u64>, Value);

const USAGE: &str = "usage: ptc-bench-peers lua|starlark|rhai|quickjs NAME SIZE SECONDS DATA";

fn main() -> Res<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [engine, name, size, seconds, data] = words.as_slice() else { return Err(USAGE.into()) };
    let job = Job {
        name: name.clone(),
        size: size.parse()?,
        seconds: Duration::try_from_secs_f64(seconds.parse()?)?,
        data: std::fs::read_to_string(data)?,
    };
    let (samples, answer) = match engine.as_str() {
        "lua" => lua::measure(&job)?,
        "starlark" => starlark_engine::measure(&job)?,
        "rhai" => rhai_engine::measure(&job)?,
        "quickjs" => quickjs::measure(&job)?,
        _ => return Err(USAGE.into()),
    };
    println!("{}", json!({"workload": job.name, "size": job.size, "samples_ns": samples, "answer": answer}));
    Ok(())
}

/// Processor time of this thread.
fn processor_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

impl Job {
    /// Run it as often as fits into its time; `batch` runs between two readings of the clock.
    pub fn time(&self, batch: u32, mut run: impl FnMut() -> Res<()>) -> Res<Vec<u64>> {
        let mut samples = Vec::new();
        let began = Instant::now();
        while samples.len() < 3 || (samples.len() < 2_000 && began.elapsed() < self.seconds) {
            let start = processor_ns();
            for _ in 0..batch {
                run()?;
            }
            samples.push(processor_ns().saturating_sub(start) / u64::from(batch));
        }
        Ok(samples)
    }

    /// W1: `run` gets another program each time.
    pub fn time_programs(&self, mut run: impl FnMut(&str) -> Res<i64>) -> Res<Measured> {
        let answer = run(&format!("{} + 2", self.size))?;
        let mut number = self.size;
        let samples = self.time(20, || {
            number += 1;
            run(&format!("{number} + 2")).map(drop)
        })?;
        Ok((samples, json!(answer)))
    }
}
