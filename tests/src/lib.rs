//! Whole-system tests: the language corpus in `lang/` and the workloads in `bench/`, which `cargo xtask` reads too.

pub mod bench;
pub mod lang;
