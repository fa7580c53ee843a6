//! Servers as their owners configure them: files of other clients, variables, secrets, trust, and the commands for them.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::mpsc::{self, Receiver};

use super::command;
use super::mcp::SERVER;

/// A value that no text may show.
const SECRET: &str = "canary-of-the-secret";

/// A folder with the server `server.sh`, and these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("server.sh", SERVER)].iter().chain(files) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The command for a user whose files are in this folder, too.
fn user(folder: &Path, args: &[&str]) -> Command {
    let mut command = command(folder, args);
    command.env_remove("XDG_STATE_HOME").env("HOME", folder.join("home")).env("PTC_TEST_SECRET", SECRET);
    command
}

/// The exit code, and what was printed and said.
fn said(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = user(folder, args).output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_file_of_another_client_is_used_as_it_is() {
    let json = r#"// Mine.
{"mcpServers": {
  "bank": {"command": "sh", "args": ["${PTC_TEST_NONE:-server.sh}"], "autoApprove": ["rate"]},
  "off": {"command": "no-such-command", "disabled": true},
  "odd": {"type": "ws", "url": "wss://bank.example"}, /* another */
}}"#;
    let folder = folder(&[("mcp.json", json)]);
    let (code, tools, notes) = said(folder.path(), &["mcp", "tools", "mcp.json"]);
    assert_eq!((code, tools.as_str()), (0, "tool/bank-rate  only reads    allow\n"), "{notes}");
    for note in [
        "mcp.json: server `off` is left out: it is disabled",
        "mcp.json: server `odd` is left out: its type `ws` is not known",
        "mcp.json: server `bank`: `autoApprove` has no effect: policies decide",
    ] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
}

#[test]
fn a_variable_that_is_not_set_is_named_with_its_server_and_file() {
    let json = r#"{"mcpServers": {"good": {"command": "sh", "args": ["${PTC_TEST_NONE}", "x"]}}}"#;
    let folder = folder(&[("expand.json", json)]);
    for args in [["mcp", "tools", "expand.json"].as_slice(), &["mcp", "test", "--file", "expand.json"]] {
        let (_, out, err) = said(folder.path(), args);
        let told = format!("{out}{err}");
        assert!(told.contains("`${PTC_TEST_NONE}` is not set"), "{told}");
        assert!(told.contains("`good`") && told.contains("expand.json"), "{told}");
    }
}

/// A server that answers every request with this status, and the heads of the requests.
fn answering(status: &'static str) -> (SocketAddr, Receiver<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (send, heads) = mpsc::channel();
    // It ends with the test.
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map(Result::unwrap) {
            let mut request = BufReader::new(stream.try_clone().unwrap());
            let head: Vec<String> =
                request.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let length =
                head.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            request.read_exact(&mut vec![0; length.unwrap_or(0)]).unwrap();
            if send.send(head).is_err() {
                return;
            }
            write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        }
    });
    (address, heads)
}

#[test]
fn a_server_that_refuses_says_what_to_do() {
    for (status, advice) in [
        ("405 Method Not Allowed", "it may be at another path, often /mcp or /sse"),
        ("404 Not Found", "it may be at another path, often /mcp or /sse"),
        ("401 Unauthorized", "give it a token, with `token_file`, `token_command` or `headers`"),
        ("403 Forbidden", "give it a token, with `token_file`, `token_command` or `headers`"),
    ] {
        let (address, _heads) = answering(status);
        let folder = folder(&[("gateway.toml", &format!("[mcp.far]\nurl = \"http://{address}/x\"\n"))]);
        let (code, out, _) = said(folder.path(), &["mcp", "test"]);
        assert!(code == 1 && out.contains(status) && out.contains(advice), "{out}");
    }
}

#[test]
fn headers_have_the_values_of_variables_files_and_commands() {
    let (address, heads) = answering("404 Not Found");
    let toml = format!(
        "[mcp.far]\nurl = \"http://{address}/mcp\"\ntoken_command = [\"cat\", \"token\"]\n\
         headers = {{ X-Variable = \"a ${{PTC_TEST_SECRET}}\", X-File = \"${{file:token}}\", X-Text = \"$${{x}} $y\" }}\n"
    );
    let folder = folder(&[("gateway.toml", &toml), ("token", "word-of-the-day\n")]);
    let (code, out, err) = said(folder.path(), &["mcp", "test"]);
    assert_eq!(code, 1, "{out}");
    assert!(!format!("{out}{err}").contains(SECRET), "{out}{err}");
    let head = heads.recv().unwrap();
    let header = |name: &str| {
        let lines = head.iter().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
            .join("|")
    };
    assert_eq!(header("authorization"), "Bearer word-of-the-day");
    assert_eq!(header("x-variable"), format!("a {SECRET}"));
    assert_eq!((header("x-file"), header("x-text")), ("word-of-the-day".to_owned(), "${x} $y".to_owned()));
}

