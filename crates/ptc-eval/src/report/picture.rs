//! Pass rates with their intervals and tokens of a run, for each way of asking, as a picture.

use ptc_compression::words::grouped;
use ptc_trace::{Anchor, Picture};

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
    let variants: Vec<(String, &Figures)> =
        reports.iter().filter_map(|report| Some((report.way.clone(), report.figures.as_ref()?))).collect();
    if variants.is_empty() {
        return String::new();
    }
    draw(&variants)
}

fn draw(variants: &[(String, &Figures)]) -> String {
    let (width, height) = (NAMES + 2.0 * PART + GAP + 80.0, TOP + LINE * variants.len() as f64 + BELOW);
    let title = "Pass rates with 95 % intervals, and tokens of a run, for each way of asking";
    let mut picture = Picture::inside(width, height, title);
    let (rates, tokens) = (NAMES, NAMES + PART + GAP);
    picture.text((rates, 18.0), Anchor::Start, "", "passed runs, with 95 % interval");
    picture.text((tokens, 18.0), Anchor::Start, "", "tokens of a run:");
    let mut key = tokens + 100.0;
    for (class, name) in [("cached", "cached"), ("new", "other input"), ("out", "output")] {
        key = picture.key((key, 18.0), class, name);
    }
    let bottom = height - BELOW;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = rates + PART * share;
        picture.line((x, TOP), (x, bottom), "grid");
        picture.text((x, bottom + 16.0), Anchor::Middle, "note", &format!("{:.0} %", share * 100.0));
    }
    let most = variants.iter().map(|(_, figures)| all_tokens(figures)).fold(1.0, f64::max);
    for (place, (name, figures)) in variants.iter().enumerate() {
        let y = TOP + LINE * (place as f64 + 0.5);
        let name: String = name.chars().take(MAX_NAME).collect();
        picture.text((NAMES - 12.0, y + 4.0), Anchor::End, "", &name);
        let at = |share: f64| rates + PART * share;
        if let Some(interval) = figures.pass_rate.interval {
            picture.line((at(interval.low), y), (at(interval.high), y), "mark");
        }
        picture.dot((at(figures.pass_rate.value), y), 5.0, "dot");
        bar(&mut picture, figures, (tokens, y), PART / most);
    }
    picture.finish()
}

/// Cached input, other input, and output, one after the other.
fn bar(picture: &mut Picture, figures: &Figures, (mut x, y): (f64, f64), scale: f64) {
    let (cached, output) = (figures.cached_tokens.value, figures.output_tokens.value);
    let parts = [("cached", cached), ("new", figures.input_tokens.value - cached), ("out", output)];
    for (class, tokens) in parts {
        let width = (tokens * scale).max(0.0);
        picture.rectangle((x, y - 8.0), (width, 16.0), class);
        x += width;
    }
    // A mean of counts: it is never negative, and far below the limit of integers.
    picture.text((x + 6.0, y + 4.0), Anchor::Start, "note", &grouped(all_tokens(figures).round() as u64));
}

fn all_tokens(figures: &Figures) -> f64 {
    figures.input_tokens.value + figures.output_tokens.value
}
