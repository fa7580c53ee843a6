//! The costs that have aims: long missions relative to their former costs, and runs of real models relative to no
//! compression.

use ptc_tests::study::{DIGEST, Mission, NONE, NONE_FULL, Ratios, Study};

use super::page::{percent, row, short};
use super::sums::LATE;

/// The maximum cost of `digest` relative to the plain dialogue under the longest text, in a mission of [`LATE`] turns
/// or more.
const MOST_CACHED: f64 = 0.5;
const MOST_UNCACHED: f64 = 0.35;

/// The maximum cost of `digest` relative to the plain dialogue under the same text, in a run of a real model, with
/// caching.
const MOST_LIVE: f64 = 1.0;

/// The way that shows the least of a history.
const LEAST: &str = "aggressive";

/// With or without caching.
type Part = fn(&Ratios) -> &Vec<f64>;

/// The findings in words; empty when the study has not measured what they need.
pub(super) fn found(study: &Study) -> String {
    let long = each(study, long(study), NONE_FULL);
    let live = each(study, study.live.iter(), NONE);
    let mut text = String::new();
    if !long.is_empty() {
        let (cached, uncached) = ((|ratios| &ratios.cached) as Part, (|ratios| &ratios.uncached) as Part);
        text += &format!(
            "* Missions of {LATE} turns and more (scripted): with caching `{DIGEST}` costs {} of `{NONE_FULL}`; {}. Without caching {}; {}.\n",
            range(&long, cached, share),
            verdict(&long, cached, MOST_CACHED, percent),
            range(&long, uncached, share),
            verdict(&long, uncached, MOST_UNCACHED, percent)
        );
    }
    if !live.is_empty() {
        text += &format!(
            "* Runs of real models: with caching `{DIGEST}` costs {} times as much as `{NONE}` under the same text; {}.\n",
            range(&live, |ratios| &ratios.cached, times),
            verdict(&live, |ratios| &ratios.cached, MOST_LIVE, aim)
        );
    }
    text
}

/// The tables.
pub(super) fn of(study: &Study) -> String {
    [at_turn_50(study), real_models(study)].into_iter().filter(|table| !table.is_empty()).collect::<Vec<_>>().join("\n")
}

fn at_turn_50(study: &Study) -> String {
    let rows = each(study, long(study), NONE_FULL);
    if rows.is_empty() {
        return String::new();
    }
    let columns = columns(study, "with caching") + &columns(study, "without");
    let mut text = format!(
        "## At turn {LATE}\n\nWhat whole runs of {LATE} turns and more cost with `{DIGEST}` under the default system text, as a share of what they cost with \
         `{NONE_FULL}`. Scripted missions. The aim is at most {} with caching and {} without; a miss is marked.\n\n{}\
         | mission | turns |{columns}\n|---|--:|{}\n",
        percent(MOST_CACHED),
        percent(MOST_UNCACHED),
        reason(study),
        "--:|".repeat(2 * study.prices.len())
    );
    for (mission, ratios) in &rows {
        let cells =
            cells(&ratios.cached, MOST_CACHED, share).into_iter().chain(cells(&ratios.uncached, MOST_UNCACHED, share));
        text += &row(&mission.name, std::iter::once(mission.turns.to_string()).chain(cells));
    }
    text
}

/// Why the aim is hard to meet: the cost of the way that shows the least.
fn reason(study: &Study) -> String {
    let least = each_of(study, long(study), LEAST, NONE_FULL);
    if least.is_empty() {
        return String::new();
    }
    format!(
        "Answers and the beginning of each request cost the same whatever is shown of the history. `{LEAST}`, which shows next to nothing of it, costs \
         {} with caching and {} without.\n\n",
        range(&least, |ratios| &ratios.cached, share),
        range(&least, |ratios| &ratios.uncached, share)
    )
}

fn real_models(study: &Study) -> String {
    let rows = each(study, study.live.iter(), NONE);
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "## Runs of real models\n\n[{} missions](../tests/study/live/README.md) whose answers a strong model wrote while it saw requests of an earlier version. A \
         replay shows what would be sent now, not what the model would have written. The cost with `{DIGEST}` by the cost with `{NONE}`, both under the \
         default system text, with caching: the aim is at most {MOST_LIVE:.2}; a miss is marked. \
         The first request of `{DIGEST}` says how many turns there are, six tokens that `{NONE}` does not have: runs of one or two turns miss by these.\n\n\
         | mission | turns | failed |{}\n|---|--:|--:|{}\n",
        rows.len(),
        columns(study, "with caching"),
        "--:|".repeat(study.prices.len())
    );
    for (mission, ratios) in &rows {
        let counts = [mission.turns.to_string(), mission.failed.to_string()];
        text += &row(&mission.name, counts.into_iter().chain(cells(&ratios.cached, MOST_LIVE, times)));
    }
    let turns: usize = rows.iter().map(|(mission, _)| mission.turns).sum();
    let failed: usize = rows.iter().map(|(mission, _)| mission.failed).sum();
    if let Some(all) = study.ratios(&study.live, DIGEST, NONE) {
        text += &row(
            "all",
            [turns.to_string(), failed.to_string()].into_iter().chain(cells(&all.cached, MOST_LIVE, times)),
        );
    }
    text
}

/// The missions that are long enough.
fn long(study: &Study) -> impl Iterator<Item = &Mission> {
    study.missions.iter().filter(|mission| mission.turns >= LATE)
}

/// `digest` relative to the way `against`, mission by mission.
fn each<'m>(study: &Study, missions: impl Iterator<Item = &'m Mission>, against: &str) -> Vec<(&'m Mission, Ratios)> {
    each_of(study, missions, DIGEST, against)
}

/// One way relative to another, mission by mission.
fn each_of<'m>(
    study: &Study,
    missions: impl Iterator<Item = &'m Mission>,
    way: &str,
    against: &str,
) -> Vec<(&'m Mission, Ratios)> {
    missions.filter_map(|mission| Some((mission, study.ratios([mission], way, against)?))).collect()
}

/// A column for each of the prices.
fn columns(study: &Study, kind: &str) -> String {
    study.prices.iter().map(|price| format!(" {kind}, {} |", short(price))).collect()
}

fn cells(ratios: &[f64], most: f64, write: fn(f64) -> String) -> Vec<String> {
    ratios.iter().map(|ratio| format!("{}{}", write(*ratio), if *ratio > most { " **missed**" } else { "" })).collect()
}

/// The least and the largest.
fn range(rows: &[(&Mission, Ratios)], part: Part, write: fn(f64) -> String) -> String {
    let all = || rows.iter().flat_map(|(_, ratios)| part(ratios).iter().copied());
    format!("{} to {}", write(all().fold(f64::INFINITY, f64::min)), write(all().fold(f64::NEG_INFINITY, f64::max)))
}

/// How many missions keep the aim at all prices, and whether these are all.
fn verdict(rows: &[(&Mission, Ratios)], part: Part, most: f64, write: fn(f64) -> String) -> String {
    let kept = rows.iter().filter(|(_, ratios)| part(ratios).iter().all(|ratio| *ratio <= most)).count();
    let verdict = if kept == rows.len() { "met" } else { "**missed**" };
    format!("the aim of at most {} at all prices is kept by {kept} of {} ({verdict})", write(most), rows.len())
}

fn share(ratio: f64) -> String {
    format!("{:.1} %", ratio * 100.0)
}

/// Enough decimals that a near miss does not look as if it met the aim.
fn times(ratio: f64) -> String {
    format!("{ratio:.4}")
}

fn aim(ratio: f64) -> String {
    format!("{ratio:.2}")
}
