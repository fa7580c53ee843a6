//! Peephole: calls that use only a part of the result of an inner call compute only that part.
//!
//! ```text
//! before  (first (keys m))
//! after   (%first-key m)
//! before  (first (reverse xs))
//! after   (%first-reversed xs)
//! law     The builtin for both gives what the two calls give, for every argument.
//! ```

#[cfg(test)]
mod tests;

use super::root_first::Rewriter;
use crate::analyze::ir::{Kind, Node};
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// The builtin outside, the one inside, and the one that does the work of both.
const PARTS: [(&str, &str, &str); 4] = [
    ("first", "seq", "%first-seq"),
    ("first", "keys", "%first-key"),
    ("first", "vals", "%first-val"),
    ("first", "reverse", "%first-reversed"),
];

/// A builtin used as a test, and the one that computes only the test.
const TESTS: [(&str, &str); 1] = [("seq", "%seq?")];

/// Make `(first (keys m))` create no sequence of the keys.
pub(super) fn run(_: &mut Rewriter<'_>, node: &mut Node) {
    while let Some(both) = one_for_both(node)
        && let Kind::Call { args, .. } = &mut node.kind
        && let Some(Node { kind: Kind::Call { mut callee, args }, .. }) = args.pop()
    {
        callee.kind = Kind::Const(Value::Builtin(both));
        node.kind = Kind::Call { callee, args };
    }
}

/// The builtin that does the work of a call and of the call that is its one argument.
fn one_for_both(node: &Node) -> Option<BuiltinId> {
    let (outside, [inner]) = node.builtin_call()? else { return None };
    let (inside, [_]) = inner.builtin_call()? else { return None };
    let names = [outside, inside].map(|id| table().entry(id).row.name);
    PARTS.iter().find(|(outside, inside, _)| names == [*outside, *inside]).and_then(|(.., both)| table().find(both))
}

/// Make `(if (seq coll) …)` create no sequence.
pub(crate) fn only_test(node: &mut Node) {
    let Some((asked, [_])) = node.builtin_call() else { return };
    let test = TESTS.iter().find(|(test, _)| *test == table().entry(asked).row.name);
    if let (Some((_, gives)), Kind::Call { callee, .. }) = (test, &mut node.kind)
        && let Some(id) = table().find(gives)
    {
        callee.kind = Kind::Const(Value::Builtin(id));
    }
}
