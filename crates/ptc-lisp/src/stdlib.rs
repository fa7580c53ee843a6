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

use crate::error::Res;
use crate::eval::native;

/// One builtin function: everything that is said about it anywhere comes from this row.
pub struct Builtin {
    /// The name programs use. A name that is reachable only through its namespace is written with the short alias:
    /// `str/reverse`.
    pub name: &'static str,
    /// Namespaces, by short alias, that have a bare name too: `blank?` is also `str/blank?`.
    pub namespaces: &'static [&'static str],
    /// Parameter lists, one per arity: `"[f coll]"`, `"[f & colls]"`. A list with `&` takes any number from there on.
    pub params: &'static [&'static str],
    /// One line: what it gives, in the terms of its parameters.
    pub doc: &'static str,
    /// Programs and the text of their values.
    pub examples: &'static [(&'static str, &'static str)],
    /// What must be realised before the call.
    pub force: Force,
    /// How it runs.
    pub(crate) run: Run,
}

impl Builtin {
    /// A row whose function handles generators itself.
    pub(crate) const fn lazy(
        name: &'static str,
        params: Params,
        doc: &'static str,
        examples: Examples,
        run: Plain,
    ) -> Builtin {
        Builtin { name, params, doc, examples, force: Force::Lazy, run: Run::Plain(run), ..Builtin::ROW }
    }

    /// A row that starts a frame of the machine.
    pub(crate) const fn native(
        name: &'static str,
        params: Params,
        doc: &'static str,
        examples: Examples,
        start: native::Start,
    ) -> Builtin {
        Builtin { name, params, doc, examples, force: Force::Lazy, run: Run::Native(start), ..Builtin::ROW }
    }

    /// A row to start from: `Builtin { name, params, doc, examples, run: Run::Plain(f), ..Builtin::ROW }`.
    pub(crate) const ROW: Builtin = Builtin {
        name: "",
        namespaces: &[],
        params: &[],
        doc: "",
        examples: &[],
        force: Force::Shallow,
        run: Run::Prelude,
    };
}

/// Parameter lists, one per arity.
type Params = &'static [&'static str];
/// Programs and the text of their values.
type Examples = &'static [(&'static str, &'static str)];
/// A Rust function that never calls back into the machine, except where keys of a sorted collection are compared.
pub(crate) type Plain = fn(&mut Call<'_>) -> Res;

/// How much of its arguments a builtin needs realised.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// Every generator argument becomes a vector first: the function never sees a generator as an argument.
    Shallow,
    /// Generators inside the arguments too: for printing, hashing, comparing, JSON.
    Deep,
    /// The function handles generators itself.
    Lazy,
}

/// How a builtin runs.
pub(crate) enum Run {
    /// A Rust function that asks for no call of a function.
    Plain(Plain),
    /// A frame of the machine, because it calls functions.
    Native(native::Start),
    /// Defined in `prelude.clj`.
    Prelude,
}

/// A group of rows with a heading in the reference.
pub struct Family {
    /// The heading.
    pub title: &'static str,
    /// The rows.
    pub rows: &'static [Builtin],
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
    Family { title: "Passes over collections", rows: native::COLLECT_ROWS },
    Family { title: "Folding and grouping", rows: native::FOLD_ROWS },
    Family { title: "Sorting", rows: native::SORT_ROWS },
    Family { title: "Updating", rows: native::UPDATE_ROWS },
    Family { title: "Branches under way at once", rows: native::PARALLEL_ROWS },
    Family { title: "Delays and references", rows: native::FORCE_ROWS },
    Family { title: "Lazy sequences", rows: lazy::ROWS },
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
    Family { title: "Mutable cells", rows: state::ROWS },
    Family { title: "Ending, exceptions, tasks", rows: control::ROWS },
    Family { title: "Destructuring", rows: pattern::ROWS },
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
