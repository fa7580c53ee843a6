//! Cell updates: a store of what is computed from the content of the same cell becomes `swap!` or `vswap!`.
//!
//! ```text
//! before  (vreset! cell (conj @cell x))
//! after   (vswap! cell conj x)
//! before  (reset! cell (assoc @cell k (count @cell)))
//! after   (swap! cell assoc k (count (deref cell)))
//! law     The cell gets the same content; an error has the place of the change.
//! ```
//!
//! They change the content in place: the result of `deref` would be a second holder.

#[cfg(test)]
mod tests;

use super::leaves_first::Scope;
use super::purity::{is_pure, purity};
use crate::analyze::ir::{Kind, Node};
use crate::stdlib::Purity;
use crate::stdlib::known::known;
use crate::value::Value;

/// Rewrite a store of what a builtin computes from the content of the same cell.
pub(super) fn run(_: &mut Scope<'_>, node: &mut Node) {
    let Kind::Call { callee, args } = &mut node.kind else { return };
    let ids = known();
    let change = match callee.builtin() {
        Some(id) if id == ids.reset => ids.swap,
        Some(id) if id == ids.vreset => ids.vswap,
        _ => return,
    };
    let [cell, stored] = args.as_mut_slice() else { return };
    let Kind::Call { callee: made_by, args: parts } = &mut stored.kind else { return };
    let Some(by) = made_by.builtin() else { return };
    let Some((content, more)) = parts.split_first() else { return };
    // A builtin that calls a function is not pure itself; here the function is an argument of the change.
    let changes = purity(by) == Purity::Pure || by == ids.update || by == ids.update_in;
    if !changes || !is_content_of(content, cell) || !more.iter().all(|part| reads_only(part, cell)) {
        return;
    }
    // Errors have the place where the content is changed.
    node.span = stored.span;
    callee.kind = Kind::Const(Value::Builtin(change));
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
    matches!(node.builtin_call(), Some((id, [read])) if id == known().deref && is_same_name(read, cell))
}

/// Whether evaluating it changes nothing; it may read the content.
fn reads_only(node: &Node, cell: &Node) -> bool {
    is_pure(node)
        || is_content_of(node, cell)
        || match &node.kind {
            Kind::Call { callee, args } => {
                let pure = matches!(callee.kind, Kind::Const(Value::Keyword(_)))
                    || callee.builtin().is_some_and(|id| purity(id) == Purity::Pure);
                pure && args.iter().all(|arg| reads_only(arg, cell))
            }
            _ => false,
        }
}
