//! The programs that measure: building and running them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::{Failure, Workspace};

/// What was built for the measurements.
#[derive(Debug, Clone)]
pub(super) struct Built {
    /// `tests/bench/driver`.
    pub(super) driver: PathBuf,
    /// The command.
    pub(super) ptc: PathBuf,
    /// `tests/bench/load`.
    pub(super) load: PathBuf,
}

/// Build the command and the measuring programs in release mode. Cost: minutes when nothing was built yet.
pub(super) fn build(workspace: &Workspace) -> Result<Built, Failure> {
    let words = ["build", "--release", "-p", "ptc-cli", "-p", "ptc-tests", "--bin", "ptc", "--example", "load"];
    let (ptc, load) = (built(workspace, &words, "ptc")?, built(workspace, &words, "load")?);
    Ok(Built { driver: released_driver(workspace)?, ptc, load })
}

/// The driver in release mode.
pub(crate) fn released_driver(workspace: &Workspace) -> Result<PathBuf, Failure> {
    // The counter of callgrind is switched by the name of a function, so this one keeps its symbols whatever the
    // profile says.
    let words = ["rustc", "--release", "--package", "ptc-tests", "--example", "bench-driver", "--", "-C", "strip=none"];
    built(workspace, &words, "bench-driver")
}

/// The driver as the tests of the whole workspace built it.
pub(crate) fn tested_driver(workspace: &Workspace) -> Result<PathBuf, Failure> {
    built(workspace, &["build", "--example", "bench-driver"], "bench-driver")
}

/// The program of this name after cargo built what the words say.
fn built(workspace: &Workspace, words: &[&str], name: &str) -> Result<PathBuf, Failure> {
    let mut command = cargo(workspace);
    let (verb, rest) = words.split_first().unwrap_or((&"build", &[]));
    command.arg(verb).args(["--message-format", "json-render-diagnostics"]).args(rest);
    let text = output(command)?;
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let mut named = messages.filter(|message| message.pointer("/target/name").and_then(Json::as_str) == Some(name));
    let program = named.find_map(|message| message.get("executable")?.as_str().map(PathBuf::from));
    program.ok_or_else(|| Failure::measured(format!("building {name}"), "cargo named no program"))
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

/// Whether cargo sets the variable for the package that it runs.
fn of_a_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
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
