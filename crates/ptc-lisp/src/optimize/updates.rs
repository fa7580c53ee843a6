//! Updates: the function of an `update` is put into its place, at one key or along a path.
//!
//! ```text
//! before  (update m :a (fn [v] (conj v x)))
//! after   (update! m :a [$12] (conj $12 x))
//! before  (update-in m [:a k] (fnil inc 0))
//! after   (update! m :a [$12] (update! $12 k [$13] (inc (if (= $13 nil) 0 $13))))
//! before  (assoc-in m [:a k] v)
//! after   (update! m :a [$12] (if (or (= $12 nil) (associative? $12)) (%assoc $12 k v) leave))
//! law     What is put back is what the function returns; a value that it refuses takes the slow path, which is the call as written.
//! ```
//!
//! The old value moves out of the map while the new one is computed, so that it can change in place.

use super::argument_order::is_local;
use super::inlining::is_combined;
use super::purity::is_pure;
use super::root_first::Rewriter;
use super::tree::{Made, Update};
use crate::analyze::ir::{Kind, Node, bound, call, choice, constant, local, nil};
use crate::optimize::last_uses::reads;
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::value::{BuiltinId, Value};

/// What replaces the value at the end of a path.
enum Becomes<'a> {
    /// What this function returns for it, with these arguments after it.
    Of(&'a Node, &'a [Node]),
    /// This value.
    Value(&'a Node),
}

/// Make a call of `update` or a variant change the map in place, with the body of its function there.
pub(super) fn run(rewriter: &mut Rewriter<'_>, node: &mut Node) {
    rewriter.hold_what_reads_the_map(node);
    if let Some(made) = rewriter.update(node) {
        *node = made;
    }
}

impl Rewriter<'_> {
    /// Evaluate what an update reads from its map before the update starts: during the update, the map holds nothing
    /// at that place.
    fn hold_what_reads_the_map(&mut self, node: &mut Node) {
        let ids = known();
        let Kind::Call { callee, args } = &mut node.kind else { return };
        let first = match callee.kind {
            Kind::Const(Value::Builtin(id)) if [ids.update, ids.update_in, ids.inner_update_in].contains(&id) => 3,
            Kind::Const(Value::Builtin(id)) if id == ids.assoc_in => 2,
            _ => return,
        };
        let Some(map) = args.first().and_then(Node::slot) else { return };
        let mut bindings = Vec::new();
        for arg in args.iter_mut().skip(first).filter(|arg| !is_local(arg) && reads(arg, map) && is_pure(arg)) {
            let held = local(self.slots, arg.span);
            bindings.push((self.slots, std::mem::replace(arg, held)));
            self.slots += 1;
        }
        let body = Node { kind: node.take_kind(), span: node.span };
        *node = bound(bindings, body);
    }

    /// The call as an update of one entry, if it is one. The arguments after the key are evaluated where they are used,
    /// so they must be pure.
    fn update(&mut self, node: &Node) -> Option<Node> {
        let (ids, span) = (known(), node.span);
        let (builtin, args) = node.builtin_call()?;
        let (key, path, becomes) = match args {
            [_, key, f, more @ ..] if builtin == ids.update => (key.clone(), Vec::new(), Becomes::Of(f, more)),
            [_, key, f, _] if builtin == ids.update_at => (key.clone(), Vec::new(), Becomes::Of(f, &[])),
            [_, path, f, more @ ..] if builtin == ids.update_in || builtin == ids.inner_update_in => {
                let mut keys = keys_of(path)?;
                (keys.remove(0), keys, Becomes::Of(f, more))
            }
            [_, path, value] if builtin == ids.assoc_in => {
                let mut keys = keys_of(path).filter(|keys| keys.len() > 1)?;
                (keys.remove(0), keys, Becomes::Value(value))
            }
            _ => return None,
        };
        let pure = match &becomes {
            Becomes::Of(_, more) => more.iter().all(is_movable),
            Becomes::Value(value) => is_pure(value),
        };
        if !pure {
            return None;
        }
        let first = self.slots;
        self.slots += 1;
        self.once = true;
        let body = self.updated(local(first, span), path, &becomes, span);
        self.once = false;
        let at = if builtin == ids.update || builtin == ids.update_at { 2 } else { 1 };
        let (before, written) = args.split_at_checked(at)?;
        let args = [before.first()?.clone(), key];
        let slots = self.slots - first;
        let update = Update { builtin, args, written: written.to_vec(), at, first, slots, body: body? };
        Some(Node { kind: Kind::Made(Made::Update(Box::new(update))), span })
    }

    /// What replaces `old`, with `path` still to follow.
    fn updated(&mut self, old: Node, path: Vec<Node>, becomes: &Becomes<'_>, span: Span) -> Option<Node> {
        let call = |id, args| call(id, args, span);
        let ids = known();
        let is_nil = call(ids.eq, vec![old.clone(), nil(span)]);
        let leave = Node { kind: Kind::Made(Made::Leave), span };
        match (becomes, path.as_slice()) {
            (Becomes::Of(f, more), []) => {
                let value = self.apply(f, std::iter::once(old).chain(more.iter().cloned()).collect(), span)?;
                // The slow path has a hint for a missing number.
                if !matches!(f.kind, Kind::Const(Value::Builtin(id)) if reckons(id)) {
                    return Some(value);
                }
                Some(choice(is_nil, leave, value, span))
            }
            (Becomes::Of(f, more), _) => {
                let first = [old, Node { kind: Kind::Vector(path), span }, (*f).clone()];
                Some(call(ids.inner_update_in, first.into_iter().chain(more.iter().cloned()).collect()))
            }
            (Becomes::Value(value), [key]) => {
                let fits = Node { kind: Kind::Or(vec![is_nil, call(ids.associative, vec![old.clone()])]), span };
                let value = call(ids.inner_assoc, vec![old, key.clone(), (*value).clone()]);
                Some(choice(fits, value, leave, span))
            }
            (Becomes::Value(value), _) => {
                let path = Node { kind: Kind::Vector(path), span };
                Some(call(ids.assoc_in, vec![old, path, (*value).clone()]))
            }
        }
    }
}

/// Whether it may be evaluated later: a pure expression, or a function that is made of such.
fn is_movable(node: &Node) -> bool {
    let parts = if is_combined(node) { node.builtin_call() } else { None };
    is_pure(node) || parts.is_some_and(|(_, parts)| parts.iter().all(is_movable))
}

/// The keys of a path that is written out, each of them pure.
pub(super) fn keys_of(path: &Node) -> Option<Vec<Node>> {
    let keys: Vec<Node> = match &path.kind {
        Kind::Vector(keys) => keys.clone(),
        Kind::Const(Value::Vector(keys)) => keys.iter().map(|key| constant(key.clone(), path.span)).collect(),
        _ => return None,
    };
    (!keys.is_empty() && keys.iter().all(is_pure)).then_some(keys)
}

/// Whether the builtin is arithmetic, which does not accept nil and updates nothing in place.
pub(super) fn reckons(id: BuiltinId) -> bool {
    let ids = known();
    [ids.add, ids.sub, ids.mul, ids.inc, ids.dec].contains(&id)
}
