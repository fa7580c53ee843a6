//! Where files may be, how long they may get, and what must not be in a line of any that people write. No crate has unsafe code:
//! its root forbids it, and no module can allow it again. Tests may have it, with a reason: the lint of the workspace denies it there.

use std::path::Path;

use crate::workspace::has_ending;
use crate::{Failure, Problem, Workspace};

/// The entries of the root folder.
const TOP_LEVEL: &str = ".cargo .ci .gitignore Cargo.lock Cargo.toml LICENSE-APACHE LICENSE-MIT README.md clippy.toml \
                         crates deny.toml docs rust-toolchain.toml rustfmt.toml tests xtask";

const LONGEST: usize = 600;

/// Source files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] =
    &[("crates/ptc-lisp/src/eval/vm/exec.rs", "the loop over instructions, with one arm for each")];

const FORBIDS: &str = "#![forbid(unsafe_code)]";

/// Endings of files that people write.
const WRITTEN: &[&str] = &["clj", "md", "rs", "toml"];
/// Hand-written files without such an ending.
const WRITTEN_FILES: &[&str] = &[".ci/run", ".gitignore", "LICENSE-MIT"];

/// Prefixes of paths that exist on one machine only.
const MACHINE_PATHS: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("C:", "\\Users"),
];

/// Problems of places, long files that are gone, and roots of crates that do not forbid unsafe code.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = top_level(&workspace.top_level()?);
    for member in workspace.members()? {
        for root in ["src/lib.rs", "src/main.rs"].map(|name| member.folder().join(name)) {
            if workspace.has(&root) {
                problems.extend(root_of_crate(&root, &workspace.read(&root)?));
            }
        }
    }
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

/// A root of a crate that does not forbid unsafe code.
pub(super) fn root_of_crate(path: &Path, text: &str) -> Option<Problem> {
    let forbids = text.lines().any(|line| line == FORBIDS);
    (!forbids).then(|| Problem::whole(path, format!("allows unsafe code. Write `{FORBIDS}` below its first comment.")))
}

/// Whether people write the file.
pub(super) fn is_written(path: &Path) -> bool {
    WRITTEN.iter().any(|ending| has_ending(path, ending)) || WRITTEN_FILES.iter().any(|known| path == Path::new(known))
}

/// Problems of single lines.
pub(super) fn lines(path: &Path, text: &str) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let mut report = |text: String| problems.push(Problem::at(path, place + 1, text));
        if line.ends_with([' ', '\t', '\r']) {
            report("ends in blanks. Remove them (in a string write `\\x20`).".to_string());
        }
        if let Some(found) = MACHINE_PATHS.iter().find(|found| starts_a_path(line, found)) {
            report(format!("names a path of one machine (`{found}…`). Write it relative to the project."));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        problems.push(Problem::at(path, text.lines().count(), "has no line end after the last line. Add one."));
    }
    Ok(problems)
}

/// Whether the line has the text as the beginning of a path, not as a part of a longer path or address.
fn starts_a_path(line: &str, start: &str) -> bool {
    line.match_indices(start).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric() && !"_./~-:".contains(before))
    })
}
