//! Compiling and running.

pub(crate) mod border;
pub(crate) mod cells;
pub(crate) mod code;
pub(crate) mod code_table;
pub(crate) mod compile;
pub(crate) mod context;
mod fiber;
pub(crate) mod globals;
pub(crate) mod instructions;
pub(crate) mod listing;
pub(crate) mod local;
pub(crate) mod native;
#[cfg(test)]
pub(crate) mod oracle;
pub(crate) mod prelude;
pub(crate) mod realise;
mod starts;
pub(crate) mod tools;
pub(crate) mod vm;
