//! `(vreset! v (conj @v x))` becomes `(vswap! v conj x)`, which changes the content where it is: what `deref` gave would
//! be a second holder. The same of `reset!`.

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use crate::analyze::ir::{Kind, Node};
use crate::eval::order::{is_pure, purity};
use crate::stdlib::Purity;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

struct Rules {
    /// What stores, and what changes.
    pairs: Vec<(BuiltinId, BuiltinId)>,
    deref: BuiltinId,
    /// What calls a function, which is an argument of the change then.
    updates: Vec<BuiltinId>,
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let id = |name: &str| table().find(name).unwrap_or(BuiltinId(u16::MAX));
        Rules {
            pairs: vec![(id("reset!"), id("swap!")), (id("vreset!"), id("vswap!"))],
            deref: id("deref"),
            updates: vec![id("update"), id("update-in")],
        }
    })
}

/// Rewrite a store of what a builtin makes of the content of the same cell.
pub(super) fn swap_what_is_stored(node: &mut Node) {
    let Kind::Call { callee, args } = &mut node.kind else { return };
    let Kind::Const(Value::Builtin(stores)) = callee.kind else { return };
    let Some((_, change)) = rules().pairs.iter().find(|(store, _)| *store == stores) else { return };
    let [cell, stored] = args.as_mut_slice() else { return };
    let Kind::Call { callee: made_by, args: parts } = &mut stored.kind else { return };
    let Kind::Const(Value::Builtin(by)) = made_by.kind else { return };
    let Some((content, more)) = parts.split_first() else { return };
    let changes = purity(by) == Purity::Pure || rules().updates.contains(&by);
    if !changes || !is_content_of(content, cell) || !more.iter().all(|part| reads_only(part, cell)) {
        return;
    }
    // Errors stand where the content is changed.
    node.span = stored.span;
    callee.kind = Kind::Const(Value::Builtin(*change));
    let f = (**made_by).clone();
    let more = parts.split_off(1);
    args.truncate(1);
    args.push(f);
    args.extend(more);
}

fn is_same_name(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Local { slot: one, .. }, Kind::Local { slot: other, .. }) => one == other,
        (Kind::Capture(one), Kind::Capture(other)) | (Kind::Global(one), Kind::Global(other)) => one == other,
        _ => false,
    }
}

fn is_content_of(node: &Node, cell: &Node) -> bool {
    let Kind::Call { callee, args } = &node.kind else { return false };
    matches!(callee.kind, Kind::Const(Value::Builtin(id)) if id == rules().deref)
        && matches!(args.as_slice(), [read] if is_same_name(read, cell))
}

/// Whether evaluating it changes nothing: the content may be read in it, too.
fn reads_only(node: &Node, cell: &Node) -> bool {
    is_pure(node)
        || is_content_of(node, cell)
        || match &node.kind {
            Kind::Call { callee, args } => {
                let pure = matches!(callee.kind, Kind::Const(Value::Keyword(_)))
                    || matches!(callee.kind, Kind::Const(Value::Builtin(id)) if purity(id) == Purity::Pure);
                pure && args.iter().all(|arg| reads_only(arg, cell))
            }
            _ => false,
        }
}
