//! Fusion: one loop does the work of several calls over a collection, and ends early when only a part of the elements is
//! needed.
//!
//! ```text
//! before  (count (filter even? (map inc xs)))
//! after   (let [$12 0] (each fold [$13 $12] [$14 xs] (let [$15 (inc $14)] (if (even? $15) (inc $13) skip))))
//! before  (first (filter even? xs))
//! after   (each first [$12 xs] (if (even? $12) $12 skip))
//! before  (if (seq (filter even? xs)) x y)
//! after   (if (not (each every [$12 xs] (if (even? $12) false skip))) x y)
//! before  (reduce + 0 (map inc (take-while pos? (iterate dec x))))
//! after   (loop [$12 0 $13 x] (if (pos? $13) (recur (let [$14 (inc $13)] (+ $12 $14)) (dec $13)) $12))
//! law     All functions are pure. Where two elements fail, the error is that of the earlier one, as in a lazy sequence.
//! ```
//!
//! No sequence is created between the calls. A chain over `(take-while p (iterate f x))` becomes a plain loop.

#[cfg(test)]
mod tests;

use super::entries::{self, is_map};
use super::purity::{is_pure, is_pure_function, purity};
use super::root_first::{MAX_SLOTS, Rewriter};
use super::tree::{Each, LoopKind, Made};
use crate::analyze::ir::{Kind, Node, Slot, bound, call, choice, constant, local, nil};
use crate::parse::span::Span;
use crate::stdlib::Purity;
use crate::stdlib::facts::Returns;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// One step of a chain.
#[derive(Copy, Clone)]
enum Stage {
    Map,
    Filter {
        truthy: bool,
    },
    Keep,
    /// `for` with one collection, which may skip elements.
    For,
}

/// The consumer of the elements.
enum Sink {
    /// All of them, in a vector.
    Collect,
    /// The same, by `vec`.
    Vector,
    First,
    Count,
    /// Whether there are none.
    IsEmpty,
    Search {
        truthy: bool,
        f: Node,
    },
    Fold {
        f: Node,
        init: Node,
    },
    /// A map that starts as this literal, with pairs that are written out.
    Entries {
        init: Node,
    },
    /// The elements themselves, grouped by what the function returns for them.
    Group {
        f: Node,
    },
    Sum {
        product: bool,
        init: Option<Node>,
    },
}

fn stage_of(node: &Node) -> Option<(Stage, &Node, &Node)> {
    let (id, [f, items]) = node.builtin_call()? else { return None };
    let ids = known();
    if id == ids.each {
        return Some((Stage::For, items, f));
    }
    let stage = match id {
        _ if id == ids.map || id == ids.mapv => Stage::Map,
        _ if id == ids.filter || id == ids.filterv => Stage::Filter { truthy: true },
        _ if id == ids.remove => Stage::Filter { truthy: false },
        _ if id == ids.keep => Stage::Keep,
        _ => return None,
    };
    Some((stage, f, items))
}

/// The stages of a chain, the last one first, each with its place, and the collection they iterate over.
fn chain_of(node: &Node) -> (Vec<(Stage, &Node, Span)>, &Node) {
    let (mut stages, mut items) = (Vec::new(), node);
    while let Some((stage, f, inner)) = stage_of(items) {
        stages.push((stage, f, items.span));
        items = inner;
    }
    (stages, items)
}

/// How the call uses the chain in its last argument.
fn sink_of(node: &Node) -> Option<(Sink, &Node)> {
    let ids = known();
    let (id, args) = node.builtin_call()?;
    Some(match args {
        [chain] if id == ids.first => (Sink::First, chain),
        [chain] if id == ids.count => (Sink::Count, chain),
        [chain] if id == ids.is_empty => (Sink::IsEmpty, chain),
        [chain] if id == ids.vec || id == ids.doall => (Sink::Vector, chain),
        [f, chain] if id == ids.some => (Sink::Search { truthy: true, f: f.clone() }, chain),
        [f, chain] if id == ids.every => (Sink::Search { truthy: false, f: f.clone() }, chain),
        [Node { kind: Kind::Const(Value::Builtin(by)), .. }, init @ .., chain]
            if id == ids.reduce && (*by == ids.add || *by == ids.mul) =>
        {
            (Sink::Sum { product: *by == ids.mul, init: init.first().cloned() }, chain)
        }
        [f, chain] if id == ids.group_by => (Sink::Group { f: f.clone() }, chain),
        [init, chain] if id == ids.into && is_map(init) => (Sink::Entries { init: init.clone() }, chain),
        [f, init, chain] if id == ids.reduce && f.builtin() == Some(ids.conj) && is_map(init) => {
            (Sink::Entries { init: init.clone() }, chain)
        }
        [f, init, chain] if id == ids.reduce => (Sink::Fold { f: f.clone(), init: init.clone() }, chain),
        _ => (Sink::Collect, node),
    })
}

