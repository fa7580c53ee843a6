//! `docs/benchmarks.md`: the figures as tables, and how to read them.

use std::process::Command;

use super::growth::{self, Curve};
use super::row::{Row, three_digits};
use super::{PAGE, Report, plot, tool};
use crate::codegen::{linked, with_figures, write_file};
use crate::{Failure, Workspace};

/// What is written by hand, before and after the figures.
const TEXT: &str = include_str!("page.md");

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
    let figures = format!("{}\n{}\n{plots}\n{kept}", place(workspace, report)?, tables(report));
    let text = with_figures(TEXT, &figures);
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
    Ok(format!(
        "{date} · commit {commit} · {}, {} cores, {} · {compiler}, release profile · {}\n",
        processor(),
        growth::processors(),
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
        row.of.id,
        row.of.title,
        row.of.unit.show(row.ours),
        row.cpython.map_or_else(absent, |figure| row.of.unit.show(figure)),
        row.factor.map_or_else(absent, three_digits),
        row.of.unit.show(row.of.target),
        row.of.unit.show(row.scaled()),
        three_digits(row.ratio()),
        row.verdict()
    )
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
        let title = &curve.of.title;
        text.push_str(&format!(
            "| {title} | {} | {} | {verdict} |\n",
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
