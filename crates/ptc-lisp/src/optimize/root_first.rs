//! The walk of the passes that rewrite an expression before its parts.

use super::scalar_replacement::Shape;
use super::tree::Made;
use crate::analyze::ir::{Arity, Kind, Node, Slot, local};

/// The deepest nesting of loops whose bodies are moved.
const MAX_DEPTH: usize = 4;
/// The most slots that the passes add to one function.
pub(super) const MAX_SLOTS: u32 = 4_096;

/// A pass on an expression before its parts.
pub(super) type RootFirst = fn(&mut Rewriter<'_>, &mut Node);
/// A pass on an expression with the loops in its body in place.
pub(super) type OnReturn = fn(&mut Node);

/// Apply the passes to the body of a function.
pub(super) fn rewrite(arity: &mut Arity, passes: &[RootFirst], on_return: &[OnReturn]) {
    let mut rewriter = Rewriter { passes, on_return, slots: arity.slots, depth: 0, once: false, literals: Vec::new() };
    rewriter.visit(&mut arity.body);
    arity.slots = rewriter.slots;
}

/// A function being rewritten.
pub(super) struct Rewriter<'a> {
    passes: &'a [RootFirst],
    on_return: &'a [OnReturn],
    /// The number of its slots so far.
    pub slots: u32,
    /// The number of loops and updates around the expression.
    depth: usize,
    /// Whether the call being expanded runs at most once: then its parts may be evaluated in place.
    pub once: bool,
    /// Locals bound to literals that may be states.
    pub literals: Vec<(Slot, Shape)>,
}

impl Rewriter<'_> {
    fn visit(&mut self, node: &mut Node) {
        let (passes, on_return) = (self.passes, self.on_return);
        if self.depth < MAX_DEPTH {
            passes.iter().for_each(|run| run(self, node));
        }
        match &mut node.kind {
            Kind::Let { bindings, .. } => {
                let literal = |(slot, init): &(Slot, Node)| Some((*slot, Shape::of(init)?.0));
                self.literals.extend(bindings.iter().filter_map(literal));
            }
            Kind::Made(Made::Each(each)) => self.visit_inside(&mut each.body),
            Kind::Made(Made::Update(update)) => self.visit_inside(&mut update.body),
            _ => {}
        }
        on_return.iter().for_each(|run| run(node));
        node.for_each_part(&mut |part| self.visit(part));
    }

    fn visit_inside(&mut self, body: &mut Node) {
        self.depth += 1;
        self.visit(body);
        self.depth -= 1;
    }

    /// The local that holds the value of `node`, and replaces it.
    pub fn hold(&mut self, node: &mut Node, bindings: &mut Vec<(Slot, Node)>) -> Node {
        if !matches!(node.kind, Kind::Local { .. }) {
            let local = local(self.slots, node.span);
            self.slots += 1;
            bindings.push((self.slots - 1, std::mem::replace(node, local)));
        }
        node.clone()
    }
}