/// The number of calls between an expression and the collection of which one loop reads a prefix, without lazy sequences: 2
/// in `(first (filter odd? xs))`. With `tested`, only the truth of the value counts.
pub(super) fn calls_of_search(node: &Node, tested: bool) -> Option<usize> {
    let chain = match (sink_of(node)?, node.builtin_call()?) {
        ((Sink::First | Sink::IsEmpty | Sink::Search { .. }, chain), _) => chain,
        (_, (id, [chain])) if tested && (id == known().seq || id == known().not_empty) => chain,
        _ => return None,
    };
    let is_known = |f: &Node| match &f.kind {
        Kind::Fn(_) | Kind::Const(_) => is_pure_function(f),
        _ => super::inlining::is_combined(f),
    };
    let (stages, _) = chain_of(chain);
    let fuses = stages.iter().all(|(stage, f, _)| !matches!(stage, Stage::For) && is_known(f));
    (fuses && !stages.is_empty()).then_some(1 + stages.len())
}

/// Make a chain of calls one loop, where the expression ends one or tests whether one has elements.
pub(super) fn run(rewriter: &mut Rewriter<'_>, node: &mut Node) {
    match &mut node.kind {
        Kind::Cond { clauses, .. } => clauses.iter_mut().for_each(|(test, _)| rewriter.test_of_chain(test)),
        Kind::Call { .. } => rewriter.chain(node),
        _ => {}
    }
}

