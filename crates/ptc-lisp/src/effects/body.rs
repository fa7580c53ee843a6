//! Bodies of functions, where they are called.

use std::sync::Arc;

use super::bound::CallBound;
use super::cost::Cost;
use super::value::{Abstract, Arguments, Callee, Frame, Lambda};
use super::walk::Walk;
use crate::analyze::ir::{Arity, Function, Kind, Node, Slot};

impl Walk<'_> {
    /// Walk the body of a function of the program, with these arguments.
    pub(super) fn inline(&mut self, lambda: &Arc<Lambda>, args: Arguments) -> Abstract {
        let function: *const Function = Arc::as_ptr(&lambda.function);
        if self.open.contains(&function) {
            // It calls itself: how often is not known.
            self.escape(&Abstract::function(Callee::Lambda(lambda.clone())));
            self.escape_all(&args.known);
            return Abstract::any();
        }
        self.open.push(function);
        let (mut value, mut chosen) = (Abstract::nothing(), Cost::default());
        for arity in lambda.function.taking(args.known.len(), args.more) {
            let (one, cost) = self.apart(|walk| walk.arity(arity, lambda, &args));
            chosen.or(cost);
            value = self.either(value, one);
        }
        self.open.pop();
        self.cost.then(&chosen);
        value
    }

    fn arity(&mut self, arity: &Arity, lambda: &Arc<Lambda>, args: &Arguments) -> Abstract {
        let mut frame = Frame::of(lambda);
        let again = recurs(&arity.body);
        let fixed = arity.fixed as usize;
        for (at, value) in args.known.iter().enumerate() {
            if again || at >= fixed {
                self.escape(value);
            }
            if !again && at < fixed {
                frame.set(at as Slot, value.clone());
            }
        }
        if arity.rest && !again && !args.more {
            let size = args.known.len().saturating_sub(fixed);
            frame.set(arity.fixed, Abstract::sized(Some(CallBound::of(size as u64))));
        }
        if !again {
            return self.node(&arity.body, &mut frame);
        }
        self.often(&CallBound::UNBOUNDED, |walk| walk.node(&arity.body, &mut frame))
    }
}

/// Whether a body jumps to its own start.
pub(super) fn recurs(node: &Node) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match &node.kind {
            Kind::Recur(_) => return true,
            // A jump inside goes to the start of that loop.
            Kind::Loop { .. } => {}
            _ => node.look_at_parts(&mut |part| open.push(part)),
        }
    }
    false
}
