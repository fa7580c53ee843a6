//! What must not be in a line of any file that people write.

use std::path::Path;

use crate::workspace::has_ending;
use crate::{Failure, Problem};

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
