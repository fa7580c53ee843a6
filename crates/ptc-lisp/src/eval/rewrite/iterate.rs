//! What is made of `(take-while p (iterate f x))` as a whole is a loop: `(reduce + 0 (map g (take-while p (iterate f x))))`
//! becomes `(loop [sum 0 x x] (if (p x) (recur (+ sum (g x)) (f x)) sum))`, with no sequence in between. None of the
//! functions may have effects, since a sequence calls them in another order.

#[cfg(test)]
mod tests;

use crate::analyze::ir::{Kind, Node, Slot, bound, call, call_of, choice, constant, local, nil};
use crate::eval::order::is_pure_function;
use crate::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::Names;
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
    let (id, args) = node.builtin_call()?;
    let known = known();
    Some(match args {
        [items] if id == known.count => (Sink::Count, items),
        [items] if id == known.vec || id == known.doall => (Sink::Collect, items),
        [f, init, items] if id == known.reduce => (Sink::Fold { f, init }, items),
        [by, items] if id == known.reduce => match by.builtin()? {
            by if by == known.add => (Sink::Sum { by, of_none: 0 }, items),
            by if by == known.mul => (Sink::Sum { by, of_none: 1 }, items),
            _ => return None,
        },
        _ => return None,
    })
}

/// A function that may be called wherever it is written.
fn is_callable(f: &Node) -> bool {
    is_pure_function(f) && matches!(f.kind, Kind::Fn(_) | Kind::Const(Value::Builtin(_) | Value::Keyword(_)))
}

/// Calls that may stand between the sink and the sequence.
static STAGES: Names = Names::of("map mapv filter filterv remove keep");

/// What gives a number or fails.
static NUMERIC: Names = Names::of("+ - * inc dec quot rem mod count max min");

/// Whether a function gives numbers and nothing else.
fn gives_numbers(f: &Node) -> bool {
    match &f.kind {
        Kind::Const(Value::Builtin(id)) => NUMERIC.have(*id),
        Kind::Fn(function) => {
            function.arities.iter().all(|arity| arity.body.builtin_call().is_some_and(|(id, _)| NUMERIC.have(id)))
        }
        _ => false,
    }
}

/// Rewrite a call that asks for all elements of such a sequence; `slots` are those of the function around it.
pub(super) fn loop_instead(node: &mut Node, slots: &mut Slot) {
    let Some((sink, mut items)) = sink_of(node) else { return };
    let mut stages = Vec::new();
    while let Some((id, [f, inner])) = items.builtin_call()
        && STAGES.have(id)
    {
        stages.push((id, f));
        items = inner;
    }
    let Some((taken, [holds, source])) = items.builtin_call() else { return };
    let Some((made, [f, first])) = source.builtin_call() else { return };
    if taken != known().take_while || made != known().iterate {
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
    let x = local(*slots + 1, span);
    let step = round.step(round.stages.len(), x.clone());
    let again = Node { kind: Kind::Recur(vec![step, call_of(f.clone(), vec![x.clone()], span)]), span };
    let body = choice(call_of(holds.clone(), vec![x], span), again, round.end(), span);
    let bindings = vec![(*slots, round.begin()), (*slots + 1, first.clone())];
    *slots = round.next;
    node.kind = Kind::Loop { bindings, body: Box::new(body) };
}

fn is_map(id: BuiltinId) -> bool {
    id == known().map || id == known().mapv
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
    fn made(&self) -> Node {
        local(self.made, self.span)
    }

    fn is_nil(&self, value: Node) -> Node {
        call(known().eq, vec![value, nil(self.span)], self.span)
    }

    fn begin(&self) -> Node {
        match &self.sink {
            Sink::Count => constant(Value::Int(0), self.span),
            Sink::Collect => Node { kind: Kind::Vector(Vec::new()), span: self.span },
            Sink::Fold { init, .. } => (*init).clone(),
            Sink::Sum { .. } => nil(self.span),
        }
    }

    fn end(&self) -> Node {
        match self.sink {
            Sink::Sum { of_none, .. } => {
                let none = constant(Value::Int(of_none), self.span);
                choice(self.is_nil(self.made()), none, self.made(), self.span)
            }
            _ => self.made(),
        }
    }

    /// What was made so far with this element, which has `left` stages before it.
    fn step(&mut self, left: usize, element: Node) -> Node {
        let Some((id, f)) = left.checked_sub(1).and_then(|at| self.stages.get(at)).copied() else {
            return self.add(element);
        };
        let (ids, span) = (known(), self.span);
        let value = call_of(f.clone(), vec![element.clone()], span);
        if id == ids.remove {
            return choice(value, self.made(), self.step(left - 1, element), span);
        }
        if !is_map(id) && id != ids.keep {
            return choice(value, self.step(left - 1, element), self.made(), span);
        }
        let slot = self.next;
        self.next += 1;
        let mut body = self.step(left - 1, local(slot, span));
        if id == ids.keep {
            body = choice(self.is_nil(local(slot, span)), self.made(), body, span);
        }
        bound(vec![(slot, value)], body)
    }

    fn add(&self, element: Node) -> Node {
        let (made, span) = (self.made(), self.span);
        match &self.sink {
            Sink::Count => call(known().inc, vec![made], span),
            Sink::Collect => call(known().conj, vec![made, element], span),
            Sink::Fold { f, .. } => call_of((*f).clone(), vec![made, element], span),
            Sink::Sum { by, .. } => {
                let sum = call(*by, vec![made.clone(), element.clone()], span);
                choice(self.is_nil(made), element, sum, span)
            }
        }
    }
}
