//! Scalar replacement: the parts of a vector or map that a fold or loop carries become locals.
//!
//! ```text
//! with    loops
//! before  (reduce (fn [[a b] x] [b (+ a x)]) [0 1] xs)
//! after   (let [$18 0 $19 1] (or (each effects [$18 $19] [$13 xs] (let [] (recur $19 (+ $18 $13)))) [$18 $19]))
//! before  (loop [s {:n 0} xs xs] (if (seq xs) (recur (assoc s :n (inc (:n s))) (rest xs)) s))
//! after   (loop [$14 0 $13 xs] (if (seq $13) (recur (inc $14) (rest $13)) {:n $14}))
//! law     The state is created when it is read as a whole: at the end.
//! ```

use std::sync::Arc;

use super::purity::is_pure;
use super::root_first::Rewriter;
use super::tree::{LoopKind, Made};
use super::updates::{keys_of, reckons};
use crate::analyze::ir::{CaptureSource, Kind, Node, Slot, call, call_of, choice, constant, local, nil};
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{Name, Value};

/// The most parts of a state.
const MOST_PARTS: usize = 8;

/// How the parts of a state are identified.
#[derive(Clone, PartialEq)]
pub(super) enum Shape {
    /// By index, in a vector of this length.
    Places(usize),
    /// By their keys in a map, in order.
    Keys(Vec<Name>),
}

impl Shape {
    /// A literal as a state, with the expressions of its parts.
    pub fn of(node: &Node) -> Option<(Shape, Vec<Node>)> {
        let span = node.span;
        let known = |value: &Value| constant(value.clone(), span);
        let nodes = match &node.kind {
            Kind::Vector(items) => items.clone(),
            Kind::Const(Value::Vector(items)) if items.len() <= MOST_PARTS => items.iter().map(known).collect(),
            Kind::Map(entries) => entries.clone(),
            Kind::Const(Value::Map(map)) if map.as_sorted().is_none() && map.len() <= MOST_PARTS => {
                map.iter().flat_map(|(key, value)| [known(key), known(value)]).collect()
            }
            _ => return None,
        };
        let (shape, values) = if matches!(node.kind, Kind::Vector(_) | Kind::Const(Value::Vector(_))) {
            (Shape::Places(nodes.len()), nodes)
        } else {
            let mut keys: Vec<Name> = Vec::new();
            for key in nodes.iter().step_by(2) {
                match &key.kind {
                    Kind::Const(Value::Keyword(name)) if !keys.contains(name) => keys.push(name.clone()),
                    _ => return None,
                }
            }
            (Shape::Keys(keys), nodes.into_iter().skip(1).step_by(2).collect())
        };
        (1..=MOST_PARTS).contains(&values.len()).then_some((shape, values))
    }

    fn key(&self, at: usize, span: Span) -> Node {
        match self {
            Shape::Keys(keys) => constant(keys.get(at).map_or(Value::Nil, |key| Value::Keyword(key.clone())), span),
            Shape::Places(_) => constant(Value::Int(i64::try_from(at).unwrap_or(i64::MAX)), span),
        }
    }

    /// Which part has this key; `None` when it may be any or none.
    fn at(&self, key: &Node) -> Option<usize> {
        match (self, &key.kind) {
            (Shape::Places(count), Kind::Const(Value::Int(at))) => usize::try_from(*at).ok().filter(|at| at < count),
            (Shape::Keys(keys), Kind::Const(Value::Keyword(name))) => keys.iter().position(|key| key == name),
            _ => None,
        }
    }

    fn count(&self) -> usize {
        match self {
            Shape::Places(count) => *count,
            Shape::Keys(keys) => keys.len(),
        }
    }

    /// A state with only this part, or with nothing before it.
    fn alone(&self, key: &Node, part: &Node) -> Option<Node> {
        let before = |count| std::iter::repeat_with(|| nil(part.span)).take(count);
        let kind = match self {
            Shape::Places(_) => Kind::Vector(before(self.at(key)?).chain([part.clone()]).collect()),
            Shape::Keys(_) => Kind::Map(vec![key.clone(), part.clone()]),
        };
        Some(Node { kind, span: part.span })
    }

