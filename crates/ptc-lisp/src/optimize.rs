//! Rewrites of the tree of a program into equivalent ones that run faster.

pub(crate) mod argument_order;
mod cell_updates;
pub(crate) mod demand;
pub(crate) mod early_release;
mod entries;
mod fusion;
mod generators;
pub(crate) mod hoisting;
mod inlining;
pub(crate) mod last_uses;
mod lookups;
pub(crate) mod loops;
pub(crate) mod peephole;
pub(crate) mod program;
mod scalar_replacement;
mod single_use;
#[cfg(test)]
mod tests;
mod transducers;
mod updates;
