//! `cargo xtask outside`: tasks that others made, by native calls and by programs, into `docs/benchmarks-programs.md`.
//!
//! `tests/outside` serves and measures them; here the figures become pages. The suites are installed once, from a
//! package index, below `target/`; after that nothing needs the network, and nothing depends on the machine.

mod groups;
mod page;
mod plot;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use ptc_tests::outside::{Outside, Task, WAYS};

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
        (PathBuf::from(PLOT), plot::of(outside)),
    ]
}

/// Every task, a line each.
fn tasks(outside: &Outside) -> String {
    let mut text = String::from("suite,task,class,tools,texts,calls,result_tokens,read,unseen,taken");
    for way in WAYS {
        let way = way.replace(", ", "_").replace(' ', "_");
        text += &["requests", "input", "shared", "output"].map(|figure| format!(",{way}_{figure}")).concat();
    }
    for task in page::measured(outside) {
        let Task { suite, task, class, tools, texts, calls, results, read, unseen, taken, ways, .. } = task;
        text += &format!("\n{suite},{task},{class},{tools},{texts},{calls},{results},{read},{unseen},{taken}");
        for way in ways {
            text += &format!(",{},{},{},{}", way.requests, way.input, way.shared, way.output);
        }
    }
    text + "\n"
}
