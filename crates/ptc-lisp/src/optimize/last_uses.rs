//! Last uses: the last read of a local moves its value, so that a holder of the only reference changes it in place.
//!
//! ```text
//! before  (let [ys (conj xs x)] (conj ys x))
//! after   (let [$12 (conj xs! x)] (conj $12! x!))
//! before  (if x (conj xs y) (count xs))
//! after   (if x! (conj xs! y!) (count xs!))
//! law     No read follows; a loop reads what it needs again in its next round.
//! ```

use super::argument_order::{argument_order, element_order, is_same_slot, recur_order};
use super::body::Body;
use super::tree::{Each, Made, Update};
use crate::analyze::ir::{CaptureSource, Kind, Node, Slot};
use crate::bits::Bits;

/// The slots that are read later.
type Live = Bits;

/// Mark the last uses in a function body. Shared locals hold values that a collection holds, too: they are cleared as
/// soon as it is known that they are not read again.
pub(super) fn run(body: &mut Body<'_>) {
    let Body { arity, shared } = body;
    let params: Vec<Slot> = (0..arity.fixed + u32::from(arity.rest)).collect();
    let mut marker =
        Marker { targets: vec![(params, Live::default())], slow: Live::default(), parts: std::mem::take(shared) };
    let mut live = Live::default();
    marker.visit(&mut arity.body, &mut live);
}

struct Marker {
    /// Slots of each enclosing `recur` target, and what is live when it starts again.
    targets: Vec<(Vec<Slot>, Live)>,
    /// What the slow path of the enclosing update reads, and the code after it.
    slow: Live,
    parts: Vec<Slot>,
}

impl Marker {
    /// `live` is what is read after `node`; on return, what is read from `node` on.
    fn visit(&mut self, node: &mut Node, live: &mut Live) {
        match &mut node.kind {
            Kind::Local { slot, last } => *last = live.add(*slot),
            Kind::Cond { clauses, default } => {
                let (after, mut elsewhere) = (live.clone(), Live::default());
                self.visit(default, live);
                let by_default = live.clone();
                for (test, then) in clauses.iter_mut().rev() {
                    let mut taken = after.clone();
                    self.visit(then, &mut taken);
                    self.clear(then, &taken, live);
                    elsewhere.join(&taken);
                    live.join(&taken);
                    self.visit(test, live);
                }
                self.clear(default, &by_default, &elsewhere);
            }
            Kind::Do(nodes) | Kind::And(nodes) | Kind::Or(nodes) => self.visit_all(nodes, live),
            Kind::Vector(nodes) | Kind::Map(nodes) | Kind::Set(nodes) => {
                let order = element_order(nodes);
                self.visit_in_order(nodes, order, live);
            }
            Kind::Let { bindings, body } => {
                self.visit(body, live);
                self.visit_bindings(bindings, live);
            }
            Kind::Loop { bindings, body } => self.visit_loop(bindings, body, live),
            Kind::Recur(args) => self.visit_recur(args, live),
            Kind::Call { callee, args } => {
                let order = argument_order(args);
                self.visit_in_order(args, order, live);
                self.visit(callee, live);
            }
            Kind::Made(Made::Each(each)) => self.visit_each(each, live),
            Kind::Made(Made::Update(update)) => self.visit_update(update, live),
            Kind::Made(Made::Leave) => live.join(&self.slow),
            Kind::Made(Made::Replace { map, keys, lets_go, call }) => {
                *lets_go = !live.has(*map);
                self.visit(call, live);
                // They are read before the call, which reads them again.
                keys.iter().for_each(|key| collect_reads(key, live));
            }
            Kind::Fn(function) => mark_captured(&function.captures, live),
            Kind::LetFn { slots, captures, body, .. } => {
                self.visit(body, live);
                for slot in slots {
                    live.remove(*slot);
                }
                mark_captured(captures, live);
            }
            Kind::Try { body, catches, finally } => {
                if let Some(finally) = finally {
                    self.visit(finally, live);
                }
                // The body may leave for a handler at any point, so what handlers read stays alive throughout.
                let after = live.clone();
                for catch in catches {
                    let mut taken = after.clone();
                    self.visit(&mut catch.body, &mut taken);
                    taken.remove(catch.slot);
                    live.join(&taken);
                }
                self.visit(body, live);
            }
            Kind::Made(Made::Lazily { source, functions, .. }) => {
                let order = argument_order(functions);
                self.visit_in_order(functions, order, live);
                self.visit(source, live);
            }
            // It has at most one part.
            _ => node.for_each_part(&mut |part| self.visit(part, live)),
        }
    }

    /// At the start of a branch, clear what only the other one reads.
    fn clear(&self, branch: &mut Node, read: &Live, elsewhere: &Live) {
        let slots: Vec<Slot> =
            self.parts.iter().copied().filter(|slot| elsewhere.has(*slot) && !read.has(*slot)).collect();
        if !slots.is_empty() {
            let then = Node { kind: branch.take_kind(), span: branch.span };
            branch.kind = Kind::Made(Made::Clear { slots, then: Box::new(then) });
        }
    }

