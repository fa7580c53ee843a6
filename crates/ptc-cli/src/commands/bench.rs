//! `ptc bench`: how long a program takes.

use std::time::{Duration, Instant};

use clap::Args;
use ptc_runner::lisp::{Limits, Outcome, Progress, Session, SessionOptions};
use serde_json::json;

use crate::args::whole;
use crate::failure::{Exit, Failure};
use crate::output::{self, OutputFailure};
use crate::program::{ProgramArgs, SessionArgs, exit, no_tool};

const BENCH_EXAMPLES: &str = "\
Examples:
  ptc bench report.clj --data bookings=bookings.json
  ptc bench -e '(reduce + (range 100000))' --runs 50
  ptc bench report.clj --json

Each run has a separate session; the data is loaded before the first. `compile` is from the text to
code, `run` from there to the value, `total` both and the session. Only compare figures of one machine.

Exit codes: 0 ok, 1 the program failed, 2 wrong usage or unreadable input, 3 a limit stopped it.";

/// Time a program.
///
/// Medians over many runs.
#[derive(Debug, Args)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Number of runs; by default as many as fit into two seconds, 5 to 1000.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    runs: Option<u32>,
    /// Print one JSON object: `compile_ms`, `run_ms`, `total_ms` (medians), `runs`, `fuel`, `memory` (bytes).
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    session: SessionArgs,
}

/// Runs without `--runs`: minimum, maximum, and the time that they share.
const RUNS: (usize, usize) = (5, 1_000);
const BUDGET: Duration = Duration::from_secs(2);

/// The parts of a run that are timed.
const PARTS: [&str; 3] = ["compile", "run", "total"];

/// Run the command.
pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let program = args.program.read()?;
    let options = args.session.options(Limits::default())?;
    // The first run shows whether the program can be timed, and warms up.
    let (_, first) = sample(&program.text, &options);
    if !first.problems().is_empty() {
        output::problems(&program, first.problems());
        return Ok(exit(&first));
    }
    let mut times = PARTS.map(|_| Vec::new());
    let (began, mut runs) = (Instant::now(), 0);
    while wants_more(args.runs, runs, began.elapsed()) {
        let (sample, _) = sample(&program.text, &options);
        times.iter_mut().zip(sample).for_each(|(times, time)| times.push(time.as_secs_f64() * 1_000.0));
        runs += 1;
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    show(args, &times, runs, &first)?;
    Ok(exit(&first))
}

fn wants_more(runs: Option<u32>, done: usize, elapsed: Duration) -> bool {
    match runs {
        Some(runs) => done < runs as usize,
        None => done < RUNS.0 || (done < RUNS.1 && elapsed < BUDGET),
    }
}

/// One run in its own session, with the times of its parts.
fn sample(text: &str, options: &SessionOptions) -> ([Duration; 3], Outcome) {
    let (data, limits, seed) = (options.data.clone(), options.limits.clone(), options.seed);
    let options = SessionOptions { data, limits, seed, ..SessionOptions::default() };
    let began = Instant::now();
    let mut session = Session::new(options);
    let opened = began.elapsed();
    session.start(text);
    let compiled = began.elapsed();
    let outcome = loop {
        match session.advance(None) {
            Progress::Done(outcome) => break outcome,
            Progress::Calls(calls) => session.answer(calls.iter().map(no_tool).collect()),
            Progress::Slice => {}
        }
    };
    let total = began.elapsed();
    ([compiled - opened, total - compiled, total], outcome)
}

/// The milliseconds of each part, the shortest first.
fn show(args: &BenchArgs, times: &[Vec<f64>; 3], runs: usize, outcome: &Outcome) -> Result<(), OutputFailure> {
    let (fuel, memory) = (outcome.usage.fuel, outcome.usage.memory);
    if args.json {
        let [compile, run, total] = times.each_ref().map(|times| median(times));
        return output::json(&json!({
            "compile_ms": compile, "run_ms": run, "total_ms": total, "runs": runs, "fuel": fuel, "memory": memory,
        }));
    }
    output::print(|out| {
        writeln!(out, "{:<8} {:>12} {:>12} {:>12}", "ms", "median", "fastest", "slowest")?;
        for (name, times) in PARTS.iter().zip(times) {
            let [fastest, slowest] = [times.first(), times.last()].map(|time| time.copied().unwrap_or_default());
            writeln!(out, "{name:<8} {:>12.4} {fastest:>12.4} {slowest:>12.4}", median(times))?;
        }
        writeln!(out, "{runs} runs, {fuel} units of fuel, {memory} bytes of memory")
    })
}

/// The middle one, or the mean of the two in the middle; 0 of none.
fn median(times: &[f64]) -> f64 {
    let upper = times.get(times.len() / 2).copied().unwrap_or_default();
    if times.len().is_multiple_of(2) {
        let lower = times.get((times.len() / 2).saturating_sub(1)).copied().unwrap_or_default();
        return f64::midpoint(lower, upper);
    }
    upper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[1.0, 2.0]), 1.5);
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
    }

    #[test]
    fn runs_end_by_number_or_time() {
        assert!(wants_more(Some(3), 2, Duration::from_secs(60)) && !wants_more(Some(3), 3, Duration::ZERO));
        assert!(wants_more(None, 4, Duration::from_secs(60)) && !wants_more(None, 5, BUDGET));
        assert!(wants_more(None, 999, Duration::ZERO) && !wants_more(None, 1_000, Duration::ZERO));
    }
}
