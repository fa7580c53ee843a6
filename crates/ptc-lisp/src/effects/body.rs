//! Bodies: of functions, where they are called, and of loops.

use std::rc::Rc;
use std::sync::Arc;

use super::bound::CallBound;
use super::cost::Cost;
use super::value::{Abstract, Arguments, Callee, Lambda};
use super::walk::{Frame, Walk};
use crate::analyze::ir::{Arity, Function, Kind, Node, Slot};
use crate::stdlib::known::known;
use crate::value::Value;

impl Walk<'_> {
    /// The body of a function of the program, with these arguments.
    pub(super) fn inline(&mut self, lambda: &Rc<Lambda>, args: Arguments) -> Abstract {
        let function: *const Function = Arc::as_ptr(&lambda.function);
        if self.open.contains(&function) {
            // It calls itself: nobody knows how often.
            self.escape(&Abstract::function(Callee::Lambda(lambda.clone())));
            self.escape_all(&args.known);
            return Abstract::any();
        }
        self.open.push(function);
        let (mut value, mut chosen) = (Abstract::nothing(), Cost::default());
        for arity in lambda.function.arities.iter().filter(|arity| takes(arity, &lambda.function, &args)) {
            let (one, cost) = self.apart(|walk| walk.arity(arity, lambda, &args));
            chosen.or(cost);
            value = self.either(value, one);
        }
        self.open.pop();
        self.cost.then(&chosen);
        value
    }

    fn arity(&mut self, arity: &Arity, lambda: &Rc<Lambda>, args: &Arguments) -> Abstract {
        let mut frame = Frame { captures: lambda.captures.clone(), own: Some(lambda.clone()), ..Frame::default() };
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
        let (value, cost) = self.apart(|walk| walk.node(&arity.body, &mut frame));
        if !cost.is_nothing() {
            self.cost.then(&cost.times(&CallBound::UNBOUNDED));
        }
        value
    }

    /// A loop: what its locals are after the first round is not known.
    pub(super) fn repeat(&mut self, bindings: &[(Slot, Node)], body: &Node, frame: &mut Frame) -> Abstract {
        let again = recurs(body);
        for (slot, init) in bindings {
            let value = self.node(init, frame);
            if again {
                self.escape(&value);
            }
            frame.set(*slot, if again { Abstract::any() } else { value });
        }
        if !again {
            return self.node(body, frame);
        }
        if let Some(rounds) = rounds(bindings, body, frame) {
            return self.counted(&rounds, body, frame);
        }
        let (value, cost) = self.apart(|walk| walk.node(body, frame));
        if !cost.is_nothing() {
            self.cost.then(&cost.times(&CallBound::UNBOUNDED));
        }
        value
    }

    /// A loop that goes round so often: its test and what follows it, and in the end the test and the rest.
    fn counted(&mut self, rounds: &CallBound, body: &Node, frame: &mut Frame) -> Abstract {
        let Kind::Cond { clauses, default } = &body.kind else { return self.node(body, frame) };
        let [(_, then)] = clauses.as_slice() else { return self.node(body, frame) };
        let one = self.often(rounds, |walk| walk.node(then, frame));
        let other = self.node(default, frame);
        self.either(one, other)
    }
}

/// How often a loop goes round that counts up to an end, as `dotimes` does: its body is a choice on `(< i end)`, each jump
/// adds something to `i`, and nothing else jumps.
fn rounds(bindings: &[(Slot, Node)], body: &Node, frame: &Frame) -> Option<CallBound> {
    let Kind::Cond { clauses, default } = &body.kind else { return None };
    let [(test, then)] = clauses.as_slice() else { return None };
    let (_, [Node { kind: Kind::Local { slot, .. }, .. }, end]) =
        test.builtin_call().filter(|(id, args)| *id == known().lt && args.len() == 2)?
    else {
        return None;
    };
    let place = bindings.iter().position(|(bound, _)| bound == slot)?;
    let starts = matches!(bindings.get(place), Some((_, Node { kind: Kind::Const(Value::Int(0..)), .. })));
    if !starts || recurs(default) || !counts_up(then, *slot, place) {
        return None;
    }
    match &end.kind {
        Kind::Const(Value::Int(end)) => Some(CallBound::of(u64::try_from(*end).unwrap_or(0))),
        Kind::Local { slot: end, .. } if !bindings.iter().any(|(bound, _)| bound == end) => frame.get(*end).number,
        _ => None,
    }
}

/// Whether each jump of this body adds one or more to the local at this place.
fn counts_up(body: &Node, slot: Slot, place: usize) -> bool {
    let is_counter = |node: &Node| node.slot() == Some(slot);
    let adds = |node: &Node| match node.builtin_call() {
        Some((id, [one])) => id == known().inc && is_counter(one),
        Some((id, [one, Node { kind: Kind::Const(Value::Int(1..)), .. }])) => id == known().add && is_counter(one),
        _ => false,
    };
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        match &node.kind {
            Kind::Recur(args) if !args.get(place).is_some_and(adds) => return false,
            Kind::Loop { .. } => {}
            _ => node.look_at_parts(&mut |part| open.push(part)),
        }
    }
    true
}

/// Whether an arity may take these arguments.
fn takes(arity: &Arity, function: &Function, args: &Arguments) -> bool {
    let (count, fixed) = (args.known.len(), arity.fixed as usize);
    if args.more {
        return arity.rest || fixed >= count;
    }
    let exactly = |arity: &Arity| !arity.rest && arity.fixed as usize == count;
    if arity.rest { fixed <= count && !function.arities.iter().any(exactly) } else { exactly(arity) }
}

/// Whether a body jumps to its own start.
fn recurs(node: &Node) -> bool {
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
