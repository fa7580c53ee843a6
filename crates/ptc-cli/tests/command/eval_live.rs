//! `ptc eval-suite` with servers, judges, several texts, both ways, and a file of results.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::ptc;

/// A server that takes texts; its judge wants that two were put in, and the answer `done`.
const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
verdict() { answer "\"result\":{\"content\":[],\"structuredContent\":$1}"; }
state=""
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}' ;;
    *'"tools/list"'*) answer '"result":{"tools":[{"name":"put","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},{"name":"judge","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*'"put"'*) state="$state+"; answer '"result":{"content":[{"type":"text","text":"put"}]}' ;;
    *'"tools/call"'*'"judge"'*)
      case "$state $line" in
        '++ '*'"done"'*) verdict '{"passed":true,"problems":[]}' ;;
        *) verdict "{\"passed\":false,\"problems\":[\"the state is $state\"]}" ;;
      esac ;;
    *'"id"'*) answer '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
echo ended >> ended.txt
"#;

const CASE: &str = "[cases.put]\nmission = \"Put one.\"\nthen = [\"And another.\"]\njudge = \"env.judge\"\n\
                    [cases.put.mcp.env]\ncommand = [\"sh\", \"server.sh\"]\n";

/// A suite of one case with recorded answers for both ways.
fn suite() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("suite.toml", "title = \"Puts\"\nlevels = [\"one\"]\n");
    write("one.toml", CASE);
    write("server.sh", SERVER);
    fs::create_dir(folder.path().join("recordings")).unwrap();
    let usage = json!({"input": 1000, "output": 10});
    let lines = |answers: &[Json]| answers.iter().map(|answer| format!("{answer}\n")).collect::<String>();
    let program = |text: &str| json!({ "content": text, "usage": usage });
    let programs = [
        program("(def n 1) (tool/env-put {:text \"a\"}) (return n)"),
        program("(tool/env-put {:text \"b\"}) (return \"done\")"),
    ];
    let call =
        json!({ "content": "", "usage": usage, "tool_calls": [{"id": "1", "name": "env_put", "args": {"text": "a"}}] });
    let tools = [call.clone(), program("It is there."), call, program("It is there, too.")];
    write("recordings/put.jsonl", &lines(&programs));
    write("recordings/put.tools.jsonl", &lines(&tools));
    folder
}

fn told(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = ptc(folder, &[&["eval-suite", "."], args].concat());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn lines(folder: &Path, name: &str) -> usize {
    fs::read_to_string(folder.join(name)).unwrap().lines().count()
}

const BOTH: [&str; 8] = ["--as", "programs", "--as", "native-tools", "--jobs", "2", "--results", "results.jsonl"];

#[test]
fn both_ways_are_asked_and_an_evaluation_continues_from_its_file() {
    let suite = suite();
    let folder = suite.path();
    let (exit, out, err) = told(folder, &[&BOTH[..], &["--report", "report.html"]].concat());
    assert_eq!((exit, err.as_str()), (1, ""));
    for part in ["| programs | 1 | 0 | 1 |", "| native-tools | 0 | 1 | 1 |", "-1.00", "* the state is ++"] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert_eq!((lines(folder, "results.jsonl"), lines(folder, "ended.txt")), (2, 2));
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    for part in ["<!-- ptc eval-suite page -->\n<!DOCTYPE html>", "<svg ", "put, run 1, native-tools: the state is ++"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    let written = fs::read_to_string(folder.join("results.jsonl")).unwrap();
    fs::write(folder.join("results.jsonl"), written + "{\"suite\":\"Puts\",\"mod").unwrap();
    let (exit, again, err) = told(folder, &BOTH);
    assert_eq!((exit, &again), (1, &out), "the same report");
    insta::assert_snapshot!(err, @"note: results.jsonl, line 3 was not written to its end and is removed; its run is asked again");
    assert_eq!((lines(folder, "results.jsonl"), lines(folder, "ended.txt")), (2, 2), "nothing was asked");
    fs::write(folder.join("suite.toml"), "title = \"Other\"\nlevels = [\"one\"]\n").unwrap();
    let (exit, _, err) = told(folder, &BOTH);
    assert_eq!(exit, 2);
    insta::assert_snapshot!(err, @"error: results.jsonl, line 1: this is a result of the suite `Puts`, and `Other` is evaluated now; name another file");
}

#[test]
fn a_limit_in_usd_leaves_runs_unasked() {
    let suite = suite();
    fs::rename(suite.path().join("recordings/put.jsonl"), suite.path().join("answers.jsonl")).unwrap();
    let args = ["--llm", "replay:answers.jsonl", "--prices", "input=1,output=10", "--max-usd", "0.0005"];
    let (exit, out, err) = told(suite.path(), &args);
    assert_eq!(exit, 1);
    insta::assert_snapshot!(err, @"warning: 1 run not asked: the limit in USD is reached");
    assert!(out.contains("## Not asked"), "{out}");
    let (exit, out, err) = told(suite.path(), &[&args[..5], &["1"]].concat());
    assert_eq!((exit, err.as_str()), (0, ""));
    assert!(out.contains("| 0.0022 |"), "{out}");
}

#[test]
fn a_preview_has_the_tools_of_servers_and_not_the_judge() {
    let suite = suite();
    let (exit, out, _) = told(suite.path(), &["--preview"]);
    assert_eq!(exit, 0);
    assert!(out.contains("tool/env-put") && !out.contains("judge"), "{out}");
    let (_, out, _) = told(suite.path(), &["--preview", "--as", "native-tools"]);
    assert!(out.ends_with("=== put, user\n\nPut one.\n\n"), "{out}");
}
