//! Keeps hidden values out of requests: strings held under hidden names become `[hidden]`.

mod patterns;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use crate::words::{error_text, print_text};
use ptc_chat::{Message, Part};
use ptc_lisp::text::{FormatOptions, format, one_line, printed};
use ptc_lisp::values::key_name;
use ptc_lisp::{Map, Memory, Value};
use ptc_transcript::Turn;

use crate::paired::paired;
use patterns::Patterns;

/// Strings with fewer characters are not searched for: they would hit ordinary words.
const MIN_CHARACTERS: usize = 8;

/// Knows the hidden strings of a run and replaces them in requests.
///
/// Strings of 8 or more characters are hidden at any depth below a key or a definition whose name starts with `_`:
/// unchanged, as the formatter escapes them, and as it cuts them. Once hidden, a string stays hidden. Fields that a tool
/// shows are not hidden, in its results and in definitions.
///
/// Stable parts are searched only for strings hidden when the run started, so that they stay the same in every request.
#[derive(Debug, Clone)]
pub struct Redactor {
    /// Kept so that the addresses in `seen` stay in use.
    _data: Map,
    seen: Nodes,
    /// The definitions at the last look; those that are still the same need no second look.
    latest: Memory,
    at_start: Patterns,
    all: Patterns,
}

/// A collection by its address, and whether it was reached below a hidden name.
type Node = (usize, bool);
/// Addresses need no hash that resists attacks, and every turn looks at every definition.
type Nodes = HashSet<Node, foldhash::fast::RandomState>;

impl Redactor {
    /// For a run with this data and these definitions. Cost: linear in both.
    pub fn new(data: &Map, memory: &Memory) -> Self {
        let (none, mut at_start) = (Nodes::default(), Patterns::default());
        let mut walk = Walk::new(&none, &mut at_start);
        walk.value(&Value::Map(data.clone()), false, &|name| name.starts_with('_'));
        let seen = walk.seen;
        Walk::new(&seen, &mut at_start).definitions(memory, &Memory::default());
        let all = at_start.clone();
        Redactor { _data: data.clone(), seen, latest: memory.clone(), at_start, all }
    }

    /// Learn from a turn: its definitions and the answers of its tools. Cost: linear in what is new in them, except
    /// `data/`.
    pub fn observe(&mut self, turn: &Turn) {
        let mut walk = Walk::new(&self.seen, &mut self.all);
        // The tool decides about what definitions then hold.
        for call in turn.tool_calls() {
            walk.value(&call.result, false, &|name| call.hidden_fields.hides(name));
        }
        walk.definitions(turn.memory(), &self.latest);
        self.latest = turn.memory().clone();
    }

    /// The text with every hidden string replaced; borrowed when there is none.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.all.replace(text)
    }

    /// Replace hidden strings in all parts of the messages of a request.
    pub fn redact_messages(&self, messages: &mut [Message]) {
        if self.all.is_empty() {
            return;
        }
        for message in messages {
            let redacted: Vec<Option<String>> = message.parts.iter().map(|part| self.redacted(part)).collect();
            if redacted.iter().any(Option::is_some) {
                // Parts shared with other requests and the history stay unchanged.
                for (part, text) in Arc::make_mut(&mut message.parts).iter_mut().zip(redacted) {
                    part.text = text.unwrap_or_else(|| std::mem::take(&mut part.text));
                }
            }
        }
    }

    /// The text of a part, when something in it is hidden.
    fn redacted(&self, part: &Part) -> Option<String> {
        let patterns = if part.is_stable() { &self.at_start } else { &self.all };
        match patterns.replace(&part.text) {
            Cow::Owned(redacted) => Some(redacted),
            Cow::Borrowed(_) => None,
        }
    }
}

/// Visits every collection at most twice (hidden or not), so that shared parts cost nothing; never recurses.
struct Walk<'a> {
    known: &'a Nodes,
    seen: Nodes,
    found: &'a mut Patterns,
}

impl<'a> Walk<'a> {
    fn new(known: &'a Nodes, found: &'a mut Patterns) -> Walk<'a> {
        Walk { known, seen: Nodes::default(), found }
    }

    /// Definitions, except those in `before`, which keeps their values alive.
    fn definitions(&mut self, memory: &Memory, before: &Memory) {
        let hides = |name: &str| memory.shown_names().hides(name);
        for (entry, known) in paired(memory, before) {
            let same = known.and_then(|known| known.value.address());
            if same.is_none() || same != entry.value.address() {
                self.value(&entry.value, entry.is_hidden(), &hides);
            }
        }
    }

    fn value(&mut self, value: &Value, hidden: bool, hides: &dyn Fn(&str) -> bool) {
        let mut stack = vec![(value, hidden)];
        while let Some((value, hidden)) = stack.pop() {
            match value {
                Value::Str(text) if hidden => self.hide(text.as_str()),
                Value::Uuid(text) if hidden => self.hide(text.as_str()),
                Value::Vector(items) if self.is_new(value, hidden) => {
                    stack.extend(items.iter().map(|item| (item, hidden)));
                }
                Value::Set(items) if self.is_new(value, hidden) => {
                    stack.extend(items.iter().map(|item| (item, hidden)));
                }
                Value::Map(map) if self.is_new(value, hidden) => {
                    for (key, item) in map {
                        stack.push((item, hidden || name_of(key).is_some_and(hides)));
                        if hidden {
                            stack.push((key, true));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether this collection is to be visited.
    fn is_new(&mut self, collection: &Value, hidden: bool) -> bool {
        collection.address().is_some_and(|address| {
            let node = (address, hidden);
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
        // A text in a text: output that a program printed again, JSON in JSON.
        let twice = format(&Value::string(escaped), &FormatOptions::full()).text;
        self.found.insert(twice.get(1..twice.len().saturating_sub(1)).unwrap_or_default());
        // As errors, comments and prints show it.
        self.found.insert(&ptc_lisp::text::escaped(text));
        self.found.insert(&one_line(text));
        self.found.insert(&printed(text));
        self.found.insert(&print_text(text));
        self.found.insert(&error_text(&printed(text)));
    }
}

fn name_of(key: &Value) -> Option<&str> {
    match key {
        Value::Symbol(name) => Some(name.as_str()),
        key => key_name(key),
    }
}

#[cfg(test)]
mod tests;
