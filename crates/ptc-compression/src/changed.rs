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
mod tests;
