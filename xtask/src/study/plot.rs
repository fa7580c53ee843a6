//! The bars of cost.

use ptc_tests::study::Study;

use super::sums::sums;
use crate::bars::Bars;

/// The cost of all scripted missions in each way at the first prices, with and without a cache.
pub(super) fn costs(study: &Study) -> String {
    let sums = sums(study);
    let price = study.prices.first().map_or("", |price| &price.name);
    let costs = sums.iter().filter_map(|sum| sum.costs.first());
    let groups: Vec<_> =
        study.ways.iter().zip(costs).map(|(way, cost)| (way.as_str(), vec![cost.cached, cost.uncached])).collect();
    Bars {
        title: format!("Cost of all scripted missions at prices of {price}"),
        keys: vec![("cached", "with the provider's cache"), ("uncached", "without a cache")],
        step: round_step(Bars::most(&groups)),
        groups,
        mark: None,
        axis: "USD for all missions together, by how history is shown (none: all of it)".to_owned(),
        write: |usd| format!("{usd:.2}"),
    }
    .draw()
}

/// The distance between two lines of the grid: 1, 2 or 5 times a power of ten, four to nine of them.
fn round_step(most: f64) -> f64 {
    let power = 10_f64.powf(most.log10().floor());
    let steps = [0.1, 0.2, 0.5, 1.0].map(|step| step * power);
    steps.into_iter().find(|step| most / step < 10.0).unwrap_or(power)
}
