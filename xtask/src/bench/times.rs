//! Times, alternating between ours and CPython's, so that both see the same machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::Deserialize;
use serde_json::Value as Json;

use super::target::{Row, Target, Targets};
use super::tool::{self, Built};
use crate::{Failure, Workspace};
use ptc_tests::bench::workload;

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Rounds that alternate between ours and CPython's.
    pub(super) rounds: u32,
    /// Seconds per workload and round.
    pub(super) seconds: f64,
}

/// CPython: its program and its own name.
#[derive(Debug, Clone)]
pub(super) struct Python {
    program: PathBuf,
    script: PathBuf,
    pub(super) version: String,
}

impl Python {
    /// The `python3` of the search path. A launcher around it is skipped, so that W9 times Python itself.
    pub(super) fn find(workspace: &Workspace) -> Result<Python, Failure> {
        let ask = "import sys, platform; print(sys.executable); print(platform.python_implementation(), platform.python_version())";
        let text = tool::output(tool::command(Path::new("python3"), &["-c", ask]))?;
        let (program, version) = text.trim().split_once('\n').unwrap_or((text.trim(), "Python"));
        let script = workspace.root().join("tests/bench/peers/cpython.py");
        Ok(Python { program: PathBuf::from(program), script, version: version.to_owned() })
    }

    fn time(&self, name: &str, size: u64, seconds: f64) -> Result<Samples, Failure> {
        let mut command = Command::new(&self.program);
        command.arg(&self.script).args([name, &size.to_string(), &seconds.to_string()]);
        tool::json(command)
    }
}

/// Measure every time that has a target.
pub(super) fn measure(targets: &Targets, built: &Built, python: &Python, effort: Effort) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for target in &targets.times {
        eprintln!("{}: {}", target.id, target.title);
        let (ours, cpython) = pair(target, built, python, effort)?;
        let factor = cpython.zip(target.cpython).map(|(here, there)| here / there);
        rows.push(Row { of: target.clone(), ours, cpython, factor });
    }
    let machine = rows.iter().find(|row| row.of.id == "W3").and_then(|row| row.factor);
    rows.iter_mut().for_each(|row| row.factor = row.factor.or(machine));
    Ok(rows)
}

/// Our median and CPython's, in milliseconds.
fn pair(target: &Target, built: &Built, python: &Python, effort: Effort) -> Result<(f64, Option<f64>), Failure> {
    let (mut ours, mut theirs) = (Samples::default(), Samples::default());
    for _ in 0..effort.rounds {
        let (wanted, our, their) = match &target.subject {
            Some((name, size)) => {
                let words = ["time", name, &size.to_string(), &effort.seconds.to_string()];
                let our: Samples = tool::json(tool::command(&built.driver, &words))?;
                let their = target.cpython.map(|_| python.time(name, *size, effort.seconds)).transpose()?;
                (workload(name).map(|workload| workload.answer(*size)), our, their)
            }
            None => {
                let our = processes(&built.ptc, &["eval", "-e", "(+ 1 2)"], effort)?;
                (None, our, Some(processes(&python.program, &["-I", "-S", "-c", "print(1 + 2)"], effort)?))
            }
        };
        need_answer(&target.id, wanted.as_ref(), &our.answer)?;
        if let Some(their) = their {
            need_answer(&target.id, Some(&our.answer), &their.answer)?;
            theirs.join(their);
        }
        ours.join(our);
    }
    let none = || Failure::measured(&target.id, "no run was timed");
    Ok((ours.median_ms().ok_or_else(none)?, theirs.median_ms()))
}

/// Times of whole processes, from the start to the end of their output; the answer is what they print.
fn processes(program: &Path, words: &[&str], effort: Effort) -> Result<Samples, Failure> {
    let mut samples_ns = Vec::new();
    let mut answer = Json::Null;
    let began = Instant::now();
    while samples_ns.len() < 5 || began.elapsed().as_secs_f64() < effort.seconds {
        let mut command = tool::command(program, words);
        command.stdin(Stdio::null());
        let start = Instant::now();
        let text = tool::output(command)?;
        samples_ns.push(start.elapsed().as_nanos() as u64);
        answer = Json::from(text.trim());
    }
    Ok(Samples { samples_ns, answer })
}

/// What a measuring program prints: the driver, `cpython.py`, and every peer.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Samples {
    /// Nanoseconds of each run.
    pub(super) samples_ns: Vec<u64>,
    /// The answer of the workload.
    pub(super) answer: Json,
}

impl Samples {
    /// The middle one in milliseconds; `None` for none.
    pub(super) fn median_ms(&self) -> Option<f64> {
        median(self.samples_ns.iter().map(|sample| *sample as f64 / 1e6).collect())
    }

    /// These, and those of another round.
    pub(super) fn join(&mut self, other: Samples) {
        self.samples_ns.extend(other.samples_ns);
    }
}

/// The middle one, or the middle of the two; `None` for none.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let upper = *numbers.get(numbers.len() / 2)?;
    let lower = *numbers.get((numbers.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

/// A wrong answer has no time: errors unless it is the wanted one, where that is known.
pub(super) fn need_answer(what: &str, wanted: Option<&Json>, found: &Json) -> Result<(), Failure> {
    let wrong = wanted.filter(|wanted| !same_answer(wanted, found));
    wrong.map_or(Ok(()), |wanted| Err(Failure::measured(what, format!("the answer is {found}, not {wanted}"))))
}

/// Whether two answers agree: numbers up to rounding, everything else exactly.
pub(super) fn same_answer(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => (left - right).abs() <= 1e-9 * left.abs().max(right.abs()),
            _ => left == right,
        },
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_answer(left, right))
        }
        (Json::Object(left), Json::Object(right)) => {
            let has = |(key, left)| right.get(key).is_some_and(|right| same_answer(left, right));
            left.len() == right.len() && left.iter().all(has)
        }
        _ => left == right,
    }
}
