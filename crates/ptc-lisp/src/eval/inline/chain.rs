//! Loops over what other loops give: one loop does the work of all, and what is only asked for a part of them ends
//! early.
//!
//! `(count (filter even? (map f xs)))` makes neither sequence. The order of the calls changes, so all of them must be
//! pure; then it shows in nothing but which of two errors comes first: that of the earlier element, as in a lazy
//! sequence.

use super::{Inliner, MAX_SLOTS};
use crate::analyze::ir::{Does, Each, Kind, Node, Slot, bound, call, choice, constant, local, nil};
use crate::eval::order::{is_pure, purity};
use crate::span::Span;
use crate::stdlib::Purity;
use crate::stdlib::known::known;
use crate::value::Value;

/// One step of a chain.
#[derive(Copy, Clone)]
enum Stage {
    Map,
    Filter { truthy: bool },
    Keep,
}

/// What asks for the elements.
enum Sink {
    /// All of them, in a vector.
    Collect,
    First,
    Count,
    /// Whether there is none.
    IsEmpty,
    Search {
        truthy: bool,
        f: Node,
    },
    Fold {
        f: Node,
        init: Node,
    },
    /// The elements themselves, by what the function gives for them.
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
    let stage = match id {
        _ if id == ids.map || id == ids.mapv => Stage::Map,
        _ if id == ids.filter || id == ids.filterv => Stage::Filter { truthy: true },
        _ if id == ids.remove => Stage::Filter { truthy: false },
        _ if id == ids.keep => Stage::Keep,
        _ => return None,
    };
    Some((stage, f, items))
}

/// The stages of a chain, the last one first, each with its place, and what they go over.
fn chain_of(node: &Node) -> (Vec<(Stage, &Node, Span)>, &Node) {
    let (mut stages, mut items) = (Vec::new(), node);
    while let Some((stage, f, inner)) = stage_of(items) {
        stages.push((stage, f, items.span));
        items = inner;
    }
    (stages, items)
}

/// What the call asks of the chain in its last argument.
fn sink_of(node: &Node) -> Option<(Sink, &Node)> {
    let ids = known();
    let (id, args) = node.builtin_call()?;
    Some(match args {
        [chain] if id == ids.first => (Sink::First, chain),
        [chain] if id == ids.count => (Sink::Count, chain),
        [chain] if id == ids.is_empty => (Sink::IsEmpty, chain),
        [f, chain] if id == ids.some => (Sink::Search { truthy: true, f: f.clone() }, chain),
        [f, chain] if id == ids.every => (Sink::Search { truthy: false, f: f.clone() }, chain),
        [Node { kind: Kind::Const(Value::Builtin(by)), .. }, init @ .., chain]
            if id == ids.reduce && (*by == ids.add || *by == ids.mul) =>
        {
            (Sink::Sum { product: *by == ids.mul, init: init.first().cloned() }, chain)
        }
        [f, chain] if id == ids.group_by => (Sink::Group { f: f.clone() }, chain),
        [f, init, chain] if id == ids.reduce => (Sink::Fold { f: f.clone(), init: init.clone() }, chain),
        _ => (Sink::Collect, node),
    })
}

