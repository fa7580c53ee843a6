//! Transducers that are written where they are used go over collections as the calls with a collection do:
//! `(into [] (comp (map f) (filter p)) xs)` becomes `(vec (filter p (map f xs)))`, which the compiler makes one pass of.
//!
//! A transducer hands element after element through all steps, a call on a collection makes one step for all elements.
//! Nobody sees the difference where the functions have no effects, or only one of them has and all elements reach it.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::analyze::ir::{Kind, Node, Slot};
use crate::eval::order::{is_pure, is_pure_function};
use crate::span::Span;
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

/// Builtins that make functions of functions, pure ones of pure ones.
const COMBINATORS: &[&str] = &["comp", "partial", "complement", "constantly", "juxt", "fnil"];

struct Rules {
    stages: Vec<(BuiltinId, usize, bool)>,
    ending: Vec<BuiltinId>,
    combinators: Vec<BuiltinId>,
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
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let id = |name: &str| table().find(name).unwrap_or(BuiltinId(u16::MAX));
        let ids = |names: &[&str]| names.iter().map(|name| id(name)).collect();
        Rules {
            stages: STAGES.iter().map(|(name, count, function)| (id(name), *count, *function)).collect(),
            ending: ids(ENDING),
            combinators: ids(COMBINATORS),
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
        }
    })
}

/// One step: a builtin that takes a collection behind these arguments.
struct Stage {
    builtin: BuiltinId,
    args: Vec<Node>,
    span: Span,
}

impl Stage {
    fn calls_pure_functions(&self) -> bool {
        self.args.iter().all(|arg| !takes_function(self.builtin) || is_pure_stage(arg))
    }
}

fn takes_function(builtin: BuiltinId) -> bool {
    rules().stages.iter().any(|(id, _, function)| *id == builtin && *function)
}

/// Whether calls of this function have no effects.
fn is_pure_stage(f: &Node) -> bool {
    match builtin_call(f) {
        Some((id, parts)) if rules().combinators.contains(&id) => {
            parts.iter().all(|part| is_pure_stage(part) || (!matches!(part.kind, Kind::Fn(_)) && is_pure(part)))
        }
        _ => is_pure_function(f),
    }
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

/// The steps of a transducer that is written out, the first one first. False when it is something else.
fn add_stages(xform: &Node, bound: &HashMap<Slot, Node>, stages: &mut Vec<Stage>) -> bool {
    if let Kind::Local { slot, .. } = xform.kind
        && let Some(xform) = bound.get(&slot)
    {
        return add_stages(xform, bound, stages);
    }
    if matches!(xform.kind, Kind::Const(Value::Builtin(id)) if id == rules().cat) {
        let args = vec![constant(rules().identity, xform.span)];
        stages.push(Stage { builtin: rules().mapcat, args, span: xform.span });
        return true;
    }
    match builtin_call(xform) {
        Some((id, parts)) if id == rules().comp => {
            !parts.is_empty() && parts.iter().all(|part| add_stages(part, bound, stages))
        }
        Some((id, args)) if rules().stages.iter().any(|(known, count, _)| *known == id && *count == args.len()) => {
            // What they take is evaluated later than it is written.
            let evaluated_anywhere =
                args.iter().all(|arg| is_pure(arg) || matches!(arg.kind, Kind::Global(_)) || is_pure_stage(arg));
            stages.push(Stage { builtin: id, args: args.to_vec(), span: xform.span });
            evaluated_anywhere
        }
        _ => false,
    }
}

/// Whether this makes a transducer that is the same wherever it is made.
pub(super) fn is_constant(xform: &Node) -> bool {
    let mut stages = Vec::new();
    add_stages(xform, &HashMap::new(), &mut stages)
        && stages.iter().flat_map(|stage| &stage.args).all(|arg| match &arg.kind {
            Kind::Const(_) => true,
            Kind::Fn(function) => function.captures.is_empty(),
            _ => false,
        })
}

/// What is done with the elements.
enum Sink {
    Sequence,
    Vector,
    Into(Node),
    /// Reduced, and handed to a function in the end.
    Fold {
        f: Node,
        init: Node,
        ends: Option<Node>,
    },
}

/// Rewrite a call of a function that takes a transducer, if that is written out.
pub(super) fn go_over_collections(node: &mut Node, bound: &HashMap<Slot, Node>) {
    let rules = rules();
    let span = node.span;
    let Some((id, args)) = builtin_call(node) else { return };
    let (sink, xforms, items) = match args {
        [to, xform, items] if id == rules.into => {
            let is_empty = match &to.kind {
                Kind::Const(Value::Vector(items)) => items.is_empty(),
                Kind::Vector(nodes) => nodes.is_empty(),
                _ => false,
            };
            let sink = if is_empty { Sink::Vector } else { Sink::Into(to.clone()) };
            (sink, std::slice::from_ref(xform), items)
        }
        [xform, items] if id == rules.sequence => (Sink::Sequence, std::slice::from_ref(xform), items),
        [xforms @ .., items] if id == rules.eduction => (Sink::Sequence, xforms, items),
        [xform, f, init @ .., items] if id == rules.transduce && init.len() < 2 => {
            let Some(sink) = fold(f, init.first(), span) else { return };
            (sink, std::slice::from_ref(xform), items)
        }
        _ => return,
    };
    let mut stages = Vec::new();
    if xforms.is_empty() || !xforms.iter().all(|xform| add_stages(xform, bound, &mut stages)) {
        return;
    }
    let effects = stages.iter().filter(|stage| !stage.calls_pure_functions()).count();
    let ends_early = stages.iter().any(|stage| rules.ending.contains(&stage.builtin));
    let may_end = match &sink {
        Sink::Fold { f, .. } => !is_pure_function(f) || !matches!(f.kind, Kind::Const(_)),
        _ => false,
    };
    if effects > usize::from(!ends_early && !may_end) {
        return;
    }
    let items = stages.into_iter().fold(items.clone(), |items, stage| {
        call(stage.builtin, stage.args.into_iter().chain([items]).collect(), stage.span)
    });
    *node = match sink {
        Sink::Sequence => items,
        Sink::Vector => call(rules.vec, vec![items], span),
        Sink::Into(to) => call(rules.into, vec![to, items], span),
        Sink::Fold { f, init, ends } => {
            let folded = call(rules.reduce, vec![f, init, items], span);
            match ends {
                Some(ends) => Node { kind: Kind::Call { callee: Box::new(ends), args: vec![folded] }, span },
                None => folded,
            }
        }
    };
}

/// How `transduce` folds: by a function that may be written twice, since it ends the fold as well.
fn fold(f: &Node, init: Option<&Node>, span: Span) -> Option<Sink> {
    let (f, ends) = match builtin_call(f) {
        Some((id, [f])) if id == rules().completing => (f, None),
        Some((id, [f, ends])) if id == rules().completing && is_pure(ends) => (f, Some(ends.clone())),
        _ if matches!(
            f.kind,
            Kind::Const(Value::Builtin(_)) | Kind::Local { .. } | Kind::Capture(_) | Kind::Global(_)
        ) =>
        {
            (f, Some(f.clone()))
        }
        _ => return None,
    };
    let init = match init {
        Some(init) => init.clone(),
        // Without a function that ends it, the one that begins it is the one inside `completing`.
        None => Node { kind: Kind::Call { callee: Box::new(f.clone()), args: Vec::new() }, span },
    };
    Some(Sink::Fold { f: f.clone(), init, ends })
}
