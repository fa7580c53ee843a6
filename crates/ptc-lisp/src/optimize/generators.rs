//! Generators: a function that returns a lazy sequence of one element and a call of itself is unfolded from a state.
//!
//! ```text
//! before  (def from (fn [n] (lazy-seq (cons n (from (inc n))))))
//! after   (def from (fn from #[n] 1/1 (do @0 (%unfold (fn #[state] 1/2 (let [$1 $0] [$1 (inc $1)])) $0))))
//! law     The same elements, each computed when it is read; the fuel is less.
//! ```
//!
//! As written, each element takes two sequences and a function, and each has to be realised before the next one. The state of
//! `(defn from [n] (lazy-seq (cons n (from (inc n)))))` is `n`.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::inlining::move_body;
use super::leaves_first::Scope;
use crate::analyze::ir::{Arity, CaptureSource, Function, Kind, Node, Slot, bound, call, constant, local};
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::value::Value;

/// Rewrite the function that a definition binds to `global`.
pub(super) fn run(_: &mut Scope<'_>, node: &mut Node) {
    let Kind::Def { global, value, .. } = &mut node.kind else { return };
    if let Kind::Fn(function) = &mut value.kind
        && let Some(body) = generator(*global, function)
        && let [arity] = Arc::make_mut(function).arities.as_mut_slice()
    {
        arity.body = body;
    }
}

fn generator(global: u32, function: &Function) -> Option<Node> {
    let [Arity { fixed: params @ 1.., rest: false, body, .. }] = function.arities.as_slice() else { return None };
    let (id, [Node { kind: Kind::Fn(thunk), .. }]) = body.builtin_call()? else { return None };
    let [rest] = thunk.arities.as_slice() else { return None };
    if id != known().lazy {
        return None;
    }
    // The state comes before the parameters in the function that makes a step.
    let (mut captures, mut names, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    for (at, source) in thunk.captures.iter().enumerate() {
        match source {
            CaptureSource::Local(slot) if slot < params => moved.push(CaptureSource::Local(slot + 1)),
            CaptureSource::Capture(_) => {
                moved.push(CaptureSource::Capture(captures.len() as u32));
                captures.push(*source);
                names.extend(thunk.capture_names.get(at).cloned());
            }
            _ => return None,
        }
    }
    let mut step = rest.body.clone();
    if !move_body(&mut step, params + 1, &moved) || !give_pairs(&mut step, global, *params) {
        return None;
    }
    let span = body.span;
    let part = |at: Slot| match params {
        1 => local(0, span),
        _ => call(known().nth, vec![local(0, span), constant(Value::Int(i64::from(at)), span)], span),
    };
    let step = Node { span, ..bound((0..*params).map(|at| (at + 1, part(at))).collect(), step) };
    let step = Function {
        name: None,
        arities: vec![Arity { fixed: 1, rest: false, reads: Vec::new(), slots: params + 1 + rest.slots, body: step }],
        captures,
        capture_names: names,
        origin: None,
        params_text: Arc::from("state"),
        calls: None,
        span,
    };
    let state = state_of((0..*params).map(|slot| local(slot, span)).collect(), span);
    let unfolded = call(known().unfold, vec![Node { kind: Kind::Fn(Arc::new(step)), span }, state], span);
    // The text still names the function, and storing it needs that name.
    let itself = Node { kind: Kind::Global(global), span };
    Some(Node { kind: Kind::Do(vec![itself, unfolded]), span })
}

/// One parameter is the state, several are a vector of them.
fn state_of(mut params: Vec<Node>, span: Span) -> Node {
    match (params.pop(), params.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            params.extend(last);
            Node { kind: Kind::Vector(params), span }
        }
    }
}

/// Make a body return the first element and the next state, or nil. False when it returns anything else.
fn give_pairs(body: &mut Node, global: u32, params: Slot) -> bool {
    let mut all = true;
    body.for_each_end(&mut |end| all = all && give_pair(end, global, params));
    all
}

fn give_pair(node: &mut Node, global: u32, params: Slot) -> bool {
    let span = node.span;
    match &mut node.kind {
        Kind::Const(Value::Nil) => true,
        Kind::Const(Value::Vector(items)) if items.is_empty() => {
            node.kind = Kind::Const(Value::Nil);
            true
        }
        Kind::Call { callee, args } => {
            let [_, Node { kind: Kind::Call { callee: again, args: next }, .. }] = args.as_mut_slice() else {
                return false;
            };
            let of_itself = matches!(again.kind, Kind::Global(called) if called == global);
            let joins = callee.builtin() == Some(known().cons);
            if !of_itself || !joins || next.len() != params as usize {
                return false;
            }
            let state = state_of(std::mem::take(next), span);
            let Some(first) = args.drain(..).next() else { return false };
            node.kind = Kind::Vector(vec![first, state]);
            true
        }
        _ => false,
    }
}
