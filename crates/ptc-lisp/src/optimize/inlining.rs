//! Inlining: a function literal that is called where it is written becomes bindings around its body. Functions from `fnil`,
//! `partial` and the like are called without being created; other passes use that.
//!
//! ```text
//! before  ((fn [a b] (+ a b)) x (f y))
//! after   (let [$13 (f y)] (+ x $13))
//! law     Arguments are evaluated once, in order, before the body.
//! ```

use std::sync::Arc;

use super::purity::is_pure;
use super::root_first::{MAX_SLOTS, Rewriter};
use crate::analyze::ir::{CaptureSource, Function, Kind, Node, Slot, bound, call, call_of, choice, local, nil};
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::Value;

/// Whether the expression creates a function from other functions.
pub(super) fn is_combined(node: &Node) -> bool {
    node.builtin_call().is_some_and(|(id, _)| table().entry(id).row.is_combinator())
}

/// Whether it may be repeated, at any place in the body.
fn is_repeatable(node: &Node) -> bool {
    matches!(node.kind, Kind::Const(_) | Kind::Local { .. } | Kind::Capture(_))
}

/// Put a literal that is called where it is written into its place.
pub(super) fn run(rewriter: &mut Rewriter<'_>, node: &mut Node) {
    if let Kind::Call { callee, args } = &node.kind
        && matches!(callee.kind, Kind::Fn(_))
        && let Some(body) = rewriter.apply(callee, args.clone(), node.span)
    {
        *node = body;
    }
}

impl Rewriter<'_> {
    /// The call of `callee` with these arguments, which are all pure; `span` is where it is written. `None` when it
    /// must be called as a value.
    pub(super) fn apply(&mut self, callee: &Node, args: Vec<Node>, span: Span) -> Option<Node> {
        match &callee.kind {
            Kind::Const(Value::Builtin(_) | Value::Keyword(_) | Value::Map(_) | Value::Set(_))
            | Kind::Global(_)
            | Kind::Local { .. }
            | Kind::Capture(_) => Some(call_of(callee.clone(), args, span)),
            Kind::Fn(function) => {
                let known: Vec<_> = args.iter().map(Node::slot).collect();
                let Moved { first, body, .. } = self.body_with(function, u32::try_from(args.len()).ok()?, &known)?;
                let bindings = (first..).zip(args).filter(|(_, arg)| arg.slot().is_none()).collect();
                Some(bound(bindings, body))
            }
            _ => {
                let (id, parts) = callee.builtin_call().filter(|(id, _)| table().entry(*id).row.is_combinator())?;
                self.apply_combined(table().entry(id).row.name, parts, args, span)
            }
        }
    }

    fn apply_combined(&mut self, made_by: &str, parts: &[Node], args: Vec<Node>, span: Span) -> Option<Node> {
        match (made_by, parts) {
            ("fnil", [f, default]) if is_repeatable(default) => {
                let mut args = args.into_iter();
                let first = args.next().filter(is_repeatable)?;
                let test = call(known().eq, vec![first.clone(), nil(span)], span);
                let value = choice(test, default.clone(), first, span);
                self.apply(f, std::iter::once(value).chain(args).collect(), span)
            }
            ("partial", [f, fixed @ ..])
                if fixed.iter().all(|arg| is_repeatable(arg) || (self.once && is_pure(arg))) =>
            {
                self.apply(f, fixed.iter().cloned().chain(args).collect(), span)
            }
            ("comp", [outer @ .., last]) => {
                let innermost = self.apply(last, args, span)?;
                outer.iter().rev().try_fold(innermost, |inner, f| self.apply_to_result(f, inner, span))
            }
            ("complement", [f]) => Some(call(known().not, vec![self.apply(f, args, span)?], span)),
            ("constantly", [value]) if is_repeatable(value) => Some(value.clone()),
            ("juxt", [_, ..]) if args.iter().all(is_repeatable) => {
                let values = parts.iter().map(|f| self.apply(f, args.clone(), span)).collect::<Option<_>>()?;
                Some(Node { kind: Kind::Vector(values), span })
            }
            _ => None,
        }
    }

    /// The call of `f` with an argument that may have effects, which come first anyway.
    fn apply_to_result(&mut self, f: &Node, inner: Node, span: Span) -> Option<Node> {
        let is_called = is_repeatable(f) || matches!(f.kind, Kind::Fn(_) | Kind::Global(_));
        if is_called || is_pure(&inner) { self.apply(f, vec![inner], span) } else { None }
    }

    /// The body of a function that is called with this many locals.
    pub(super) fn applied(&mut self, function: &Node, params: Slot, span: Span) -> Option<Moved> {
        let first = self.slots;
        self.slots += params;
        let args = (first..self.slots).map(|slot| local(slot, span)).collect();
        let body = self.apply(function, args, span)?;
        Some(Moved { first, slots: self.slots - first, body })
    }

    /// The body of a function of `params` parameters, moved after the slots of this one. The first parameters are
    /// existing locals, as far as they are `known`.
    pub(super) fn body_with(&mut self, function: &Function, params: Slot, known: &[Option<Slot>]) -> Option<Moved> {
        let [arity] = function.arities.as_slice() else { return None };
        let (first, slots) = (self.slots, arity.slots);
        if function.name.is_some() || arity.fixed != params || arity.rest || first + slots > MAX_SLOTS {
            return None;
        }
        let mut body = arity.body.clone();
        let mut moved = Move { first, params: known, captures: &function.captures, loops: 0, possible: true };
        moved.visit(&mut body);
        if !moved.possible {
            return None;
        }
        self.slots += slots;
        Some(Moved { first, slots, body })
    }
}

