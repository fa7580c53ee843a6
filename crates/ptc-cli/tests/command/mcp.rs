//! MCP servers of missions, as their users run them.
#![cfg(unix)]

use super::{command, ptc};

/// A server that knows two rates, and leaves a note when it is shut down properly.
pub(super) const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}' ;;
    *'"tools/list"'*) answer '"result":{"tools":[{"name":"rate","description":"Euros for one.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"currencyCode":{"type":"string"}},"required":["currencyCode"]}}]}' ;;
    *'"tools/call"'*JPY*)
      token=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\([0-9]*\).*/\1/p')
      printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"total":2,"message":"asking"}}\n' "$token"
      sleep 0.3
      answer '"result":{"content":[],"structuredContent":{"rate":0.006}}' ;;
    *'"tools/call"'*USD*) answer '"result":{"content":[],"structuredContent":{"rate":0.9}}' ;;
    *'"tools/call"'*) answer '"result":{"isError":true,"content":[{"type":"text","text":"no such currency"}]}' ;;
    *'"id"'*) answer '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
echo ended > ended.txt
"#;

fn folder(program: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("server.sh", SERVER);
    write("m.toml", "mission = \"Convert.\"\nreplay = \"a.jsonl\"\n[mcp.bank]\ncommand = [\"sh\", \"server.sh\"]\n");
    write("a.jsonl", &format!("{}\n", serde_json::json!({ "content": program })));
    folder
}

#[test]
fn programs_call_the_tools_of_a_server() {
    let folder = folder("(return (* 100 (:rate (tool/bank-rate {:currencyCode \"USD\"}))))");
    let output = ptc(folder.path(), &["run", "m.toml", "--json"]);
    let step: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(step["return"], 90.0, "{step}");
    let call = &step["turns"][0]["tool_calls"][0];
    assert_eq!((&call["name"], &call["effect"]), (&"bank-rate".into(), &"read".into()));
    assert!(folder.path().join("ended.txt").exists(), "the server was not asked to end");
}

#[test]
fn models_see_the_underscored_fields_of_a_server_except_secrets() {
    let folder = folder("(def hits (:hits (tool/bank-rate {:currencyCode \"USD\"}))) (println hits {:_mine 1})");
    let hit = r#"{"_id":"document-4711","_source":{"city":"Bonn"},"_token":"s3cret-canary"}"#;
    let server = SERVER.replace(r#"{"rate":0.9}"#, &format!(r#"{{"hits":[{hit}]}}"#));
    std::fs::write(folder.path().join("server.sh"), server).unwrap();
    let second = "(println (map :_id hits) (map :_token hits)) (return (count hits))";
    let answers = std::fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), format!("{answers}{}\n", serde_json::json!({ "content": second })))
        .unwrap();
    let second_request = |options: &[&str]| {
        let arguments = [&["run", "m.toml", "--requests", "r.jsonl"], options].concat();
        let output = ptc(folder.path(), &arguments);
        assert!(output.status.success(), "{output:?}");
        let requests = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
        let last: serde_json::Value = serde_json::from_str(requests.lines().last().unwrap()).unwrap();
        let shown = ptc(folder.path(), &["show", "last", "--requests"]);
        assert_eq!(String::from_utf8_lossy(&shown.stdout), requests, "the record renders other requests");
        std::fs::remove_file(folder.path().join("r.jsonl")).unwrap();
        last["messages"].to_string()
    };
    for options in [&[][..], &["--compression", "digest"], &["--compression", "single-user-coalesced"]] {
        let request = second_request(options);
        assert!(request.contains(r#"{:_id \"document-4711\" :_source {:city \"Bonn\"}}] {}"#), "{request}");
        assert!(!request.contains("s3cret"), "{request}");
    }
    let mission = std::fs::read_to_string(folder.path().join("m.toml")).unwrap();
    std::fs::write(folder.path().join("m.toml"), format!("{mission}hidden = [\"_id\"]\n")).unwrap();
    let request = second_request(&["--compression", "single-user-coalesced"]);
    assert!(request.contains("(hidden: _id, _token)") && !request.contains("4711"), "{request}");
}

#[test]
fn programs_are_checked_against_the_tools_of_a_server() {
    let folder = folder("(return 1)");
    let check = |program: &str| {
        let output = ptc(folder.path(), &["check", "--mission", "m.toml", "-e", program]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(check("(tool/bank-rate {:currency-code \"USD\"})"), (Some(0), String::new()));
    let (exit, text) = check("(tool/bank-rates {:currencyCode \"USD\"})");
    assert!(exit == Some(1) && text.contains("bank-rate"), "{text}");
}

#[test]
fn progress_of_a_call_is_in_the_log() {
    let folder = folder("(return (:rate (tool/bank-rate {:currency-code \"JPY\"})))");
    let output = ptc(folder.path(), &["run", "m.toml"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let log = String::from_utf8(ptc(folder.path(), &["show", "--events"]).stdout).unwrap();
    let line = log.lines().find(|line| line.contains("tool.progress")).expect("a line about progress");
    assert!(
        line.contains(r#""metadata":{"tool_name":"bank-rate","done":1.0,"total":2.0,"message":"asking"}"#),
        "{line}"
    );
}

#[test]
fn a_required_server_that_does_not_start_ends_the_command() {
    let folder = folder("(return 1)");
    std::fs::write(folder.path().join("server.sh"), "echo the key is missing >&2; exit 1").unwrap();
    // Any other one takes away only its tools.
    let output = ptc(folder.path(), &["run", "m.toml"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("note: MCP server `bank`: ") && text.contains("the key is missing"), "{text}");
    assert_eq!(output.status.code(), Some(0));
    let mission = std::fs::read_to_string(folder.path().join("m.toml")).unwrap();
    std::fs::write(folder.path().join("m.toml"), format!("{mission}required = true\n")).unwrap();
    let output = ptc(folder.path(), &["run", "m.toml"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("error: m.toml: MCP server `bank`: ") && text.contains("the key is missing"), "{text}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_prompt_calls_the_tools_of_a_server() {
    use std::io::Write;
    use std::process::Stdio;

    let folder = folder("1");
    let mut command = command(folder.path(), &["repl", "m.toml"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = "(tool/bank-rate {:currencyCode \"USD\"})\n(tool/bank-rate {:currencyCode \"JPY\"})\n";
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{:rate 0.9}\n{:rate 0.006}\n", "{output:?}");
    assert!(folder.path().join("ended.txt").exists(), "the server was not ended in order");
}
