//! Growth curves: instructions of a workload at sizes that grow by a factor of ten, counted by callgrind.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use ptc_tests::bench::workload;

use super::sample::same_answer;
use super::tool::{self, Built};
use crate::Failure;

/// The allowed growth of instructions when the size is ten times as large: n log n, with some margin.
pub(crate) const ALLOWED: f64 = 14.0;

/// The function of the driver that is counted.
const REGION: &str = "bench_driver::counted_region";

/// What is counted together: one run of the driver for each size.
struct Group {
    names: &'static [(&'static str, &'static str)],
    sizes: &'static [u64],
}

const THOUSAND: u64 = 1_000;

const GROUPS: &[Group] = &[
    Group {
        names: &[("W2", "W2"), ("W5", "W5"), ("W6", "W6"), ("W7", "W7")],
        sizes: &[THOUSAND, 10 * THOUSAND, 100 * THOUSAND, 1_000 * THOUSAND],
    },
    Group {
        names: &[
            ("queue", "a map emptied by `first` and `dissoc`"),
            ("text", "`(reduce str …)`"),
            ("swap", "an accumulator under `swap!`"),
            ("import", "orders read from JSON"),
        ],
        sizes: &[THOUSAND, 10 * THOUSAND, 100 * THOUSAND, 1_000 * THOUSAND],
    },
    Group {
        names: &[("versions", "a vector whose every version is kept")],
        sizes: &[THOUSAND, 10 * THOUSAND, 100 * THOUSAND],
    },
    Group {
        names: &[
            ("next-coalesced", "one more turn after n and its request, default strategy"),
            ("render-plain", "the request after n turns, without compression"),
        ],
        sizes: &[10, 100, THOUSAND],
    },
];

/// How instructions grow with size.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// The subject of the driver.
    pub(super) name: &'static str,
    /// What it does.
    pub(super) title: &'static str,
    /// Sizes and instructions, the smallest first.
    pub(super) points: Vec<(u64, u64)>,
}

impl Curve {
    /// The largest growth from one size to the next.
    pub(super) fn steepest(&self) -> f64 {
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        pairs.map(|((_, less), (_, more))| *more as f64 / *less as f64).fold(0.0, f64::max)
    }
}

/// Count everything, at sizes up to `largest`. Cost: at a million rows, some ten minutes.
///
/// Errors when valgrind is not installed, or a workload has a wrong answer.
pub(super) fn measure(built: &Built, largest: u64) -> Result<Vec<Curve>, Failure> {
    need_valgrind("Install it, or leave growth out with `--quick`")?;
    let counts = run_all(built, jobs(largest))?;
    Ok(GROUPS.iter().flat_map(|group| group.names).map(|(name, title)| curve(name, title, &counts)).collect())
}

/// Errors when valgrind is not installed, with what to do then.
pub(crate) fn need_valgrind(otherwise: &str) -> Result<(), Failure> {
    let installed = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if installed {
        return Ok(());
    }
    let text =
        format!("valgrind is not installed; growth is counted in instructions, which only it can do. {otherwise}");
    Err(Failure::Measurement { what: "counting instructions".to_owned(), text })
}

fn curve(name: &'static str, title: &'static str, counts: &[Count]) -> Curve {
    let mut points: Vec<(u64, u64)> =
        counts.iter().filter(|count| count.name == name).map(|count| (count.size, count.instructions)).collect();
    points.sort_unstable();
    Curve { name, title, points }
}

/// One run of the driver under callgrind.
#[derive(Debug)]
struct Job {
    names: Vec<&'static str>,
    size: u64,
}

/// Instructions of one subject at one size.
struct Count {
    name: &'static str,
    size: u64,
    instructions: u64,
}

/// All runs, the longest last: they are taken from the end.
fn jobs(largest: u64) -> Vec<Job> {
    let of_group = |group: &'static Group| {
        let names: Vec<&str> = group.names.iter().map(|(name, _)| *name).collect();
        group
            .sizes
            .iter()
            .filter(move |size| **size <= largest)
            .map(move |size| Job { names: names.clone(), size: *size })
    };
    let mut jobs: Vec<Job> = GROUPS.iter().flat_map(of_group).collect();
    jobs.sort_by_key(|job| job.size);
    jobs
}

/// Run the jobs, as many at a time as there are processors: a count does not depend on what else runs.
fn run_all(built: &Built, jobs: Vec<Job>) -> Result<Vec<Count>, Failure> {
    let waiting = Mutex::new(jobs);
    let next = || waiting.lock().ok().and_then(|mut jobs| jobs.pop());
    let work = || {
        let mut counts = Vec::new();
        while let Some(job) = next() {
            counts.extend(run(built, &job)?);
        }
        Ok(counts)
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        let lost = || Failure::Measurement {
            what: "counting instructions".to_owned(),
            text: "a thread ended early".to_owned(),
        };
        let mut counts = Vec::new();
        for worker in workers {
            counts.extend(worker.join().unwrap_or_else(|_| Err(lost()))?);
        }
        Ok(counts)
    })
}

fn run(built: &Built, job: &Job) -> Result<Vec<Count>, Failure> {
    eprintln!("counting at {}: {}", job.size, job.names.join(", "));
    let mut counts = Vec::new();
    for (name, (answer, instructions)) in job.names.iter().zip(count(&built.driver, &job.names, job.size)?) {
        if let Some(wanted) = workload(name).map(|workload| workload.answer(job.size))
            && !same_answer(&wanted, &answer)
        {
            let text = format!("the answer is {answer}, not {wanted}");
            return Err(Failure::Measurement { what: format!("{name} at {}", job.size), text });
        }
        counts.push(Count { name, size: job.size, instructions });
    }
    Ok(counts)
}

/// The answers of these subjects of the driver at a size, and the instructions of each.
pub(crate) fn count(driver: &Path, names: &[&str], size: u64) -> Result<Vec<(serde_json::Value, u64)>, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::file(&std::env::temp_dir()))?;
    let out = folder.path().join("out");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={REGION}")).arg(format!("--dump-after={REGION}"));
    command.arg(format!("--callgrind-out-file={}", out.display()));
    command.arg(driver).arg("count").arg(size.to_string()).args(names);
    let answers: Vec<serde_json::Value> = tool::json(command)?;
    // The dumps are numbered in the order in which the region was left.
    let dumps = (1..).map(|number: usize| total(&out.with_extension(number.to_string())));
    answers.into_iter().zip(dumps).map(|(answer, instructions)| Ok((answer, instructions?))).collect()
}

/// The count of a dump.
fn total(path: &Path) -> Result<u64, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::file(path))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).and_then(|total| total.trim().parse().ok());
    let none = || Failure::Measurement {
        what: path.display().to_string(),
        text: "callgrind wrote no total above 0".to_owned(),
    };
    total.filter(|total| *total > 0).ok_or_else(none)
}
