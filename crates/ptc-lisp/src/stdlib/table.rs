//! The function table: every builtin once.
//!
//! Bounded: by the rows, which are ours.

use std::sync::OnceLock;

use super::quick::calls::Quick;
#[cfg(feature = "testing")]
use super::testing;
use super::{
    Family, aggregate, apply, arith, bits, compare, control, convert, destructure, interop, json, known, lazy, look_up,
    map, math, output, predicate, prelude, random, regex, seq, set, sorted, state, text, time, walk,
};
use crate::eval::native::{force, merge, parallel, sort, swap};

pub(crate) use super::registry::{Entry, Table, namespace, namespaces, short_alias};

/// The table, created once per process.
pub(crate) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let constants = interop::constants().into_iter().chain(time::constants());
        Table::new(families(), known::NAMES, constants)
    })
}

/// A family of the table, or the place of those of the prelude.
enum Part {
    Rust(Family),
    /// The families of the prelude up to the one with this title.
    PreludeUpTo(&'static str),
    /// All remaining families of the prelude.
    Prelude,
}

/// All families in the order of the reference.
const PARTS: &[Part] = {
    use Part::{Prelude, PreludeUpTo, Rust};
    &[
        Rust(arith::FAMILY),
        Rust(bits::FAMILY),
        Rust(bits::WORDS),
        Rust(bits::UNCHECKED),
        Rust(math::FAMILY),
        Rust(compare::FAMILY),
        Rust(predicate::FAMILY),
        Rust(convert::FAMILY),
        Rust(text::FAMILY),
        Rust(regex::FAMILY),
        Rust(time::FAMILY),
        Rust(time::DATES),
        Rust(time::TIMES),
        Rust(time::CLOCKS),
        Rust(time::AMOUNTS),
        Rust(time::NAMES),
        Rust(time::FORMATTERS),
        Rust(interop::FAMILY),
        Rust(json::FAMILY),
        Rust(random::FAMILY),
        Rust(output::FAMILY),
        Rust(look_up::FAMILY),
        PreludeUpTo("Updating"),
        Rust(apply::FAMILY),
        Rust(sort::FAMILY),
        PreludeUpTo("Endless sequences"),
        Rust(swap::FAMILY),
        Rust(parallel::FAMILY),
        Rust(force::FAMILY),
        Rust(lazy::FAMILY),
        Rust(seq::FAMILY),
        Rust(seq::take::FAMILY),
        Rust(seq::make::FAMILY),
        Rust(seq::grow::FAMILY),
        Rust(seq::order::FAMILY),
        Rust(seq::partition::FAMILY),
        Rust(seq::shape::FAMILY),
        Rust(seq::kind::FAMILY),
        Rust(map::FAMILY),
        Rust(map::entries::FAMILY),
        Rust(map::write::FAMILY),
        Rust(set::FAMILY),
        Rust(sorted::FAMILY),
        Rust(aggregate::FAMILY),
        Rust(walk::FAMILY),
        PreludeUpTo("Trees"),
        Rust(merge::FAMILY),
        Prelude,
        Rust(state::FAMILY),
        Rust(control::FAMILY),
        Rust(destructure::FAMILY),
        #[cfg(feature = "testing")]
        Rust(testing::FAMILY),
    ]
};

/// All builtin functions by family, in the order of the reference; rows whose names start with `%` are internal.
#[must_use]
pub fn families() -> &'static [Family] {
    static FAMILIES: OnceLock<Vec<Family>> = OnceLock::new();
    FAMILIES.get_or_init(|| {
        let mut prelude = prelude::families().into_iter().peekable();
        let mut families = Vec::new();
        for part in PARTS {
            match part {
                Part::Rust(family) => families.push(*family),
                Part::PreludeUpTo(title) => {
                    families.extend(std::iter::from_fn(|| prelude.next_if(|family| family.title != *title)))
                }
                Part::Prelude => families.extend(prelude.by_ref()),
            }
        }
        families
    })
}

/// The quick calls of all rows with their names, in the order of the rows: instructions name them by their index here.
pub(crate) const QUICK: &[(&str, Quick)] = {
    const FOUND: ([(&str, Quick); 256], usize) = quick_calls();
    FOUND.0.split_at(FOUND.1).0
};

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses what is out of bounds")]
const fn quick_calls() -> ([(&'static str, Quick); 256], usize) {
    let (mut found, mut count, mut part) = ([("", Quick::First); 256], 0, 0);
    while part < PARTS.len() {
        if let Part::Rust(family) = &PARTS[part] {
            let mut at = 0;
            while at < family.rows.len() {
                if let Some(quick) = family.rows[at].quick {
                    found[count] = (family.rows[at].name, quick);
                    count += 1;
                }
                at += 1;
            }
        }
        part += 1;
    }
    (found, count)
}
