//! The names of hidden keys inside a value, for the line that does not show them.

use std::collections::VecDeque;

use indexmap::IndexSet;
use ptc_lisp::text::escaped;
use ptc_lisp::values::key_name;
use ptc_lisp::{ShownNames, Value};

/// Values that are looked at, those nearest to the outside first.
const MAX_VALUES: usize = 1_000;

/// Names that a line mentions.
const MAX_NAMES: usize = 8;

/// ` (hidden: _id, _score)`: the keys inside a value that begin with `_`, except the shown ones; empty if there are
/// none.
///
/// Cost: at most that of 1,000 values.
pub fn hidden_note(value: &Value, shown: &ShownNames) -> String {
    let names = hidden_names(value, shown);
    if names.is_empty() {
        return String::new();
    }
    let listed: Vec<&str> = names.iter().take(MAX_NAMES).map(String::as_str).collect();
    let more = if names.len() > listed.len() { ", …" } else { "" };
    format!(" (hidden: {}{more})", escaped(&listed.join(", ")))
}

fn hidden_names(value: &Value, shown: &ShownNames) -> IndexSet<String> {
    let mut names = IndexSet::new();
    let mut waiting = VecDeque::from([value]);
    for _ in 0..MAX_VALUES {
        let Some(value) = waiting.pop_front().filter(|_| names.len() <= MAX_NAMES) else { break };
        let left = MAX_VALUES.saturating_sub(waiting.len());
        match value {
            Value::Vector(items) => waiting.extend(items.iter().take(left)),
            Value::Map(map) => {
                for (key, inner) in map.iter().take(left) {
                    match key_name(key).filter(|name| shown.hides(name)) {
                        Some(name) => drop(names.insert(name.to_owned())),
                        None => waiting.push_back(inner),
                    }
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use ptc_lisp::Value;
    use serde_json::json;

    use super::*;

    fn check(value: serde_json::Value) -> String {
        hidden_note(&Value::from_json(value), &["_shown"].into_iter().collect())
    }

    #[test]
    fn hidden_keys_are_named_once() {
        assert_eq!(check(json!({"a": 1, "b": [1, 2]})), "");
        assert_eq!(check(json!([{"_id": 1, "n": {"_score": 2}}, {"_id": 3}])), " (hidden: _id, _score)");
        // What a hidden value holds is not looked at; a shown one is.
        assert_eq!(check(json!({"_shown": {"_b": 1}})), " (hidden: _b)");
        assert_eq!(check(json!({"_a": {"_b": 1}})), " (hidden: _a)");
        assert_eq!(check(json!({"_a\n;; Output:": 1})), " (hidden: _a\\n;; Output:)");
    }

    #[test]
    fn of_many_names_the_first_are_shown() {
        let many = (0..20).map(|n| (format!("_k{n}"), json!(n))).collect::<serde_json::Map<_, _>>();
        assert_eq!(check(many.into()), " (hidden: _k0, _k1, _k2, _k3, _k4, _k5, _k6, _k7, …)");
    }

    #[test]
    fn large_values_are_looked_at_in_part() {
        let rows: Vec<_> = (0..5_000).map(|n| json!({"n": n})).chain([json!({"_late": 1})]).collect();
        assert_eq!(check(rows.into()), "");
    }
}
