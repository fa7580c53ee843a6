//! The costs that have aims: long missions relative to their former costs, and runs of real models relative to no
//! compression.

use ptc_tests::study::{DIGEST, Mission, NONE, NONE_FULL, Ratios, Study};

use super::page::{percent, short, verdict};
use super::sums::LATE;
use crate::markdown::{head, row};

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
    let (long, live) =
        (relative(study, long(study), DIGEST, NONE_FULL), relative(study, study.live.iter(), DIGEST, NONE));
    let (cached, uncached): (Part, Part) = (|ratios| &ratios.cached, |ratios| &ratios.uncached);
    let mut text = String::new();
    if !long.is_empty() {
        text += &format!(
            "* Missions of {LATE} turns and more (scripted): with caching `{DIGEST}` costs {} of `{NONE_FULL}`; {}. Without caching {}; {}.\n",
            range(&long, cached, share),
            kept(&long, cached, MOST_CACHED, percent),
            range(&long, uncached, share),
            kept(&long, uncached, MOST_UNCACHED, percent)
        );
    }
    if !live.is_empty() {
        text += &format!(
            "* Runs of real models: with caching `{DIGEST}` costs {} times as much as `{NONE}` under the same text; {}.\n",
            range(&live, cached, times),
            kept(&live, cached, MOST_LIVE, |aim| format!("{aim:.2}"))
        );
    }
    text
}

/// The tables.
pub(super) fn of(study: &Study) -> String {
    [at_turn_50(study), real_models(study)].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn at_turn_50(study: &Study) -> Option<String> {
    let rows = relative(study, long(study), DIGEST, NONE_FULL);
    rows.first()?;
    let mut text = format!(
        "## At turn {LATE}\n\nWhat whole runs of {LATE} turns and more cost with `{DIGEST}` under the default system text, as a share of what they cost with \
         `{NONE_FULL}`. Scripted missions. The aim is at most {} with caching and {} without; a miss is marked.\n\n{}{}",
        percent(MOST_CACHED),
        percent(MOST_UNCACHED),
        reason(study).unwrap_or_default(),
        columns(study, &["turns"], &["with caching", "without"])
    );
    for (mission, ratios) in &rows {
        let names = [mission.name.clone(), mission.turns.to_string()].into_iter();
        let cached = cells(&ratios.cached, MOST_CACHED, share);
        text += &row(names.chain(cached).chain(cells(&ratios.uncached, MOST_UNCACHED, share)));
    }
    Some(text)
}

/// Why the aim is hard to meet: the cost of the way that shows the least.
fn reason(study: &Study) -> Option<String> {
    let least = relative(study, long(study), LEAST, NONE_FULL);
    least.first()?;
    let (cached, uncached) =
        (range(&least, |ratios| &ratios.cached, share), range(&least, |ratios| &ratios.uncached, share));
    Some(format!(
        "Answers and the beginning of each request cost the same whatever is shown of the history. `{LEAST}`, which shows next to nothing of it, costs \
         {cached} with caching and {uncached} without.\n\n"
    ))
}

fn real_models(study: &Study) -> Option<String> {
    let rows = relative(study, study.live.iter(), DIGEST, NONE);
    rows.first()?;
    let mut text = format!(
        "## Runs of real models\n\n[{} missions](../tests/study/live/README.md) whose answers a strong model wrote while it saw requests of an earlier version. A \
         replay shows what would be sent now, not what the model would have written. The cost with `{DIGEST}` by the cost with `{NONE}`, both under the \
         default system text, with caching: the aim is at most {MOST_LIVE:.2}; a miss is marked. \
         The first request of `{DIGEST}` says how many turns there are, six tokens that `{NONE}` does not have: runs of one or two turns miss by these.\n\n{}",
        rows.len(),
        columns(study, &["turns", "failed"], &["with caching"])
    );
    let line = |name: &str, turns: usize, failed: usize, ratios: &Ratios| {
        let names = [name.to_owned(), turns.to_string(), failed.to_string()];
        row(names.into_iter().chain(cells(&ratios.cached, MOST_LIVE, times)))
    };
    for (mission, ratios) in &rows {
        text += &line(&mission.name, mission.turns, mission.failed, ratios);
    }
    if let Some(all) = study.ratios(&study.live, DIGEST, NONE) {
        let sum = |of: fn(&Mission) -> usize| rows.iter().map(|(mission, _)| of(mission)).sum();
        text += &line("all", sum(|mission| mission.turns), sum(|mission| mission.failed), &all);
    }
    Some(text)
}

/// The missions that are long enough.
fn long(study: &Study) -> impl Iterator<Item = &Mission> {
    study.missions.iter().filter(|mission| mission.turns >= LATE)
}

/// One way relative to another, mission by mission.
fn relative<'m>(
    study: &Study,
    missions: impl Iterator<Item = &'m Mission>,
    way: &str,
    against: &str,
) -> Vec<(&'m Mission, Ratios)> {
    missions.filter_map(|mission| Some((mission, study.ratios([mission], way, against)?))).collect()
}

/// The head of a table of missions: labels, then for each kind a column for each of the prices.
fn columns(study: &Study, labels: &[&str], kinds: &[&str]) -> String {
    let of = |kind: &&str| study.prices.iter().map(|price| format!("{kind}, {}", short(price))).collect::<Vec<_>>();
    head("mission", labels.iter().map(ToString::to_string).chain(kinds.iter().flat_map(of)))
}

fn cells(ratios: &[f64], most: f64, write: fn(f64) -> String) -> Vec<String> {
    ratios.iter().map(|ratio| write(*ratio) + if *ratio > most { " **missed**" } else { "" }).collect()
}

/// The least and the largest.
fn range(rows: &[(&Mission, Ratios)], part: Part, write: fn(f64) -> String) -> String {
    let all = || rows.iter().flat_map(|(_, ratios)| part(ratios).iter().copied());
    format!("{} to {}", write(all().fold(f64::INFINITY, f64::min)), write(all().fold(f64::NEG_INFINITY, f64::max)))
}

/// How many missions keep the aim at all prices, and whether these are all.
fn kept(rows: &[(&Mission, Ratios)], part: Part, most: f64, write: fn(f64) -> String) -> String {
    let kept = rows.iter().filter(|(_, ratios)| part(ratios).iter().all(|ratio| *ratio <= most)).count();
    let (aim, all, verdict) = (write(most), rows.len(), verdict(kept == rows.len()));
    format!("the aim of at most {aim} at all prices is kept by {kept} of {all} ({verdict})")
}

fn share(ratio: f64) -> String {
    format!("{:.1} %", ratio * 100.0)
}

/// Enough decimals that a near miss does not look as if it met the aim.
fn times(ratio: f64) -> String {
    format!("{ratio:.4}")
}