impl Rewriter<'_> {
    /// Turn a chain into one loop, if the call ends such a chain.
    fn chain(&mut self, node: &mut Node) {
        let Some((sink, chain)) = sink_of(node) else { return };
        let (stages, items) = chain_of(chain);
        if let Some(made) = self.iterated(&sink, &stages, items, node.span) {
            *node = made;
            return;
        }
        let least = match sink {
            Sink::Vector => return,
            Sink::Collect => 2,
            _ => 1,
        };
        let is_for = |stage: &(Stage, &Node, Span)| matches!(stage.0, Stage::For);
        if stages.len() < least || !matches!(sink, Sink::Entries { .. }) && stages.iter().any(is_for) {
            return;
        }
        let filters = stages.iter().all(|(stage, ..)| matches!(stage, Stage::Filter { .. }));
        if matches!(sink, Sink::Group { .. }) && !filters {
            return;
        }
        if let Some(made) = self.fused(node, &sink, &stages, items) {
            *node = made;
        }
    }

    /// The same for a test of whether a chain has elements.
    fn test_of_chain(&mut self, test: &mut Node) {
        let asks = |id| id == known().seq || id == known().not_empty;
        let Some((_, [chain])) = test.builtin_call().filter(|(id, _)| asks(*id)) else { return };
        let (stages, items) = chain_of(chain);
        if stages.is_empty() {
            return;
        }
        let empty = call(known().is_empty, vec![chain.clone()], test.span);
        if let Some(made) = self.fused(&empty, &Sink::IsEmpty, &stages, items) {
            *test = call(known().not, vec![made], test.span);
        }
    }

    fn fused(&mut self, written: &Node, sink: &Sink, stages: &[(Stage, &Node, Span)], items: &Node) -> Option<Node> {
        let span = written.span;
        let (does, init) = match sink {
            Sink::Collect | Sink::Vector => (LoopKind::Map, None),
            Sink::First => (LoopKind::First, None),
            Sink::IsEmpty => (LoopKind::Search { truthy: false }, None),
            Sink::Group { .. } => (LoopKind::Group, None),
            Sink::Count => (LoopKind::Fold { init: true }, Some(constant(Value::Int(0), span))),
            Sink::Search { truthy, .. } => (LoopKind::Search { truthy: *truthy }, None),
            Sink::Fold { init, .. } | Sink::Entries { init } => (LoopKind::Fold { init: true }, Some(init.clone())),
            Sink::Sum { product, init } => (LoopKind::Sum { product: *product, init: init.is_some() }, init.clone()),
        };
        if !init.as_ref().is_none_or(is_pure) || self.slots > MAX_SLOTS {
            return None;
        }
        let mut bindings = Vec::new();
        let mut collection = items.clone();
        let over = self.hold_collection(&mut collection, false, &mut bindings);
        let init = init.map(|mut init| self.hold(&mut init, &mut bindings));
        let first = self.slots;
        let folds = Slot::from(matches!(does, LoopKind::Fold { .. }));
        self.slots += folds + 1;
        let element = local(first + folds, span);
        let skip = Node { kind: Kind::Made(Made::Skip), span };
        let acc = local(first, span);
        let mut body = self.body_of_chain(stages, element, &skip, &mut |rewriter, element| match sink {
            Sink::Collect | Sink::Vector | Sink::First | Sink::Sum { .. } => Some(element),
            Sink::Count => Some(call(known().inc, vec![acc.clone()], span)),
            Sink::IsEmpty => Some(constant(Value::Bool(false), span)),
            Sink::Search { f, .. } | Sink::Group { f } => rewriter.apply_pure(f, vec![element], span),
            Sink::Fold { f, .. } => rewriter.apply_pure(f, vec![acc.clone(), element], span),
            Sink::Entries { .. } => Some(call(known().put, vec![acc.clone(), element], span)),
        })?;
        if !is_pure_body(&body) || matches!(sink, Sink::Entries { .. }) && !entries::all_put(&mut body) {
            return None;
        }
        let mut slow = written.clone();
        let calls = stages.len() + usize::from(!matches!(sink, Sink::Collect));
        go_over(&mut slow, calls, collection);
        // For a keyword as function, a single map is usually a mistake: the slow path reports it.
        let takes_maps = !stages.last().is_some_and(|(_, f, _)| matches!(f.kind, Kind::Const(Value::Keyword(_))));
        let slots = self.slots - first;
        let mut each = Each {
            does,
            over,
            beside: None,
            init,
            callee: None,
            slow,
            takes_maps,
            warns: stages.iter().any(|(stage, ..)| !matches!(stage, Stage::Filter { .. })),
            indexed: false,
            parts: None,
            nested: false,
            sets: Vec::new(),
            first,
            slots,
            body,
        };
        self.take_apart(&mut each);
        Some(bound(bindings, Node { kind: Kind::Made(Made::Each(Box::new(each))), span }))
    }

    /// The loop over `(take-while p (iterate f x))`, if that is what `items` are and all elements are used.
    fn iterated(&mut self, sink: &Sink, stages: &[(Stage, &Node, Span)], items: &Node, span: Span) -> Option<Node> {
        let ids = known();
        let (taken, [holds, source]) = items.builtin_call()? else { return None };
        let (made_by, [f, start]) = source.builtin_call()? else { return None };
        if taken != ids.take_while || made_by != ids.iterate || self.slots > MAX_SLOTS {
            return None;
        }
        let number = |n| constant(Value::Int(n), span);
        let (made, x) = (local(self.slots, span), local(self.slots + 1, span));
        let is_none = call(ids.eq, vec![made.clone(), nil(span)], span);
        let (init, end) = match sink {
            Sink::Count => (number(0), made.clone()),
            Sink::Vector => (Node { kind: Kind::Vector(Vec::new()), span }, made.clone()),
            Sink::Fold { init, .. } | Sink::Sum { init: Some(init), .. } => (init.clone(), made.clone()),
            // The first element is the first sum, and may be anything but nil if it is not a number.
            Sink::Sum { product, init: None } if gives_numbers(stages) => {
                (nil(span), choice(is_none.clone(), number(i64::from(*product)), made.clone(), span))
            }
            _ => return None,
        };
        self.slots += 2;
        let step = self.body_of_chain(stages, x.clone(), &made, &mut |rewriter, element| match sink {
            Sink::Count => Some(call(ids.inc, vec![made.clone()], span)),
            Sink::Fold { f, .. } => rewriter.apply_pure(f, vec![made.clone(), element], span),
            Sink::Sum { product, init } => {
                let by = if *product { ids.mul } else { ids.add };
                let sum = call(by, vec![made.clone(), element.clone()], span);
                Some(if init.is_some() { sum } else { choice(is_none.clone(), element, sum, span) })
            }
            _ => Some(call(ids.conj, vec![made.clone(), element], span)),
        })?;
        let next = self.apply_pure(f, vec![x.clone()], span)?;
        let test = self.apply_pure(holds, vec![x.clone()], span)?;
        let again = Node { kind: Kind::Recur(vec![step, next]), span };
        let bindings = vec![(made.slot()?, init), (x.slot()?, start.clone())];
        Some(Node { kind: Kind::Loop { bindings, body: Box::new(choice(test, again, end, span)) }, span })
    }

    /// What happens to an element: its way through the stages, then what `end` does with it; `skip` where a stage drops
    /// it.
    fn body_of_chain(
        &mut self,
        stages: &[(Stage, &Node, Span)],
        element: Node,
        skip: &Node,
        end: &mut dyn FnMut(&mut Self, Node) -> Option<Node>,
    ) -> Option<Node> {
        let Some(((stage, f, place), later)) = stages.split_last() else { return end(self, element) };
        let (span, skip_it) = (skip.span, skip.clone());
        match stage {
            Stage::Filter { truthy } => {
                let test = self.apply_pure(f, vec![element.clone()], *place)?;
                let rest = self.body_of_chain(later, element, skip, end)?;
                let (then, otherwise) = if *truthy { (rest, skip_it) } else { (skip_it, rest) };
                Some(choice(test, then, otherwise, span))
            }
            Stage::Map | Stage::Keep | Stage::For => {
                let mut value = self.apply_pure(f, vec![element], *place)?;
                if matches!(stage, Stage::For) {
                    super::loops::mark(&mut value);
                }
                let slot = self.slots;
                self.slots += 1;
                let mut body = self.body_of_chain(later, local(slot, span), skip, end)?;
                if entries::put_in(&mut value, slot, &body) {
                    return Some(value);
                }
                if matches!(stage, Stage::Keep) {
                    let is_nil = call(known().eq, vec![local(slot, span), nil(span)], span);
                    body = choice(is_nil, skip_it, body, span);
                }
                Some(bound(vec![(slot, value)], body))
            }
        }
    }

    /// The call of a function that has no effects; keywords and other values count as functions here.
    fn apply_pure(&mut self, f: &Node, args: Vec<Node>, span: Span) -> Option<Node> {
        let known = match &f.kind {
            Kind::Fn(_) | Kind::Const(Value::Keyword(_)) => true,
            Kind::Const(Value::Builtin(id)) => purity(*id) == Purity::Pure,
            _ => super::inlining::is_combined(f),
        };
        if known { self.apply(f, args, span).filter(is_pure) } else { None }
    }
}

