//! Runs that are killed at any point, any number of times, and resumed: nothing happens twice, and nothing is lost.
//!
//! `PTC_KILLS=200 cargo test -p ptc-cli --test crash -- --nocapture` kills more often than the everyday run and prints
//! what it met.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

#[path = "crash/gateway.rs"]
mod gateway;
#[path = "crash/server.rs"]
mod server;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ptc_runner::lisp::SplitMix64;
use ptc_runner::transcript::read_record;
use serde_json::{Value as Json, json};

/// Kills of an everyday run.
const KILLS: usize = 20;
const RECORD: &str = "run.jsonl.gz";

const MISSION: &str = r#"
mission = "Book and pay."
max_turns = 30

[tools.charge]
signature = "(n :int) -> {paid :int}"
command = ["sh", "charge.sh"]

[tools.reserve]
signature = "(n :int) -> {reserved :int}"
command = ["sh", "reserve.sh"]
idempotent = true

[agents.keep]
mission = "Keep {{n}}."
signature = "(n :int) -> {reserved :int}"
description = "Reserves."
effect = "write"

[agents.keep.tools.reserve]
signature = "(n :int) -> {reserved :int}"
command = ["sh", "reserve.sh"]
idempotent = true

[agents.pay]
mission = "Pay {{n}}."
signature = "(n :int) -> {paid :int}"
description = "Charges."
effect = "write"

[agents.pay.tools.charge]
signature = "(n :int) -> {paid :int}"
command = ["sh", "charge.sh"]
"#;

/// Each call has its effect in the middle: a line in a file outside the process.
const CHARGE: &str = r#"
read line || exit 1
n=$(echo "$line" | tr -cd 0-9)
sleep 0.02
echo "charge $n" >> effects.log
sleep 0.02
echo "{\"paid\": $n}"
"#;

/// The same, but a repeated call has no second effect.
const RESERVE: &str = r#"
read line || exit 1
n=$(echo "$line" | tr -cd 0-9)
sleep 0.02
mkdir "reserved-$n" 2>/dev/null && echo "reserve $n" >> effects.log
sleep 0.02
echo "{\"reserved\": $n}"
"#;

fn start(folder: &Path, llm: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ptc"))
        .current_dir(folder)
        .args(["run", "m.toml", "--llm", llm, "--record", RECORD, "--resume", "--json"])
        .env_remove("PTC_LLM")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The whole lines of the journal.
fn journal(folder: &Path) -> Vec<Json> {
    let text = read_record(&folder.join(RECORD)).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// The calls of a journal by their ids, with their ends if they have any.
fn calls(journal: &[Json]) -> BTreeMap<String, (Json, Option<Json>)> {
    let mut calls = BTreeMap::new();
    for record in journal {
        let id = record["id"].as_str().unwrap_or_default().to_owned();
        match record["type"].as_str() {
            Some("call.start") => drop(calls.insert(id, (record.clone(), None))),
            Some("call.end") => calls.get_mut(&id).unwrap().1 = Some(record.clone()),
            _ => {}
        }
    }
    calls
}

/// How often each effect happened.
fn effects(folder: &Path) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("effects.log")).unwrap_or_default().lines() {
        *counts.entry(line.to_owned()).or_insert(0) += 1;
    }
    counts
}

/// `charge 30`: the effect of a call.
fn effect(start: &Json) -> String {
    let digits: String = start["args"].to_string().chars().filter(char::is_ascii_digit).collect();
    format!("{} {digits}", start["tool"].as_str().unwrap())
}

/// What a mission met until it ended.
struct Trial {
    folder: tempfile::TempDir,
    /// Ids that were open at a kill, and whether the calls may be made again.
    open: Vec<BTreeMap<String, bool>>,
    step: Json,
}

/// The calls that a kill left open, and whether they may be made again. An agent runs again from its beginning, with its
/// calls, unless it has begun to charge.
fn left_open(journal: &[Json]) -> BTreeMap<String, bool> {
    let all = calls(journal);
    let is_open = |id: &str| all.get(id).is_some_and(|(_, end)| end.is_none());
    let has_charged = |id: &str| all.values().any(|(start, _)| start["below"] == id && start["tool"] == "charge");
    let left = all.iter().filter_map(|(id, (start, end))| match (start["below"].as_str(), start["tool"].as_str()?) {
        (None, _) if end.is_some() => None,
        (None, "charge") => Some((id.clone(), false)),
        (None, tool) => Some((id.clone(), tool == "reserve" || !has_charged(id))),
        (Some(agent), _) => (is_open(agent) && !has_charged(agent)).then(|| (id.clone(), true)),
    });
    left.collect()
}

/// Let it run until its journal has this many lines, then a little longer; false when it ends before.
fn reaches(child: &mut Child, folder: &Path, lines: u64, chance: &mut SplitMix64) -> bool {
    while journal(folder).len() < usize::try_from(lines).unwrap() {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(chance.next_u64() % 45));
    child.try_wait().unwrap().is_none()
}

