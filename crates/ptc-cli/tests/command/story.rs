//! What `ptc run` reports about a run, and how long it waits for a model.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;

use insta::assert_snapshot;

use crate::bad_inputs::{models::request, server};
use crate::{ptc, shown};

/// A mission that fails once and recovers, with a tool.
fn mission(folder: &Path) {
    let toml = r#"
        mission = "Which of {{limit}} is the largest?"
        max_turns = 4
        replay = "a.jsonl"
        [data]
        limit = 3
        [tools.twice]
        signature = "(n :int) -> :int"
        program = "(* 2 n)"
    "#;
    let programs = [
        "```clojure\n;; Look first\n(def rows (mapv (fn [n] (tool/twice {:n n})) (range data/limit)))\n(println rows)\n```",
        "(reduce max rowz)",
        "(return {:largest (apply max rows) :rows (map (fn [n] {:n n}) rows)})",
    ];
    let answers = programs.map(|program| {
        let usage = serde_json::json!({"input": 1_200, "output": 30, "cached": 1_000});
        format!("{}\n", serde_json::json!({"content": program, "usage": usage}))
    });
    fs::write(folder.join("m.toml"), toml).unwrap();
    fs::write(folder.join("a.jsonl"), answers.concat()).unwrap();
}

/// Without the times, which differ from run to run.
fn without_times(text: &str) -> String {
    let part =
        |part: &str| if part.ends_with(" ms") || part.ends_with(" s") { "TIME".to_owned() } else { part.to_owned() };
    let line = |line: &str| line.split(" · ").map(part).collect::<Vec<String>>().join(" · ");
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}

#[test]
fn a_run_is_a_story_of_plain_lines_where_there_is_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    mission(folder.path());
    let (answer, story) = shown(folder.path(), &["run", "m.toml"]);
    assert_eq!(answer, "{:largest 4 :rows [{:n 0} {:n 2} {:n 4}]}\n");
    assert_snapshot!(without_times(&story), @"
    m.toml · answers recorded in a.jsonl, no model is asked · at most 4 turns
    Which of 3 is the largest?
    turn 1 of 4: Look first · 1,230 tokens · TIME
        defines rows, calls twice (3)
        [0 2 4]
    turn 2 of 4 failed: (reduce max rowz) · 1,230 tokens · TIME
        undefined_symbol: undefined symbol 'rowz'. Did you mean 'rows'? at line 1, column 13
    turn 3 of 4 recovered from turn 2: (return {:largest (apply max rows) :rows (map (fn [n] {:n n}) rows)}) · 1,230 tokens · TIME
    3 turns, turn 2 failed, recovered in turn 3 · 3 calls · 3,600 tokens in (3,000 cached), 90 out · TIME · no model was asked
    look at it: ptc show, or ptc view in the browser
    ");
    for silent in [&["-q"][..], &["--json"], &["--quiet", "--no-keep"]] {
        assert_eq!(shown(folder.path(), &[&["run", "m.toml"], silent].concat()).1, "", "{silent:?}");
    }
}

#[test]
fn programs_are_shown_as_they_come_when_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    mission(folder.path());
    let (_, story) = shown(folder.path(), &["run", "m.toml", "--stream", "--no-keep"]);
    assert!(story.contains("\n    (reduce max rowz)\nturn 2 of 4 failed: "), "{story}");
}

#[test]
fn a_server_that_hangs_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let toml = "mission = 'x'\nllm_retry = { max_attempts = 2, base_delay = 10 }\n";
    fs::write(folder.path().join("m.toml"), toml).unwrap();
    let model = format!("http://{}/v1#none", silent.local_addr().unwrap());
    let output = ptc(folder.path(), &["run", "m.toml", "--llm", &model, "--timeout", "300ms"]);
    assert_eq!(output.status.code(), Some(1));
    let story = String::from_utf8(output.stderr).unwrap();
    let attempts: Vec<&str> = story.lines().filter(|line| line.contains("attempt ")).collect();
    assert_eq!(attempts.len(), 2, "{story}");
    assert!(attempts.iter().all(|line| line.contains("timeout")) && story.contains("error[llm_error]"), "{story}");
}

/// A server that is away for more attempts than the command makes by default, which is then back.
#[test]
fn patience_outlasts_a_server_that_is_away() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let port = server(move |mut stream| {
        request(&mut stream);
        let count = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let (status, body) = match count {
            0 => ("408 Request Timeout", ""),
            1 => ("409 Conflict", ""),
            2 => ("200 OK", r#"{"choices":null}"#),
            3 => ("200 OK", ""),
            4 => ("503 Service Unavailable", "<html><head><title>Back soon</title></head></html>"),
            _ => ("200 OK", r#"{"choices":[{"message":{"content":"(return 7)"}}]}"#),
        };
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
        stream.write_all(format!("{head}\r\nconnection: close\r\n\r\n{body}").as_bytes()).unwrap();
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), "mission = 'x'\nllm_retry = { base_delay = 10 }\n").unwrap();
    let model = format!("http://127.0.0.1:{port}/v1#m");
    let output = ptc(folder.path(), &["run", "m.toml", "--llm", &model, "--patience", "10m"]);
    let story = String::from_utf8(output.stderr).unwrap().replace(&port.to_string(), "PORT");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "7\n", "{story}");
    let attempts: Vec<&str> = story.lines().filter_map(|line| line.split_once(": ")).map(|(_, why)| why).collect();
    let expected = [
        "timeout (HTTP 408): http://127.0.0.1:PORT/v1 gave no reason",
        "server_error (HTTP 409): http://127.0.0.1:PORT/v1 gave no reason",
        "server_error: the answer of http://127.0.0.1:PORT/v1 is broken: its `choices` are empty",
        "server_error: the answer of http://127.0.0.1:PORT/v1 is broken: it is empty",
        "server_error (HTTP 503): http://127.0.0.1:PORT/v1 answers with a web page \"Back soon\"",
    ];
    assert_eq!(&attempts[..expected.len()], expected, "{story}");
}
