//! Code by number: first that of the session, then that of the prelude, from a number that no session reaches.
//!
//! A function holds the code that it was compiled to, so code that only the table holds belongs to no function and can go.
//! Its number is given to later code: nothing has kept it.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Index;
use std::sync::{Arc, OnceLock};

use super::code::{Code, Operand};
use super::prelude;
use crate::value::{Captures, Closure, Proto, Value, place_in_prelude};

/// The code of a session by number; the prelude, which all sessions share, is available under separate numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeTable {
    /// The code of the programs of the session; an empty code where a number is free.
    own: Vec<Arc<Code>>,
    /// The free numbers.
    free: Vec<u32>,
    /// The numbers of the code that was added since the last look, inner functions before outer ones.
    latest: Vec<u32>,
    /// How many codes there were when all of them were looked at last.
    looked_at: usize,
}

/// What is in the place of code that is gone.
fn gone() -> &'static Arc<Code> {
    static GONE: OnceLock<Arc<Code>> = OnceLock::new();
    GONE.get_or_init(Arc::default)
}

impl CodeTable {
    /// The most codes that may become garbage before all codes are looked at, besides as many as there are.
    const FEW: usize = 64;

    /// The numbers for new code.
    pub fn numbers(&self) -> Numbers<'_> {
        Numbers { free: &self.free, next: self.own.len() as u32 }
    }

    /// Add the code of a program or of a stored function, compiled with the [`CodeTable::numbers`] of this table.
    pub fn add(&mut self, codes: Vec<Arc<Code>>) {
        self.free.truncate(self.free.len().saturating_sub(codes.len()));
        for code in codes {
            self.latest.push(code.index);
            match self.own.get_mut(code.index as usize) {
                Some(place) => *place = code,
                None => self.own.push(code),
            }
        }
    }

    /// Drop the new code to which no function refers any more, and at times all such code. For when no program runs.
    ///
    /// Cost: on average, linear in the new code.
    pub fn collect(&mut self) {
        for number in std::mem::take(&mut self.latest).into_iter().rev() {
            self.collect_one(number);
        }
        if self.len() > 2 * self.looked_at + CodeTable::FEW {
            self.collect_all();
        }
    }

    /// How many codes of the session there are.
    pub fn len(&self) -> usize {
        self.own.len() - self.free.len()
    }

    /// The code of a function goes after that of the function around it, which may have the smaller number.
    fn collect_all(&mut self) {
        let mut before = usize::MAX;
        while self.len() < before {
            before = self.len();
            (0..self.own.len() as u32).rev().for_each(|number| self.collect_one(number));
        }
        self.looked_at = self.len();
    }

    fn collect_one(&mut self, number: u32) {
        if let Some(code) = self.own.get_mut(number as usize)
            && Arc::strong_count(code) == 1
        {
            *code = gone().clone();
            self.free.push(number);
        }
    }

    /// The code of the programs of the session, by number.
    #[cfg(test)]
    pub fn of_programs(&self) -> impl Iterator<Item = &Arc<Code>> {
        self.own.iter().filter(|code| !Arc::ptr_eq(code, gone()))
    }

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
                op.visit(|operand| {
                    if let Operand::Global(number) = operand {
                        used.insert(number);
                    }
                });
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

/// The numbers that new code gets: the free ones, then those after the last.
#[derive(Copy, Clone)]
pub(crate) struct Numbers<'t> {
    free: &'t [u32],
    next: u32,
}

impl Numbers<'_> {
    /// The numbers from this one on.
    pub fn from(next: u32) -> Numbers<'static> {
        Numbers { free: &[], next }
    }

    /// The number of the code that is added after `count` others.
    pub fn after(&self, count: usize) -> u32 {
        match self.free.iter().rev().nth(count) {
            Some(number) => *number,
            None => self.next + (count - self.free.len()) as u32,
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
