//! `ptc batch` as its users run it.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::{ptc, refused, shown};

const MISSION: &str = r#"
mission = "Classify the ticket {{id}}."
signature = "(id :string, text :string) -> {kind :string}"
replay = "answers.jsonl"
max_turns = 2
"#;

/// Four tickets; of each one a number that the mission does not take.
const ROWS: &str = "id,text,customer\n007,The bill is wrong,1\n8,It crashes,2\n9,hello,1\n10,x,3\n";

/// A mission that answers every row by what its text has.
fn world() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = r#"(cond (includes? data/text "bill") (return {:kind "billing"}) (= data/text "x") (fail {:reason :empty :message "no words"}) :else (return {:kind data/id}))"#;
    fs::write(folder.path().join("answers.jsonl"), format!("{}\n", json!({ "content": program }))).unwrap();
    fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    fs::write(folder.path().join("rows.csv"), ROWS).unwrap();
    folder
}

fn results(folder: &Path, name: &str) -> Vec<Json> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Exit code and outputs, without times.
fn told(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = ptc(folder, &[&["batch", "m.toml"], args].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let seconds = regex::Regex::new(r"seconds .*").unwrap();
    let keys = regex::Regex::new(r"[0-9a-f]{12}").unwrap();
    let out = seconds.replace_all(&text(output.stdout), "seconds …").into_owned();
    (output.status.code(), keys.replace_all(&out, "KEY").into_owned(), text(output.stderr))
}

#[test]
fn each_row_is_asked_once_and_the_rest_is_in_the_results() {
    let world = world();
    let folder = world.path();
    let (code, out, err) = told(folder, &["--each", "rows.csv", "--out", "answers.csv"]);
    assert_eq!(code, Some(1), "{out}\n{err}");
    insta::assert_snapshot!(format!("{out}--\n{err}"));
    let found = results(folder, "rows.results.jsonl");
    assert_eq!(found.len(), 4);
}

#[test]
fn a_batch_is_sampled_continued_and_asked_again() {
    let world = world();
    let folder = world.path();
    let (code, out, _) = told(folder, &["--each", "rows.csv", "--sample", "2", "--quiet"]);
    assert_eq!(code, Some(1), "{out}");
    let rows = |found: &[Json]| found.iter().map(|result| result["row"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(rows(&results(folder, "rows.results.jsonl")), [2, 4]);
    let all = ["--each", "rows.csv", "--out", "rows.results.jsonl", "--out", "t.csv"];
    let (code, out, _) = told(folder, &all);
    assert!(code == Some(1) && out.contains("4 rows: 3 ok, 1 failed"), "{out}");
    let (code, out, err) = told(folder, &[&all[..], &["--retry", "failed"]].concat());
    assert!(code == Some(1) && out.contains("4 rows: 3 ok, 1 failed"), "{out}");
    assert!(err.contains("3 of 4 rows have a result"), "{err}");
    assert_eq!(results(folder, "rows.results.jsonl")[3]["attempt"], json!(2));
    let (_, _, err) = told(folder, &[&all[..], &["--retry", "unreachable"]].concat());
    assert!(err.contains("note: --retry unreachable: no row is unreachable\n"), "{err}");
    assert_eq!(fs::read_to_string(folder.join("t.csv")).unwrap().lines().count(), 5);
    let listed = String::from_utf8(ptc(folder, &["runs"]).stderr).unwrap();
    assert!(listed.contains("are in its results: ptc view rows.results.jsonl\n"), "{listed}");
    // A file of somebody else stays, although there are results.
    fs::write(folder.join("own.csv"), "a,b\n1,2\n").unwrap();
    let error = refused(folder, &["batch", "m.toml", "--each", "rows.csv", "--out", "own.csv"]);
    assert!(error.contains("there is a file already"), "{error}");
    assert_eq!(fs::read_to_string(folder.join("own.csv")).unwrap(), "a,b\n1,2\n");
}

#[test]
fn a_folder_has_a_row_for_each_file() {
    let world = world();
    let folder = world.path();
    fs::create_dir(folder.join("letters")).unwrap();
    for (name, text) in [("b.txt", "The bill"), ("a.json", r#"{"id":"A","text":"?"}"#), (".hidden", "no")] {
        fs::write(folder.join("letters").join(name), text).unwrap();
    }
    fs::write(folder.join("m.toml"), MISSION.replace("id :string, ", "").replace(" {{id}}", "")).unwrap();
    fs::write(folder.join("answers.jsonl"), format!("{}\n", json!({"content": "(return {:kind data/text})"}))).unwrap();
    let (code, out, err) = told(folder, &["--each", "letters", "--quiet"]);
    assert_eq!(code, Some(0), "{out}{err}");
    let found = results(folder, "letters.results.jsonl");
    let facts: Vec<_> = found.iter().map(|result| (&result["inputs"]["file"], &result["answer"]["kind"])).collect();
    assert_eq!(facts, [(&json!("a.json"), &json!("?")), (&json!("b.txt"), &json!("The bill"))]);
}

#[test]
fn a_dry_run_asks_nobody() {
    let world = world();
    let folder = world.path();
    let (out, _) = shown(folder, &["batch", "m.toml", "--each", "rows.csv", "--dry-run"]);
    assert!(out.contains("=== the first request of row 1 ===") && out.contains("007"), "{out}");
    assert!(out.contains("=== all 4 rows, asked of "), "{out}");
    assert!(!folder.join("rows.results.jsonl").exists());
    let (json, _) = shown(folder, &["batch", "m.toml", "--each", "rows.csv", "--dry-run", "--json"]);
    let json: Json = serde_json::from_str(&json).unwrap();
    assert!(json["first_requests"]["tokens"].as_u64().unwrap() > 1_000, "{json}");
}

#[test]
fn mistakes_are_told_before_anything_is_asked() {
    let world = world();
    let folder = world.path();
    fs::write(folder.join("other.csv"), "a,b\n1,2\n").unwrap();
    fs::write(folder.join("few.csv"), "id\n1\n").unwrap();
    fs::write(folder.join("none.csv"), "id,text\n").unwrap();
    fs::write(folder.join("texts.jsonl"), "{\"id\":\"1\",\"text\":\"\"}\n\"two\"\n").unwrap();
    let told = |args: &[&str]| {
        let said = refused(folder, &[&["batch", "m.toml"], args].concat());
        let note = "note: the mission takes `id`, `text`; of each row, `customer` is only in the results\n";
        said.replace(note, "").lines().next().unwrap_or_default().to_owned()
    };
    let mut all = Vec::new();
    for args in [
        &["--each", "other.csv"][..],
        &["--each", "few.csv"][..],
        &["--each", "none.csv"][..],
        &["--each", "texts.jsonl"][..],
        &["--each", "nowhere.csv"][..],
        &["--each", "rows.csv", "--out", "answers.txt"][..],
        &["--each", "rows.csv", "--out", "rows.csv"][..],
        &["--each", "rows.csv", "--rate", "openai"][..],
        &["--each", "rows.csv", "--rate", "opnai=5"][..],
        &["--each", "rows.csv", "--max-usd", "1"][..],
    ] {
        all.push(told(args));
    }
    fs::write(folder.join("m.toml"), format!("{MISSION}[tools.pay]\nprogram = \"1\"\napprove = true\n")).unwrap();
    all.push(told(&["--each", "rows.csv"]));
    insta::assert_snapshot!(all.join("\n"));
}
