//! Runs that are kept by default.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

#[cfg(unix)]
use super::command;
use super::{ptc, refused, shown};

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

/// The records of kept runs, oldest first.
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

    let (answer, remarks) = shown(folder.path(), &["run", "-q", "m.toml"]);
    assert_eq!((answer.as_str(), remarks.as_str()), ("3\n", ""));
    let runs = kept(folder.path());
    assert_eq!(runs.len(), 1);
    let (list, _) = shown(folder.path(), &["runs", "--json"]);
    let about: Json = serde_json::from_str(&list).unwrap();
    assert!(about["mission_file"].as_str().unwrap().ends_with("m.toml"), "{about}");
    assert_eq!(
        (about["state"].as_str(), about["question"].as_str(), about["answer"].as_str(), &about["turns"]),
        (Some("ok"), Some("Count."), Some("3"), &json!(2))
    );
    let file = format!("{}.jsonl.gz", about["id"].as_str().unwrap());
    assert_eq!(runs[0].file_name().unwrap().to_str(), Some(file.as_str()));
    assert_eq!(fs::read_to_string(folder.path().join(".ptc/.gitignore")).unwrap(), "*\n");
    #[cfg(unix)]
    for (private, mode) in [(".ptc".into(), 0o700), (".ptc/runs".into(), 0o700), (runs[0].clone(), 0o600)] {
        let private: PathBuf = folder.path().join(private);
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(private).unwrap().permissions().mode() & 0o777, mode);
    }

    let (turns, _) = shown(folder.path(), &["show"]);
    let id = about["id"].as_str().unwrap();
    for name in ["last", "-1", id, &id[..17], runs[0].to_str().unwrap()] {
        assert_eq!(shown(folder.path(), &["show", name]).0, turns, "{name}");
    }
    assert!(turns.contains("(return (inc n))"), "{turns}");
    assert!(shown(folder.path(), &["replay", "--compression", "none"]).0.contains("2 turns, return"));
    let again = format!("replay:{}", runs[0].display());
    assert_eq!(shown(folder.path(), &["run", "m.toml", "--llm", &again]).0, "3\n");
    assert_eq!(kept(folder.path()).len(), 2);
}

#[test]
fn the_last_run_is_the_one_that_was_begun_or_resumed_last() {
    let folder = mission(&["(def n 2)"], "");
    assert!(refused(folder.path(), &["show"]).contains("no run is kept in "), "there is none yet");
    let output = ptc(folder.path(), &["run", "m.toml"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "out of answers: {told}");
    let first = kept(folder.path()).remove(0);
    let record = format!(".ptc/runs/{}", first.file_name().unwrap().to_str().unwrap());
    assert!(
        told.contains(&format!("note: this run can be resumed: ptc run m.toml --record {record} --resume")),
        "{told}"
    );
    assert!(shown(folder.path(), &["runs", "--state", "interrupted"]).0.contains("interrupted"));

    answers(folder.path(), &["(return :of-another-run)"]);
    shown(folder.path(), &["run", "m.toml"]);
    assert!(shown(folder.path(), &["show"]).0.contains(":of-another-run"));

    answers(folder.path(), &["(def n 2)", "(return [n :resumed])"]);
    assert_eq!(shown(folder.path(), &["run", "m.toml", "--record", &record, "--resume"]).0, "[2 :resumed]\n");
    assert!(shown(folder.path(), &["show"]).0.contains(":resumed"));
    assert_eq!(kept(folder.path()).len(), 2, "it went on in its record");
    assert_eq!(shown(folder.path(), &["show", "--answers"]).0.lines().count(), 2);
    let (diff, _) = shown(folder.path(), &["runs", "diff", "-2", "last"]);
    assert!(diff.contains("  - (return :of-another-run)\n  + (def n 2)\n"), "{diff}");
}

#[test]
fn only_lines_that_differ_are_shown_and_steps_are_compared_too() {
    let folder = mission(&["(def n 1)\n(println n)\n(return n)"], "");
    let step = shown(folder.path(), &["run", "m.toml", "--json"]).0;
    fs::write(folder.path().join("step.json"), step).unwrap();
    answers(folder.path(), &["(def n 1)\n(println :other)\n(return n)"]);
    shown(folder.path(), &["run", "m.toml"]);
    let (diff, _) = shown(folder.path(), &["runs", "diff", "step.json", "last"]);
    let program = "turn 1\n  program: 2 lines are the same\n  - (println n)\n  + (println :other)\n";
    assert!(diff.starts_with(program) && diff.contains("  result: the same\nanswer: 1\n"), "{diff}");
}

#[test]
fn refused_starts_and_other_commands_keep_nothing() {
    let folder = mission(&["(return 1)"], "");
    refused(folder.path(), &["run", "m.toml", "--llm", "no-such-provider"]);
    shown(folder.path(), &["eval", "-e", "(+ 1 2)"]);
    assert_eq!(kept(folder.path()), Vec::<PathBuf>::new());
    shown(folder.path(), &["run", "m.toml", "--record", "j"]);
    fs::write(folder.path().join("other.toml"), "mission = \"Sum.\"\nreplay = \"a.jsonl\"\n").unwrap();
    refused(folder.path(), &["run", "other.toml", "--record", "j", "--resume"]);
    assert_eq!(kept(folder.path()), Vec::<PathBuf>::new(), "a record with a name is kept where it is");
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
fn large_data_is_named_instead_of_kept() {
    let folder = mission(&["(return (count data/rows))"], "[data]\nrows = { file = \"rows.json\" }\n");
    let rows = |letter: &str| json!(vec![letter.repeat(1000); 9000]).to_string();
    fs::write(folder.path().join("rows.json"), rows("a")).unwrap();
    assert_eq!(shown(folder.path(), &["run", "-q", "m.toml", "--record", "r"]), ("9000\n".to_owned(), String::new()));
    assert!(fs::metadata(folder.path().join("r")).unwrap().len() < 100_000);
    assert!(shown(folder.path(), &["show", "r"]).0.contains("(count data/rows)"));
    let told = refused(folder.path(), &["replay", "r"]);
    assert!(told.contains("`rows` of its data is too large to be in its record"), "{told}");
    // The run resumes with the same data only.
    assert_eq!(shown(folder.path(), &["run", "-q", "m.toml", "--record", "r", "--resume"]).0, "9000\n");
    fs::write(folder.path().join("rows.json"), rows("b")).unwrap();
    let told = refused(folder.path(), &["run", "m.toml", "--record", "r", "--resume"]);
    assert!(told.contains("belongs to other input data") && told.contains("`rows`"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_its_record_and_goes_on() {
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
    assert!(shown(folder.path(), &["show"]).0.contains("(tool/wait {:n 1})"));
    let record = kept(folder.path()).remove(0);
    let args = ["run", "m.toml", "--record", record.to_str().unwrap(), "--resume"];
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

#[test]
fn runs_are_removed_by_name() {
    let folder = mission(&["(return 1)"], "");
    for _ in 0..3 {
        shown(folder.path(), &["run", "-q", "m.toml"]);
    }
    shown(folder.path(), &["runs", "rm", "last", "-2"]);
    assert_eq!(kept(folder.path()).len(), 1);
    assert!(refused(folder.path(), &["runs", "rm", "m.toml"]).contains("m.toml is not a kept run"));
    assert!(refused(folder.path(), &["show", "-2"]).contains("only 1 run is kept"));
}
