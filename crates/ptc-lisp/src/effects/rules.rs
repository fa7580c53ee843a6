//! What is known of builtins: how often they call their functions, and how large their results are.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::stdlib::table::table;
use crate::value::BuiltinId;

/// What a builtin does with functions among its arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// It may keep them, or call them as often as it likes: `swap!` calls again when the cell has changed in between.
    Any,
    /// It reads its arguments; it keeps and calls none.
    Never,
    /// It calls the argument of the first index for each element of the collection at the second index; without the
    /// collection it returns a transducer, with more arguments it does something else.
    Each(usize, usize),
    /// It calls its first argument for each row of the other ones, as many times as the shortest has elements. Without
    /// them it returns a transducer.
    Rows,
    /// It calls its first argument for each element of the last one. Without an initial value between them, it calls it
    /// once when there are no elements.
    Fold,
    /// It calls this argument once.
    Once(usize),
    /// It calls its second argument as often as the first says.
    Times,
    /// It calls its first argument once for each of the other arguments.
    Beside,
    /// It calls each argument once, concurrently.
    All,
    /// It calls its first argument with the others; the last of them is a collection.
    Apply,
    /// It passes the elements of its last argument through the transducer at the first index; with fewer arguments, or
    /// more than the second number, it does something else.
    Through(usize, usize),
    /// It returns a function that calls these arguments at most once each time it is called.
    Makes(Parts),
}

/// Which arguments the returned function calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    All,
    /// All; of transducers it creates a single one.
    Chain,
    First,
}

/// A bound on the result of a builtin.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Anything,
    /// A value without elements.
    Scalar,
    /// A marker that is never an element.
    Nothing,
    /// As many elements as the argument of this index.
    Same(usize),
    /// As many elements as the last argument.
    Last,
    /// As many elements as the shortest argument from this index on.
    Shortest(usize),
    /// As many elements as all arguments together.
    Together,
    /// The same for two arguments; three do something else.
    Both,
    /// As many elements as the first of two arguments says, and no more than the second has.
    Taken,
    /// As many elements as the first of two arguments says.
    Number,
    /// The numbers from a start to an end.
    Range,
    /// One element for each argument.
    Arguments,
    Two,
    /// The elements of the results of all calls.
    Results,
    /// The number of elements of the argument.
    Count,
    /// The second argument.
    Value,
}

/// A row: what is known of some builtins.
type Rule = (&'static str, Calls, Gives);

use Calls::{All, Any, Apply, Beside, Each, Fold, Makes, Never, Once, Rows, Through, Times};
use Gives::{
    Anything, Arguments, Both, Count, Last, Nothing, Number, Range, Results, Same, Scalar, Shortest, Taken, Together,
    Two, Value,
};

/// All builtins of which something is known; a test checks that each of them exists.
///
/// The claims about calls come from the definitions: `prelude.clj`, and the frames of `eval/native`.
const RULES: &[Rule] = &[
    // A pass calls its function once for each element.
    ("map mapv pmap", Rows, Shortest(1)),
    ("mapcat", Rows, Results),
    ("filter filterv remove keep map-indexed keep-indexed take-while drop-while partition-by", Each(0, 1), Same(1)),
    ("group-by distinct-by pluck sort-by", Each(0, 1), Same(1)),
    ("run! every? not-any? not-every?", Each(0, 1), Scalar),
    ("some sum-by avg-by", Each(0, 1), Anything),
    ("split-with", Each(0, 1), Two),
    ("reductions reduce", Fold, Anything),
    ("reduce-kv", Each(0, 2), Anything),
    ("update-vals update-keys", Each(1, 0), Same(0)),
    ("%for", Each(1, 0), Same(0)),
    ("%for-cat", Each(1, 0), Results),
    ("%doseq", Each(1, 0), Scalar),
    // One call.
    ("update update-in", Once(2), Anything),
    ("apply", Apply, Anything),
    ("pcalls", All, Arguments),
    ("repeatedly", Times, Number),
    ("max-key min-key", Beside, Anything),
    // Higher-order functions.
    ("comp", Makes(Parts::Chain), Anything),
    ("juxt", Makes(Parts::All), Anything),
    ("partial complement fnil memoize", Makes(Parts::First), Anything),
    // Functions are values here.
    ("nil? some? fn? ifn? not boolean map? vector? set? coll? string? number? keyword?", Never, Scalar),
    // Sizes.
    ("+ - * / inc dec = == < > <= >= not= zero? pos? neg? even? odd? empty? contains? println", Any, Scalar),
    ("count", Any, Count),
    ("%number", Any, Value),
    ("range", Any, Range),
    ("repeat replicate", Any, Number),
    ("take take-last", Any, Taken),
    ("%coll %source", Any, Same(1)),
    ("rest next butlast seq vec set reverse rseq distinct dedupe not-empty identity keys vals shuffle", Any, Same(0)),
    ("select-keys subvec nthrest nthnext frequencies pop %rest %seq-pattern %map-pattern %index-pattern", Any, Same(0)),
    ("drop drop-last take-nth sort partition partition-all doall", Any, Last),
    ("zipmap", Any, Shortest(0)),
    ("concat merge", Any, Together),
    ("into", Through(1, 3), Both),
    ("transduce", Through(0, 4), Anything),
    ("sequence", Through(0, 2), Anything),
    ("list vector", Any, Arguments),
    ("%skip %stop", Any, Nothing),
];

/// What is known of a builtin.
pub(super) fn rule(id: BuiltinId) -> (Calls, Gives) {
    static BY_ID: OnceLock<HashMap<BuiltinId, (Calls, Gives)>> = OnceLock::new();
    let rules = BY_ID.get_or_init(|| {
        let named = |(names, calls, gives): &Rule| {
            let rule = (*calls, *gives);
            names.split_whitespace().filter_map(move |name| Some((table().find(name)?, rule)))
        };
        RULES.iter().flat_map(named).collect()
    });
    rules.get(&id).copied().unwrap_or((Any, Anything))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_about_one_builtin() {
        let names: Vec<&str> = RULES.iter().flat_map(|(names, ..)| names.split_whitespace()).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(table().find(name).is_some(), "{name} is a builtin");
            assert!(!names[..at].contains(name), "{name} has one rule");
        }
    }
}
