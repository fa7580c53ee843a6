//! Whether all that names a version agrees.

use std::path::Path;

use super::{Done, Job};
use crate::{Failure, Problem, Workspace};

const CHANGELOG: &str = "docs/changelog.md";
const PYTHON: &str = "crates/ptc-python/pyproject.toml";
const CONTAINER: &str = "crates/ptc-cli/Containerfile";
const TOOLCHAIN: &str = "rust-toolchain.toml";

/// The names of the packages that are not published.
pub(super) fn private(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for path in workspace.member_manifests()? {
        let manifest = workspace.manifest(&path)?;
        let package = manifest.get("package");
        let publishes = package.and_then(|package| package.get("publish")).and_then(toml::Value::as_bool);
        if publishes == Some(false) {
            names.extend(
                package.and_then(|package| package.get("name")).and_then(toml::Value::as_str).map(str::to_owned),
            );
        }
    }
    Ok(names)
}

pub(super) fn step(job: &Job<'_>) -> Result<Done, Failure> {
    let (version, problems) = check(job.workspace)?;
    Ok(if problems.is_empty() { Done::Well(version) } else { Done::Wrong(problems) })
}

/// The version of the workspace, and what does not agree with it.
pub(super) fn check(workspace: &Workspace) -> Result<(String, Vec<Problem>), Failure> {
    let root = Path::new("Cargo.toml");
    let manifest = workspace.manifest(root)?;
    let of_workspace = |key: &str| manifest.get("workspace")?.get("package")?.get(key)?.as_str();
    let Some(version) = of_workspace("version").map(str::to_owned) else {
        return Ok((String::new(), vec![Problem::whole(root, "has no version. Write workspace.package.version.")]));
    };
    let mut problems = Vec::new();
    let own = manifest.get("workspace").and_then(|own| own.get("dependencies")).and_then(toml::Value::as_table);
    for (name, dependency) in own.into_iter().flatten() {
        let is_other = |other: &&str| *other != version;
        let other = dependency.get("path").and(dependency.get("version")).and_then(toml::Value::as_str);
        if let Some(other) = other.filter(is_other) {
            problems.push(Problem::whole(root, format!("depends on {name} {other}. Write {version}.")));
        }
    }
    for path in workspace.member_manifests()? {
        let manifest = workspace.manifest(&path)?;
        let inherits = |package: &toml::Value| package.get("version")?.get("workspace")?.as_bool();
        if manifest.get("package").and_then(inherits) != Some(true) {
            problems.push(Problem::whole(&path, "has another version. Write version.workspace = true."));
        }
    }
    problems.extend(toolchain(workspace, of_workspace("rust-version"))?);
    problems.extend(changelog(&workspace.read(Path::new(CHANGELOG))?, &version));
    problems.extend(python(workspace, &version)?);
    Ok((version, problems))
}

/// The pinned toolchain is the oldest supported one, in the container too.
fn toolchain(workspace: &Workspace, oldest: Option<&str>) -> Result<Vec<Problem>, Failure> {
    let path = Path::new(TOOLCHAIN);
    let manifest = workspace.manifest(path)?;
    let channel = manifest.get("toolchain").and_then(|table| table.get("channel")).and_then(toml::Value::as_str);
    let mut problems = Vec::new();
    if channel.and_then(|channel| channel.rsplit_once('.')).map(|(minor, _)| minor) != oldest {
        let text = format!("pins {channel:?}, and rust-version is {oldest:?}. Let them agree.");
        problems.push(Problem::whole(path, text));
    }
    let image = format!("FROM rust:{}-", channel.unwrap_or_default());
    if !workspace.read(Path::new(CONTAINER))?.contains(&image) {
        problems
            .push(Problem::whole(Path::new(CONTAINER), format!("is not built with `{image}…`. Use this toolchain.")));
    }
    Ok(problems)
}

/// The changelog has lines for this version, or lines that are to become its own.
fn changelog(text: &str, version: &str) -> Option<Problem> {
    let is_of = |heading: &str| heading.starts_with("Unreleased") || heading.split(' ').next() == Some(version);
    let mut sections = text.split("\n## ").skip(1);
    let has_lines = sections.any(|section| {
        let (heading, lines) = section.split_once('\n').unwrap_or((section, ""));
        is_of(heading) && lines.lines().any(|line| line.starts_with("* "))
    });
    let text = || format!("says nothing about {version}. Write what users notice below `## Unreleased`.");
    (!has_lines).then(|| Problem::whole(Path::new(CHANGELOG), text()))
}

/// The Python package has the version of its crate.
fn python(workspace: &Workspace, version: &str) -> Result<Option<Problem>, Failure> {
    let path = Path::new(PYTHON);
    let manifest = workspace.manifest(path)?;
    let project = manifest.get("project");
    let written = project.and_then(|project| project.get("version")).and_then(toml::Value::as_str);
    let is_dynamic = project.and_then(|project| project.get("dynamic")).and_then(toml::Value::as_array);
    let is_dynamic = is_dynamic.is_some_and(|names| names.iter().any(|name| name.as_str() == Some("version")));
    let agrees = written == Some(version) || (written.is_none() && is_dynamic);
    Ok((!agrees).then(|| Problem::whole(path, format!("has the version {written:?}. Write dynamic = [\"version\"]."))))
}
