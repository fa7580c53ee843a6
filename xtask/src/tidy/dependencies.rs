//! Each dependency is a decision with a reason, its version is in one place, and each crate is under both licences.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::{Failure, Problem, Workspace};

const ROOT: &str = "Cargo.toml";
const REASONS: &str = "docs/decisions/dependencies.md";
const KINDS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

/// Problems of the manifests and of the page with the reasons.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let root = workspace.manifest(Path::new(ROOT))?;
    let (mut shared, mut used) = (BTreeMap::new(), BTreeMap::new());
    note(&mut shared, Path::new(ROOT), root.get("workspace"));
    let mut problems = Vec::new();
    for path in workspace.member_manifests()? {
        let manifest = workspace.manifest(&path)?;
        problems.extend(member(&path, &manifest));
        note(&mut used, &path, Some(&toml::Value::Table(manifest)));
    }
    problems.extend(unused(&shared, &used));
    used.extend(shared);
    let page = if workspace.has(Path::new(REASONS)) { workspace.read(Path::new(REASONS))? } else { String::new() };
    problems.extend(reasons(&used, &page));
    Ok(problems)
}

/// What is wrong with the manifest of one member.
pub(super) fn member(path: &Path, manifest: &toml::Table) -> Vec<Problem> {
    let mut problems = Vec::new();
    let inherits = |key: &str| {
        let value =
            manifest.get("package").and_then(|package| package.get(key)).and_then(|value| value.get("workspace"));
        value.and_then(toml::Value::as_bool) == Some(true)
    };
    if !inherits("license") {
        problems
            .push(Problem::whole(path, "does not say under which licence it is. Write `license.workspace = true`."));
    }
    for (name, value) in KINDS.iter().filter_map(|kind| manifest.get(*kind)?.as_table()).flatten() {
        let shared = value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
        if !shared && value.get("path").is_none() {
            let text = format!(
                "gives `{name}` a separate version. Put the version into the root Cargo.toml and write `{name}.workspace = true`."
            );
            problems.push(Problem::whole(path, text));
        }
    }
    problems
}

/// Record which member names an outside crate first.
fn note(used: &mut BTreeMap<String, PathBuf>, path: &Path, manifest: Option<&toml::Value>) {
    let tables = KINDS.iter().filter_map(|kind| manifest?.get(*kind)?.as_table());
    let targets =
        manifest.and_then(|manifest| manifest.get("target")?.as_table()).into_iter().flat_map(toml::Table::values);
    let of_targets = targets.flat_map(|target| KINDS.iter().filter_map(|kind| target.get(*kind)?.as_table()));
    for (name, value) in tables.chain(of_targets).flatten() {
        if value.get("path").is_none() && !is_ours(name) {
            used.entry(name.clone()).or_insert_with(|| path.to_path_buf());
        }
    }
}

fn is_ours(name: &str) -> bool {
    name.starts_with("ptc-") || name == "xtask"
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
    let explained: BTreeSet<&str> = page.lines().filter_map(explained).collect();
    let missing = used.iter().filter(|(name, _)| !explained.contains(name.as_str())).map(|(name, path)| {
        Problem::whole(
            path,
            format!("uses `{name}` without a reason. Add the row ``| `{name}` | why |`` to {REASONS}."),
        )
    });
    let stale = page.lines().enumerate().filter_map(|(place, line)| {
        let name = explained_and_unused(line, used)?;
        Some(Problem::at(
            Path::new(REASONS),
            place + 1,
            format!("explains `{name}`, which nothing uses. Remove the row."),
        ))
    });
    missing.chain(stale).collect()
}

fn explained_and_unused<'a>(line: &'a str, used: &BTreeMap<String, PathBuf>) -> Option<&'a str> {
    explained(line).filter(|name| !used.contains_key(*name))
}

/// The crate that a table row explains, if it gives a reason.
fn explained(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("| `")?.split_once('`')?;
    let reason = rest.trim_matches([' ', '|']);
    (!reason.is_empty()).then_some(name)
}
