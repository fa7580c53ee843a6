//! Compiling and running.

pub(crate) mod border;
pub(crate) mod cells;
pub(crate) mod code;
pub(crate) mod code_table;
pub(crate) mod compile;
pub(crate) mod context;
pub(crate) mod demand;
mod fiber;
mod fuse;
pub(crate) mod globals;
mod hoist;
mod inline;
mod liveness;
pub(crate) mod local;
pub(crate) mod native;
#[cfg(test)]
mod oracle;
mod order;
pub(crate) mod prelude;
pub(crate) mod realise;
mod replace;
pub(crate) mod rewrite;
mod starts;
pub(crate) mod tools;
pub(crate) mod vm;
