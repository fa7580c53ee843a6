//! A comparison as a picture: a line of tokens over turns for each rendition.

use ptc_compression::words::grouped;

use super::comparison::Comparison;
use super::measure::RequestSize;
use crate::picture::{Anchor, Picture};

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

pub(super) fn of(comparison: &Comparison, title: &str) -> String {
    let names = comparison.renditions.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let width = LEFT + WIDTH + 60.0 + CHARACTER * names as f64;
    let mut picture = Picture::new(width, TOP + HEIGHT + BELOW, title);
    let scale = Scale::new(comparison);
    axes(&mut picture, &scale, &comparison.counter);
    for (series, one) in comparison.renditions.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            one.requests.iter().enumerate().map(|(turn, size)| (scale.x(turn), scale.y(drawn(size)))).collect();
        picture.polyline(&points, series);
        picture.series_key((LEFT + WIDTH + 16.0, TOP + 10.0 + LINE * series as f64), series, &one.name);
    }
    picture.finish()
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

fn axes(picture: &mut Picture, scale: &Scale, counter: &str) {
    for step in 0..=scale.steps {
        let (tokens, y) = (step * scale.step, scale.y(step * scale.step));
        picture.line((LEFT, y), (LEFT + WIDTH, y), "grid");
        picture.text((LEFT - 8.0, y + 4.0), Anchor::End, "label", &grouped(tokens));
    }
    let every = scale.turns.div_ceil(TURN_LABELS).max(1);
    for turn in (0..scale.turns).step_by(every) {
        picture.text((scale.x(turn), TOP + HEIGHT + 18.0), Anchor::Middle, "label", &(turn + 1).to_string());
    }
    picture.text((LEFT + WIDTH / 2.0, TOP + HEIGHT + 42.0), Anchor::Middle, "label", "turn");
    // The title may be any text: the axis says what is counted.
    let counted = format!("tokens of a request without the system text ({counter})");
    picture.upwards((18.0, TOP + HEIGHT / 2.0), &counted);
}
