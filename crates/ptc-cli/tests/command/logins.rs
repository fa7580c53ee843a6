//! Logging in to servers, as a person does it, and what commands then do with the tokens.
#![cfg(unix)]

#[path = "../../../ptc-mcp/src/login/tests/server.rs"]
mod server;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use self::server::{OAuthServer, State};
use super::command;

/// A program that calls a tool, and one that needs another scope.
const PROGRAM: &str = "(return [(tool/w-read {}) (try (tool/w-write {}) (catch Exception e (ex-message e)))])";

/// A folder with a gateway and a mission file of this server.
fn folder(server: &OAuthServer) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let table = format!("[mcp.w]\nurl = \"{}\"\n", server.url());
    let answer = format!("{}\n", serde_json::json!({ "content": PROGRAM }));
    let mission = format!("mission = \"Read.\"\nreplay = \"a.jsonl\"\n{table}");
    for (name, text) in [("gateway.toml", &table), ("m.toml", &mission), ("a.jsonl", &answer)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The command of a user, whose proxy sees nothing of servers on this machine.
fn user(folder: &Path, args: &[&str]) -> Command {
    let mut command = command(folder, args);
    command.env_remove("XDG_STATE_HOME").env("HOME", folder.join("home"));
    command.env("HTTP_PROXY", "http://127.0.0.1:1").env("http_proxy", "http://127.0.0.1:1").env_remove("NO_PROXY");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    said(user(folder, args).output().unwrap())
}

/// A command that waits for a person, and the address that it shows.
fn asked(folder: &Path, args: &[&str]) -> (Child, String) {
    let mut child = user(folder, args).spawn().unwrap();
    let mut address = String::new();
    // The rest of what it prints stays in the pipe: it is one short line.
    BufReader::with_capacity(1, child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
    (child, address.trim().to_owned())
}

/// Log in by pasting the address to which a browser elsewhere was sent back.
fn log_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let (mut child, address) = asked(folder, &[&["mcp", "login", "w", "--no-browser"], args].concat());
    let redirected = OAuthServer::agree(&address);
    writeln!(child.stdin.as_mut().unwrap(), "\n{redirected}").unwrap();
    said(child.wait_with_output().unwrap())
}

/// All texts in the folder, except logins.
fn texts(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "logins" => {}
            true => all += &texts(&entry.path()),
            false => all += &String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()),
        }
    }
    all
}

#[test]
fn a_person_logs_in_and_out() {
    let server = OAuthServer::start(State::default());
    let folder = folder(&server);
    let (code, out, _) = run(folder.path(), &["mcp", "test"]);
    assert!(
        code == 1 && out.contains("it wants a login: HTTP 401") && out.contains("ptc mcp login w --file /"),
        "{out}"
    );
    let (code, out, err) = log_in(folder.path(), &["--file", "m.toml"]);
    assert_eq!((code, out.as_str()), (0, "logged in to `w`\n"), "{err}");
    assert!(err.contains("paste the address of that page here"), "{err}");
    let (code, out, _) = run(folder.path(), &["mcp", "test"]);
    assert!(code == 0 && out.contains("w  2 tools"), "{out}");
    assert_eq!(run(folder.path(), &["mcp", "logout", "w"]).1, "logged out of `w`\n");
    assert_eq!(run(folder.path(), &["mcp", "logout", "w"]).1, "there was no login to `w`\n");
    assert_eq!(run(folder.path(), &["mcp", "test"]).0, 1);
}

#[test]
fn a_login_that_fails_says_why() {
    let server = OAuthServer::start(State::default());
    let folder = folder(&server);
    let (child, address) = asked(folder.path(), &["mcp", "login", "w", "--timeout", "300ms"]);
    assert!(address.contains("code_challenge_method=S256"), "{address}");
    let (code, _, err) = said(child.wait_with_output().unwrap());
    assert_eq!((code, err.lines().last().unwrap()), (3, "error: nobody agreed within 300 ms; --timeout gives more"));
    let (mut child, _) = asked(folder.path(), &["mcp", "login", "w"]);
    writeln!(child.stdin.as_mut().unwrap(), "yes").unwrap();
    let (code, _, err) = said(child.wait_with_output().unwrap());
    assert!(code == 1 && err.contains("cannot log in to MCP server `w`: that is not the address"), "{err}");
    assert!(server.heard("POST /token").is_empty());
    server.state().has_no_pkce = true;
    let (code, _, err) = run(folder.path(), &["mcp", "login", "w"]);
    assert!(code == 1 && err.contains("does not say that it supports PKCE"), "{err}");
    let (code, _, err) = run(folder.path(), &["mcp", "login", "x"]);
    assert!(code == 2 && err.contains("gateway.toml has no server `x`; its servers: w"), "{err}");
}

#[test]
fn processes_that_renew_a_login_at_once_share_the_new_token() {
    let server = OAuthServer::start(State { life: Some(0), ..State::default() });
    let folder = folder(&server);
    assert_eq!(log_in(folder.path(), &[]).0, 0);
    server.state().life = Some(3600);
    let all: Vec<Child> = (0..4).map(|_| user(folder.path(), &["mcp", "test"]).spawn().unwrap()).collect();
    for child in all {
        let (code, out, _) = said(child.wait_with_output().unwrap());
        assert!(code == 0 && out.contains("2 tools"), "{out}");
    }
    assert_eq!(server.state().refreshed, 1);
}

#[test]
fn no_token_is_in_what_commands_print_and_keep() {
    let server = OAuthServer::start(State { life: Some(0), gives_secret: true, ..State::default() });
    let folder = folder(&server);
    let mut told = format!("{:?}", log_in(folder.path(), &[]));
    server.state().life = Some(3600);
    let kept = ["--requests", "r.jsonl", "--record", "t.jsonl", "--json"];
    let (code, out, err) = run(folder.path(), &[&["run", "m.toml"], kept.as_slice()].concat());
    assert!(code == 0 && out.contains("\"done\"") && out.contains("--scope read --scope write"), "{out}{err}");
    server.state().refresh_token = None;
    server.state().tokens.clear();
    let (_, last_out, last_err) = run(folder.path(), &["run", "m.toml"]);
    assert!(last_err.contains("its login has ended"), "{last_err}");
    told += &format!("{out}{err}{last_out}{last_err}{}", texts(folder.path()));
    assert!(told.contains("insufficient") || told.contains("allows more"));
    assert!(!told.contains("canary"), "{told}");
}
