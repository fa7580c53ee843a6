//! Functions of earlier programs, parsed again from their texts.

use std::sync::Arc;

use super::cost::Cost;
use super::value::{Abstract, Callee, Group, Lambda};
use super::walk::Walk;
use crate::analyze::ir::{CaptureSource, Kind};
use crate::session::program::function_tree;
use crate::value::{Closure, Value};

/// A function of an earlier program that was parsed again.
pub(super) struct Stored {
    /// It is kept so that no other closure gets its address.
    _closure: Arc<Closure>,
    lambda: Option<Arc<Lambda>>,
    /// What its captured values lead to, apart from functions.
    cost: Cost,
}

impl Walk<'_> {
    /// The function with its tree; `None` where its text does not show everything that its code does.
    pub fn stored(&mut self, closure: &Arc<Closure>) -> Option<Arc<Lambda>> {
        let address = Arc::as_ptr(closure);
        if !self.read.contains_key(&address) {
            // Its captured values are paid for wherever it is called: this code may be one that does not run.
            let (lambda, cost) = self.apart(|walk| walk.read_again(closure));
            let lambda = lambda.filter(|lambda| self.tells_all(lambda, closure));
            self.read.insert(address, Stored { _closure: closure.clone(), lambda, cost });
        }
        let Stored { lambda, cost, .. } = self.read.get(&address)?;
        self.cost.then(cost);
        lambda.clone()
    }

    fn read_again(&mut self, closure: &Closure) -> Option<Arc<Lambda>> {
        if closure.is_derived() || !self.program.machine.edits.is_empty() {
            return None;
        }
        let tree = function_tree(closure, self.program.machine, self.program.globals, self.program.limits)?;
        let values = closure.captured();
        let taken = |walk: &mut Self, source: &CaptureSource| match source {
            CaptureSource::Local(slot) => values.get(*slot as usize).map(|value: &Value| walk.value(value)),
            _ => None,
        };
        let mut captured = |sources: &[CaptureSource]| -> Option<Arc<[Abstract]>> {
            sources.iter().map(|source| taken(self, source)).collect()
        };
        match tree {
            Kind::Fn(function) => {
                let captures = captured(&function.captures)?;
                Some(Arc::new(Lambda { function, captures, group: None, text: 0 }))
            }
            Kind::LetFn { slots, functions, captures, body } => {
                let group = Arc::new(Group { functions, captures: captured(&captures)?, text: 0 });
                let Kind::Local { slot, .. } = body.kind else { return None };
                group.lambda(slots.iter().position(|known| *known == slot)?)
            }
            _ => None,
        }
    }

    /// Whether the tree leads to all tools that the code leads to. This detects names that mean something else now.
    fn tells_all(&mut self, lambda: &Arc<Lambda>, closure: &Arc<Closure>) -> bool {
        let of_code = self.reach(|reach| reach.of_abstract(&Abstract::function(Callee::Stored(closure.clone()))));
        let of_tree = self.reach(|reach| reach.of_abstract(&Abstract::function(Callee::Lambda(lambda.clone()))));
        of_code.is_subset(&of_tree)
    }
}
