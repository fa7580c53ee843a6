use serde_json::json;

use super::*;
use crate::sample_runs::memory;

#[test]
fn what_is_listed_as_it_was_is_not_listed_again() {
    let entry = |order: u64, returns: Option<&str>, value: i64| MemoryEntry {
        order,
        returns: returns.map(str::to_owned),
        ..memory(&[("a", json!(value))]).entries()[0].clone()
    };
    let one = |entry: MemoryEntry| Memory::new(vec![entry]);
    let names = |now: &Memory, known: &Memory, samples: bool| changed(now, known, samples).count();
    let known = one(entry(1, None, 1));
    assert_eq!(names(&known, &known, true), 0);
    // Made anew: only a sample would show it.
    assert_eq!([false, true].map(|samples| names(&one(entry(2, None, 2)), &known, samples)), [0, 1]);
    // It has returned something since.
    assert_eq!([false, true].map(|samples| names(&one(entry(1, Some("integer"), 1)), &known, samples)), [1, 1]);
    assert_eq!(names(&known, &Memory::default(), false), 1);
}