/// Whether the elements that come out of the stages are numbers, all computed by a stage.
fn gives_numbers(stages: &[(Stage, &Node, Span)]) -> bool {
    let made_by = stages.iter().find(|(stage, ..)| !matches!(stage, Stage::Filter { .. }));
    made_by.is_some_and(|(stage, f, _)| match &f.kind {
        _ if !matches!(stage, Stage::Map) => false,
        Kind::Const(Value::Builtin(id)) => gives_number(*id),
        Kind::Fn(function) => {
            function.arities.iter().all(|arity| arity.body.builtin_call().is_some_and(|(id, _)| gives_number(id)))
        }
        _ => false,
    })
}

fn gives_number(id: BuiltinId) -> bool {
    table().entry(id).row.facts.returns == Returns::Number
}

/// Like [`is_pure`], for a body that may continue with the next element.
fn is_pure_body(body: &Node) -> bool {
    match &body.kind {
        Kind::Made(Made::Skip | Made::Stop) => true,
        Kind::Cond { .. } => body.all_parts(is_pure_body),
        Kind::Let { bindings, body } => bindings.iter().all(|(_, init)| is_pure(init)) && is_pure_body(body),
        _ => is_pure(body),
    }
}

/// Make the innermost of this many calls iterate over something else.
fn go_over(node: &mut Node, calls: usize, items: Node) {
    match &mut node.kind {
        Kind::Call { callee, args } if calls > 0 => {
            let is_for = callee.builtin() == Some(known().each);
            if let Some(inner) = if is_for { args.first_mut() } else { args.last_mut() } {
                go_over(inner, calls - 1, items);
            }
        }
        _ => *node = items,
    }
}
