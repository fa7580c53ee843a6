//! The function table: every builtin once.

use std::sync::OnceLock;

#[cfg(feature = "testing")]
use super::testing;
use super::{
    Family, aggregate, apply, arith, bits, compare, control, convert, destructure, interop, json, known, lazy, look_up,
    map, math, output, predicate, prelude, quick, random, regex, seq, set, sorted, state, text, time, walk,
};
use crate::eval::native::{force, merge, parallel, sort, swap};
use crate::value::BuiltinId;

pub(crate) use super::registry::{Entry, Table, namespace, namespaces, short_alias};

/// The table, made once per process.
pub(crate) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let constants = interop::constants().into_iter().chain(time::constants());
        Table::new(families(), known::NAMES, constants, quick::find)
    })
}

/// Builtins that are listed by their names.
pub(crate) struct Names {
    /// With blanks between them.
    names: &'static str,
    ids: OnceLock<Vec<BuiltinId>>,
}

impl Names {
    pub const fn of(names: &'static str) -> Names {
        Names { names, ids: OnceLock::new() }
    }

    /// Whether this builtin is among them.
    pub fn have(&self, id: BuiltinId) -> bool {
        let find = |name| table().find(name);
        self.ids.get_or_init(|| self.names.split_whitespace().filter_map(find).collect()).contains(&id)
    }
}

/// All builtin functions by family, in the order of the reference; rows whose names start with `%` are internal.
#[must_use]
pub fn families() -> &'static [Family] {
    static FAMILIES: OnceLock<Vec<Family>> = OnceLock::new();
    FAMILIES.get_or_init(|| {
        let mut prelude = prelude::families().into_iter().peekable();
        let mut up_to =
            |title| std::iter::from_fn(|| prelude.next_if(|family| family.title != title)).collect::<Vec<_>>();
        let mut families = vec![
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
        ];
        families.extend(up_to("Updating"));
        families.extend([apply::FAMILY, sort::FAMILY]);
        families.extend(up_to("Endless sequences"));
        families.extend([
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
        ]);
        families.extend(up_to("Trees"));
        families.push(merge::FAMILY);
        families.extend(prelude);
        families.extend([
            state::FAMILY,
            control::FAMILY,
            destructure::FAMILY,
            #[cfg(feature = "testing")]
            testing::FAMILY,
        ]);
        families
    })
}
