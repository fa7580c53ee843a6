//! Runs that are kept by default.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::{command, ptc, refused, shown};

/// A mission with these recorded programs.
fn mission(programs: &[&str], further: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), format!("mission = \"Count.\"\nreplay = \"a.jsonl\"\n{further}")).unwrap();
    answers(folder.path(), programs);
    folder
}

fn answers(folder: &Path, programs: &[&str]) {
    let lines: String = programs.iter().map(|program| format!("{}\n", json!({ "content": program }))).collect();
    fs::write(folder.join("a.jsonl"), lines).unwrap();
}

/// The folders of kept runs, oldest first.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> =
        fs::read_dir(folder.join(".ptc/runs")).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    kept
}

#[test]
fn every_run_is_kept_unless_told_otherwise() {
    let folder = mission(&["(def n 2)", "(return (inc n))"], "");
    shown(folder.path(), &["run", "m.toml", "--no-keep"]);
    assert!(!folder.path().join(".ptc").exists());

    let (answer, remarks) = shown(folder.path(), &["run", "-q", "m.toml", "--record", "r.jsonl"]);
    assert_eq!((answer.as_str(), remarks.as_str()), ("3\n", ""));
    let runs = kept(folder.path());
    assert_eq!(runs.len(), 1);
    let about: Json = serde_json::from_slice(&fs::read(runs[0].join("run.json")).unwrap()).unwrap();
    assert!(
        about["mission"].as_str().unwrap().ends_with("m.toml")
            && about["model"].as_str().unwrap().starts_with("replay:"),
        "{about}"
    );
    assert_eq!(about["started"].as_str(), runs[0].file_name().unwrap().to_str());
    assert_eq!(fs::read(runs[0].join("answers.jsonl")).unwrap(), fs::read(folder.path().join("r.jsonl")).unwrap());
    assert_eq!(fs::read_to_string(folder.path().join(".ptc/.gitignore")).unwrap(), "*\n");
    #[cfg(unix)]
    for private in [folder.path().join(".ptc"), folder.path().join(".ptc/runs"), runs[0].clone()] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(private).unwrap().permissions().mode() & 0o777, 0o700);
    }

    let (turns, _) = shown(folder.path(), &["trace"]);
    assert_eq!(turns, shown(folder.path(), &["trace", &runs[0].join("journal.jsonl").display().to_string()]).0);
    assert!(turns.contains("(return (inc n))"), "{turns}");
    assert!(shown(folder.path(), &["replay", "--compression", "none"]).0.contains("2 turns, return"));
    let again = format!("replay:{}", runs[0].join("answers.jsonl").display());
    assert_eq!(shown(folder.path(), &["run", "m.toml", "--llm", &again]).0, "3\n");
    assert_eq!(kept(folder.path()).len(), 2);
}

