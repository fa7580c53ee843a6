//! The first request, which is not sent.

use std::fs;

use serde_json::Value as Json;

use super::{refused, shown};

const MISSION: &str = r#"mission = "Count to {{n}}."
[data]
n = 3
[tools.touch]
description = "Leaves a mark"
signature = "() -> :int"
command = ["sh", "-c", "touch called; echo 1"]
[agents.clerk]
mission = "Count"
description = "Counts"
llm = "ollama:no-such-model"
"#;

#[test]
fn the_first_request_is_shown_and_nothing_is_done() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    let (text, remarks) = shown(folder.path(), &["run", "m.toml", "--preview", "--set", "n=4"]);
    assert_eq!(remarks, "");
    let (system, rest) = text.split_once("\n--- user: ").unwrap();
    assert!(system.starts_with("--- system: ") && system.contains("# PTC-Lisp"), "{system}");
    assert!(rest.contains("Count to 4.") && rest.contains("Leaves a mark"), "{rest}");
    let (_, end) = rest.split_once("--- what is sent with it ---\n").unwrap();
    let (tokens, end) = end.split_once('\n').unwrap();
    assert!(tokens.ends_with(" in all, counted as o200k"), "{tokens}");
    insta::assert_snapshot!(end, @r"
    model      none is named
    answer     ptc_lisp
    tools      touch, clerk
    cache      no caching is requested; `cache = true` asks the provider to cache what is repeated
    ");
    let names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, ["m.toml"], "no run is kept, no tool is called");
}

#[test]
fn it_is_what_a_run_sends() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return 1)\"}\n").unwrap();
    let run = ["run", "m.toml", "--llm", "replay:a.jsonl"];
    let preview: Json =
        serde_json::from_str(&shown(folder.path(), &[&run[..], &["--preview", "--json"]].concat()).0).unwrap();
    shown(folder.path(), &[&run[..], &["--requests", "r.jsonl"]].concat());
    let sent: Json = serde_json::from_str(&fs::read_to_string(folder.path().join("r.jsonl")).unwrap()).unwrap();
    assert_eq!(preview["request"], sent);
    let tokens = &preview["tokens"];
    let counted = tokens["system"].as_u64().unwrap() + tokens["messages"][0]["tokens"].as_u64().unwrap();
    assert_eq!(tokens["total"], counted);
    assert_eq!(preview["model"], "answers recorded in a.jsonl");
}

#[test]
fn files_of_a_run_are_not_for_a_preview() {
    let folder = tempfile::tempdir().unwrap();
    let refused = refused(folder.path(), &["run", "m.toml", "--preview", "--record", "a.jsonl"]);
    assert!(refused.contains("cannot be used with"), "{refused}");
}
