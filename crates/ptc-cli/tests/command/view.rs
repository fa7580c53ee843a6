//! `ptc view`: which clients are answered, the list of runs, and a run in progress.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::{command, refused, shown};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, which ends with the test.
pub(crate) struct View {
    child: Child,
    address: String,
    /// What comes before the names of pages.
    path: String,
}

impl View {
    pub(crate) fn of(folder: &Path, paths: &[&str]) -> View {
        let mut child = command(folder, &[&["view", "--json"], paths].concat()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = serde_json::from_str::<Json>(&line).unwrap()["url"].as_str().unwrap().to_owned();
        let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        View { child, address: address.to_owned(), path: format!("/{path}") }
    }

    /// The answer to a request with these headers: its head, and its body.
    fn ask(&self, method: &str, path: &str, host: &str, headers: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    pub(crate) fn get(&self, page: &str) -> (String, String) {
        self.ask("GET", &format!("{}{page}", self.path), &self.address, "")
    }

    pub(crate) fn json(&self, page: &str) -> Json {
        let (head, body) = self.get(page);
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// The list, once all its runs have been read and it is as wanted.
    pub(crate) fn listed(&self, is_wanted: impl Fn(&[Json]) -> bool) -> Vec<Json> {
        let began = Instant::now();
        loop {
            let runs = self.json("runs.json")["runs"].as_array().unwrap().clone();
            if runs.iter().all(|run| run["pending"].is_null()) && is_wanted(&runs) {
                return runs;
            }
            assert!(began.elapsed() < PATIENCE, "{runs:?}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with a mission of two turns; in the first a tool waits for the file `go`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mission = r#"
        mission = "Wait for it."
        replay = "answers.jsonl"
        [tools.wait]
        signature = "() -> :int"
        command = ["sh", "-c", "touch started; while [ ! -e go ]; do sleep 0.02; done; echo 7"]
    "#;
    let answers = "{\"content\": \"(def n 1)\"}\n{\"content\": \"(def x (tool/wait {}))\", \"usage\": {\"input\": 10, \"output\": 3}}\n{\"content\": \"(return x)\"}\n";
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    std::fs::write(folder.path().join("answers.jsonl"), answers).unwrap();
    folder
}

/// The same with its mission run once.
fn with_a_run() -> tempfile::TempDir {
    let folder = folder();
    std::fs::write(folder.path().join("go"), "").unwrap();
    shown(folder.path(), &["run", "m.toml"]);
    folder
}

#[test]
fn only_who_knows_the_address_and_names_this_machine_is_answered() {
    let folder = with_a_run();
    let view = View::of(folder.path(), &[]);
    let status = |answer: (String, String)| answer.0.lines().next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let (path, host) = (view.path.as_str(), view.address.as_str());
    let port = host.rsplit(':').next().unwrap();
    assert_eq!(status(view.ask("GET", path, host, "")), "200");
    assert_eq!(status(view.ask("GET", path, &format!("localhost:{port}"), "")), "200");
    for other in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "127.0.0.1:1", ""] {
        assert_eq!(status(view.ask("GET", path, other, "")), "403", "{other}");
    }
    for page in [
        "/",
        "/runs.json",
        "/0123456789abcdef0123456789abcdef/",
        "/..%2f/",
        &format!("{path}../runs.json"),
        &format!("{path}run/nowhere"),
        &format!("{path}m.toml"),
    ] {
        assert_eq!(status(view.ask("GET", page, host, "")), "404", "{page}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(status(view.ask(method, path, host, "")), "405", "{method}");
    }
    let (head, body) = view.ask("HEAD", path, host, "");
    assert!(head.contains("content-security-policy: frame-ancestors 'none'") && body.is_empty(), "{head}");
    let (_, page) = view.get("");
    assert!(page.contains("connect-src 'self'") && !page.contains("http:"), "{page}");
}

#[test]
fn kept_runs_are_listed_and_opened() {
    let folder = with_a_run();
    let view = View::of(folder.path(), &[]);
    let runs = view.listed(|runs| !runs.is_empty());
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(
        (run["title"].as_str(), run["ending"].as_str(), run["turns"].as_u64()),
        (Some("Wait for it."), Some("return"), Some(3))
    );
    assert_eq!((run["tokens"].as_u64(), run["live"].as_bool()), (Some(13), Some(false)));
    assert!(
        run["model"].as_str().unwrap().starts_with("replay:") && run["file"].as_str().unwrap().contains("m.toml"),
        "{run}"
    );
    let page = run["url"].as_str().unwrap();
    assert!(view.get(page).1.contains("{\"show\":\"run\",\"url\":\""));
    let document = view.json(&format!("{page}.json"));
    assert_eq!((&document["run"]["turns"][2]["status"], &document["live"]), (&"returned".into(), &false.into()));
    // A client that has it does not get it again.
    let (head, _) = view.get(&format!("{page}.json"));
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let (head, body) =
        view.ask("GET", &format!("{}{page}.json", view.path), &view.address, &format!("If-None-Match: {tag}\r\n"));
    assert!(head.starts_with("HTTP/1.1 304 ") && body.is_empty(), "{head}");
}

#[test]
fn a_file_that_is_no_run_says_why_and_one_run_is_opened_at_once() {
    let folder = with_a_run();
    let view = View::of(folder.path(), &["m.toml"]);
    assert!(view.path.contains("/run/"), "{}", view.path);
    let (head, body) = view.ask("GET", &format!("{}.json", view.path), &view.address, "");
    assert!(
        head.starts_with("HTTP/1.1 422 ") && body.contains("m.toml is neither the record of a run"),
        "{head} {body}"
    );
    assert!(refused(folder.path(), &["view", "nowhere"]).contains("cannot read nowhere"));
}

#[test]
fn two_runs_are_compared_as_the_command_does() {
    let folder = with_a_run();
    std::fs::write(
        folder.path().join("answers.jsonl"),
        "{\"content\": \"(def n 1)\"}\n{\"content\": \"(return 2)\"}\n",
    )
    .unwrap();
    shown(folder.path(), &["run", "m.toml"]);
    let view = View::of(folder.path(), &[]);
    let runs = view.listed(|runs| runs.len() == 2);
    assert_eq!(runs[0]["mission"], "m.toml", "by which the list is grouped");
    let [new, old] = [0, 1].map(|at: usize| runs[at]["id"].as_str().unwrap());
    let page = format!("diff/{old}/{new}");
    assert!(view.get(&page).1.contains(&format!("\"runs\":[\"../../run/{old}\",\"../../run/{new}\"]")));
    let diff = view.json(&format!("{page}.json"));
    let facts = |name: &str| [0, 1].map(|side: usize| diff["runs"][side][name].clone());
    assert_eq!((facts("turns"), facts("ok")), ([3.into(), 2.into()], [true.into(), true.into()]));
    let part = |turn: usize, part: usize, side: &str| diff["turns"][turn]["parts"][part][side].clone();
    assert_eq!((part(0, 0, "one"), part(0, 0, "head")), (part(0, 0, "other"), 1.into()), "the same program");
    assert_eq!((part(1, 0, "one"), part(1, 0, "other")), ("(def x (tool/wait {}))".into(), "(return 2)".into()));
    assert_eq!((part(2, 0, "other"), &diff["turns"][2]["sides"][1]), (Json::Null, &Json::Null), "two turns only");
    let (told, _) = shown(folder.path(), &["runs", "diff", "-2", "last"]);
    assert!(told.contains("turn 2\n  program:\n  - (def x (tool/wait {}))\n  + (return 2)\n"), "{told}");

    // A client that has it does not get it again, and what is not there is not compared.
    let (head, _) = view.get(&format!("{page}.json"));
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let known = format!("If-None-Match: {tag}\r\n");
    let (head, body) = view.ask("GET", &format!("{}{page}.json", view.path), &view.address, &known);
    assert!(head.starts_with("HTTP/1.1 304 ") && body.is_empty(), "{head}");
    for nowhere in [format!("diff/{old}"), format!("diff/{old}/nowhere"), format!("diff/{old}/{new}/{new}.json")] {
        assert!(view.get(&nowhere).0.starts_with("HTTP/1.1 404 "), "{nowhere}");
    }
    std::fs::write(folder.path().join(runs[0]["path"].as_str().unwrap()), "no run\n").unwrap();
    let (head, body) = view.get(&format!("{page}.json"));
    assert!(head.starts_with("HTTP/1.1 422 ") && body.contains("is neither the record of a run"), "{head} {body}");
}

/// A suite with one case that passes and one that fails.
fn suite() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let case =
        |name: &str| format!("[cases.{name}]\nmission = \"Count.\"\nkind = \"integer\"\nexpect = {{ eq = 3 }}\n");
    write("suite.toml", "title = \"Counting\"\nlevels = [\"one\"]\n");
    write("one.toml", &(case("good") + &case("bad")));
    std::fs::create_dir(folder.path().join("recordings")).unwrap();
    write("recordings/good.jsonl", "{\"content\": \"(return 3)\"}\n");
    write("recordings/bad.jsonl", "{\"content\": \"(return 4)\"}\n");
    folder
}

#[test]
fn a_run_of_an_evaluation_that_was_kept_is_opened() {
    let folder = suite();
    let error = refused(folder.path(), &["eval-suite", ".", "--keep-runs"]);
    assert!(error.contains("--results <FILE>"), "{error}");
    std::fs::create_dir(folder.path().join("out")).unwrap();
    super::ptc(folder.path(), &["eval-suite", ".", "--results", "out/r.jsonl", "--keep-runs"]);
    let view = View::of(folder.path(), &["out"]);
    let runs = view.listed(|runs| runs.len() == 2);
    let [good, bad] = [&runs[0], &runs[1]].map(|run| run["url"].as_str().unwrap());
    let document = view.json(&format!("{bad}.json"));
    assert_eq!(document["run"]["turns"][0]["program"], "(return 4)", "{document}");
    let pair = [good, bad].map(|url| url.strip_prefix("run/").unwrap());
    assert_eq!(view.json(&format!("diff/{}/{}.json", pair[0], pair[1]))["turns"][0]["number"], 1);
    // The record is one as `ptc run` keeps it.
    let name = runs[1]["records"][0]["path"].as_str().unwrap();
    assert!(shown(folder.path(), &["show", name]).0.contains("(return 4)"));
    // Only what is below the folder of the results is opened, and only while it is there.
    let file = folder.path().join("out/r.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("r.runs/good", "../out/r.runs/good", 1).replacen("r.runs/bad", "gone/bad", 1))
        .unwrap();
    let runs = view.listed(|runs| runs.iter().all(|run| run["url"] == ""));
    assert_eq!(runs.len(), 2);
}

#[test]
fn the_results_of_an_evaluation_are_a_list() {
    let folder = suite();
    super::ptc(folder.path(), &["eval-suite", ".", "--results", "results.jsonl"]);
    let view = View::of(folder.path(), &["results.jsonl"]);
    assert!(!view.path.contains("/run/"), "the list is opened: {}", view.path);
    let runs = view.listed(|runs| runs.len() == 2);
    let facts = |run: &Json| ["title", "ending", "answer", "file"].map(|name| run[name].as_str().unwrap().to_owned());
    assert_eq!(facts(&runs[0]), ["good", "passed", "3", "results.jsonl, run 1"]);
    assert_eq!(facts(&runs[1])[..3], ["bad", "failed", "4; wanted 3, got 4"]);
    assert_eq!((&runs[1]["mission"], &runs[1]["url"]), (&"Counting: bad".into(), &"".into()), "there is no page of it");
    assert_eq!((&runs[1]["turns"], &runs[1]["model"]), (&1.into(), &"recorded answers".into()));
    // Another line is shown when it is there, and any other line is a problem.
    let file = folder.path().join("results.jsonl");
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, whole + "no result\n").unwrap();
    let runs = view.listed(|runs| runs.len() == 1);
    assert!(runs[0]["problem"].as_str().unwrap().contains("results.jsonl, line 3: this is not the result of a run"));
}

#[test]
fn a_run_that_goes_on_grows() {
    let folder = folder();
    let view = View::of(folder.path(), &[]);
    assert_eq!(view.listed(|_| true).len(), 0, "nothing has run");
    let mut running = command(folder.path(), &["run", "m.toml"]).stdout(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while !folder.path().join("started").exists() {
        assert!(began.elapsed() < PATIENCE, "the tool was never called");
        std::thread::sleep(Duration::from_millis(5));
    }
    let runs = view.listed(|runs| runs.iter().any(|run| run["live"] == true && run["turns"] == 2));
    let page = format!("{}.json", runs[0]["url"].as_str().unwrap());
    let document = view.json(&page);
    let statuses = |document: &Json| -> Vec<Json> {
        document["run"]["turns"].as_array().unwrap().iter().map(|turn| turn["status"].clone()).collect()
    };
    assert_eq!((&document["live"], statuses(&document)), (&true.into(), vec!["ok".into(), "running".into()]));
    assert_eq!(document["run"]["turns"][1]["reason"], Json::Null, "nothing was cancelled");
    assert_eq!(document["run"]["turns"][1]["calls"][0]["status"], "running");
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert!(running.wait().unwrap().success());
    let document = view.json(&page);
    assert_eq!(
        (&document["live"], statuses(&document)),
        (&false.into(), ["ok", "ok", "returned"].map(Json::from).to_vec())
    );
    let call = &document["run"]["turns"][1]["calls"][0];
    assert!(call["took_us"].as_u64().unwrap() > 0, "a journal says how long a call took: {call}");
    view.listed(|runs| runs[0]["live"] == false && runs[0]["ending"] == "return");
}
