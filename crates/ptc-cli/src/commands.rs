//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod doc;
pub(crate) mod eval;
pub(crate) mod eval_suite;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod trace;
