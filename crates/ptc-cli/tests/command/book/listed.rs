//! Examples that other tests run, and the texts that nothing compares, counted: a new one needs a line here.

use std::collections::BTreeMap;

use ptc_tests::fences::{self, Fence};

/// Page, language, how many, and what checks them instead, or why nothing can.
const ELSEWHERE: [(&str, &str, usize, &str); 4] = [
    ("docs/guide/cookbook.md", "toml", 10, "cookbook.rs runs each"),
    ("docs/guide/cookbook.md", "clojure", 8, "cookbook.rs runs the mission of each section with them"),
    (
        "docs/guide/first-mission.md",
        "clojure",
        2,
        "first_mission.rs runs the program of the page and compares its answer",
    ),
    ("docs/style.md", "rust", 1, "a row of a macro that only ptc-lisp has; a test there runs the examples of all rows"),
];

/// Every text block of the pages: how many are compared with what is really shown and where, and how many are not.
const TEXTS: [(&str, usize, &str, usize, &str); 14] = [
    ("docs/architecture.md", 0, "", 3, "pictures; `cargo xtask tidy` compares the layers with the manifests"),
    ("docs/guide/command.md", 3, "shown.rs", 0, ""),
    (
        "docs/guide/compression.md",
        6,
        "ptc-runner/tests/replay.rs",
        4,
        "parts of requests of runs that are not in the repository",
    ),
    ("docs/guide/cookbook.md", 15, "cookbook.rs", 0, ""),
    ("docs/guide/debugging.md", 1, "shown.rs", 2, "figures of runs that are not in the repository, and times"),
    ("docs/guide/durable.md", 0, "", 1, "a file of HAProxy; tests/durable/run has the same"),
    ("docs/guide/evaluation.md", 3, "shown.rs", 0, ""),
    ("docs/guide/first-mission.md", 2, "first_mission.rs uses the data, shown.rs compares the calls", 0, ""),
    ("docs/guide/gateway.md", 0, "", 1, "a question to a person, which clients show in their own way"),
    ("docs/guide/python.md", 9, ".ci/python", 0, ""),
    ("docs/guide/repl.md", 1, "shown.rs", 0, ""),
    (
        "docs/guide/strategies.md",
        0,
        "",
        1,
        "the figures of a strategy that breaks a rule, which is not in the repository",
    ),
    ("docs/machine.md", 0, "", 3, "pictures, with remarks of their own in the code"),
    ("docs/reference/signatures.md", 1, "ptc-lisp/tests/signatures.rs", 1, "a grammar"),
];

/// Blocks that are not run may be this many in all: a new one needs a good reason.
const NOT_COMPARED: usize = 16;

pub(super) fn is_elsewhere(fence: &Fence) -> bool {
    ELSEWHERE.iter().any(|(page, kind, ..)| *page == fence.page && *kind == fence.kind)
}

#[test]
fn what_is_not_run_here_is_listed_and_counted() {
    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    for fence in fences::all().unwrap().iter().filter(|fence| fence.kind == "text" || is_elsewhere(fence)) {
        *found.entry((fence.page.clone(), fence.kind.clone())).or_default() += 1;
    }
    let elsewhere = ELSEWHERE.map(|(page, kind, count, _)| ((page.to_owned(), kind.to_owned()), count));
    let texts = TEXTS.map(|(page, compared, _, not, _)| ((page.to_owned(), "text".to_owned()), compared + not));
    let listed: BTreeMap<(String, String), usize> = elsewhere.into_iter().chain(texts).collect();
    assert_eq!(found, listed, "run the new example, or list it here with the reason");
    assert_eq!(TEXTS.iter().map(|(_, _, _, not, _)| not).sum::<usize>(), NOT_COMPARED);
    assert!(TEXTS.iter().all(|(_, compared, place, not, why)| (*compared == 0) == place.is_empty() && (*not == 0) == why.is_empty()));
}
