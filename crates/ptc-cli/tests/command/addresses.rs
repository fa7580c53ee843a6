//! Addresses with passwords and keys in them: they are where the mission puts them, and in requests, but in nothing
//! that is shown or written.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use super::bad_inputs::models::request;
use super::canaries::files;
use super::view::View;
use super::{command, ptc};

/// A model server at this port, which answers with each of these in turn, and an error that quotes everything it
/// received after that.
fn model(answers: &'static [&'static str]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut answers = answers.iter();
        for mut stream in listener.incoming().flatten() {
            let asked = request(&mut stream);
            assert!(asked.starts_with("POST /v1/chat/completions?key=canary-query"), "{asked}");
            let (status, body) = match answers.next() {
                Some(answer) => ("200 OK", json!({"choices": [{"message": {"role": "assistant", "content": answer}}]})),
                None => {
                    let told = "no canary-query of canary-word is known at http://me:canary-word@h/v1?key=canary-query";
                    ("401 Unauthorized", json!({"error": {"message": told}}))
                }
            };
            let body = body.to_string();
            let length = body.len();
            let head = "content-type: application/json\r\nconnection: close";
            let _ = write!(stream, "HTTP/1.1 {status}\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}");
            let _ = stream.read(&mut [0; 16]);
        }
    });
    port
}

fn address(port: u16, model: &str) -> String {
    format!("http://me:canary-word@127.0.0.1:{port}/v1?key=canary-query#{model}")
}

/// Runs the command; neither its output nor the folder, except for missions, has a key.
fn quiet(folder: &Path, args: &[&str]) -> String {
    let output = ptc(folder, args);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, remarks) = (text(output.stdout), text(output.stderr));
    let mut written = vec![out.clone(), remarks.clone()];
    files(folder, &mut written);
    for text in &written {
        let found = text.find("canary-").map(|at| text[..at].chars().rev().take(120).collect::<Vec<_>>());
        let found = found.map(|text| text.into_iter().rev().collect::<String>());
        assert_eq!(found, None, "{args:?}: {out}\n{remarks}");
    }
    format!("{out}\n{remarks}")
}

#[test]
fn a_key_in_the_address_of_a_model_is_sent_and_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let port = model(&[
        "(tool/llm-query {:prompt \"Which?\" :llm \"nope\"})",
        "(println (tool/helper {}) (tool/ask {:t \"x\"}))",
        "(return {:at 1})",
        "a word",
        "(return 7)",
    ]);
    let text = format!(
        "mission = \"Look.\"\nllm = \"{}\"\nllm_query = true\nmax_turns = 5\nllm_retry = {{ max_attempts = 1 }}\n\
         [agents.helper]\nmission = \"Help.\"\ndescription = \"Helps\"\nllm = \"{}\"\n\
         [tools.ask]\nsignature = \"(t :string) -> :string\"\nllm = {{ mission = \"{{{{t}}}}\", llm = \"{}\" }}\n",
        address(port, "first"),
        address(port, "second"),
        address(port, "third")
    );
    fs::write(folder.join("m.toml"), text).unwrap();
    for args in [&["check", "m.toml"][..], &["run", "m.toml", "--preview"], &["run", "m.toml", "--preview", "--json"]] {
        quiet(folder, args);
    }
    let written = ["--requests", "q.jsonl"];
    let told = quiet(folder, &[&["run", "m.toml", "--json"][..], &written].concat());
    assert!(told.contains("\"return\":7") && told.contains("[hidden]@127.0.0.1"), "{told}");
    assert!(fs::read_to_string(folder.join("q.jsonl")).unwrap().contains("?[hidden]#second"));
    // The server no longer answers.
    for run in
        [&["run", "m.toml"][..], &["run", "m.toml", "--stream"], &["run", "m.toml", "--llm", &address(port, "x")]]
    {
        let told = quiet(folder, run);
        assert!(told.contains("no [hidden] of [hidden] is known"), "{told}");
    }
    for args in [
        &["show"][..],
        &["show", "--usage"],
        &["show", "--timing"],
        &["show", "--events"],
        &["show", "--requests"],
        &["show", "--html", "p.html"],
        &["show", "--chrome", "c.json"],
        &["runs"],
        &["runs", "--json"],
        &["replay"],
        &["repl", "m.toml"],
        &["run", "m.toml", "--llm", "http://me:canary-word@127.0.0.1:1/v1?key=canary-query#m"],
        &["run", "m.toml", "--llm", "http://me:canary-word@127.0.0.1:1/v1?key=canary-query"],
        &["run", "m.toml", "--llm", "http://me:canary-/word@127.0.0.1:1/v1#m"],
        &["run", "m.toml", "--llm", "me:canary-word@127.0.0.1:1/v1"],
    ] {
        quiet(folder, args);
    }
    let view = View::of(folder, &[]);
    for run in view.listed(|runs| !runs.is_empty()) {
        let page = view.get(&format!("{}.json", run["url"].as_str().unwrap())).1;
        assert!(!run.to_string().contains("canary-") && !page.contains("canary-"), "{run}");
    }
}

