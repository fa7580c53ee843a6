//! Programs with known answers: as they are, preempted at every call, and with every literal behind a tool call.

use super::check;

fn holds(files: &[&str], options: &[&str]) {
    let place = |name: &str| format!("{}/../tests/conformance/{name}", env!("CARGO_MANIFEST_DIR"));
    let files: Vec<String> = files.iter().map(|name| place(name)).collect();
    let overrides = place("overrides.jsonl");
    let mut words: Vec<&str> = files.iter().map(String::as_str).collect();
    words.extend(["--overrides", &overrides, "--show", "20"].iter().chain(options));
    let problems = check(&words).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn programs_have_their_answers() {
    holds(&["public.jsonl"], &[]);
}

#[test]
fn programs_that_are_preempted_at_every_call_have_their_answers() {
    holds(&["public.jsonl"], &["--slice", "1", "--wrap"]);
}

#[test]
fn programs_whose_literals_are_behind_calls_have_their_answers() {
    holds(&["public.jsonl"], &["--slice", "7", "--wrap"]);
}

#[test]
fn programs_of_the_extensions_and_the_dialect_have_their_answers() {
    holds(&["ext-public.jsonl", "dialect.jsonl"], &[]);
}
