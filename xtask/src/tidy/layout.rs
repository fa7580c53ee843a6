//! Where files may be, and how long they may get.

use std::path::Path;

use crate::{Failure, Problem, Workspace};

/// The entries of the root folder.
const TOP_LEVEL: &str = ".cargo .ci .gitignore Cargo.lock Cargo.toml LICENSE-APACHE LICENSE-MIT README.md clippy.toml \
                         crates deny.toml docs rust-toolchain.toml rustfmt.toml tests xtask";

const LONGEST: usize = 600;

/// Source files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] =
    &[("crates/ptc-lisp/src/eval/vm/exec.rs", "the loop over instructions, with one arm for each")];

/// Problems of places, and of long files that are gone.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = top_level(&workspace.top_level()?);
    for (path, _) in LONG_FILES.iter().filter(|(path, _)| !workspace.has(path)) {
        problems
            .push(Problem::whole(path, "is listed as a long file but does not exist. Take it off the list in xtask."));
    }
    Ok(problems)
}

/// Entries of the root folder that are not allowed, and missing ones.
pub(super) fn top_level(found: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in found.iter().filter(|name| TOP_LEVEL.split(' ').all(|known| known != *name)) {
        let text = "does not belong at the top level. Move it into docs/, tests/, xtask/ or a crate.";
        problems.push(Problem::whole(name, text));
    }
    for name in TOP_LEVEL.split(' ').filter(|name| found.iter().all(|found| found != name)) {
        problems.push(Problem::whole(name, "is missing at the top level. Add it."));
    }
    problems
}

/// A source file that is too long, or listed as long without being long.
pub(super) fn length(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    Ok(length_of(path, text.lines().count(), LONG_FILES).into_iter().collect())
}

pub(super) fn length_of(path: &Path, lines: usize, long: &[(&str, &str)]) -> Option<Problem> {
    match (lines > LONGEST, long.iter().any(|(known, _)| Path::new(known) == path)) {
        (true, false) => {
            let text = format!(
                "has {lines} lines, {LONGEST} are allowed. Split it along its ideas, or list it in xtask with the reason."
            );
            Some(Problem::at(path, LONGEST + 1, text))
        }
        (false, true) => {
            Some(Problem::whole(path, "is listed as a long file but is short now. Take it off the list in xtask."))
        }
        _ => None,
    }
}
