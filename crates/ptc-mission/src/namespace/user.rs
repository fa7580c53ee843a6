//! The `user/` section: what earlier turns defined.

use ptc_lisp::{Memory, MemoryEntry, Value};

use super::SampleLimits;
use crate::apart::{is_one_line, is_plain_name, line};
use crate::section::{USER_HEADER, pad, padded_size, section};

/// The definitions: functions first, then values, each in order of their names. `samples` is `None` when something was
/// printed, for then the model has seen what it wanted to see.
pub fn user_section(memory: &Memory, samples: Option<SampleLimits>) -> Option<String> {
    section(USER_HEADER, sorted(memory).into_iter().map(|entry| entry_line(entry, samples)))
}

/// The definitions as [`user_section`] orders them, with nothing but their types.
pub fn user_types_section(memory: &Memory) -> Option<String> {
    section(USER_HEADER, sorted(memory).into_iter().map(type_line))
}

fn type_line(entry: &MemoryEntry) -> String {
    match &entry.params {
        Some(_) => entry_line(&MemoryEntry { doc: None, ..entry.clone() }, None),
        None => line(format!("{}; = {}", pad(&entry.name), entry.label)),
    }
}

/// Functions first, then values, each in order of their names.
fn sorted(memory: &Memory) -> Vec<&MemoryEntry> {
    let mut entries: Vec<&MemoryEntry> = memory.entries().iter().collect();
    entries.sort_by(|a, b| b.is_function().cmp(&a.is_function()).then_with(|| a.name.cmp(&b.name)));
    entries
}

/// The line of one definition.
pub fn entry_line(entry: &MemoryEntry, samples: Option<SampleLimits>) -> String {
    line(match &entry.params {
        Some(params) => function_line(entry, params),
        None => value_line(entry, samples),
    })
}

/// The bytes of the line of a definition; nothing is written but samples.
pub fn entry_size(entry: &MemoryEntry, samples: Option<SampleLimits>) -> usize {
    let MemoryEntry { name, label, doc, returns, .. } = entry;
    let returned = returns.as_deref().unwrap_or_default();
    if !is_plain_name(name) || !is_one_line(label) || !is_one_line(returned) {
        return entry_line(entry, samples).len();
    }
    match &entry.params {
        Some(params) if is_one_line(params) && doc.as_deref().is_none_or(str::is_empty) => {
            name.len() + params.len() + "( [])".len() + returns.as_ref().map_or(0, |label| label.len() + " -> ".len())
        }
        None if entry.is_hidden() || samples.is_none() || is_nothing(&entry.value) => {
            padded_size(name) + "; = ".len() + label.len() + if entry.is_hidden() { ", [Hidden]".len() } else { 0 }
        }
        _ => entry_line(entry, samples).len(),
    }
}

fn function_line(entry: &MemoryEntry, params: &str) -> String {
    let head = format!("({} [{params}])", entry.name);
    let returns = entry.returns.as_ref().map(|label| format!(" -> {label}")).unwrap_or_default();
    match entry.doc.as_deref() {
        Some(doc) if !doc.is_empty() => format!("{}; \"{doc}\"{returns}", pad(&head)),
        _ => head + &returns,
    }
}

fn value_line(entry: &MemoryEntry, samples: Option<SampleLimits>) -> String {
    let left = format!("{}; = {}", pad(&entry.name), entry.label);
    match samples {
        _ if entry.is_hidden() => left + ", [Hidden]",
        Some(limits) if !is_nothing(&entry.value) => {
            format!("{left}, sample: {}", limits.sample(&entry.value))
        }
        _ => left,
    }
}

/// Nil and empty collections, of which the label says everything.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Nil => true,
        Value::Vector(items) => items.is_empty(),
        Value::Set(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    }
}
