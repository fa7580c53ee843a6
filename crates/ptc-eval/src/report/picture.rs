//! Pass rates with their intervals and tokens of a run, for each way of asking, as a picture in SVG.

use std::fmt::Write;

use ptc_compression::words::grouped;
use ptc_trace::markup_text;

use super::Report;
use super::figures::Figures;

/// Pixels: the names, each of both parts, the gap between them, a line, and what is above and below the lines.
const NAMES: f64 = 230.0;
const PART: f64 = 320.0;
const GAP: f64 = 40.0;
const LINE: f64 = 30.0;
const TOP: f64 = 44.0;
const BELOW: f64 = 26.0;

/// Characters of a name.
const MAX_NAME: usize = 34;

/// The picture, or nothing without figures.
pub(super) fn of(reports: &[Report]) -> String {
    let ways: Vec<(String, &Figures)> =
        reports.iter().filter_map(|report| Some((report.way(), report.figures.as_ref()?))).collect();
    if ways.is_empty() {
        return String::new();
    }
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = draw(&mut svg, &ways);
    svg
}

fn draw(svg: &mut String, ways: &[(String, &Figures)]) -> std::fmt::Result {
    let (width, height) = (NAMES + 2.0 * PART + GAP + 80.0, TOP + LINE * ways.len() as f64 + BELOW);
    let title = "Pass rates with 95 % intervals, and tokens of a run, for each way of asking";
    writeln!(
        svg,
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\">\n<title>{title}</title>"
    )?;
    let (rates, tokens) = (NAMES, NAMES + PART + GAP);
    text(svg, (rates, 18.0), "start", "", "passed runs, with 95 % interval")?;
    legend(svg, tokens)?;
    let bottom = height - BELOW;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = rates + PART * share;
        writeln!(svg, "<line x1=\"{x:.1}\" y1=\"{TOP:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" class=\"grid\"/>")?;
        text(svg, (x, bottom + 16.0), "middle", "note", &format!("{:.0} %", share * 100.0))?;
    }
    let most = ways.iter().map(|(_, figures)| all_tokens(figures)).fold(1.0, f64::max);
    for (place, (name, figures)) in ways.iter().enumerate() {
        let y = TOP + LINE * (place as f64 + 0.5);
        let name: String = name.chars().take(MAX_NAME).collect();
        text(svg, (NAMES - 12.0, y + 4.0), "end", "", &name)?;
        rate(svg, figures, (rates, y))?;
        bar(svg, figures, (tokens, y), PART / most)?;
    }
    writeln!(svg, "</svg>")
}

fn rate(svg: &mut String, figures: &Figures, (left, y): (f64, f64)) -> std::fmt::Result {
    let at = |share: f64| left + PART * share;
    if let Some(interval) = figures.pass_rate.interval {
        let (low, high) = (at(interval.low), at(interval.high));
        writeln!(svg, "<line x1=\"{low:.1}\" y1=\"{y:.1}\" x2=\"{high:.1}\" y2=\"{y:.1}\" class=\"mark\"/>")?;
    }
    writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\" class=\"dot\"/>", at(figures.pass_rate.value))
}

/// Cached input, other input, and output, one after the other.
fn bar(svg: &mut String, figures: &Figures, (left, y): (f64, f64), scale: f64) -> std::fmt::Result {
    let (cached, output) = (figures.cached_tokens.value, figures.output_tokens.value);
    let parts = [("cached", cached), ("new", figures.input_tokens.value - cached), ("out", output)];
    let mut x = left;
    for (class, tokens) in parts {
        let width = (tokens * scale).max(0.0);
        let top = y - 8.0;
        writeln!(svg, "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"16\" class=\"{class}\"/>")?;
        x += width;
    }
    // A mean of counts: it is never negative, and far below the limit of integers.
    text(svg, (x + 6.0, y + 4.0), "start", "note", &grouped(all_tokens(figures).round() as u64))
}

fn all_tokens(figures: &Figures) -> f64 {
    figures.input_tokens.value + figures.output_tokens.value
}

fn legend(svg: &mut String, left: f64) -> std::fmt::Result {
    text(svg, (left, 18.0), "start", "", "tokens of a run:")?;
    let mut x = left + 100.0;
    for (class, name) in [("cached", "cached"), ("new", "other input"), ("out", "output")] {
        writeln!(svg, "<rect x=\"{x:.1}\" y=\"9\" width=\"10\" height=\"10\" class=\"{class}\"/>")?;
        text(svg, (x + 14.0, 18.0), "start", "note", name)?;
        x += 24.0 + 6.5 * name.len() as f64;
    }
    Ok(())
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) -> std::fmt::Result {
    let text = markup_text(text);
    writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>")
}
