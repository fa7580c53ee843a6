//! The plots beside the page, as SVG: text and lines, so that a difference can be read in a review.

use std::path::PathBuf;

use super::Report;
use super::growth::Curve;
use super::row::{ALLOWED, Row, three_digits};
use crate::svg::{Anchor, Svg};

/// Where the plots are, relative to the workspace root.
pub(super) const RATIOS: &str = "docs/benchmarks/ratios.svg";
pub(super) const GROWTH: &str = "docs/benchmarks/growth.svg";

/// All plots: paths relative to the workspace root, with their texts.
pub(super) fn all(report: &Report) -> Vec<(PathBuf, String)> {
    vec![(PathBuf::from(RATIOS), ratios(&report.rows)), (PathBuf::from(GROWTH), growth(&report.curves))]
}

/// Bars of a plot: how long one is for a ratio of 1, and the longest.
const UNIT: f64 = 220.0;
const LONGEST: f64 = 2.0;
const BAR: f64 = 26.0;
const LEFT: f64 = 90.0;

/// A bar for each figure, and lines at 1 and at what is allowed.
fn ratios(rows: &[Row]) -> String {
    let top = 40.0;
    let bottom = top + BAR * rows.len() as f64;
    let mut svg = Svg::new(LEFT + UNIT * LONGEST + 60.0, bottom + 30.0, "Figures divided by their scaled targets");
    svg.text(8.0, 22.0, Anchor::Start, "title", "Figure ÷ scaled target (shorter is better)");
    for (place, row) in rows.iter().enumerate() {
        let y = top + BAR * place as f64;
        let ratio = row.ratio();
        let length = UNIT * ratio.min(LONGEST);
        let class = if ratio <= 1.0 { "met" } else { "missed" };
        svg.text(LEFT - 8.0, y + 16.0, Anchor::End, "label", &row.id.replace('`', ""));
        svg.rectangle(LEFT, y + 4.0, length, BAR - 8.0, class);
        // A bar that would be too long ends at the edge; its number says how far it would go.
        svg.text(LEFT + length + 6.0, y + 16.0, Anchor::Start, "label", &three_digits(ratio));
    }
    for (ratio, label) in [(1.0, "target"), (ALLOWED, "allowed")] {
        let x = LEFT + UNIT * ratio;
        svg.line((x, top), (x, bottom), "mark");
        svg.text(x, bottom + 16.0, Anchor::Middle, "label", label);
    }
    svg.finish()
}

/// The area of the growth plot, and its axes in powers of ten.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 360.0;
const TOP: f64 = 40.0;

/// Instructions over size, both logarithmic, so that a slope of 1 is linear.
fn growth(curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = powers(points().map(|(size, _)| *size));
    let counts = powers(points().map(|(_, count)| *count));
    let x = |size: u64| LEFT + WIDTH * share((size as f64).log10(), sizes);
    let y = |count: u64| TOP + HEIGHT * (1.0 - share((count as f64).log10(), counts));
    let mut svg = Svg::new(LEFT + WIDTH + 170.0, TOP + HEIGHT + 50.0, "Instructions over size");
    svg.text(8.0, 22.0, Anchor::Start, "title", "Instructions over size");
    for power in sizes.0..=sizes.1 {
        let at = x(10_u64.saturating_pow(power));
        svg.line((at, TOP), (at, TOP + HEIGHT), "grid");
        svg.text(at, TOP + HEIGHT + 18.0, Anchor::Middle, "label", &power_of_ten(power));
    }
    for power in counts.0..=counts.1 {
        let at = y(10_u64.saturating_pow(power));
        svg.line((LEFT, at), (LEFT + WIDTH, at), "grid");
        svg.text(LEFT - 8.0, at + 4.0, Anchor::End, "label", &power_of_ten(power));
    }
    let mut ends: Vec<(f64, usize)> = Vec::new();
    for (place, curve) in curves.iter().enumerate() {
        let line: Vec<(f64, f64)> = curve.points.iter().map(|(size, count)| (x(*size), y(*count))).collect();
        svg.polyline(&line, place);
        ends.extend(line.last().map(|(_, y)| (*y, place)));
    }
    labels(&mut svg, curves, ends);
    svg.finish()
}

/// The names of the curves in a column, in the order in which the curves end, never closer than a line.
fn labels(svg: &mut Svg, curves: &[Curve], mut ends: Vec<(f64, usize)>) {
    const LINE: f64 = 16.0;
    ends.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    let mut last = TOP - LINE;
    for (y, place) in ends {
        let name = curves.get(place).map_or("", |curve| curve.name);
        last = y.max(last + LINE);
        svg.series_label(LEFT + WIDTH + 10.0, last + 4.0, place, name);
    }
}

/// The powers of ten around the numbers; from 1 to 10 around none.
fn powers(numbers: impl Iterator<Item = u64>) -> (u32, u32) {
    let (low, high) = numbers
        .filter(|number| *number > 0)
        .fold((u64::MAX, 1), |(low, high), number| (low.min(number), high.max(number)));
    let low = low.min(high).ilog10();
    let high = if high == 10_u64.saturating_pow(high.ilog10()) { high.ilog10() } else { high.ilog10() + 1 };
    (low, high.max(low + 1))
}

/// Where a logarithm stands between two powers: 0 to 1.
fn share(logarithm: f64, (low, high): (u32, u32)) -> f64 {
    (logarithm - f64::from(low)) / f64::from(high - low)
}

/// `1,000` up to a million, and `10⁹` beyond.
fn power_of_ten(power: u32) -> String {
    match power {
        0..=6 => {
            let digits = 10_u64.pow(power).to_string();
            let groups: Vec<&str> =
                digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
            groups.join(",")
        }
        _ => format!("10{}", power.to_string().chars().map(superscript).collect::<String>()),
    }
}

fn superscript(digit: char) -> char {
    let known = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).and_then(|digit| known.get(digit as usize)).copied().unwrap_or(digit)
}
