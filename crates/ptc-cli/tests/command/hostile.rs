//! The corpus of attacks from servers, at a prompt, in `ptc view`, and through a gateway.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value as Json, json};

use super::attacks::corpus::attacks;
use super::attacks::harmless;
use super::view::View;
use super::{command, ptc, shown};

/// A server that answers with files.
const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,' "$id"; cat "$1"; echo; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer hello.json ;;
    *'"tools/list"'*) answer tools.json ;;
    *'"tools/call"'*'"name":"t0"'*) answer error.json ;;
    *'"tools/call"'*'"name":"t1"'*) answer failure.json ;;
    *'"tools/call"'*) answer result.json ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id" ;;
  esac
done
"#;

/// A folder with a server in which everything but the names of its first tools is an attack.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    // The rest of an object that the script begins.
    let rest =
        |name: &str, key: &str, value: Json| write(name, json!({ key: value }).to_string().strip_prefix('{').unwrap());
    let attacks = attacks();
    let all = attacks.join(" ");
    rest(
        "hello.json",
        "result",
        json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "instructions": all,
            "serverInfo": {"name": all, "title": all, "version": all},
        }),
    );
    let tool = |(place, attack): (usize, &String)| {
        let parameter =
            json!({"type": "string", "title": attack, "description": attack, "enum": [attack], "default": attack});
        json!({
            "name": format!("t{place}"), "title": attack, "description": attack,
            "annotations": {"title": attack, "readOnlyHint": true},
            "inputSchema": {"type": "object", "description": attack, "properties": {attack: parameter, "n": {"type": "integer"}}},
            "outputSchema": {"type": "object", "properties": {attack: parameter}},
        })
    };
    let mut tools: Vec<Json> = attacks.iter().enumerate().map(tool).collect();
    for (place, attack) in attacks.iter().enumerate() {
        tools.push(json!({"name": format!("x{place}{attack}"), "inputSchema": {"type": "object"}}));
    }
    rest("tools.json", "result", json!({ "tools": tools }));
    rest("error.json", "error", json!({"code": -32000, "message": all}));
    rest("failure.json", "result", json!({"isError": true, "content": [{"type": "text", "text": all}]}));
    let results: serde_json::Map<String, Json> = attacks.iter().map(|attack| (attack.clone(), json!(attack))).collect();
    rest("result.json", "result", json!({"content": [], "structuredContent": results}));
    write("server.sh", SERVER);
    let server = "[mcp.bad]\ncommand = [\"sh\", \"server.sh\"]\n";
    write("m.toml", &format!("mission = \"Look.\"\nreplay = \"a.jsonl\"\nmax_turns = 9\n{server}"));
    write(
        "gateway.toml",
        &format!(
            "{server}[tools.pay]\nsignature = \"(n :any) -> :any\"\ncommand = [\"cat\"]\n[policy.all]\ndecide = \"allow\"\ntool = \"*\"\n"
        ),
    );
    let programs =
        ["(tool/bad-t0 {:n 1})", "(tool/bad-t1 {})", "(println (tool/bad-t2 {:n 2}))", "(return (tool/bad-t3 {}))"];
    write("a.jsonl", &programs.map(|program| json!({ "content": program }).to_string() + "\n").concat());
    folder
}

/// No line that a model reads looks like a section of ours.
fn no_section(what: &str, text: &str) {
    let forged = text.lines().find(|line| {
        line.contains("FAKE") && (line.starts_with(";; ===") || line.starts_with("Human:") || line.starts_with("```"))
    });
    assert_eq!(forged, None, "{what}");
}

