//! Which definitions a program binds, and which of them at most once, by code that runs once and in order.

use std::collections::{HashMap, HashSet};

use super::ir::{Kind, Node};

/// The definitions of one program.
pub(crate) struct BoundOnce<'a> {
    /// The values that each definition is bound to somewhere in the program.
    values: HashMap<u32, Vec<&'a Node>>,
    /// Those that are bound at most once, in the order of the program.
    steady: HashSet<u32>,
    /// Those that the program reads.
    read: HashSet<u32>,
}

impl<'a> BoundOnce<'a> {
    /// Cost: linear in the program.
    pub fn new(body: &'a Node) -> BoundOnce<'a> {
        let mut values: HashMap<u32, Vec<&'a Node>> = HashMap::new();
        let mut read = HashSet::new();
        body.look_at_all(&mut |node| match &node.kind {
            Kind::Def { global, value, .. } => values.entry(*global).or_default().push(value),
            Kind::Global(global) => drop(read.insert(*global)),
            _ => {}
        });
        let mut steady = HashSet::new();
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            match &node.kind {
                Kind::Def { global, .. } if values.get(global).is_some_and(|values| values.len() == 1) => {
                    steady.insert(*global);
                }
                Kind::Do(_) | Kind::Let { .. } => node.look_at_parts(&mut |part| open.push(part)),
                _ => {}
            }
        }
        BoundOnce { values, steady, read }
    }

    /// The values that the program may bind a definition to.
    pub fn values(&self, global: u32) -> impl Iterator<Item = &'a Node> {
        self.values.get(&global).into_iter().flatten().copied()
    }

    /// Whether the program binds a definition.
    pub fn is_bound(&self, global: u32) -> bool {
        self.values.contains_key(&global)
    }

    /// Whether it binds it at most once, in its order.
    pub fn is_steady(&self, global: u32) -> bool {
        self.steady.contains(&global)
    }

    /// Whether the program reads a definition.
    pub fn is_read(&self, global: u32) -> bool {
        self.read.contains(&global)
    }

    /// These are bound elsewhere, too.
    pub fn not_only_here(&mut self, globals: &HashSet<u32>) {
        self.steady.retain(|global| !globals.contains(global));
    }
}
