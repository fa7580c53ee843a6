//! The order of evaluation, where it is not observable: a collection is read before it is moved to where it is changed.

#[cfg(test)]
mod tests;

use super::last_uses::reads;
use super::purity::is_pure;
use super::tree::Made;
use crate::analyze::ir::{Kind, Node, Slot};
use crate::stdlib::facts::Owns;
use crate::stdlib::table::table;

/// The most arguments that are ordered: more are rare.
const MOST: usize = 16;

/// The order in which the arguments of a call are evaluated. Locals come last: reading one has no effect, and a last
/// read moves the value. Before them come arguments that change a local that another argument reads, where none of the
/// arguments has effects: `[(conj seen x) (count seen)]` counts first, so that `seen` grows in place.
pub(crate) fn argument_order(args: &[Node]) -> Vec<usize> {
    let (locals, others): (Vec<usize>, Vec<usize>) =
        (0..args.len()).partition(|at| args.get(*at).is_some_and(is_local));
    let waits = |at: &usize| {
        args.get(*at).and_then(changed_local).is_some_and(|slot| {
            others.iter().any(|other| other != at && args.get(*other).is_some_and(|arg| reads(arg, slot)))
        })
    };
    if !(2..=MOST).contains(&others.len()) || !others.iter().any(waits) || !args.iter().all(is_pure) {
        return others.into_iter().chain(locals).collect();
    }
    let (late, early): (Vec<usize>, Vec<usize>) = others.iter().copied().partition(waits);
    early.into_iter().chain(late).chain(locals).collect()
}

/// The same for the elements of a literal; in written order when there are many.
pub(crate) fn element_order(nodes: &[Node]) -> Vec<usize> {
    if nodes.len() > MOST { (0..nodes.len()).collect() } else { argument_order(nodes) }
}

/// The local that a call changes in place, directly or in an inner call.
fn changed_local(node: &Node) -> Option<Slot> {
    let of = |arg: &Node| match arg.kind {
        Kind::Local { slot, .. } => Some(slot),
        _ => changed_local(arg),
    };
    if let Kind::Made(Made::Update(update)) = &node.kind {
        return update.args.first().and_then(of);
    }
    let (id, args) = node.builtin_call()?;
    let row = table().entry(id).row;
    let in_first = args.first().filter(|_| row.changes_first()).and_then(of);
    in_first.or_else(|| args.last().filter(|_| row.facts.owns == Owns::Last).and_then(of))
}

pub(super) fn is_local(node: &Node) -> bool {
    matches!(node.kind, Kind::Local { .. })
}

/// The order in which the arguments of a `recur` are evaluated directly into their slots, or `None` when they need
/// temporaries: an argument may be stored early only when no later one reads its slot and none has effects.
pub(crate) fn recur_order(args: &[Node], slots: &[Slot]) -> Option<Vec<usize>> {
    let direct = |(arg, slot): (&Node, &Slot)| is_pure(arg) && (is_written_once(arg) || !reads(arg, *slot));
    if args.len() > MOST || !args.iter().zip(slots).all(direct) {
        return None;
    }
    let mut left: Vec<usize> = (0..args.len()).filter(|at| !is_same_slot(args.get(*at), slots.get(*at))).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let free = left.iter().position(|at| {
            let slot = slots.get(*at).copied();
            left.iter().all(|other| {
                other == at || !args.get(*other).is_some_and(|arg| slot.is_some_and(|slot| reads(arg, slot)))
            })
        })?;
        order.push(left.remove(free));
    }
    Some(order)
}

/// Whether the value is stored to its target only after everything was read: `and` and `or` leave what they test there.
fn is_written_once(node: &Node) -> bool {
    match &node.kind {
        Kind::And(nodes) | Kind::Or(nodes) => nodes.len() < 2,
        Kind::Cond { clauses, default } => {
            clauses.iter().all(|(_, then)| is_written_once(then)) && is_written_once(default)
        }
        // A value that is only named goes directly to its target.
        Kind::Let { bindings, body } => is_written_once(body) && bindings.iter().all(|(_, init)| is_written_once(init)),
        Kind::Made(Made::Clear { then, .. }) => is_written_once(then),
        _ => true,
    }
}

/// Whether a `recur` argument is the slot that it would be stored to.
pub(crate) fn is_same_slot(arg: Option<&Node>, slot: Option<&Slot>) -> bool {
    matches!((arg.map(|arg| &arg.kind), slot), (Some(Kind::Local { slot: read, .. }), Some(target)) if read == target)
}