    /// The state constructed from its parts.
    fn made(&self, slots: &[Slot], span: Span) -> Node {
        let part = |slot: &Slot| local(*slot, span);
        let kind = match self {
            Shape::Places(_) => Kind::Vector(slots.iter().map(part).collect()),
            Shape::Keys(_) => {
                Kind::Map(slots.iter().enumerate().flat_map(|(at, slot)| [self.key(at, span), part(slot)]).collect())
            }
        };
        Node { kind, span }
    }
}

/// Take the states of a fold or a loop apart.
pub(super) fn run(rewriter: &mut Rewriter<'_>, node: &mut Node) {
    rewriter.fold_apart(node);
    rewriter.loop_apart(node);
}

impl Rewriter<'_> {
    /// Take the state of a fold apart: the initial state gives the first values of its parts, and a loop sets them. At
    /// the end the state is constructed from the parts, unless the slow path returned it.
    fn fold_apart(&mut self, node: &mut Node) {
        let span = node.span;
        let Kind::Let { bindings, body } = &mut node.kind else { return };
        let Kind::Made(Made::Each(each)) = &mut body.kind else { return };
        let Some(init) = each.init.as_ref().and_then(Node::slot).filter(|_| each.does == LoopKind::Fold { init: true })
        else {
            return;
        };
        let Some(at) = bindings.iter().position(|(slot, _)| *slot == init) else { return };
        let Some((_, literal)) = bindings.get(at) else { return };
        let Some((shape, values)) = Shape::of(literal) else { return };
        let mut changed = each.body.clone();
        let Some(slots) = self.apart(&shape, each.first, |apart| apart.tail(&mut changed)) else { return };
        let state = shape.made(&slots, span);
        put_in_place(&mut each.slow, init, &state);
        bindings.splice(at..=at, slots.iter().copied().zip(values));
        (each.does, each.init, each.body, each.sets) = (LoopKind::Effects, None, changed, slots);
        // The state no longer has a slot.
        (each.first, each.slots) = (each.first + 1, each.slots - 1);
        let rounds = Node { kind: body.take_kind(), span };
        body.kind = Kind::Or(vec![rounds, state]);
    }

    /// Take apart those locals of a loop that are states.
    fn loop_apart(&mut self, node: &mut Node) {
        let Kind::Loop { bindings, body } = &mut node.kind else { return };
        let mut at = 0;
        while let Some((slot, init)) = bindings.get(at) {
            let (slot, held) = (*slot, init.slot());
            let known = match held {
                // A pattern is also read before the loop starts.
                Some(held) => self.literals.iter().rev().find(|(known, _)| *known == held).map(|(_, shape)| {
                    let part = |at| call(known().get, vec![init.clone(), shape.key(at, init.span)], init.span);
                    (shape.clone(), (0..shape.count()).map(part).collect())
                }),
                None => Shape::of(init),
            };
            let apart = known.and_then(|(shape, values)| {
                let mut changed = body.clone();
                let slots = self.apart(&shape, slot, |apart| apart.rounds(&mut changed, at))?;
                Some((slots, values, changed))
            });
            let Some((slots, values, changed)) = apart else {
                at += 1;
                continue;
            };
            *body = changed;
            let count = slots.len();
            bindings.splice(at..=at, slots.into_iter().zip(values));
            at += count;
        }
    }

    /// Rewrite a body with `change` so that it uses only the parts of the state in `slot`. Returns the locals of the
    /// parts, if that is possible.
    fn apart(&mut self, shape: &Shape, slot: Slot, change: impl FnOnce(&mut Apart<'_, '_>)) -> Option<Vec<Slot>> {
        let before = self.slots;
        let slots: Vec<Slot> = (before..).take(shape.count()).collect();
        self.slots += slots.len() as Slot;
        let states = vec![(slot, slots.clone())];
        let mut apart = Apart { shape, rewriter: self, states, same: Vec::new(), may_make: false, possible: true };
        change(&mut apart);
        let possible = apart.possible;
        if !possible {
            self.slots = before;
        }
        possible.then_some(slots)
    }
}

/// Replace each read of `slot` with a copy of `made`.
fn put_in_place(node: &mut Node, slot: Slot, made: &Node) {
    if node.slot() == Some(slot) {
        *node = made.clone();
    } else {
        node.for_each_part(&mut |part| put_in_place(part, slot, made));
    }
}

