//! `cargo xtask tidy`: what a reviewer should not have to look for.

mod architecture;
mod circles;
mod errors;
mod files;
mod growth;
mod links;
mod manifests;
mod purity;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

pub(crate) use links::resolved;

use crate::code::is_code;
use crate::workspace::has_ending;
use crate::{Failure, Problem, Workspace};

/// A check of the whole project.
type Check = fn(&Workspace) -> Result<Vec<Problem>, Failure>;

const CHECKS: [Check; 9] = [
    files::check,
    manifests::dependencies,
    manifests::versions,
    links::check,
    architecture::check,
    architecture::guards,
    purity::crates,
    circles::check,
    words::check,
];

/// A check of single files by their texts, after the rule that says which files.
type FileCheck = (fn(&Path) -> bool, fn(&Path, &str) -> Result<Vec<Problem>, Failure>);

const FILE_CHECKS: [FileCheck; 6] = [
    (files::is_written, files::lines),
    (|path| has_ending(path, "rs"), files::length),
    (|path| path.starts_with("crates") && is_code(path), errors::told_twice),
    (growth::covers, growth::unmetered),
    (purity::is_language, purity::language),
    (purity::is_loop, purity::awaiting),
];

/// Everything that is untidy, sorted by place.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for check in CHECKS {
        problems.extend(check(workspace)?);
    }
    for path in workspace.files("")? {
        let checks: Vec<&FileCheck> = FILE_CHECKS.iter().filter(|(covers, _)| covers(&path)).collect();
        let text = if checks.is_empty() { String::new() } else { workspace.read(&path)? };
        for (_, check) in checks {
            problems.extend(check(&path, &text)?);
        }
    }
    problems.sort();
    Ok(problems)
}
