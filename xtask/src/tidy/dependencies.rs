//! Each dependency is a decision with a reason, its version is in one place, and each crate is under both licences.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::workspace::{Member, entries};
use crate::{Failure, Problem, Workspace};

const ROOT: &str = "Cargo.toml";
const REASONS: &str = "docs/decisions/dependencies.md";
pub(super) const KINDS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

/// Problems of the manifests and of the page with the reasons.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let root = workspace.manifest(ROOT)?;
    let shared = outside(Path::new(ROOT), entries(&root, "workspace.dependencies"));
    let (mut used, mut problems) = (BTreeMap::new(), Vec::new());
    for one in workspace.members()? {
        problems.extend(member(&one));
        for (name, path) in outside(&one.path, one.dependencies(&KINDS).into_iter()) {
            used.entry(name).or_insert(path);
        }
    }
    problems.extend(unused(&shared, &used));
    used.extend(shared);
    problems.extend(reasons(&used, &workspace.read(REASONS)?));
    Ok(problems)
}

/// What is wrong with the manifest of one member.
pub(super) fn member(member: &Member) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !member.inherits("package.license") {
        let text = "does not say under which licence it is. Write `license.workspace = true`.";
        problems.push(Problem::whole(&member.path, text));
    }
    let is_shared = |value: &toml::Value| value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
    for (name, value) in member.dependencies(&KINDS) {
        if !is_shared(value) && value.get("path").is_none() {
            let text = format!(
                "gives `{name}` a separate version. Put the version into the root Cargo.toml and write `{name}.workspace = true`."
            );
            problems.push(Problem::whole(&member.path, text));
        }
    }
    problems
}

/// The crates of others among these, with the manifest that names them.
fn outside<'m>(path: &Path, all: impl Iterator<Item = (&'m String, &'m toml::Value)>) -> BTreeMap<String, PathBuf> {
    let is_ours = |name: &str, value: &toml::Value| name.starts_with("ptc-") || value.get("path").is_some();
    all.filter(|(name, value)| !is_ours(name, value)).map(|(name, _)| (name.clone(), path.to_path_buf())).collect()
}

/// Versions in the root manifest that no member uses.
pub(super) fn unused(shared: &BTreeMap<String, PathBuf>, used: &BTreeMap<String, PathBuf>) -> Vec<Problem> {
    let idle = shared.iter().filter(|(name, _)| !used.contains_key(*name));
    let text = |name: &str| format!("has `{name}`, which no crate uses. Remove the line and its reason.");
    idle.map(|(name, path)| Problem::whole(path, text(name))).collect()
}

/// Dependencies without a reason and reasons without a dependency. A reason is a table row that begins with the crate's
/// name in backticks.
pub(super) fn reasons(used: &BTreeMap<String, PathBuf>, page: &str) -> Vec<Problem> {
    let rows: Vec<(usize, &str)> =
        page.lines().enumerate().filter_map(|(place, line)| Some((place + 1, explained(line)?))).collect();
    let mut problems = Vec::new();
    for (name, path) in used.iter().filter(|(name, _)| rows.iter().all(|(_, known)| known != name)) {
        let text = format!("uses `{name}` without a reason. Add the row ``| `{name}` | why |`` to {REASONS}.");
        problems.push(Problem::whole(path, text));
    }
    for (line, name) in rows.into_iter().filter(|(_, name)| !used.contains_key(*name)) {
        let text = format!("explains `{name}`, which nothing uses. Remove the row.");
        problems.push(Problem::at(REASONS, line, text));
    }
    problems
}

/// The crate that a table row explains, if it gives a reason.
fn explained(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("| `")?.split_once('`')?;
    let reason = rest.trim_matches([' ', '|']);
    (!reason.is_empty()).then_some(name)
}
