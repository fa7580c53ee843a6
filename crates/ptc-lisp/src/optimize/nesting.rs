//! Nesting: where everything that an outer loop joins comes from loops in its body, these collect for it.
//!
//! ```text
//! with    loops
//! before  (for [x xs y ys] (+ x y))
//! after   (each nest [$12 xs] (each map [$13 ys] (+ $12 $13)))
//! law     The same elements, in the same order.
//! ```

use super::tree::{LoopKind, Made};
use crate::analyze::ir::{Kind, Node};

/// Make inner loops collect for the outer one.
pub(super) fn run(node: &mut Node) {
    let Kind::Made(Made::Each(each)) = &mut node.kind else { return };
    let mut all_collect = each.does == LoopKind::Concat;
    each.body.for_each_end(&mut |end| all_collect &= collects(end));
    if all_collect {
        each.does = LoopKind::Nest;
        each.body.for_each_end(&mut |end| {
            if let Kind::Made(Made::Each(inner)) = &mut end.kind {
                inner.nested = true;
            }
        });
    }
}

/// Whether its value, if it has one, is that of a loop that collects.
fn collects(node: &Node) -> bool {
    match &node.kind {
        Kind::Made(Made::Skip | Made::Stop) => true,
        Kind::Made(Made::Each(each)) => {
            matches!(
                each.does,
                LoopKind::Map | LoopKind::Keep | LoopKind::Filter { .. } | LoopKind::Concat | LoopKind::Nest
            )
        }
        _ => false,
    }
}
