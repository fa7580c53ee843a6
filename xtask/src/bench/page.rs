//! `docs/benchmarks.md`: the figures as tables, and how to read them.

use std::process::Command;

use super::growth::{self, Curve};
use super::target::{ALLOWED, Row, three_digits};
use super::{PAGE, Report, tool};
use crate::codegen::{linked, write_file};
use crate::markdown::{filled, row};
use crate::{Failure, Workspace};
use ptc_compression::words::grouped;
use ptc_trace::{Anchor, Picture};

/// Where the plots are, relative to the workspace root.
const RATIOS: &str = "docs/benchmarks/ratios.svg";
const GROWTH: &str = "docs/benchmarks/growth.svg";

/// What is written by hand, around the figures.
const TEXT: &str = include_str!("page.md");

/// The section that is not measured here: `tests/durable/run` needs an engine.
const KEPT: &str = "## Many machines\n";

/// Write the page and its plots.
pub(super) fn write(workspace: &Workspace, report: &Report) -> Result<(), Failure> {
    for (path, text) in plots(report) {
        write_file(&workspace.root().join(path), &text)?;
    }
    let page = workspace.root().join(PAGE);
    let figures = [
        ("place", place(workspace, report)?),
        ("tables", tables(report)),
        ("ratios", linked(RATIOS).to_owned()),
        ("growth", linked(GROWTH).to_owned()),
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

/// All plots: paths relative to the workspace root, with their texts.
pub(super) fn plots(report: &Report) -> [(&str, String); 2] {
    [(RATIOS, ratios(&report.rows)), (GROWTH, growth(&report.curves))]
}

/// The plot of ratios: pixels for a factor of ten, the powers of ten that it shows, and the height of a bar.
const DECADE: f64 = 130.0;
const DECADES: (f64, f64) = (-2.0, 1.0);
const BAR: f64 = 24.0;
/// The width of the labels of figures, in pixels: that of the longest one.
const CHARACTER: f64 = 7.2;

/// A bar for each figure, from its target to its value, on a logarithmic scale.
fn ratios(rows: &[Row]) -> String {
    let (top, names) = (82.0, rows.iter().map(name).collect::<Vec<_>>());
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = 12.0 + CHARACTER * longest as f64;
    let bottom = top + BAR * rows.len() as f64;
    let width = DECADE * (DECADES.1 - DECADES.0);
    let x = |ratio: f64| left + DECADE * (ratio.log10().clamp(DECADES.0, DECADES.1) - DECADES.0);
    let (target, allowed) = (x(1.0), x(ALLOWED));
    let mut picture = Picture::new(left + width + 60.0, bottom + 54.0, "Figure ÷ scaled target: left of 1 is better");
    picture.key((8.0, 52.0), "met", "target met");
    picture.key((130.0, 52.0), "near", "up to 1.3 times the target, which is allowed");
    picture.key((430.0, 52.0), "missed", "missed");
    for ratio in [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0] {
        picture.line((x(ratio), top), (x(ratio), bottom), "grid");
        picture.text((x(ratio), bottom + 18.0), Anchor::Middle, "note", &ratio.to_string());
    }
    let axis = "figure ÷ scaled target, logarithmic scale";
    picture.text((left + width / 2.0, bottom + 40.0), Anchor::Middle, "note", axis);
    for (place, (row, name)) in rows.iter().zip(&names).enumerate() {
        let y = top + BAR * place as f64;
        let (ratio, at) = (row.ratio(), x(row.ratio()));
        let class = if ["met", "missed"].contains(&row.verdict()) { row.verdict() } else { "near" };
        picture.text((left - 10.0, y + 16.0), Anchor::End, "label", name);
        picture.rectangle((at.min(target), y + 4.0), ((at - target).abs(), BAR - 8.0), class);
        // If a bar leaves no space, its number is on the other side of the target.
        let (place, anchor) = match ratio <= 1.0 {
            true if at - 5.0 >= left + 30.0 => (at - 5.0, Anchor::End),
            true => (allowed + 5.0, Anchor::Start),
            false => (at.max(allowed) + 5.0, Anchor::Start),
        };
        picture.text((place, y + 16.0), anchor, "label", &three_digits(ratio));
    }
    picture.line((target, top - 6.0), (target, bottom), "mark");
    picture.line((allowed, top - 6.0), (allowed, bottom), "mark");
    picture.finish()
}

/// The label of a figure: its name, and what it measures.
fn name(row: &Row) -> String {
    let id = row.of.id.replace('`', "");
    row.of.short.as_ref().map_or(id.clone(), |short| format!("{id}: {short}"))
}

/// The area of the growth plot, and its axes in powers of ten.
const LEFT: f64 = 112.0;
const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 360.0;
const TOP: f64 = 48.0;

/// Instructions over size, both logarithmic, so that a slope of 1 is linear.
fn growth(curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = powers(points().map(|(size, _)| *size));
    let counts = powers(points().map(|(_, count)| *count));
    let x = |size: u64| LEFT + WIDTH * share((size as f64).log10(), sizes);
    let y = |count: u64| TOP + HEIGHT * (1.0 - share((count as f64).log10(), counts));
    let title = "Instructions over size: ten times up for ten times right is linear";
    let mut picture = Picture::new(LEFT + WIDTH + 310.0, TOP + HEIGHT + 62.0, title);
    for power in sizes.0..=sizes.1 {
        let at = x(10_u64.saturating_pow(power));
        picture.line((at, TOP), (at, TOP + HEIGHT), "grid");
        picture.text((at, TOP + HEIGHT + 20.0), Anchor::Middle, "note", &power_of_ten(power));
    }
    for power in counts.0..=counts.1 {
        let at = y(10_u64.saturating_pow(power));
        picture.line((LEFT, at), (LEFT + WIDTH, at), "grid");
        picture.text((LEFT - 8.0, at + 4.0), Anchor::End, "note", &power_of_ten(power));
    }
    let axis = "size: elements, or turns of a run (logarithmic)";
    picture.text((LEFT + WIDTH / 2.0, TOP + HEIGHT + 44.0), Anchor::Middle, "note", axis);
    picture.upwards((20.0, TOP + HEIGHT / 2.0), "instructions (logarithmic)");
    let mut ends: Vec<((f64, f64), usize)> = Vec::new();
    for (place, curve) in curves.iter().enumerate() {
        let line: Vec<(f64, f64)> = curve.points.iter().map(|(size, count)| (x(*size), y(*count))).collect();
        picture.polyline(&line, place);
        ends.extend(line.last().map(|end| (*end, place)));
    }
    labels(&mut picture, curves, ends);
    picture.finish()
}

/// The names of the curves in a column, in the order in which the curves end, at least a line apart; dotted lines lead
/// to them from curves that end before.
fn labels(picture: &mut Picture, curves: &[Curve], mut ends: Vec<((f64, f64), usize)>) {
    const LINE: f64 = 18.0;
    ends.sort_by(|((_, left), _), ((_, right), _)| left.total_cmp(right));
    let mut last = TOP - LINE;
    for ((x, y), place) in ends {
        let name = curves.get(place).map_or("", |curve| curve.of.short.as_str());
        last = y.max(last + LINE);
        picture.line((x + 6.0, y), (LEFT + WIDTH + 34.0, last), "lead");
        picture.series_key((LEFT + WIDTH + 38.0, last + 4.0), place, name);
    }
}

/// The powers of ten around the numbers; from 1 to 10 around none.
fn powers(numbers: impl Iterator<Item = u64>) -> (u32, u32) {
    let numbers: Vec<u64> = numbers.filter(|number| *number > 0).collect();
    let [low, high] = [numbers.iter().min(), numbers.iter().max()].map(|end| end.copied().unwrap_or(1));
    let above = high.ilog10() + u32::from(high != 10_u64.saturating_pow(high.ilog10()));
    (low.ilog10(), above.max(low.ilog10() + 1))
}

/// The position of a logarithm between two powers: 0 to 1.
fn share(logarithm: f64, (low, high): (u32, u32)) -> f64 {
    (logarithm - f64::from(low)) / f64::from(high - low)
}

/// `1,000` up to a million, and `10⁹` beyond.
fn power_of_ten(power: u32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let superscript = |digit: char| digits.get(digit.to_digit(10)? as usize);
    match power {
        0..=6 => grouped(10_u64.pow(power)),
        _ => format!("10{}", power.to_string().chars().filter_map(superscript).collect::<String>()),
    }
}
