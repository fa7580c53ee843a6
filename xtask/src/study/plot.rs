//! The bars of cost.

use ptc_tests::study::Study;

use super::sums::sums;
use crate::svg::{Anchor, Svg};

const LEFT: f64 = 170.0;
const TOP: f64 = 64.0;
const LONGEST: f64 = 420.0;
const BAR: f64 = 14.0;
/// Two bars and a gap.
const GROUP: f64 = 2.0 * BAR + 12.0;

/// The cost of all scripted missions in each way at the first prices, with and without a cache.
pub(super) fn costs(study: &Study) -> String {
    let sums = sums(study);
    let bottom = TOP + GROUP * sums.len() as f64;
    let price = study.prices.first().map_or("", |price| &price.name);
    let title = format!("Cost of all scripted missions in USD: {price}");
    let mut svg = Svg::new(LEFT + LONGEST + 70.0, bottom + 10.0, &title);
    svg.text(8.0, 22.0, Anchor::Start, "title", &title);
    for (x, class, label) in [(LEFT, "cached", "with the provider's cache"), (LEFT + 200.0, "uncached", "without")] {
        svg.rectangle(x, 36.0, BAR, BAR, class);
        svg.text(x + BAR + 6.0, 47.0, Anchor::Start, "label", label);
    }
    let costs = || sums.iter().filter_map(|sum| sum.costs.first());
    let most = costs().map(|cost| cost.uncached.max(cost.cached)).fold(f64::MIN_POSITIVE, f64::max);
    for (place, (way, cost)) in study.ways.iter().zip(costs()).enumerate() {
        let y = TOP + GROUP * place as f64;
        svg.text(LEFT - 8.0, y + BAR + 4.0, Anchor::End, "label", way);
        for (row, (class, usd)) in [("cached", cost.cached), ("uncached", cost.uncached)].into_iter().enumerate() {
            let (y, length) = (y + BAR * row as f64, LONGEST * usd / most);
            svg.rectangle(LEFT, y, length, BAR - 1.0, class);
            svg.text(LEFT + length + 6.0, y + 11.0, Anchor::Start, "label", &format!("{usd:.2}"));
        }
    }
    svg.finish()
}