/// Run the mission, which has so many records; kill it at most `kills` times.
fn trial(llm: &str, records: u64, kills: usize, chance: &mut SplitMix64) -> Trial {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("m.toml", MISSION), ("charge.sh", CHARGE), ("reserve.sh", RESERVE)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut open = Vec::new();
    for _ in 0..kills {
        let mut child = start(folder.path(), llm);
        // Records from 1 to a little less than all of them, some of which it may already have written.
        let written = u64::try_from(journal(folder.path()).len()).unwrap();
        let lines = written + chance.next_u64() % records.saturating_sub(written).max(1);
        if !reaches(&mut child, folder.path(), lines, chance) {
            child.wait().unwrap();
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        open.push(left_open(&journal(folder.path())));
    }
    let output = start(folder.path(), llm).wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text} {}", String::from_utf8_lossy(&output.stdout));
    Trial { folder, open, step: serde_json::from_slice(&output.stdout).unwrap() }
}

impl Trial {
    /// What must hold for every run that was killed and resumed.
    fn check(&self, undisturbed: &Json) {
        let journal = journal(self.folder.path());
        let effects = effects(self.folder.path());
        assert!(effects.values().all(|count| *count == 1), "an effect happened twice: {effects:?}");

        let all = calls(&journal);
        let is_unknown = |end: &Option<Json>| {
            end.as_ref().is_some_and(|end| {
                end["error"].as_str().is_some_and(|error| error.starts_with("outcome unknown after a crash"))
            })
        };
        for (start, end) in all.values() {
            let caller = start["below"].as_str().and_then(|agent| all.get(agent));
            let is_given_up = caller.is_some_and(|(_, end)| is_unknown(end));
            assert!(end.is_some() || is_given_up, "a run that is over has no open call: {start}");
            let is_of_tool = start["agent"] != true && end.is_some();
            assert!(
                !is_of_tool || is_unknown(end) || effects.contains_key(&effect(start)),
                "{start} was recorded as done"
            );
        }
        let unknown: BTreeSet<&String> = all.iter().filter(|(_, (_, end))| is_unknown(end)).map(|(id, _)| id).collect();
        let lost: BTreeSet<&String> =
            self.open.iter().flatten().filter(|(_, again)| !**again).map(|(id, _)| id).collect();
        assert_eq!(unknown, lost, "those that were open, and no others");
        self.check_repeated(&journal);

        assert_eq!(self.step["ending"], "return", "{}", self.step);
        if lost.is_empty() {
            assert_eq!(self.step["return"], undisturbed["return"]);
            assert_eq!(self.step["turns"].as_array().unwrap().len(), server::STEPS);
        } else {
            let told = self.step["turns"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|turn| turn["result"]["message"].to_string().contains("outcome unknown"));
            let unknown = self.step["return"].as_array().unwrap().iter().filter(|result| **result == "unknown").count();
            assert!(unknown > 0 && told.count() == unknown, "{}", self.step);
        }
    }

    /// A call that came twice was open at a kill, may be repeated, and is the same call.
    fn check_repeated(&self, journal: &[Json]) {
        let starts: Vec<&Json> = journal.iter().filter(|record| record["type"] == "call.start").collect();
        for id in starts.iter().map(|start| start["id"].as_str().unwrap()).collect::<BTreeSet<_>>() {
            let same: Vec<&Json> = starts.iter().copied().filter(|start| start["id"] == id).collect();
            let kills = self.open.iter().filter(|open| open.get(id) == Some(&true)).count();
            assert!(same.len() <= 1 + kills, "{same:?}");
            // It is made at another time.
            let call = |start: &Json| (start["tool"].clone(), start["args"].clone());
            assert!(same.iter().all(|start| call(start) == call(same[0])), "{same:?}");
        }
    }
}

#[test]
fn killed_runs_go_on_and_nothing_happens_twice() {
    let wanted = std::env::var("PTC_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    let llm = server::start();
    let mut chance = SplitMix64::new(2026);
    let undisturbed = trial(&llm, 0, 0, &mut chance);
    let records = journal(undisturbed.folder.path()).len() as u64;
    assert_eq!(records, 78);
    assert_eq!(undisturbed.step["return"][8], json!({"paid": 90}));
    undisturbed.check(&undisturbed.step);

    let mut trials = Vec::new();
    let kills = |trials: &[Trial]| trials.iter().map(|trial| trial.open.len()).sum::<usize>();
    while kills(&trials) < wanted {
        let times = usize::try_from(1 + chance.next_u64() % 3).unwrap().min(wanted - kills(&trials));
        trials.push(trial(&llm, records, times, &mut chance));
    }
    // Commands that outlive their run may still be running.
    std::thread::sleep(Duration::from_secs(1));
    for trial in &trials {
        trial.check(&undisturbed.step);
    }
    let inside = trials.iter().flat_map(|trial| &trial.open).filter(|open| !open.is_empty()).count();
    println!("{} kills in {} missions, {inside} of them inside a call", kills(&trials), trials.len());
    assert!(inside * 10 >= wanted * 3, "{inside} of {wanted} kills met a call");
}
