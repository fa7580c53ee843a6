//! Which system text the model reads: the mission, `--language-spec`, and files.

use std::path::Path;

use ptc_runner::mission::LanguageSpec;

use super::{ptc, refused};

/// The system text of the only request of a mission with this line.
fn system(line: &str, args: &[&str]) -> String {
    systems(mission(line).path(), args).swap_remove(0)
}

/// The system texts of the requests of the mission in this folder.
fn systems(folder: &Path, args: &[&str]) -> Vec<String> {
    let output = ptc(folder, &[&["run", "m.toml", "--requests", "r.jsonl"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let requests = std::fs::read_to_string(folder.join("r.jsonl")).unwrap();
    let requests = requests.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    requests.map(|request| request["system"].as_str().unwrap().to_owned()).collect()
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
fn agents_read_the_text_of_their_caller_unless_they_choose_one() {
    let agents = "[agents.clerk]\nmission = \"Count.\"\ndescription = \"Counts\"\nsystem_prompt = { prefix = \"You count.\" }\n\
        [agents.clerk.agents.boy]\nmission = \"Fetch.\"\ndescription = \"Fetches\"\n\
        [agents.own]\nmission = \"Look.\"\ndescription = \"Looks\"\nsystem_prompt = { language_spec = \"full\" }\n\
        [agents.whole]\nmission = \"See.\"\ndescription = \"Sees\"\nsystem_prompt = \"You see.\"";
    let programs = [
        "(return [(tool/clerk {}) (tool/own {}) (tool/whole {})])",
        "(return (tool/boy {}))",
        "(return 1)",
        "(return 2)",
        "(return 3)",
    ];
    let answers = programs.map(|program| serde_json::json!({ "content": program }).to_string() + "\n").concat();
    let check = |line: &str, args: &[&str], key: &str| {
        let folder = mission(&format!("{line}\n{agents}"));
        std::fs::write(folder.path().join("a.jsonl"), &answers).unwrap();
        let begins =
            [text(key), format!("You count.\n\n{}", text(key)), text(key), text("full"), "You see.".to_owned()];
        for (system, begin) in systems(folder.path(), args).iter().zip(begins) {
            assert!(system.starts_with(&begin), "{line} {args:?}: {system}");
        }
    };
    check("", &[], "lean");
    check("", &["--language-spec", "minimal"], "minimal");
    check("system_prompt = { language_spec = \"minimal\" }", &[], "minimal");
    check("system_prompt = { language_spec = \"minimal\" }", &["--language-spec", "lean"], "lean");
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
