//! Rewrites of a whole program before its functions are compiled: calls become others that mean the same and that the
//! compiler knows more about.

mod iterate;
mod lazy;
mod lookup;
mod store;
#[cfg(test)]
mod tests;
mod transducer;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use self::lookup::Gives;
use crate::analyze::ir::{CaptureSource, Function, Kind, Node, Slot};
use crate::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// Builtins that are transducers without a collection: how many arguments they have then, and whether the first one
/// is a function.
const STAGES: &[(&str, usize, bool)] = &[
    ("map", 1, true),
    ("filter", 1, true),
    ("remove", 1, true),
    ("keep", 1, true),
    ("mapcat", 1, true),
    ("map-indexed", 1, true),
    ("keep-indexed", 1, true),
    ("take-while", 1, true),
    ("drop-while", 1, true),
    ("partition-by", 1, true),
    ("take", 1, false),
    ("drop", 1, false),
    ("take-nth", 1, false),
    ("partition-all", 1, false),
    ("interpose", 1, false),
    ("replace", 1, false),
    ("dedupe", 0, false),
    ("distinct", 0, false),
];

/// Those that may end before the last element.
const ENDING: &[&str] = &["take", "take-while"];

/// The builtins that the rewrites know.
struct Ids {
    stages: Vec<(BuiltinId, usize, bool)>,
    ending: Vec<BuiltinId>,
    /// Those of a loop over what `iterate` makes.
    loop_stages: Vec<BuiltinId>,
    /// What gives the elements of a sequence in a vector.
    wholes: Vec<BuiltinId>,
    /// What gives a number or fails.
    numeric: Vec<BuiltinId>,
    comp: BuiltinId,
    cat: BuiltinId,
    mapcat: BuiltinId,
    identity: BuiltinId,
    completing: BuiltinId,
    into: BuiltinId,
    vec: BuiltinId,
    transduce: BuiltinId,
    sequence: BuiltinId,
    eduction: BuiltinId,
    reduce: BuiltinId,
    take_while: BuiltinId,
    iterate: BuiltinId,
    conj: BuiltinId,
    cons: BuiltinId,
    nth: BuiltinId,
    lazy: BuiltinId,
    unfold: BuiltinId,
    range: BuiltinId,
    /// The elements of a collection, or an error in the name of a function.
    source: BuiltinId,
}

fn ids() -> &'static Ids {
    static IDS: OnceLock<Ids> = OnceLock::new();
    IDS.get_or_init(|| {
        let id = |name: &str| table().find(name).unwrap_or(BuiltinId(u16::MAX));
        let ids = |names: &[&str]| names.iter().map(|name| id(name)).collect();
        Ids {
            stages: STAGES.iter().map(|(name, count, function)| (id(name), *count, *function)).collect(),
            ending: ids(ENDING),
            loop_stages: ids(&["map", "mapv", "filter", "filterv", "remove", "keep"]),
            wholes: ids(&["vec", "doall"]),
            numeric: ids(&["+", "-", "*", "inc", "dec", "quot", "rem", "mod", "count", "max", "min"]),
            comp: id("comp"),
            cat: id("cat"),
            mapcat: id("mapcat"),
            identity: id("identity"),
            completing: id("completing"),
            into: id("into"),
            vec: id("vec"),
            transduce: id("transduce"),
            sequence: id("sequence"),
            eduction: id("eduction"),
            reduce: id("reduce"),
            take_while: id("take-while"),
            iterate: id("iterate"),
            conj: id("conj"),
            cons: id("cons"),
            nth: id("nth"),
            lazy: id("%lazy"),
            unfold: id("%unfold"),
            range: id("range"),
            source: id("%source"),
        }
    })
}

fn builtin_call(node: &Node) -> Option<(BuiltinId, &[Node])> {
    match &node.kind {
        Kind::Call { callee, args } => match callee.kind {
            Kind::Const(Value::Builtin(id)) => Some((id, args)),
            _ => None,
        },
        _ => None,
    }
}

