//! The cost of each suite, relative to direct calls.

use ptc_tests::outside::{BATCHES, DIRECT, Outside, PROGRAMS, SUITES, UNREAD, WAYS};

use super::groups::Group;
use crate::svg::{Anchor, Svg};

const LEFT: f64 = 200.0;
const TOP: f64 = 96.0;
const LONGEST: f64 = 420.0;
const BAR: f64 = 13.0;
/// The bars of a suite and a gap.
const GROUP: f64 = 3.0 * BAR + 12.0;

/// The ways with a bar, and the class of each.
const BARS: [(usize, &str); 3] = [(BATCHES, "near"), (PROGRAMS, "met"), (UNREAD, "missed")];

/// Bars for each suite at the first prices, with a cache; direct calls one by one are 100 %.
pub(super) fn of(outside: &Outside) -> String {
    let tasks: Vec<_> = super::page::measured(outside);
    let groups = Group::by(&tasks, |task| task.suite.clone());
    let bottom = TOP + GROUP * groups.len() as f64;
    let price = outside.prices.first().map_or("", |price| &price.name);
    let title = format!("Cost relative to direct calls, with a cache, at prices of {price}");
    let mut svg = Svg::new(LEFT + LONGEST + 80.0, bottom + 54.0, &title);
    svg.text(8.0, 24.0, Anchor::Start, "title", &title);
    for (row, (way, class)) in BARS.into_iter().enumerate() {
        svg.key(LEFT, 46.0 + 16.0 * row as f64, class, WAYS.get(way).copied().unwrap_or_default());
    }
    let ratios = |group: &Group<'_>, way: usize| {
        let sums = group.sums();
        let cost = |way: usize| Some(sums.get(way)?.costs.first()?.cached);
        cost(way).zip(cost(DIRECT)).map_or(0.0, |(cost, direct)| cost / direct)
    };
    let most = groups.iter().flat_map(|group| BARS.map(|(way, _)| ratios(group, way))).fold(1.0, f64::max);
    let x = |ratio: f64| LEFT + LONGEST * ratio / most;
    let mut tick = 0.0;
    while tick <= most {
        svg.line((x(tick), TOP - 6.0), (x(tick), bottom), if tick == 1.0 { "mark" } else { "grid" });
        svg.text(x(tick), bottom + 18.0, Anchor::Middle, "note", &format!("{:.0} %", tick * 100.0));
        tick += 0.25;
    }
    let axis = format!("cost of all tasks of a suite, of {} suites; direct calls one by one are 100 %", SUITES.len());
    svg.text(LEFT + LONGEST / 2.0, bottom + 40.0, Anchor::Middle, "note", &axis);
    for (place, group) in groups.iter().enumerate() {
        let y = TOP + GROUP * place as f64;
        svg.text(LEFT - 10.0, y + 1.5 * BAR + 4.0, Anchor::End, "label", &group.name);
        for (row, (way, class)) in BARS.into_iter().enumerate() {
            let (y, ratio) = (y + BAR * row as f64, ratios(group, way));
            svg.rectangle(LEFT, y, x(ratio) - LEFT, BAR - 1.0, class);
            svg.text(x(ratio) + 6.0, y + 11.0, Anchor::Start, "label", &format!("{:.0} %", ratio * 100.0));
        }
    }
    svg.finish()
}