/// A body in its new place.
pub(super) struct Moved {
    pub first: Slot,
    pub slots: u32,
    pub body: Node,
}

/// A body being moved into another function: there, its slots start at `first`, and its captured values are available.
struct Move<'a> {
    first: Slot,
    /// Parameters with other slots there.
    params: &'a [Option<Slot>],
    captures: &'a [CaptureSource],
    /// The number of loops around the expression.
    loops: usize,
    /// Whether it can be moved: it neither names its function nor jumps to its start.
    possible: bool,
}

/// Move a body after the `first` slots of another function, where `captures` are its captured values. False when it
/// cannot be moved.
pub(super) fn move_body(body: &mut Node, first: Slot, captures: &[CaptureSource]) -> bool {
    let mut moved = Move { first, params: &[], captures, loops: 0, possible: true };
    moved.visit(body);
    moved.possible
}

impl Move<'_> {
    fn visit(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Local { slot, .. } => *slot = self.moved(*slot),
            Kind::Capture(index) => node.kind = self.captured(*index),
            Kind::SelfFn => self.possible = false,
            Kind::Recur(_) if self.loops == 0 => self.possible = false,
            Kind::Let { bindings, .. } => self.shift(bindings),
            Kind::Loop { bindings, body } => {
                self.shift(bindings);
                bindings.iter_mut().for_each(|(_, init)| self.visit(init));
                self.loops += 1;
                self.visit(body);
                self.loops -= 1;
                return;
            }
            Kind::Try { catches, .. } => catches.iter_mut().for_each(|catch| catch.slot += self.first),
            Kind::Fn(function) => self.redirect(&mut Arc::make_mut(function).captures),
            Kind::LetFn { slots, captures, .. } => {
                slots.iter_mut().for_each(|slot| *slot += self.first);
                self.redirect(captures);
            }
            _ => {}
        }
        node.for_each_part(&mut |part| self.visit(part));
    }

    /// The slot that is read instead of this one.
    fn moved(&self, slot: Slot) -> Slot {
        self.params.get(slot as usize).copied().flatten().unwrap_or(slot + self.first)
    }

    fn shift(&self, bindings: &mut [(Slot, Node)]) {
        bindings.iter_mut().for_each(|(slot, _)| *slot += self.first);
    }

    /// A captured value as seen by the enclosing function.
    fn captured(&self, index: u32) -> Kind {
        match self.captures.get(index as usize) {
            Some(CaptureSource::Local(slot)) => Kind::Local { slot: *slot, last: false },
            Some(CaptureSource::Capture(index)) => Kind::Capture(*index),
            Some(CaptureSource::SelfFn) => Kind::SelfFn,
            Some(CaptureSource::Sibling(index)) => Kind::Sibling(*index),
            None => Kind::Const(Value::Nil),
        }
    }

    fn redirect(&mut self, sources: &mut [CaptureSource]) {
        for source in sources {
            match source {
                CaptureSource::Local(slot) => *slot = self.moved(*slot),
                CaptureSource::Capture(index) => {
                    if let Some(outer) = self.captures.get(*index as usize) {
                        *source = *outer;
                    }
                }
                CaptureSource::SelfFn | CaptureSource::Sibling(_) => self.possible = false,
            }
        }
    }
}
