//! `--prices`, wherever costs are shown.

use std::fs;
use std::io::Write;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::Value as Json;

use super::{command, refused, shown};
use crate::bad_inputs::{models::request, server};

const LIST: &str = "[[list]]\nsource = \"https://llm.example/prices\"\ndate = 2026-11-02\nmodels.own-large = { input = 2, output = 8 }\n";
const BODY: &str = r#"{"choices":[{"message":{"content":"(return 7)"}}],"usage":{"prompt_tokens":1000000,"completion_tokens":100000}}"#;

/// A model on another machine.
const PAID: &str = "http://llm.example/v1#own-large";

/// A mission, a list of prices, and a server that counts tokens, as a model named `own-large`.
fn folder() -> (tempfile::TempDir, String) {
    let port = server(move |mut stream| {
        request(&mut stream);
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}", BODY.len());
        stream.write_all(format!("{head}\r\nconnection: close\r\n\r\n{BODY}").as_bytes()).unwrap();
    });
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    fs::write(folder.path().join("m.toml"), "mission = 'x'\n").unwrap();
    fs::write(folder.path().join("own.toml"), LIST).unwrap();
    (folder, format!("http://127.0.0.1:{port}/v1#own-large"))
}

/// The last part of the totals of a run.
fn cost(folder: &Path, model: &str, args: &[&str]) -> String {
    let (_, story) = shown(folder, &[&["run", "m.toml", "--llm", model], args].concat());
    let totals = story.lines().find(|line| line.contains(" tokens in")).unwrap().to_owned();
    totals.rsplit(" · ").next().unwrap().to_owned()
}

#[test]
fn a_run_costs_what_the_given_prices_say() {
    let (folder, model) = folder();
    let cost = |args: &[&str]| cost(folder.path(), &model, args);
    assert_eq!(cost(&[]), "no paid model was asked");
    assert_eq!(cost(&["--prices", "own.toml"]), "USD 2.8000 (own-large, list of 2026-11-02)");
    assert_eq!(cost(&["--prices", "input=1,output=10"]), "USD 2.0000 (given)");
    assert!(cost(&["--prices", "gpt-5-mini"]).starts_with("USD 0.4500 (gpt-5-mini, list of "));
    fs::write(folder.path().join("ptc.toml"), "prices = 'own.toml'").unwrap();
    assert_eq!(cost(&[]), "USD 2.8000 (own-large, list of 2026-11-02)");
    assert_eq!(cost(&["--prices", "input=1,output=10"]), "USD 2.0000 (given)");
    assert_eq!(
        cost(&["--prices", "own-large"]),
        "USD 2.8000 (own-large, list of 2026-11-02)",
        "of the list in ptc.toml"
    );
    fs::write(folder.path().join("ptc.toml"), "prices = 'own-larg'").unwrap();
    assert_snapshot!(refused(folder.path(), &["runs"]), @"error: ptc.toml:1:10: prices: there are no list prices of `own-larg`; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    fs::write(folder.path().join("ptc.toml"), "prices = 'gone.toml'").unwrap();
    assert!(refused(folder.path(), &["runs"]).starts_with("error: cannot read gone.toml: "));
}

#[test]
fn lists_and_views_of_runs_have_the_same_prices() {
    let (folder, model) = folder();
    let here = folder.path();
    shown(here, &["run", "m.toml", "--llm", &model]);
    let listed = |args: &[&str]| {
        let (line, notes) = shown(here, &[&["runs", "--json"], args].concat());
        (serde_json::from_str::<Json>(&line).unwrap()["cost"].clone(), notes)
    };
    assert_eq!(listed(&[]), (Json::Null, String::new()));
    assert_eq!(listed(&["--prices", "own.toml"]), (2.8.into(), String::new()));

    // A paid model: the server is its proxy.
    let proxy = model.split("/v1").next().unwrap();
    let mut run = command(here, &["run", "m.toml", "--llm", PAID, "--record", "run.jsonl"]);
    let output = run.env("HTTP_PROXY", proxy).env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "7\n");
    let story = String::from_utf8(output.stderr).unwrap();
    assert!(story.contains(" · no list price of http://llm.example/v1#own-large is known: add `--prices "), "{story}");
    let used = |args: &[&str]| {
        let (text, _) = shown(here, &[&["show", "run.jsonl", "--usage"], args].concat());
        text.lines().last().unwrap().to_owned()
    };
    assert_snapshot!(used(&[]), @"Cost: no list price of http://llm.example/v1#own-large is known: add `--prices input=N,output=N` (USD per million tokens), or `--prices FILE` with a price list");
    assert_snapshot!(used(&["--prices", "own.toml"]), @"Cost: USD 2.8000 (own-large, list of 2026-11-02)");
    let page = |args: &[&str]| {
        shown(here, &[&["show", "run.jsonl", "--html", "run.html", "--force"], args].concat());
        fs::read_to_string(here.join("run.html")).unwrap()
    };
    assert!(page(&[]).contains("no list price of http://llm.example/v1#own-large is known"));
    assert!(page(&["--prices", "own.toml"]).contains("own-large, list of 2026-11-02"));
    let (diff, _) = shown(here, &["runs", "diff", "run.jsonl", "last", "--prices", "own.toml"]);
    assert!(diff.lines().any(|line| line == "cost: USD 2.8000 (own-large, list of 2026-11-02)"), "{diff}");
}

#[test]
fn a_limit_of_an_evaluation_uses_them() {
    let (folder, model) = folder();
    let (suite, cases) =
        ("title = 'x'\nseed = 1\nlevels = ['basic']\n", "[cases.a]\nmission = 'x'\nkind = 'integer'\n");
    fs::write(folder.path().join("suite.toml"), suite).unwrap();
    fs::write(folder.path().join("basic.toml"), cases).unwrap();
    let report =
        |args: &[&str]| shown(folder.path(), &[&["eval-suite", ".", "--llm", &model, "--json"], args].concat());
    let (json, _) = report(&["--prices", "own.toml", "--max-usd", "9"]);
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json["prices"]["name"], "own-large, list of 2026-11-02");
    let failure = refused(folder.path(), &["eval-suite", ".", "--llm", &model, "--max-usd", "9"]);
    assert!(failure.starts_with("error: a limit in USD needs prices"), "{failure}");
}
