//! Hoisting (loop-invariant code motion): a value that no round of a loop changes is read before the outermost one.
//!
//! ```text
//! with    loops
//! before  (map (fn [x] (get data/items x)) xs)
//! after   (let [$13 data/items] (each map [$12 xs] (get $13 $12)))
//! law     Entries of `data/` and captured values do not change while a function runs.
//! ```
//!
//! An instruction reads a local in place; an entry of the data would be copied into a register, and counted, in every round.

use super::body::Body;
use super::tree::Made;
use crate::analyze::ir::{Kind, Node, Slot, bound, local};
use crate::parse::span::Span;
use crate::value::Name;

/// The most locals that this adds to one function.
const MOST: usize = 64;

/// Hoist the loop-invariant values of a function.
pub(super) fn run(body: &mut Body<'_>) {
    let arity = &mut *body.arity;
    let mut hoister = Hoister { slots: arity.slots, found: Vec::new() };
    if recurs(&arity.body) {
        // Make the body a loop: only a loop has a place before its first round.
        let span = arity.body.span;
        if hoister.takes_from(&mut arity.body) {
            let params = (0..arity.fixed + u32::from(arity.rest)).map(|slot| (slot, local(slot, span))).collect();
            let body = std::mem::replace(&mut arity.body, local(0, span));
            let rounds = Node { kind: Kind::Loop { bindings: params, body: Box::new(body) }, span };
            arity.body = bound(hoister.bindings(span), rounds);
        }
    } else {
        hoister.visit(&mut arity.body);
    }
    arity.slots = hoister.slots;
}

/// Whether the function starts again: a `recur` outside the loops in it.
fn recurs(node: &Node) -> bool {
    match &node.kind {
        Kind::Recur(_) => true,
        Kind::Loop { .. } => false,
        _ => {
            let mut found = false;
            node.look_at_parts(&mut |part| found = found || recurs(part));
            found
        }
    }
}

/// A value that does not change while a function runs.
#[derive(PartialEq)]
enum Fixed {
    Data(Name),
    Capture(u32),
}

impl Fixed {
    fn of(node: &Node) -> Option<Fixed> {
        match &node.kind {
            Kind::Data(name) => Some(Fixed::Data(name.clone())),
            Kind::Capture(index) => Some(Fixed::Capture(*index)),
            _ => None,
        }
    }

    fn kind(self) -> Kind {
        match self {
            Fixed::Data(name) => Kind::Data(name),
            Fixed::Capture(index) => Kind::Capture(index),
        }
    }
}

struct Hoister {
    /// The number of slots of the function so far.
    slots: u32,
    /// The invariant values that the current loop reads, each with its local.
    found: Vec<(Fixed, Slot)>,
}

impl Hoister {
    /// Look for outermost loops.
    fn visit(&mut self, node: &mut Node) {
        let hoists = match &mut node.kind {
            Kind::Loop { bindings, body } => {
                bindings.iter_mut().for_each(|(_, init)| self.visit(init));
                self.takes_from(body)
            }
            Kind::Made(Made::Each(each)) => {
                each.operands_mut().for_each(|operand| self.visit(operand));
                self.takes_from(&mut each.body)
            }
            _ => return node.for_each_part(&mut |part| self.visit(part)),
        };
        if hoists {
            let span = node.span;
            let rounds = Node { kind: node.take_kind(), span };
            *node = bound(self.bindings(span), rounds);
        }
    }

    /// Replace what does not change in the rounds of a loop with locals; returns whether there was anything.
    fn takes_from(&mut self, body: &mut Node) -> bool {
        self.replace(body);
        !self.found.is_empty()
    }

    fn replace(&mut self, node: &mut Node) {
        if let Some(fixed) = Fixed::of(node) {
            if let Some(slot) = self.local_of(fixed) {
                node.kind = local(slot, node.span).kind;
            }
            return;
        }
        match &mut node.kind {
            Kind::Made(Made::Each(each)) => self.replace(&mut each.body),
            Kind::Made(Made::Update(update)) => self.replace(&mut update.body),
            _ => {}
        }
        node.for_each_part(&mut |part| self.replace(part));
    }

    fn local_of(&mut self, fixed: Fixed) -> Option<Slot> {
        if let Some((_, slot)) = self.found.iter().find(|(known, _)| *known == fixed) {
            return Some(*slot);
        }
        if self.found.len() == MOST {
            return None;
        }
        let slot = self.slots;
        self.slots += 1;
        self.found.push((fixed, slot));
        Some(slot)
    }

    /// The bindings of the locals of the current loop.
    fn bindings(&mut self, span: Span) -> Vec<(Slot, Node)> {
        let read = |(fixed, slot): (Fixed, Slot)| (slot, Node { kind: fixed.kind(), span });
        std::mem::take(&mut self.found).into_iter().map(read).collect()
    }
}
