//! The crates below the language, and why none of them accesses a file, a connection, a process, the environment or a
//! thread: `reviewed.toml`. A crate that is not there is refused until it is reviewed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::bench::tool;
use crate::{Failure, Problem, Workspace};

const LIST: &str = "xtask/src/tidy/reviewed.toml";
const LANGUAGE: &str = "crates/ptc-lisp/Cargo.toml";

/// Macros run while the language is built, and `thiserror` is one with a trait.
const BUILT_WITH: [&str; 1] = ["thiserror"];

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
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
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
