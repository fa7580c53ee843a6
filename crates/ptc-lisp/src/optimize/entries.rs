//! Entries: a pair that is written out where it is added to a map is never created.
//!
//! ```text
//! with    loops
//! before  (reduce (fn [m x] (conj m [x (f x)])) {} xs)
//! after   (let [$14 '{}] (each fold [$12 $14] [$13 xs] (%put $12 $13 (f $13))))
//! law     The map gets the same entries, in the same order.
//! ```

use super::root_first::Rewriter;
use super::tree::{LoopKind, Made};
use crate::analyze::ir::{Kind, Node, Slot, call, local};
use crate::stdlib::known::known;
use crate::value::Value;

/// Make a fold that fills a map add entries instead of pairs: `(reduce (fn [m x] (conj m [k v])) {} xs)`.
pub(super) fn run(_: &mut Rewriter<'_>, node: &mut Node) {
    let Kind::Let { bindings, body } = &mut node.kind else { return };
    let Kind::Made(Made::Each(each)) = &mut body.kind else { return };
    let init = each.init.as_ref().and_then(Node::slot).filter(|_| each.does == LoopKind::Fold { init: true });
    if !bindings.iter().any(|(slot, literal)| Some(*slot) == init && is_map(literal)) {
        return;
    }
    let (map, mut changed, mut body) = (each.first, false, each.body.clone());
    let fills = ends(&mut body, &mut |end| match &mut end.kind {
        Kind::Local { slot, .. } => *slot == map,
        Kind::Made(Made::Skip | Made::Stop) => true,
        Kind::Call { callee, args } => {
            let id = callee.builtin();
            match args.as_mut_slice() {
                [holder, ..] if holder.slot() != Some(map) => false,
                [_, pair] if id == Some(known().conj) => {
                    changed = put(pair, map);
                    end.kind = pair.take_kind();
                    changed
                }
                _ => id == Some(known().assoc),
            }
        }
        _ => false,
    });
    if fills && changed {
        each.body = body;
    }
}

/// Whether it is an ordinary map literal.
pub(super) fn is_map(node: &Node) -> bool {
    match &node.kind {
        Kind::Map(_) => true,
        Kind::Const(Value::Map(map)) => map.as_sorted().is_none(),
        _ => false,
    }
}

/// Change an expression that returns a pair, or skips an element, to one that returns the map in `map` with that pair.
/// False, with the expression unusable, when it returns anything else.
pub(super) fn put(node: &mut Node, map: Slot) -> bool {
    ends(node, &mut |end| match &mut end.kind {
        Kind::Vector(pair) if pair.len() == 2 => {
            let entry = std::iter::once(local(map, end.span)).chain(std::mem::take(pair)).collect();
            end.kind = call(known().put, entry, end.span).kind;
            true
        }
        Kind::Made(Made::Skip | Made::Stop) => true,
        _ => false,
    })
}

/// The same for an expression that adds the pair in local `pair` to a map, with the expression of the pair. The result
/// replaces `value`.
pub(super) fn put_in(value: &mut Node, pair: Slot, whole: &Node) -> bool {
    match whole.builtin_call() {
        Some((id, [map, put_pair])) if id == known().put && put_pair.slot() == Some(pair) => {
            map.slot().is_some_and(|map| put(value, map))
        }
        _ => false,
    }
}

/// Whether no pair is left that is added as a whole.
pub(super) fn all_put(body: &mut Node) -> bool {
    ends(body, &mut |end| end.builtin_call().is_none_or(|(id, args)| id != known().put || args.len() == 3))
}

/// Apply `change` at the ends of an expression; returns whether it succeeded at all of them.
fn ends(node: &mut Node, change: &mut dyn FnMut(&mut Node) -> bool) -> bool {
    let mut all = true;
    node.for_each_end(&mut |end| all = all && change(end));
    all
}
