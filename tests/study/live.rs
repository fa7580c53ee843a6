//! The missions in `live`, whose answers a model wrote: what ran when they were recorded runs now.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use tokio::sync::OnceCell;

use super::*;

/// What the table in the README of the folder says about a mission.
#[derive(Debug, PartialEq)]
struct Recorded {
    kind: String,
    turns: usize,
    /// The turns that failed when the run was recorded.
    failed: Vec<usize>,
}

fn folder() -> PathBuf {
    super::folder().join("live")
}

/// The rows `| [name](name/mission.toml) | kind | turns | failed | …` of the README, by name.
fn recorded() -> BTreeMap<String, Recorded> {
    let rows = rows(&folder());
    let row = |(name, cells): (String, Vec<String>)| {
        let failed = cells[4].split(", ").filter_map(|turn| turn.parse().ok()).collect();
        (name, Recorded { kind: cells[2].clone(), turns: cells[3].parse().unwrap(), failed })
    };
    rows.into_iter().map(row).collect()
}

/// Each mission, run as it was recorded: once for all tests, as it takes seconds.
async fn plain() -> &'static BTreeMap<String, Step> {
    static PLAIN: OnceCell<BTreeMap<String, Step>> = OnceCell::const_new();
    let all = async || {
        let mut steps = BTreeMap::new();
        for name in recorded().into_keys() {
            let step = run(&folder().join(&name), None).await;
            steps.insert(name, step);
        }
        steps
    };
    PLAIN.get_or_init(all).await
}

/// The turns of a run that failed, each with its message and its notes.
fn failures(step: &Step) -> Vec<(usize, String)> {
    let failed = step.turns().iter().filter(|turn| !turn.is_success());
    let told = |turn: &Turn| {
        let notes = turn.warnings().iter().map(|warning| format!("Note: {}", warning.message));
        turn.error_message().into_iter().chain(notes).collect::<Vec<_>>().join("\n")
    };
    failed.map(|turn| (turn.number(), told(turn))).collect()
}

#[test]
fn the_table_lists_every_mission() {
    assert_eq!(recorded().into_keys().collect::<Vec<_>>(), missions(&folder()));
}

#[test]
fn all_kinds_are_there() {
    let recorded = recorded();
    for (kind, least) in [("data", 5), ("puzzle", 10), ("tools", 10)] {
        assert!(recorded.values().filter(|row| row.kind == kind).count() >= least, "{kind}");
    }
}

/// A program that failed may run now; then the programs of the turns after it run as recorded.
#[tokio::test]
async fn what_ran_when_recorded_runs_now() {
    for (name, recorded) in recorded() {
        let step = &plain().await[&name];
        let failures = failures(step);
        let new: Vec<_> = failures.iter().filter(|(turn, _)| !recorded.failed.contains(turn)).collect();
        assert!(new.is_empty(), "{name}: these turns ran when the run was recorded: {new:#?}");
        assert_eq!(step.ending, EndingKind::Return, "{name}: {:?}", step.fail());
        assert_eq!(step.value::<Json>().unwrap(), answer(&format!("live/{name}")), "{name}");
        let turns = step.turns().len();
        let returned_early = recorded.failed.contains(&turns);
        assert!(turns == recorded.turns || returned_early, "{name}: {turns} turns in place of {}", recorded.turns);
    }
}

/// Each of these messages must say what to write instead.
#[tokio::test]
async fn programs_that_failed_run_now_or_get_a_message() {
    let mut told = String::new();
    for (name, recorded) in recorded().into_iter().filter(|(_, recorded)| !recorded.failed.is_empty()) {
        let failures: BTreeMap<usize, String> = failures(&plain().await[&name]).into_iter().collect();
        for turn in recorded.failed {
            let message = failures.get(&turn).map_or("runs now", String::as_str);
            writeln!(told, "{name}, turn {turn}: {message}\n").unwrap();
        }
    }
    insta::assert_snapshot!(told.trim_end());
}

#[tokio::test]
async fn the_default_strategy_does_not_change_what_programs_do() {
    for (name, plain) in plain().await {
        let compressed = run(&folder().join(name), Some(Strategy::default())).await;
        assert_eq!(doings(&compressed), doings(plain), "{name}");
    }
}