impl Inliner {
    /// Make one loop of a chain, if the call is one that ends such a chain.
    pub(super) fn chain(&mut self, node: &mut Node) {
        let Some((sink, chain)) = sink_of(node) else { return };
        let (stages, items) = chain_of(chain);
        if stages.len() < if matches!(sink, Sink::Collect) { 2 } else { 1 } {
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
    pub(super) fn test_of_chain(&mut self, test: &mut Node) {
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
            Sink::Collect => (Does::Map, None),
            Sink::First => (Does::First, None),
            Sink::IsEmpty => (Does::Search { truthy: false }, None),
            Sink::Group { .. } => (Does::Group, None),
            Sink::Count => (Does::Fold { init: true }, Some(constant(Value::Int(0), span))),
            Sink::Search { truthy, .. } => (Does::Search { truthy: *truthy }, None),
            Sink::Fold { init, .. } => (Does::Fold { init: true }, Some(init.clone())),
            Sink::Sum { product, init } => (Does::Sum { product: *product, init: init.is_some() }, init.clone()),
        };
        if !init.as_ref().is_none_or(is_pure) || self.slots > MAX_SLOTS {
            return None;
        }
        let mut bindings = Vec::new();
        let mut collection = items.clone();
        let over = self.hold_collection(&mut collection, false, &mut bindings);
        let init = init.map(|mut init| self.hold(&mut init, &mut bindings));
        let first = self.slots;
        let folds = Slot::from(matches!(does, Does::Fold { .. }));
        self.slots += folds + 1;
        let element = local(first + folds, span);
        let body = self.body_of_chain(sink, stages, element, first, span)?;
        if !is_pure_body(&body) {
            return None;
        }
        let mut slow = written.clone();
        let calls = stages.len() + usize::from(!matches!(sink, Sink::Collect));
        go_over(&mut slow, calls, collection);
        // A keyword asks for many maps, and is told of one.
        let takes_maps = !stages.last().is_some_and(|(_, f, _)| matches!(f.kind, Kind::Const(Value::Keyword(_))));
        let slots = self.slots - first;
        let each = Each {
            does,
            over,
            beside: None,
            init,
            callee: None,
            slow,
            takes_maps,
            indexed: false,
            parts: None,
            nested: false,
            sets: Vec::new(),
            first,
            slots,
            body,
        };
        Some(bound(bindings, Node { kind: Kind::Each(Box::new(each)), span }))
    }

    /// What happens to an element: its way through the stages, then what the sink does with it.
    fn body_of_chain(
        &mut self,
        sink: &Sink,
        stages: &[(Stage, &Node, Span)],
        element: Node,
        acc: Slot,
        span: Span,
    ) -> Option<Node> {
        let Some(((stage, f, place), later)) = stages.split_last() else {
            return match sink {
                Sink::Collect | Sink::First | Sink::Sum { .. } => Some(element),
                Sink::Count => Some(call(known().inc, vec![local(acc, span)], span)),
                Sink::IsEmpty => Some(constant(Value::Bool(false), span)),
                Sink::Search { f, .. } | Sink::Group { f } => self.apply_pure(f, vec![element], span),
                Sink::Fold { f, .. } => self.apply_pure(f, vec![local(acc, span), element], span),
            };
        };
        let skip = Node { kind: Kind::Skip, span };
        match stage {
            Stage::Filter { truthy } => {
                let test = self.apply_pure(f, vec![element.clone()], *place)?;
                let rest = self.body_of_chain(sink, later, element, acc, span)?;
                let (then, otherwise) = if *truthy { (rest, skip) } else { (skip, rest) };
                Some(choice(test, then, otherwise, span))
            }
            Stage::Map | Stage::Keep => {
                let value = self.apply_pure(f, vec![element], *place)?;
                let slot = self.slots;
                self.slots += 1;
                let mut body = self.body_of_chain(sink, later, local(slot, span), acc, span)?;
                if matches!(stage, Stage::Keep) {
                    let is_nil = call(known().eq, vec![local(slot, span), nil(span)], span);
                    body = choice(is_nil, skip, body, span);
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
            _ => super::apply::is_combined(f),
        };
        if known { self.apply(f, args, span).filter(is_pure) } else { None }
    }
}

/// As [`is_pure`], for a body that may go on with the next element.
fn is_pure_body(body: &Node) -> bool {
    match &body.kind {
        Kind::Skip => true,
        Kind::Cond { .. } => body.all_parts(is_pure_body),
        Kind::Let { bindings, body } => bindings.iter().all(|(_, init)| is_pure(init)) && is_pure_body(body),
        _ => is_pure(body),
    }
}

/// Let the innermost of so many calls go over something else.
fn go_over(node: &mut Node, calls: usize, items: Node) {
    match &mut node.kind {
        Kind::Call { args, .. } if calls > 0 => {
            if let Some(last) = args.last_mut() {
                go_over(last, calls - 1, items);
            }
        }
        _ => *node = items,
    }
}
