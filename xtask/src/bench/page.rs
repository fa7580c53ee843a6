//! `docs/benchmarks.md`: the figures as tables, and how to read them.

use std::process::Command;

use super::growth::{self, Curve};
use super::peers::{COMPARED, Peer, of_rows};
use super::row::{Row, Unit, three_digits};
use super::{PAGE, Report, plot, tool};
use crate::codegen::write_file;
use crate::{Failure, Workspace};

const HEAD: &str = "\
# Benchmarks

Written by `cargo xtask bench`, all figures in one run; not edited by hand, apart from the section on many machines. How the machine reached these figures is in
[decisions/performance.md](decisions/performance.md).
";

const READING: &str = "\
## How to read this

* **ours** and **CPython** are medians of many whole runs, over data that is in memory already; programs start from source
  text, in a separate session. They are processor times of the one thread that works, so that other load on the machine
  counts little, and both take turns in short rounds. W9 is the time that passes, since a process is more than one thread.
* **factor**: the targets were set on another machine. Each is multiplied by what CPython takes here divided by what it took
  there on the same workload, on W3 where CPython has no such workload. Sizes are not scaled.
* **ratio** is our figure divided by the scaled target: up to 1 the target is met. `cargo xtask bench --check` fails when a
  workload from W2 to W7 is above 1.3, or when ten times the size takes more than 14 times the instructions.
* Growth is counted in instructions by `valgrind --tool=callgrind`, inside the driver and around the run alone: making the
  data is not counted. n log n from a thousand to ten thousand is a factor of 13.3.

The programs are in `tests/bench/programs`, the data in `tests/src/bench/data.rs`, CPython's side in
`tests/bench/peers/cpython.py`. Each answer is compared with one computed in Rust before its time is believed.
";

/// The section that is not measured here: `tests/durable/run` needs an engine.
const KEPT: &str = "## Many machines\n";

/// Write the page and its plots.
pub(super) fn write(workspace: &Workspace, report: &Report) -> Result<(), Failure> {
    for (path, text) in plot::all(report) {
        write_file(&workspace.root().join(path), &text)?;
    }
    let plots = format!(
        "![Figures divided by their targets]({})\n\n![Instructions over size]({})\n",
        linked(plot::RATIOS),
        linked(plot::GROWTH)
    );
    let page = workspace.root().join(PAGE);
    let kept = kept(&std::fs::read_to_string(&page).unwrap_or_default());
    let text = format!("{HEAD}\n{}\n{}\n{plots}\n{kept}{READING}", place(workspace, report)?, tables(report));
    write_file(&page, &text)?;
    println!("wrote {PAGE}");
    Ok(())
}

/// The section of the page that is kept unchanged.
pub(super) fn kept(page: &str) -> String {
    let Some((_, section)) = page.split_once(KEPT) else { return String::new() };
    let end = section.find("\n## ").map_or(section.len(), |end| end + 1);
    format!("{KEPT}{}", section.get(..end).unwrap_or(section))
}

/// The link of the page to a file below `docs/`.
fn linked(path: &str) -> &str {
    path.trim_start_matches("docs/")
}

/// Where, when and with what it was measured.
fn place(workspace: &Workspace, report: &Report) -> Result<String, Failure> {
    let ask = |program: &str, words: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(workspace.root()).args(words);
        tool::output(command).map(|text| text.trim().to_owned())
    };
    let commit = ask("git", &["describe", "--always", "--dirty", "--exclude=*"])?;
    let compiler = ask("rustc", &["--version"])?;
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!(
        "{date} · commit {commit} · {}, {processors} cores, {} · {compiler}, release profile · {}\n",
        processor(),
        std::env::consts::OS,
        report.python
    ))
}

/// The name of the processor, from Linux.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")).and_then(|line| line.split_once(':'));
    name.map_or_else(|| format!("a processor of kind {}", std::env::consts::ARCH), |(_, name)| name.trim().to_owned())
}

/// The tables without the surrounding text.
pub(super) fn tables(report: &Report) -> String {
    let mut text = String::from("## Compared with the targets\n\n");
    text.push_str("| | what | ours | CPython here | factor | target | scaled target | ratio | |\n|---|---|--:|--:|--:|--:|--:|--:|---|\n");
    report.rows.iter().for_each(|row| text.push_str(&line(row)));
    if !report.peers.is_empty() {
        text.push('\n');
        text.push_str(&peer_table(&report.rows, &report.peers));
    }
    if !report.curves.is_empty() {
        text.push('\n');
        text.push_str(&growth_table(&report.curves));
    }
    text
}

fn line(row: &Row) -> String {
    let absent = || "–".to_owned();
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        row.id,
        row.title,
        row.unit.show(row.ours),
        row.cpython.map_or_else(absent, |figure| row.unit.show(figure)),
        row.factor.map_or_else(absent, three_digits),
        row.unit.show(row.target),
        row.unit.show(row.scaled()),
        three_digits(row.ratio()),
        row.verdict()
    )
}

fn peer_table(rows: &[Row], peers: &[Peer]) -> String {
    let mut text = String::from("## Compared with other languages\n\n");
    text.push_str("Medians of the same workloads, right after those above. Languages whose tables can be changed change them in place;\n");
    text.push_str("W1 is a new interpreter for each program. Monty runs in a separate process; its time is the elapsed time, both ways included.\n\n");
    text.push_str(&format!("| | {} |\n|---|{}\n", COMPARED.join(" | "), "--:|".repeat(COMPARED.len())));
    for peer in of_rows(rows).iter().chain(peers) {
        let cells: Vec<String> = peer
            .medians
            .iter()
            .map(|figure| figure.map_or_else(String::new, |ms| Unit::Milliseconds.show(ms)))
            .collect();
        text.push_str(&format!("| {} | {} |\n", peer.name, cells.join(" | ")));
    }
    text
}

fn growth_table(curves: &[Curve]) -> String {
    let mut text = String::from("## Growth\n\n");
    text.push_str(
        "Millions of instructions at n, and the steepest growth from one size to the next, ten times as large.\n\n",
    );
    text.push_str("| | n = 10 | 100 | 1,000 | 10,000 | 100,000 | 1,000,000 | steepest | |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for curve in curves {
        let cells: Vec<String> = (1..=6).map(|power| cell(curve, 10_u64.pow(power))).collect();
        let verdict = if curve.steepest() <= growth::ALLOWED { "n log n or better" } else { "too steep" };
        let name = if curve.name == curve.title { curve.name.to_owned() } else { curve.title.to_owned() };
        text.push_str(&format!(
            "| {name} | {} | {} | {verdict} |\n",
            cells.join(" | "),
            three_digits(curve.steepest())
        ));
    }
    text
}

fn cell(curve: &Curve, size: u64) -> String {
    let found = curve.points.iter().find(|(known, _)| *known == size);
    found.map(|(_, instructions)| three_digits(*instructions as f64 / 1e6)).unwrap_or_default()
}
