//! The scripted missions in this folder, run in this process: each ends with its answer in `answers.json`, with and
//! without compression.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails where it stands")]

mod live;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ptc_runner::agent::{Approval, Decision};
use ptc_runner::chat::ReplayLlm;
use ptc_runner::config::{MissionFile, Strategy};
use ptc_runner::prelude::*;
use ptc_runner::transcript::EndingKind;
use ptc_runner::transcript::Turn;
use serde_json::Value as Json;

/// What the table in the README says about a mission.
#[derive(Debug, PartialEq)]
struct Listed {
    turns: usize,
    failed: usize,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("study")
}

/// The rows `| [name](name/mission.toml) | turns | failed | …` of the README, by name.
fn listed() -> BTreeMap<String, Listed> {
    let row = |(name, cells): (String, Vec<String>)| {
        (name, Listed { turns: cells[2].parse().unwrap(), failed: cells[3].parse().unwrap() })
    };
    rows(&folder()).into_iter().map(row).collect()
}

/// The cells of each row that begins with a mission in the README of a folder, by its name; cell 1 is the name.
fn rows(folder: &Path) -> Vec<(String, Vec<String>)> {
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = readme.lines().filter(|line| line.starts_with("| ["));
    rows.map(|row| {
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        let name = cells[1].trim_start_matches('[').split(']').next().unwrap();
        assert_eq!(cells[1], format!("[{name}]({name}/mission.toml)"));
        (name.to_owned(), cells)
    })
    .collect()
}

/// The missions in a folder, by name.
fn missions(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let missions = entries.filter(|path| path.join("mission.toml").is_file());
    let mut names: Vec<String> =
        missions.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What a mission must end with, by its folder from here.
fn answer(name: &str) -> Json {
    let answers: Json = serde_json::from_str(&std::fs::read_to_string(folder().join("answers.json")).unwrap()).unwrap();
    answers[name].clone()
}

async fn run(folder: &Path, compression: Option<Strategy>) -> Step {
    let name = folder.display();
    let mut mission = MissionFile::load(folder.join("mission.toml")).unwrap_or_else(|error| panic!("{error}"));
    mission.agent.compression = compression.map_or_else(|| false.into(), Into::into);
    // Steps bound programs equally on every machine, seconds do not.
    mission.agent.timeout = Duration::from_secs(300);
    let agent = mission.build_agent(&mission.limits()).unwrap();
    let llm: Arc<dyn Llm> = Arc::new(ReplayLlm::open(mission.replay.as_ref().unwrap()).unwrap());
    let all: fn(&Approval) -> Vec<Decision> = |waiting| waiting.ids().iter().map(|_| Decision::Approve).collect();
    let options = mission.run_options().llm(llm).approval(Arc::new(all));
    let context = Context::from_map(mission.data_map());
    assert!(agent.check(&context).is_empty(), "{name} has names that confuse");
    agent.run_with(context, options).await.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What programs did, without what was shown to models.
fn doings(step: &Step) -> Vec<(bool, Option<String>, usize, usize)> {
    let turns = step.turns().iter();
    turns.map(|turn| (turn.is_success(), turn.error_message(), turn.prints().len(), turn.tool_calls().len())).collect()
}

#[test]
fn the_table_lists_every_mission() {
    assert_eq!(listed().into_keys().collect::<Vec<_>>(), missions(&folder()));
}

#[test]
fn missions_of_every_length_are_there() {
    let listed = listed();
    let of = |turns: std::ops::RangeInclusive<usize>| listed.values().filter(|row| turns.contains(&row.turns)).count();
    let (short, middle, long) = (of(5..=12), of(20..=30), of(50..=55));
    assert_eq!(short + middle + long, listed.len());
    assert!(short >= 4 && middle >= 4 && long >= 6, "{short} short, {middle} of middle length, {long} long");
}

#[tokio::test]
async fn every_mission_ends_with_its_answer() {
    for (name, expected) in listed() {
        let plain = run(&folder().join(&name), None).await;
        assert_eq!(plain.ending, EndingKind::Return, "{name}: {:?}", plain.fail());
        assert_eq!(plain.value::<Json>().unwrap(), answer(&name), "{name}");
        let turns = plain.turns();
        let failed = turns.iter().filter(|turn| !turn.is_success()).count();
        assert_eq!(Listed { turns: turns.len(), failed }, expected, "{name}");

        let compressed = run(&folder().join(&name), Some(Strategy::default())).await;
        assert_eq!(compressed.value::<Json>().unwrap(), plain.value::<Json>().unwrap(), "{name}");
        assert_eq!(doings(&compressed), doings(&plain), "{name}");
    }
}

/// From turn 20 on only definitions can make a request of the default strategy longer.
#[tokio::test]
async fn long_missions_reach_both_limits_before_turn_20() {
    for (name, _) in listed().into_iter().filter(|(_, row)| row.turns >= 50) {
        let step = run(&folder().join(&name), None).await;
        let early = || step.turns().iter().take(19).filter(|turn| turn.is_success());
        let prints: usize = early().map(|turn| turn.prints().len()).sum();
        let calls: usize = early().map(|turn| turn.tool_calls().len()).sum();
        assert!(prints >= 15 && calls >= 20, "{name}: {prints} prints, {calls} calls");
    }
}
