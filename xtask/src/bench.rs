//! `cargo xtask bench`: how fast everything is, compared with its targets, and how it grows.
//!
//! Every figure of `docs/benchmarks.md` comes from one run of this command. Times are medians of many runs, alternating
//! with CPython's on the same workloads; growth is counted in instructions, which are independent of other load.

pub(crate) mod growth;
mod page;
mod target;
#[cfg(test)]
mod tests;
mod times;
pub(crate) mod tool;

use serde_json::Value as Json;

use growth::Curve;
use target::{Row, Target, Targets, Unit};
pub(crate) use times::median;
use times::{Effort, Python};
use tool::Built;

use crate::words::Words;
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/benchmarks.md";

const USAGE: &str = "\
usage: cargo xtask bench [--quick] [--check] [--rows N]

  --quick   times only, in short rounds; prints the table and writes nothing
  --check   fail when a binding target is missed or something grows faster than n log n
  --rows N  count instructions up to this size; a million when not given, which takes a quarter of an hour";

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Options {
    quick: bool,
    check: bool,
    /// The largest size at which instructions are counted.
    rows: u64,
}

/// Everything that one run measured.
#[derive(Debug)]
struct Report {
    rows: Vec<Row>,
    curves: Vec<Curve>,
    python: String,
}

/// Build, measure, and write the page.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let options = options(words)?;
    let targets = Targets::read()?;
    let python = Python::find(workspace)?;
    let built = tool::build(workspace)?;
    let effort = if options.quick { Effort { rounds: 3, seconds: 0.2 } } else { Effort { rounds: 9, seconds: 0.7 } };
    let mut rows = times::measure(&targets, &built, &python, effort)?;
    rows.extend(other_figures(&targets, &built, &rows, options)?);
    let curves = if options.quick { Vec::new() } else { growth::measure(&targets.growth, &built, options.rows)? };
    let report = Report { rows, curves, python: python.version };
    print!("{}", page::tables(&report));
    if !options.quick {
        page::write(workspace, &report)?;
    }
    Ok(if options.check { problems(&report) } else { Vec::new() })
}

fn options(words: &[&str]) -> Result<Options, Failure> {
    let mut words = Words::of(words, USAGE);
    let rows = words.value("--rows")?.unwrap_or(1_000_000);
    let options = Options { quick: words.flag("--quick"), check: words.flag("--check"), rows };
    words.end().map(|()| options)
}

/// Figures without a CPython counterpart: under load, and sizes.
fn other_figures(targets: &Targets, built: &Built, rows: &[Row], options: Options) -> Result<Vec<Row>, Failure> {
    let machine = rows.iter().find(|row| row.of.id == "W3").and_then(|row| row.factor);
    let row = |of: &Target, ours: f64| {
        let factor = machine.filter(|_| of.unit == Unit::Milliseconds);
        Row { of: of.clone(), ours, cpython: None, factor }
    };
    let mut found = Vec::new();
    if !options.quick {
        eprintln!("load: 10,000 agents");
        let figures: Json = tool::json(tool::command(&built.load, &[]))?;
        for of in &targets.load {
            let figure = number(&figures, of.pointer.as_deref().unwrap_or_default(), &of.id)?;
            found.push(row(of, figure * of.scale.unwrap_or(1.0)));
        }
    }
    let orders =
        number(&tool::json(tool::command(&built.driver, &["memory", "10000"]))?, "/bytes", "memory of the orders")?;
    let program = std::fs::metadata(&built.ptc).map_err(Failure::file(&built.ptc))?.len();
    found.extend(targets.sizes.iter().zip([orders, program as f64]).map(|(of, bytes)| row(of, bytes)));
    Ok(found)
}

fn number(json: &Json, pointer: &str, what: &str) -> Result<f64, Failure> {
    let found = json.pointer(pointer).and_then(Json::as_f64);
    found.ok_or_else(|| Failure::measured(what, format!("no number at {pointer} of {json}")))
}

/// What `--check` enforces.
fn problems(report: &Report) -> Vec<Problem> {
    let mut problems = Vec::new();
    for row in report.rows.iter().filter(|row| row.of.binding && row.ratio() > target::ALLOWED) {
        let [ours, scaled] = [row.ours, row.scaled()].map(|figure| row.of.unit.show(figure));
        let (id, ratio, allowed) = (&row.of.id, row.ratio(), target::ALLOWED);
        let text = format!("{id}: {ours} is {ratio:.2} times the scaled target of {scaled}, {allowed} are allowed.");
        problems.push(Problem::whole(PAGE, text));
    }
    for curve in report.curves.iter().filter(|curve| curve.steepest() > growth::ALLOWED) {
        let (name, steepest, allowed) = (&curve.of.name, curve.steepest(), growth::ALLOWED);
        let text =
            format!("{name}: ten times the size takes {steepest:.1} times the instructions, {allowed} are allowed.");
        problems.push(Problem::whole(PAGE, text));
    }
    problems
}
