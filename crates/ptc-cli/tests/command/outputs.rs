//! Files that the command writes: existing files of the user are never lost.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

#[cfg(unix)]
use super::command;
use super::{ptc, refused, shown};

/// A mission with recorded answers; `run.jsonl` is the record of a run of it.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), "mission = \"Count.\"\nreplay = \"a.jsonl\"\n").unwrap();
    fs::write(folder.path().join("a.jsonl"), answers(&["(def n 2)", "(return (inc n))"])).unwrap();
    shown(folder.path(), &["run", "m.toml", "--record", "run.jsonl"]);
    folder
}

fn answers(programs: &[&str]) -> String {
    programs.iter().map(|program| format!("{}\n", json!({ "content": program }))).collect()
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_recording_never_empties_the_answers_that_the_run_replays() {
    let folder = recorded();
    let before = text(folder.path(), "a.jsonl");
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("named.toml"), "mission = \"Count.\"\nllm = \"replay:sub/../a.jsonl\"\n").unwrap();
    let mut names = vec!["a.jsonl", "./sub/../a.jsonl"];
    if cfg!(unix) {
        names.extend(["link.jsonl", "hard.jsonl"]);
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.jsonl", folder.path().join("link.jsonl")).unwrap();
        fs::hard_link(folder.path().join("a.jsonl"), folder.path().join("hard.jsonl")).unwrap();
    }
    for name in names {
        for run in [
            &["run", "m.toml"][..],
            &["run", "named.toml"],
            &["run", "m.toml", "--llm", "replay:a.jsonl"],
            &["run", "m.toml", "--force"],
        ] {
            for option in ["--record", "--requests"] {
                let told = refused(folder.path(), &[run, &[option, name]].concat());
                let wanted = format!(
                    "{option} {name}: this command reads its recorded answers from this file; name another one"
                );
                assert!(told.contains(&wanted), "{told}");
                assert_eq!(text(folder.path(), "a.jsonl"), before);
            }
        }
    }
}

#[test]
fn a_mission_is_not_replaced_by_what_comes_of_it() {
    let folder = recorded();
    let told = refused(folder.path(), &["run", "m.toml", "--record", "m.toml", "--force"]);
    assert!(
        told.contains("--record m.toml: this command reads the mission from this file; name another one"),
        "{told}"
    );
    let told = refused(folder.path(), &["show", "run.jsonl", "--html", "run.jsonl", "--force"]);
    assert!(told.contains("--html run.jsonl: this command reads the run from this file; name another one"), "{told}");
    let told = refused(folder.path(), &["run", "m.toml", "--record", "x.jsonl", "--requests", "./x.jsonl"]);
    assert!(told.contains("--requests ./x.jsonl: --record names the same file; name another one"), "{told}");
    assert!(!folder.path().join("x.jsonl").exists());
}

/// Every option that names a file to write, with a command that it belongs to.
const WRITERS: [(&str, &[&str]); 6] = [
    ("--record", &["run", "m.toml"]),
    ("--requests", &["run", "m.toml"]),
    ("--html", &["show", "run.jsonl"]),
    ("--chrome", &["show", "run.jsonl"]),
    ("--svg", &["replay", "run.jsonl"]),
    ("--report", &["eval-suite", "suite"]),
];

fn with_suite(folder: &Path) {
    let suite = folder.join("suite");
    fs::create_dir_all(suite.join("recordings")).unwrap();
    fs::write(suite.join("suite.toml"), "levels = [\"one\"]\n").unwrap();
    fs::write(suite.join("one.toml"), "[cases.count]\nmission = \"Count.\"\nkind = \"integer\"\nexpect = { eq = 3 }\n")
        .unwrap();
    fs::write(suite.join("recordings/count.jsonl"), answers(&["(return 3)"])).unwrap();
}

#[test]
fn no_option_replaces_a_file_that_it_did_not_write() {
    let folder = recorded();
    with_suite(folder.path());
    for (option, run) in WRITERS {
        fs::write(folder.path().join("mine.txt"), "my notes\n").unwrap();
        let told = refused(folder.path(), &[run, &[option, "mine.txt"]].concat());
        let wanted = match option {
            "--record" => "mine.txt: this is not a journal: its first line is `my notes`".to_owned(),
            _ => format!(
                "{option} mine.txt: there is a file that {option} did not write; name another one, or add --force to replace it"
            ),
        };
        assert!(told.contains(&wanted), "{told}");
        assert_eq!(text(folder.path(), "mine.txt"), "my notes\n");
        shown(folder.path(), &[run, &[option, "mine.txt", "--force"]].concat());
        assert!(!text(folder.path(), "mine.txt").contains("my notes"), "{option}");
    }
}

#[test]
fn what_the_same_option_wrote_is_replaced() {
    let folder = recorded();
    with_suite(folder.path());
    for (option, run) in WRITERS {
        let args = [run, &[option, "out"]].concat();
        shown(folder.path(), &args);
        let once = text(folder.path(), "out");
        assert!(!once.is_empty());
        match option {
            // A record can be what a run has cost.
            "--record" => assert!(refused(folder.path(), &args).contains("out holds a run already")),
            _ => {
                shown(folder.path(), &args);
                assert_eq!(text(folder.path(), "out").lines().count(), once.lines().count(), "{option}: of one run");
            }
        }
        fs::write(folder.path().join("out"), "").unwrap();
        shown(folder.path(), &args);
        assert!(!text(folder.path(), "out").is_empty(), "{option}: an empty file is free");
        fs::remove_file(folder.path().join("out")).unwrap();
    }
}

