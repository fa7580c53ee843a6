//! Loops: a call over a collection becomes a loop with the body of its function.
//!
//! ```text
//! before  (mapv (fn [x] (+ x y)) xs)
//! after   (each map [$12 xs] (+ $12 y))
//! before  (reduce (fn [sum x] (+ sum (:price x))) 0 xs)
//! after   (let [$14 0] (each fold [$12 $14] [$13 xs] (+ $12 (:price $13))))
//! before  (map f xs)
//! after   (each map [$12 xs] (f $12))
//! before  (reduce-kv (fn [n k v] (+ n v)) 0 m)
//! after   (let [$15 0] (each fold [$12 $15] [[$13 $14] m] (+ $12 $14)))
//! law     For a collection or function that the loop does not know, the call as written runs: the slow path, which is kept with the loop and not shown here.
//! ```
//!
//! Then `(map (fn [x] …) xs)` needs no closure and no frame: the body of the literal is in the loop, and captured values stay
//! where they were. Any other function is called there.

#[cfg(test)]
pub(super) mod tests;

use super::argument_order::is_local;
use super::inlining::{self, Moved};
use super::last_uses::reads;
use super::root_first::{MAX_SLOTS, Rewriter};
use super::tree::{Each, LoopKind, LoopSource, Made, Parts};
use super::updates::reckons;
use crate::analyze::ir::{CaptureSource, Kind, Node, Slot, bound, call, constant};
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// Make a call over a collection a loop.
pub(super) fn run(rewriter: &mut Rewriter<'_>, node: &mut Node) {
    if let Some(made) = rewriter.each(node) {
        *node = made;
    }
}

impl Rewriter<'_> {
    /// The call as a loop, if it is one over a collection.
    fn each(&mut self, node: &Node) -> Option<Node> {
        let (id, args) = node.builtin_call()?;
        let shape = Shape::of(id, args.len()).filter(|shape| !shape.is_sum(args))?;
        if self.slots + MAX_ARGUMENTS > MAX_SLOTS {
            return None;
        }
        let span = node.span;
        let mut slow = args.to_vec();
        let (params, function) = (shape.params, slow.get(shape.function)?.clone());
        let moved = self.in_place(&function, params, span);
        if shape.marks && moved.is_none() {
            // A mark returned by a called function is an ordinary value here.
            return None;
        }
        let (mut bindings, mut over, mut beside, mut init, mut callee) = (Vec::new(), None, None, None, None);
        for (at, arg) in slow.iter_mut().enumerate() {
            if at == shape.collection {
                over = Some(self.hold_collection(arg, shape.pairs, &mut bindings));
            } else if at > shape.collection && !shape.marks {
                beside = Some(self.hold(arg, &mut bindings));
            } else if at != shape.function {
                init = Some(self.hold(arg, &mut bindings));
            } else if moved.is_none() {
                callee = Some(self.hold(arg, &mut bindings));
            }
        }
        let Moved { first, slots, mut body } = match (moved, &callee) {
            (Some(moved), _) => moved,
            (None, callee) => self.applied(callee.as_ref()?, params, span)?,
        };
        if shape.marks {
            mark(&mut body);
        }
        // For a keyword as function, a single map is usually a mistake: the slow path reports it.
        let takes_maps = beside.is_some() || !matches!(function.kind, Kind::Const(Value::Keyword(_)));
        let slow = call(id, slow, span);
        let (does, indexed, over) = (shape.does, shape.indexed, over?);
        let (parts, nested, sets) = (None, false, Vec::new());
        let warns = matches!(does, LoopKind::Map | LoopKind::Keep | LoopKind::Concat | LoopKind::Effects);
        let mut each = Each {
            does,
            over,
            beside,
            init,
            callee,
            slow,
            takes_maps,
            warns,
            indexed,
            parts,
            nested,
            sets,
            first,
            slots,
            body,
        };
        if shape.entries {
            each.parts = Some(Parts { first: first + 1, count: 2, entries: true });
        } else if does != (LoopKind::Fold { init: false }) && each.beside.is_none() {
            self.take_apart(&mut each);
        }
        Some(bound(bindings, Node { kind: Kind::Made(Made::Each(Box::new(each))), span }))
    }

    /// Where the body only destructures its element, let the loop do that.
    pub(super) fn take_apart(&mut self, each: &mut Each) {
        let element = each.element();
        let Kind::Let { bindings, .. } = &mut each.body.kind else { return };
        let Some(at) = bindings.iter().position(|(_, init)| is_pattern_of(init, element)) else { return };
        let Some((whole, _)) = bindings.get(at).cloned() else { return };
        let first = self.slots;
        let mut probe = TakeApart { whole, first, count: 0, possible: true };
        let mut body = each.body.clone();
        let Kind::Let { bindings, .. } = &mut body.kind else { return };
        bindings.remove(at);
        if reads(&body, element) {
            return;
        }
        probe.visit(&mut body);
        if probe.possible && (1..=MAX_PARTS).contains(&probe.count) {
            each.parts = Some(Parts { first, count: probe.count, entries: false });
            each.body = body;
            self.slots += probe.count;
            each.slots = self.slots - each.first;
        }
    }

    /// The body of a function that is known here, or a call of it where the expression of the function may be repeated.
    fn in_place(&mut self, function: &Node, params: Slot, span: Span) -> Option<Moved> {
        match &function.kind {
            Kind::Fn(function) => self.body_with(function, params, &[]),
            Kind::Const(Value::Builtin(id)) if !table().entry(*id).accepts(params as usize) => None,
            Kind::Const(Value::Keyword(_) | Value::Builtin(_)) => self.applied(function, params, span),
            _ if inlining::is_combined(function) => self.applied(function, params, span),
            _ => None,
        }
    }

    /// The same for a collection; the bounds of a range are held instead of its elements. An endless one must be
    /// allowed.
    pub(super) fn hold_collection(
        &mut self,
        node: &mut Node,
        endless: bool,
        bindings: &mut Vec<(Slot, Node)>,
    ) -> LoopSource {
        let span = node.span;
        match &mut node.kind {
            Kind::Call { callee, args } if is_builtin(callee, known().range) => match args.as_mut_slice() {
                [] if endless => {
                    let ends = [Value::Int(0), Value::Int(i64::MAX)];
                    LoopSource::Range(ends.map(|end| self.hold(&mut constant(end, span), bindings)))
                }
                [end] => {
                    let end = self.hold(end, bindings);
                    let start = self.hold(&mut constant(Value::Int(0), span), bindings);
                    LoopSource::Range([start, end])
                }
                [start, end] => LoopSource::Range([self.hold(start, bindings), self.hold(end, bindings)]),
                _ => LoopSource::Items(self.hold(node, bindings)),
            },
            _ => LoopSource::Items(self.hold(node, bindings)),
        }
    }
}

