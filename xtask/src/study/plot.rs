//! The bars of cost.

use ptc_tests::study::Study;

use super::sums::sums;
use crate::svg::{Anchor, Svg};

const LEFT: f64 = 190.0;
const TOP: f64 = 74.0;
const LONGEST: f64 = 420.0;
const BAR: f64 = 15.0;
/// Two bars and a gap.
const GROUP: f64 = 2.0 * BAR + 12.0;

/// The cost of all scripted missions in each way at the first prices, with and without a cache.
pub(super) fn costs(study: &Study) -> String {
    let sums = sums(study);
    let bottom = TOP + GROUP * sums.len() as f64;
    let price = study.prices.first().map_or("", |price| &price.name);
    let title = format!("Cost of all scripted missions at prices of {price}");
    let mut svg = Svg::new(LEFT + LONGEST + 80.0, bottom + 54.0, &title);
    svg.text(8.0, 24.0, Anchor::Start, "title", &title);
    svg.key(LEFT, 52.0, "cached", "with the provider's cache");
    svg.key(LEFT + 200.0, 52.0, "uncached", "without a cache");
    let costs = || sums.iter().filter_map(|sum| sum.costs.first());
    let most = costs().map(|cost| cost.uncached.max(cost.cached)).fold(f64::MIN_POSITIVE, f64::max);
    let step = round_step(most);
    let x = |usd: f64| LEFT + LONGEST * usd / most;
    for tick in (0..).map(|tick| f64::from(tick) * step).take_while(|usd| *usd <= most) {
        svg.line((x(tick), TOP - 6.0), (x(tick), bottom), "grid");
        svg.text(x(tick), bottom + 18.0, Anchor::Middle, "note", &format!("${tick}"));
    }
    let axis = "USD for all missions together, by how history is shown (none: all of it)";
    svg.text(LEFT + LONGEST / 2.0, bottom + 40.0, Anchor::Middle, "note", axis);
    for (place, (way, cost)) in study.ways.iter().zip(costs()).enumerate() {
        let y = TOP + GROUP * place as f64;
        svg.text(LEFT - 10.0, y + BAR + 4.0, Anchor::End, "label", way);
        for (row, (class, usd)) in [("cached", cost.cached), ("uncached", cost.uncached)].into_iter().enumerate() {
            let y = y + BAR * row as f64;
            svg.rectangle(LEFT, y, x(usd) - LEFT, BAR - 1.0, class);
            svg.text(x(usd) + 6.0, y + 12.0, Anchor::Start, "label", &format!("{usd:.2}"));
        }
    }
    svg.finish()
}

/// The distance between two lines of the grid: 1, 2 or 5 times a power of ten, four to nine of them.
fn round_step(most: f64) -> f64 {
    let power = 10_f64.powf(most.log10().floor());
    let steps = [0.1, 0.2, 0.5, 1.0].map(|step| step * power);
    steps.into_iter().find(|step| most / step < 10.0).unwrap_or(power)
}
