//! `cargo xtask bench`: how fast everything is, compared with its targets, and how it grows.
//!
//! Every figure of `docs/benchmarks.md` comes from one run of this command. Times are medians of many runs, alternating
//! with CPython's on the same workloads; growth is counted in instructions, which are independent of other load.

pub(crate) mod growth;
mod page;
mod plot;
mod row;
mod sample;
mod target;
#[cfg(test)]
mod tests;
mod times;
pub(crate) mod tool;

use growth::Curve;
use row::{Row, Unit};
use target::{Target, Targets};
use times::{Effort, Python};
use tool::Built;

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
    let mut options = Options { quick: false, check: false, rows: 1_000_000 };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--quick" => options.quick = true,
            "--check" => options.check = true,
            "--rows" => options.rows = words.next().and_then(|rows| rows.parse().ok()).ok_or(Failure::Usage(USAGE))?,
            _ => return Err(Failure::Usage(USAGE)),
        }
    }
    Ok(options)
}

/// Figures without a CPython counterpart: under load, and sizes.
fn other_figures(targets: &Targets, built: &Built, rows: &[Row], options: Options) -> Result<Vec<Row>, Failure> {
    let machine = rows.iter().find(|row| row.of.id == "W3").and_then(|row| row.factor);
    let row = |of: &Target, ours: f64| {
        let factor = machine.filter(|_| of.unit == Unit::Milliseconds);
        Row { of: of.clone(), ours, cpython: None, factor }
    };
    let mut found = Vec::new();
    if let Some(load) = built.load.as_deref().filter(|_| !options.quick) {
        eprintln!("load: 10,000 agents");
        let figures: serde_json::Value = tool::json(tool::command(load, &[]))?;
        for of in &targets.load {
            let figure = number(&figures, of.pointer.as_deref().unwrap_or_default(), &of.id)?;
            found.push(row(of, figure * of.scale.unwrap_or(1.0)));
        }
    }
    let orders: serde_json::Value = tool::json(tool::command(&built.driver, &["memory", "10000"]))?;
    let orders = number(&orders, "/bytes", "memory of the orders")?;
    let program = std::fs::metadata(&built.ptc).map_err(Failure::file(&built.ptc))?.len();
    found.extend(targets.sizes.iter().zip([orders, program as f64]).map(|(of, bytes)| row(of, bytes)));
    Ok(found)
}

fn number(json: &serde_json::Value, pointer: &str, what: &str) -> Result<f64, Failure> {
    let found = json.pointer(pointer).and_then(serde_json::Value::as_f64);
    found.ok_or_else(|| Failure::measured(what, format!("no number at {pointer} of {json}")))
}

/// What `--check` enforces.
fn problems(report: &Report) -> Vec<Problem> {
    let missed = report.rows.iter().filter(|row| row.of.binding && row.ratio() > row::ALLOWED);
    let slow = missed.map(|row| {
        let text = format!(
            "{}: {} is {:.2} times the scaled target of {}, {} are allowed.",
            row.of.id,
            row.of.unit.show(row.ours),
            row.ratio(),
            row.of.unit.show(row.scaled()),
            row::ALLOWED
        );
        Problem::whole(PAGE, text)
    });
    let steep = report.curves.iter().filter(|curve| curve.steepest() > growth::ALLOWED).map(|curve| {
        let text = format!(
            "{}: ten times the size takes {:.1} times the instructions, {} are allowed.",
            curve.of.name,
            curve.steepest(),
            growth::ALLOWED
        );
        Problem::whole(PAGE, text)
    });
    slow.chain(steep).collect()
}