/// The most slots that the arguments of a call may need.
const MAX_ARGUMENTS: u32 = 8;

/// Whether it is `(%seq-pattern element)`, with which the pattern of a vector starts.
fn is_pattern_of(node: &Node, element: Slot) -> bool {
    matches!(node.builtin_call(), Some((id, [whole])) if id == known().seq_pattern && whole.slot() == Some(element))
}

/// The most parts of an element that get separate slots.
const MAX_PARTS: u32 = 4;

/// Reads of `(%nth whole 0)` and so on become reads of slots from `first` on.
struct TakeApart {
    whole: Slot,
    first: Slot,
    count: u32,
    /// Whether the whole is not used otherwise.
    possible: bool,
}

impl TakeApart {
    fn visit(&mut self, node: &mut Node) {
        let part = match node.builtin_call() {
            Some((id, [holder, Node { kind: Kind::Const(Value::Int(at)), .. }]))
                if id == known().nth_part && holder.slot() == Some(self.whole) =>
            {
                u32::try_from(*at).ok()
            }
            _ => None,
        };
        match (&mut node.kind, part) {
            (_, Some(at)) => {
                self.count = self.count.max(at.saturating_add(1));
                node.kind = Kind::Local { slot: self.first.saturating_add(at), last: false };
                return;
            }
            (Kind::Local { slot, .. }, _) if *slot == self.whole => self.possible = false,
            (Kind::Fn(function), _) => self.possible &= !function.captures.contains(&CaptureSource::Local(self.whole)),
            (Kind::LetFn { captures, .. }, _) => self.possible &= !captures.contains(&CaptureSource::Local(self.whole)),
            _ => {}
        }
        node.for_each_part(&mut |part| self.visit(part));
    }
}

