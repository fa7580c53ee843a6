//! Whole-system tests: the language corpus in `lang/`, the workloads in `bench/` and the figures of `study/`, which
//! `cargo xtask` reads too.

#![forbid(unsafe_code)]

pub mod bench;
pub mod lang;
pub mod study;
