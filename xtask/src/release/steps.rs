//! The steps of a release, in order.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::{Done, Job, versions};
use crate::Failure;

/// One step.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) run: fn(&Job<'_>) -> Result<Done, Failure>,
}

pub(super) const STEPS: &[Step] = &[
    Step { name: "versions", about: "manifests, toolchain and changelog agree", run: versions::step },
    Step { name: "licences", about: "licences, sources and duplicates of all dependencies", run: licences },
    Step { name: "semver", about: "public APIs against the last release", run: semver },
    Step { name: "crates", about: "packages of all published crates, each built from its package", run: crates },
    Step { name: "binary", about: "the command, built twice and compared, bill of materials, checksums", run: binary },
    Step { name: "wheel", about: "the Python package in an empty environment", run: wheel },
    Step { name: "wasm", about: "the WASM build and the playground in a browser", run: wasm },
    Step { name: "book", about: "the documentation as a book", run: book },
    Step { name: "readme", about: "the commands of the README in an empty folder, timed", run: readme },
];

fn licences(job: &Job<'_>) -> Result<Done, Failure> {
    job.command("licences", "cargo", &["deny", "--locked", "check", "bans", "licenses", "sources"])
}

/// Compares with the last tag of a version. Before the first release there is nothing to break.
fn semver(job: &Job<'_>) -> Result<Done, Failure> {
    let Some(baseline) = job.baseline.clone().or_else(|| last_tag(job.workspace.root())) else {
        return Ok(Done::Well("no tag v*: this is the first release, there is nothing to compare with".to_owned()));
    };
    let arguments = ["semver-checks", "check-release", "--workspace", "--baseline-rev", &baseline];
    job.command("semver", "cargo", &arguments)?.noted(|| Ok(format!("against {baseline}")))
}

fn last_tag(root: &Path) -> Option<String> {
    let described =
        Command::new("git").args(["describe", "--tags", "--abbrev=0", "--match", "v*"]).current_dir(root).output();
    let tag = String::from_utf8(described.ok().filter(|output| output.status.success())?.stdout).ok()?;
    Some(tag.trim().to_owned())
}

fn crates(job: &Job<'_>) -> Result<Done, Failure> {
    let private = versions::private(job.workspace)?;
    let mut arguments = vec!["package", "--locked", "--workspace"];
    for name in &private {
        arguments.extend(["--exclude", name]);
    }
    job.command("crates", "cargo", &arguments)?.noted(|| {
        let folder = job.workspace.root().join("target/package");
        let packed = sizes(&folder, ".crate")?;
        Ok(format!("{} crates, {} kB", packed.len(), packed.iter().sum::<u64>() / 1000))
    })
}

fn binary(job: &Job<'_>) -> Result<Done, Failure> {
    let out = job.out.to_string_lossy();
    job.command("binary", ".ci/release", &[&out])?.noted(|| artifacts(job, ".tar.gz"))
}

fn wheel(job: &Job<'_>) -> Result<Done, Failure> {
    let out = job.out.to_string_lossy();
    job.command("wheel", ".ci/python", &["--profile", "release", &out])?.noted(|| artifacts(job, ".whl"))
}

fn wasm(job: &Job<'_>) -> Result<Done, Failure> {
    let out = job.out.to_string_lossy();
    let built = format!("BUILT={out}");
    let check = || job.command("wasm", "env", &[&built, "tests/wasm/run", "check"]);
    job.command("wasm", "cargo", &["xtask", "wasm", "--out", &out])?.then(check)?.noted(|| artifacts(job, ".html"))
}

fn book(job: &Job<'_>) -> Result<Done, Failure> {
    job.command("book", ".ci/book", &[])
}

/// Sizes of the artifacts whose names end like this.
fn artifacts(job: &Job<'_>, ending: &str) -> Result<String, Failure> {
    let sizes = sizes(&job.out, ending)?;
    Ok(sizes.iter().map(|size| format!("{} kB", size / 1000)).collect::<Vec<_>>().join(", "))
}

/// Sizes in bytes of the files of a folder whose names end like this.
fn sizes(folder: &Path, ending: &str) -> Result<Vec<u64>, Failure> {
    let mut sizes = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let entry = entry.map_err(Failure::file(folder))?;
        if entry.file_name().to_string_lossy().ends_with(ending) {
            sizes.push(entry.metadata().map_err(Failure::file(folder))?.len());
        }
    }
    Ok(sizes)
}

/// The two commands of the README as a newcomer types them, with this commit in place of the public repository.
fn readme(job: &Job<'_>) -> Result<Done, Failure> {
    let empty = tempfile::tempdir().map_err(Failure::file(&job.out))?;
    let source = job.workspace.root().to_string_lossy();
    let start = Instant::now();
    let clone = job.command_in(empty.path(), "readme", "git", &["clone", "--quiet", &source, "ptc-runner"])?;
    let (cloned, folder) = (start.elapsed(), empty.path().join("ptc-runner"));
    let run = ["run", "--profile", "quick", "-p", "ptc-cli", "--", "run", "docs/examples/orders/mission.toml"];
    clone.then(|| job.command_in(&folder, "readme", "cargo", &run))?.noted(|| {
        let both = start.elapsed();
        Ok(format!("clone {} s, build and answer {} s", cloned.as_secs(), (both - cloned).as_secs()))
    })
}