/// What a call of a builtin does, and the positions of its function and its collection among its arguments.
struct Shape {
    does: LoopKind,
    function: usize,
    collection: usize,
    /// The number of arguments of the function.
    params: Slot,
    /// Whether the first of them is the index of the element, and whether the last ones are key and value of a map.
    indexed: bool,
    entries: bool,
    /// Whether there are two collections.
    pairs: bool,
    /// Whether the body may return marks instead of values: to skip an element, or to end the loop.
    marks: bool,
}

impl Shape {
    fn of(id: BuiltinId, count: usize) -> Option<Shape> {
        let ids = known();
        let does = match count {
            3 if id == ids.map || id == ids.mapv => LoopKind::Map,
            2 if [ids.map, ids.mapv, ids.each, ids.map_indexed].contains(&id) => LoopKind::Map,
            2 if id == ids.filter || id == ids.filterv => LoopKind::Filter { truthy: true },
            2 if id == ids.remove => LoopKind::Filter { truthy: false },
            2 if id == ids.keep || id == ids.keep_indexed => LoopKind::Keep,
            2 if id == ids.mapcat || id == ids.each_concat => LoopKind::Concat,
            2 if id == ids.group_by => LoopKind::Group,
            2 if id == ids.reduce => LoopKind::Fold { init: false },
            3 if id == ids.reduce || id == ids.reduce_kv => LoopKind::Fold { init: true },
            2 if id == ids.some => LoopKind::Search { truthy: true },
            2 if id == ids.every => LoopKind::Search { truthy: false },
            2 if id == ids.each_effect => LoopKind::Effects,
            _ => return None,
        };
        let marks = [ids.each, ids.each_concat, ids.each_effect].contains(&id);
        let (indexed, entries) = (id == ids.map_indexed || id == ids.keep_indexed, id == ids.reduce_kv);
        let pairs = does == LoopKind::Map && count == 3;
        let params = 1 + Slot::from(matches!(does, LoopKind::Fold { .. }) || indexed || pairs) + Slot::from(entries);
        // The forms of the language have the collection first.
        let function = usize::from(marks);
        let collection = if marks { 0 } else { count - 1 - usize::from(pairs) };
        Some(Shape { does, function, collection, params, indexed, entries, pairs, marks })
    }

    /// Whether it folds numbers: the builtin does that without a step for each, and has a hint for nil.
    fn is_sum(&self, args: &[Node]) -> bool {
        let function = args.get(self.function).map(|function| &function.kind);
        matches!(self.does, LoopKind::Fold { .. })
            && matches!(function, Some(Kind::Const(Value::Builtin(id))) if reckons(*id) || *id == known().div)
    }
}

/// Make the body of a `for` or `doseq` jump where it returns a mark.
pub(super) fn mark(body: &mut Node) {
    body.for_each_end(&mut |end| match end.builtin() {
        Some(id) if id == known().skip => end.kind = Kind::Made(Made::Skip),
        Some(id) if id == known().stop => end.kind = Kind::Made(Made::Stop),
        _ => {}
    });
}

fn is_builtin(node: &Node, id: BuiltinId) -> bool {
    node.builtin() == Some(id)
}

/// Whether only fields of the value in `slot` are read: `(:key local)`. Functions that capture it do not count.
pub(crate) fn reads_fields_only(node: &mut Node, slot: Slot) -> bool {
    match &mut node.kind {
        Kind::Local { slot: read, .. } => *read != slot,
        Kind::Call { callee, args }
            if matches!(callee.kind, Kind::Const(Value::Keyword(_))) && matches!(&**args, [arg] if is_local(arg)) =>
        {
            true
        }
        Kind::Made(Made::Each(each)) => {
            reads_fields_only(&mut each.body, slot)
                && reads_fields_only(&mut each.slow, slot)
                && each.operands_mut().all(|operand| reads_fields_only(operand, slot))
        }
        Kind::Made(Made::Update(update)) => {
            reads_fields_only(&mut update.body, slot) && update.args.iter_mut().all(|arg| reads_fields_only(arg, slot))
        }
        _ => {
            let mut only = true;
            node.for_each_part(&mut |part| only = only && reads_fields_only(part, slot));
            only
        }
    }
}
