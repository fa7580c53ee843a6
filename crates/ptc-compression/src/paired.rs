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
mod tests {
    use proptest::prelude::*;
    use ptc_lisp::{Memory, MemoryEntry};
    use serde_json::json;

    use super::paired;
    use crate::sample_runs::define;

    /// Names of one letter, distinguished by their orders.
    fn memory(names: &[char], order: u64) -> Memory {
        let mut known: Vec<char> = Vec::new();
        let fresh = names.iter().filter(|name| {
            !known.contains(name) && {
                known.push(**name);
                true
            }
        });
        Memory::new(fresh.map(|name| MemoryEntry { order, ..define(&name.to_string(), json!(order)) }).collect())
    }

    proptest! {
        #[test]
        fn each_name_finds_its_own(now in prop::collection::vec(prop::char::range('a', 'h'), 0..8), before in prop::collection::vec(prop::char::range('a', 'h'), 0..8)) {
            let (now, before) = (memory(&now, 2), memory(&before, 1));
            let found: Vec<(&str, Option<&str>)> =
                paired(&now, &before).map(|(entry, known)| (entry.name.as_str(), known.map(|known| known.name.as_str()))).collect();
            let looked_up: Vec<(&str, Option<&str>)> =
                now.entries().iter().map(|entry| (entry.name.as_str(), before.get(&entry.name).map(|known| known.name.as_str()))).collect();
            prop_assert_eq!(found, looked_up);
            let all_are_old = paired(&now, &before).all(|(_, known)| known.is_none_or(|known| known.order == 1));
            prop_assert!(all_are_old);
        }
    }
}
