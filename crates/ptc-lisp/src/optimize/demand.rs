//! How much of each sequence is read: one of which perhaps only a prefix is read becomes lazy.
//!
//! `(let [ys (map f xs)] (take 5 ys))` calls `f` for the first elements, at most 31 more than are read; through `let`, `for`,
//! functions and what they return alike.
//! A sequence that is read to its end, or that reaches code which cannot be seen here, is computed at once, in a loop. This
//! is part of the language, so no switch turns it off: an error in an element that nobody reads does not occur. The
//! functions must be pure, since they run when their element is read.
//!
//! How much is read of a local is found by repeating a walk over the function until nothing changes: the demand on a local
//! is the greatest of those at its reads.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::fusion::calls_of_search;
use super::purity::functions_of;
use super::tree::Made;
use crate::analyze::ir::{Arity, CaptureSource, Function, Kind, Node, Slot, call};
use crate::eval::globals::Globals;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::stdlib::{Demand, Sequences};
use crate::value::{BuiltinId, Reads, Value};

/// Make the sequences in a program lazy of which perhaps only a prefix is read. The definitions have a number for each of its
/// names.
pub(super) fn in_program(main: &mut Function, globals: &Globals, fuses: bool) {
    let mut defined = HashMap::new();
    for arity in &main.arities {
        arity.body.look_at_all(&mut |node| {
            // Until it is read, nothing is known of a function; what an earlier one of its name read does not count.
            if let Kind::Def { global, .. } = &node.kind {
                defined.insert(*global, Vec::new());
            }
        });
    }
    Functions { globals: Some(globals), defined, fuses }.function(main, Reads::Whole);
}

/// The same in a function that is called from elsewhere.
pub(super) fn in_called(function: &mut Function, fuses: bool) {
    Functions { globals: None, defined: HashMap::new(), fuses }.function(function, Reads::Caller);
}

/// The functions of a program.
struct Functions<'a> {
    /// The definitions before it.
    globals: Option<&'a Globals>,
    /// How much the functions that it defined so far read of their parameters.
    defined: HashMap<u32, Vec<Signature>>,
    /// Whether a search through a chain of calls is one loop, which reads no more than it needs.
    fuses: bool,
}

/// The number of parameters of a function that takes no others, and how much it reads of each.
type Signature = (usize, Vec<Reads>);

