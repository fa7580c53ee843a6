//! Calls that ask for a part of what the call inside them makes: nothing but the part is made.

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

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

/// What a test asks of a builtin, and the one that answers just that.
const TESTS: [(&str, &str); 1] = [("seq", "%seq?")];

struct Rules {
    parts: Vec<(BuiltinId, BuiltinId, BuiltinId)>,
    tests: Vec<(BuiltinId, BuiltinId)>,
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let id = |name: &str| table().find(name).unwrap_or(BuiltinId(u16::MAX));
        Rules {
            parts: PARTS.iter().map(|(outside, inside, both)| (id(outside), id(inside), id(both))).collect(),
            tests: TESTS.iter().map(|(asked, answers)| (id(asked), id(answers))).collect(),
        }
    })
}

/// `(first (keys m))` makes no sequence of the keys.
pub(super) fn ask_for_part(node: &mut Node) {
    while let Some(both) = one_for_both(&node.kind)
        && let Kind::Call { args, .. } = &mut node.kind
        && let Some(Node { kind: Kind::Call { mut callee, args }, .. }) = args.pop()
    {
        callee.kind = Kind::Const(Value::Builtin(both));
        node.kind = Kind::Call { callee, args };
    }
}

/// The builtin that does the work of a call and of the call that is its one argument.
fn one_for_both(kind: &Kind) -> Option<BuiltinId> {
    let (outside, [Node { kind, .. }]) = builtin_call(kind)? else { return None };
    let (inside, [_]) = builtin_call(kind)? else { return None };
    rules().parts.iter().find(|(first, second, _)| (*first, *second) == (outside, inside)).map(|(_, _, both)| *both)
}

fn builtin_call(kind: &Kind) -> Option<(BuiltinId, &[Node])> {
    match kind {
        Kind::Call { callee, args } => match callee.kind {
            Kind::Const(Value::Builtin(id)) => Some((id, args)),
            _ => None,
        },
        _ => None,
    }
}

/// `(if (seq coll) …)` makes no sequence.
pub(super) fn only_test(node: &mut Node) {
    if let Kind::Call { callee, args } = &mut node.kind
        && let (Kind::Const(Value::Builtin(asked)), [_]) = (&callee.kind, args.as_slice())
        && let Some((_, answers)) = rules().tests.iter().find(|(test, _)| test == asked)
    {
        callee.kind = Kind::Const(Value::Builtin(*answers));
    }
}
