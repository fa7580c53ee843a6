//! Workers of a durable engine, as their users start them. Their work for an engine is tested in ptc-durable.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use super::command;

const MODEL: &str = "llm = \"http://127.0.0.1:9/v1#m\"\n";

fn folder(missions: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, more) in missions {
        std::fs::write(folder.path().join(name), format!("mission = \"Count.\"\n{more}")).unwrap();
    }
    folder
}

/// The error of a worker that does not start to serve.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = command(folder, &[&["worker", ".", "--listen", "127.0.0.1:0"], args].concat()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_worker_says_what_it_serves_and_where_and_ends_in_order() {
    let folder = folder(&[("orders.toml", MODEL), ("bills.toml", MODEL)]);
    let args =
        ["worker", ".", "--listen", "127.0.0.1:0", "--label", "v1", "--limit", "openai=500,200000", "--patience", "2h"];
    let mut worker = command(folder.path(), &args).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(worker.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    assert!(said.starts_with("note: version v1 of bills, orders at http://127.0.0.1:"), "{said}");
    assert!(ended(&worker).success());
    assert_eq!(worker.wait().unwrap().code(), Some(143));
}

/// Asks a process to end.
fn ended(worker: &std::process::Child) -> std::process::ExitStatus {
    std::process::Command::new("kill").arg("-TERM").arg(worker.id().to_string()).status().unwrap()
}

#[test]
fn a_worker_that_could_not_work_says_why() {
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(
        refused(empty.path(), &[]),
        "error: .: there are no mission files here; a worker runs each FILE.toml of its folder\n"
    );
    let recorded = folder(&[("orders.toml", "replay = \"a.jsonl\"\n")]);
    std::fs::write(recorded.path().join("a.jsonl"), "{\"content\": \"(return 1)\"}\n").unwrap();
    let text = refused(recorded.path(), &[]);
    assert!(
        text.contains("orders.toml: a worker needs a model that can be asked, and not the recorded answers of"),
        "{text}"
    );
    let named = folder(&[("2 orders.toml", MODEL)]);
    let text = refused(named.path(), &[]);
    assert!(text.starts_with("error: '2 orders' cannot name a mission of a worker"), "{text}");
    let text = refused(folder(&[("orders.toml", MODEL)]).path(), &["--limit", "openai"]);
    assert!(text.starts_with("error: 'openai' is not a limit; write NAME=REQUESTS"), "{text}");
    let text = refused(folder(&[("orders.toml", MODEL)]).path(), &["--patience", "5"]);
    assert!(text.contains("--patience") && text.contains("write 5s for seconds"), "{text}");
}
