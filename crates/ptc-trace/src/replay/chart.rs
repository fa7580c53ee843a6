//! A comparison as a picture, in SVG: text and lines, so that a difference can be read in a review.

use std::fmt::Write as _;

use ptc_compression::words::grouped;

use super::comparison::{Comparison, Measured};
use super::measure::RequestSize;
use crate::markup::markup_text;

/// The area of the lines, in pixels, and its margins.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 92.0;
const TOP: f64 = 44.0;
const BELOW: f64 = 56.0;

/// Height of a line of the legend, and the width of a character of it.
const LINE: f64 = 18.0;
const CHARACTER: f64 = 7.4;

/// Maximum labels on the axis of turns.
const TURN_LABELS: usize = 12;

/// Colours on light and dark backgrounds, also distinguishable without red and green, and dashes for overlapping lines.
const COLOURS: [(&str, &str); 10] = [
    ("#0072b2", "#4da3e0"),
    ("#c77700", "#f0b429"),
    ("#00875f", "#2cc99a"),
    ("#b85c93", "#e79cc6"),
    ("#d55e00", "#ff8a3d"),
    ("#2b8cc4", "#8fd3ff"),
    ("#7a7a00", "#c9c94a"),
    ("#8a5fbf", "#b794f4"),
    ("#5b6770", "#a7b3bd"),
    ("#b04a5a", "#f08a9a"),
];
const DASHES: [&str; 3] = ["none", "7 4", "2 4"];

const LIGHT: &str = "text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px;font-weight:600}\
.note{font-size:12px;fill:#59636e}.page{fill:#fff}.grid{stroke:#d8dee4}\
polyline,.line{fill:none;stroke:currentColor;stroke-width:2}circle{fill:currentColor}";
const DARK: &str = "text{fill:#e6edf3}.note{fill:#a7b3bd}.page{fill:#161b22}.grid{stroke:#30363d}";

pub(super) fn of(comparison: &Comparison, title: &str) -> String {
    let names = comparison.renditions.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let size = (LEFT + WIDTH + 60.0 + CHARACTER * names as f64, TOP + HEIGHT + BELOW);
    let scale = Scale::new(comparison);
    let body = [axes(&scale, comparison), lines(&scale, comparison), legend(comparison)].concat();
    let title = markup_text(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" width=\"{:.0}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{}</style>\n<rect width=\"100%\" height=\"100%\" class=\"page\"/>\n\
         <text x=\"8\" y=\"24\" class=\"title\">{title}</text>\n{body}</svg>\n",
        size.0,
        size.1,
        size.0,
        style(comparison.renditions.len())
    )
}

/// The style sheet with the colours of this many series.
fn style(series: usize) -> String {
    let colours = |pick: fn(&(&'static str, &'static str)) -> &'static str| {
        let used = COLOURS.iter().take(series).enumerate();
        used.map(|(place, pair)| format!(".s{place}{{color:{}}}", pick(pair))).collect::<String>()
    };
    let (light, dark) = (colours(|pair| pair.0), colours(|pair| pair.1));
    format!("{LIGHT}{light}@media(prefers-color-scheme:dark){{{DARK}{dark}}}")
}

/// The positions of turns and tokens.
struct Scale {
    turns: usize,
    step: u64,
    steps: u64,
}

impl Scale {
    /// Tokens from zero, in at most five steps of a round number.
    fn new(comparison: &Comparison) -> Scale {
        let sizes = comparison.renditions.iter().flat_map(|one| &one.requests);
        let most = sizes.map(drawn).max().unwrap_or(0).max(1);
        let step = round_above(most.div_ceil(5));
        let requests = comparison.renditions.iter().map(|one| one.requests.len()).max().unwrap_or(0);
        Scale { turns: comparison.output.len().max(requests), step, steps: most.div_ceil(step) }
    }

    fn x(&self, turn: usize) -> f64 {
        let gaps = self.turns.saturating_sub(1).max(1) as f64;
        LEFT + WIDTH * (turn as f64) / gaps
    }

    fn y(&self, tokens: u64) -> f64 {
        TOP + HEIGHT * (1.0 - tokens as f64 / (self.step * self.steps) as f64)
    }
}

/// The system text is the same in every request; with it, lines of short runs would overlap.
fn drawn(size: &RequestSize) -> u64 {
    size.tokens.saturating_sub(size.system)
}

/// The smallest of 1, 2, 5, 10, 20, 50 … that is not below `number`.
fn round_above(number: u64) -> u64 {
    let power = 10_u64.saturating_pow(number.max(1).ilog10());
    [1, 2, 5, 10].iter().map(|factor| power.saturating_mul(*factor)).find(|round| *round >= number).unwrap_or(number)
}

fn axes(scale: &Scale, comparison: &Comparison) -> String {
    let mut svg = String::new();
    for step in 0..=scale.steps {
        let (tokens, y) = (step * scale.step, scale.y(step * scale.step));
        line(&mut svg, (LEFT, y), (LEFT + WIDTH, y), "class=\"grid\"");
        text(&mut svg, (LEFT - 8.0, y + 4.0), "end", &grouped(tokens));
    }
    let every = scale.turns.div_ceil(TURN_LABELS).max(1);
    for turn in (0..scale.turns).step_by(every) {
        text(&mut svg, (scale.x(turn), TOP + HEIGHT + 18.0), "middle", &(turn + 1).to_string());
    }
    text(&mut svg, (LEFT + WIDTH / 2.0, TOP + HEIGHT + 42.0), "middle", "turn");
    // The title may be any text: the axis says what is counted.
    let counted = format!("tokens of a request without the system text ({})", comparison.counter);
    let (x, y, counted) = (18.0, TOP + HEIGHT / 2.0, markup_text(&counted));
    let _ = writeln!(
        svg,
        "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" class=\"note\">{counted}</text>"
    );
    svg
}

fn lines(scale: &Scale, comparison: &Comparison) -> String {
    let line = |(series, one): (usize, &Measured)| {
        let points: Vec<(f64, f64)> =
            one.requests.iter().enumerate().map(|(turn, size)| (scale.x(turn), scale.y(drawn(size)))).collect();
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let mut svg = format!("<polyline points=\"{}\" {}/>\n", list.join(" "), stroke(series, ""));
        for (x, y) in points {
            // Writing to a string cannot fail.
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" class=\"{}\"/>", colour(series));
        }
        svg
    };
    comparison.renditions.iter().enumerate().map(line).collect()
}

/// The name of each line next to it, in the order of the renditions.
fn legend(comparison: &Comparison) -> String {
    let mut svg = String::new();
    let left = LEFT + WIDTH + 16.0;
    for (series, one) in comparison.renditions.iter().enumerate() {
        let y = TOP + 6.0 + LINE * series as f64;
        line(&mut svg, (left, y), (left + 22.0, y), &stroke(series, "line "));
        text(&mut svg, (left + 28.0, y + 4.0), "start", &one.name);
    }
    svg
}

fn line(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), attributes: &str) {
    let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>");
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", markup_text(text));
}

/// The attributes of the line of a series; `kind` precedes its class.
fn stroke(series: usize, kind: &str) -> String {
    let dashes = DASHES.get(series % DASHES.len()).copied().unwrap_or_default();
    format!("class=\"{kind}{}\" stroke-dasharray=\"{dashes}\"", colour(series))
}

/// The class that has the colour of a series.
fn colour(series: usize) -> String {
    format!("s{}", series % COLOURS.len())
}
