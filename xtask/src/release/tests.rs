//! A project with one wrong version at a time, and the command line.

use std::fs;
use std::path::Path;

use super::steps::STEPS;
use super::{Done, Job, USAGE, parse, summary, versions};
use crate::{Failure, Workspace};

const FILES: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[workspace]\n[workspace.package]\nversion = \"0.2.0\"\nrust-version = \"1.95\"\n[workspace.dependencies]\n\
         one = { path = \"crates/one\", version = \"0.2.0\" }\nserde = \"1\"\n",
    ),
    ("crates/one/Cargo.toml", "[package]\nname = \"one\"\nversion.workspace = true\n"),
    ("tests/Cargo.toml", "[package]\nname = \"tests\"\nversion.workspace = true\npublish = false\n"),
    ("crates/ptc-python/pyproject.toml", "[project]\ndynamic = [\"version\"]\n"),
    ("crates/ptc-cli/Containerfile", "FROM rust:1.95.0-slim AS build\n"),
    ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.95.0\"\n"),
    ("docs/changelog.md", "# Changelog\n\n## Unreleased\n\n* News.\n\n## 0.1.0\n\n* Old.\n"),
];

/// What is wrong after one text in one file is replaced.
fn wrong(file: &str, from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}");
    fs::write(path, text.replace(from, to)).unwrap();
    let (version, problems) = versions::check(&Workspace::at(folder.path())).unwrap();
    assert_eq!(version, "0.2.0");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn versions_agree_everywhere() {
    let wrong_version = "Cargo.toml: depends on one 0.1.0. Write 0.2.0.";
    for (file, from, to, expected) in [
        ("Cargo.toml", "serde", "serde", ""),
        ("Cargo.toml", "one\", version = \"0.2.0", "one\", version = \"0.1.0", wrong_version),
        (
            "crates/one/Cargo.toml",
            "version.workspace = true",
            "version = \"0.2.0\"",
            "crates/one/Cargo.toml: has another version. Write version.workspace = true.",
        ),
        (
            "crates/ptc-python/pyproject.toml",
            "dynamic = [\"version\"]",
            "version = \"0.1.0\"",
            "crates/ptc-python/pyproject.toml: has the version Some(\"0.1.0\"). Write dynamic = [\"version\"].",
        ),
        ("crates/ptc-python/pyproject.toml", "dynamic = [\"version\"]", "version = \"0.2.0\"", ""),
        (
            "crates/ptc-cli/Containerfile",
            "1.95.0",
            "1.94.0",
            "crates/ptc-cli/Containerfile: is not built with `FROM rust:1.95.0-…`. Use this toolchain.",
        ),
        (
            "docs/changelog.md",
            "* News.",
            "",
            "docs/changelog.md: says nothing about 0.2.0. Write what users notice below `## Unreleased`.",
        ),
        ("docs/changelog.md", "Unreleased", "0.2.0 (2026-12-01)", ""),
    ] {
        assert_eq!(wrong(file, from, to), expected, "{file}: {to}");
    }
    assert!(wrong("rust-toolchain.toml", "1.95.0", "1.96.0").starts_with("rust-toolchain.toml: pins Some(\"1.96.0\")"));
}

/// The names of the steps that a command line chooses.
fn chosen(words: &[&str]) -> Result<Vec<&'static str>, Failure> {
    let workspace = Workspace::at(Path::new("/project"));
    parse(&workspace, words).map(|(_, steps)| steps.iter().map(|step| step.name).collect())
}

#[test]
fn steps_are_chosen_by_name() {
    let all: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    assert_eq!(chosen(&["--dry-run"]).unwrap(), all);
    assert_eq!(chosen(&["--dry-run", "--only", "book,versions"]).unwrap(), ["versions", "book"]);
    assert_eq!(chosen(&["--skip", "binary", "--dry-run"]).unwrap().len(), all.len() - 1);
    assert!(chosen(&["--dry-run", "--only", "boook"]).unwrap_err().to_string().starts_with("`boook` is not a step"));
    for words in [&[] as &[&str], &["--only", "book"], &["--dry-run", "--out"], &["--dry-run", "now", "1"]] {
        assert!(matches!(chosen(words), Err(Failure::Usage(_))), "{words:?}");
    }
    all.iter().for_each(|name| assert!(USAGE.contains(name), "{name}"));
}

#[test]
fn a_failed_command_shows_the_end_of_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::at(folder.path());
    fs::create_dir(folder.path().join("logs")).unwrap();
    let job = Job { workspace: &workspace, out: folder.path().to_owned(), baseline: None };
    let wrong = |done| match done {
        Done::Wrong(problems) => problems[0].to_string(),
        Done::Well(note) => panic!("{note}"),
    };
    let failed = wrong(job.command("book", "git", &["no-such-command"]).unwrap());
    assert!(failed.starts_with("book: `git no-such-command` ended with exit status: 1"), "{failed}");
    assert!(failed.contains("$ git no-such-command\ngit: 'no-such-command'"), "{failed}");
    let missing = wrong(job.command("book", "no-such-program", &[]).unwrap());
    assert!(missing.starts_with("book: `no-such-program` cannot be started"), "{missing}");
    assert_eq!(summary("book", "ok", std::time::Duration::from_secs(7), ""), "book      ok         7 s");
}
