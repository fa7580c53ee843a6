//! Early release: before an `assoc`, the map drops the values that the new ones are computed from.
//!
//! ```text
//! with    last-uses
//! before  (assoc m :out (conj (:out m) x))
//! after   (let [$12 (:out m)] (release m [:out] (assoc m! :out (conj $12! x!))))
//! law     The map is not read again; if it is, it keeps its values.
//! ```
//!
//! The value that an `assoc` puts under a key is usually computed from the old one, and changes in place when the map drops
//! it first.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::body::Body;
use super::tree::Made;
use crate::analyze::ir::{Kind, Node, Slot, bound, local};
use crate::stdlib::known::known;
use crate::value::{Name, Value};

/// A key that can be compared here.
#[derive(Clone, PartialEq)]
enum Key {
    Keyword(Name),
    Text(String),
    Int(i64),
    Local(Slot),
}

impl Key {
    fn of(node: &Node) -> Option<Key> {
        match &node.kind {
            Kind::Const(Value::Keyword(name)) => Some(Key::Keyword(name.clone())),
            Kind::Const(Value::Str(text)) => Some(Key::Text(text.as_str().to_owned())),
            Kind::Const(Value::Int(n)) => Some(Key::Int(*n)),
            Kind::Local { slot, .. } => Some(Key::Local(*slot)),
            _ => None,
        }
    }
}

/// Mark the calls before which a map may drop values; locals that hold values that are also in a map are shared.
pub(super) fn run(body: &mut Body<'_>) {
    let arity = &mut *body.arity;
    let mut replacer = Replacer { slots: arity.slots, parts: HashMap::new() };
    replacer.visit(&mut arity.body);
    arity.slots = replacer.slots;
    body.shared.extend(replacer.parts.into_keys());
}

struct Replacer {
    slots: u32,
    /// Locals that are bound to the value that a local map has under a key.
    parts: HashMap<Slot, (Slot, Key)>,
}

/// The local map and the key of a lookup.
fn lookup_of(node: &Node) -> Option<(Slot, Key)> {
    let Kind::Call { callee, args } = &node.kind else { return None };
    let (map, key) = match (&callee.kind, args.as_slice()) {
        (Kind::Const(Value::Keyword(name)), [map] | [map, _]) => (map, Key::Keyword(name.clone())),
        (Kind::Const(Value::Builtin(id)), [map, key] | [map, key, _]) if *id == known().get => (map, Key::of(key)?),
        _ => return None,
    };
    Some((map.slot()?, key))
}

impl Replacer {
    fn visit(&mut self, node: &mut Node) {
        if let Kind::Let { bindings, .. } = &node.kind {
            self.parts.extend(bindings.iter().filter_map(|(slot, init)| Some((*slot, lookup_of(init)?))));
        }
        match &mut node.kind {
            Kind::Made(Made::Each(each)) => self.visit(&mut each.body),
            Kind::Made(Made::Update(update)) => self.visit(&mut update.body),
            _ => {}
        }
        node.for_each_part(&mut |part| self.visit(part));
        self.mark(node);
    }

    /// Make the map of `(assoc map key value …)` drop the old values from which the new ones are computed.
    fn mark(&mut self, node: &mut Node) {
        let span = node.span;
        let Kind::Call { callee, args } = &mut node.kind else { return };
        if !matches!(callee.kind, Kind::Const(Value::Builtin(id)) if id == known().assoc) {
            return;
        }
        let Some((Node { kind: Kind::Local { slot: map, .. }, .. }, pairs)) = args.split_first_mut() else { return };
        let map = *map;
        let (mut keys, mut bindings) = (Vec::new(), Vec::new());
        for pair in pairs.chunks_exact_mut(2) {
            let [key, value] = pair else { continue };
            let Some(known) = Key::of(key) else { continue };
            let place = (map, known);
            if let Some(read) = self.only_read(value, &place) {
                let slot = self.slots;
                self.slots += 1;
                bindings.push((slot, std::mem::replace(read, local(slot, read.span))));
                self.parts.insert(slot, place.clone());
            }
            if self.is_made_of(value, &place) {
                keys.push(key.clone());
            }
        }
        let read_again = pairs.iter().any(|part| super::last_uses::reads(part, map));
        if read_again {
            keys.clear();
        }
        let mut call = Node { kind: node.take_kind(), span };
        if !keys.is_empty() {
            call = Node { kind: Kind::Made(Made::Replace { map, keys, lets_go: false, call: Box::new(call) }), span };
        }
        *node = bound(bindings, call);
    }

    /// The only lookup of a place in an expression, as an argument of a call that may change the value found.
    fn only_read<'n>(&self, node: &'n mut Node, place: &(Slot, Key)) -> Option<&'n mut Node> {
        let Kind::Call { callee, args } = &mut node.kind else { return None };
        let Kind::Const(Value::Builtin(id)) = callee.kind else { return None };
        if super::updates::reckons(id) {
            return None;
        }
        let mut at = args.iter().enumerate().filter(|(_, arg)| super::last_uses::reads(arg, place.0)).map(|(at, _)| at);
        let (Some(only), None) = (at.next(), at.next()) else { return None };
        drop(at);
        let arg = args.get_mut(only)?;
        if lookup_of(arg).is_some_and(|found| found == *place) { Some(arg) } else { self.only_read(arg, place) }
    }

    /// Whether the expression reads a local that holds the value at the place.
    fn is_made_of(&self, node: &Node, place: &(Slot, Key)) -> bool {
        self.parts.iter().any(|(slot, known)| known == place && super::last_uses::reads(node, *slot))
    }
}
