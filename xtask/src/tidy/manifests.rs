//! Each dependency is a decision with a reason, its version is in one place, each crate is under both licences, and all that
//! names our version agrees.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::workspace::{Member, at, entries, text_at};
use crate::{Failure, Problem, Workspace};

const ROOT: &str = "Cargo.toml";
const REASONS: &str = "docs/decisions/dependencies.md";
pub(super) const KINDS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];
const CHANGELOG: &str = "docs/changelog.md";
const PYTHON: &str = "crates/ptc-python/pyproject.toml";
const CONTAINER: &str = "crates/ptc-cli/Containerfile";
const TOOLCHAIN: &str = "rust-toolchain.toml";

/// Problems of the manifests and of the page with the reasons.
pub(super) fn dependencies(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
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

/// What does not agree with the version of the workspace.
pub(super) fn versions(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let manifest = workspace.manifest(ROOT)?;
    let version = text_at(&manifest, "workspace.package.version").unwrap_or("of no version");
    let mut problems = workspace.without("package.version", "has another version. Write version.workspace = true.")?;
    for (name, dependency) in entries(&manifest, "workspace.dependencies") {
        let other = dependency.get("version").and_then(toml::Value::as_str).filter(|other| *other != version);
        if let (Some(other), Some(_)) = (other, dependency.get("path")) {
            problems.push(Problem::whole(ROOT, format!("depends on {name} {other}. Write {version}.")));
        }
    }
    problems.extend(toolchain(workspace, text_at(&manifest, "workspace.package.rust-version"))?);
    problems.extend(changelog(&workspace.read(CHANGELOG)?, version));
    let python = workspace.manifest(PYTHON)?;
    let (written, dynamic) = (text_at(&python, "project.version"), at(&python, "project.dynamic"));
    let mut dynamic = dynamic.and_then(toml::Value::as_array).into_iter().flatten();
    let is_dynamic = dynamic.any(|name| name.as_str() == Some("version"));
    if written.map_or(!is_dynamic, |written| written != version) {
        let text = format!("has the version {written:?}. Write dynamic = [\"version\"].");
        problems.push(Problem::whole(PYTHON, text));
    }
    Ok(problems)
}

/// The pinned toolchain is the oldest supported one, in the container too.
fn toolchain(workspace: &Workspace, oldest: Option<&str>) -> Result<Vec<Problem>, Failure> {
    let manifest = workspace.manifest(TOOLCHAIN)?;
    let channel = text_at(&manifest, "toolchain.channel");
    let mut problems = Vec::new();
    if channel.and_then(|channel| channel.rsplit_once('.')).map(|(minor, _)| minor) != oldest {
        let text = format!("pins {channel:?}, and rust-version is {oldest:?}. Let them agree.");
        problems.push(Problem::whole(TOOLCHAIN, text));
    }
    let image = format!("FROM rust:{}-", channel.unwrap_or_default());
    if !workspace.read(CONTAINER)?.contains(&image) {
        problems.push(Problem::whole(CONTAINER, format!("is not built with `{image}…`. Use this toolchain.")));
    }
    Ok(problems)
}

/// The changelog has lines for this version, or lines that are to become its own.
fn changelog(text: &str, version: &str) -> Option<Problem> {
    let is_of = |heading: &str| heading.starts_with("Unreleased") || heading.split(' ').next() == Some(version);
    let mut sections = text.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap_or((section, "")));
    let has_lines = sections.any(|(heading, lines)| is_of(heading) && lines.lines().any(|line| line.starts_with("* ")));
    let text = || format!("says nothing about {version}. Write what users notice below `## Unreleased`.");
    (!has_lines).then(|| Problem::whole(CHANGELOG, text()))
}
