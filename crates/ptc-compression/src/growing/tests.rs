use ptc_transcript::TurnFields;
use serde_json::json;

use super::*;
use crate::sample_runs::{fields, memory};

#[test]
fn what_is_listed_as_it_was_is_not_listed_again() {
    let entry = |order: u64, returns: Option<&str>, value: i64| MemoryEntry {
        order,
        returns: returns.map(str::to_owned),
        ..memory(&[("a", json!(value))]).entries()[0].clone()
    };
    let one = |entry: MemoryEntry| Memory::new(vec![entry]);
    let known = one(entry(1, None, 1));
    let names =
        |now: &Memory, known: &Memory| [None, Some(Limits::default().samples())].map(|samples| changed(now, known, samples).count());
    assert_eq!(names(&known, &known), [0, 0]);
    // Another value of the same type, defined anew or in an atom: only a sample shows it.
    assert_eq!(names(&one(entry(2, None, 2)), &known), [0, 1]);
    assert_eq!(names(&one(entry(1, None, 2)), &known), [0, 1]);
    assert_eq!(names(&one(entry(2, None, 1)), &known), [0, 0]);
    let returned = |value: i64| MemoryEntry { params: Some("x".to_owned()), ..entry(1, Some("integer"), value) };
    assert_eq!(names(&one(returned(1)), &known), [1, 1]);
    assert_eq!(names(&known, &Memory::default()), [1, 1]);
}

#[test]
fn an_empty_print_is_shown_and_counted() {
    let mut growing = Growing::new(Limits::default(), Reports::Results(30));
    let turn = |number: usize, print: String| Turn::success(TurnFields { prints: vec![print], ..fields(number, "(go)") });
    growing.push(&turn(1, "x".repeat(1_200)));
    growing.push(&turn(2, String::new()));
    let stats = growing.stats("any", 2);
    assert_eq!((growing.grown().map(|grown| grown.since.len()), stats.printlns_shown), (Some(1), 2));
}
