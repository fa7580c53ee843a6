//! `cargo xtask check-names`: names that the public surface must not have, each with its place.
//!
//! Earlier designs called some things differently; a name that means two things costs every reader a question. The
//! check reads items, JSON keys and command flags from the source text; words in comments and in prose are free.

mod names;
mod rules;
#[cfg(test)]
mod tests;
mod token;

use std::path::Path;

use crate::{Failure, Problem, Workspace};
use names::Named;
use rules::{RULES, Rule};

/// All forbidden names in the crates and in the example missions.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for path in workspace.files_ending("crates", "rs")?.into_iter().filter(|path| !is_test(path)) {
        problems.extend(source(&path, &workspace.read(&path)?));
    }
    for path in workspace.files_ending("docs/examples", "toml")? {
        problems.extend(mission(&path, &workspace.read(&path)?));
    }
    Ok(problems)
}

/// Tests may name what is forbidden, to show that it is refused.
fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.file_name().is_some_and(|name| name == "tests.rs")
}

/// Forbidden names in one Rust file.
fn source(path: &Path, text: &str) -> Vec<Problem> {
    let package =
        path.components().nth(1).map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    let found = names::of_source(&token::tokens(text), &package);
    problems(path, &package, &found)
}

/// Forbidden keys in one mission file.
fn mission(path: &Path, text: &str) -> Vec<Problem> {
    problems(path, "", &names::of_mission(text))
}

fn problems(path: &Path, package: &str, found: &[Named]) -> Vec<Problem> {
    let judged = found.iter().filter_map(|named| Some((named, rule_against(named, package)?)));
    judged
        .map(|(named, rule)| {
            Problem::at(path, named.line, format!("{named} is forbidden ({}). Use {}.", rule.id, rule.instead))
        })
        .collect()
}

fn rule_against(named: &Named, package: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.forbids(named, package))
}
