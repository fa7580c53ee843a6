use std::path::Path;

use super::crate_pages::markdown;
use super::errors::{ADVICE, codes};
use super::readme::between_markers;
use super::{compare, first_difference, shown, write_file};
use crate::Workspace;

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
    assert!(compare(&workspace, path, "one\n", "cargo xtask codegen").unwrap().text.contains("missing"));
    write_file(&folder.path().join(path), "one\n").unwrap();
    assert_eq!(compare(&workspace, path, "one\n", "cargo xtask codegen"), None);
    let stale = compare(&workspace, path, "one\ntwo\n", "cargo xtask codegen").unwrap();
    assert_eq!((stale.line, stale.path.as_path()), (2, path));
    assert!(stale.text.contains("cargo xtask codegen"));
}

#[test]
fn the_listing_replaces_only_what_is_between_the_markers() {
    let readme = "# T\n\n<!-- example:begin -->\nold\n<!-- example:end -->\n\nrest\n";
    let new = between_markers(readme, "new\n");
    assert_eq!(new, "# T\n\n<!-- example:begin -->\nnew\n<!-- example:end -->\n\nrest\n");
    assert_eq!(between_markers(&new, "new\n"), new);
    assert_eq!(between_markers("# T\n", "new\n"), "# T\n\n<!-- example:begin -->\nnew\n<!-- example:end -->\n");
}

#[test]
fn every_code_of_a_run_has_advice_and_no_other() {
    let source = include_str!("../../../crates/ptc-transcript/src/fail.rs");
    let mut codes: Vec<String> = codes(source, "fail_reasons! {").into_iter().map(|code| code.name).collect();
    let mut advised: Vec<&str> = ADVICE.iter().map(|(code, _)| *code).collect();
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
fn the_readme_names_every_example_of_the_library() {
    let readme = include_str!("../../../README.md");
    let names = std::fs::read_dir("../crates/ptc-runner/examples").unwrap().map(|entry| entry.unwrap().path());
    let missing: Vec<String> = names
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| !readme.contains(&format!("| `{name}` |")))
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
