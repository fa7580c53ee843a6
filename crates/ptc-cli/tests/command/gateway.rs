//! The gateway and its commands, as their users run them.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::view::View;
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

/// A server that gets another tool as soon as the first one is called.
const GROWING: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
tool() { printf '{"name":"%s","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}' "$1"; }
tools=$(tool sow)
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"g","version":"1"}}' ;;
    *'"tools/list"'*) answer "\"result\":{\"tools\":[$tools]}" ;;
    *'"tools/call"'*)
      tools="$tools,$(tool reap)"
      printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
      answer '"result":{"content":[{"type":"text","text":"done"}]}' ;;
    *'"id"'*) answer '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
"#;

#[test]
fn tools_that_a_server_adds_are_there_for_the_next_program() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("growing.sh"), GROWING).unwrap();
    std::fs::write(folder.path().join("gateway.toml"), "[mcp.field]\ncommand = [\"sh\", \"growing.sh\"]\n").unwrap();
    let programs = ["(tool/field-sow {})", "(tool/field-reap {})"].map(|program| json!({"program": program}));
    // The server has reported the other tool before it answered; the gateway may receive that later.
    let said = requests(folder.path(), &programs, |said| said["value"] == "done");
    assert_eq!(said.iter().map(|said| &said["value"]).collect::<Vec<_>>(), ["done", "done"], "{said:?}");
}

#[test]
fn clients_that_listen_are_told_of_other_tools() {
    use ptc_runner::lisp::{ToolCall, Value};
    use ptc_runner::mcp::{Server, ServerSpec};

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("growing.sh"), GROWING).unwrap();
    std::fs::write(folder.path().join("gateway.toml"), "[mcp.field]\ncommand = [\"sh\", \"growing.sh\"]\n").unwrap();
    let args = ["mcp", "gateway.toml", "--http", "127.0.0.1:0"];
    let mut child = command(folder.path(), &args).stderr(Stdio::piped()).spawn().unwrap();
    let mut remark = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stderr.take().unwrap()), &mut remark).unwrap();
    let url = remark.trim().strip_prefix("note: serving at ").unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        // Our own client speaks the revision without sessions, and listens.
        let gateway = Server::connect(ServerSpec::http("g", url)).await.unwrap();
        let before = gateway.changes();
        let run = gateway.tools().into_iter().find(|tool| tool.spec().name == "g-run_program").unwrap();
        let args = Value::from_json_str(r#"{"program": "(tool/field-sow {})"}"#).unwrap();
        run.call(&ToolCall { seq: 1, name: "g-run_program".into(), surface: args.clone(), args }).await.unwrap();
        let since = Instant::now();
        while gateway.changes() == before {
            assert!(since.elapsed() < Duration::from_secs(30), "nobody told of the other tool");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_file_is_read_again_when_it_changes_and_on_a_hang_up() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("gateway.toml"), text).unwrap();
    write("[tools.one]\nprogram = \"1\"\n");
    let args = ["mcp", "gateway.toml", "--http", "127.0.0.1:0"];
    let mut child = command(folder.path(), &args).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap())).map(Result::unwrap);
    let mut next = |text: &str| told.find(|line| line.contains(text)).unwrap();
    next("serving at");
    write("[tools.one]\nprogram = \"1\"\n[policy.typo]\ndecide = \"deny\"\ntool = \"on\"\n");
    next("the gateway file was read again");
    next("policy `typo` matches no tool");
    write("max_calls = \"many\"\n");
    next("the changed gateway file is not used, the one before stays: gateway.toml:1:13: max_calls must be an integer");
    // Without a change: a server may have another program now.
    let hang_up = || {
        assert!(std::process::Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success())
    };
    hang_up();
    next("is not used");
    write("[tools.two]\nprogram = \"1\"\n");
    next("the gateway file was read again");
    hang_up();
    next("the gateway file was read again");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_server_that_fails_is_named_and_the_others_are_used() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("growing.sh"), GROWING).unwrap();
    let servers = "[mcp.field]\ncommand = [\"sh\", \"growing.sh\"]\n[mcp.dead]\ncommand = [\"sh\", \"-c\", \"echo no licence >&2; exit 1\"]\n";
    std::fs::write(folder.path().join("gateway.toml"), servers).unwrap();
    let (tools, notes) = shown(folder.path(), &["mcp", "tools", "gateway.toml"]);
    assert!(tools.starts_with("tool/field-sow  only reads    allow\n"), "{tools}");
    assert!(notes.starts_with("note: MCP server `dead`: "), "{notes}");
    assert!(notes.contains("it said: no licence; its tools are left out"), "{notes}");
    let mission = format!("mission = \"x\"\nreplay = \"a.jsonl\"\n{servers}");
    std::fs::write(folder.path().join("m.toml"), &mission).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{\"content\": \"(return (tool/field-sow {}))\"}\n").unwrap();
    let (answer, notes) = shown(folder.path(), &["run", "m.toml", "--quiet"]);
    assert!(answer == "\"done\"\n" && notes.contains("its tools are left out"), "{answer}{notes}");
    let (asked, _) = shown(folder.path(), &["run", "m.toml", "--preview"]);
    assert!(asked.contains("The MCP server `dead` cannot be used now: its tools are missing."), "{asked}");
    std::fs::write(folder.path().join("m.toml"), format!("{mission}required = true\n")).unwrap();
    let refused = command(folder.path(), &["run", "m.toml", "--quiet"]).output().unwrap();
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("no licence"));
}

