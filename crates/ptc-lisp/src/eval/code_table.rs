//! Code by number: first that of the session, then that of the prelude, from a number that no session reaches.

use std::collections::BTreeSet;
use std::ops::Index;
use std::sync::Arc;

use super::code::{Code, Op};
use super::prelude;
use crate::value::{Captures, Closure, Proto, Value, place_in_prelude};

/// The code of a session by number; the prelude, which all sessions share, is available under separate numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeTable {
    /// The code of the programs of the session; new code is appended.
    pub own: Vec<Arc<Code>>,
}

impl CodeTable {
    /// The code with this number; `None` if there is none.
    pub fn get(&self, index: usize) -> Option<&Arc<Code>> {
        self.own.get(index).or_else(|| of_prelude(index))
    }

    /// Whether a function was compiled to code of this table, or is of the prelude.
    pub fn has(&self, closure: &Closure) -> bool {
        closure.proto.arities.iter().all(|entry| {
            let compiled = Arc::as_ptr(&entry.compiled);
            self.get(entry.code as usize).is_some_and(|code| std::ptr::addr_eq(Arc::as_ptr(code), compiled))
        })
    }

    /// The definitions that a function reads or binds, by number; including functions inside it and those of its
    /// `letfn`.
    pub fn definitions_of(&self, closure: &Closure) -> BTreeSet<u32> {
        let mut used = BTreeSet::new();
        match &closure.captures {
            Captures::Own(_) => self.definitions_in(&closure.proto, &mut used),
            Captures::Group(group) => group.protos.iter().for_each(|proto| self.definitions_in(proto, &mut used)),
        }
        used
    }

    fn definitions_in(&self, proto: &Proto, used: &mut BTreeSet<u32>) {
        for code in proto.arities.iter().filter_map(|entry| self.get(entry.code as usize)) {
            for op in &code.ops {
                if let Op::Global(_, number) | Op::CallGlobal(_, _, number) = op {
                    used.insert(*number);
                }
            }
            used.extend(code.definitions.iter().map(|definition| definition.global));
            code.functions.iter().for_each(|function| self.definitions_in(&function.proto, used));
            code.groups.iter().flat_map(|group| &group.protos).for_each(|proto| self.definitions_in(proto, used));
            for constant in &code.constants {
                if let Value::Function(closure) = constant {
                    self.definitions_in(&closure.proto, used);
                }
            }
        }
    }
}

impl Index<usize> for CodeTable {
    type Output = Arc<Code>;

    /// An index needs a bounds check of the session's code anyway; this check distinguishes the two.
    #[inline]
    fn index(&self, index: usize) -> &Arc<Code> {
        match self.own.get(index) {
            Some(code) => code,
            None => prelude_or_stop(index),
        }
    }
}

fn of_prelude(index: usize) -> Option<&'static Arc<Code>> {
    let (row, inner) = place_in_prelude(index)?;
    prelude::code(row, inner)
}

#[inline(never)]
#[allow(clippy::expect_used, reason = "numbers of code are only made by the compiler")]
fn prelude_or_stop(index: usize) -> &'static Arc<Code> {
    of_prelude(index).expect("code of this number was compiled")
}
