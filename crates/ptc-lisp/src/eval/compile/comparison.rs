//! Functions of two parameters that only compare: `#(> (:k %1) (:k %2))`, `(fn [a b] (compare b a))`, `(comparator <)`.

use crate::analyze::ir::{Arity, Kind, Node};
use crate::stdlib::argument::Relation;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{By, Comparison, Name, Value};

/// What an arity compares, if it does nothing else.
pub(super) fn comparison(arity: &Arity) -> Option<Comparison> {
    if arity.fixed != 2 || arity.rest {
        return None;
    }
    match &arity.body.kind {
        Kind::Call { callee, args } => {
            let is_strict = |id| matches!(table().entry(id).row.relation(), Some(Relation::Less | Relation::Greater));
            let id = callee.builtin().filter(|id| *id == known().compare || is_strict(*id))?;
            let (swapped, field) = sides(args)?;
            Some(Comparison { by: By::Builtin(id), swapped, field })
        }
        Kind::Cond { clauses, default } => match clauses.as_slice() {
            [(before, less), (behind, more)] if is_int(less, -1) && is_int(more, 1) && is_int(default, 0) => {
                let plain = |test: &Node| match &test.kind {
                    Kind::Call { callee, args } if matches!(callee.kind, Kind::Capture(0)) => sides(args),
                    _ => None,
                };
                (plain(before)? == (false, None) && plain(behind)? == (true, None)).then_some(Comparison {
                    by: By::Captured,
                    swapped: false,
                    field: None,
                })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether the parameters are swapped, and the field that is read from both.
fn sides(args: &[Node]) -> Option<(bool, Option<Name>)> {
    let [left, right] = args else { return None };
    let ((left, field), (right, other)) = (side(left)?, side(right)?);
    (left != right && field == other).then_some((left == 1, field))
}

/// A parameter, and the field that is read from it.
fn side(node: &Node) -> Option<(u32, Option<Name>)> {
    let (param, field) = match &node.kind {
        Kind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
            (Kind::Const(Value::Keyword(name)), [holder]) => (holder, Some(name.clone())),
            _ => return None,
        },
        _ => (node, None),
    };
    param.slot().filter(|slot| *slot < 2).map(|slot| (slot, field))
}

fn is_int(node: &Node, wanted: i64) -> bool {
    matches!(node.kind, Kind::Const(Value::Int(n)) if n == wanted)
}