/// The code that the gateway showed with this question.
fn code(folder: &Path, id: &str) -> String {
    let codes = std::fs::read_to_string(folder.join(".ptc/mcp/approvals.log")).unwrap();
    let shown = format!(" question {id} waits, its code is ");
    codes.lines().filter_map(|line| line.split_once(&shown)).next_back().unwrap().1.to_owned()
}

/// What a client receives that runs a program and goes away.
fn run(folder: &Path, arguments: &Json) -> Json {
    requests(folder, std::slice::from_ref(arguments), |_| true).remove(0)
}

/// What a client receives that runs these programs, each until its answer is a last one, and goes away.
fn requests(folder: &Path, programs: &[Json], is_last: impl Fn(&Json) -> bool) -> Vec<Json> {
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let begin = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    let mut child =
        command(folder, &["mcp", "gateway.toml"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    begin.iter().for_each(|line| writeln!(input, "{line}").unwrap());
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut said = Vec::new();
    let mut ids = 2..;
    let mut ask = |arguments: &Json| {
        let id = ids.next().unwrap();
        let params = json!({"name": "run_program", "arguments": arguments});
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).unwrap();
        loop {
            let mut line = String::new();
            assert!(std::io::BufRead::read_line(&mut output, &mut line).unwrap() > 0, "it ended without an answer");
            let message: Json = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                break message["result"]["structuredContent"].clone();
            }
        }
    };
    for arguments in programs {
        let since = Instant::now();
        let mut answer = ask(arguments);
        while !is_last(&answer) && since.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
            answer = ask(arguments);
        }
        said.push(answer);
    }
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
    assert_eq!(
        remarks,
        "note: policy `typo` matches no tool: `tool` is its name at the server, without `SERVER-`; see `ptc mcp tools`\n"
    );
}

#[test]
fn what_waits_is_decided_by_commands_and_goes_on_with_another_gateway() {
    let folder = folder();
    let said = run(folder.path(), &json!({"program": "(tool/pay {:euros 5})"}));
    assert_eq!(said["status"], "waiting", "{said}");
    let (waiting, _) = shown(folder.path(), &["mcp", "waiting"]);
    let id = waiting.lines().next().unwrap().strip_prefix("question ").unwrap();
    assert!(waiting.contains("  tool/pay {\"euros\": 5}"), "{waiting}");
    let needed = refused(folder.path(), &["mcp", "approve", id]);
    assert_eq!(
        needed,
        format!(
            "error: question {id} needs its code, which is shown on the terminal of the gateway or, when it runs without one, \
             in .ptc/mcp/approvals.log; write `--code CODE`\n"
        )
    );
    let wrong = refused(folder.path(), &["mcp", "approve", id, "--code", "7KQ2-M4XD-9TPA"]);
    assert!(wrong.starts_with(&format!("error: this is not the code of question {id}: ")), "{wrong}");
    let code = code(folder.path(), id);
    let (told, _) = shown(folder.path(), &["mcp", "approve", id, "--code", &code]);
    assert!(told.starts_with("allowed:\n  A program wants to call:"), "{told}");
    let said = run(folder.path(), &json!({"session": said["session"]}));
    assert_eq!(said["value"], 1, "{said}");
    assert_eq!(std::fs::read_to_string(folder.path().join("paid")).unwrap(), "{\"euros\":5}\n");
    let error = refused(folder.path(), &["mcp", "approve", id]);
    assert_eq!(error, format!("error: no question {id} waits\n"));
}

