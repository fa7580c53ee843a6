//! Which definitions must be listed again.

use ptc_lisp::{Memory, MemoryEntry, Value};

use crate::paired::paired;

/// The definitions that `line` writes differently than for `known`: new ones, those of another shape, and where a line
/// shows values, those of another value. A function that was only called is none of them, although what is known of its
/// results may have changed. Cost: linear in the definitions; lines are written only for those that may
/// differ.
pub(crate) fn changed<'m>(
    now: &'m Memory,
    known: &'m Memory,
    line: impl Fn(&MemoryEntry) -> String,
) -> impl Iterator<Item = &'m MemoryEntry> {
    let is_listed = move |entry: &MemoryEntry, listed: &MemoryEntry| {
        if entry.is_function() && listed.is_function() && entry.order == listed.order {
            return true;
        }
        let shape = (&entry.label, &entry.returns, &entry.params, &entry.doc);
        let has_same_shape = shape == (&listed.label, &listed.returns, &listed.params, &listed.doc);
        (has_same_shape && is_known_to_be_equal(&entry.value, &listed.value)) || line(entry) == line(listed)
    };
    paired(now, known)
        .filter(move |(entry, listed)| !listed.is_some_and(|listed| is_listed(entry, listed)))
        .map(|(entry, _)| entry)
}

/// Determined without writing anything, so that almost no lines are written just for comparison.
fn is_known_to_be_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => one == other,
        (Value::Bool(one), Value::Bool(other)) => one == other,
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (Value::Str(one), Value::Str(other)) => one == other,
        _ => one.address().is_some() && one.address() == other.address(),
    }
}

#[cfg(test)]
mod tests {
    use crate::words::{SampleLimits, entry_line};
    use serde_json::json;

    use super::*;
    use crate::sample_runs::{define, memory};

    #[test]
    fn what_is_listed_as_it_was_is_not_listed_again() {
        let entry = |order: u64, returns: Option<&str>, value: i64| MemoryEntry {
            order,
            returns: returns.map(str::to_owned),
            ..memory(&[("a", json!(value))]).entries()[0].clone()
        };
        let one = |entry: MemoryEntry| Memory::new(vec![entry]);
        let known = one(entry(1, None, 1));
        let names = |now: &Memory, known: &Memory| {
            [None, Some(SampleLimits::default())]
                .map(|samples| changed(now, known, |entry| entry_line(entry, samples, now.shown_names())).count())
        };
        assert_eq!(names(&known, &known), [0, 0]);
        // Another value of the same type, from a new definition or in an atom: only a sample shows it.
        assert_eq!(names(&one(entry(2, None, 2)), &known), [0, 1]);
        assert_eq!(names(&one(entry(1, None, 2)), &known), [0, 1]);
        assert_eq!(names(&one(entry(2, None, 1)), &known), [0, 0]);
        let returned = |value: i64| MemoryEntry { params: Some("x".to_owned()), ..entry(1, Some("integer"), value) };
        assert_eq!(names(&one(returned(1)), &known), [1, 1]);
        assert_eq!(names(&known, &Memory::default()), [1, 1]);
    }

    #[test]
    fn names_that_were_defined_again_in_another_order_are_known() {
        let entry = |name: &str, order: u64, value: serde_json::Value| MemoryEntry { order, ..define(name, value) };
        let known = Memory::new(vec![entry("a", 1, json!(1)), entry("b", 2, json!(2)), entry("c", 3, json!(3))]);
        let now = Memory::new(vec![
            entry("b", 2, json!(2)),
            entry("c", 4, json!([3])),
            entry("a", 5, json!(5)),
            entry("d", 6, json!(6)),
        ]);
        let names: Vec<&str> = changed(&now, &known, |entry| entry_line(entry, None, now.shown_names()))
            .map(|entry| entry.name.as_str())
            .collect();
        assert_eq!(names, ["c", "d"]);
    }
}