/// A body whose state is taken apart.
struct Apart<'a, 'r> {
    shape: &'a Shape,
    rewriter: &'a mut Rewriter<'r>,
    /// Locals that hold a state, each with the locals of its parts.
    states: Vec<(Slot, Vec<Slot>)>,
    /// Locals that hold the same value as another one.
    same: Vec<(Slot, Slot)>,
    /// Whether the state may be constructed where all of it is read: once, at the exit of a loop.
    may_make: bool,
    possible: bool,
}

impl Apart<'_, '_> {
    /// The end of a round of a fold: its value sets the parts.
    fn tail(&mut self, node: &mut Node) {
        self.ends(node, &mut |apart, node| match apart.rebuilt(node) {
            _ if matches!(node.kind, Kind::Made(Made::Skip)) => {}
            Some(values) => node.kind = Kind::Recur(values),
            None => apart.possible = false,
        });
    }

    /// The ends of the body of a loop: the next round, where the state is argument `at`, or the exit.
    fn rounds(&mut self, node: &mut Node, at: usize) {
        self.ends(node, &mut |apart, node| match &mut node.kind {
            Kind::Recur(args) => {
                let Some(values) = args.get(at).and_then(|state| apart.rebuilt(state)) else {
                    apart.possible = false;
                    return;
                };
                args.iter_mut().enumerate().filter(|(place, _)| *place != at).for_each(|(_, arg)| apart.visit(arg));
                args.splice(at..=at, values);
            }
            _ => {
                apart.may_make = true;
                apart.visit(node);
                apart.may_make = false;
            }
        });
    }

    /// Visit a body, and call `end` where it ends.
    fn ends(&mut self, node: &mut Node, end: &mut dyn FnMut(&mut Self, &mut Node)) {
        match &mut node.kind {
            Kind::Cond { clauses, default } => {
                for (test, then) in clauses {
                    self.visit(test);
                    self.ends(then, end);
                }
                self.ends(default, end);
            }
            Kind::Do(nodes) => {
                let Some((last, before)) = nodes.split_last_mut() else { return end(self, node) };
                before.iter_mut().for_each(|node| self.visit(node));
                self.ends(last, end);
            }
            Kind::Let { bindings, body } => {
                self.bind(bindings);
                self.ends(body, end);
            }
            _ => end(self, node),
        }
    }

    /// An expression that does not return a state: it reads only parts of states.
    fn visit(&mut self, node: &mut Node) {
        if let Some(part) = self.part(node) {
            node.kind = part.map_or(Kind::Const(Value::Nil), |slot| local(slot, node.span).kind);
            return;
        }
        match &mut node.kind {
            Kind::Local { slot, .. } => {
                if let Some(same) = self.same_as(*slot) {
                    *slot = same;
                } else if let Some(slots) = self.state(*slot) {
                    self.possible &= self.may_make;
                    *node = self.shape.made(&slots, node.span);
                }
                return;
            }
            Kind::Fn(function) => self.capture(&mut Arc::make_mut(function).captures),
            Kind::LetFn { captures, .. } => self.capture(captures),
            Kind::Let { bindings, body } => {
                self.bind(bindings);
                return self.visit(body);
            }
            Kind::Loop { bindings, body } => {
                bindings.iter_mut().for_each(|(_, init)| self.visit(init));
                // The state must not be constructed in every round of another loop.
                let may_make = std::mem::replace(&mut self.may_make, false);
                self.visit(body);
                self.may_make = may_make;
                return;
            }
            Kind::Made(Made::Each(_) | Made::Update(_)) => self.possible = false,
            _ => {}
        }
        node.for_each_part(&mut |part| self.visit(part));
    }

    /// Bindings, without those of states and parts.
    fn bind(&mut self, bindings: &mut Vec<(Slot, Node)>) {
        for (slot, mut init) in std::mem::take(bindings) {
            if let Some(Some(part)) = self.part(&init) {
                self.same.push((slot, part));
            } else if let Some(values) = self.changed(&init, bindings) {
                let slots = values.into_iter().map(|value| self.hold(value, bindings)).collect();
                self.states.push((slot, slots));
            } else {
                self.visit(&mut init);
                bindings.push((slot, init));
            }
        }
    }