#[test]
fn the_last_run_is_the_one_that_was_begun_or_resumed_last() {
    let folder = mission(&["(def n 2)"], "");
    assert!(refused(folder.path(), &["trace"]).contains("no run is kept in "), "there is none yet");
    let output = ptc(folder.path(), &["run", "m.toml"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "out of answers: {told}");
    let first = kept(folder.path()).remove(0);
    let journal = format!(".ptc/runs/{}/journal.jsonl", first.file_name().unwrap().to_str().unwrap());
    assert!(
        told.contains(&format!("note: this run can be resumed: ptc run m.toml --journal {journal} --resume")),
        "{told}"
    );

    answers(folder.path(), &["(return :of-another-run)"]);
    shown(folder.path(), &["run", "m.toml", "--journal", "own.journal"]);
    assert!(shown(folder.path(), &["trace"]).0.contains(":of-another-run"), "whose journal is elsewhere");

    answers(folder.path(), &["(def n 2)", "(return [n :resumed])"]);
    assert_eq!(shown(folder.path(), &["run", "m.toml", "--journal", &journal, "--resume"]).0, "[2 :resumed]\n");
    assert!(shown(folder.path(), &["trace"]).0.contains(":resumed"));
    assert_eq!(kept(folder.path()).len(), 2, "it went on in its folder");
    assert_eq!(fs::read_to_string(first.join("answers.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn a_run_with_a_journal_elsewhere_goes_on_in_its_folder() {
    let folder = mission(&["(def n 2)"], "");
    let args = ["run", "m.toml", "--journal", "own.journal", "--resume"];
    for _ in 0..3 {
        assert_eq!(ptc(folder.path(), &args).status.code(), Some(1), "out of answers");
    }
    answers(folder.path(), &["(def n 2)", "(return n)"]);
    assert_eq!(shown(folder.path(), &args).0, "2\n");
    let runs = kept(folder.path());
    assert_eq!(runs.len(), 1);
    assert_eq!(fs::read_to_string(runs[0].join("answers.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn refused_starts_and_other_commands_keep_nothing() {
    let folder = mission(&["(return 1)"], "");
    refused(folder.path(), &["run", "m.toml", "--llm", "no-such-provider"]);
    shown(folder.path(), &["eval", "-e", "(+ 1 2)"]);
    assert_eq!(kept(folder.path()), Vec::<PathBuf>::new());
    shown(folder.path(), &["run", "m.toml", "--journal", "j"]);
    fs::write(folder.path().join("other.toml"), "mission = \"Sum.\"\nreplay = \"a.jsonl\"\n").unwrap();
    refused(folder.path(), &["run", "other.toml", "--journal", "j", "--resume"]);
    assert_eq!(kept(folder.path()).len(), 1);
}

#[test]
fn a_run_that_cannot_be_kept_is_run() {
    let folder = mission(&["(return 1)"], "");
    fs::write(folder.path().join(".ptc"), "a file of somebody").unwrap();
    let (answer, told) = shown(folder.path(), &["run", "m.toml"]);
    assert_eq!(answer, "1\n");
    assert!(told.contains("note: this run is not kept in .ptc/runs: "), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join(".ptc")).unwrap(), "a file of somebody");
}

#[test]
fn large_data_is_not_written_without_being_asked_for() {
    let folder = mission(&["(return (count data/rows))"], "[data]\nrows = { file = \"rows.json\" }\n");
    fs::write(folder.path().join("rows.json"), json!(vec!["a".repeat(1000); 9000]).to_string()).unwrap();
    let (answer, told) = shown(folder.path(), &["run", "m.toml"]);
    assert_eq!(answer, "9000\n");
    assert!(
        told.contains(
            "note: no journal of this run is kept, because its data has more than 8 MB; --journal FILE writes one"
        ),
        "{told}"
    );
    let run = kept(folder.path()).remove(0);
    assert!(run.join("answers.jsonl").exists() && !run.join("journal.jsonl").exists());
    assert!(refused(folder.path(), &["trace"]).contains("of the last run"));
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_its_folder_and_goes_on() {
    use std::time::{Duration, Instant};
    let tool = "[tools.wait]\ncommand = [\"sh\", \"-c\", \"touch started; exec sleep 5\"]\n";
    let folder = mission(&["(def a 1)", "(tool/wait {:n 1})", "(return a)"], tool);
    let mut child = command(folder.path(), &["run", "m.toml"]).spawn().unwrap();
    let began = Instant::now();
    while !folder.path().join("started").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(shown(folder.path(), &["trace"]).0.contains("(tool/wait {:n 1})"));
    let journal = kept(folder.path()).remove(0).join("journal.jsonl");
    let args = ["run", "m.toml", "--journal", journal.to_str().unwrap(), "--resume"];
    assert_eq!(shown(folder.path(), &args).0, "1\n");
}

#[test]
fn what_is_removed_is_told() {
    let folder = mission(&["(return 1)"], "keep = 2\n");
    let run = |options: &[&str]| shown(folder.path(), &[&["run", "-q", "m.toml"], options].concat()).1;
    assert_eq!([run(&[]), run(&[])], ["", ""]);
    let told = "note: removed the oldest run of .ptc/runs; --keep N keeps more, --keep all every one\n";
    assert_eq!(run(&[]), told);
    assert_eq!((run(&["--keep", "all"]).as_str(), kept(folder.path()).len()), ("", 3));
    assert_eq!(run(&["--keep", "1"]), told.replace("the oldest run", "the 3 oldest runs"));
    assert_eq!(kept(folder.path()).len(), 1);
    for (option, why) in [("0", "a number from 1"), ("few", "or all")] {
        assert!(refused(folder.path(), &["run", "m.toml", "--keep", option]).contains(why));
    }
}
