//! Mission files that are checked but not run.

use std::fs;
use std::path::Path;

use super::{ptc, refused, shown};

/// A folder with this mission and a file of data.
fn folder(mission: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), mission).unwrap();
    fs::write(folder.path().join("rows.csv"), "a;b\n1;2\nx;3\n").unwrap();
    folder
}

/// Exit code and standard error.
fn told(folder: &Path, args: &[&str]) -> String {
    let output = ptc(folder, args);
    format!("exit {}\n{}", output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

const BROKEN: &str = r#"mission = "Sum {{yaer}}"
max_turn = 3
llm = "gpt-5"
[data]
year = 2024
rows = { file = "rows.csv" }
[tools.price]
signature = "(a :int) -> :int"
program = """
(let [b (inc a)]
  (* b c))"""
[tools.fixed]
signature = "(a :int) -> :int"
answers = [{ result = "three" }]
"#;

#[test]
fn all_problems_are_shown_with_their_places() {
    let folder = folder(BROKEN);
    insta::assert_snapshot!(told(folder.path(), &["check", "m.toml"]), @r#"
    exit 1
    error: nothing fills {{yaer}}; did you mean {{year}}?
     --> m.toml:1:16
      |
    1 | mission = "Sum {{yaer}}"
      |                ^
    error: unknown key `max_turn`; use `max_turns`
     --> m.toml:2:1
      |
    2 | max_turn = 3
      | ^^^^^^^^
    error: `gpt-5` does not name a model: it names no provider; write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`
     --> m.toml:3:7
      |
    3 | llm = "gpt-5"
      |       ^
    error: tool `price`: undefined symbol 'c'
      --> m.toml:11:8
       |
    11 |   (* b c))"""
       |        ^
    warning: tool `fixed`: this result does not fit :int: expected int, got string
      --> m.toml:14:12
       |
    14 | answers = [{ result = "three" }]
       |            ^
    "#);
    let output = ptc(folder.path(), &["check", "m.toml", "--json"]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"]["all"].as_array().unwrap().len(), 4);
    insta::assert_snapshot!(answer["error"]["all"][1], @r#"{"reason":"unknown_key","message":"unknown key `max_turn`; use `max_turns`","file":"m.toml","line":2,"column":1}"#);
    insta::assert_snapshot!(answer["warnings"], @r#"[{"code":"answer","message":"tool `fixed`: this result does not fit :int: expected int, got string","file":"m.toml","line":14,"column":12}]"#);
}

#[test]
fn a_mission_is_known_by_its_content_too() {
    let folder = folder("mission = \"Count\"\nreplay = \"a.jsonl\"\nmax_turns = 0\n");
    fs::write(folder.path().join("a.jsonl"), "").unwrap();
    fs::rename(folder.path().join("m.toml"), folder.path().join("m")).unwrap();
    insta::assert_snapshot!(told(folder.path(), &["check", "m"]), @r"
    exit 1
    error: max_turns must be an integer above 0 (got 0)
     --> m:3:13
      |
    3 | max_turns = 0
      |             ^
    ");
    assert_eq!(told(folder.path(), &["check", "-e", "[1 2]"]), "exit 0\n", "a vector is not a table");
}

#[test]
fn files_of_other_commands_are_known_to_be_others() {
    let folder = folder("max_calls = 5\n");
    let told = told(folder.path(), &["check", "m.toml"]);
    let last = told.lines().last().unwrap();
    insta::assert_snapshot!(last, @"note: this is for programs and missions: `ptc mcp tools FILE` reads a gateway file, `ptc eval-suite FOLDER` a suite");
}

#[test]
fn how_data_files_are_read_is_said_file_by_file() {
    let folder = folder("mission = \"Count\"\nreplay = \"a.jsonl\"\n[data]\nrows = { file = \"rows.csv\" }\n");
    fs::write(folder.path().join("a.jsonl"), "").unwrap();
    fs::write(folder.path().join("rows.csv"), "Report\n\nid;total\n1;2,5\n").unwrap();
    insta::assert_snapshot!(shown(folder.path(), &["check", "m.toml"]).0, @"
    m.toml: no problems; data: rows (1 element)
    data/rows: ./rows.csv: CSV, cells separated by `;`, the header is line 3, left out: line 1, decimal `,`; 1 row: id integers, total numbers
    ");
    let output = ptc(folder.path(), &["check", "m.toml", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let read = &answer["data"][0];
    assert_eq!((read["name"].as_str(), read["read"]["separator"].as_str()), (Some("rows"), Some(";")));
    assert_eq!(read["read"]["columns"][1]["kind"], "numbers");
    let output = ptc(folder.path(), &["check", "-e", "data/x", "--data", "x=rows.csv"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("data/x: rows.csv: CSV, cells separated by `;`"));
}

#[test]
fn options_of_programs_are_refused() {
    let folder = folder("mission = \"Count\"\n");
    insta::assert_snapshot!(refused(folder.path(), &["check", "m.toml", "--data", "a=1"]), @"error: --data is for programs, and this is a mission file; leave --data out");
    insta::assert_snapshot!(refused(folder.path(), &["check", "nowhere.toml"]), @"error: cannot read nowhere.toml: No such file or directory (os error 2)");
}

#[test]
fn what_is_missing_to_run_is_a_note() {
    let folder = folder("mission = \"Count\"\n[mcp.x]\ncommand = [\"sh\", \"-c\", \"exit 3\"]\n");
    insta::assert_snapshot!(shown(folder.path(), &["check", "m.toml"]).1, @r#"
    note: no model is named: `ptc run` needs --llm, or `llm = "…"` or `replay = "…"` in the file
    note: 1 MCP server not started; --connect starts them and checks their tools
    "#);
    let connected = told(folder.path(), &["check", "m.toml", "--connect"]);
    assert!(connected.starts_with("exit 1\nerror: m.toml: "), "{connected}");
}