    /// The local that holds a value.
    fn hold(&mut self, value: Node, bindings: &mut Vec<(Slot, Node)>) -> Slot {
        value.slot().unwrap_or_else(|| {
            let slot = self.rewriter.slots;
            self.rewriter.slots += 1;
            bindings.push((slot, value));
            slot
        })
    }

    fn capture(&mut self, sources: &mut [CaptureSource]) {
        for source in sources {
            if let CaptureSource::Local(slot) = source {
                self.possible &= self.state(*slot).is_none();
                *slot = self.same_as(*slot).unwrap_or(*slot);
            }
        }
    }

    fn same_as(&self, slot: Slot) -> Option<Slot> {
        self.same.iter().rev().find(|(known, _)| *known == slot).map(|(_, same)| *same)
    }

    fn state(&self, slot: Slot) -> Option<Vec<Slot>> {
        self.states.iter().rev().find(|(known, _)| *known == slot).map(|(_, slots)| slots.clone())
    }

    /// The parts of the state that is read here, in a pattern or as a whole.
    fn read(&self, node: &Node) -> Option<Vec<Slot>> {
        let holder = match node.builtin_call() {
            Some((id, [holder])) if id == known().seq_pattern && matches!(self.shape, Shape::Places(_)) => holder,
            Some((id, [holder])) if id == known().map_pattern && matches!(self.shape, Shape::Keys(_)) => holder,
            _ => node,
        };
        self.state(holder.slot()?)
    }

    /// The local of the part that is read here, if any; `Some(None)` for a part that no state has.
    fn part(&self, node: &Node) -> Option<Option<Slot>> {
        let Kind::Call { callee, args } = &node.kind else { return None };
        let ids = known();
        let (holder, key, default) = match (callee.builtin(), args.as_slice()) {
            (Some(id), [holder]) if id == ids.first => (holder, Value::Int(0), false),
            (Some(id), [holder]) if table().entry(id).row.name == "second" => (holder, Value::Int(1), false),
            (Some(id), [holder, Node { kind: Kind::Const(key), .. }, more @ ..])
                if [ids.get, ids.nth, ids.nth_part].contains(&id) =>
            {
                (holder, key.clone(), !more.is_empty())
            }
            (None, [holder, more @ ..]) if matches!(callee.kind, Kind::Const(Value::Keyword(_))) => {
                (holder, callee.literal()?, !more.is_empty())
            }
            (None, [Node { kind: Kind::Const(key), .. }]) => (&**callee, key.clone(), false),
            _ => return None,
        };
        let slots = self.state(holder.slot()?)?;
        match self.shape.at(&constant(key.clone(), node.span)) {
            Some(at) => slots.get(at).copied().map(Some),
            None => {
                let is_missing = matches!((self.shape, key), (Shape::Keys(_), Value::Keyword(_)))
                    || callee.builtin() == Some(ids.nth_part);
                (is_missing && !default).then_some(None)
            }
        }
    }

    /// The parts of the state that an expression returns: a literal, or a change of a state.
    fn rebuilt(&mut self, node: &Node) -> Option<Vec<Node>> {
        match Shape::of(node) {
            Some((shape, mut values)) => {
                values.iter_mut().for_each(|value| self.visit(value));
                (shape == *self.shape).then_some(values)
            }
            None => {
                let mut written = Vec::new();
                let values = self.change(node, &mut written)?;
                // Parts are computed in their order.
                (written.is_sorted() || values.iter().all(is_pure)).then_some(values)
            }
        }
    }

    /// The same for a local that is bound to a state and changed only in some cases: `cond->`.
    fn changed(&mut self, node: &Node, bindings: &mut Vec<(Slot, Node)>) -> Option<Vec<Node>> {
        let (test, then, otherwise) = match &node.kind {
            Kind::Cond { clauses, default } if let [(test, then)] = clauses.as_slice() => (test, then, &**default),
            _ => return if Shape::of(node).is_some() { None } else { self.rebuilt(node) },
        };
        let mut written = Vec::new();
        let changed = [self.change(then, &mut written)?, self.change(otherwise, &mut written)?];
        let mut test = test.clone();
        self.visit(&mut test);
        let decided = self.hold(test, bindings);
        let [then, otherwise] = changed;
        let mut values = Vec::new();
        for (then, otherwise) in then.into_iter().zip(otherwise) {
            let is_same = then.slot().is_some() && then.slot() == otherwise.slot();
            let span = then.span;
            values.push(if is_same { then } else { choice(local(decided, span), then, otherwise, span) });
        }
        (written.is_sorted() || values.iter().all(is_pure)).then_some(values)
    }

