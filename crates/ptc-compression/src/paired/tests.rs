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
