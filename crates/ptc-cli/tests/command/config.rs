//! Settings: `ptc config`, and what commands do with them.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use super::{SETTINGS, command, ptc, shown};

const MISSION: &str = "mission = 'Say 1.'\nreplay = 'answers.jsonl'\nkeep = 9\n";
const ANSWERS: &str = "{\"content\": \"(return 1)\"}\n";

/// A folder with a user's own settings and a `ptc.toml` next to a mission.
fn folder(own: &str, project: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join(SETTINGS).join("ptc");
    fs::create_dir_all(&settings).unwrap();
    fs::write(settings.join("config.toml"), own).unwrap();
    fs::write(folder.path().join("ptc.toml"), project).unwrap();
    fs::write(folder.path().join("mission.toml"), MISSION).unwrap();
    fs::write(folder.path().join("answers.jsonl"), ANSWERS).unwrap();
    folder
}

const OWN: &str = "model = 'openai:gpt-5'\nprices = 'own.toml'\njobs = 4\n";
const PROJECT: &str = "keep = 'all'\napprove = 'none'\n";

fn without(folder: &Path, text: &str) -> String {
    text.replace(&folder.display().to_string(), "…").replace('\\', "/")
}

#[test]
fn config_shows_what_holds_and_from_where() {
    let folder = folder(OWN, PROJECT);
    let config = |args: &[&str]| without(folder.path(), &shown(folder.path(), args).0);
    assert_snapshot!(config(&["config"]), @r#"
    model    "openai:gpt-5"  …/settings/ptc/config.toml:1:9
    prices   "own.toml"      …/settings/ptc/config.toml:2:10
    keep     "all"           ptc.toml:1:8
    jobs     4               …/settings/ptc/config.toml:3:8
    approve  "none"          ptc.toml:2:11

    your own file: …/settings/ptc/config.toml
    ptc.toml:      ptc.toml
    "#);
    assert_snapshot!(config(&["config", "mission.toml"]), @r#"
    model    "replay:./answers.jsonl"  `replay` of the mission
    prices   "own.toml"                …/settings/ptc/config.toml:2:10
    keep     9                         mission.toml
    jobs     4                         …/settings/ptc/config.toml:3:8
    approve  "none"                    ptc.toml:2:11

    your own file: …/settings/ptc/config.toml
    ptc.toml:      ptc.toml
    "#);
    let bare = tempfile::tempdir().unwrap();
    fs::create_dir(bare.path().join(".git")).unwrap();
    assert_snapshot!(without(bare.path(), &shown(bare.path(), &["config"]).0), @r#"
    model    -      built in
    prices   -      built in
    keep     50     built in
    jobs     -      built in
    approve  "ask"  built in

    your own file: …/settings/ptc/config.toml (does not exist)
    ptc.toml:      none
    "#);
}

#[test]
fn config_is_json_for_machines() {
    let folder = folder(OWN, PROJECT);
    let (text, _) = shown(folder.path(), &["config", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["files"]["user"]["exists"], true);
    assert_eq!(json["files"]["project"]["path"], "ptc.toml");
    assert_snapshot!(json["settings"]["keep"], @r#"{"value":"all","from":"ptc.toml:1:8","option":"--keep"}"#);
    let mut named = command(folder.path(), &["config", "--json"]);
    named.env("PTC_LLM", "ollama:qwen3").env("PTC_CONFIG", "");
    let json: serde_json::Value = serde_json::from_slice(&named.output().unwrap().stdout).unwrap();
    assert_snapshot!(json["settings"]["model"], @r#"{"value":"ollama:qwen3","from":"the environment variable PTC_LLM","option":"--llm"}"#);
}

/// The kept runs after some runs of a mission.
fn kept(folder: &Path, args: &[&str]) -> usize {
    for _ in 0..3 {
        shown(folder, &[&["run", "mission.toml", "--quiet"], args].concat());
    }
    let runs = fs::read_dir(folder.join(".ptc").join("runs")).unwrap().count();
    fs::remove_dir_all(folder.join(".ptc")).unwrap();
    runs
}

#[test]
fn flags_win_over_missions_and_missions_over_settings() {
    let folder = folder("keep = 1", "keep = 2");
    assert_eq!(kept(folder.path(), &[]), 3, "the mission keeps 9");
    assert_eq!(kept(folder.path(), &["--keep", "2"]), 2);
    fs::write(folder.path().join("mission.toml"), MISSION.replace("keep = 9", "")).unwrap();
    assert_eq!(kept(folder.path(), &[]), 2, "ptc.toml");
    fs::remove_file(folder.path().join("ptc.toml")).unwrap();
    assert_eq!(kept(folder.path(), &[]), 1, "the user's own file");
}

#[test]
fn a_project_can_refuse_what_needs_approval() {
    let folder = folder("", "approve = 'none'");
    let tool = "[tools.pay]\nprogram = '1'\napprove = true\n";
    fs::write(folder.path().join("mission.toml"), format!("{MISSION}{tool}")).unwrap();
    let pay = ANSWERS.replace("(return 1)", "(def paid (tool/pay {}))");
    let why = ANSWERS.replace("(return 1)", "(return (:message data/fail))");
    fs::write(folder.path().join("answers.jsonl"), pay + &why).unwrap();
    let run = |args: &[&str]| {
        let output = ptc(folder.path(), &[&["run", "mission.toml", "--quiet"], args].concat());
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(run(&[]).contains("nothing is approved in this run"), "{}", run(&[]));
    assert!(run(&["--approve", "ask"]).contains("there is no terminal to ask on"));
    fs::write(folder.path().join("ptc.toml"), "approve = 'all'").unwrap();
    assert_snapshot!(run(&["--approve", "all"]), @r#"
    error: approve = "all" is looser than what holds by default, "ask", and `ptc.toml` can only make it stricter; remove it here, and give `--approve all` where you want that
     --> ptc.toml:1:11
      |
    1 | approve = 'all'
      |           ^
    "#);
}