    /// The parts of a state after a chain of `assoc`, `update` and the like; `written` says in which order.
    fn change(&mut self, node: &Node, written: &mut Vec<usize>) -> Option<Vec<Node>> {
        let span = node.span;
        if let Some(slots) = self.read(node) {
            return Some(slots.into_iter().map(|slot| local(slot, span)).collect());
        }
        let (ids, (id, args)) = (known(), node.builtin_call()?);
        let [state, args @ ..] = args else { return None };
        let changes = [ids.assoc, ids.update, ids.update_in, ids.inner_update_in, ids.assoc_in];
        if !changes.contains(&id) && table().entry(id).row.name != "merge" {
            return None;
        }
        let mut values = self.change(state, written)?;
        let mut args = args.to_vec();
        args.iter_mut().for_each(|arg| self.visit(arg));
        let (shape, rewriter) = (self.shape, &mut *self.rewriter);
        let mut put = |key: &Node, becomes: &mut dyn FnMut(Node) -> Option<Node>| {
            let at = shape.at(key)?;
            written.push(at);
            let old = values.get_mut(at)?;
            // Only a pure value may be dropped.
            if !is_pure(old) {
                return None;
            }
            *old = becomes(std::mem::replace(old, nil(span)))?;
            Some(())
        };
        // What a function returns for the part with this key, if it certainly is a function.
        let mut called = |key: &Node, f: &Node, old: Node, more: &[Node]| {
            let args: Vec<Node> = std::iter::once(old.clone()).chain(more.iter().cloned()).collect();
            let value = match f.kind {
                Kind::Fn(_) | Kind::Global(_) | Kind::Const(Value::Builtin(_) | Value::Keyword(_)) => {
                    call_of(f.clone(), args, span)
                }
                Kind::Call { .. } if args.iter().all(is_pure) => rewriter.apply(f, args, span)?,
                _ => return None,
            };
            if !f.builtin().is_some_and(reckons) || old.builtin_call().is_some_and(|(id, _)| reckons(id)) {
                return Some(value);
            }
            // The update itself has a hint for a missing number.
            old.slot()?;
            let alone = [shape.alone(key, &old)?, key.clone(), f.clone()];
            let says = call(ids.update, alone.into_iter().chain(more.iter().cloned()).collect(), span);
            Some(choice(call(ids.eq, vec![old, nil(span)], span), says, value, span))
        };
        if id == ids.assoc {
            for pair in args.chunks(2) {
                let [key, value] = pair else { return None };
                put(key, &mut |_| Some(value.clone()))?;
            }
        } else if id == ids.update {
            let [key, f, more @ ..] = args.as_slice() else { return None };
            put(key, &mut |old| called(key, f, old, more))?;
        } else if id == ids.update_in || id == ids.inner_update_in || id == ids.assoc_in {
            let [path, more @ ..] = args.as_slice() else { return None };
            let mut keys = keys_of(path)?;
            let key = keys.remove(0);
            let path = Node { kind: Kind::Vector(keys.clone()), span };
            put(&key, &mut |old| match more {
                [value] if id == ids.assoc_in && keys.is_empty() => Some(value.clone()),
                [f, more @ ..] if id != ids.assoc_in && keys.is_empty() => called(&key, f, old, more),
                _ => Some(call(id, [old, path.clone()].into_iter().chain(more.iter().cloned()).collect(), span)),
            })?;
        } else {
            for literal in &args {
                let (Shape::Keys(keys), values) = Shape::of(literal)? else { return None };
                for (key, value) in keys.into_iter().zip(values) {
                    put(&constant(Value::Keyword(key), span), &mut |_| Some(value.clone()))?;
                }
            }
        }
        Some(values)
    }
}
