//! The ratios that have aims, as tables for a terminal.

use ptc_tests::study::{DIGEST, Mission, NONE, NONE_FULL, Ratios, Study};

/// A line for each mission, the live ones first: the cost of `digest` relative to that of the plain dialogue, under the
/// same text and under the longest one, with caching at each of the prices, then without.
pub(crate) fn of(study: &Study) -> String {
    let mut text = String::new();
    for (kind, missions) in [("live", &study.live), ("scripted", &study.missions)] {
        for against in [NONE, NONE_FULL] {
            text += &format!("{kind}: {DIGEST} / {against}; with caching at {}, then without\n", models(study));
            let each = missions.iter().map(|mission| (mission.name.as_str(), std::slice::from_ref(mission)));
            for (name, missions) in each.chain([("all", missions.as_slice())]) {
                text += &line(name, missions, study.ratios(missions, DIGEST, against));
            }
        }
    }
    text
}

fn models(study: &Study) -> String {
    let short = |name: &str| name.split(',').next().unwrap_or_default().to_owned();
    study.prices.iter().map(|price| short(&price.name)).collect::<Vec<_>>().join(", ")
}

fn line(name: &str, missions: &[Mission], ratios: Option<Ratios>) -> String {
    let turns: usize = missions.iter().map(|mission| mission.turns).sum();
    let ratios = ratios.into_iter().flat_map(|ratios| ratios.cached.into_iter().chain(ratios.uncached));
    let cells: String = ratios.map(|ratio| format!("  {ratio:6.4}")).collect();
    format!("  {name:<14}{turns:>4}{cells}\n")
}
