//! Keeps hidden values out of requests: strings held under names with `_` become `[hidden]`.

mod patterns;

use std::borrow::Cow;
use std::collections::HashSet;

use ptc_chat::Message;
use ptc_lisp::{FormatOptions, Map, Memory, Value, format};
use ptc_transcript::Turn;

use patterns::Patterns;

/// Strings with fewer characters are not searched for: they would hit ordinary words.
const MIN_CHARACTERS: usize = 8;

/// Knows the hidden strings of a run and replaces them in what is sent.
///
/// Hidden are strings of 8 or more characters at any depth below a key or a definition whose name starts with `_`, as
/// they are and as the formatter escapes them, also when the formatter cut them. Once hidden, a string stays so.
///
/// Stable parts are searched only for what was hidden when the run began, so that they stay the same in every request.
#[derive(Debug, Clone)]
pub struct Redactor {
    /// Kept so that the addresses in `seen` stay taken.
    _data: Map,
    seen: Nodes,
    at_start: Patterns,
    all: Patterns,
}

/// A collection by the address of its first element, and whether it was reached below a hidden name.
type Node = (usize, bool);
/// Addresses need no hash that resists attacks, and every turn looks at every definition.
type Nodes = HashSet<Node, foldhash::fast::RandomState>;

impl Redactor {
    /// For a run with this data and these definitions. Cost: linear in both.
    pub fn new(data: &Map, memory: &Memory) -> Self {
        let mut redactor =
            Redactor { _data: data.clone(), seen: Nodes::default(), at_start: Patterns::default(), all: Patterns::default() };
        let mut walk = Walk { known: &Nodes::default(), seen: Nodes::default(), found: &mut redactor.at_start };
        walk.entries(data, false);
        let seen = walk.seen;
        redactor.seen = seen;
        add_memory(&redactor.seen, memory, &mut redactor.at_start);
        redactor.all = redactor.at_start.clone();
        redactor
    }

    /// Learn from a turn: its definitions and the answers of its tools. Cost: linear in them, `data/` excepted.
    pub fn observe(&mut self, turn: &Turn) {
        add_memory(&self.seen, turn.memory(), &mut self.all);
        for call in turn.tool_calls() {
            let mut walk = Walk { known: &self.seen, seen: Nodes::default(), found: &mut self.all };
            walk.value(&call.result, false);
        }
    }

    /// The text with every hidden string replaced; borrowed when there is none.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.all.replace(text)
    }

    /// Replace hidden strings in all parts of the messages of a request.
    pub fn redact_messages(&self, messages: &mut [Message]) {
        for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
            let patterns = if part.stable { &self.at_start } else { &self.all };
            if let Cow::Owned(redacted) = patterns.replace(&part.text) {
                part.text = redacted;
            }
        }
    }
}

fn add_memory(known: &Nodes, memory: &Memory, found: &mut Patterns) {
    let mut walk = Walk { known, seen: Nodes::default(), found };
    for entry in memory.entries() {
        walk.value(&entry.value, entry.is_hidden());
    }
}

/// Visits every collection at most twice (hidden or not), so that shared parts cost nothing; never recurses.
struct Walk<'a> {
    known: &'a Nodes,
    seen: Nodes,
    found: &'a mut Patterns,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value, hidden: bool) {
        let mut stack = vec![(value, hidden)];
        while let Some((value, hidden)) = stack.pop() {
            match value {
                Value::Str(text) if hidden => self.hide(text.as_str()),
                Value::Uuid(text) if hidden => self.hide(text.as_str()),
                Value::Vector(items) if self.is_new(items.iter().next(), hidden) => {
                    stack.extend(items.iter().map(|item| (item, hidden)));
                }
                Value::Set(items) if self.is_new(items.iter().next(), hidden) => {
                    stack.extend(items.iter().map(|item| (item, hidden)));
                }
                Value::Map(map) if self.is_new(map.iter().next().map(|(_, item)| item), hidden) => {
                    for (key, item) in map {
                        stack.push((item, hidden || is_hidden_key(key)));
                        if hidden {
                            stack.push((key, true));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn entries(&mut self, map: &Map, hidden: bool) {
        for (key, item) in map {
            self.value(item, hidden || is_hidden_key(key));
        }
    }

    /// Whether the collection with this first element is to be visited.
    fn is_new(&mut self, first: Option<&Value>, hidden: bool) -> bool {
        first.is_some_and(|first| {
            let node = (std::ptr::from_ref(first) as usize, hidden);
            !self.known.contains(&node) && self.seen.insert(node)
        })
    }

    /// Take a string as it is and as the formatter writes it between quotes.
    fn hide(&mut self, text: &str) {
        if text.chars().nth(MIN_CHARACTERS - 1).is_none() {
            return;
        }
        let shown = format(&Value::string(text), &FormatOptions::full()).text;
        let escaped = shown.get(1..shown.len().saturating_sub(1)).unwrap_or_default();
        self.found.insert(text);
        self.found.insert(escaped);
    }
}

fn is_hidden_key(key: &Value) -> bool {
    match key {
        Value::Keyword(name) | Value::Symbol(name) => name.is_hidden(),
        Value::Str(text) => text.as_str().starts_with('_'),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