    fn visit_all(&mut self, nodes: &mut [Node], live: &mut Live) {
        for node in nodes.iter_mut().rev() {
            self.visit(node, live);
        }
    }

    fn visit_in_order(&mut self, nodes: &mut [Node], order: Vec<usize>, live: &mut Live) {
        for at in order.into_iter().rev() {
            if let Some(node) = nodes.get_mut(at) {
                self.visit(node, live);
            }
        }
    }

    fn visit_bindings(&mut self, bindings: &mut [(Slot, Node)], live: &mut Live) {
        for (slot, init) in bindings.iter_mut().rev() {
            live.remove(*slot);
            self.visit(init, live);
        }
    }

    fn visit_loop(&mut self, bindings: &mut [(Slot, Node)], body: &mut Node, live: &mut Live) {
        let slots: Vec<Slot> = bindings.iter().map(|(slot, _)| *slot).collect();
        // What the body reads from outside is read again in the next round.
        let mut again = live.clone();
        collect_reads(body, &mut again);
        for slot in &slots {
            again.remove(*slot);
        }
        self.targets.push((slots, again.clone()));
        live.join(&again);
        self.visit(body, live);
        self.targets.pop();
        live.join(&again);
        self.visit_bindings(bindings, live);
    }

    fn visit_each(&mut self, each: &mut Each, live: &mut Live) {
        let mut slow = live.clone();
        // As in a loop.
        each.collect_rounds(live);
        let mut again = live.clone();
        each.sets.iter().for_each(|slot| again.remove(*slot));
        self.targets.push((each.sets.clone(), again));
        self.visit(&mut each.body, live);
        self.targets.pop();
        each.remove_slots(live);
        each.collect_rounds(live);
        for operand in each.operands_mut() {
            self.visit(operand, live);
        }
        self.visit(&mut each.slow, &mut slow);
        live.join(&slow);
    }

    fn visit_update(&mut self, update: &mut Update, live: &mut Live) {
        let mut slow = live.clone();
        update.written.iter().for_each(|node| collect_reads(node, &mut slow));
        let around = std::mem::replace(&mut self.slow, slow);
        self.visit(&mut update.body, live);
        self.slow = around;
        update.collect_rest(live);
        self.visit_all(&mut update.args, live);
    }

    fn visit_recur(&mut self, args: &mut [Node], live: &mut Live) {
        let Some((slots, again)) = self.targets.last().cloned() else { return };
        *live = again;
        // What stays in its slot is read again in the next round.
        for (arg, slot) in args.iter().zip(&slots) {
            if is_same_slot(Some(arg), Some(slot)) {
                live.add(*slot);
            }
        }
        match recur_order(args, &slots) {
            Some(order) => {
                for at in order.into_iter().rev() {
                    if let (Some(arg), Some(slot)) = (args.get_mut(at), slots.get(at)) {
                        live.remove(*slot);
                        self.visit(arg, live);
                    }
                }
            }
            None => self.visit_all(args, live),
        }
    }
}

impl Each {
    /// What the rounds read from outside.
    fn collect_rounds(&self, live: &mut Live) {
        collect_reads(&self.body, live);
        self.remove_slots(live);
    }

    fn remove_slots(&self, live: &mut Live) {
        (self.first..self.first + self.slots).for_each(|slot| live.remove(slot));
    }
}

impl Update {
    /// What the body and its slow path read from outside.
    fn collect_rest(&self, live: &mut Live) {
        collect_reads(&self.body, live);
        (self.first..self.first + self.slots).for_each(|slot| live.remove(slot));
        self.written.iter().for_each(|node| collect_reads(node, live));
    }
}

fn mark_captured(captures: &[CaptureSource], live: &mut Live) {
    for source in captures {
        if let CaptureSource::Local(slot) = source {
            live.add(*slot);
        }
    }
}

/// Whether `slot` is read in `node`, which does not bind it.
pub(crate) fn reads(node: &Node, slot: Slot) -> bool {
    let mut live = Live::default();
    collect_reads(node, &mut live);
    live.has(slot)
}

/// Every slot read in `node` that is bound outside it: slots that it binds itself are bound again before they are read.
fn collect_reads(node: &Node, live: &mut Live) {
    node.look_at_parts(&mut |part| collect_reads(part, live));
    match &node.kind {
        Kind::Local { slot, .. } => _ = live.add(*slot),
        Kind::Let { bindings, .. } | Kind::Loop { bindings, .. } => {
            bindings.iter().for_each(|(slot, _)| live.remove(*slot));
        }
        Kind::Made(Made::Each(each)) => {
            each.collect_rounds(live);
            collect_reads(&each.slow, live);
        }
        Kind::Made(Made::Update(update)) => update.collect_rest(live),
        Kind::Fn(function) => mark_captured(&function.captures, live),
        Kind::LetFn { slots, captures, .. } => {
            slots.iter().for_each(|slot| live.remove(*slot));
            mark_captured(captures, live);
        }
        Kind::Try { catches, .. } => catches.iter().for_each(|catch| live.remove(catch.slot)),
        _ => {}
    }
}
