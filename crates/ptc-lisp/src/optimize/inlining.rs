//! Calls of function expressions: literals become bindings around their bodies, and functions from `fnil`, `partial`
//! and the like are never created.

use super::loops::{Inliner, Moved};
use crate::analyze::ir::{Kind, Node, bound, call, call_of, choice, nil};
use crate::optimize::argument_order::is_pure;
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::{Names, table};
use crate::value::{BuiltinId, Value};

/// Builtins that create functions from functions and values.
static COMBINATORS: Names = Names::of("fnil partial comp complement constantly juxt");

/// Whether the builtin creates functions from functions, and pure ones from pure ones.
pub(super) fn is_combinator(id: BuiltinId) -> bool {
    COMBINATORS.have(id)
}

/// Whether the expression creates a function from other functions.
pub(super) fn is_combined(node: &Node) -> bool {
    node.builtin_call().is_some_and(|(id, _)| is_combinator(id))
}

/// Whether it may be repeated, at any place in the body.
fn is_repeatable(node: &Node) -> bool {
    matches!(node.kind, Kind::Const(_) | Kind::Local { .. } | Kind::Capture(_))
}

impl Inliner {
    /// The call of `callee` with these arguments, which are all pure; `span` is where it is written. `None` when it
    /// must be called as a value.
    pub(super) fn apply(&mut self, callee: &Node, args: Vec<Node>, span: Span) -> Option<Node> {
        match &callee.kind {
            Kind::Const(Value::Builtin(_) | Value::Keyword(_))
            | Kind::Global(_)
            | Kind::Local { .. }
            | Kind::Capture(_) => Some(call_of(callee.clone(), args, span)),
            Kind::Fn(function) => {
                let known: Vec<_> = args.iter().map(Node::slot).collect();
                let Moved { first, body, .. } = self.body_with(function, u32::try_from(args.len()).ok()?, &known)?;
                let bindings = (first..).zip(args).filter(|(_, arg)| arg.slot().is_none()).collect();
                Some(bound(bindings, body))
            }
            _ => {
                let (id, parts) = callee.builtin_call().filter(|(id, _)| is_combinator(*id))?;
                self.apply_combined(table().entry(id).row.name, parts, args, span)
            }
        }
    }

    fn apply_combined(&mut self, made_by: &str, parts: &[Node], args: Vec<Node>, span: Span) -> Option<Node> {
        match (made_by, parts) {
            ("fnil", [f, default]) if is_repeatable(default) => {
                let mut args = args.into_iter();
                let first = args.next().filter(is_repeatable)?;
                let test = call(known().eq, vec![first.clone(), nil(span)], span);
                let value = choice(test, default.clone(), first, span);
                self.apply(f, std::iter::once(value).chain(args).collect(), span)
            }
            ("partial", [f, fixed @ ..])
                if fixed.iter().all(|arg| is_repeatable(arg) || (self.once && is_pure(arg))) =>
            {
                self.apply(f, fixed.iter().cloned().chain(args).collect(), span)
            }
            ("comp", [outer @ .., last]) => {
                let innermost = self.apply(last, args, span)?;
                outer.iter().rev().try_fold(innermost, |inner, f| self.apply_to_result(f, inner, span))
            }
            ("complement", [f]) => Some(call(known().not, vec![self.apply(f, args, span)?], span)),
            ("constantly", [value]) if is_repeatable(value) => Some(value.clone()),
            ("juxt", [_, ..]) if args.iter().all(is_repeatable) => {
                let values = parts.iter().map(|f| self.apply(f, args.clone(), span)).collect::<Option<_>>()?;
                Some(Node { kind: Kind::Vector(values), span })
            }
            _ => None,
        }
    }

    /// The call of `f` with an argument that may have effects, which come first anyway.
    fn apply_to_result(&mut self, f: &Node, inner: Node, span: Span) -> Option<Node> {
        let is_called = is_repeatable(f) || matches!(f.kind, Kind::Fn(_) | Kind::Global(_));
        if is_called || is_pure(&inner) { self.apply(f, vec![inner], span) } else { None }
    }
}
