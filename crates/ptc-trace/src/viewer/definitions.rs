//! Definitions, and how a turn changed them.

use ptc_lisp::text::{FormatOptions, format_with, shortened_counted};
use ptc_lisp::{Memory, MemoryEntry, ShownNames};
use serde::Serialize;

/// Elements of each collection, and characters, of a definition kept in a document.
const MOST: (usize, usize) = (30, 4_000);

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DefinitionView {
    /// Its name.
    pub name: String,
    /// Parameters of a function, as shown between brackets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<String>,
    /// Docstring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The type of the value; for a function, of its last result.
    pub label: String,
    /// The value, with counts of what is left out; `None` for functions and for values that models must not see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Running number of the latest definition, which distinguishes definitions of equal text.
    #[serde(skip)]
    order: u64,
}

/// The definitions after a turn, as the difference from those before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DefinitionsView {
    /// New or changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<DefinitionView>,
    /// Removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
}

impl DefinitionView {
    fn of(entry: &MemoryEntry, shown: &ShownNames) -> DefinitionView {
        let label = entry.returns.as_ref().filter(|_| entry.is_function()).unwrap_or(&entry.label);
        DefinitionView {
            name: entry.name.clone(),
            params: entry.params.clone(),
            doc: entry.doc.clone(),
            label: label.clone(),
            text: (!entry.is_function() && !entry.is_hidden()).then(|| value(entry, shown)),
            order: entry.order,
        }
    }
}

/// All definitions.
pub(super) fn all(memory: &Memory) -> Vec<DefinitionView> {
    memory.entries().iter().map(|entry| DefinitionView::of(entry, memory.shown_names())).collect()
}

/// What differs between these definitions.
pub(super) fn between(before: &[DefinitionView], after: &[DefinitionView]) -> DefinitionsView {
    let known: std::collections::HashMap<&str, &DefinitionView> =
        before.iter().map(|one| (one.name.as_str(), one)).collect();
    let names: std::collections::HashSet<&str> = after.iter().map(|one| one.name.as_str()).collect();
    DefinitionsView {
        set: after.iter().filter(|one| known.get(one.name.as_str()) != Some(one)).cloned().collect(),
        gone: before.iter().map(|one| &one.name).filter(|name| !names.contains(name.as_str())).cloned().collect(),
    }
}

fn value(entry: &MemoryEntry, shown: &ShownNames) -> String {
    let (limit, most) = MOST;
    let options = FormatOptions { limit: Some(limit), ..FormatOptions::printed() };
    shortened_counted(&format_with(&entry.value, &options, shown).text, most).into_owned()
}
