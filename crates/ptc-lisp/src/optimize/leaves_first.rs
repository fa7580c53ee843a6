//! The walk of the passes that rewrite an expression after its parts, and what is known of the names around it.

use std::collections::HashMap;
use std::sync::Arc;

use super::lookups::Gives;
use super::transducers;
use crate::analyze::ir::{CaptureSource, Function, Kind, Node, Slot};
use crate::stdlib::known::known;

/// A pass on an expression after its parts.
pub(super) type LeavesFirst = fn(&mut Scope<'_>, &mut Node);

/// Apply the passes to a function and everything in it.
pub(super) fn rewrite(function: &mut Function, passes: &[LeavesFirst]) {
    in_function(function, passes, &[], &[]);
}

/// The same, with what is known about the first parameters and the captured values.
fn in_function(function: &mut Function, passes: &[LeavesFirst], params: &[Gives], captured: &[Gives]) {
    for arity in &mut function.arities {
        let locals = (0..).zip(params.iter().copied()).collect();
        let mut scope = Scope { passes, locals, captured, transducers: HashMap::new(), depth: 0 };
        scope.visit(&mut arity.body);
    }
}

/// What is known of the names in a function.
pub(super) struct Scope<'a> {
    pub passes: &'a [LeavesFirst],
    pub locals: HashMap<Slot, Gives>,
    pub captured: &'a [Gives],
    /// Locals that are bound to transducers.
    pub transducers: HashMap<Slot, Node>,
    /// The nesting of the expressions being searched.
    pub depth: usize,
}

impl Scope<'_> {
    fn visit(&mut self, node: &mut Node) {
        self.visit_parts(node);
        let passes = self.passes;
        passes.iter().for_each(|run| run(self, node));
    }

    fn visit_parts(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Let { bindings, body } => {
                for (slot, init) in bindings {
                    self.visit(init);
                    let gives = self.gives(init, None);
                    self.locals.insert(*slot, gives);
                    if transducers::is_constant(init) {
                        self.transducers.insert(*slot, init.clone());
                    }
                }
                self.visit(body);
            }
            Kind::Loop { bindings, body } => {
                for (slot, init) in bindings.iter_mut() {
                    self.visit(init);
                    let gives = self.gives(init, None);
                    self.locals.insert(*slot, gives);
                }
                let slots: Vec<Slot> = bindings.iter().map(|(slot, _)| *slot).collect();
                self.settle(&slots, body);
                self.visit(body);
            }
            Kind::Call { callee, args } => {
                // The accumulator of a fold keeps its initial kind when each step returns that kind.
                let accumulator = match (callee.builtin(), args.as_slice()) {
                    (Some(id), [function, init, _]) if id == known().reduce => self.folded(function, init),
                    _ => Gives::Unknown,
                };
                for arg in args.iter_mut() {
                    match &mut arg.kind {
                        Kind::Fn(function) => self.within(function, &[accumulator]),
                        _ => self.visit(arg),
                    }
                }
                self.visit(callee);
            }
            Kind::Fn(function) => self.within(function, &[]),
            Kind::LetFn { functions, captures, .. } => {
                let captured = self.captured(captures);
                for function in functions {
                    in_function(Arc::make_mut(function), self.passes, &[], &captured);
                }
                node.for_each_part(&mut |part| self.visit(part));
            }
            _ => node.for_each_part(&mut |part| self.visit(part)),
        }
    }

    fn within(&self, function: &mut Arc<Function>, params: &[Gives]) {
        let captured = self.captured(&function.captures);
        in_function(Arc::make_mut(function), self.passes, params, &captured);
    }

    pub fn captured(&self, sources: &[CaptureSource]) -> Vec<Gives> {
        sources
            .iter()
            .map(|source| match source {
                CaptureSource::Local(slot) => self.local(*slot),
                CaptureSource::Capture(index) => self.capture(*index),
                CaptureSource::SelfFn | CaptureSource::Sibling(_) => Gives::Unknown,
            })
            .collect()
    }

    pub fn local(&self, slot: Slot) -> Gives {
        self.locals.get(&slot).copied().unwrap_or(Gives::Unknown)
    }

    pub fn capture(&self, index: u32) -> Gives {
        self.captured.get(index as usize).copied().unwrap_or(Gives::Unknown)
    }
}
