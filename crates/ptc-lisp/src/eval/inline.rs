//! Function literals that a pass calls with each element: their bodies move into the place of the calls.
//!
//! `(map (fn [x] …) xs)` needs no closure and no frame then, only a loop over the elements; what the literal captures
//! is where it was. The literal stays beside its body, for collections that the slow path must walk.

mod apply;
mod chain;
#[cfg(test)]
mod tests;
mod update;

use std::sync::Arc;

pub(super) use self::update::reckons;
use super::fuse::ask_for_part;
use crate::analyze::ir::{Arity, CaptureSource, Does, Function, Kind, Node, Pass, Slot};
use crate::analyze::statement::is_pure_builtin;
use crate::span::Span;
use crate::stdlib::known::known;
use crate::value::{BuiltinId, Value};

/// Passes within passes whose bodies are moved.
const MAX_DEPTH: usize = 4;
/// Slots that one function may get by it.
const MAX_SLOTS: u32 = 4_096;

/// Move the bodies of all literals of this kind in `arity` into their places.
pub(crate) fn inline_passes(arity: &mut Arity) {
    let mut inliner = Inliner { slots: arity.slots, depth: 0, once: false };
    inliner.visit(&mut arity.body);
    arity.slots = inliner.slots;
}

struct Inliner {
    /// Slots of the function so far.
    slots: u32,
    depth: usize,
    /// Whether the call that is expanded is made at most once: then what stands in it may be evaluated there.
    once: bool,
}

impl Inliner {
    fn visit(&mut self, node: &mut Node) {
        ask_for_part(node);
        self.ask_for_elements(node);
        self.hold_what_reads_the_map(node);
        if let Kind::Call { callee, args } = &mut node.kind
            && let Kind::Const(Value::Builtin(id)) = &callee.kind
            && self.depth < MAX_DEPTH
            && let Some(pass) = self.special(*id, args, node.span)
        {
            node.kind = Kind::Pass(Box::new(pass));
        }
        if let Kind::Pass(pass) = &mut node.kind {
            self.depth += 1;
            self.visit(&mut pass.body);
            self.depth -= 1;
        }
        node.for_each_part(&mut |part| self.visit(part));
    }

