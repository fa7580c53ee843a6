//! The examples in the documentation of an item.

use syn::Block;

use super::{Found, scan};

/// The prefix of names of doc tests that compile, after the crate.
pub(super) const COMPILES: &str = "doc";
/// The prefix of names of those that must not.
pub(super) const FAILS: &str = "compile-fail";

/// The content of the examples of one kind. That something does not compile is an assertion on its own.
pub(super) fn found(docs: &str, kind: &str) -> Found {
    let wants_failure = kind == FAILS;
    let of_kind: Vec<Example> =
        examples(docs).into_iter().filter(|example| example.must_fail == wants_failure).collect();
    if of_kind.is_empty() {
        Found::Nothing
    } else if wants_failure || of_kind.iter().any(|example| asserts(&example.code)) {
        Found::Asserts
    } else {
        Found::RunsOnly
    }
}

struct Example {
    must_fail: bool,
    code: String,
}

/// The fenced blocks that rustdoc compiles; it strips `#` and a blank from hidden lines.
fn examples(docs: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut open: Option<(bool, Example)> = None;
    for line in docs.lines().map(str::trim) {
        match (line.strip_prefix("```"), open.take()) {
            (Some(tags), None) => {
                let is_rust = tags
                    .split(',')
                    .map(str::trim)
                    .all(|tag| ["", "rust", "no_run", "should_panic", "compile_fail"].contains(&tag));
                open = Some((is_rust, Example { must_fail: tags.contains("compile_fail"), code: String::new() }));
            }
            (Some(_), Some((is_rust, example))) => found.extend(is_rust.then_some(example)),
            (None, Some((is_rust, mut example))) => {
                example.code.push_str(line.strip_prefix("# ").unwrap_or(line));
                example.code.push('\n');
                open = Some((is_rust, example));
            }
            (None, None) => {}
        }
    }
    found
}

/// Examples are statements, or items such as `main`; a block may have both.
fn asserts(code: &str) -> bool {
    syn::parse_str::<Block>(&format!("{{{code}\n}}")).is_ok_and(|block| scan::function(&[], &block).asserts)
}