#[test]
fn what_a_server_was_given_is_not_in_what_it_says() {
    for given in [
        "command = [\"sh\", \"-c\", \"echo no $1 >&2; exit 1\", \"x\", \"${PTC_TEST_SECRET}\"]",
        "command = [\"sh\", \"-c\", \"echo no $KEY >&2; exit 1\"]\nenv = { KEY = \"${PTC_TEST_SECRET}\" }",
        "command = [\"sh\", \"-c\", \"echo no $PTC_TEST_SECRET >&2; exit 1\"]\nenv = [\"PTC_TEST_SECRET\"]",
        "command = [\"sh\", \"-c\", \"echo no $KEY >&2; exit 1\"]\nenv = { KEY = \"canary-of-the-secret\" }",
        "command = [\"sh\", \"-c\", \"echo no $1 >&2; exit 1\", \"x\", \"${file:secret}\"]",
    ] {
        let folder = folder(&[("gateway.toml", &format!("[mcp.bad]\n{given}\n")), ("secret", SECRET)]);
        let (code, out, err) = said(folder.path(), &["mcp", "test"]);
        let told = format!("{out}{err}");
        assert!(code == 1 && told.contains("no [hidden]") && !told.contains("canary"), "{given}: {told}");
    }
}

#[test]
fn a_file_that_another_one_names_has_to_be_trusted() {
    let json = r#"{"mcpServers": {"bank": {"command": "sh", "args": ["-c", "touch ran; exec sh server.sh"]}}}"#;
    let mission = "mission = \"x\"\nreplay = \"a.jsonl\"\nmcp_servers = \"mcp.json\"\n";
    let folder = folder(&[
        ("mcp.json", json),
        ("gateway.toml", "mcp_servers = \"mcp.json\"\n"),
        ("m.toml", mission),
        ("a.jsonl", "{\"content\": \"(return (:rate (tool/bank-rate {:currencyCode \\\"USD\\\"})))\"}\n"),
    ]);
    let has_run = || folder.path().join("ran").exists();
    for args in [["mcp", "test"].as_slice(), &["run", "m.toml"], &["mcp", "tools", "gateway.toml"]] {
        let (_, out, err) = said(folder.path(), args);
        let told = format!("{out}{err}");
        assert!(told.contains("you have not trusted yet") && told.contains("ptc mcp trust /"), "{args:?}: {told}");
        assert!(!has_run(), "{args:?}");
    }
    let (code, listed, _) = said(folder.path(), &["mcp", "list"]);
    assert!(code == 0 && listed.contains("(not trusted yet)") && !has_run(), "{listed}");
    let (code, shown, _) = said(folder.path(), &["mcp", "trust", "mcp.json"]);
    assert_eq!((code, has_run()), (0, false));
    assert_eq!(shown, "bank: sh -c \"touch ran; exec sh server.sh\"\nmcp.json is trusted until it changes\n");
    assert_eq!(said(folder.path(), &["run", "m.toml"]).1, "0.9\n");
    assert!(has_run());
    // Another text at the same place, and the same text at another place.
    std::fs::write(folder.path().join("mcp.json"), json.replace("touch ran", "touch more")).unwrap();
    let (_, out, err) = said(folder.path(), &["mcp", "test"]);
    assert!(format!("{out}{err}").contains("you have not trusted yet") && !folder.path().join("more").exists());
    std::fs::create_dir(folder.path().join("copy")).unwrap();
    std::fs::write(folder.path().join("copy/mcp.json"), json).unwrap();
    std::fs::write(folder.path().join("copy/gateway.toml"), "mcp_servers = \"mcp.json\"\n").unwrap();
    let (_, out, err) = said(folder.path(), &["mcp", "test", "--file", "copy/gateway.toml"]);
    assert!(format!("{out}{err}").contains("you have not trusted yet"), "{out}{err}");
    // Naming the file itself is agreeing to it.
    assert_eq!(said(folder.path(), &["mcp", "test", "--file", "mcp.json"]).0, 0);
    let (_, _, refused) = said(folder.path(), &["mcp", "trust", "gateway.toml"]);
    assert!(refused.contains("is not a file of servers in JSON"), "{refused}");
}

