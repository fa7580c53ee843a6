//! Where files may be, and how long they may get.

use std::path::Path;

use crate::{Failure, Problem, Workspace};

/// The only entries of the root folder; those marked `true` are required.
const TOP_LEVEL: &[(&str, bool)] = &[
    (".cargo", true),
    (".ci", true),
    (".gitignore", true),
    ("Cargo.lock", true),
    ("Cargo.toml", true),
    ("LICENSE-APACHE", true),
    ("LICENSE-MIT", true),
    ("README.md", true),
    ("clippy.toml", false),
    ("crates", true),
    ("deny.toml", true),
    ("docs", true),
    ("rust-toolchain.toml", true),
    ("rustfmt.toml", false),
    ("tests", true),
    ("xtask", true),
];

const LONGEST: usize = 600;

/// Source files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] =
    &[("crates/ptc-lisp/src/eval/vm/exec.rs", "the loop over instructions, with one arm for each")];

/// Problems of places and sizes.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = top_level(&workspace.top_level()?);
    for path in workspace.files_ending("", "rs")? {
        let lines = workspace.read(&path)?.lines().count();
        problems.extend(length(&path, lines, LONG_FILES));
    }
    for (path, _) in LONG_FILES.iter().filter(|(path, _)| !workspace.has(Path::new(path))) {
        problems.push(Problem::whole(
            Path::new(path),
            "is listed as a long file but does not exist. Take it off the list in xtask.",
        ));
    }
    Ok(problems)
}

/// Entries of the root folder that are not allowed, and missing ones.
pub(super) fn top_level(found: &[String]) -> Vec<Problem> {
    let unknown = found.iter().filter(|name| !TOP_LEVEL.iter().any(|(known, _)| known == name)).map(|name| {
        Problem::whole(
            Path::new(name),
            "does not belong at the top level. Move it into docs/, tests/, xtask/ or a crate.",
        )
    });
    let missing = TOP_LEVEL.iter().filter(|(name, required)| *required && !found.iter().any(|found| found == name));
    unknown
        .chain(missing.map(|(name, _)| Problem::whole(Path::new(name), "is missing at the top level. Add it.")))
        .collect()
}

/// A file that is too long, or listed as long without being long.
pub(super) fn length(path: &Path, lines: usize, long: &[(&str, &str)]) -> Option<Problem> {
    let listed = long.iter().any(|(known, _)| Path::new(known) == path);
    match (lines > LONGEST, listed) {
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