#[test]
fn no_attack_of_a_server_acts_where_its_tools_are_shown() {
    let folder = folder();
    let folder = folder.path();
    let journal = ["--requests", "q.jsonl"];
    for args in [
        &["check", "m.toml", "--connect"][..],
        &["check", "--mission", "m.toml", "-e", "(tool/bad-nope {})"],
        &["check", "--effects", "--mission", "m.toml", "-e", "(tool/bad-t0 {})"],
        &["run", "m.toml", "--preview"],
        &[&["run", "m.toml"][..], &journal].concat(),
        &["show"],
        &["show", "--timing"],
        &["show", "--view", "compressed"],
        &["runs"],
        &["replay"],
    ] {
        let output = ptc(folder, args);
        for text in [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()) {
            harmless(&format!("{args:?}"), &text);
            no_section(&format!("{args:?}"), &text);
        }
    }
    for line in fs::read_to_string(folder.join("q.jsonl")).unwrap().lines() {
        let request: Json = serde_json::from_str(line).unwrap();
        for message in request["messages"].as_array().unwrap() {
            no_section("a request", message["content"].as_str().unwrap_or_default());
        }
    }
    let view = View::of(folder, &[]);
    let run = view.listed(|runs| !runs.is_empty()).remove(0);
    let page = run["url"].as_str().unwrap();
    let (head, _) = view.get(&format!("{page}.json"));
    assert!(head.contains("content-type: application/json") && head.contains("nosniff"), "{head}");
    // The pages hold no run, only where it is.
    for page in ["", page] {
        let (head, text) = view.get(page);
        assert!(!text.contains("FAKE") && head.contains("content-type: text/html"), "{head}");
    }
}

/// A program's prints are raw data without a terminal, as with `ptc eval`; values and errors are ours.
#[test]
fn no_attack_acts_at_a_prompt() {
    let folder = folder();
    let args = ["repl", "m.toml", "--no-history"];
    let mut child = command(folder.path(), &args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = String::from("(tool/bad-t0 {})\n(tool/bad-t1 {})\n(tool/bad-t2 {})\n(tool/bad-nope {})\n");
    for attack in attacks() {
        let quoted = json!(attack).to_string();
        input += &format!("{quoted}\n{{{quoted} [{quoted}]}}\n(keyword {quoted})\n(symbol {quoted})\n");
        input += &format!(
            "(throw (ex-info {quoted} {{:a {quoted}}}))\n(fail {quoted})\n(tool/bad-t2 {{:n {quoted}}})\n(defn f {quoted} [] 1)\nf\n"
        );
    }
    // A pipe is smaller than the whole output.
    let mut stdin = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    for text in [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()) {
        harmless("a prompt", &text);
    }
}

fn requests(folder: &Path, programs: &[String]) -> Vec<String> {
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let call = |(id, program): (usize, &String)| {
        let params = json!({"name": "run_program", "arguments": {"program": program}});
        json!({"jsonrpc": "2.0", "id": id + 2, "method": "tools/call", "params": params})
    };
    let begin = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    let mut child = command(folder, &["mcp", "gateway.toml"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let calls = programs.iter().enumerate().map(call);
    let requests: String = begin.into_iter().chain(calls).map(|request| format!("{request}\n")).collect();
    // Pipes are smaller than the whole output. Its input ends after the last answer.
    let (mut input, mut errors) = (child.stdin.take().unwrap(), child.stderr.take().unwrap());
    let writing = std::thread::spawn(move || input.write_all(requests.as_bytes()).map(|()| input));
    let reading = std::thread::spawn(move || std::io::read_to_string(&mut errors));
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut said = Vec::new();
    while said.len() < programs.len() + 1 {
        let mut line = String::new();
        assert!(std::io::BufRead::read_line(&mut output, &mut line).unwrap() > 0, "the gateway ended: {said:?}");
        if line.contains("\"id\":") {
            said.push(line);
        }
    }
    drop(writing.join().unwrap().unwrap());
    harmless("the gateway's remarks", &reading.join().unwrap().unwrap());
    child.wait().unwrap();
    said
}

#[test]
fn no_attack_passes_a_gateway_but_as_data() {
    let folder = folder();
    let mut programs =
        vec!["(tool/bad-t0 {})".to_owned(), "(tool/bad-t1 {})".to_owned(), "(tool/bad-t2 {})".to_owned()];
    for attack in attacks() {
        let quoted = json!(attack).to_string();
        programs.push(format!("(println {quoted}) (tool/pay {{:n {quoted}}}) (throw (ex-info {quoted} {{}}))"));
    }
    // Each is one line of JSON, however lines are read.
    for line in requests(folder.path(), &programs) {
        let line = line.trim_end_matches('\n');
        assert!(serde_json::from_str::<Json>(line).is_ok() && !line.contains(|c: char| c < ' '), "{line}");
    }
    let audit = fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(audit.lines().count() > programs.len(), "{audit}");
    for line in audit.split_terminator('\n') {
        assert!(serde_json::from_str::<Json>(line).is_ok() && !line.contains(|c: char| c < ' '), "{line}");
    }
    let (log, _) = shown(folder.path(), &["mcp", "--help"]);
    harmless("help", &log);
}
