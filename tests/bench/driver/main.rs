//! The program behind `cargo xtask bench`: runs one workload often and says what processor time each run took, or once,
//! to be counted.
//!
//! ```text
//! bench-driver time NAME SIZE SECONDS     {"workload", "size", "samples_ns", "answer"}
//! bench-driver count SIZE NAME…           runs each once inside `counted_region`, for callgrind
//! bench-driver memory SIZE                {"bytes"}: what the orders hold resident
//! bench-driver data SIZE                  the orders and customers as JSON, for `ptc bench --data` and other languages
//! ```

mod history;
mod subject;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ptc_runner::lisp::Value;
use ptc_tests::bench::data;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value as Json, json};
use subject::{Ran, Subject, Subjects};

const USAGE: &str = "usage: bench-driver time NAME SIZE SECONDS | count SIZE NAME... | memory SIZE | data SIZE";

/// Minimum and maximum number of samples of one call.
const SAMPLES: (usize, usize) = (3, 2_000);

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match command(&words) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("bench-driver: {problem}");
            ExitCode::from(2)
        }
    }
}

fn command(words: &[&str]) -> Result<String, String> {
    match words {
        ["time", name, size, seconds] => {
            let seconds = seconds.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            time(name, number(size)?, seconds.ok_or(USAGE)?).map(|json| json.to_string())
        }
        ["count", size, names @ ..] if !names.is_empty() => count(number(size)?, names).map(|json| json.to_string()),
        ["memory", size] => memory(number(size)?).map(|json| json.to_string()),
        ["data", size] => Ok(data::json(number(size)?)),
        _ => Err(USAGE.to_owned()),
    }
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is not a size; {USAGE}"))
}

/// Run it as often as fits, after one warm-up run that shows the answer.
fn time(name: &str, size: u64, budget: Duration) -> Result<Json, String> {
    let Subject { batch, mut run } = Subjects::of_size(size).named(name)?;
    let answer = run().answer()?;
    let mut samples = Vec::new();
    let began = Instant::now();
    while samples.len() < SAMPLES.0 || (samples.len() < SAMPLES.1 && began.elapsed() < budget) {
        let start = processor_ns();
        for _ in 0..batch {
            black_box(run());
        }
        samples.push(processor_ns().saturating_sub(start) / u64::from(batch));
    }
    Ok(json!({"workload": name, "size": size, "samples_ns": samples, "answer": answer}))
}

/// Processor time of this thread: what other programs on the machine take does not count.
fn processor_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// As many elements as take the way that many take: more than what is computed ahead of a lazy sequence.
const FEW: u64 = 100;

/// Run each once, where callgrind counts.
fn count(size: u64, names: &[&str]) -> Result<Json, String> {
    let mut answers = Vec::new();
    let (subjects, small) = (Subjects::of_size(size), Subjects::of_size(size.min(FEW)));
    for name in names {
        // What is created once per process, such as functions of the prelude, is created before.
        (small.named(name)?.run)().answer()?;
        answers.push(counted_region(subjects.named(name)?.run.as_mut()).answer()?);
    }
    Ok(json!(answers))
}

/// Callgrind switches its counter on and off by the name of this function, which must therefore not occur in another
/// name.
#[inline(never)]
fn counted_region(run: &mut dyn FnMut() -> Ran) -> Ran {
    black_box(run())
}

/// The growth of resident memory by the orders, as they are after their import.
fn memory(size: u64) -> Result<Json, String> {
    let text = data::json(size);
    // Everything is warm before the first measurement.
    black_box(Value::from_json_str(&data::json(1)).map_err(|error| error.to_string())?);
    let before = resident()?;
    let value = Value::from_json_str(&text).map_err(|error| error.to_string())?;
    let bytes = resident()?.saturating_sub(before);
    black_box(value);
    Ok(json!({"bytes": bytes}))
}

/// Resident bytes of this process, from the kernel.
fn resident() -> Result<u64, String> {
    let text =
        std::fs::read_to_string("/proc/self/status").map_err(|error| format!("memory is read from /proc: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1_024).ok_or_else(|| "/proc/self/status has no VmRSS".to_owned())
}

#[cfg(test)]
mod tests {
    use ptc_tests::bench::WORKLOADS;
    use serde_json::json;

    use super::{Subjects, command, count, resident, time};

    #[test]
    fn every_subject_answers() {
        for workload in WORKLOADS {
            assert_eq!(count(3, &[workload.id]).unwrap(), json!([workload.answer(3)]), "{}", workload.id);
        }
        let bytes = command(&["data", "3"]).unwrap().len();
        assert_eq!(count(3, &["import", "import-serde"]).unwrap(), json!([bytes, bytes]));
        // Without compression a turn is two messages, answer and feedback, after the first one.
        assert_eq!(count(3, &["render-coalesced", "render-plain"]).unwrap(), json!([1, 7]));
        let views = ["next-coalesced", "next-rolling", "next-summary", "next-aggressive"];
        assert_eq!(count(100, &views).unwrap(), json!([1, 7, 41, 1]));
        // How far the ceilings have to cut: not at all, and to the end.
        assert_eq!(count(100, &["next-ceiling", "next-names"]).unwrap(), json!([0, 10]));
        assert!(count(100, &["next-append"]).unwrap()[0].as_u64().is_some_and(|messages| messages % 2 == 1));
        assert_eq!(Subjects::of_size(1).named("W99").err(), Some("`W99` is not a workload".to_owned()));
    }

    #[test]
    fn every_run_of_a_batch_is_another_program() {
        let mut subject = Subjects::of_size(5).named("W1").unwrap();
        let answers: Vec<_> = (0..3).map(|_| (subject.run)().answer().unwrap()).collect();
        assert_eq!(answers, [7, 8, 9]);
    }

    #[test]
    fn times_come_with_the_answer() {
        let timed = time("W4", 10, std::time::Duration::ZERO).unwrap();
        assert_eq!((&timed["answer"], timed["samples_ns"].as_array().map(Vec::len)), (&json!(55), Some(3)));
    }

    #[test]
    fn memory_is_measured() {
        assert!(resident().unwrap() > 100_000);
        assert!(command(&["memory", "2000"]).unwrap().starts_with("{\"bytes\":"));
        assert!(command(&["time", "W4", "ten", "1"]).unwrap_err().starts_with("`ten` is not a size"));
        assert!(command(&["time", "W4"]).unwrap_err().starts_with("usage: "));
    }
}
