//! Whether all that names a version agrees.

use crate::workspace::{at, entries, text_at};
use crate::{Failure, Problem, Workspace};

const ROOT: &str = "Cargo.toml";
const CHANGELOG: &str = "docs/changelog.md";
const PYTHON: &str = "crates/ptc-python/pyproject.toml";
const CONTAINER: &str = "crates/ptc-cli/Containerfile";
const TOOLCHAIN: &str = "rust-toolchain.toml";

/// What does not agree with the version of the workspace.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
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
