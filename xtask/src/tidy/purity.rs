//! Two crates promise not to do something that no manifest shows: the language accesses nothing outside, and the loop
//! decides without awaiting. A crate below the language that is not in `reviewed.toml` is refused until it is reviewed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::bench::tool;
use crate::code;
use crate::{Failure, Problem, Workspace};

/// Where the language is.
const LANGUAGE: &str = "crates/ptc-lisp/src";
/// Modules of the standard library that give a program access to the outside.
const OUTSIDE: &[&str] = &["env", "fs", "net", "os", "process", "thread"];
/// The clock that tells what time it is.
const CLOCK: &str = "SystemTime";
/// Files that may name one of these: the host's default clock, which is the machine's, and support for tests, which is
/// only built for them.
const ALLOWED: [(&str, &str); 2] =
    [("crates/ptc-lisp/src/limits/machine_clock.rs", CLOCK), ("crates/ptc-lisp/src/testing.rs", "env")];

/// Where the loop decides.
const LOOP: [&str; 2] = ["crates/ptc-agent/src/machine.rs", "crates/ptc-agent/src/machine"];

/// The crates below the language, and why none of them accesses a file, a connection, a process, the environment or a thread.
const LIST: &str = "xtask/src/tidy/reviewed.toml";

/// Macros run while the language is built, and `thiserror` is one with a trait.
const BUILT_WITH: [&str; 1] = ["thiserror"];

pub(super) fn is_language(path: &Path) -> bool {
    path.starts_with(LANGUAGE) && code::is_code(path)
}

pub(super) fn is_loop(path: &Path) -> bool {
    LOOP.iter().any(|place| path.starts_with(place)) && code::is_code(path)
}

/// Names of the standard library that lead outside: modules after `std::`, and the clock.
pub(super) fn language(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut found = BTreeSet::new();
    for named in code::paths(code::tokens(path, text)?) {
        let after_std = named.parts.windows(2).filter(|pair| pair.first().is_some_and(|part| part == "std"));
        found.extend(after_std.filter_map(|pair| pair.last().filter(|part| OUTSIDE.contains(&part.as_str())).cloned()));
        found.extend(named.parts.into_iter().filter(|part| part == CLOCK));
    }
    found.retain(|name| !ALLOWED.iter().any(|(file, allowed)| path == Path::new(file) && name == allowed));
    let problem = |name: String| {
        let text = format!(
            "reaches for `std::{name}`. The language touches the outside through its host only: let the host do it."
        );
        Problem::whole(path, text)
    };
    Ok(found.into_iter().map(problem).collect())
}

/// Functions that await, or that must be awaited.
pub(super) fn awaiting(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let waits = code::has_word(code::tokens(path, text)?, |word| ["async", "await"].contains(&word));
    let text_of = "awaits. The loop decides here, and `drive.rs` awaits: answer with an `Action`, and take an `Event`.";
    Ok(waits.then(|| Problem::whole(path, text_of)).into_iter().collect())
}

/// A crate that is linked with the language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reviewed {
    /// What its sources do.
    #[serde(rename = "found")]
    _found: String,
    /// Features that would give it access to the outside.
    #[serde(default)]
    refused: Vec<String>,
}

/// The crates that were reviewed, by name.
pub(super) fn reviewed() -> Result<BTreeMap<String, Reviewed>, Failure> {
    toml::from_str(include_str!("reviewed.toml")).map_err(|error| Failure::measured(LIST, error))
}

/// What is wrong with the crates below the language.
pub(super) fn crates(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    if !workspace.has(LANGUAGE) {
        return Ok(Vec::new());
    }
    let reviewed = reviewed()?;
    let mut problems = problems(&tree(workspace, &["--package", "ptc-lisp"])?, &reviewed);
    // In the command, other crates could enable what the language alone leaves off.
    problems.extend(features(&tree(workspace, &["--workspace"])?, &reviewed));
    problems.sort();
    problems.dedup();
    Ok(problems)
}

/// One line for each crate: its name, its version and its features.
fn tree(workspace: &Workspace, which: &[&str]) -> Result<String, Failure> {
    let mut command = tool::cargo(workspace);
    command.args(["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p} [{f}]"]);
    command.args(which);
    tool::output(command)
}

/// Crates of the tree that are not reviewed, reviewed ones that are no longer in it, and refused features.
pub(super) fn problems(tree: &str, reviewed: &BTreeMap<String, Reviewed>) -> Vec<Problem> {
    let found: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty()).collect();
    let mut problems = features(tree, reviewed);
    for name in found.iter().filter(|name| !BUILT_WITH.contains(name) && !reviewed.contains_key(**name)) {
        let text = format!(
            "the language depends on `{name}`, which is not reviewed. Search its sources for files, connections, processes, the environment and threads, and add it with what you found."
        );
        problems.push(Problem::whole(LIST, text));
    }
    for name in reviewed.keys().filter(|name| !found.contains(name.as_str())) {
        let text = format!("lists `{name}`, on which the language does not depend. Remove the line.");
        problems.push(Problem::whole(LIST, text));
    }
    problems
}

/// Features that are refused.
fn features(tree: &str, reviewed: &BTreeMap<String, Reviewed>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for line in tree.lines() {
        let name = line.split(' ').next().unwrap_or_default();
        let on = line.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(features, _)| features);
        let refused = reviewed.get(name).into_iter().flat_map(|crate_| &crate_.refused);
        for feature in refused.filter(|refused| on.split(',').any(|on| on == *refused)) {
            let text = format!(
                "`{name}` is built with the feature `{feature}`, with which the language could reach outside. Switch it off."
            );
            problems.push(Problem::whole("Cargo.toml", text));
        }
    }
    problems
}