#[test]
fn a_report_in_json_takes_the_place_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    with_suite(folder.path());
    let args = ["eval-suite", "suite", "--report", "r.json"];
    shown(folder.path(), &args);
    let told = refused(folder.path(), &args);
    assert!(
        told.contains("--report r.json: there is a file already; name another one, or add --force to replace it"),
        "{told}"
    );
    shown(folder.path(), &[&args[..], &["--force"]].concat());
    assert!(serde_json::from_str::<Json>(&text(folder.path(), "r.json")).is_ok());
}

#[test]
fn missing_folders_are_made_for_every_option() {
    let folder = recorded();
    with_suite(folder.path());
    for (option, run) in WRITERS {
        let name = format!("new{option}/deep/out");
        shown(folder.path(), &[run, &[option, &name]].concat());
        assert!(!text(folder.path(), &name).is_empty(), "{option}");
        let told = refused(folder.path(), &[run, &[option, &format!("new{option}/deep")]].concat());
        assert!(told.contains("is a folder") || told.contains("Is a directory"), "{told}");
    }
}

#[test]
fn a_refused_start_leaves_all_files_as_they_were() {
    let folder = recorded();
    shown(folder.path(), &["run", "m.toml", "--requests", "q.jsonl", "--record", "r.jsonl"]);
    let before = ["q.jsonl", "r.jsonl"].map(|name| text(folder.path(), name));
    fs::write(folder.path().join("other.toml"), "mission = \"Sum.\"\nreplay = \"a.jsonl\"\n").unwrap();
    let starts: [&[&str]; 3] = [
        &["run", "other.toml", "--record", "r.jsonl", "--resume"],
        &["run", "m.toml", "--llm", "no-such-provider", "--record", "r2"],
        &["run", "m.toml", "--record", "r.jsonl"],
    ];
    for start in starts {
        refused(folder.path(), &[start, &["--requests", "q.jsonl"]].concat());
        assert_eq!(["q.jsonl", "r.jsonl"].map(|name| text(folder.path(), name)), before, "{start:?}");
        refused(folder.path(), &[start, &["--requests", "q2"]].concat());
        assert!(["q2", "r2"].iter().all(|name| !folder.path().join(name).exists()), "{start:?}");
    }
    shown(folder.path(), &["run", "m.toml", "--requests", "q.jsonl", "--record", "r.jsonl", "--force"]);
    let lines = |name: &str| {
        text(folder.path(), name).lines().filter(|line| serde_json::from_str::<Json>(line).is_ok()).count()
    };
    assert_eq!((lines("q.jsonl"), lines("r.jsonl")), (2, before[1].lines().count()));
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_recorded_is_there_under_its_name() {
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let tool = "[tools.wait]\ncommand = [\"sh\", \"-c\", \"touch started; exec sleep 5\"]\n";
    fs::write(folder.path().join("m.toml"), format!("mission = \"Wait.\"\nreplay = \"a.jsonl\"\n{tool}")).unwrap();
    fs::write(folder.path().join("a.jsonl"), answers(&["(def a 1)", "(tool/wait {:n 1})"])).unwrap();
    let args = ["run", "m.toml", "--record", "r.jsonl", "--requests", "q.jsonl"];
    let mut child = command(folder.path(), &args).spawn().unwrap();
    let began = Instant::now();
    while !folder.path().join("started").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let answers = shown(folder.path(), &["show", "r.jsonl", "--answers"]).0;
    let requests = shown(folder.path(), &["show", "r.jsonl", "--requests"]).0;
    assert_eq!((answers.lines().count(), requests.lines().count()), (2, 2));
    assert!(!folder.path().join("q.jsonl").exists(), "it is written of the record when the run is over");
    assert!(ptc(folder.path(), &["show", "r.jsonl", "--timing"]).status.success());
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = recorded();
    fs::create_dir(folder.path().join("pages")).unwrap();
    shown(folder.path(), &["show", "run.jsonl", "--html", "pages/run.html"]);
    std::os::unix::fs::symlink("pages/run.html", folder.path().join("latest.html")).unwrap();
    fs::write(folder.path().join("pages/run.html"), "").unwrap();
    shown(folder.path(), &["show", "run.jsonl", "--html", "latest.html"]);
    assert!(folder.path().join("latest.html").is_symlink());
    assert!(text(folder.path(), "pages/run.html").contains("</html>"));
    assert_eq!(fs::read_dir(folder.path().join("pages")).unwrap().count(), 1, "nothing lies beside it");
    // What is not a regular file accepts what is written.
    shown(folder.path(), &["run", "m.toml", "--requests", "/dev/null"]);
    shown(folder.path(), &["show", "run.jsonl", "--html", "/dev/null"]);
}

#[test]
fn an_answer_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let long = r#"(vec (repeat 1200000 "abcdefghijkl"))"#;
    let whole = format!("[{}]", vec!["\"abcdefghijkl\""; 1_200_000].join(" "));
    assert!(shown(folder.path(), &["eval", "-e", long]).0.trim_end() == whole, "17 MB");
    fs::write(folder.path().join("m.toml"), "mission = \"m\"\nreplay = \"a.jsonl\"\n").unwrap();
    fs::write(folder.path().join("a.jsonl"), json!({"content": format!("(return {long})")}).to_string()).unwrap();
    assert!(shown(folder.path(), &["run", "-q", "m.toml"]).0.trim_end() == whole, "17 MB");

    let endless = "(nth (iterate (fn [x] [x x]) 1) 60)";
    let output = ptc(folder.path(), &["eval", "-e", endless, "--limit", "memory=1MB"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("the value is longer than 1048576 bytes: return less of it"), "{told}");
}
