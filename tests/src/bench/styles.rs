//! The same work in several styles, as models write it: no style may cost ten times as much as another.
//!
//! `tests/bench/styles` has one file for each piece of work. A line `;; name` begins a style; all styles of a file
//! have the same answer.

#[cfg(test)]
mod tests;

use ptc_lisp::{Map, Value};
use serde_json::json;

use super::data;

/// One piece of work in one style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The piece of work.
    pub work: &'static str,
    /// The style.
    pub name: &'static str,
    /// Its program.
    pub source: &'static str,
}

macro_rules! works {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../bench/styles/", $name, ".clj")))),*]
    };
}

const WORKS: &[(&str, &str)] = works!(
    "append" "characters" "distinct" "drain" "endless" "first-match" "index" "join" "log" "nested" "output" "pipeline" "queue" "reverse"
    "sorted" "states" "totals" "unicode" "windows"
);

/// All styles, grouped by piece of work.
pub fn styles() -> impl Iterator<Item = Style> {
    WORKS.iter().flat_map(|(work, text)| {
        // The first part describes the work.
        let parts = text.split("\n;; ").skip(1);
        parts.filter_map(|part| part.split_once('\n').map(|(name, source)| Style { work, name, source: source.trim() }))
    })
}

/// The style called `work/name`.
#[must_use]
pub fn style(id: &str) -> Option<Style> {
    let (work, name) = id.split_once('/')?;
    styles().find(|style| style.work == work && style.name == name)
}

/// The data under `data/` for every style: orders, words, numbers and lines, this many of each, and texts of as many
/// characters.
#[must_use]
pub fn data(size: u64) -> Map {
    let orders: Vec<_> = data::orders(size).collect();
    let numbers: Vec<u64> = (0..size).map(|id| id * 7_919 % 100_003).collect();
    let words: Vec<String> = numbers.iter().map(|number| format!("w{}", number % (size / 2 + 1))).collect();
    let line = |id: u64| format!("2024-01-{:02} user=u{} ms={}", id % 28 + 1, id % 97, id * 37 % 500);
    let lines: Vec<String> = (0..size).map(line).collect();
    // Two in five are the first letter.
    let letters = |letters: &str| letters.chars().cycle().take(size as usize).collect::<String>();
    let (text, unicode) = (letters("eaet "), letters("éжét "));
    let ids: Vec<u64> = (0..size).collect();
    let data = json!({
        "orders": orders, "words": words, "nums": numbers, "ids": ids, "lines": lines, "text": text, "unicode": unicode, "n": size
    });
    match Value::from_json(data) {
        Value::Map(map) => map,
        _ => Map::new(),
    }
}
