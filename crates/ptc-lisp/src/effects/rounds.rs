//! Loops, and how many rounds they make.

use super::body::recurs;
use super::bound::CallBound;
use super::value::{Abstract, Frame};
use super::walk::Walk;
use crate::analyze::ir::{Kind, Node, Slot};
use crate::stdlib::facts::Size;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::Value;

/// A loop whose body is a choice: one branch jumps, the other one ends.
struct Rounds<'n> {
    count: CallBound,
    jumps: &'n Node,
    ends: &'n Node,
}

impl Walk<'_> {
    /// A loop: its locals are unknown after the first round.
    pub(super) fn repeat(&mut self, bindings: &[(Slot, Node)], body: &Node, frame: &mut Frame) -> Abstract {
        let again = recurs(body);
        let mut first = Vec::with_capacity(bindings.len());
        for (slot, init) in bindings {
            let value = self.node(init, frame);
            if again {
                self.escape(&value);
                frame.set(*slot, Abstract::any());
                first.push((*slot, init, value));
            } else {
                frame.set(*slot, value);
            }
        }
        if !again {
            return self.node(body, frame);
        }
        let Some(Rounds { count, jumps, ends }) = rounds(&first, body, frame) else {
            return self.often(&CallBound::UNBOUNDED, |walk| walk.node(body, frame));
        };
        let one = self.often(&count, |walk| walk.node(jumps, frame));
        let other = self.node(ends, frame);
        self.either(one, other)
    }
}

/// How many rounds a loop makes that counts up to an end, as `dotimes` does, or walks through a collection.
fn rounds<'n>(first: &[(Slot, &Node, Abstract)], body: &'n Node, frame: &Frame) -> Option<Rounds<'n>> {
    let Kind::Cond { clauses, default } = &body.kind else { return None };
    let [(test, then)] = clauses.as_slice() else { return None };
    let (id, args) = test.builtin_call()?;
    let slot = args.first()?.slot()?;
    let place = first.iter().position(|(bound, ..)| *bound == slot)?;
    let (_, init, value) = first.get(place)?;
    let (count, jumps, ends): (_, _, &Node) = match args {
        // (< i end), starting from zero or more
        [_, end] if id == known().lt && matches!(init.kind, Kind::Const(Value::Int(0..))) => {
            let changes = |end| first.iter().any(|(bound, ..)| *bound == end);
            let end = match &end.kind {
                Kind::Const(Value::Int(end)) => CallBound::of(u64::try_from(*end).unwrap_or(0)),
                Kind::Local { slot: end, .. } if !changes(*end) => frame.get(*end).number?,
                _ => return None,
            };
            (end, then, default)
        }
        [_] if id == known().seq || id == known().first => (value.size.clone()?, then, default),
        [_] if id == known().is_empty => (value.size.clone()?, &**default, then),
        _ => return None,
    };
    let steps = |arg: &Node| if id == known().lt { is_greater(arg, slot) } else { is_shorter(arg, slot) };
    (!recurs(ends) && all_jumps(jumps, place, &steps)).then_some(Rounds { count, jumps, ends })
}

/// Whether it is the number in this local plus at least one.
fn is_greater(node: &Node, slot: Slot) -> bool {
    match node.builtin_call() {
        Some((id, [one])) => id == known().inc && one.slot() == Some(slot),
        Some((id, [one, Node { kind: Kind::Const(Value::Int(1..)), .. }])) => {
            id == known().add && one.slot() == Some(slot)
        }
        _ => false,
    }
}

/// Whether it is the collection in this local without its first element.
fn is_shorter(node: &Node, slot: Slot) -> bool {
    matches!(node.builtin_call(), Some((id, [one]))
        if table().entry(id).row.facts.size == Size::Shorter(0) && one.slot() == Some(slot))
}

/// Whether each jump of this body sets the local at this place to something for which `steps` holds.
fn all_jumps(body: &Node, place: usize, steps: &dyn Fn(&Node) -> bool) -> bool {
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        match &node.kind {
            Kind::Recur(args) if !args.get(place).is_some_and(steps) => return false,
            Kind::Loop { .. } => {}
            _ => node.look_at_parts(&mut |part| open.push(part)),
        }
    }
    true
}