fn constant(id: BuiltinId, span: Span) -> Node {
    Node { kind: Kind::Const(Value::Builtin(id)), span }
}

fn call(id: BuiltinId, args: Vec<Node>, span: Span) -> Node {
    Node { kind: Kind::Call { callee: Box::new(constant(id, span)), args }, span }
}

/// Rewrite a function and all within it.
pub(crate) fn rewrite(function: &mut Function) {
    in_function(function, &[], &[]);
}

/// The same, where it is known what the first parameters and the captured values are.
fn in_function(function: &mut Function, params: &[Gives], captured: &[Gives]) {
    for arity in &mut function.arities {
        let locals = (0..).zip(params.iter().copied()).collect();
        let mut scope = Scope { locals, captured, transducers: HashMap::new(), slots: arity.slots, depth: 0 };
        scope.visit(&mut arity.body);
        arity.slots = scope.slots;
    }
}

/// What is known of the names in a function.
struct Scope<'a> {
    locals: HashMap<Slot, Gives>,
    captured: &'a [Gives],
    /// Locals that are bound to transducers.
    transducers: HashMap<Slot, Node>,
    slots: Slot,
    depth: usize,
}

impl Scope<'_> {
    fn visit(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Let { bindings, body } => {
                for (slot, init) in bindings {
                    self.visit(init);
                    let gives = self.gives(init, None);
                    self.locals.insert(*slot, gives);
                    if transducer::is_constant(init) {
                        self.transducers.insert(*slot, init.clone());
                    }
                }
                self.visit(body);
            }
            Kind::Loop { bindings, body } => {
                for (slot, init) in bindings.iter_mut() {
                    self.visit(init);
                    let gives = self.gives(init, None);
                    self.locals.insert(*slot, gives);
                }
                let slots: Vec<Slot> = bindings.iter().map(|(slot, _)| *slot).collect();
                self.settle(&slots, body);
                self.visit(body);
            }
            Kind::Call { callee, args } => {
                // What a fold hands on is what it began with when each step gives the same.
                let accumulator = match (&callee.kind, args.as_slice()) {
                    (Kind::Const(Value::Builtin(id)), [function, init, _]) if *id == known().reduce => {
                        self.folded(function, init)
                    }
                    _ => Gives::Unknown,
                };
                for arg in args.iter_mut() {
                    match &mut arg.kind {
                        Kind::Fn(function) => self.within(function, &[accumulator]),
                        _ => self.visit(arg),
                    }
                }
                self.visit(callee);
                self.look_up(node);
                store::swap_what_is_stored(node);
                transducer::go_over_collections(node, &self.transducers);
                iterate::loop_instead(node, &mut self.slots);
            }
            Kind::Def { global, value, .. } => {
                self.visit(value);
                lazy::make_generator(*global, value);
            }
            Kind::Fn(function) => self.within(function, &[]),
            Kind::LetFn { functions, captures, .. } => {
                let captured = self.captured(captures);
                for function in functions {
                    in_function(Arc::make_mut(function), &[], &captured);
                }
                node.for_each_part(&mut |part| self.visit(part));
            }
            _ => node.for_each_part(&mut |part| self.visit(part)),
        }
    }

    fn within(&self, function: &mut Arc<Function>, params: &[Gives]) {
        let captured = self.captured(&function.captures);
        in_function(Arc::make_mut(function), params, &captured);
    }

    fn captured(&self, sources: &[CaptureSource]) -> Vec<Gives> {
        sources
            .iter()
            .map(|source| match source {
                CaptureSource::Local(slot) => self.local(*slot),
                CaptureSource::Capture(index) => self.capture(*index),
                CaptureSource::SelfFn | CaptureSource::Sibling(_) => Gives::Unknown,
            })
            .collect()
    }

    fn local(&self, slot: Slot) -> Gives {
        self.locals.get(&slot).copied().unwrap_or(Gives::Unknown)
    }

    fn capture(&self, index: u32) -> Gives {
        self.captured.get(index as usize).copied().unwrap_or(Gives::Unknown)
    }
}
