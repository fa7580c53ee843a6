//! The programs that measure: building and running them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Failure, Workspace};

/// What was built for the measurements.
#[derive(Debug, Clone)]
pub(super) struct Built {
    /// `tests/bench/driver`.
    pub(super) driver: PathBuf,
    /// The command.
    pub(super) ptc: PathBuf,
    /// `tests/bench/load`.
    pub(super) load: Option<PathBuf>,
}

/// Build the command and the measuring programs in release mode. Cost: minutes when nothing was built yet.
pub(super) fn build(workspace: &Workspace) -> Result<Built, Failure> {
    let mut words = vec!["build", "--release", "--package", "ptc-cli", "--package", "ptc-tests", "--bin", "ptc"];
    let has_load = workspace.has("tests/bench/load/main.rs");
    if has_load {
        words.extend(["--example", "load"]);
    }
    let released = artifacts(workspace, &words)?;
    Ok(Built {
        driver: released_driver(workspace)?,
        ptc: program(&released, "ptc")?,
        load: has_load.then(|| program(&released, "load")).transpose()?,
    })
}

/// The driver in release mode.
pub(crate) fn released_driver(workspace: &Workspace) -> Result<PathBuf, Failure> {
    // The counter of callgrind is switched by the name of a function, so this one keeps its symbols whatever the
    // profile says.
    let words = ["rustc", "--release", "--package", "ptc-tests", "--example", "bench-driver", "--", "-C", "strip=none"];
    program(&artifacts(workspace, &words)?, "bench-driver")
}

/// The driver as the tests of the whole workspace built it.
pub(crate) fn tested_driver(workspace: &Workspace) -> Result<PathBuf, Failure> {
    program(&artifacts(workspace, &["build", "--example", "bench-driver"])?, "bench-driver")
}

/// What cargo built.
fn artifacts(workspace: &Workspace, words: &[&str]) -> Result<Vec<Artifact>, Failure> {
    let mut command = cargo(workspace);
    let (verb, rest) = words.split_first().unwrap_or((&"build", &[]));
    command.arg(verb).args(["--message-format", "json-render-diagnostics"]).args(rest);
    Ok(output(command)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Cargo in the project, which reports on standard error what it builds.
pub(crate) fn cargo(workspace: &Workspace) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(workspace.root()).stderr(Stdio::inherit());
    // What cargo said to this program about itself would look like a change to build scripts, and rebuild everything.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(of_a_package)) {
        command.env_remove(name);
    }
    command
}

/// The program of this name among what was built.
fn program(artifacts: &[Artifact], wanted: &str) -> Result<PathBuf, Failure> {
    let found = artifacts
        .iter()
        .filter(|artifact| artifact.target.name == wanted)
        .find_map(|artifact| artifact.executable.clone());
    found.ok_or_else(|| Failure::measured(format!("building {wanted}"), "cargo named no program"))
}

/// Whether cargo sets the variable for the package that it runs.
fn of_a_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// A line of cargo's messages that names a program.
#[derive(Deserialize)]
struct Artifact {
    target: ArtifactTarget,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
}

/// What a program prints on standard output.
///
/// Errors when it cannot be started or fails; the text is then its output.
pub(crate) fn output(mut command: Command) -> Result<String, Failure> {
    let what = format!("{command:?}");
    let failed = |text: String| Failure::measured(&what, text);
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The JSON that a program prints.
pub(crate) fn json<T: DeserializeOwned>(command: Command) -> Result<T, Failure> {
    let what = format!("{command:?}");
    let text = output(command)?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::measured(what, format!("its output is not what was expected: {error}")))
}

/// A command with these arguments.
pub(crate) fn command(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words);
    command
}
