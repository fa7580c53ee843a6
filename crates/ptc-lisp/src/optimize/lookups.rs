//! Lookups: a call of a map or set becomes `get` where the callee is known to be one.
//!
//! ```text
//! before  (let [seen #{1 2}] (seen x))
//! after   (let [$12 '#{1 2}] (get $12 x))
//! before  (loop [seen #{} n 0] (if (seen n) n (recur (conj seen n) (inc n))))
//! after   (loop [$12 '#{} $13 0] (if (get $12 $13) $13 (recur (conj $12 $13) (inc $13))))
//! law     `get` gives what such a call gives.
//! ```
//!
//! `(seen x)` may be a call with effects, so nothing is moved across it: `(recur (conj seen x) (if (seen y) …))` would copy
//! the set at each step. A lookup is pure, and an instruction.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::leaves_first::Scope;
use crate::analyze::ir::{Kind, Node, Slot};
use crate::stdlib::facts::Returns;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::Value;

/// The deepest nesting of expressions searched to find out what one returns, so the work stays linear.
const DEPTH: usize = 16;

/// What an expression returns.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Gives {
    /// Nothing: control continues elsewhere.
    Never,
    /// A map or a set.
    Table,
    Unknown,
}

impl Gives {
    fn or(self, other: Gives) -> Gives {
        match (self, other) {
            (Gives::Never, other) | (other, Gives::Never) => other,
            (one, other) if one == other => one,
            _ => Gives::Unknown,
        }
    }
}

/// Turn a call of a known map or set into a lookup.
pub(super) fn run(scope: &mut Scope<'_>, node: &mut Node) {
    let Kind::Call { callee, args } = &mut node.kind else { return };
    if args.len() == 1 && scope.gives(callee, None) == Gives::Table {
        let table = std::mem::replace(&mut callee.kind, Kind::Const(Value::Builtin(known().get)));
        args.insert(0, Node { kind: table, span: callee.span });
    }
}

impl Scope<'_> {
    /// Forget the kinds of the initial bindings of a loop where a round may set something else.
    pub(super) fn settle(&mut self, slots: &[Slot], body: &Node) {
        // Another binding may depend on one that is forgotten.
        for _ in 0..=slots.len() {
            let mut next = vec![Gives::Never; slots.len()];
            self.gives(body, Some(&mut next));
            let mut settled = true;
            for (slot, gives) in slots.iter().zip(next) {
                let known = self.local(*slot);
                if known != Gives::Unknown && known.or(gives) != known {
                    self.locals.insert(*slot, Gives::Unknown);
                    settled = false;
                }
            }
            if settled {
                return;
            }
        }
    }

    /// What a fold with this literal passes from step to step.
    pub(super) fn folded(&mut self, function: &Node, init: &Node) -> Gives {
        let begins = self.gives(init, None);
        let Kind::Fn(function) = &function.kind else { return Gives::Unknown };
        let [arity] = function.arities.as_slice() else { return Gives::Unknown };
        if begins == Gives::Unknown || arity.fixed != 2 || arity.rest || self.depth >= DEPTH {
            return Gives::Unknown;
        }
        let captured = self.captured(&function.captures);
        let locals = HashMap::from([(0, begins)]);
        let mut inner = Scope {
            passes: self.passes,
            locals,
            captured: &captured,
            transducers: HashMap::new(),
            depth: self.depth + 1,
        };
        let mut again = vec![Gives::Never; 2];
        let gives = inner.gives(&arity.body, Some(&mut again));
        let again = again.first().copied().unwrap_or(Gives::Never);
        if begins.or(gives).or(again) == begins { begins } else { Gives::Unknown }
    }

    /// What `node` returns; what it passes to `recur` is joined to `again`.
    pub(super) fn gives(&mut self, node: &Node, again: Option<&mut Vec<Gives>>) -> Gives {
        if self.depth >= DEPTH {
            if let Some(again) = again {
                again.fill(Gives::Unknown);
            }
            return Gives::Unknown;
        }
        self.depth += 1;
        let gives = self.gives_within(node, again);
        self.depth -= 1;
        gives
    }

    fn gives_within(&mut self, node: &Node, mut again: Option<&mut Vec<Gives>>) -> Gives {
        match &node.kind {
            Kind::Map(_) | Kind::Set(_) | Kind::Const(Value::Map(_) | Value::Set(_)) => Gives::Table,
            Kind::Local { slot, .. } => self.local(*slot),
            Kind::Capture(index) => self.capture(*index),
            Kind::Cond { clauses, default } => {
                let mut gives = self.gives(default, again.as_deref_mut());
                for (_, then) in clauses {
                    gives = gives.or(self.gives(then, again.as_deref_mut()));
                }
                gives
            }
            Kind::Do(nodes) => nodes.last().map_or(Gives::Unknown, |last| self.gives(last, again)),
            Kind::Let { bindings, body } => {
                for (slot, init) in bindings {
                    let gives = self.gives(init, None);
                    self.locals.insert(*slot, gives);
                }
                self.gives(body, again)
            }
            Kind::LetFn { body, .. } => self.gives(body, again),
            Kind::Recur(args) => {
                let given: Vec<Gives> = args.iter().map(|arg| self.gives(arg, None)).collect();
                for (known, gives) in again.into_iter().flatten().zip(given) {
                    *known = known.or(gives);
                }
                Gives::Never
            }
            Kind::Call { .. } => match node.builtin_call() {
                Some((id, [function, init, _])) if id == known().reduce => self.folded(function, init),
                Some((id, args)) => match (table().entry(id).row.facts.returns, args) {
                    (Returns::Table, _) => Gives::Table,
                    (Returns::TableOfFirst, [first, ..]) => self.gives(first, None),
                    _ => Gives::Unknown,
                },
                _ => Gives::Unknown,
            },
            // Tail positions that are not followed.
            _ => {
                if let Some(again) = again
                    && matches!(node.kind, Kind::And(_) | Kind::Or(_) | Kind::Try { .. })
                {
                    again.fill(Gives::Unknown);
                }
                Gives::Unknown
            }
        }
    }
}
