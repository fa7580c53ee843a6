//! Calls of function expressions: literals become bindings around their bodies, and functions made by `fnil`, `partial`
//! and the like are never made.

use std::sync::OnceLock;

use super::{Inliner, Moved};
use crate::analyze::ir::{Kind, Node, bound, call, nil};
use crate::eval::order::is_pure;
use crate::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// What a builtin makes of functions and values.
#[derive(Copy, Clone)]
enum Makes {
    Fnil,
    Partial,
    Comp,
    Complement,
    Constantly,
    Juxt,
}

const COMBINATORS: [(&str, Makes); 6] = [
    ("fnil", Makes::Fnil),
    ("partial", Makes::Partial),
    ("comp", Makes::Comp),
    ("complement", Makes::Complement),
    ("constantly", Makes::Constantly),
    ("juxt", Makes::Juxt),
];

fn combinator(id: BuiltinId) -> Option<Makes> {
    static IDS: OnceLock<Vec<(BuiltinId, Makes)>> = OnceLock::new();
    let ids = IDS
        .get_or_init(|| COMBINATORS.iter().filter_map(|(name, makes)| Some((table().find(name)?, *makes))).collect());
    ids.iter().find(|(known, _)| *known == id).map(|(_, makes)| *makes)
}

/// Whether the builtin makes functions of functions, pure ones of pure ones.
pub(in crate::eval) fn is_combinator(id: BuiltinId) -> bool {
    combinator(id).is_some()
}

/// Whether the expression makes a function of other functions.
pub(super) fn is_combined(node: &Node) -> bool {
    matches!(&node.kind, Kind::Call { callee, .. } if matches!(callee.kind, Kind::Const(Value::Builtin(id)) if is_combinator(id)))
}

/// Whether it may be written several times, at any place of the body.
fn is_repeatable(node: &Node) -> bool {
    matches!(node.kind, Kind::Const(_) | Kind::Local { .. } | Kind::Capture(_))
}

impl Inliner {
    /// The call of `callee` with these arguments, which are all pure; `span` is where it is written. Nothing when it is
    /// to be called as a value.
    pub(super) fn apply(&mut self, callee: &Node, args: Vec<Node>, span: Span) -> Option<Node> {
        match &callee.kind {
            Kind::Const(Value::Builtin(_) | Value::Keyword(_))
            | Kind::Global(_)
            | Kind::Local { .. }
            | Kind::Capture(_) => Some(Node { kind: Kind::Call { callee: Box::new(callee.clone()), args }, span }),
            Kind::Fn(function) => {
                let known: Vec<_> = args
                    .iter()
                    .map(|arg| if let Kind::Local { slot, .. } = arg.kind { Some(slot) } else { None })
                    .collect();
                let Moved { first, body, .. } = self.body_with(function, u32::try_from(args.len()).ok()?, &known)?;
                let bindings: Vec<_> = (first..)
                    .zip(args)
                    .zip(known)
                    .filter(|(_, known)| known.is_none())
                    .map(|(bound, _)| bound)
                    .collect();
                Some(bound(bindings, body))
            }
            Kind::Call { callee: made_by, args: parts } => {
                let Kind::Const(Value::Builtin(id)) = made_by.kind else { return None };
                self.apply_combined(combinator(id)?, parts, args, span)
            }
            _ => None,
        }
    }

    fn apply_combined(&mut self, makes: Makes, parts: &[Node], args: Vec<Node>, span: Span) -> Option<Node> {
        match (makes, parts) {
            (Makes::Fnil, [f, default]) if is_repeatable(default) => {
                let mut args = args.into_iter();
                let first = args.next().filter(is_repeatable)?;
                let test = call(known().eq, vec![first.clone(), nil(span)], span);
                let value = Node { kind: Kind::If(Box::new([test, default.clone(), first])), span };
                self.apply(f, std::iter::once(value).chain(args).collect(), span)
            }
            (Makes::Partial, [f, fixed @ ..])
                if fixed.iter().all(|arg| is_repeatable(arg) || (self.once && is_pure(arg))) =>
            {
                self.apply(f, fixed.iter().cloned().chain(args).collect(), span)
            }
            (Makes::Comp, [outer @ .., last]) => {
                let innermost = self.apply(last, args, span)?;
                outer.iter().rev().try_fold(innermost, |inner, f| self.apply_to_result(f, inner, span))
            }
            (Makes::Complement, [f]) => {
                let value = self.apply(f, args, span)?;
                Some(call(known().not, vec![value], span))
            }
            (Makes::Constantly, [value]) if is_repeatable(value) => Some(value.clone()),
            (Makes::Juxt, [_, ..]) if args.iter().all(is_repeatable) => {
                let values = parts.iter().map(|f| self.apply(f, args.clone(), span)).collect::<Option<_>>()?;
                Some(Node { kind: Kind::Vector(values), span })
            }
            _ => None,
        }
    }

    /// The call of `f` with a value that may have effects, which come first anyway.
    fn apply_to_result(&mut self, f: &Node, inner: Node, span: Span) -> Option<Node> {
        if is_pure(&inner)
            || matches!(f.kind, Kind::Const(_) | Kind::Fn(_) | Kind::Global(_) | Kind::Local { .. } | Kind::Capture(_))
        {
            return self.apply(f, vec![inner], span);
        }
        None
    }
}
