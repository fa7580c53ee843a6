//! Definitions of two moments, paired by name.

use std::collections::HashMap;

use ptc_lisp::{Memory, MemoryEntry};

/// Each definition of `now` with the one that `before` had under its name. Both are in order of definition, so
/// definitions that were not redefined are in the same order. Cost: linear.
pub(crate) fn paired<'m>(
    now: &'m Memory,
    before: &'m Memory,
) -> impl Iterator<Item = (&'m MemoryEntry, Option<&'m MemoryEntry>)> {
    let mut ahead = before.entries();
    // Those that were passed: they come later, or are missing.
    let mut passed: HashMap<&str, &MemoryEntry> = HashMap::new();
    now.entries().iter().map(move |entry| {
        let name = entry.name.as_str();
        let is_next = ahead.first().is_some_and(|known| known.name == name);
        if !is_next && let Some(known) = passed.get(name) {
            return (entry, Some(*known));
        }
        let place = ahead.iter().position(|known| known.name == name);
        let (skipped, rest) = ahead.split_at(place.unwrap_or(ahead.len()));
        passed.extend(skipped.iter().map(|known| (known.name.as_str(), known)));
        let known = rest.first();
        ahead = rest.get(1..).unwrap_or_default();
        (entry, known)
    })
}

#[cfg(test)]
mod tests;
