//! The gateway and its commands, as their users run them.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::{command, refused, shown};

const GATEWAY: &str = r#"
[tools.look]
program = "{:n 1}"
effect = "read"

[tools.pay]
command = ["sh", "-c", "read line; echo \"$line\" >> paid; echo 1"]

[tools.wipe]
command = ["sh", "-c", "echo 1"]

[policy.no-wiping]
decide = "deny"
tool = "wipe"

[policy.typo]
decide = "deny"
tool = "delete_*"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gateway.toml"), GATEWAY).unwrap();
    folder
}

/// What a client hears that runs a program and goes away.
fn run(folder: &Path, arguments: &Json) -> Json {
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run_program", "arguments": arguments}}),
    ];
    let mut child =
        command(folder, &["mcp", "gateway.toml"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let said = loop {
        let mut line = String::new();
        assert!(std::io::BufRead::read_line(&mut output, &mut line).unwrap() > 0, "it ended without an answer");
        let message: Json = serde_json::from_str(&line).unwrap();
        if message["id"] == 2 {
            break message["result"]["structuredContent"].clone();
        }
    };
    // It ends with its client.
    drop(input);
    let since = Instant::now();
    assert!(child.wait().unwrap().success());
    assert!(since.elapsed() < Duration::from_secs(20), "it did not end with its client");
    said
}

#[test]
fn tools_are_listed_with_what_becomes_of_them() {
    let folder = folder();
    let (tools, remarks) = shown(folder.path(), &["mcp", "tools", "gateway.toml"]);
    assert_eq!(tools, "tool/look  only reads    allow\ntool/pay   may destroy   ask\ntool/wipe  may destroy   deny\n");
    assert_eq!(remarks, "note: policy `typo` is about none of the tools; see `ptc mcp tools`\n");
}

#[test]
fn what_waits_is_decided_by_commands_and_goes_on_with_another_gateway() {
    let folder = folder();
    let said = run(folder.path(), &json!({"program": "(tool/pay {:euros 5})"}));
    assert_eq!(said["status"], "waiting", "{said}");
    let (waiting, _) = shown(folder.path(), &["mcp", "waiting"]);
    let id = waiting.lines().next().unwrap().strip_prefix("question ").unwrap();
    assert!(waiting.contains("  tool/pay {\"euros\": 5}"), "{waiting}");
    let (told, _) = shown(folder.path(), &["mcp", "approve", id]);
    assert!(told.starts_with("allowed:\n  A program wants to call:"), "{told}");
    let said = run(folder.path(), &json!({"session": said["session"]}));
    assert_eq!(said["value"], 1, "{said}");
    assert_eq!(std::fs::read_to_string(folder.path().join("paid")).unwrap(), "{\"euros\":5}\n");
    let error = refused(folder.path(), &["mcp", "approve", id]);
    assert_eq!(error, format!("error: no question {id} waits\n"));
}

#[test]
fn a_refusal_reaches_the_program() {
    let folder = folder();
    let said = run(folder.path(), &json!({"program": "(tool/pay {:euros 5})"}));
    let (waiting, _) = shown(folder.path(), &["mcp", "waiting", "--json"]);
    let question: Json = serde_json::from_str(&waiting).unwrap();
    shown(folder.path(), &["mcp", "deny", question["question"].as_str().unwrap(), "not today"]);
    let said = run(folder.path(), &json!({"session": said["session"]}));
    assert_eq!(said["error"]["message"], "tool 'pay' failed: it was not allowed: not today at line 1, column 1");
    assert!(!folder.path().join("paid").exists());
}

#[test]
fn mistakes_are_told() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.toml"), "max_turns = 3\n").unwrap();
    std::fs::write(folder.path().join("bad.json"), "{\"servers\": {}}").unwrap();
    let error = refused(folder.path(), &["mcp", "bad.toml"]);
    assert!(error.contains("bad.toml:1:1: unknown key `max_turns`"), "{error}");
    let error = refused(folder.path(), &["mcp", "bad.json"]);
    assert_eq!(error, "error: bad.json: missing field `mcpServers` at line 1 column 15\n");
    let error = refused(folder.path(), &["mcp", "waiting", "--state", "elsewhere"]);
    assert!(error.starts_with("error: the state of the gateway: no gateway keeps its state in elsewhere; "), "{error}");
}