#[test]
fn servers_are_added_listed_tested_and_removed() {
    let own = "# mine\ntimeout = \"5s\"   # short\n\n[policy.reads]\ndecide = \"allow\"\n";
    let folder = folder(&[("gateway.toml", own)]);
    let text = || std::fs::read_to_string(folder.path().join("gateway.toml")).unwrap();
    let add = |args: &[&str]| said(folder.path(), &[&["mcp", "add"], args].concat());
    let (code, told, _) =
        add(&["bank", "--env", "A=${PTC_TEST_NONE:-1}", "--env", "PTC_TEST_SECRET", "--", "sh", "server.sh"]);
    assert_eq!((code, told.as_str()), (0, "gateway.toml has the server `bank`; `ptc mcp test bank` connects to it\n"));
    let added = "\n[mcp.bank]\ncommand = [\"sh\", \"server.sh\"]\nenv = { A = \"${PTC_TEST_NONE:-1}\", PTC_TEST_SECRET = \"${PTC_TEST_SECRET}\" }\n";
    assert_eq!(text(), format!("{own}{added}"));
    let (_, _, note) = add(&["far", "http://127.0.0.1:9/mcp", "--header", "X-Key: 12345678", "--token-file", "t"]);
    assert!(note.contains("gateway.toml now holds the value of the header `X-Key`"), "{note}");
    assert_eq!(said(folder.path(), &["mcp", "list"]).1, "bank  sh server.sh\nfar   http://127.0.0.1:9/mcp\n");
    let (code, out, _) = said(folder.path(), &["mcp", "test", "bank", "--json"]);
    let line: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &line["server"], &line["tools"]), (0, &"bank".into(), &1.into()));
    let (code, out, _) = said(folder.path(), &["mcp", "test"]);
    assert!(
        code == 1
            && out.starts_with("bank  1 tool  ")
            && out.contains("\nfar   MCP server `far`: the file `t` cannot be read"),
        "{out}"
    );
    for (args, told) in [
        (["mcp", "add", "bank", "http://h"].as_slice(), "gateway.toml already has a server `bank`"),
        (&["mcp", "add", "x y", "http://h"], "x y"),
        (&["mcp", "add", "x", "http://${h"], "a `${` is not closed"),
        (&["mcp", "test", "bnak"], "gateway.toml has no server `bnak`; its servers: bank, far"),
        (&["mcp", "remove", "bnak"], "gateway.toml has no table [mcp.bnak]; its servers: bank, far"),
    ] {
        let before = text();
        let (code, _, refused) = said(folder.path(), args);
        assert!(code == 2 && refused.contains(told) && text() == before, "{args:?}: {refused}");
    }
    for name in ["bank", "far"] {
        assert_eq!(said(folder.path(), &["mcp", "remove", name]).0, 0);
    }
    assert_eq!(text(), own);
    // A file that is not there yet.
    assert_eq!(said(folder.path(), &["mcp", "add", "bank", "--file", "new.toml", "--", "sh", "server.sh"]).0, 0);
    assert_eq!(said(folder.path(), &["mcp", "test", "--file", "new.toml"]).0, 0);
}

#[test]
fn a_client_is_told_where_the_gateway_is() {
    let folder = folder(&[("gateway.toml", "")]);
    let (code, out, note) = said(folder.path(), &["mcp", "export", "cursor"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let gateway = &json["mcpServers"]["gateway"];
    let file = folder.path().canonicalize().unwrap().join("gateway.toml");
    assert_eq!((code, &gateway["args"][1]), (0, &file.to_str().unwrap().into()));
    assert!(Path::new(gateway["command"].as_str().unwrap()).is_absolute() && note.contains("~/.cursor/mcp.json"));
    // What a client is told is what we read.
    std::fs::write(folder.path().join("client.json"), &out).unwrap();
    assert!(said(folder.path(), &["mcp", "list", "--file", "client.json"]).1.starts_with("gateway  "));
}
