//! Soak: missions of every kind, one after another in one process, whose memory must stay constant.
//!
//! `cargo run --release -p ptc-tests --example soak -- --missions 100000` runs them and prints a line after each tenth:
//! resident memory, allocated bytes, tasks of the runtime, open files; `--json` prints one object instead. It fails
//! when the last line has more than 5 % above the first, in resident memory above the second.
//!
//! The missions mix sub-agents, parallel calls, approvals, retries, budgets, every kind of compression, typed results,
//! conversations, compiled agents, traces, and journals in files with runs that crash and resume; models, tools,
//! approvers and observers fail as the seed decides. Names and texts are new in each mission, so that anything kept by
//! name would show. The clock is paused: nothing waits.

mod counting;
mod missions;
#[path = "../load/process.rs"]
#[allow(dead_code, reason = "the load asks for more")]
mod process;

use std::process::ExitCode;

use ptc_runner::agent::testkit::hush;
use serde_json::{Value, json};

/// Errors here are defects of the measurement: their text is enough.
pub(crate) type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Lines of the table.
const LINES: usize = 10;
/// Percent by which the last line may exceed the first.
const GROWTH: u64 = 5;

/// What the process holds after this many missions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    missions: usize,
    resident: u64,
    allocated: u64,
    tasks: usize,
    files: usize,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match options(&args).and_then(|(missions, seed, is_json)| soak(missions, seed, is_json)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(args: &[String]) -> Res<(usize, u64, bool)> {
    let (mut missions, mut seed, mut is_json) = (100_000, 0, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number =
            || args.next().and_then(|text| text.parse::<u64>().ok()).ok_or(format!("{arg} needs a number"));
        match arg.as_str() {
            "--missions" => missions = usize::try_from(number()?)?,
            "--seed" => seed = number()?,
            "--json" => is_json = true,
            _ => return Err(format!("unknown option {arg}: there are --missions N, --seed N and --json").into()),
        }
    }
    Ok((missions, seed, is_json))
}

fn soak(missions: usize, seed: u64, is_json: bool) -> Res<()> {
    hush();
    let began = std::time::Instant::now();
    if !is_json {
        println!("missions  resident MB  allocated MB  tasks  files  seconds");
    }
    let each = missions.div_ceil(LINES).max(1);
    let measured = lines(missions, each, seed, |line| {
        if !is_json {
            let mb = |bytes: u64| bytes as f64 / 1e6;
            let Line { missions, resident, allocated, tasks, files } = *line;
            let seconds = began.elapsed().as_secs();
            println!(
                "{missions:>8}  {:>11.2}  {:>12.3}  {tasks:>5}  {files:>5}  {seconds:>7}",
                mb(resident),
                mb(allocated)
            );
        }
    })?;
    if is_json {
        println!("{}", report(&measured, &missions::met(), began.elapsed().as_secs_f64()));
    } else {
        println!("{}", missions::met());
    }
    flat(&measured)
}

/// The lines of this many missions, one after `each` of them; `tell` is called with each.
pub(crate) fn lines(missions: usize, each: usize, seed: u64, mut tell: impl FnMut(&Line)) -> Res<Vec<Line>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let folder = tempfile::tempdir()?;
    let mut lines = Vec::new();
    let mut done = 0;
    while done < missions {
        let until = (done + each).min(missions);
        runtime.block_on(missions::run(done..until, seed, folder.path()))?;
        done = until;
        let line = Line {
            missions: done,
            resident: process::resident_bytes()?,
            allocated: counting::allocated(),
            tasks: runtime.metrics().num_alive_tasks(),
            files: std::fs::read_dir("/proc/self/fd")?.count(),
        };
        tell(&line);
        lines.push(line);
    }
    Ok(lines)
}

/// Errors when the last line holds more than the first. Resident memory counts from the second line on: until then the
/// allocator acquires pages that it keeps.
pub(crate) fn flat(lines: &[Line]) -> Res<()> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(()) };
    let settled = lines.get(1).unwrap_or(first);
    let grew = |before: u64, after: u64| after > before + before * GROWTH / 100;
    if grew(settled.resident, last.resident) || grew(first.allocated, last.allocated) {
        return Err(format!("memory grew by more than {GROWTH} %: {first:?}, {last:?}").into());
    }
    if last.tasks > 0 || last.files > first.files {
        return Err(format!("tasks or files are left: {first:?}, {last:?}").into());
    }
    Ok(())
}

fn report(lines: &[Line], met: &str, seconds: f64) -> Value {
    let line = |line: &Line| {
        json!({
            "missions": line.missions,
            "resident_bytes": line.resident,
            "allocated_bytes": line.allocated,
            "tasks": line.tasks,
            "files": line.files,
        })
    };
    json!({"lines": lines.iter().map(line).collect::<Vec<_>>(), "met": met, "seconds": seconds})
}

#[cfg(test)]
mod tests {
    //! A short soak: allocated memory after more missions equals that before.

    use ptc_runner::agent::testkit::hush;

    use crate::{GROWTH, lines};

    #[test]
    fn more_missions_hold_no_more_memory() {
        hush();
        let lines = lines(480, 160, 7, |_| {}).expect("lines");
        // Until then, tables grow that the process has once.
        let (first, last) = (lines[1], lines[2]);
        assert!(last.allocated <= first.allocated + first.allocated * GROWTH / 100, "{lines:?}");
        assert_eq!((last.tasks, last.files), (0, first.files), "{lines:?}");
    }
}
