//! The `user/` section: what earlier turns defined.

use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Memory, MemoryEntry, ShownNames, Value};

use super::SampleLimits;
use super::hidden::hidden_note;
use crate::words::apart::line;
use crate::words::section::{USER_HEADER, pad, section};

/// The definitions: functions first, then values, each in order of their names. `samples` is `None` when something was
/// printed, because then the model has seen what it wanted to see.
pub fn user_section(memory: &Memory, samples: Option<SampleLimits>) -> Option<String> {
    definitions_section(USER_HEADER, memory.entries(), |entry| entry_line(entry, samples, memory.shown_names()))
}

/// These definitions below a header, in the order of [`user_section`], each as `text` writes it.
pub fn definitions_section<'m>(
    header: &str,
    entries: impl IntoIterator<Item = &'m MemoryEntry>,
    text: impl Fn(&MemoryEntry) -> String,
) -> Option<String> {
    section(header, sorted(entries).into_iter().map(|entry| line(text(entry))))
}

/// The definitions as [`user_section`] orders them, with nothing but their types.
pub fn user_types_section(memory: &Memory) -> Option<String> {
    definitions_section(USER_HEADER, memory.entries(), type_line)
}

fn type_line(entry: &MemoryEntry) -> String {
    match &entry.params {
        Some(params) => function_line(&MemoryEntry { doc: None, ..entry.clone() }, params),
        None => format!("{}; = {}", pad(&entry.name), entry.label),
    }
}

/// Functions first, then values, each in order of their names.
fn sorted<'m>(entries: impl IntoIterator<Item = &'m MemoryEntry>) -> Vec<&'m MemoryEntry> {
    let mut entries: Vec<&MemoryEntry> = entries.into_iter().collect();
    entries.sort_by(|a, b| b.is_function().cmp(&a.is_function()).then_with(|| a.name.cmp(&b.name)));
    entries
}

/// The text of one definition, to be a line of [`definitions_section`].
pub fn entry_line(entry: &MemoryEntry, samples: Option<SampleLimits>, shown: &ShownNames) -> String {
    match &entry.params {
        Some(params) => function_line(entry, params),
        None => value_line(entry, samples, shown),
    }
}

fn function_line(entry: &MemoryEntry, params: &str) -> String {
    let head = format!("({} [{params}])", entry.name);
    let returns = entry.returns.as_ref().map(|label| format!(" -> {label}")).unwrap_or_default();
    match docstring(entry) {
        Some(doc) => format!("{}; {doc}{returns}", pad(&head)),
        None => head + &returns,
    }
}

fn value_line(entry: &MemoryEntry, samples: Option<SampleLimits>, shown: &ShownNames) -> String {
    let doc = docstring(entry).map(|doc| doc + " ").unwrap_or_default();
    let left = format!("{}; {doc}= {}", pad(&entry.name), entry.label);
    match samples {
        _ if entry.is_hidden() => left + ", [Hidden]",
        Some(limits) if !is_nothing(&entry.value) => {
            format!("{left}, sample: {}{}", limits.sample(&entry.value, shown), hidden_note(&entry.value, shown))
        }
        _ => left + &hidden_note(&entry.value, shown),
    }
}

/// The docstring of a definition as a string is written; `None` without one.
pub fn docstring(entry: &MemoryEntry) -> Option<String> {
    let doc = entry.doc.as_deref().filter(|doc| !doc.is_empty())?;
    Some(format(&Value::string(doc), &FormatOptions::full()).text)
}

/// Nil and empty collections: their label says everything.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Nil => true,
        Value::Vector(items) => items.is_empty(),
        Value::Set(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    }
}