impl Functions<'_> {
    /// The functions inside first, then its arities; `value` is how much is read of what it returns.
    fn function(&mut self, function: &mut Function, value: Reads) {
        for arity in &mut function.arities {
            self.inside(&mut arity.body);
            self.arity(arity, value);
        }
    }

    fn inside(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Fn(function) => self.function(Arc::make_mut(function), Reads::Whole),
            Kind::LetFn { functions, body, .. } => {
                functions.iter_mut().for_each(|function| self.function(Arc::make_mut(function), Reads::Caller));
                self.inside(body);
            }
            Kind::Let { bindings, body } => {
                bindings.iter_mut().for_each(|(_, value)| self.named(value));
                self.inside(body);
            }
            Kind::Def { global, value, .. } => {
                self.named(value);
                let arities = if let Kind::Fn(function) = &value.kind { function.arities.as_slice() } else { &[] };
                let plain = arities.iter().filter(|arity| !arity.rest);
                let signatures = plain.map(|arity| (arity.fixed as usize, arity.reads.clone())).collect();
                self.defined.insert(*global, signatures);
            }
            _ => node.for_each_part(&mut |part| self.inside(part)),
        }
    }

    /// A value that gets a name: a function may be called where only a prefix is read.
    fn named(&mut self, value: &mut Node) {
        match &mut value.kind {
            Kind::Fn(function) => self.function(Arc::make_mut(function), Reads::Caller),
            _ => self.inside(value),
        }
    }

    fn arity(&mut self, arity: &mut Arity, value: Reads) {
        let mut walk = Walk { functions: self, locals: HashMap::new(), changed: true, rewrites: false };
        while std::mem::take(&mut walk.changed) {
            walk.visit(&mut arity.body, value);
        }
        walk.rewrites = true;
        walk.visit(&mut arity.body, value);
        arity.reads = (0..arity.fixed).map(|slot| walk.of(slot)).collect();
    }

    /// How much the function that this definition holds reads of these arguments.
    fn reads(&self, global: u32, count: usize) -> Vec<Reads> {
        if let Some(signatures) = self.defined.get(&global) {
            let known = signatures.iter().find(|(fixed, _)| *fixed == count);
            return known.map(|(_, reads)| reads.clone()).unwrap_or_default();
        }
        match self.globals.and_then(|globals| globals.get(global)) {
            Some(Value::Function(closure)) => {
                let entry = closure.proto.select(count).filter(|entry| !entry.rest);
                entry.map(|entry| entry.reads.clone()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

fn demand_of(id: BuiltinId) -> Demand {
    table().entry(id).row.demand
}

/// A walk over the body of a function.
struct Walk<'w, 'a> {
    functions: &'w Functions<'a>,
    locals: HashMap<Slot, Reads>,
    changed: bool,
    /// Whether this is the last walk, in which the expressions become lazy.
    rewrites: bool,
}

impl Walk<'_, '_> {
    fn visit(&mut self, node: &mut Node, reads: Reads) {
        match &mut node.kind {
            Kind::Local { slot, .. } => self.read(*slot, reads),
            Kind::Cond { clauses, default } => {
                for (test, then) in clauses {
                    match self.calls_of_search(test, true) {
                        Some(calls) => self.search(test, calls),
                        None => self.visit(test, Reads::Prefix),
                    }
                    self.visit(then, reads);
                }
                self.visit(default, reads);
            }
            Kind::And(nodes) | Kind::Or(nodes) => nodes.iter_mut().for_each(|node| self.visit(node, reads)),
            Kind::Do(nodes) => {
                let last = nodes.len().saturating_sub(1);
                for (at, node) in nodes.iter_mut().enumerate() {
                    self.visit(node, if at == last { reads } else { Reads::Whole });
                }
            }
            Kind::Let { bindings, body } => {
                self.visit(body, reads);
                for (slot, init) in bindings.iter_mut().rev() {
                    let reads = self.of(*slot);
                    self.visit(init, reads);
                }
            }
            Kind::Loop { bindings, body } => {
                self.visit(body, reads);
                // A loop usually goes to the end, and takes a vector apart faster.
                bindings.iter_mut().for_each(|(_, init)| self.visit(init, Reads::Whole));
            }
            Kind::Call { .. } => self.call(node, reads),
            Kind::Fn(function) => self.capture(&function.captures),
            Kind::LetFn { captures, body, .. } => {
                self.capture(captures);
                self.visit(body, reads);
            }
            _ => node.for_each_part(&mut |part| self.visit(part, Reads::Whole)),
        }
    }

    fn calls_of_search(&self, node: &Node, tested: bool) -> Option<usize> {
        self.functions.fuses.then(|| calls_of_search(node, tested)).flatten()
    }

    /// What a function captures may be read whole.
    fn capture(&mut self, captures: &[CaptureSource]) {
        for capture in captures {
            if let CaptureSource::Local(slot) = capture {
                self.read(*slot, Reads::Whole);
            }
        }
    }

    fn of(&self, slot: Slot) -> Reads {
        self.locals.get(&slot).copied().unwrap_or(Reads::Prefix)
    }

    fn read(&mut self, slot: Slot, reads: Reads) {
        let known = self.locals.entry(slot).or_insert(Reads::Prefix);
        self.changed |= reads > *known;
        *known = reads.max(*known);
    }

    /// One loop that does the work of this many nested calls reads no more than it needs.
    fn search(&mut self, node: &mut Node, calls: usize) {
        match &mut node.kind {
            Kind::Call { args, .. } if calls > 0 => {
                let collection = args.pop();
                args.iter_mut().for_each(|arg| self.visit(arg, Reads::Whole));
                if let Some(mut collection) = collection {
                    self.search(&mut collection, calls - 1);
                    args.push(collection);
                }
            }
            _ => self.visit(node, Reads::Prefix),
        }
    }

    /// Whether its value may be a sequence that is lazy because only a prefix of it is read.
    fn may_be_lazy(&self, node: &Node) -> bool {
        let mut lazy = match &node.kind {
            Kind::Made(Made::Lazily { .. } | Made::InPart { .. }) => true,
            Kind::Local { slot, .. } => self.of(*slot) != Reads::Whole,
            _ => false,
        };
        node.look_at_parts(&mut |part| lazy = lazy || self.may_be_lazy(part));
        lazy
    }

    fn call(&mut self, node: &mut Node, reads: Reads) {
        if reads != Reads::Whole {
            joined_lazily(node);
        }
        if let Some(calls) = self.calls_of_search(node, false) {
            return self.search(node, calls);
        }
        let Kind::Call { callee, args } = &mut node.kind else { return };
        let Some(id) = callee.builtin() else {
            self.visit(callee, Reads::Whole);
            let of_args = match callee.kind {
                Kind::Global(global) => self.functions.reads(global, args.len()),
                _ => Vec::new(),
            };
            for (at, arg) in args.iter_mut().enumerate() {
                let of_arg = match of_args.get(at) {
                    Some(Reads::Caller) => reads,
                    known => known.copied().unwrap_or(Reads::Whole),
                };
                self.visit(arg, of_arg);
            }
            if self.rewrites && reads != Reads::Whole && !matches!(callee.kind, Kind::Fn(_) | Kind::Const(_)) {
                let call = Box::new(Node { kind: node.take_kind(), span: node.span });
                node.kind = Kind::Made(Made::InPart { call, returned: reads == Reads::Caller });
            }
            return;
        };
        let demand = demand_of(id);
        let functions = match demand {
            Demand::Steps { function: Some(at), .. } => args.get(at).and_then(functions_of),
            Demand::Steps { function: None, .. } => Some(Vec::new()),
            _ => None,
        };
        let (sequences, of_sequence) = match demand {
            // A fold that may stop.
            Demand::Whole if id == known().reduce && args.first().is_some_and(may_stop) => {
                (Sequences::From(args.len() - 1), Reads::Prefix)
            }
            Demand::Whole => (Sequences::From(usize::MAX), Reads::Whole),
            Demand::Prefix(sequences) => (sequences, Reads::Prefix),
            Demand::Same(sequences) => (sequences, reads),
            Demand::Steps { over, stops: true, .. } => (over, Reads::Prefix),
            Demand::Steps { over, .. } if functions.is_some() => (over, reads),
            // Its calls may have effects: all of them are made, in order.
            Demand::Steps { over, .. } => (over, Reads::Whole),
        };
        let is_sequence = |at: usize| match sequences {
            Sequences::First => at == 0,
            Sequences::From(first) => at >= first,
        };
        for (at, arg) in args.iter_mut().enumerate() {
            self.visit(arg, if is_sequence(at) { of_sequence } else { Reads::Whole });
        }
        if self.rewrites
            && reads == Reads::Whole
            && matches!(demand, Demand::Steps { stops: true, .. })
            && args.iter().any(|arg| self.may_be_lazy(arg))
        {
            let read = Node { kind: node.take_kind(), span: node.span };
            *node = call(known().whole, vec![read], node.span);
        } else if self.rewrites
            && reads != Reads::Whole
            && let Some(functions) = functions
        {
            for (at, arg) in args.iter_mut().enumerate() {
                if is_sequence(at) {
                    make_lazy(arg, functions.clone(), reads);
                }
            }
        }
    }
}

/// Whether a function literal may stop the fold that calls it.
fn may_stop(function: &Node) -> bool {
    let mut stops = false;
    if let Kind::Fn(_) = &function.kind {
        function.look_at_all(&mut |node| stops |= node.builtin() == Some(known().reduced));
    }
    stops
}

fn make_lazy(node: &mut Node, functions: Vec<Node>, reads: Reads) {
    // What is computed element by element by pure functions is lazy already, and one loop may do both.
    let is_lazy = |node: &Node| {
        let steps = matches!(node.builtin_call(), Some((id, _)) if matches!(demand_of(id), Demand::Steps { .. }));
        let mut lazy = false;
        node.look_at_parts(&mut |part| lazy |= matches!(part.kind, Kind::Made(Made::Lazily { .. })));
        steps && lazy
    };
    if functions.iter().all(|function| matches!(function.kind, Kind::Const(_))) && is_lazy(node) {
        return;
    }
    let source = Box::new(Node { kind: node.take_kind(), span: node.span });
    let mut globals = Vec::new();
    let mut functions = functions;
    functions.retain(|function| match function.kind {
        Kind::Global(global) => {
            globals.push(global);
            false
        }
        _ => true,
    });
    node.kind = Kind::Made(Made::Lazily { source, functions, globals, returned: reads == Reads::Caller });
}

/// `(apply concat xs)` reads as much of `xs` as is read of its value.
fn joined_lazily(node: &mut Node) {
    let ids = known();
    let span = node.span;
    if let Kind::Call { callee, args } = &mut node.kind
        && callee.builtin() == Some(ids.apply)
        && let [join, _] = args.as_slice()
        && join.builtin() == Some(ids.concat)
        && let Some(lists) = args.pop()
    {
        *node = call(ids.joined, vec![lists], span);
    }
}
