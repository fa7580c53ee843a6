//! The ratios that have aims, as a table for a terminal.

use ptc_tests::study::{Cost, Mission, NONE, NONE_FULL, Study};

/// A line for each mission, the live ones first: the cost of the last way of the study by that of the plain dialogue, under the
/// same text and under the longest one, with caching at each of the prices, then without.
pub(crate) fn of(study: &Study) -> String {
    let mut text = String::new();
    for (kind, missions) in [("live", &study.live), ("scripted", &study.missions)] {
        for against in [NONE, NONE_FULL] {
            let ours = study.ways.last().map_or("", String::as_str);
            text += &format!("{kind}: {ours} / {against}; with caching at {}, then without\n", models(study));
            let rows = missions.iter().map(|mission| (mission.name.as_str(), mission.turns, costs(study, mission, against)));
            let sum = |place: usize| missions.iter().filter_map(move |mission| mission.ways.get(place)).map(|way| way.costs.as_slice());
            let all =
                position(study, against).map_or(Vec::new(), |against| ratios(&total(sum(study.ways.len() - 1)), &total(sum(against))));
            for (name, turns, ratios) in rows.chain([("all", missions.iter().map(|mission| mission.turns).sum(), all)]) {
                let cells: String = ratios.iter().map(|ratio| format!("  {ratio:5.3}")).collect();
                text += &format!("  {name:<14}{turns:>4}{cells}\n");
            }
        }
    }
    text
}

fn models(study: &Study) -> String {
    let short = |name: &str| name.split(',').next().unwrap_or_default().to_owned();
    study.prices.iter().map(|price| short(&price.name)).collect::<Vec<_>>().join(", ")
}

fn position(study: &Study, way: &str) -> Option<usize> {
    study.ways.iter().position(|known| known == way)
}

fn costs(study: &Study, mission: &Mission, against: &str) -> Vec<f64> {
    let against = position(study, against).and_then(|place| mission.ways.get(place));
    match (mission.ways.last(), against) {
        (Some(ours), Some(against)) => ratios(&ours.costs, &against.costs),
        _ => Vec::new(),
    }
}

/// With caching at each of the prices, then without.
fn ratios(ours: &[Cost], against: &[Cost]) -> Vec<f64> {
    let of = |part: fn(&Cost) -> f64| ours.iter().zip(against).map(move |(ours, against)| part(ours) / part(against));
    of(|cost| cost.cached).chain(of(|cost| cost.uncached)).collect()
}

fn total<'c>(costs: impl Iterator<Item = &'c [Cost]>) -> Vec<Cost> {
    costs.fold(Vec::new(), |mut sum, costs| {
        sum.resize(costs.len(), Cost::default());
        for (sum, cost) in sum.iter_mut().zip(costs) {
            sum.cached += cost.cached;
            sum.uncached += cost.uncached;
        }
        sum
    })
}
