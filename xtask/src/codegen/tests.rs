use std::path::Path;

use super::errors::{advised, codes};
use super::readmes::{between_markers, markdown};
use super::requirements::{judge, page};
use super::{first_difference, shown, write_file, write_or_check};
use crate::Workspace;
use crate::sources::Sources;

#[test]
fn equal_texts_have_no_difference() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(first_difference("", ""), None);
}

#[test]
fn the_first_differing_line_is_named() {
    assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some((2, Some("b\n"), Some("c\n"))));
    assert_eq!(first_difference("a\n", "a\nb\n"), Some((2, None, Some("b\n"))));
    assert_eq!(first_difference("a\n", "a"), Some((1, Some("a\n"), Some("a"))));
    assert_eq!(first_difference("a\n", "a\r\n"), Some((1, Some("a\n"), Some("a\r\n"))));
}

#[test]
fn long_lines_are_cut_in_messages() {
    assert_eq!(shown(Some("ab\n")), "ab\\n");
    assert_eq!(shown(Some(&"x".repeat(121))).chars().count(), 121);
    assert_eq!(shown(None), "(end of file)");
}

#[test]
fn a_check_tells_missing_from_stale() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::at(folder.path());
    let path = Path::new("docs/list.md");
    let check = |text: &str, check| {
        write_or_check(&workspace, vec![(path.to_path_buf(), text.to_owned())], check, "cargo xtask codegen").unwrap()
    };
    assert!(check("one\n", true)[0].text.contains("missing"));
    assert_eq!(check("one\n", false), []);
    assert_eq!(check("one\n", true), []);
    let stale = check("one\ntwo\n", true).remove(0);
    assert_eq!((stale.line, stale.path.as_path()), (2, path));
    assert!(stale.text.contains("cargo xtask codegen"));
}

#[test]
fn the_listing_replaces_only_what_is_between_the_markers() {
    let readme = "# T\n\n<!-- example:begin -->\nold\n<!-- example:end -->\n\nrest\n";
    let new = between_markers(readme, "example", "new\n");
    assert_eq!(new, "# T\n\n<!-- example:begin -->\nnew\n<!-- example:end -->\n\nrest\n");
    assert_eq!(between_markers(&new, "example", "new\n"), new);
    assert_eq!(
        between_markers("# T\n", "example", "new\n"),
        "# T\n\n<!-- example:begin -->\nnew\n<!-- example:end -->\n"
    );
}

#[test]
fn every_code_of_a_run_has_advice_and_no_other() {
    let source = include_str!("../../../crates/ptc-transcript/src/fail.rs");
    let mut codes: Vec<String> = codes(source, "fail_reasons! {").into_iter().map(|code| code.name).collect();
    let mut advised: Vec<&str> = advised().map(|(code, _)| code).collect();
    codes.sort();
    advised.sort_unstable();
    assert_eq!(codes, advised);
}

#[test]
fn codes_are_names_in_quotes_or_those_of_the_variants() {
    let source = "list {\n/// One\n/// line | more.\nA = \"a-b\",\n/// Two.\nOutOf {\n/// Inner.\nused: usize,\n},\n/// Three.\nLast,\n}\nB,";
    let found: Vec<String> =
        codes(source, "list {").into_iter().map(|code| format!("{}: {}", code.name, code.doc)).collect();
    assert_eq!(found, ["a-b: One line \\| more.", "out_of: Two.", "last: Three."]);
}

#[test]
fn the_page_names_every_example_of_the_library() {
    let page = include_str!("../../../docs/guide/embedding.md");
    let names = std::fs::read_dir("../crates/ptc-runner/examples").unwrap().map(|entry| entry.unwrap().path());
    let missing: Vec<String> = names
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| !page.contains(&format!("| `{name}` |")))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_page_of_a_crate_is_readable_outside_of_its_documentation() {
    let source = "//! Runs [`Thing`]s, see [the book](https://example.org) and [`run`](fn@run) of [0].\n//!\n//! # Next\n//!\n//! ```\n//! # use a::Thing;\n//! #[derive(Debug)]\n//! #\n//! let x = [1];\n//! ```\n//!\n//! ```sh\n//! # stays a comment?\n//! ```\n\n//! not this\nmod a;\n";
    let page = markdown(source);
    assert_eq!(
        page,
        "Runs `Thing`s, see [the book](https://example.org) and `run` of [0].\n\n## Next\n\n```rust\n#[derive(Debug)]\nlet x = [1];\n```\n\n```sh\n# stays a comment?\n```"
    );
}

const LIST: &str = "# Promises\n\n## One\n\nA-B-1 is text.\nARC-001 It runs.\nARC-002 It ends.\n";

/// The sources of a crate `a` whose tests are these.
fn sources(tests: &str) -> Sources {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| write_file(&folder.path().join("a").join(path), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"a\"\n");
    write("src/lib.rs", &format!("#[cfg(test)]\nmod tests {{\n{tests}\n}}\n"));
    Sources::of(&Workspace::at(folder.path())).unwrap()
}

#[test]
fn requirements_have_the_names_of_their_tests() {
    let sources = sources(
        "/// Text.\n///\n/// Proves: ARC-002, ARC-001.\n#[test]\nfn it() { assert!(x) }\n/// Proves: ARC-002.\n#[test]\nfn too() { it() }",
    );
    assert_eq!(
        page(LIST, &sources),
        "# Promises\n\n## One\n\nA-B-1 is text.\n| ID | requirement | proved by |\n|---|---|---|\n| ARC-001 | It runs. | a: `it` |\n\
         | ARC-002 | It ends. | a: `it`, `too` |\n"
    );
    assert_eq!(judge(LIST, &sources), []);
}

#[test]
fn a_requirement_needs_a_test_that_can_fail_and_a_test_a_requirement() {
    let sources = sources(
        "/// Proves: ARC-009.\n#[test]\nfn it() { assert!(x) }\n/// Proves: ARC-001.\n#[test]\n#[ignore]\nfn skipped() { f() }",
    );
    let found: Vec<String> =
        judge(&format!("{LIST}ARC-001 Again.\n"), &sources).iter().map(ToString::to_string).collect();
    for part in
        ["ARC-001 twice", "ARC-002 has no test", "proves ARC-009, which", "is a proof and ignored", "asserts nothing"]
    {
        assert!(found.iter().any(|problem| problem.contains(part)), "{part}: {found:#?}");
    }
    assert_eq!(found.len(), 6, "{found:#?}");
}
