//! Every promised error can happen.

use std::path::Path;

use ptc_lisp::Reason;
use ptc_transcript::FailReason;

/// The code of this crate without its tests and without the enum of errors.
fn code(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() && !entry.ends_with("tests") {
            text += &code(&entry);
        } else if entry.extension().is_some_and(|kind| kind == "rs")
            && !entry.ends_with("tests.rs")
            && !entry.ends_with("src/error.rs")
        {
            text += &std::fs::read_to_string(&entry).expect("a file");
        }
    }
    text
}

fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| !code[at + word.len()..].starts_with(|c: char| c.is_alphanumeric()))
}

#[test]
fn every_error_and_every_reason_is_given_by_something() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = code(&root.join("src"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let starts =
        |line: &str| line.strip_prefix("    ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let name = |line: &str| line.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
    let errors = read("src/error.rs");
    let (_, body) = errors.split_once("pub enum AgentError {").expect("the errors");
    let body = body.split("\n}").next().expect("variants");
    // An error made by automatic conversion needs no name.
    let errors = body.lines().filter(|line| starts(line) && !line.contains("#[from]")).map(name);
    let idle: Vec<String> = errors.filter(|error| !has_word(&code, &format!("AgentError::{error}"))).collect();
    assert_eq!(idle, [] as [&str; 0], "errors of agents");
    let reasons = read("../ptc-transcript/src/fail.rs");
    let reasons: Vec<String> =
        reasons.lines().filter(|line| starts(line) && line.contains(" = \"")).map(name).collect();
    assert!(reasons.len() > 15, "{reasons:?}");
    // The interpreter reports a tool that fails.
    assert_eq!(FailReason::from(Reason::ToolError), FailReason::ToolError);
    let idle: Vec<&String> = reasons
        .iter()
        .filter(|reason| *reason != "ToolError" && !has_word(&code, &format!("FailReason::{reason}")))
        .collect();
    assert_eq!(idle, [] as [&str; 0], "reasons of failures");
}