    /// Chains of passes, and tests of whether they have elements.
    fn ask_for_elements(&mut self, node: &mut Node) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        match &mut node.kind {
            Kind::If(parts) => {
                let [test, ..] = &mut **parts;
                self.test_of_chain(test);
            }
            Kind::Cond { clauses, .. } => clauses.iter_mut().for_each(|(test, _)| self.test_of_chain(test)),
            Kind::Call { .. } => self.chain(node),
            _ => {}
        }
    }

    /// The call of builtin `id` as a pass, if it is one; its arguments are taken then.
    fn special(&mut self, id: BuiltinId, args: &mut Vec<Node>, span: Span) -> Option<Pass> {
        self.update(id, args, span).or_else(|| self.pass(id, args, span))
    }

    fn pass(&mut self, id: BuiltinId, args: &mut Vec<Node>, span: Span) -> Option<Pass> {
        let (does, at, params) = kind_of_pass(id, args.len())?;
        let function = args.get(at)?;
        let moved = match &function.kind {
            Kind::Fn(function) => self.body_of(function, params)?,
            _ if apply::is_combined(function) => self.applied(function, params, span)?,
            _ => return None,
        };
        let written = vec![args.remove(at)];
        Some(moved.pass(id, does, at, written, std::mem::take(args)))
    }

    /// The body of a function that is made of others.
    fn applied(&mut self, function: &Node, params: u32, span: Span) -> Option<Moved> {
        let first = self.slots;
        self.slots += params;
        let args = (first..self.slots).map(|slot| Node { kind: Kind::Local { slot, last: false }, span }).collect();
        let body = self.apply(function, args, span)?;
        Some(Moved { first, slots: self.slots - first, body })
    }

    /// The body of a function of `params` parameters, moved behind the slots of this one.
    fn body_of(&mut self, function: &Function, params: u32) -> Option<Moved> {
        self.body_with(function, params, &[])
    }

    /// The same, where the first parameters are locals that are there already, as far as they are known.
    fn body_with(&mut self, function: &Function, params: u32, known: &[Option<Slot>]) -> Option<Moved> {
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
struct Moved {
    first: Slot,
    slots: u32,
    body: Node,
}

impl Moved {
    fn pass(self, builtin: BuiltinId, does: Does, at: usize, written: Vec<Node>, args: Vec<Node>) -> Pass {
        Pass {
            builtin,
            does,
            args,
            at,
            written,
            slow: None,
            takes_maps: true,
            first: self.first,
            slots: self.slots,
            body: self.body,
        }
    }
}

/// The function literal, or one that calls the pure builtin that was written. A keyword as function refuses a map as
/// collection, which a literal does not.
fn literal_of(node: &Node) -> Option<Arc<Function>> {
    match &node.kind {
        Kind::Fn(function) => Some(function.clone()),
        Kind::Const(Value::Builtin(id)) if is_pure_builtin(*id) => Some(calling(node)),
        _ => None,
    }
}

/// `(fn [x] (f x))`
fn calling(function: &Node) -> Arc<Function> {
    let span = function.span;
    let param = Node { kind: Kind::Local { slot: 0, last: false }, span };
    let body = Node { kind: Kind::Call { callee: Box::new(function.clone()), args: vec![param] }, span };
    Arc::new(Function {
        name: None,
        arities: vec![Arity { fixed: 1, rest: false, slots: 1, body }],
        captures: Vec::new(),
        capture_names: Vec::new(),
        origin: None,
        params_text: Arc::from("x"),
        span,
    })
}

/// What a call of builtin `id` with `count` arguments does, where its function stands, and what that takes.
fn kind_of_pass(id: BuiltinId, count: usize) -> Option<(Does, usize, u32)> {
    let ids = known();
    Some(match count {
        2 if id == ids.map || id == ids.mapv => (Does::Map, 0, 1),
        2 if id == ids.filter || id == ids.filterv => (Does::Filter { truthy: true }, 0, 1),
        2 if id == ids.remove => (Does::Filter { truthy: false }, 0, 1),
        2 if id == ids.keep => (Does::Keep, 0, 1),
        2 if id == ids.reduce => (Does::Fold { init: false }, 0, 2),
        3 if id == ids.reduce => (Does::Fold { init: true }, 0, 2),
        2 if id == ids.some => (Does::Search { truthy: true }, 0, 1),
        2 if id == ids.every => (Does::Search { truthy: false }, 0, 1),
        _ => return None,
    })
}

/// A body on its way into another function: its slots begin at `first` there, and it finds there what it captured.
struct Move<'a> {
    first: Slot,
    /// Parameters that have other slots there.
    params: &'a [Option<Slot>],
    captures: &'a [CaptureSource],
    /// Loops around the expression.
    loops: usize,
    /// Whether it may stand elsewhere: it neither names its function nor jumps to its start.
    possible: bool,
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

    /// The slot that is read in place of this one.
    fn moved(&self, slot: Slot) -> Slot {
        self.params.get(slot as usize).copied().flatten().unwrap_or(slot + self.first)
    }

    fn shift(&self, bindings: &mut [(Slot, Node)]) {
        bindings.iter_mut().for_each(|(slot, _)| *slot += self.first);
    }

    /// What the function around knows a captured value as.
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

/// Whether what `slot` holds is only asked for its fields: `(:key local)`. Functions that capture it are not counted.
pub(crate) fn reads_fields_only(node: &mut Node, slot: Slot) -> bool {
    match &mut node.kind {
        Kind::Local { slot: read, .. } => *read != slot,
        Kind::Call { callee, args }
            if matches!(
                (&callee.kind, args.as_slice()),
                (Kind::Const(Value::Keyword(_)), [Node { kind: Kind::Local { .. }, .. }])
            ) =>
        {
            true
        }
        Kind::Pass(pass) => {
            reads_fields_only(&mut pass.body, slot) && pass.args.iter_mut().all(|arg| reads_fields_only(arg, slot))
        }
        _ => {
            let mut only = true;
            node.for_each_part(&mut |part| only = only && reads_fields_only(part, slot));
            only
        }
    }
}
