//! The command as its users run it.

mod check_and_doc;
mod eval_suite;
mod memory;
mod missions;
mod replay;
mod trace;
