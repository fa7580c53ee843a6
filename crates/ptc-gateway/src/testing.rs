//! What tests of the gateway share.

pub(crate) mod sample;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;

use crate::{Answer, Choice, Gateway, GatewayFile, Phase, Question, Refusal, Request, Running};

/// Tools without servers: `look` and `wait` read, `pay` appends a line to a file, `wipe` is denied.
const TOOLS: &str = r#"
[tools.look]
signature = "(n :int) -> {n :int, twice :int}"
program = "{:n n :twice (* 2 n)}"
effect = "read"

[tools.pay]
signature = "(n :int, _card :string?) -> :int"
command = ["sh", "-c", "read line; echo \"$line\" >> paid; echo 1"]

[tools.wait]
command = ["sh", "-c", "sleep 30; echo 1"]
effect = "read"

[tools.wipe]
command = ["sh", "-c", "echo wiped >> paid; echo 1"]

[policy.no-wiping]
decide = "deny"
tool = "wipe"
"#;

/// The gateway of a folder, as a new client finds it.
pub(crate) async fn gateway(folder: &Path, more: &str) -> Gateway {
    let file = GatewayFile::from_text(folder.join("gateway.toml"), &format!("{more}\n{TOOLS}")).unwrap();
    let gateway = Gateway::start(file).await.unwrap();
    gateway.settled(Duration::MAX).await;
    gateway
}

/// Write `server.sh` into a folder, a server whose tools are these. It does `first` before anything else, and `called` for
/// a call.
#[cfg(unix)]
pub(crate) fn write_server(folder: &Path, first: &str, tools: &[String], called: &str) {
    let script = SERVER.replace("FIRST", first).replace("CALLED", called);
    std::fs::write(folder.join("server.sh"), script).unwrap();
    std::fs::write(folder.join("tools"), tools.join(",")).unwrap();
}

/// A tool that only reads and takes anything.
#[cfg(unix)]
pub(crate) fn reading_tool(name: &str) -> String {
    format!(r#"{{"name":"{name}","annotations":{{"readOnlyHint":true}},"inputSchema":{{"type":"object"}}}}"#)
}

/// What gives this text for a call.
#[cfg(unix)]
pub(crate) fn gives(text: &str) -> String {
    format!(r#"answer '"result":{{"content":[{{"type":"text","text":"{text}"}}]}}'"#)
}

#[cfg(unix)]
const SERVER: &str = r#"
FIRST
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) answer "\"result\":{\"tools\":[$(cat tools)]}" ;;
    *'"tools/call"'*) CALLED ;;
    *'"id"'*) answer '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
"#;

/// What was paid, a line for each payment.
pub(crate) fn paid(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("paid")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

pub(crate) fn request(program: &str, session: Option<&str>) -> Request {
    Request { session: session.map(str::to_owned), ..Request::program(program) }
}

/// Start a program that must be able to start.
pub(crate) fn begun(gateway: &Gateway, program: &str, session: Option<&str>) -> Running {
    gateway.run(&request(program, session)).unwrap_or_else(|Refusal(said)| panic!("{said}"))
}

/// The report of a program without questions, or why there is none.
pub(crate) async fn report(gateway: &Gateway, program: &str, session: Option<&str>) -> Json {
    match gateway.run(&request(program, session)) {
        Ok(running) => {
            let said = ended(running.clone()).await;
            gateway.heard(&running);
            said
        }
        Err(Refusal(said)) => said,
    }
}

pub(crate) async fn ended(mut running: Running) -> Json {
    match running.pause().await {
        Phase::Ended(ended) => ended.report.clone(),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn asked(running: &mut Running) -> Arc<Question> {
    match running.pause().await {
        Phase::Asks(question) => question,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn answer(choice: Choice) -> Answer {
    Answer { choice, by: "a test".to_owned() }
}

/// The code that was last shown for this question.
pub(crate) fn code(folder: &Path, id: &str) -> String {
    let log = std::fs::read_to_string(folder.join(".ptc/mcp/approvals.log")).unwrap();
    let shown = format!(" question {id} waits, its code is ");
    log.lines().filter_map(|line| Some(line.split_once(&shown)?.1.to_owned())).next_back().unwrap()
}

/// The lines of the audit log.
pub(crate) fn audit(folder: &Path) -> Vec<Json> {
    let text = std::fs::read_to_string(folder.join(".ptc/mcp/audit.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
