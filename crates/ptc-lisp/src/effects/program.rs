//! A program in its session: what it may bind, and what exists before it runs.

use std::collections::HashSet;

use super::reach::Reach;
use crate::analyze::bound_once::BoundOnce;
use crate::analyze::ir::Node;
use crate::eval::globals::Globals;
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::value::{Name, Value};

/// The program being analyzed.
pub(super) struct Program<'a> {
    pub machine: &'a Machine,
    pub limits: &'a Limits,
    /// Definitions before the program, with numbers for the names in it.
    pub globals: &'a Globals,
    pub body: &'a Node,
    bound_once: BoundOnce<'a>,
    /// Definitions that functions of earlier programs may bind.
    bound_elsewhere: HashSet<u32>,
}

impl<'a> Program<'a> {
    /// Cost: linear in the program and in everything it refers to.
    pub fn new(machine: &'a Machine, limits: &'a Limits, globals: &'a Globals, body: &'a Node) -> Program<'a> {
        let bound_once = BoundOnce::new(body);
        let bound_elsewhere = HashSet::new();
        let mut program = Program { machine, limits, globals, body, bound_once, bound_elsewhere };
        program.bound_elsewhere = Reach::new(&program, &|_| None).of_node(body).binds;
        program.bound_once.not_only_here(&program.bound_elsewhere);
        program
    }

    /// The values that the program may bind a definition to.
    pub fn definitions(&self, global: u32) -> impl Iterator<Item = &'a Node> {
        self.bound_once.values(global)
    }

    /// What a definition is before the program runs.
    pub fn defined(&self, global: u32) -> Option<Value> {
        self.globals.get(global).cloned()
    }

    /// Whether a definition is bound at most once, in the order of the program, and nowhere else.
    pub fn is_steady(&self, global: u32) -> bool {
        self.bound_once.is_steady(global)
    }

    /// Whether a definition may be bound to something else while the program runs.
    pub fn may_change(&self, global: u32) -> bool {
        self.bound_once.is_bound(global) || self.bound_elsewhere.contains(&global)
    }

    /// What an earlier program left, such as `*1`.
    pub fn history(&self, turns: u8) -> Option<Value> {
        self.machine.left(turns).cloned()
    }

    /// An entry of the data.
    pub fn data(&self, name: &Name) -> Option<Value> {
        if name.as_str() == "fail" {
            return Some(self.machine.fail.clone());
        }
        self.machine.data.get_named(name.as_str()).cloned()
    }

    /// What earlier programs left that builtins may return.
    pub fn kept(&self) -> impl Iterator<Item = Value> {
        let cx = &self.machine.cx;
        cx.local.tasks.values().chain([&cx.budget]).cloned()
    }
}
