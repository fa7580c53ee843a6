//! The builtin functions: one row each, in tables by family.

mod aggregate;
mod arith;
mod bits;
pub(crate) mod call;
pub(crate) mod compare;
pub(crate) mod compiled;
mod control;
mod convert;
mod interop;
mod json;
pub(crate) mod known;
mod lazy;
pub(crate) mod look_up;
mod map;
mod math;
mod output;
mod pattern;
mod predicate;
mod prelude;
mod quick;
mod random;
mod regex;
mod row;
pub(crate) mod seq;
mod set;
mod show;
mod sorted;
mod state;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod text;
mod time;
mod usage;
mod walk;

pub(crate) use call::Call;
pub(crate) use convert::holds_number;
pub(crate) use predicate::is_class;
pub(crate) use quick::Quick;
pub(crate) use regex::{regex_problem, takes_pattern};
pub use row::{Builtin, Family, Force};
pub(crate) use row::{Plain, Run, rows};

use crate::eval::native;

/// All builtin functions by family, in the order of the reference; rows whose names start with `%` are internal.
#[must_use]
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// All families, in the order of the reference.
pub(crate) const FAMILIES: &[Family] = &[
    arith::FAMILY,
    bits::FAMILY,
    bits::WORDS,
    bits::UNCHECKED,
    math::FAMILY,
    compare::FAMILY,
    predicate::FAMILY,
    convert::FAMILY,
    text::FAMILY,
    regex::FAMILY,
    time::FAMILY,
    time::DATES,
    time::TIMES,
    time::CLOCKS,
    time::AMOUNTS,
    time::NAMES,
    time::FORMATTERS,
    interop::FAMILY,
    json::FAMILY,
    random::FAMILY,
    output::FAMILY,
    look_up::FAMILY,
    prelude::rows::LOOPS,
    prelude::rows::FOLDS,
    native::APPLY,
    native::SORT,
    prelude::rows::UPDATES,
    native::SWAP,
    native::PARALLEL,
    native::FORCE,
    lazy::FAMILY,
    seq::FAMILY,
    seq::take::FAMILY,
    seq::make::FAMILY,
    seq::fold::FAMILY,
    seq::order::FAMILY,
    seq::partition::FAMILY,
    seq::shape::FAMILY,
    seq::kind::FAMILY,
    map::FAMILY,
    map::entries::FAMILY,
    map::write::FAMILY,
    set::FAMILY,
    sorted::FAMILY,
    aggregate::FAMILY,
    walk::FAMILY,
    prelude::rows::ENDLESS,
    prelude::rows::BY_FUNCTION,
    prelude::rows::FIELDS,
    prelude::rows::MAPS,
    prelude::rows::TREES,
    prelude::rows::FUNCTIONS,
    prelude::rows::TRANSDUCERS,
    prelude::rows::HIDDEN,
    state::FAMILY,
    control::FAMILY,
    pattern::FAMILY,
    #[cfg(feature = "testing")]
    crate::analyze::sabotage::FAMILY,
];

/// A name with what makes its value.
pub(crate) type Constant = (&'static str, fn() -> crate::value::Value);

/// Constants such as `Double/NaN`.
pub(crate) fn constants() -> Vec<Constant> {
    [&[interop::CONSTANTS], time::CONSTANTS].concat().concat()
}

pub(crate) use output::{append as append_output, close as close_output};
