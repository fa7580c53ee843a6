//! Growth curves: instructions of a workload at sizes that grow by a factor of ten, counted by callgrind.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use ptc_tests::bench::workload;
use serde_json::Value as Json;

use super::target::{CurveOf, Group};
use super::times::need_answer;
use super::tool::{self, Built};
use crate::Failure;

/// The allowed growth of instructions when the size is ten times as large: n log n, with some margin.
pub(crate) const ALLOWED: f64 = 14.0;

/// The function of the driver that is counted.
const REGION: &str = "bench_driver::counted_region";

/// How instructions grow with size.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    pub(super) of: CurveOf,
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
pub(super) fn measure(groups: &[Group], built: &Built, largest: u64) -> Result<Vec<Curve>, Failure> {
    need_valgrind("Install it, or leave growth out with `--quick`")?;
    let jobs = groups.iter().flat_map(|Group { sizes, curves }| {
        let names: Vec<String> = curves.iter().map(|curve| curve.name.clone()).collect();
        sizes.iter().filter(move |size| **size <= largest).map(move |size| Job { names: names.clone(), size: *size })
    });
    let counts = count_all(&built.driver, jobs.collect())?;
    for Count { name, size, answer, .. } in &counts {
        let wanted = workload(name).map(|workload| workload.answer(*size));
        need_answer(&format!("{name} at {size}"), wanted.as_ref(), answer)?;
    }
    let curve = |of: &CurveOf| {
        let own = counts.iter().filter(|count| count.name == of.name);
        let mut points: Vec<(u64, u64)> = own.map(|count| (count.size, count.instructions)).collect();
        points.sort_unstable();
        Curve { of: of.clone(), points }
    };
    Ok(groups.iter().flat_map(|group| &group.curves).map(curve).collect())
}

/// Errors when valgrind is not installed, with what to do then.
pub(crate) fn need_valgrind(otherwise: &str) -> Result<(), Failure> {
    let text =
        format!("valgrind is not installed; growth is counted in instructions, which only it can do. {otherwise}");
    let found = tool::output(tool::command(Path::new("valgrind"), &["--version"]));
    found.map(drop).map_err(|_| Failure::measured("counting instructions", text))
}

/// One run of the driver under callgrind: its subjects, and their size.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) names: Vec<String>,
    pub(crate) size: u64,
}

/// Answer and instructions of one subject at one size.
#[derive(Debug)]
pub(crate) struct Count {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) instructions: u64,
    answer: Json,
}

/// The number of processors: a count does not depend on what else runs.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Run the jobs, the longest first, as many at a time as there are processors.
pub(crate) fn count_all(driver: &Path, mut jobs: Vec<Job>) -> Result<Vec<Count>, Failure> {
    jobs.sort_by_key(|job| job.size);
    let waiting = Mutex::new(jobs);
    let next = || waiting.lock().ok().and_then(|mut jobs| jobs.pop());
    let work = || {
        let counts = std::iter::from_fn(|| Some(count(driver, next()?)));
        counts.collect::<Result<Vec<_>, _>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..processors()).map(|_| scope.spawn(work)).collect();
        let lost = || Failure::measured("counting instructions", "a thread ended early");
        let parts = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err(lost())));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().flatten().collect())
    })
}

fn count(driver: &Path, job: Job) -> Result<Vec<Count>, Failure> {
    eprintln!("counting at {}: {}", job.size, job.names.join(", "));
    let folder = tempfile::tempdir().map_err(Failure::file(&std::env::temp_dir()))?;
    let out = folder.path().join("out");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={REGION}")).arg(format!("--dump-after={REGION}"));
    command.arg(format!("--callgrind-out-file={}", out.display()));
    command.arg(driver).arg("count").arg(job.size.to_string()).args(&job.names);
    let answers: Vec<Json> = tool::json(command)?;
    let of = |(number, (name, answer)): (usize, (String, Json))| {
        // The dumps are numbered from 1, in the order in which the region was left.
        let instructions = total(&out.with_extension((number + 1).to_string()))?;
        Ok(Count { name, size: job.size, instructions, answer })
    };
    job.names.into_iter().zip(answers).enumerate().map(of).collect()
}

/// The count of a dump.
fn total(path: &Path) -> Result<u64, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::file(path))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).and_then(|total| total.trim().parse().ok());
    let none = || Failure::measured(path.display(), "callgrind wrote no total above 0");
    total.filter(|total| *total > 0).ok_or_else(none)
}
