//! `cargo xtask outside`: tasks that others made, by native calls and by programs, into `docs/benchmarks-programs.md`.
//!
//! `tests/outside` serves and measures them; here the figures become pages. The suites are installed once, from a
//! package index, below `target/`; after that nothing needs the network, and nothing depends on the machine.

pub(crate) mod live;
mod page;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use page::Group;
use ptc_tests::outside::{BATCHES, DIRECT, Outside, PROGRAMS, SUITES, Task, UNREAD, WAYS};

use crate::bars::Bars;
use crate::bench::tool;
use crate::codegen::{Generated, write_or_check};
use crate::words::Words;
use crate::{Failure, Problem, Workspace};

/// Tasks that cannot be done in all ways, with the reason: by suite and name.
const EXCEPTIONS: &str = "tests/outside/exceptions.toml";

type Reasons = BTreeMap<String, BTreeMap<String, String>>;

const PAGE: &str = "docs/benchmarks-programs.md";
const TASKS: &str = "docs/benchmarks/programs-tasks.csv";
const PLOT: &str = "docs/benchmarks/programs-costs.svg";

const COMMAND: &str = "cargo xtask outside";

const USAGE: &str = "\
usage: cargo xtask outside [--check] [--from FILE]

  --check       compare the page, its plot and its list of tasks with what is committed, and write nothing
  --from FILE   figures that `cargo run -p ptc-tests --example outside-figures` has printed, instead of measuring

Needs python3 (3.11 or newer), and its package index the first time. Takes some minutes.";

/// Install the suites, measure, and write the pages or compare them.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut words = Words::of(words, USAGE);
    let (check, from) = (words.flag("--check"), words.value::<String>("--from")?);
    words.end()?;
    let outside: Outside = match from {
        None => measured(workspace)?,
        Some(file) => serde_json::from_str(&workspace.read(&file)?).map_err(|error| Failure::measured(file, error))?,
    };
    let reasons: Reasons =
        toml::from_str(&workspace.read(EXCEPTIONS)?).map_err(|error| Failure::measured(EXCEPTIONS, error))?;
    let files = files(&outside, &reasons);
    write_or_check(workspace, files, check, COMMAND)
}

/// Install the suites and do their tasks.
fn measured(workspace: &Workspace) -> Result<Outside, Failure> {
    tool::output(Command::new(workspace.root().join("tests/outside/install")))?;
    let mut measure = tool::cargo(workspace);
    measure.args(["run", "--quiet", "--example", "outside-figures"]);
    tool::json(measure)
}

fn files(outside: &Outside, reasons: &Reasons) -> Generated {
    vec![
        (PathBuf::from(PAGE), page::of(outside, reasons)),
        (PathBuf::from(TASKS), tasks(outside)),
        (PathBuf::from(PLOT), plot(outside)),
    ]
}

/// Every task, a line each.
fn tasks(outside: &Outside) -> String {
    let mut text = String::from("suite,task,class,tools,texts,calls,result_tokens,read,unseen,taken,natively");
    for way in WAYS {
        let way = way.replace(", ", "_").replace(' ', "_");
        text += &["requests", "input", "shared", "output"].map(|figure| format!(",{way}_{figure}")).concat();
    }
    for task in page::measured(outside) {
        let Task { suite, task, class, tools, texts, calls, results, read, unseen, taken, natively, ways, .. } = task;
        text +=
            &format!("\n{suite},{task},{class},{tools},{texts},{calls},{results},{read},{unseen},{taken},{natively}");
        for way in ways {
            text += &format!(",{},{},{},{}", way.requests, way.input, way.shared, way.output);
        }
    }
    text + "\n"
}

/// The ways with a bar, and the class of each.
const BARS: [(usize, &str); 3] = [(BATCHES, "near"), (PROGRAMS, "met"), (UNREAD, "missed")];

/// Bars for each suite at the first prices, with a cache; direct calls one by one are 100 %.
fn plot(outside: &Outside) -> String {
    let groups = Group::by(&page::measured(outside), |task| task.suite.clone());
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
