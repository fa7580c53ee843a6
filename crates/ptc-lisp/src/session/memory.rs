//! Definitions at the end of a turn: a cheap snapshot that shares its values.

pub(crate) mod stored;

use std::sync::Arc;

use crate::session::fields::ShownNames;
use crate::value::Value;

/// The `user/` namespace at the end of a turn, in order of definition. Cloning is cheap: values are shared.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Snapshot>);

#[derive(Clone, Debug, Default)]
struct Snapshot {
    entries: Vec<MemoryEntry>,
    shown_names: ShownNames,
}

/// One definition.
#[derive(Clone, Debug)]
pub struct MemoryEntry {
    /// Its name.
    pub name: String,
    /// Its value; atoms, volatiles and delays are shown as what they hold.
    pub value: Value,
    /// Docstring, without semicolons and line breaks.
    pub doc: Option<String>,
    /// Label of what the function returned last, for example `list[3]`.
    pub returns: Option<String>,
    /// Parameters of a function as shown between brackets: `x & more`; for several arities `w] [w h`.
    pub params: Option<String>,
    /// Running number of the latest definition.
    pub order: u64,
    /// The type label of the value.
    pub label: String,
}

impl MemoryEntry {
    /// Whether it is a function with known parameters.
    #[must_use]
    pub fn is_function(&self) -> bool {
        self.params.is_some()
    }

    /// Whether the value is hidden from models: the name starts with `_`.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('_')
    }
}

impl Memory {
    /// Memory of these entries.
    #[must_use]
    pub fn new(entries: Vec<MemoryEntry>) -> Memory {
        Memory(Arc::new(Snapshot { entries, shown_names: ShownNames::default() }))
    }

    /// The same definitions, in a run whose model has seen these names.
    #[must_use]
    pub fn with_shown_names(mut self, shown_names: ShownNames) -> Memory {
        if self.0.shown_names != shown_names {
            Arc::make_mut(&mut self.0).shown_names = shown_names;
        }
        self
    }

    /// The names beginning with `_` that models have seen.
    #[must_use]
    pub fn shown_names(&self) -> &ShownNames {
        &self.0.shown_names
    }

    /// The same definitions with nil for each value: their labels say what the values were. Functions stay as they are.
    #[must_use]
    pub fn without_values(&self) -> Memory {
        let bare = |entry: &MemoryEntry| MemoryEntry {
            value: if entry.is_function() { entry.value.clone() } else { Value::Nil },
            ..entry.clone()
        };
        Memory::new(self.0.entries.iter().map(bare).collect()).with_shown_names(self.0.shown_names.clone())
    }

    /// The definitions in order.
    #[must_use]
    pub fn entries(&self) -> &[MemoryEntry] {
        &self.0.entries
    }

    /// The definition of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&MemoryEntry> {
        self.0.entries.iter().find(|entry| entry.name == name)
    }

    /// Whether nothing is defined.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }
}
