//! `cargo xtask study`: the effect of compression on requests and costs, on the missions of `tests/study`.
//!
//! `tests/bench/study` measures; here the figures become `docs/benchmarks-compression.md` and its plots. Nothing
//! depends on the machine, so that `--check` can compare.

mod aims;
mod page;
mod plot;
mod sums;
#[cfg(test)]
mod tests;
mod turns;

use std::path::PathBuf;

pub(crate) use page::{percent, price_list, short};
use ptc_tests::study::Study;

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
        (PathBuf::from(COSTS), plot::costs(study)),
        (PathBuf::from(TURNS), turns::of(study)),
    ]
}
