//! `cargo xtask release --dry-run`: builds and checks what a release holds, and publishes nothing.

mod steps;
#[cfg(test)]
mod tests;
mod versions;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steps::{STEPS, Step};

use crate::{Failure, Problem, Workspace};

const USAGE: &str = "\
usage: cargo xtask release --dry-run [--out DIR] [--only STEP,...] [--skip STEP,...] [--baseline REV]

  --out DIR        where to put artifacts and logs; target/release-dry-run by default
  --only, --skip   names of steps: versions licences semver crates binary wheel wasm book readme
  --baseline REV   the revision that public APIs are compared with; the last tag v* by default

Nothing is published. Without --dry-run there is nothing to do: uploads are by hand.";

const OUT: &str = "target/release-dry-run";

/// What a step works with.
struct Job<'a> {
    workspace: &'a Workspace,
    /// Absolute.
    out: PathBuf,
    /// The revision to compare with, if it was given.
    baseline: Option<String>,
}

/// How a step ended.
enum Done {
    /// All is well, with what a reader wants to know.
    Well(String),
    /// What is wrong, each with a place.
    Wrong(Vec<Problem>),
}

/// Run the steps one after another; a failed one does not stop the others.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let (job, chosen) = parse(workspace, words)?;
    fs::create_dir_all(job.out.join("logs")).map_err(Failure::file(&job.out))?;
    let mut problems = Vec::new();
    let mut lines = Vec::new();
    for step in chosen {
        println!("── {}: {}", step.name, step.about);
        let start = Instant::now();
        let (verdict, note) = match (step.run)(&job)? {
            Done::Well(note) => ("ok", note),
            Done::Wrong(found) => {
                let note = format!("{} problem(s)", found.len());
                problems.extend(found);
                ("FAILED", note)
            }
        };
        let line = summary(step.name, verdict, start.elapsed(), &note);
        println!("{line}");
        lines.push(line);
    }
    println!("\n{}", lines.join("\n"));
    println!("\nartifacts and logs: {}", job.out.display());
    Ok(problems)
}

fn summary(name: &str, verdict: &str, took: Duration, note: &str) -> String {
    format!("{name:<9} {verdict:<6} {:>5} s  {note}", took.as_secs()).trim_end().to_owned()
}

fn parse<'a>(workspace: &'a Workspace, words: &[&str]) -> Result<(Job<'a>, Vec<&'static Step>), Failure> {
    let mut job = Job { workspace, out: workspace.root().join(OUT), baseline: None };
    let mut chosen: Vec<&Step> = STEPS.iter().collect();
    let mut is_dry = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if *word == "--dry-run" {
            is_dry = true;
            continue;
        }
        let value = words.next().ok_or(Failure::Usage(USAGE))?;
        match *word {
            "--out" => job.out = std::path::absolute(value).map_err(Failure::file(Path::new(value)))?,
            "--baseline" => job.baseline = Some((*value).to_owned()),
            "--only" => {
                let names = named(value)?;
                chosen.retain(|step| names.contains(&step.name));
            }
            "--skip" => {
                let names = named(value)?;
                chosen.retain(|step| !names.contains(&step.name));
            }
            _ => return Err(Failure::Usage(USAGE)),
        }
    }
    if is_dry { Ok((job, chosen)) } else { Err(Failure::Usage(USAGE)) }
}

/// The names in a list of steps.
fn named(list: &str) -> Result<Vec<&str>, Failure> {
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    match names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        Some(unknown) => Err(Failure::Argument {
            argument: (*unknown).to_owned(),
            wanted: "a step; `cargo xtask release` lists them",
        }),
        None => Ok(names),
    }
}

impl Job<'_> {
    /// Run a command in the root folder with its output in the log of the step.
    fn command(&self, step: &str, program: &str, arguments: &[&str]) -> Result<Done, Failure> {
        self.command_in(self.workspace.root(), step, program, arguments)
    }

    fn command_in(&self, folder: &Path, step: &str, program: &str, arguments: &[&str]) -> Result<Done, Failure> {
        let path = self.out.join("logs").join(format!("{step}.log"));
        let mut log = fs::File::options().create(true).append(true).open(&path).map_err(Failure::file(&path))?;
        writeln!(log, "$ {program} {}", arguments.join(" ")).map_err(Failure::file(&path))?;
        let other = log.try_clone().map_err(Failure::file(&path))?;
        let status =
            std::process::Command::new(program).args(arguments).current_dir(folder).stdout(log).stderr(other).status();
        let what = [&[program], arguments].concat().join(" ");
        match status {
            Ok(status) if status.success() => Ok(Done::Well(String::new())),
            Ok(status) => {
                Ok(Done::wrong(Path::new(step), format!("`{what}` ended with {status}:\n{}", end_of(&path)?)))
            }
            Err(error) => Ok(Done::wrong(Path::new(step), format!("`{what}` cannot be started: {error}"))),
        }
    }
}

/// The last lines of a log.
fn end_of(path: &Path) -> Result<String, Failure> {
    const LINES: usize = 15;
    let text = fs::read_to_string(path).map_err(Failure::file(path))?;
    let lines: Vec<&str> = text.lines().collect();
    Ok(lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n"))
}

impl Done {
    fn wrong(path: &Path, text: impl Into<String>) -> Done {
        Done::Wrong(vec![Problem::whole(path, text)])
    }

    /// The same with a note, or a first problem.
    fn noted(self, note: impl FnOnce() -> Result<String, Failure>) -> Result<Done, Failure> {
        match self {
            Done::Well(_) => Ok(Done::Well(note()?)),
            wrong => Ok(wrong),
        }
    }

    /// This, or else the next.
    fn then(self, next: impl FnOnce() -> Result<Done, Failure>) -> Result<Done, Failure> {
        match self {
            Done::Well(_) => next(),
            wrong => Ok(wrong),
        }
    }
}
