#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::testing::{gateway, reading_tool, report, write_server};
use crate::{Gateway, is_running, servers_in};

/// With a server of two tools that ends at its first call, and cannot be started again.
async fn with_a_server(folder: &Path) -> Gateway {
    let first = "[ -e broken ] && echo \"no disk\" >&2 && exit 1";
    write_server(folder, first, &[reading_tool("go"), reading_tool("stay")], "touch broken; exit 1");
    gateway(folder, "[mcp.s]\ncommand = [\"sh\", \"server.sh\"]\n").await
}

#[tokio::test]
async fn servers_are_written_down_when_they_start_and_when_they_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    let gateway = with_a_server(folder.path()).await;
    let known = servers_in(&state).unwrap();
    assert_eq!((known.servers.len(), known.own_tools), (1, 4));
    let server = &known.servers[0];
    assert_eq!((&*server.name, &*server.transport, server.tools, &server.problem), ("s", "stdio", 2, &None));
    assert!(server.since.as_ref().is_some_and(|since| *since <= known.at), "{known:?}");
    report(&gateway, "1", None).await;
    assert_eq!(servers_in(&state).unwrap(), known, "nothing has changed");
    report(&gateway, "(tool/s-go {})", None).await;
    let lost = servers_in(&state).unwrap().servers.remove(0);
    assert_eq!(lost.since, None);
    assert!(lost.problem.as_ref().is_some_and(|problem| problem.ends_with("it said: no disk")), "{lost:?}");
    assert_eq!(lost.tools, 2);
}

#[tokio::test]
async fn servers_that_end_with_their_gateway_are_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = with_a_server(folder.path()).await;
    let known = servers_in(&folder.path().join(".ptc/mcp")).unwrap();
    gateway.close().await;
    report(&gateway, "1", None).await;
    assert_eq!(servers_in(&folder.path().join(".ptc/mcp")).unwrap(), known);
}

#[tokio::test]
async fn a_gateway_runs_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    assert!(is_running(&state).unwrap_err().to_string().contains("no gateway keeps its state in"));
    let first = gateway(folder.path(), "").await;
    let second = gateway(folder.path(), "").await;
    assert_eq!(is_running(&state).unwrap(), Some(true));
    drop(first);
    assert_eq!(is_running(&state).unwrap(), Some(true), "the second one runs");
    drop(second);
    assert_eq!(is_running(&state).unwrap(), Some(false));
}

#[tokio::test]
async fn a_state_of_an_earlier_version_has_no_servers() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sessions")).unwrap();
    assert_eq!(servers_in(folder.path()).unwrap(), crate::KnownServers::default());
    assert_eq!(is_running(folder.path()).unwrap(), Some(false));
}
