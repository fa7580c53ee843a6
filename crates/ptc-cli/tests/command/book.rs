//! Every fenced example of the README and of docs/ runs, or is read by what would read it.
//!
//! Command lines are parsed in `src/tests.rs`, Rust compiles as doctests of the package `tests` (`tests/src/book.rs`).

mod cookbook;
mod files;
mod listed;
mod shown;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use ptc_tests::fences::{self, Fence};
use ptc_tests::lang;

/// The fences of a language, except those that a page says not to run, and those that `listed` gives to another test.
fn fences_of(kind: &str) -> Vec<Fence> {
    let mut fences = fences::all().unwrap();
    fences.retain(|fence| fence.kind == kind && !listed::is_elsewhere(fence));
    assert!(!fences.is_empty(), "no page has an example in {kind}");
    fences
}

/// Fails with all differences at once.
fn all_right(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} examples are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn a_fence_says_what_it_is() {
    // JavaScript is run by `tests/wasm/run`.
    let known = ["clojure", "js", "json", "python", "rust", "sh", "text", "toml"];
    let unknown = fences::all().unwrap().into_iter().filter(|fence| !known.contains(&&*fence.kind));
    all_right(
        &unknown
            .map(|fence| format!("{}: `{}` is not one of {known:?}", fence.place(), fence.kind))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn programs_of_the_pages_end_as_the_pages_say() {
    let mut wrong = Vec::new();
    for fence in fences_of("clojure") {
        let cases = match lang::read(&fence.text) {
            Ok(cases) => cases,
            Err(error) => {
                wrong.push(format!("{}: {error}", fence.place()));
                continue;
            }
        };
        assert!(!cases.is_empty(), "{}", fence.place());
        for case in cases {
            let differences = case.check(None, None);
            wrong.extend(differences.iter().map(|text| format!("{}, line {} in it: {text}", fence.place(), case.line)));
        }
    }
    all_right(&wrong);
}

#[test]
fn rust_of_the_pages_is_compiled_by_the_doctests_of_tests() {
    let compiled = std::fs::read_to_string(fences::root().join("tests/src/book.rs")).unwrap();
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    for fence in fences_of("rust") {
        if !compiled.contains(&format!("\"../../{}\",", fence.page)) {
            wrong.insert(format!("{}: add the page to tests/src/book.rs, so that its Rust compiles", fence.page));
        }
        if !fence.notes.is_empty() {
            wrong.insert(format!("{}: say in book/listed.rs why this is {:?}", fence.place(), fence.notes));
        }
    }
    all_right(&wrong.into_iter().collect::<Vec<_>>());
}

/// Where there is no Python, nothing is checked: the page needs none either.
#[test]
fn python_of_the_pages_can_be_read() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let mut wrong = Vec::new();
    for fence in fences_of("python") {
        let read = ["-c", "import ast, sys; ast.parse(sys.stdin.read())"];
        let mut python =
            Command::new("python3").args(read).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        python.stdin.take().unwrap().write_all(fence.text.as_bytes()).unwrap();
        let output = python.wait_with_output().unwrap();
        if !output.status.success() {
            wrong.push(format!("{}: {}", fence.place(), String::from_utf8_lossy(&output.stderr)));
        }
    }
    all_right(&wrong);
}