/// A client's file has the gateway as well as the servers before it.
#[test]
fn a_gateway_does_not_start_itself() {
    let folder = tempfile::tempdir().unwrap();
    let entry = json!({"command": env!("CARGO_BIN_EXE_ptc"), "args": ["mcp", "mcp.json"]});
    let servers = json!({"mcpServers": {"one": entry, "two": entry}});
    std::fs::write(folder.path().join("mcp.json"), servers.to_string()).unwrap();
    let output = command(folder.path(), &["mcp", "tools", "mcp.json"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    for name in ["one", "two"] {
        assert!(told.contains(&format!("`{name}`")), "{told}");
    }
    assert_eq!(told.matches("is this gateway: leave it out of the gateway's file").count(), 2, "{told}");
}

#[test]
fn what_waits_and_sessions_are_in_the_viewer() {
    let folder = folder();
    let ended = run(folder.path(), &json!({"program": "(def n (tool/look {}))"}));
    let waits = run(folder.path(), &json!({"program": "(tool/pay {:euros 5})"}));
    let view = View::of(folder.path(), &[".ptc/mcp/audit.jsonl"]);
    let gateway = |view: &View, is_wanted: &dyn Fn(&Json) -> bool| {
        let since = Instant::now();
        loop {
            let gateway = view.json("runs.json")["gateways"][0].clone();
            if !gateway.is_null() && is_wanted(&gateway) {
                return gateway;
            }
            assert!(since.elapsed() < Duration::from_secs(60), "{gateway}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let found = gateway(&view, &|_| true);
    let id = found["waiting"][0]["id"].as_str().unwrap();
    assert!(found["waiting"][0]["text"].as_str().unwrap().contains("tool/pay {\"euros\": 5}"), "{found}");
    let code = code(folder.path(), id);
    let session = |handle: &Json, gateway: &Json| {
        gateway["sessions"].as_array().unwrap().iter().find(|one| one["session"] == *handle).unwrap().clone()
    };
    let (idle, waiting) = (session(&ended["session"], &found), session(&waits["session"], &found));
    assert_eq!((&idle["progress"], &idle["programs"]), (&json!("idle"), &json!(1)));
    assert_eq!((&waiting["progress"], &waiting["programs"]), (&json!("waiting"), &json!(0)));
    // The last program of a session is a run.
    let document = view.json(&format!("{}.json", idle["url"].as_str().unwrap()));
    assert_eq!(document["run"]["turns"][0]["calls"][0]["tool"], "look");
    // Its page also has the audit log.
    let page = view.json(&format!("{}.json", found["url"].as_str().unwrap()));
    let events = |page: &Json| {
        page["log"]["entries"].as_array().unwrap().iter().map(|one| one["event"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(events(&page), ["waits", "program", "end", "result", "call", "program"], "{page}");
    assert_eq!((&page["running"], &page["own_tools"], &page["servers"]), (&json!(false), &json!(3), &json!([])));
    assert_eq!(session(&ended["session"], &page)["calls"], 1);
    assert!(view.get(found["url"].as_str().unwrap()).1.contains("\"show\":\"gateway\""));
    for text in [found.to_string(), page.to_string(), document.to_string(), view.get(found["url"].as_str().unwrap()).1]
    {
        assert!(!text.contains(&code), "the code is on no page: {text}");
    }
    assert!(view.get("gateway/0123456789abcdef.json").0.starts_with("HTTP/1.1 404 "));
    shown(folder.path(), &["mcp", "deny", id, "no"]);
    run(folder.path(), &json!({"session": waits["session"]}));
    let page = view.json(&format!("{}.json", found["url"].as_str().unwrap()));
    assert_eq!(events(&page)[..2], ["end", "refused"], "{page}");
    let found = gateway(&view, &|gateway| gateway["waiting"] == json!([]));
    assert_eq!(session(&waits["session"], &found)["progress"], "idle");
    let listed = View::of(folder.path(), &[]);
    assert_eq!(gateway(&listed, &|_| true)["state"], ".ptc/mcp", "without a name it is that of this folder");
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
    std::fs::write(folder.path().join("bad.json"), "{\"serverz\": {}}").unwrap();
    let error = refused(folder.path(), &["mcp", "bad.toml"]);
    assert!(error.contains("bad.toml:1:1: unknown key `max_turns`"), "{error}");
    let error = refused(folder.path(), &["mcp", "bad.json"]);
    assert!(error.starts_with("error: bad.json: no servers are in this file: write them as "), "{error}");
    let error = refused(folder.path(), &["mcp", "waiting", "--state", "elsewhere"]);
    assert!(error.starts_with("error: the state of the gateway: no gateway keeps its state in elsewhere; "), "{error}");
}

#[test]
fn other_machines_are_served_only_with_tokens() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    let error = refused(folder.path(), &["mcp", "gateway.toml", "--http", "0.0.0.0:8090"]);
    assert_eq!(
        error,
        "error: other machines can reach 0.0.0.0:8090, and any client there could run programs: write `--token-file FILE`, \
         with a line `NAME: TOKEN` for each client, or an address of this machine such as 127.0.0.1:8090\n"
    );
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "ci: short\n").unwrap();
    let serve = ["mcp", "gateway.toml", "--http", "127.0.0.1:0", "--token-file", "tokens"];
    let error = refused(folder.path(), &serve);
    assert!(error.starts_with("error: tokens:1: a token has at least 16 characters: "), "{error}");
    // What is wrong with the file is said before a server starts; who else can read it, too.
    std::fs::write(&tokens, "ci: aaaaaaaaaaaaaaaa\n").unwrap();
    for (mode, expected) in
        [(0o644, "warning: other users of this machine can read tokens: run `chmod 600` on it"), (0o600, "note: ")]
    {
        std::fs::set_permissions(&tokens, std::fs::Permissions::from_mode(mode)).unwrap();
        let mut child = command(folder.path(), &serve).stderr(Stdio::piped()).spawn().unwrap();
        let mut remark = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stderr.take().unwrap()), &mut remark).unwrap();
        assert!(remark.starts_with(expected), "{remark}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn tools_that_changed_are_shown_and_accepted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("growing.sh"), GROWING).unwrap();
    std::fs::write(folder.path().join("gateway.toml"), "[mcp.field]\ncommand = [\"sh\", \"growing.sh\"]\n").unwrap();
    let error = refused(folder.path(), &["mcp", "pin", "gateway.toml"]);
    assert!(error.starts_with("error: no server is pinned: write `pin = true`"), "{error}");
    let pinned = "[mcp.field]\ncommand = [\"sh\", \"growing.sh\"]\npin = true\n";
    std::fs::write(folder.path().join("gateway.toml"), pinned).unwrap();
    let tools = || shown(folder.path(), &["mcp", "tools", "gateway.toml"]).0;
    assert_eq!(tools(), "tool/field-sow  only reads    allow\n");
    // The same tool, which no longer says that it only reads.
    std::fs::write(
        folder.path().join("growing.sh"),
        GROWING.replace("\"readOnlyHint\":true", "\"readOnlyHint\":false"),
    )
    .unwrap();
    assert_eq!(tools(), "tool/field-sow  may destroy   ask  changed since it was reviewed\n");
    let (accepted, _) = shown(folder.path(), &["mcp", "pin", "gateway.toml", "field"]);
    assert_eq!(accepted, "tool/field-sow  changed since it was reviewed\n");
    assert_eq!(tools(), "tool/field-sow  may destroy   ask\n");
}
