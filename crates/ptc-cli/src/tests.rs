//! Every command line of the documentation can be read.

use std::collections::BTreeSet;

use clap::{CommandFactory, Parser};
use ptc_tests::fences::{self, shell};

use super::Cli;
use crate::commands::{GROUPS, first_steps, in_groups};

/// Commands of others, which the pages use and this test does not run.
const OTHERS: [&str; 16] = [
    "cat", "cd", "cp", "curl", "docker", "export", "git", "grep", "jq", "mkdir", "npm", "npx", "pip", "podman",
    "python3", "tar",
];

#[test]
fn every_command_is_in_one_group_and_every_first_step_can_be_read() {
    let all = Cli::command();
    let mut known: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    let grouped = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
    let mut grouped: Vec<&str> = grouped.filter(|name| cfg!(feature = "full") || known.contains(name)).collect();
    known.sort_unstable();
    grouped.sort_unstable();
    assert_eq!(grouped, known);
    let help = in_groups(all.clone()).render_help().to_string();
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    let first = first_steps(&all);
    let lines: Vec<String> = first.lines().filter_map(|line| line.strip_prefix("  ").map(str::to_owned)).collect();
    assert_eq!(lines.len(), 5, "{first}");
    for line in lines {
        let words = shell::commands(line.split("  ").next().unwrap_or_default());
        assert_eq!(words.first().and_then(|words| error(words)), None, "{line}");
    }
}

#[test]
fn command_lines_of_the_pages_are_read() {
    let mut wrong = Vec::new();
    let mut read = 0;
    for fence in fences::all().unwrap().iter().filter(|fence| fence.kind == "sh") {
        let commands = shell::commands(&fence.text);
        read += commands.len();
        wrong.extend(
            commands.iter().filter_map(|words| Some(format!("{}: {words:?}: {}", fence.place(), error(words)?))),
        );
    }
    assert!(read > 80, "only {read} command lines were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What is wrong with a command line.
fn error(words: &[String]) -> Option<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ptc", ..] => {
            Cli::try_parse_from(&words).err().filter(|error| error.exit_code() != 0).map(|error| error.to_string())
        }
        ["cargo", "run", rest @ ..] => cargo_run(rest),
        // A test of xtask knows its commands.
        ["cargo", "xtask", ..] => None,
        ["cargo", "test", rest @ ..] => package(rest).or_else(|| target(rest, "--test")),
        ["cargo", "install", rest @ ..] => path(rest),
        [path, ..] if path.contains('/') => {
            let is_ours = path.starts_with('.') || path.starts_with("tests/");
            let missing = is_ours && !fences::root().join(path).exists();
            missing.then(|| "there is no such file in the repository".to_owned())
        }
        [command, ..] if OTHERS.contains(command) => None,
        _ => Some("this command is not known here".to_owned()),
    }
}

/// `cargo run -p ptc-cli -- …` is the command; of other packages the example must exist.
fn cargo_run(words: &[&str]) -> Option<String> {
    let options = words.split(|word| *word == "--").next().unwrap_or_default();
    if options.contains(&"ptc-cli") {
        let ours = words.iter().skip(options.len() + 1);
        let words: Vec<String> = ["ptc"].iter().chain(ours).map(|word| (*word).to_owned()).collect();
        return error(&words);
    }
    package(options).or_else(|| target(options, "--example"))
}

/// The word after `option`.
fn after<'a>(words: &[&'a str], option: &str) -> Option<&'a str> {
    words.iter().skip_while(|word| **word != option).nth(1).copied()
}

fn package(words: &[&str]) -> Option<String> {
    let package = after(words, "-p")?;
    let folder = fences::root().join("crates").join(package);
    let known = package == "ptc-tests" || folder.join("Cargo.toml").exists();
    (!known).then(|| format!("there is no package {package}"))
}

/// An example or a test is a file of the package, or is named in its manifest.
fn target(words: &[&str], option: &str) -> Option<String> {
    let (package, name) = (after(words, "-p")?, after(words, option)?);
    let folder = if package == "ptc-tests" { "tests".to_owned() } else { format!("crates/{package}") };
    let folder = fences::root().join(folder);
    let file = folder.join(option.trim_start_matches('-').to_owned() + "s").join(format!("{name}.rs"));
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    (!file.exists() && !manifest.contains(&format!("name = \"{name}\""))).then(|| format!("{package} has no {name}"))
}

fn path(words: &[&str]) -> Option<String> {
    let path = after(words, "--path")?;
    (!fences::root().join(path).join("Cargo.toml").exists()).then(|| format!("there is no package at {path}"))
}

/// A command that is listed and no longer used is removed here.
#[test]
fn the_commands_of_others_are_used() {
    let fences = fences::all().unwrap();
    let lines = fences.iter().filter(|fence| fence.kind == "sh").flat_map(|fence| shell::commands(&fence.text));
    let used: BTreeSet<String> = lines.filter_map(|words| words.into_iter().next()).collect();
    let unused: Vec<&str> = OTHERS.into_iter().filter(|command| !used.contains(*command)).collect();
    assert_eq!(unused, Vec::<&str>::new());
}
