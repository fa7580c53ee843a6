//! The builtin functions: one row each, in tables by family.

mod aggregate;
mod apply;
pub(crate) mod argument;
mod arith;
mod bits;
pub(crate) mod call;
pub(crate) mod compare;
mod control;
mod convert;
mod destructure;
pub(crate) mod facts;
mod interop;
mod json;
pub(crate) mod known;
mod lazy;
pub(crate) mod look_up;
mod map;
mod math;
pub(crate) mod ordering;
mod output;
pub(crate) mod parameters;
mod predicate;
mod prelude;
pub(crate) mod quick;
mod random;
mod regex;
pub(crate) mod registry;
mod row;
pub(crate) mod seq;
mod set;
mod show;
pub(crate) mod sorted;
mod state;
pub(crate) mod table;
#[cfg(feature = "testing")]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod text;
mod time;
mod walk;

pub(crate) use call::Call;
pub(crate) use convert::holds_number;
pub(crate) use predicate::{is_callable, is_class};
pub(crate) use regex::{regex_problem, takes_pattern};
pub use row::{Builtin, Family, Force};
pub(crate) use row::{Constant, Demand, InPlace, Plain, Purity, Run, Sequences, rows};
pub use table::families;

pub(crate) use output::{append as append_output, close as close_output};
