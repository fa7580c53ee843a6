//! What has no effect besides its value or an error: expressions, functions, and on which functions that depends that are
//! known only when a program runs.

use super::tree::Made;
use crate::analyze::ir::{CaptureSource, Function, Kind, Node, local};
use crate::stdlib::table::table;
use crate::stdlib::{Force, Purity};
use crate::value::{BuiltinId, Calls, Value};

impl Calls {
    /// The calls of a function, `None` when a call of it may have an effect.
    pub fn of(function: &Function) -> Option<Calls> {
        let mut calls = Calls::default();
        function.arities.iter().all(|arity| calls.add(&arity.body)).then_some(calls)
    }

    /// Add those of an expression. False when it may have an effect besides its value or an error.
    fn add(&mut self, node: &Node) -> bool {
        let mut pure = match &node.kind {
            Kind::Call { callee, args } => match &callee.kind {
                Kind::Const(Value::Builtin(id)) => {
                    let row = table().entry(*id).row;
                    self.looks_inside |= row.force == Force::Deep;
                    let called = row.purity.called(args);
                    called.is_some_and(|functions| functions.iter().all(|function| self.add_called(function)))
                }
                _ => self.add_called(callee),
            },
            Kind::Def { .. } | Kind::Tool(_) | Kind::LetFn { .. } => false,
            _ => true,
        };
        node.look_at_parts(&mut |part| pure = pure && self.add(part));
        pure
    }

    /// Add a function that is called.
    fn add_called(&mut self, callee: &Node) -> bool {
        match &callee.kind {
            Kind::Const(Value::Builtin(id)) => self.add_builtin(*id),
            Kind::Const(_) | Kind::SelfFn => true,
            Kind::Fn(function) => self.add_inner(function),
            Kind::Capture(index) => {
                self.captures.push(*index);
                true
            }
            Kind::Global(global) => {
                self.globals.push(*global);
                true
            }
            _ => false,
        }
    }

    fn add_builtin(&mut self, id: BuiltinId) -> bool {
        let row = table().entry(id).row;
        self.looks_inside |= row.force == Force::Deep;
        row.purity == Purity::Pure
    }

    /// Add the calls of a function inside, whose captured values may be captured here.
    fn add_inner(&mut self, function: &Function) -> bool {
        let Some(Calls { captures, globals, looks_inside }) = Calls::of(function) else { return false };
        self.globals.extend(globals);
        self.looks_inside |= looks_inside;
        captures.iter().all(|index| match function.captures.get(*index as usize) {
            Some(CaptureSource::Capture(outer)) => {
                self.captures.push(*outer);
                true
            }
            Some(CaptureSource::SelfFn) => true,
            _ => false,
        })
    }
}

/// Expressions of the functions on which it depends whether calls of `function` are pure; `None` when they may have effects.
pub(super) fn functions_of(function: &Node) -> Option<Vec<Node>> {
    let node = |kind| Node { kind, span: function.span };
    match &function.kind {
        Kind::Const(Value::Builtin(id)) if table().entry(*id).row.purity == Purity::Pure => Some(Vec::new()),
        Kind::Const(Value::Builtin(_)) => None,
        // A field of one map is a mistake, which is reported at once.
        Kind::Const(Value::Keyword(_)) => Some(vec![function.clone()]),
        Kind::Const(_) => Some(Vec::new()),
        Kind::Local { .. } | Kind::Capture(_) | Kind::Global(_) => Some(vec![function.clone()]),
        Kind::Fn(literal) => {
            let Calls { captures, globals, .. } = Calls::of(literal)?;
            let captured = captures.iter().map(|index| match *literal.captures.get(*index as usize)? {
                CaptureSource::Local(slot) => Some(local(slot, function.span)),
                CaptureSource::Capture(outer) => Some(node(Kind::Capture(outer))),
                CaptureSource::SelfFn | CaptureSource::Sibling(_) => None,
            });
            captured.chain(globals.iter().map(|global| Some(node(Kind::Global(*global))))).collect()
        }
        Kind::Call { callee, args } if callee.builtin().is_some_and(|id| table().entry(id).row.is_combinator()) => {
            let parts: Option<Vec<_>> = args.iter().map(functions_of).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

pub(super) fn purity(id: BuiltinId) -> Purity {
    table().entry(id).row.purity
}

/// Whether it is a function whose calls have no effects.
pub(super) fn is_pure_function(node: &Node) -> bool {
    match &node.kind {
        Kind::Fn(function) => function.arities.iter().all(|arity| is_pure(&arity.body)),
        Kind::Const(Value::Builtin(id)) => purity(*id) == Purity::Pure,
        Kind::Const(_) => true,
        _ => false,
    }
}

/// Whether evaluating it has no effect besides its value or an error.
pub(super) fn is_pure(node: &Node) -> bool {
    match &node.kind {
        Kind::Const(_) | Kind::Local { .. } | Kind::Capture(_) | Kind::Data(_) | Kind::Fn(_) => true,
        Kind::Call { callee, args } => {
            let pure = match &callee.kind {
                Kind::Const(Value::Keyword(_)) => true,
                Kind::Fn(_) => is_pure_function(callee),
                Kind::Const(Value::Builtin(id)) => {
                    purity(*id).called(args).is_some_and(|functions| functions.iter().all(is_pure_function))
                }
                _ => false,
            };
            pure && args.iter().all(is_pure)
        }
        Kind::Made(Made::Each(each)) => is_pure(&each.body),
        Kind::Made(Made::Update(update)) => is_pure(&update.body) && node.all_parts(is_pure),
        Kind::Cond { .. }
        | Kind::And(_)
        | Kind::Or(_)
        | Kind::Vector(_)
        | Kind::Map(_)
        | Kind::Set(_)
        | Kind::Let { .. }
        | Kind::Made(Made::Lazily { .. } | Made::Replace { .. } | Made::Clear { .. }) => node.all_parts(is_pure),
        // The slow path of the update calls the same function.
        Kind::Made(Made::Leave) => true,
        _ => false,
    }
}
