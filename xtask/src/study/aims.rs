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

/// Findings and tables by their names in the page.
pub(super) fn figures(study: &Study) -> [(&'static str, String); 14] {
    let long = || study.missions.iter().filter(|mission| mission.turns >= LATE);
    let live = relative(study, study.live.iter(), DIGEST, NONE);
    let (least, long) = (relative(study, long(), LEAST, NONE_FULL), relative(study, long(), DIGEST, NONE_FULL));
    let (cached, uncached): (Part, Part) = (|ratios| &ratios.cached, |ratios| &ratios.uncached);
    [
        ("long cached", range(&long, cached, share)),
        ("long cached aim", kept(&long, cached, MOST_CACHED, percent)),
        ("long uncached", range(&long, uncached, share)),
        ("long uncached aim", kept(&long, uncached, MOST_UNCACHED, percent)),
        ("live cached", range(&live, cached, times)),
        ("live aim", kept(&live, cached, MOST_LIVE, |aim| format!("{aim:.2}"))),
        ("most cached", percent(MOST_CACHED)),
        ("most uncached", percent(MOST_UNCACHED)),
        ("most live", format!("{MOST_LIVE:.2}")),
        ("least cached", range(&least, cached, share)),
        ("least uncached", range(&least, uncached, share)),
        ("live", live.len().to_string()),
        ("at late", at_late(study, &long)),
        ("real models", real_models(study, &live)),
    ]
}

fn at_late(study: &Study, long: &[(&Mission, Ratios)]) -> String {
    let rows = long.iter().map(|(mission, ratios)| {
        let names = [mission.name.clone(), mission.turns.to_string()].into_iter();
        let cached = cells(&ratios.cached, MOST_CACHED, share);
        row(names.chain(cached).chain(cells(&ratios.uncached, MOST_UNCACHED, share)))
    });
    columns(study, &["turns"], &["with caching", "without"]) + &rows.collect::<String>()
}

fn real_models(study: &Study, live: &[(&Mission, Ratios)]) -> String {
    let line = |name: &str, turns: usize, failed: usize, ratios: &Ratios| {
        let names = [name.to_owned(), turns.to_string(), failed.to_string()];
        row(names.into_iter().chain(cells(&ratios.cached, MOST_LIVE, times)))
    };
    let rows = live.iter().map(|(mission, ratios)| line(&mission.name, mission.turns, mission.failed, ratios));
    let sum = |of: fn(&Mission) -> usize| live.iter().map(|(mission, _)| of(mission)).sum();
    let all = study.ratios(&study.live, DIGEST, NONE);
    let all = all.map(|all| line("all", sum(|mission| mission.turns), sum(|mission| mission.failed), &all));
    columns(study, &["turns", "failed"], &["with caching"]) + &rows.chain(all).collect::<String>()
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
