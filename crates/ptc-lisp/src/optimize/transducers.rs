//! Transducers that are written where they are used become calls with a collection, which fusion turns into one loop.
//!
//! ```text
//! before  (into [] (comp (map f) (filter odd?)) xs)
//! after   (vec (filter odd? (map f (%source "into" xs))))
//! before  (transduce (map inc) + 0 xs)
//! after   (+ (reduce + 0 (map inc (%source "transduce" xs))))
//! law     The functions have no effects, or only one of them has and all elements reach it.
//! ```
//!
//! A transducer passes each element through all steps, a call on a collection does one step for all elements. The difference
//! is not visible under this law.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::leaves_first::Scope;
use super::purity::{is_pure, is_pure_function};
use crate::analyze::ir::{Kind, Node, Slot, call, call_of, constant};
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// One step: a builtin that takes a collection after these arguments.
struct Stage {
    builtin: BuiltinId,
    args: Vec<Node>,
    span: Span,
}

impl Stage {
    fn calls_pure_functions(&self) -> bool {
        table().entry(self.builtin).row.facts.callback.is_none() || self.args.iter().all(is_pure_stage)
    }
}

/// Whether calls of this function have no effects.
fn is_pure_stage(f: &Node) -> bool {
    match f.builtin_call() {
        Some((id, parts)) if table().entry(id).row.is_combinator() => {
            parts.iter().all(|part| is_pure_stage(part) || (!matches!(part.kind, Kind::Fn(_)) && is_pure(part)))
        }
        _ => is_pure_function(f),
    }
}

/// The steps of a transducer that is written out, the first one first. False when it is something else.
fn add_stages(xform: &Node, bound: &HashMap<Slot, Node>, stages: &mut Vec<Stage>) -> bool {
    if let Kind::Local { slot, .. } = xform.kind
        && let Some(xform) = bound.get(&slot)
    {
        return add_stages(xform, bound, stages);
    }
    if xform.builtin() == Some(known().cat) {
        let args = vec![constant(Value::Builtin(known().identity), xform.span)];
        stages.push(Stage { builtin: known().mapcat, args, span: xform.span });
        return true;
    }
    match xform.builtin_call() {
        Some((id, parts)) if id == known().comp => {
            !parts.is_empty() && parts.iter().all(|part| add_stages(part, bound, stages))
        }
        Some((id, args)) if table().entry(id).row.is_stage(args.len()) => {
            // Their arguments are evaluated later than written.
            let evaluated_anywhere =
                args.iter().all(|arg| is_pure(arg) || matches!(arg.kind, Kind::Global(_)) || is_pure_stage(arg));
            stages.push(Stage { builtin: id, args: args.to_vec(), span: xform.span });
            evaluated_anywhere
        }
        _ => false,
    }
}

/// Whether this returns the same transducer wherever it is evaluated.
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
    /// Reduced, and passed to a function at the end.
    Fold {
        f: Node,
        init: Node,
        ends: Option<Node>,
    },
}

/// Rewrite a call of a function that takes a transducer, if that is written out.
pub(super) fn run(scope: &mut Scope<'_>, node: &mut Node) {
    let bound = &scope.transducers;
    let ids = known();
    let span = node.span;
    let Some((id, args)) = node.builtin_call() else { return };
    let (sink, xforms, items) = match args {
        [to, xform, items] if id == ids.into => {
            let is_empty = match &to.kind {
                Kind::Const(Value::Vector(items)) => items.is_empty(),
                Kind::Vector(nodes) => nodes.is_empty(),
                _ => false,
            };
            let sink = if is_empty { Sink::Vector } else { Sink::Into(to.clone()) };
            (sink, std::slice::from_ref(xform), items)
        }
        [xform, items] if id == ids.sequence => (Sink::Sequence, std::slice::from_ref(xform), items),
        [xforms @ .., items] if id == ids.eduction => (Sink::Sequence, xforms, items),
        [xform, f, init @ .., items] if id == ids.transduce && init.len() < 2 => {
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
    let ends_early = stages.iter().any(|stage| stage.builtin == ids.take || stage.builtin == ids.take_while);
    let may_end = match &sink {
        Sink::Fold { f, .. } => !is_pure_function(f) || !matches!(f.kind, Kind::Const(_)),
        // An eduction is realised only as far as needed.
        _ => id == ids.eduction,
    };
    if effects > usize::from(!ends_early && !may_end) {
        return;
    }
    // A value that is not a collection is refused in the name of the written call; a range is a collection.
    let is_range = items.builtin_call().is_some_and(|(id, _)| id == ids.range);
    let source = if is_range {
        items.clone()
    } else {
        let name = constant(Value::string(table().entry(id).row.name), span);
        call(ids.source, vec![name, items.clone()], span)
    };
    let items = stages
        .into_iter()
        .fold(source, |items, stage| call(stage.builtin, stage.args.into_iter().chain([items]).collect(), stage.span));
    *node = match sink {
        Sink::Sequence => items,
        Sink::Vector => call(ids.vec, vec![items], span),
        Sink::Into(to) => call(ids.into, vec![to, items], span),
        Sink::Fold { f, init, ends } => {
            let folded = call(ids.reduce, vec![f, init, items], span);
            match ends {
                Some(ends) => call_of(ends, vec![folded], span),
                None => folded,
            }
        }
    };
}

/// How `transduce` folds: by a function that may be repeated, since it also ends the fold.
fn fold(f: &Node, init: Option<&Node>, span: Span) -> Option<Sink> {
    let (f, ends) = match f.builtin_call() {
        Some((id, [f])) if id == known().completing => (f, None),
        Some((id, [f, ends])) if id == known().completing && is_pure(ends) => (f, Some(ends.clone())),
        _ if matches!(
            f.kind,
            Kind::Const(Value::Builtin(_)) | Kind::Local { .. } | Kind::Capture(_) | Kind::Global(_)
        ) =>
        {
            (f, Some(f.clone()))
        }
        _ => return None,
    };
    // Without an initial value, the function inside `completing` provides it.
    let init = init.cloned().unwrap_or_else(|| call_of(f.clone(), Vec::new(), span));
    Some(Sink::Fold { f: f.clone(), init, ends })
}
