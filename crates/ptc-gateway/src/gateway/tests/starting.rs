//! Servers that start, fail and come back, and files that change, while a gateway runs.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::testing::{asked, begun, ended, gives, reading_tool, report, request, write_server};
use crate::{Answer, Choice, Gateway, GatewayFile};

/// Servers `a`, which waits for the file `open`, and `hung`, which never answers, besides a tool of the gateway.
const FILE: &str = r#"
[mcp.a]
command = ["sh", "server.sh"]
[mcp.hung]
command = ["sleep", "60"]
timeout = "60s"
[tools.look]
program = "1"
effect = "read"
"#;

/// A server with the tool `hear`, once the file `open` is there.
fn write_late_server(folder: &Path) {
    write_server(folder, "[ -e open ] || exit 3", &[reading_tool("hear")], &gives("heard"));
}

async fn started(folder: &Path, text: &str) -> Gateway {
    write_late_server(folder);
    Gateway::start(file(folder, text)).await.unwrap()
}

fn file(folder: &Path, text: &str) -> GatewayFile {
    GatewayFile::from_text(folder.join("gateway.toml"), text).unwrap()
}

fn names(gateway: &Gateway) -> Vec<String> {
    gateway.tools().into_iter().map(|reach| reach.tool).collect()
}

#[tokio::test]
async fn what_starts_does_not_wait_for_what_hangs_or_fails() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = started(folder.path(), FILE).await;
    // Whatever the servers do.
    assert_eq!(report(&gateway, "(tool/look)", None).await["value"], json!(1));
    let program = request("(tool/a-hear {})", None);
    gateway.ready_for(&program).await;
    let refused = gateway.run(&program).map(drop).unwrap_err().0;
    let told = refused["error"]["message"].as_str().unwrap();
    assert!(told.contains("note: MCP server `a`: ") && told.contains("it is tried again"), "{told}");
    assert!(gateway.problems().iter().any(|problem| problem.contains("`a`")), "{:?}", gateway.problems());
    let found = gateway.search(&gateway.live(), "hear");
    assert!(found["missing"].to_string().contains("the tools of a: "), "{found}");
    assert!(
        gateway
            .tools_text(&gateway.live())
            .contains("\nMissing: the tools of hung: MCP server `hung` is being started")
    );
    // The next program that names it has it tried at once.
    std::fs::write(folder.path().join("open"), "").unwrap();
    while gateway.run(&program).is_err() {
        gateway.ready_for(&program).await;
    }
    assert!(gateway.problems().is_empty(), "{:?}", gateway.problems());
    assert_eq!(names(&gateway), ["a-hear", "look"]);
}

#[tokio::test]
async fn a_required_server_that_fails_ends_the_start() {
    let folder = tempfile::tempdir().unwrap();
    write_late_server(folder.path());
    let text = "[mcp.a]\ncommand = [\"sh\", \"server.sh\"]\nrequired = true\n";
    let refused = Gateway::start(file(folder.path(), text)).await.map(drop).unwrap_err();
    assert!(refused.to_string().starts_with("MCP server `a`: "), "{refused}");
    std::fs::write(folder.path().join("open"), "").unwrap();
    let gateway = Gateway::start(file(folder.path(), text)).await.unwrap();
    assert_eq!(names(&gateway), ["a-hear"]);
}

#[tokio::test]
async fn a_session_that_needs_a_server_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("open"), "").unwrap();
    let first = started(folder.path(), FILE).await;
    let define = request("(defn hear [] (tool/a-hear {}))", None);
    first.ready_for(&define).await;
    let session = report(&first, define.program.as_deref().unwrap(), None).await["session"].clone();
    drop(first);
    // Another gateway, whose servers have not started.
    let second = started(folder.path(), FILE).await;
    let request = request("(hear)", session.as_str());
    second.ready_for(&request).await;
    assert_eq!(ended(second.run(&request).unwrap()).await["value"], json!("heard"));
}

#[tokio::test]
async fn two_servers_with_one_name_for_a_tool_do_not_end_each_other() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("open"), "").unwrap();
    let text = "[tools.a-hear]\nprogram = \"2\"\neffect = \"read\"\n[mcp.a]\ncommand = [\"sh\", \"server.sh\"]\n";
    let gateway = started(folder.path(), text).await;
    gateway.settled(Duration::MAX).await;
    assert_eq!(
        gateway.problems(),
        [
            "MCP server `a`: its tool `hear` is left out: the name tool/a-hear is taken: rename the server, or deny one of the tools"
        ]
    );
    assert_eq!(report(&gateway, "(tool/a-hear {})", None).await["value"], json!(2));
}

#[tokio::test]
async fn another_file_changes_what_starts_from_now_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("open"), "").unwrap();
    let ask = "\n[policy.all]\ndecide = \"ask\"\n";
    let gateway = started(folder.path(), &format!("{FILE}{ask}")).await;
    let hear = request("(tool/a-hear {})", None);
    gateway.ready_for(&hear).await;
    let mut running = begun(&gateway, "[(tool/look) (tool/a-hear {})]", None);
    let first = asked(&mut running).await;
    // Without the server, and with other rules and data.
    let other = "max_calls = 1\n[tools.look]\nprogram = \"3\"\neffect = \"read\"\n[data]\nrate = 7\n";
    gateway.reload(file(folder.path(), other)).await.unwrap();
    assert_eq!(names(&gateway), ["look"]);
    assert_eq!(report(&gateway, "[(tool/look) data/rate]", None).await["value"], json!([3, 7]));
    assert_eq!(report(&gateway, "(tool/a-hear {})", None).await["error"]["reason"], "problems");
    // The program that runs has its tools and its rules.
    let approve = || Answer { choice: Choice::Approve, by: "a test".to_owned() };
    running.answer(&first.waiting.fingerprint, approve()).await;
    let second = asked(&mut running).await;
    assert!(second.waiting.text.contains("tool/a-hear"), "{second:?}");
    running.answer(&second.waiting.fingerprint, approve()).await;
    assert_eq!(ended(running).await["value"], json!([1, "heard"]));
    // What the audit log keeps, and how many sessions there may be, are those of the new file.
    gateway
        .reload(file(folder.path(), &format!("audit_programs = \"hash\"\nmax_sessions = 3\n{other}")))
        .await
        .unwrap();
    report(&gateway, "(tool/look)", None).await;
    assert_eq!(gateway.max_sessions(), 3);
    let log = std::fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(log.contains("sha256"), "{log}");
    // What is kept stays where it is.
    let moved = gateway.reload(file(folder.path(), &format!("state = \"elsewhere\"\n{other}"))).await.unwrap_err();
    assert!(moved.to_string().contains("restart the gateway"), "{moved}");
    // A file that cannot be used changes nothing.
    let wrong = "[mcp.gone]\ncommand = [\"sh\", \"-c\", \"exit 4\"]\nrequired = true\n";
    assert!(gateway.reload(file(folder.path(), wrong)).await.is_err());
    assert_eq!(names(&gateway), ["look"]);
}
