//! Which system text the model reads: the mission, `--language-spec`, and files.

use std::path::Path;

use ptc_runner::mission::LanguageSpec;

use super::{ptc, refused};

/// The system text of the only request of a mission with this line.
fn system(line: &str, args: &[&str]) -> String {
    let folder = mission(line);
    let output = ptc(folder.path(), &[&["run", "m.toml", "--requests", "r.jsonl"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let requests = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let request: serde_json::Value = serde_json::from_str(requests.lines().next().unwrap()).unwrap();
    request["system"].as_str().unwrap().to_owned()
}

fn mission(line: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), format!("mission = \"Go.\"\nreplay = \"a.jsonl\"\n{line}\n")).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return 1)\"}\n").unwrap();
    std::fs::write(folder.path().join("clerk.md"), "You are the clerk.\nBe brief.\n\n").unwrap();
    folder
}

fn text(key: &str) -> String {
    LanguageSpec::get(key).unwrap()
}

#[test]
fn the_flag_wins_over_the_mission() {
    assert!(system("", &[]).starts_with(&text("lean")));
    assert!(system("", &["--language-spec", "full"]).starts_with(&text("full")));
    let minimal = "system_prompt = { language_spec = \"minimal\", prefix = \"You count.\" }";
    assert!(system(minimal, &[]).starts_with(&format!("You count.\n\n{}", text("minimal"))));
    assert!(system(minimal, &["--language-spec", "full"]).starts_with(&format!("You count.\n\n{}", text("full"))));
    assert!(system("max_turns = 1", &["--language-spec", "minimal"]).starts_with(&text("minimal_single_shot")));
}

#[test]
fn files_hold_the_whole_text_or_a_part() {
    assert_eq!(system("system_prompt = { file = \"clerk.md\" }", &[]), "You are the clerk.\nBe brief.");
    let prefix = system("system_prompt = { prefix = { file = \"clerk.md\" }, language_spec = \"minimal\" }", &[]);
    assert!(prefix.starts_with(&format!("You are the clerk.\nBe brief.\n\n{}", text("minimal"))));
}

#[test]
fn a_choice_without_effect_is_refused() {
    let check = |line: &str, key: &str| refused(mission(line).path(), &["run", "m.toml", "--language-spec", key]);
    insta::assert_snapshot!(check("system_prompt = \"You are a clerk.\"", "full"), @r#"error: --language-spec full: `system_prompt` of the mission is a whole text; write `system_prompt = { prefix = "…" }` to add to the language text"#);
    insta::assert_snapshot!(check("output = \"json\"\nsignature = \"{n :int}\"", "full"), @r#"error: --language-spec full: this mission asks for no program: `output` is not "ptc_lisp""#);
    assert!(check("", "klingon").contains("unknown language_spec 'klingon'; available: lean, full, minimal"));
    assert!(!Path::new("r.jsonl").exists());
}
