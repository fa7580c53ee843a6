//! Single use: a sequence that is named and read once is computed where it is read, so that one loop is enough.
//!
//! ```text
//! before  (let [ys (map inc xs)] (reduce + ys))
//! after   (let [] (reduce + (map inc xs)))
//! law     What computes it is pure and runs at most once; where two errors are possible, the other one may come first.
//! ```

#[cfg(test)]
mod tests;

use super::leaves_first::Scope;
use super::purity::is_pure;
use crate::analyze::ir::{CaptureSource, Kind, Node, Slot};
use crate::stdlib::Demand;
use crate::stdlib::table::table;

/// Put the sequences of a `let` where they are read.
pub(super) fn run(_: &mut Scope<'_>, node: &mut Node) {
    let Kind::Let { bindings, body } = &mut node.kind else { return };
    let mut at = bindings.len();
    while let Some(before) = at.checked_sub(1) {
        at = before;
        let Some((_, later)) = bindings.split_at_mut_checked(at) else { return };
        let Some(((slot, init), later)) = later.split_first_mut() else { return };
        if !is_sequence(init) || !is_pure(init) {
            continue;
        }
        let mut reads = Reads { slot: *slot, count: 0, movable: true };
        later.iter().for_each(|(_, init)| reads.look(init, false));
        reads.look(body, false);
        if reads.count == 1 && reads.movable {
            let (slot, init) = bindings.remove(at);
            let mut init = Some(init);
            bindings.iter_mut().skip(at).for_each(|(_, later)| put(later, slot, &mut init));
            put(body, slot, &mut init);
        }
    }
}

/// Whether it is a call of a builtin that computes a sequence element by element.
fn is_sequence(node: &Node) -> bool {
    node.builtin_call().is_some_and(|(id, _)| matches!(table().entry(id).row.demand, Demand::Steps { .. }))
}

/// The reads of a local.
struct Reads {
    slot: Slot,
    count: usize,
    /// Whether each is an argument of a builtin, and runs at most once, where no error is caught.
    movable: bool,
}

impl Reads {
    fn look(&mut self, node: &Node, is_argument: bool) {
        match &node.kind {
            Kind::Local { slot, .. } if *slot == self.slot => {
                self.count += 1;
                self.movable &= is_argument;
            }
            Kind::Loop { bindings, body } => {
                bindings.iter().for_each(|(_, init)| self.look(init, false));
                self.keep_out(body);
            }
            Kind::Try { .. } => node.look_at_parts(&mut |part| self.keep_out(part)),
            Kind::Fn(function) => self.captured(&function.captures),
            Kind::LetFn { captures, body, .. } => {
                self.captured(captures);
                self.look(body, false);
            }
            _ => {
                let of_builtin = node.builtin_call().is_some();
                node.look_at_parts(&mut |part| self.look(part, of_builtin));
            }
        }
    }

    /// What is read there stays where it is computed.
    fn keep_out(&mut self, node: &Node) {
        let before = self.count;
        self.look(node, true);
        self.movable &= self.count == before;
    }

    fn captured(&mut self, captures: &[CaptureSource]) {
        self.movable &= !captures.contains(&CaptureSource::Local(self.slot));
    }
}

fn put(node: &mut Node, slot: Slot, init: &mut Option<Node>) {
    if node.slot() == Some(slot)
        && let Some(init) = init.take()
    {
        *node = init;
    } else if init.is_some() {
        node.for_each_part(&mut |part| put(part, slot, init));
    }
}
