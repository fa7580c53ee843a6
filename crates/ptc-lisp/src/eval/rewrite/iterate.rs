//! What is made of `(take-while p (iterate f x))` as a whole is a loop: `(reduce + 0 (map g (take-while p (iterate f x))))`
//! becomes `(loop [sum 0 x x] (if (p x) (recur (+ sum (g x)) (f x)) sum))`, with no sequence in between. None of the
//! functions may have effects, since a sequence calls them in another order.

#[cfg(test)]
mod tests;

use super::{builtin_call, call, ids};
use crate::analyze::ir::{Kind, Node, Slot};
use crate::eval::order::is_pure_function;
use crate::span::Span;
use crate::stdlib::known::known;
use crate::value::{BuiltinId, Value};

/// What becomes of the elements.
enum Sink<'a> {
    Count,
    Collect,
    Fold {
        f: &'a Node,
        init: &'a Node,
    },
    /// Added up or multiplied: the first element is the first sum.
    Sum {
        by: BuiltinId,
        of_none: i64,
    },
}

fn sink_of(node: &Node) -> Option<(Sink<'_>, &Node)> {
    let (id, args) = builtin_call(node)?;
    let known = known();
    Some(match args {
        [items] if id == known.count => (Sink::Count, items),
        [items] if ids().wholes.contains(&id) => (Sink::Collect, items),
        [f, init, items] if id == known.reduce => (Sink::Fold { f, init }, items),
        [Node { kind: Kind::Const(Value::Builtin(by)), .. }, items] if id == known.reduce && *by == known.add => {
            (Sink::Sum { by: *by, of_none: 0 }, items)
        }
        [Node { kind: Kind::Const(Value::Builtin(by)), .. }, items] if id == known.reduce && *by == known.mul => {
            (Sink::Sum { by: *by, of_none: 1 }, items)
        }
        _ => return None,
    })
}

/// A function that may be called wherever it is written.
fn is_callable(f: &Node) -> bool {
    is_pure_function(f) && matches!(f.kind, Kind::Fn(_) | Kind::Const(Value::Builtin(_) | Value::Keyword(_)))
}

/// Whether a function gives numbers and nothing else.
fn gives_numbers(f: &Node) -> bool {
    let counts = |id: &BuiltinId| ids().numeric.contains(id);
    match &f.kind {
        Kind::Const(Value::Builtin(id)) => counts(id),
        Kind::Fn(function) => {
            function.arities.iter().all(|arity| builtin_call(&arity.body).is_some_and(|(id, _)| counts(&id)))
        }
        _ => false,
    }
}

/// Rewrite a call that asks for all elements of such a sequence; `slots` are those of the function around it.
pub(super) fn loop_instead(node: &mut Node, slots: &mut Slot) {
    let Some((sink, mut items)) = sink_of(node) else { return };
    let mut stages = Vec::new();
    while let Some((id, [f, inner])) = builtin_call(items)
        && ids().loop_stages.contains(&id)
    {
        stages.push((id, f));
        items = inner;
    }
    let Some((taken, [holds, source])) = builtin_call(items) else { return };
    let Some((made, [f, first])) = builtin_call(source) else { return };
    if taken != ids().take_while || made != ids().iterate {
        return;
    }
    if !stages.iter().map(|(_, f)| *f).chain([holds, f]).all(is_callable) {
        return;
    }
    let fits = match &sink {
        Sink::Fold { f, .. } => is_callable(f),
        Sink::Sum { .. } => {
            stages.iter().find(|(id, _)| is_map(*id)).is_some_and(|(_, f)| gives_numbers(f))
                && !stages.iter().any(|(id, _)| *id == known().keep)
        }
        Sink::Count | Sink::Collect => true,
    };
    if !fits {
        return;
    }
    let span = node.span;
    let mut round = Round { sink, stages, span, made: *slots, next: *slots + 2 };
    let x = Node { kind: Kind::Local { slot: *slots + 1, last: false }, span };
    let step = round.step(round.stages.len(), x.clone());
    let again = Node { kind: Kind::Recur(vec![step, apply(f, vec![x.clone()], span)]), span };
    let body = Node { kind: Kind::If(Box::new([apply(holds, vec![x], span), again, round.end()])), span };
    let bindings = vec![(*slots, round.begin()), (*slots + 1, first.clone())];
    *slots = round.next;
    node.kind = Kind::Loop { bindings, body: Box::new(body) };
}

fn is_map(id: BuiltinId) -> bool {
    id == known().map || id == known().mapv
}

fn apply(f: &Node, args: Vec<Node>, span: Span) -> Node {
    Node { kind: Kind::Call { callee: Box::new(f.clone()), args }, span }
}

/// A round of the loop.
struct Round<'a> {
    sink: Sink<'a>,
    /// The calls between the sink and the sequence, the last one first.
    stages: Vec<(BuiltinId, &'a Node)>,
    span: Span,
    /// The slot of what was made so far.
    made: Slot,
    /// The next free one.
    next: Slot,
}

impl Round<'_> {
    fn node(&self, kind: Kind) -> Node {
        Node { kind, span: self.span }
    }

    fn made(&self) -> Node {
        self.node(Kind::Local { slot: self.made, last: false })
    }

    fn constant(&self, value: Value) -> Node {
        self.node(Kind::Const(value))
    }

    fn is_nil(&self, value: Node) -> Node {
        call(known().eq, vec![value, self.constant(Value::Nil)], self.span)
    }

    fn begin(&self) -> Node {
        match &self.sink {
            Sink::Count => self.constant(Value::Int(0)),
            Sink::Collect => self.node(Kind::Vector(Vec::new())),
            Sink::Fold { init, .. } => (*init).clone(),
            Sink::Sum { .. } => self.constant(Value::Nil),
        }
    }

    fn end(&self) -> Node {
        match self.sink {
            Sink::Sum { of_none, .. } => {
                let none = self.constant(Value::Int(of_none));
                self.node(Kind::If(Box::new([self.is_nil(self.made()), none, self.made()])))
            }
            _ => self.made(),
        }
    }

    /// What was made so far with this element, which has `left` stages before it.
    fn step(&mut self, left: usize, element: Node) -> Node {
        let Some((id, f)) = left.checked_sub(1).and_then(|at| self.stages.get(at)).copied() else {
            return self.add(element);
        };
        let ids = known();
        let value = apply(f, vec![element.clone()], self.span);
        if id == ids.remove {
            let parts = [value, self.made(), self.step(left - 1, element)];
            return self.node(Kind::If(Box::new(parts)));
        }
        if !is_map(id) && id != ids.keep {
            let parts = [value, self.step(left - 1, element), self.made()];
            return self.node(Kind::If(Box::new(parts)));
        }
        let slot = self.next;
        self.next += 1;
        let bound = self.node(Kind::Local { slot, last: false });
        let mut body = self.step(left - 1, bound.clone());
        if id == ids.keep {
            body = self.node(Kind::If(Box::new([self.is_nil(bound), self.made(), body])));
        }
        self.node(Kind::Let { bindings: vec![(slot, value)], body: Box::new(body) })
    }

    fn add(&self, element: Node) -> Node {
        let span = self.span;
        match &self.sink {
            Sink::Count => call(known().inc, vec![self.made()], span),
            Sink::Collect => call(ids().conj, vec![self.made(), element], span),
            Sink::Fold { f, .. } => apply(f, vec![self.made(), element], span),
            Sink::Sum { by, .. } => {
                let sum = call(*by, vec![self.made(), element.clone()], span);
                self.node(Kind::If(Box::new([self.is_nil(self.made()), element, sum])))
            }
        }
    }
}
