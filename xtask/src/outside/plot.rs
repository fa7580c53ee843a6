//! The cost of each suite, relative to direct calls.

use ptc_tests::outside::{BATCHES, DIRECT, Outside, PROGRAMS, SUITES, UNREAD, WAYS};

use super::groups::Group;
use crate::bars::Bars;

/// The ways with a bar, and the class of each.
const BARS: [(usize, &str); 3] = [(BATCHES, "near"), (PROGRAMS, "met"), (UNREAD, "missed")];

/// Bars for each suite at the first prices, with a cache; direct calls one by one are 100 %.
pub(super) fn of(outside: &Outside) -> String {
    let groups = Group::by(&super::page::measured(outside), |task| task.suite.clone());
    let ratios = |group: &Group<'_>| {
        let sums = group.sums();
        let cost = |way: usize| Some(sums.get(way)?.costs.first()?.cached);
        let ratio = |(way, _)| cost(way).zip(cost(DIRECT)).map_or(0.0, |(cost, direct)| cost / direct);
        BARS.map(ratio).to_vec()
    };
    let price = outside.prices.first().map_or("", |price| &price.name);
    Bars {
        title: format!("Cost relative to direct calls, with a cache, at prices of {price}"),
        keys: BARS.map(|(way, class)| (class, WAYS.get(way).copied().unwrap_or_default())).to_vec(),
        groups: groups.iter().map(|group| (group.name.as_str(), ratios(group))).collect(),
        step: 0.25,
        mark: Some(1.0),
        axis: format!("cost of all tasks of a suite, of {} suites; direct calls one by one are 100 %", SUITES.len()),
        write: |ratio| format!("{:.0} %", ratio * 100.0),
    }
    .draw()
}
