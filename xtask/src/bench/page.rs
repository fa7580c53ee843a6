//! `docs/benchmarks.md`: the figures as tables, and how to read them.

use std::process::Command;

use super::growth::{self, Curve};
use super::target::{Row, three_digits};
use super::{PAGE, Report, plot, tool};
use crate::codegen::{linked, write_file};
use crate::markdown::{filled, row};
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
    let page = workspace.root().join(PAGE);
    let figures = [
        ("place", place(workspace, report)?),
        ("tables", tables(report)),
        ("ratios", linked(plot::RATIOS).to_owned()),
        ("growth", linked(plot::GROWTH).to_owned()),
        ("kept", kept(&std::fs::read_to_string(&page).unwrap_or_default())),
    ];
    write_file(&page, &filled(TEXT, figures))?;
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
    let (processor, cores, system, python) = (processor(), growth::processors(), std::env::consts::OS, &report.python);
    Ok(format!(
        "{date} · commit {commit} · {processor}, {cores} cores, {system} · {compiler}, release profile · {python}"
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
    let labels = ["ours", "CPython here", "factor", "target", "scaled target", "ratio"];
    let mut text = format!(
        "## Compared with the targets\n\n| | what | {} | |\n|---|---|{}---|\n",
        labels.join(" | "),
        "--:|".repeat(labels.len())
    );
    text.extend(report.rows.iter().map(line));
    if !report.curves.is_empty() {
        text += "\n## Growth\n\nMillions of instructions at n, and the steepest growth from one size to the next, ten times as large.\n\n";
        text += "| | n = 10 | 100 | 1,000 | 10,000 | 100,000 | 1,000,000 | steepest | |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n";
        text.extend(report.curves.iter().map(growth_line));
    }
    text
}

fn line(figure: &Row) -> String {
    let (of, absent) = (&figure.of, || "–".to_owned());
    row([
        of.id.clone(),
        of.title.clone(),
        of.unit.show(figure.ours),
        figure.cpython.map_or_else(absent, |figure| of.unit.show(figure)),
        figure.factor.map_or_else(absent, three_digits),
        of.unit.show(of.target),
        of.unit.show(figure.scaled()),
        three_digits(figure.ratio()),
        figure.verdict().to_owned(),
    ])
}

fn growth_line(curve: &Curve) -> String {
    let at = |size: u64| curve.points.iter().find(|(known, _)| *known == size);
    let millions = |(_, instructions): &(u64, u64)| three_digits(*instructions as f64 / 1e6);
    let cells = (1..=6).map(|power| at(10_u64.pow(power)).map(millions).unwrap_or_default());
    let verdict = if curve.steepest() <= growth::ALLOWED { "n log n or better" } else { "too steep" };
    let ends = [three_digits(curve.steepest()), verdict.to_owned()];
    row([curve.of.title.clone()].into_iter().chain(cells).chain(ends))
}
