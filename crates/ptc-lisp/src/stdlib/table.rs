//! The function table: every builtin once.

use std::sync::OnceLock;

use super::row::Family;
#[cfg(feature = "testing")]
use super::testing;
use super::{
    aggregate, apply, arith, bits, compare, control, convert, destructure, interop, json, known, lazy, look_up, map,
    math, output, predicate, prelude, quick, random, regex, seq, set, sorted, state, text, time, walk,
};
use crate::eval::native::{force, parallel, sort, swap};

pub(crate) use super::registry::{Entry, Table, namespace, namespaces, short_alias};

/// The table, made once per process.
pub(crate) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let constants = interop::CONSTANTS.iter().chain(time::CONSTANTS.iter().copied().flatten());
        Table::new(FAMILIES, known::NAMES, constants.map(|(name, value)| (*name, value())), quick::find)
    })
}

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
    apply::FAMILY,
    sort::FAMILY,
    prelude::rows::UPDATES,
    swap::FAMILY,
    parallel::FAMILY,
    force::FAMILY,
    lazy::FAMILY,
    seq::FAMILY,
    seq::take::FAMILY,
    seq::make::FAMILY,
    seq::grow::FAMILY,
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
    destructure::FAMILY,
    #[cfg(feature = "testing")]
    testing::FAMILY,
];
