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
mod tests;
