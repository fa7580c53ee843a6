//! Each dependency is a decision with a reason, its version is in one place, and each crate is under both licences.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::workspace::{Member, at};
use crate::{Failure, Problem, Workspace};

const ROOT: &str = "Cargo.toml";
const REASONS: &str = "docs/decisions/dependencies.md";
pub(super) const KINDS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

/// Problems of the manifests and of the page with the reasons.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let root = workspace.manifest(Path::new(ROOT))?;
    let shared = at(&root, "workspace.dependencies").and_then(toml::Value::as_table).into_iter().flatten();
    let shared = outside(ROOT.as_ref(), shared);
    let (mut used, mut problems) = (BTreeMap::new(), Vec::new());
    for one in workspace.members()? {
        problems.extend(member(&one));
        for (name, path) in outside(&one.path, one.dependencies(&KINDS).into_iter()) {
            used.entry(name).or_insert(path);
        }
    }
    problems.extend(unused(&shared, &used));
    used.extend(shared);
    let page = if workspace.has(Path::new(REASONS)) { workspace.read(Path::new(REASONS))? } else { String::new() };
    problems.extend(reasons(&used, &page));
    Ok(problems)
}

/// What is wrong with the manifest of one member.
pub(super) fn member(member: &Member) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !member.inherits("package.license") {
        let text = "does not say under which licence it is. Write `license.workspace = true`.";
        problems.push(Problem::whole(&member.path, text));
    }
    let shared = |value: &toml::Value| value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
    for (name, _) in
        member.dependencies(&KINDS).iter().filter(|(_, value)| !shared(value) && value.get("path").is_none())
    {
        let text = format!(
            "gives `{name}` a separate version. Put the version into the root Cargo.toml and write `{name}.workspace = true`."
        );
        problems.push(Problem::whole(&member.path, text));
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
    idle.map(|(name, path)| {
        Problem::whole(path, format!("has `{name}`, which no crate uses. Remove the line and its reason."))
    })
    .collect()
}

/// Dependencies without a reason and reasons without a dependency. A reason is a table row that begins with the crate's
/// name in backticks.
pub(super) fn reasons(used: &BTreeMap<String, PathBuf>, page: &str) -> Vec<Problem> {
    let known: BTreeSet<&str> = page.lines().filter_map(explained).collect();
    let missing = used.iter().filter(|(name, _)| !known.contains(name.as_str())).map(|(name, path)| {
        Problem::whole(
            path,
            format!("uses `{name}` without a reason. Add the row ``| `{name}` | why |`` to {REASONS}."),
        )
    });
    let rows = page.lines().enumerate().filter_map(|(place, line)| Some((place, explained(line)?)));
    let stale = rows.filter(|(_, name)| !used.contains_key(*name)).map(|(place, name)| {
        let text = format!("explains `{name}`, which nothing uses. Remove the row.");
        Problem::at(Path::new(REASONS), place + 1, text)
    });
    missing.chain(stale).collect()
}

/// The crate that a table row explains, if it gives a reason.
fn explained(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("| `")?.split_once('`')?;
    let reason = rest.trim_matches([' ', '|']);
    (!reason.is_empty()).then_some(name)
}
