//! Whole-system tests: the language corpus in `lang/`, the workloads in `bench/` and the figures of `study/`, which
//! `cargo xtask` reads too; the orders example and the other examples of
//! the documentation.

#![forbid(unsafe_code)]

pub mod bench;
#[cfg(doctest)]
mod book;
pub mod fences;
pub mod lang;
pub mod orders;
pub mod outside;
pub mod random;
pub mod study;
