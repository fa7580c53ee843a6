//! Whole-system tests: the language corpus in `lang/`, which `cargo xtask` reads too.

pub mod lang;
