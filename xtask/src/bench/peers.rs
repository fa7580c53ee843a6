//! Other languages on the same workloads, in the same run: `--peers`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ptc_tests::bench::workload;

use super::row::Row;
use super::sample::{Samples, same_answer};
use super::target::TARGETS;
use super::times::{Effort, Python};
use super::tool::{self, Built};
use crate::{Failure, Workspace};

const FOLDER: &str = "tests/bench/peers";

/// Languages of the program in [`FOLDER`]: their names, and its names for them.
const LANGUAGES: &[(&str, &str)] =
    &[("Luau", "luau"), ("QuickJS", "quickjs"), ("Starlark", "starlark"), ("Rhai", "rhai")];

const MONTY: &str = "Monty";

/// The workloads that languages are compared by.
pub(super) const COMPARED: [&str; 7] = ["W1", "W2", "W3", "W4", "W5", "W6", "W7"];

/// The medians of a language in milliseconds, in the order of [`COMPARED`].
#[derive(Debug, Clone)]
pub(super) struct Peer {
    pub(super) name: String,
    pub(super) medians: Vec<Option<f64>>,
}

/// The programs of the peers.
#[derive(Debug)]
pub(super) struct Peers {
    program: PathBuf,
    monty: PathBuf,
    python: Python,
    /// The orders and customers, as JSON; removed when this is dropped.
    data: tempfile::NamedTempFile,
}

impl Peers {
    /// Build and find what is needed, before anything is measured.
    ///
    /// Errors when something is not installed, with what to install.
    pub(super) fn prepare(workspace: &Workspace, built: &Built, python: &Python) -> Result<Peers, Failure> {
        let probe = python.command(&["-c", "import pydantic_monty"]);
        tool::output(probe).map_err(|failure| {
            let text = format!(
                "Monty is not installed for {}: `python3 -m pip install pydantic-monty`. {failure}",
                python.version
            );
            Failure::Measurement { what: "peers".to_owned(), text }
        })?;
        let folder = workspace.root().join(FOLDER);
        let text = tool::output(tool::command(&built.driver, &["data", "10000"]))?;
        let data = tempfile::NamedTempFile::new().map_err(Failure::file(&std::env::temp_dir()))?;
        std::fs::write(data.path(), text).map_err(Failure::file(data.path()))?;
        Ok(Peers { program: build(&folder, built)?, monty: folder.join("monty.py"), python: python.clone(), data })
    }

    /// Measure every language on every workload.
    pub(super) fn measure(&self, effort: Effort) -> Result<Vec<Peer>, Failure> {
        let languages = LANGUAGES.iter().map(|(name, _)| *name).chain([MONTY]);
        languages.map(|name| self.peer(name, effort)).collect()
    }

    fn peer(&self, name: &str, effort: Effort) -> Result<Peer, Failure> {
        eprintln!("peers: {name}");
        let median = |id: &&str| {
            let size = TARGETS
                .iter()
                .find(|target| target.id == *id)
                .and_then(|target| target.subject)
                .map_or(1, |(_, size)| size);
            let samples: Samples = tool::json(self.command(name, id, size, effort))?;
            match workload(id).map(|workload| workload.answer(size)) {
                Some(wanted) if !same_answer(&wanted, &samples.answer) => {
                    let text = format!("the answer is {}, not {wanted}", samples.answer);
                    Err(Failure::Measurement { what: format!("{name}, {id}"), text })
                }
                _ => Ok(samples.median_ms()),
            }
        };
        Ok(Peer { name: name.to_owned(), medians: COMPARED.iter().map(median).collect::<Result<_, _>>()? })
    }

    fn command(&self, name: &str, id: &str, size: u64, effort: Effort) -> Command {
        let (size, seconds) = (size.to_string(), effort.seconds.to_string());
        let mut command = match LANGUAGES.iter().find(|(known, _)| *known == name) {
            Some((_, engine)) => tool::command(&self.program, &[engine]),
            None => {
                let mut command = self.python.command(&[]);
                command.arg(&self.monty);
                command
            }
        };
        command.args([id, &size, &seconds]).arg(self.data.path());
        command
    }
}

/// Our times and CPython's as peers among others.
pub(super) fn of_rows(rows: &[Row]) -> [Peer; 2] {
    let row = |id: &&str| rows.iter().find(|row| row.id == *id);
    let medians = |figure: fn(&Row) -> Option<f64>| COMPARED.iter().map(|id| row(id).and_then(figure)).collect();
    [
        Peer { name: "PTC-Lisp".to_owned(), medians: medians(|row| Some(row.ours)) },
        Peer { name: "CPython".to_owned(), medians: medians(|row| row.cpython) },
    ]
}

/// Build the program of the peers next to the others.
fn build(folder: &Path, built: &Built) -> Result<PathBuf, Failure> {
    // `target/release/examples/bench-driver`: three folders up is where cargo puts what it builds.
    let target = built.driver.ancestors().nth(3).unwrap_or(Path::new("target")).join("peers");
    let mut command = Command::new("cargo");
    command
        .current_dir(folder)
        .args(["build", "--release", "--locked", "--target-dir"])
        .arg(&target)
        .stderr(Stdio::inherit());
    tool::output(command)?;
    Ok(target.join("release/ptc-bench-peers"))
}
