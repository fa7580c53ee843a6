//! The names that a program can use, for completion, colours and hints.

#[cfg(test)]
pub(super) mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use ptc_runner::lisp::text::escaped;
use ptc_runner::lisp::values::{key_name, type_of};
use ptc_runner::lisp::{Memory, ReferenceKind, ToolSpec, Value, reference};

/// Elements of lists that are searched for keywords, at each level.
const ROWS: usize = 3;
/// Levels of data that are searched for keywords.
const LEVELS: usize = 6;
/// Maximum number of keywords.
const MAX_KEYWORDS: usize = 2_000;

/// What a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A form or macro of the language.
    Form,
    /// A function or constant of the language.
    Builtin,
    Tool,
    Data,
    Definition,
}

/// A name and how it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) kind: NameKind,
    /// `(map f & colls)`, `tool/price (nights :int) -> :int`, or the type of data; empty where nothing is known.
    pub(super) usage: String,
}

/// All names; those of the language are added first, once.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    names: BTreeMap<String, Named>,
    keywords: BTreeSet<String>,
}

impl Names {
    /// The names of the language, of earlier values, of these tools and of this data.
    pub(super) fn new(tools: &[ToolSpec], data: &[(String, Value)]) -> Names {
        let mut names = Names::default();
        for entry in reference() {
            let kind = match entry.kind {
                ReferenceKind::Function | ReferenceKind::Constant => NameKind::Builtin,
                _ => NameKind::Form,
            };
            let usage = if entry.kind == ReferenceKind::Constant { String::new() } else { entry.calls.join("  ") };
            let bare = entry.name.rsplit_once('/').map_or(entry.name, |(_, bare)| bare);
            let elsewhere = entry.namespaces.iter().filter(|alias| **alias != "core");
            for name in elsewhere.map(|alias| format!("{alias}/{bare}")).chain([entry.name.to_owned()]) {
                names.names.entry(name).or_insert(Named { kind, usage: usage.clone() });
            }
        }
        for left in ["*1", "*2", "*3", "*e"] {
            names.names.insert(left.to_owned(), Named { kind: NameKind::Builtin, usage: String::new() });
        }
        for tool in tools {
            let signature = tool.signature.as_ref().map(|signature| format!(" {signature}")).unwrap_or_default();
            let usage = format!("tool/{}{signature}", tool.name);
            names.names.insert(format!("tool/{}", tool.name), Named { kind: NameKind::Tool, usage });
        }
        // Names that would act on a terminal are not completed.
        for (name, value) in data.iter().filter(|(name, _)| escaped(name) == *name) {
            names.names.insert(format!("data/{name}"), Named { kind: NameKind::Data, usage: type_of(value) });
            names.take_keywords(value, LEVELS);
        }
        names
    }

    /// The definitions, replacing those known before.
    pub(super) fn define(&mut self, memory: &Memory) {
        self.names.retain(|_, named| named.kind != NameKind::Definition);
        for entry in memory.entries() {
            let usage = match &entry.params {
                Some(params) => {
                    params.split("] [").map(|params| call(&entry.name, params)).collect::<Vec<_>>().join("  ")
                }
                None => entry.label.clone(),
            };
            self.names.insert(entry.name.clone(), Named { kind: NameKind::Definition, usage });
            self.take_keywords(&entry.value, LEVELS);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Named> {
        self.names.get(name)
    }

    /// All of them, sorted.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// The names with this prefix, sorted. Without a prefix, those of the language are left out: there are hundreds.
    pub(super) fn beginning(&self, prefix: &str) -> Vec<String> {
        let of_language = |named: &Named| matches!(named.kind, NameKind::Form | NameKind::Builtin);
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let found = self.names.range::<str, _>(from).take_while(|(name, _)| name.starts_with(prefix));
        found.filter(|(_, named)| !prefix.is_empty() || !of_language(named)).map(|(name, _)| name.clone()).collect()
    }

    /// The keywords with this prefix, sorted; `prefix` includes its colon.
    pub(super) fn keywords_beginning(&self, prefix: &str) -> Vec<String> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        self.keywords.range::<str, _>(from).take_while(|word| word.starts_with(prefix)).cloned().collect()
    }

    /// Note the keys of maps, which programs write as keywords.
    fn take_keywords(&mut self, value: &Value, levels: usize) {
        if levels == 0 || self.keywords.len() >= MAX_KEYWORDS {
            return;
        }
        match value {
            Value::Vector(items) => items.iter().take(ROWS).for_each(|item| self.take_keywords(item, levels - 1)),
            Value::Map(map) => {
                for (key, value) in map.iter().take(MAX_KEYWORDS) {
                    if let Some(name) = key_name(key).filter(|name| is_word(name)) {
                        self.keywords.insert(format!(":{name}"));
                    }
                    self.take_keywords(value, levels - 1);
                }
            }
            _ => {}
        }
    }
}

/// `(area w h)`
fn call(name: &str, params: &str) -> String {
    if params.is_empty() { format!("({name})") } else { format!("({name} {params})") }
}

/// Whether a key reads as a keyword.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!' | '.'))
}
