//! The signatures on the reference page are read, and its mistakes get the messages that it lists.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use ptc_lisp::signature::{Signature, Type};

const PAGE: &str = include_str!("../../../docs/reference/signatures.md");

/// The rows of the table below this line, without its head: the cells of each.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let table = PAGE.split_once(heading).unwrap().1;
    let rows = table.lines().skip(1).skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn code(cell: &str) -> &str {
    cell.trim_matches('`')
}

#[test]
fn types_of_the_page_are_types() {
    let types = rows("## Types");
    assert!(types.len() > 10);
    for row in types {
        let text = code(row.first().unwrap());
        assert!(Type::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn the_first_example_is_a_signature() {
    let example = PAGE.split("```text\n").nth(1).unwrap().lines().next().unwrap();
    assert_eq!(Signature::parse(example).unwrap().params().len(), 2);
}

#[test]
fn slips_of_the_page_are_told_what_it_says() {
    let slips = rows("## When a signature cannot be read");
    assert!(slips.len() > 8);
    for row in slips {
        let [written, told] = row.as_slice() else { panic!("{row:?}") };
        let error = Signature::parse(code(written)).unwrap_err().to_string();
        assert!(error.contains(told.as_str()), "{written}: {error}");
    }
}
