//! Servers that start in the background, or all at once.

use std::time::Duration;

use super::{executable, names, spec};
use crate::{Server, ServerSpec};

#[cfg(unix)]
#[tokio::test]
async fn servers_are_reached_at_once_and_one_that_fails_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let late = folder.path().join("late");
    let absent = ServerSpec::command("late", &late, [folder.path().join("notes.txt").display().to_string()]);
    let servers = Server::connect_all([absent.clone(), spec(&folder)]).await.unwrap();
    let [late_server, notes_server] = &servers[..] else { panic!("two servers") };
    assert!(names(notes_server).contains(&"n-add".to_owned()) && names(late_server).is_empty());
    let problems = late_server.status().problems();
    assert!(problems[0].contains("cannot start") && problems[0].ends_with("; its tools are left out"), "{problems:?}");
    let changes = late_server.changes();
    std::os::unix::fs::symlink(executable(), &late).unwrap();
    // An attempt that began before may end meanwhile.
    while names(late_server).is_empty() {
        late_server.retry().await;
    }
    assert!(names(late_server).contains(&"late-add".to_owned()));
    assert!(late_server.changes() > changes);
    assert_eq!(late_server.status().problems(), [""; 0]);
    let refused = Server::connect_all([ServerSpec::command("gone", "/nowhere/server", [""; 0]).required()]).await;
    assert!(refused.err().unwrap().to_string().contains("/nowhere/server"));
}

#[tokio::test]
async fn a_server_that_starts_in_the_background_settles() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(spec(&folder));
    assert!(server.status().is_starting && names(&server).is_empty());
    server.settled().await;
    assert!(!server.status().is_starting && server.status().problem.is_none());
    assert!(names(&server).contains(&"n-add".to_owned()));
    let hung = Server::start(ServerSpec::command("n", "sleep", ["30"]).timeout(Duration::from_millis(50)));
    hung.settled().await;
    assert_eq!(hung.status().problem.as_deref(), Some("MCP server `n`: no answer within 0.05 s"));
}