#[test]
fn a_key_in_another_address_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let far = "http://me:canary-word@127.0.0.1:9/x?key=canary-query";
    fs::write(folder.join("m.toml"), format!("mission = \"Look.\"\nreplay = \"a\"\n[mcp.far]\nurl = \"{far}\"\n"))
        .unwrap();
    for args in [&["run", "m.toml"][..], &["check", "m.toml", "--connect"], &["repl", "m.toml"]] {
        quiet(folder, args);
    }
    for mistake in ["llm = \"{}", "llm = \"{}\"\nllm = \"{}\"", "llms = \"{}\"", "max_turns = \"{}\"", "llm = [\"{}\"]"]
    {
        let text = format!("mission = \"Look.\"\n{}\n", mistake.replace("{}", &address(9, "m")));
        fs::write(folder.join("m.toml"), text).unwrap();
        quiet(folder, &["check", "m.toml"]);
    }
    for args in [
        &["mission", "status", "m/k", "--engine", far][..],
        &["mission", "status", "m/k", "--engine", "me:canary-word@127.0.0.1:9"],
        &["mission", "submit", "m", "--key", "k", "--engine", far],
    ] {
        quiet(folder, args);
    }
    let output = command(folder, &["worker", "--help"])
        .envs([("PTC_ENGINE_ADMIN", far), ("PTC_BLOBS", "s3://me:canary-word@b/x"), ("PTC_ENGINE", far)])
        .output()
        .unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains("canary-"));
}

/// The printed line, typed into a shell whose variable has the address, resumes the run.
#[test]
#[cfg(unix)]
fn the_line_that_resumes_a_run_has_no_key_and_works() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let llm = address(model(&["(def n 6)", "(no-such-function)"]), "m");
    let toml = "mission = \"Count.\"\nreplay = \"none.jsonl\"\nllm_retry = { max_attempts = 1 }\n";
    fs::write(folder.join("m.toml"), toml).unwrap();
    let told = quiet(folder, &["run", "m.toml", "--llm", &llm]);
    let note = |words: &str| told.lines().find_map(|line| line.strip_prefix(words)).unwrap_or_default();
    let line = note("note: this run can be resumed: ");
    assert!(line.starts_with("ptc run m.toml --llm \"$PTC_LLM\" --record "), "{told}");
    let before = note("note: before that, set PTC_LLM to http://[hidden]@127.0.0.1:");
    assert!(before.contains("/v1?[hidden]#m with its key in place of [hidden]"), "{told}");

    let answering = address(model(&["(return (inc n))"]), "m");
    let typed = std::process::Command::new("sh")
        .args(["-c", &line.replacen("ptc", "\"$PTC\"", 1)])
        .current_dir(folder)
        .env("PTC", env!("CARGO_BIN_EXE_ptc"))
        .env("PTC_LLM", answering)
        .output()
        .unwrap();
    let remarks = String::from_utf8(typed.stderr).unwrap();
    assert_eq!(String::from_utf8(typed.stdout).unwrap(), "7\n", "{remarks}");
    // A shell that has the variable needs nothing before.
    let known = command(folder, &["run", "m.toml", "--llm", &llm]).env("PTC_LLM", &llm).output().unwrap();
    let known = String::from_utf8(known.stderr).unwrap();
    assert!(known.contains("--llm \"$PTC_LLM\"") && !known.contains("before that"), "{known}");
}
