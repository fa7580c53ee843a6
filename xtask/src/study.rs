//! `cargo xtask study`: the effect of compression on requests and costs, on the missions of `tests/study`.
//!
//! `tests/bench/study` measures; here the figures become `docs/benchmarks-compression.md` and its plots. Nothing
//! depends on the machine, so that `--check` can compare.

mod aims;
mod page;
mod sums;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub(crate) use page::{percent, price_list, short};
use ptc_tests::study::Study;
use sums::sums;

use crate::bars::Bars;
use crate::bench::tool;
use crate::codegen::{Generated, write_or_check};
use crate::words::Words;
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/benchmarks-compression.md";
const TOKENS: &str = "docs/benchmarks/compression-tokens.svg";
const COSTS: &str = "docs/benchmarks/compression-costs.svg";
const TURNS: &str = "docs/benchmarks/compression-turns.csv";

const COMMAND: &str = "cargo xtask study";

const USAGE: &str = "\
usage: cargo xtask study [--check]

  --check   compare the page and its plots with what is committed, and write nothing";

/// Measure, and write the page or compare it. Cost: some seconds when the measuring program is built.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut words = Words::of(words, USAGE);
    let check = words.flag("--check");
    words.end()?;
    let mut measure = tool::cargo(workspace);
    // Of the whole workspace, not only its package: with the features of the tests, so that what they built is not
    // built again.
    measure.args(["run", "--quiet", "--example", "study-figures"]);
    let files = files(workspace, &tool::json(measure)?);
    write_or_check(workspace, files, check, COMMAND)
}

fn files(workspace: &Workspace, study: &Study) -> Generated {
    // A page that does not exist yet has nothing to keep.
    let old = workspace.read(PAGE).unwrap_or_default();
    vec![
        (PathBuf::from(PAGE), page::of(study, page::by_hand(&old))),
        (PathBuf::from(TOKENS), study.picture.clone()),
        (PathBuf::from(COSTS), costs(study)),
        (PathBuf::from(TURNS), turns(study)),
    ]
}

/// A line for each turn of each mission: input, uncached input and history in tokens, for each way.
fn turns(study: &Study) -> String {
    let labels =
        study.ways.iter().flat_map(|way| ["input", "not cached", "history"].map(|part| format!("{way}: {part}")));
    let mut text = std::iter::once("mission,turn".to_owned()).chain(labels).collect::<Vec<_>>().join(",") + "\n";
    for mission in &study.missions {
        for turn in 0..mission.turns {
            let figures =
                mission.ways.iter().flat_map(|way| [&way.input, &way.fresh, &way.history].map(|list| list.get(turn)));
            let cells = figures.map(|tokens| tokens.map_or_else(String::new, u64::to_string));
            let line: Vec<String> = [mission.name.clone(), (turn + 1).to_string()].into_iter().chain(cells).collect();
            text += &(line.join(",") + "\n");
        }
    }
    text
}

/// The cost of all scripted missions in each way at the first prices, with and without a cache.
fn costs(study: &Study) -> String {
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
